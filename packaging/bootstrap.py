#!/usr/bin/env python3
"""Set Arena Desktop up from a checkout and run it, or run its checks. Standard library only.

    python3 packaging/bootstrap.py run [--light] [program arguments…]
    python3 packaging/bootstrap.py test [pytest arguments…]
    python3 packaging/bootstrap.py prove [NAME…]
    python3 packaging/bootstrap.py torch [cpu|cuda|plain]
    python3 packaging/bootstrap.py styles
    python3 packaging/bootstrap.py lock

run     makes .venv when it is needed, then starts the program; --light leaves torch and transformers out
test    everything that is checked before a change is accepted, inside a screen and a sound server of its own
prove   the same proofs at their full counts; each writes a result file under docs/evidence/
torch   chooses torch's build again (after a graphics driver was installed, say) and installs it
styles  fetches the styles of the Kokoro voice
lock    works the exact pins in packaging/requirements/*.txt out again from the *.in files beside them

An interrupted set-up is repaired by the next call. Nothing outside the checkout is changed, but for the system packages
that are named before they are installed.
"""

import os
import shutil
import sys

OLDEST = (3, 11)
NEWER_NAMES = ("python3.13", "python3.12", "python3.11", "python3.14")


def _hand_over_to_a_newer_python() -> None:
    """Start again under a Python that is new enough, if there is one; else say what is needed."""
    for name in NEWER_NAMES:
        path = shutil.which(name)
        if path:
            os.execv(path, [path, os.path.abspath(__file__), *sys.argv[1:]])  # noqa: PTH100
    sys.stderr.write(
        f"bootstrap: this is Python {sys.version_info[0]}.{sys.version_info[1]}; Arena Desktop needs 3.11 or newer. "
        "Install one (on Debian and Ubuntu: apt-get install python3.11 python3.11-venv) and start this again with it.\n"
    )
    raise SystemExit(1)


if sys.version_info < OLDEST:
    _hand_over_to_a_newer_python()

from commands import main  # noqa: E402 - nothing newer than the syntax above may be read by an old Python

if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
