"""One text for one JSON value: the canonical form (RFC 8785), the hashes over it, and the rules for our own numbers."""

import hashlib
import json
import math
import string
from collections.abc import Mapping
from typing import Any

import orjson
import rfc8785

from arena_desktop.errors import ArenaError

MAX_INTEGER = 2**53 - 1
MAX_DEPTH = 100
_SHAPE = bytes(
    ord("0") if chr(byte).isdigit() and byte < 128 else ord(":") if byte in b":[,-" else byte for byte in range(256)
)
"""Makes all digits one digit, and all that may stand before a number one mark."""
_LONG_NUMBER = b":" + b"0" * 16
_STRICT = orjson.OPT_SORT_KEYS | orjson.OPT_STRICT_INTEGER
_ASTRAL = tuple(bytes([lead]) for lead in range(0xF0, 0xF5))
"""First bytes of characters beyond U+FFFF."""
_MARKS = bytes.maketrans(b"[,]", b"::}")
"""Makes all that may stand before a number one mark, and all that closes something another."""
_NO_MARKS = b"0123456789.-" + bytes(set(string.ascii_letters.encode()) - set(b"eEus"))
_WHOLE = frozenset({b"0,", b"0]", b"0}"})
"""What follows the point of a whole number."""
UNHASHED = frozenset({"hash", "sig", "private", "source", "legacy_index", "original"})
"""Keys of a record that its hash does not cover."""


class CanonicalError(ArenaError):
    """A value that has no canonical form, or bytes that are not one clear JSON value. The message is a short clause."""


def canonical(value: Any) -> bytes:
    """The canonical form of a JSON value. Raises :class:`CanonicalError` for anything that JSON can't carry."""
    return _dump(value, _is_plain(value, MAX_DEPTH))


def canonical_text(value: Any) -> str:
    """The canonical form as text."""
    return canonical(value).decode()


def sha256_hex(data: bytes) -> str:
    """Lower-case hexadecimal SHA-256."""
    return hashlib.sha256(data).hexdigest()


def record_hash(record: Mapping[str, Any]) -> str:
    """The hash of a record: over its canonical form without the keys of :data:`UNHASHED`."""
    return sha256_hex(canonical({key: value for key, value in record.items() if key not in UNHASHED}))


def private_hash(private: Mapping[str, Any]) -> str:
    """The hash by which a record vouches for its private part."""
    return sha256_hex(canonical(dict(private)))


def text_and_hash(record: dict[str, Any]) -> tuple[bytes, str]:
    """The canonical form of a record and the hash of its content, at the price of one look at the values."""
    plain = _is_plain(record, MAX_DEPTH)
    content = {key: value for key, value in record.items() if key not in UNHASHED}
    return _dump(record, plain), sha256_hex(_dump(content, plain))


def read_json(data: bytes) -> Any:
    """The JSON value in ``data`` (UTF-8), or :class:`CanonicalError`.

    Stricter than JSON, since a hash must have one meaning: a key given twice, a lone surrogate, NaN, a number beyond
    a double and nesting deeper than :data:`MAX_DEPTH` are refused. Integers beyond 2^53 become doubles, which is what
    RFC 8785 takes every number for.
    """
    return read_line(data)[0]


def read_line(data: bytes) -> tuple[Any, bool]:
    """What :func:`read_json` gives, and whether ``data`` is plain: seen to be the canonical form already.

    Then :func:`plain_text` writes the value, and every part of it, in canonical form. Not every canonical text is seen
    to be one.
    """
    try:
        value = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise CanonicalError(f"not JSON: {error}") from None
    if type(value) is dict and _is_written_plainly(data, value):
        return value, True
    value = _as_doubles(value, MAX_DEPTH)
    if data != canonical(value):  # the canonical form holds no key twice
        _refuse_repeated_keys(data)
    return value, False


def plain_text(value: Any) -> bytes:
    """The canonical form of a value, or a part of one, that :func:`read_line` called plain."""
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)


def read_stored(data: bytes) -> Any:
    """The JSON value in ``data``, which was written in canonical form: what :func:`read_json` gives, at less cost.

    :class:`CanonicalError` if it is no JSON after all.
    """
    try:
        value = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise CanonicalError(f"not JSON: {error}") from None
    # Integers beyond 2^53 have at least 16 digits, and no blank before them.
    return _as_doubles(value, MAX_DEPTH) if _LONG_NUMBER in data.translate(_SHAPE) else value


def decimal4(number: float) -> int | float:
    """A measured number as the log holds it: rounded to 4 places, a whole one as an integer. ``ValueError`` if it is
    not below 2^53.
    """
    if isinstance(number, bool) or not math.isfinite(number) or abs(number) > MAX_INTEGER:
        raise ValueError(f"not a number for the log: {number!r}")
    if isinstance(number, int):
        return number
    rounded = round(number, 4)
    return int(rounded) if rounded.is_integer() else rounded


