"""Runs one command, and ends it with all that it started when whoever asked for it is gone: ``python tether.py
COMMAND…`` with a pipe as standard input that is closed in the end.

It is started by file path under any Python 3 and uses the standard library alone. What it runs has no standard input
and writes where this program writes.
"""

import os
import signal
import subprocess
import sys
import threading


def main():  # type: ignore[no-untyped-def]  # an old Python may have to read this
    """Run the command; returns its status."""
    if hasattr(os, "nice"):
        os.nice(10)  # nobody who listens meanwhile may notice
    threading.Thread(target=_watch, daemon=True).start()
    process = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL)
    status = process.wait()
    return status if status >= 0 else 128 - status


def _watch():  # type: ignore[no-untyped-def]
    while os.read(0, 4096):
        pass
    if os.name == "nt":
        subprocess.call(["taskkill", "/T", "/F", "/PID", str(os.getpid())])  # noqa: S607
    else:
        os.killpg(0, signal.SIGKILL)


if __name__ == "__main__":
    sys.exit(main())  # type: ignore[no-untyped-call]
