"""Times as people say them: days of the machine's own time zone for times of the log, and back."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from arena_desktop.domain.times import canonical_us, time_text

ANY, BETWEEN = "", "between"
SPANS = (
    (ANY, "Any time"),
    ("0", "Today"),
    ("6", "The last 7 days"),
    ("29", "The last 30 days"),
    ("364", "The last year"),
    (BETWEEN, "Between two days…"),
)
"""(key, words): a number is so many days before today."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Span:
    """From ``since`` on, up to but without ``until``: canonical times, "" for no end."""

    since: str = ""
    until: str = ""


def span_of(key: str, today: date) -> Span:
    """What a key of :data:`SPANS` (but "between") stands for on a day."""
    return Span(day_start(today - timedelta(days=int(key)))) if key else Span()


def days_between(first: date, last: date) -> Span:
    """Both days whole, in whichever order they are named."""
    first, last = min(first, last), max(first, last)
    return Span(day_start(first), day_start(last + timedelta(days=1)))


def day_start(day: date) -> str:
    """The first moment of a day of this machine's time zone, as canonical text."""
    local = datetime(day.year, day.month, day.day).astimezone()
    return time_text((local - _EPOCH) // timedelta(microseconds=1))


def local_day(at: str) -> date | None:
    """The day of this machine's time zone in which a canonical time lies; None where it is no such time."""
    moment = _local(at)
    return moment.date() if moment else None


def local_minute(at: str) -> str:
    """A canonical time as ``2026-12-02 05:30`` of this machine's time zone; what is no such time as it stands."""
    moment = _local(at)
    return f"{moment:%Y-%m-%d %H:%M}" if moment else at


def local_second(at: str) -> str:
    """The same with seconds and the zone's distance from UTC: ``2026-12-02 05:30:12 (UTC+0100)``."""
    moment = _local(at)
    return f"{moment:%Y-%m-%d %H:%M:%S} (UTC{moment:%z})" if moment else at


def _local(at: str) -> datetime | None:
    us = canonical_us(at)
    if us is None:
        return None
    try:
        return (_EPOCH + timedelta(microseconds=us)).astimezone()
    except (OverflowError, ValueError):  # at the very ends of the calendar
        return None