def probability_text(probability: float) -> str:
    """A probability as the log holds it: text with 9 significant digits."""
    if not 0.0 <= probability <= 1.0:
        raise ValueError(f"not a probability: {probability!r}")
    return f"{probability:.8e}"


def uuid7(milliseconds: int, random_bits: int) -> str:
    """A UUID version 7 (RFC 9562) from Unix time in milliseconds and 74 random bits."""
    if not 0 <= milliseconds < 1 << 48:
        raise ValueError(f"time out of range for an id: {milliseconds}")
    bits = random_bits & ((1 << 74) - 1)
    number = milliseconds << 80 | 0x7 << 76 | (bits >> 62) << 64 | 0b10 << 62 | bits & ((1 << 62) - 1)
    digits = f"{number:032x}"
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"


def _dump(value: Any, plain: bool) -> bytes:
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS) if plain else rfc8785.dumps(value)
    except (rfc8785.CanonicalizationError, orjson.JSONEncodeError, UnicodeEncodeError) as error:
        raise CanonicalError(f"no canonical form: {error}") from None


def _is_written_plainly(data: bytes, value: dict[str, Any]) -> bool:
    """Whether ``data`` is what both orjson with sorted keys and RFC 8785 write for ``value``, told without a walk.

    If orjson writes these very bytes, no key is repeated, there are no blanks, and every string is escaped as RFC 8785
    wants it. What is left: the order of keys (it may differ only with characters beyond U+FFFF), numbers, and depth.
    Of numbers orjson refuses integers beyond 2^53 itself; both write the shortest digits that read back as the same
    double, and differ only where one of them uses an exponent or the number is whole. Characters within strings may
    look like such numbers; then this says False for nothing.
    """
    try:
        if orjson.dumps(value, option=_STRICT) != data:
            return False
    except orjson.JSONEncodeError:  # a large integer, or nested too deeply
        return False
    if not data.isascii() and any(lead in data for lead in _ASTRAL):
        return False
    # What is left of a number is its exponent's letter, of true and false "ue" and "se".
    marks = data.translate(_MARKS, _NO_MARKS)
    return (
        b":e" not in marks
        and b":E" not in marks
        and marks.count(b"}") <= MAX_DEPTH
        and _WHOLE.isdisjoint([piece[:2] for piece in data.split(b".")])
    )


def _is_plain(value: Any, depth: int) -> bool:
    """Whether orjson with sorted keys writes ``value`` exactly as RFC 8785 does.

    True for exact JSON types with ASCII keys (code-point order is UTF-16 order), integers within 2^53, and floats
    that are no whole numbers and lie where neither writer uses an exponent; both write the shortest digits that read
    back as the same double.
    """
    kind = type(value)
    if kind is str or value is None or kind is bool:
        return True
    if kind is int:
        whole: int = value
        return -MAX_INTEGER <= whole <= MAX_INTEGER
    if kind is float:
        number: float = value
        return 1e-4 <= abs(number) < 1e15 and not number.is_integer()
    if depth == 0:
        raise CanonicalError(f"nested deeper than {MAX_DEPTH} levels")
    plain: bool = kind is dict or kind is list
    # No early exit: the depth of every branch must have been looked at before a recursive writer meets it.
    if isinstance(value, dict):
        for key, item in value.items():
            plain &= type(key) is str and key.isascii()
            plain &= _is_plain(item, depth - 1)
    elif isinstance(value, (list, tuple)):
        for item in value:
            plain &= _is_plain(item, depth - 1)
    return plain


def _as_doubles(value: Any, depth: int) -> Any:
    """``value`` with integers beyond 2^53 as doubles, without copying what needs no change."""
    kind = type(value)
    if kind is int:
        return value if -MAX_INTEGER <= value <= MAX_INTEGER else float(value)
    if kind is dict or kind is list:
        if depth == 0:
            raise CanonicalError(f"nested deeper than {MAX_DEPTH} levels")
        items = value.items() if kind is dict else enumerate(value)
        changed = [(key, new) for key, old in items if (new := _as_doubles(old, depth - 1)) is not old]
        for key, new in changed:
            value[key] = new
    return value


def _refuse_repeated_keys(data: bytes) -> None:
    def check(pairs: list[tuple[str, Any]]) -> None:
        seen = set()
        for key, _ in pairs:
            if key in seen:
                raise CanonicalError(f"the key {json.dumps(key)} is given twice")
            seen.add(key)

    json.loads(data, object_pairs_hook=check, parse_int=len)
