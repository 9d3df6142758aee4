"""Times as the log writes them, and times as other programs wrote them. All in microseconds since 1970, UTC."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any

DAY_US = 24 * 3600 * 1_000_000
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_CANONICAL = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z")
_ISO = re.compile(
    r"([0-9]{4})-?([0-9]{2})-?([0-9]{2})"
    r"(?:[Tt ]([0-9]{2}):?([0-9]{2})(?::?([0-9]{2})(?:[.,]([0-9]+))?)?"
    r" ?(?:([Zz])|([+-])([0-9]{2})(?::?([0-9]{2}))?)?)?"
)
_NUMBER = re.compile(r"(-?)([0-9]{1,12})(?:\.([0-9]+))?")
_LEGACY_KEYS = ("at", "cast_at", "timestamp", "created_at")


def time_text(us: int) -> str:
    """``YYYY-MM-DDTHH:MM:SS.ffffffZ``. ``ValueError`` outside the years 1 to 9999."""
    try:
        moment = _EPOCH + timedelta(microseconds=us)
    except OverflowError as error:
        raise ValueError(f"time out of range: {us}") from error
    return f"{moment.year:04d}-{moment:%m-%dT%H:%M:%S}.{moment.microsecond:06d}Z"


def canonical_us(text: Any) -> int | None:
    """The time that a canonical text stands for, None for everything that isn't one."""
    if not isinstance(text, str) or not _CANONICAL.fullmatch(text):
        return None
    midnight = _midnight_us(text[:10])
    hour, minute, second = int(text[11:13]), int(text[14:16]), int(text[17:19])
    if midnight is None or hour > 23 or minute > 59 or second > 59:
        return None
    return midnight + ((hour * 60 + minute) * 60 + second) * 1_000_000 + int(text[20:26])


@lru_cache(maxsize=1024)
def _midnight_us(day: str) -> int | None:
    """The beginning of a day ``YYYY-MM-DD``; a log holds few different days."""
    try:
        moment = datetime(int(day[:4]), int(day[5:7]), int(day[8:10]), tzinfo=UTC)
    except ValueError:
        return None
    return (moment - _EPOCH) // timedelta(microseconds=1)


def iso_us(text: str) -> int | None:
    """An ISO 8601 date or date-time (no zone: UTC; digits finer than a microsecond are cut), None if it can't be
    read.
    """
    match = _ISO.fullmatch(text.strip())
    if match is None:
        return None
    year, month, day, hour, minute, second, fraction, _, sign, off_hours, off_minutes = match.groups()
    offset = timedelta(hours=int(off_hours or 0), minutes=int(off_minutes or 0))
    if offset >= timedelta(days=1) or int(off_minutes or 0) > 59:
        return None
    try:
        local = datetime(
            int(year), int(month), int(day), int(hour or 0), int(minute or 0), int(second or 0), _micro(fraction), UTC
        )
        moment = local + offset if sign == "-" else local - offset
    except (ValueError, OverflowError):
        return None
    return (moment - _EPOCH) // timedelta(microseconds=1)


def legacy_at(record: Mapping[str, Any]) -> str | None:
    """When a foreign record says it was cast, as canonical text: the first of its known time keys that can be read,
    else None.
    """
    for key in _LEGACY_KEYS:
        us = _foreign_us(record.get(key))
        if us is not None:
            return time_text(us)
    return None


def next_at(now_us: int, newest_us: int | None) -> int:
    """The time of a new record: now, or just after the newest one, so that the new record is the last."""
    return now_us if newest_us is None else max(now_us, newest_us + 1)


def _foreign_us(value: Any) -> int | None:
    """ISO 8601 text or epoch seconds, as number or text."""
    if isinstance(value, str):
        us = iso_us(value)
        return us if us is not None else _epoch_us(value.strip())
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return _epoch_us(repr(value))  # the digits as written, not as a product of floats
    return None


def _epoch_us(text: str) -> int | None:
    match = _NUMBER.fullmatch(text)
    if match is None:
        return None
    sign, whole, fraction = match.groups()
    us = int(whole) * 1_000_000 + _micro(fraction)
    us = -us if sign else us
    try:
        time_text(us)
    except ValueError:
        return None
    return us


def _micro(fraction: str | None) -> int:
    return int((fraction or "0")[:6].ljust(6, "0"))
