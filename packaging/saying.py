"""What the set-up tells the person in front of it: plain lines with the time that has gone by."""

import sys
import time

_started = time.monotonic()


class Fault(Exception):
    """Something that stops the set-up, worded for a person: what happened, and what to do."""


def seconds() -> float:
    """Seconds since the set-up began."""
    return time.monotonic() - _started


def say(text: str) -> None:
    """One line of progress on standard output, with the time that has gone by."""
    sys.stdout.write(f"[{seconds():6.1f} s] {text}\n")
    sys.stdout.flush()


def size(count: float) -> str:
    """A number of bytes for a person: ``"840 kB"``, ``"12.3 MB"``, ``"2.4 GB"``."""
    for unit, divisor in (("GB", 1e9), ("MB", 1e6)):
        if count >= divisor:
            return f"{count / divisor:.1f} {unit}"
    return f"{count / 1e3:.0f} kB"
