"""Numbers in the headers of an answer. What isn't as it should be reads as not there."""

import contextlib
import email.utils
import time


def number(text: str) -> int | None:
    """A whole number, None for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else None


def content_range(text: str) -> tuple[int, int | None]:
    """First byte and whole length of a Content-Range; (-1, None) for none."""
    unit, _, rest = text.strip().partition(" ")
    span, _, whole = rest.partition("/")
    first = number(span.partition("-")[0].strip())
    return (-1 if first is None or unit != "bytes" else first), number(whole.strip())


def whole_length(text: str) -> int | None:
    """The whole length in a Content-Range, None if it isn't told."""
    return number(text.rpartition("/")[2].strip())


def retry_after(text: str) -> float | None:
    """The seconds that a Retry-After asks to wait, given as seconds or as a date; None for none."""
    seconds = number(text.strip())
    if seconds is not None:
        return min(float(seconds), 1e6)
    with contextlib.suppress(ValueError, TypeError, OverflowError):
        return min(max(0.0, email.utils.parsedate_to_datetime(text).timestamp() - time.time()), 1e6)
    return None
