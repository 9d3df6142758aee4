"""Run as a program: starts another one and notes the most memory that it held.

A process that is forked off a large one counts that one's memory as its own peak; this one is small.
"""

import os
import sys


def main(peak_file: str, *command: str) -> int:
    """Carry out ``command`` with our own streams; its peak memory in bytes is written to ``peak_file``."""
    child = os.posix_spawn(command[0], command, os.environ)
    _, status, usage = os.wait4(child, 0)
    with open(peak_file, "w", encoding="ascii") as file:  # noqa: PTH123 — a small process imports little
        file.write(str(usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)))
    return os.waitstatus_to_exitcode(status) & 0xFF


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
