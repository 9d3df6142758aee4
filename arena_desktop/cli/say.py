"""What commands tell people, line by line. Nothing that stands in a file can steer the terminal."""

import sys
from typing import TextIO

from arena_desktop.harmless import harmless


def say(line: str = "", *, file: TextIO | None = None, flush: bool = False) -> None:
    """Write a line for people, on standard output unless ``file`` is another stream."""
    print(harmless(line), file=sys.stdout if file is None else file, flush=flush)
