"""The canonical form: one text for one value, the same from three writers for the numbers we write ourselves."""

import contextlib
import hashlib
import json
import math
import uuid
from typing import Any

import orjson
import pytest
import rfc8785
from hypothesis import given, settings
from hypothesis import strategies as st

from arena_desktop.domain.canonical import (
    MAX_INTEGER,
    CanonicalError,
    canonical,
    decimal4,
    plain_text,
    probability_text,
    read_json,
    read_line,
    text_and_hash,
    uuid7,
)
from arena_desktop.services.bench.sample_log import sample_votes

whole = st.integers(-MAX_INTEGER, MAX_INTEGER)
texts = st.text(st.characters(exclude_categories=["Cs"]))
any_number = whole | st.floats(allow_nan=False, allow_infinity=False)
own_number = whole | st.floats(-1e9, 1e9).map(decimal4)


def values(numbers: st.SearchStrategy[Any], keys: st.SearchStrategy[str] = texts) -> st.SearchStrategy[Any]:
    leaves = st.none() | st.booleans() | numbers | texts
    return st.recursive(leaves, lambda inner: st.lists(inner) | st.dictionaries(keys, inner), max_leaves=12)


@given(values(any_number))
def test_it_is_rfc_8785_whatever_the_value(value: Any) -> None:
    assert canonical(value) == rfc8785.dumps(value)


@given(values(own_number, st.text(st.characters(max_codepoint=0xD7FF))))
def test_our_own_numbers_look_the_same_from_every_writer(value: Any) -> None:
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    assert canonical(value) == text == orjson.dumps(value, option=orjson.OPT_SORT_KEYS)


@given(values(any_number))
def test_reading_gives_back_what_was_written(value: Any) -> None:
    data = canonical(value)
    assert canonical(read_json(data)) == data
    assert read_json(json.dumps(value).encode()) == read_json(data)


_awkward = st.sampled_from(
    [1.0, -0.0, 1e16, 1e15, 1e21, 1e-5, 1e-6, 1e-7, 1.5e-7, 123456.0, 0.05, 2**53, 2**53 - 1, -(2**53), 2**63, 1e300]
)


@given(st.dictionaries(texts | st.sampled_from(["\uffff", "\U00010000"]), values(any_number | _awkward), max_size=4))
def test_a_line_called_plain_is_canonical_in_every_part(value: dict[str, Any]) -> None:
    for data in (orjson.dumps(value, option=orjson.OPT_SORT_KEYS), orjson.dumps(value)):
        found, plain = read_line(data)
        assert canonical(found) == canonical(read_json(data))
        if plain:
            assert data == rfc8785.dumps(found)
            assert all(plain_text(part) == rfc8785.dumps(part) for part in found.values())


def test_what_we_write_ourselves_is_seen_to_be_canonical() -> None:
    for record in sample_votes(200, 3, 1):
        record["prompt"]["text"] += ' „Bäume“ – "quoted"'
        assert read_line(canonical(record)) == (record, True)


@pytest.mark.parametrize(
    "data",
    [b'{"a":1.0}', b'{"a":1e-7}', b'{"a":[1,1e16]}', b'{"a":-1e-7}', b'{"a":9007199254740993}', b'{"a":1,"a":1}',
     b'{"b":1,"a":1}', b'{"a": 1}', b'{"a":"\\u0041"}', b'{"a":' + b"[" * 100 + b"]" * 100 + b"}",
     '{"\U00010000":1,"\uffff":1}'.encode(), b"1", b'"a"'],
)  # fmt: skip
def test_what_is_not_called_plain(data: bytes) -> None:
    with contextlib.suppress(CanonicalError):
        assert not read_line(data)[1]


@settings(max_examples=40)
@given(st.dictionaries(texts, values(any_number), max_size=4))
def test_text_and_hash_agree_with_the_plain_way(record: dict[str, Any]) -> None:
    content = {
        k: v for k, v in record.items() if k not in {"hash", "sig", "private", "source", "legacy_index", "original"}
    }
    expected = rfc8785.dumps(record), hashlib.sha256(rfc8785.dumps(content)).hexdigest()
    assert text_and_hash(record) == expected


@given(st.floats(-1e12, 1e12))
def test_decimals_have_four_places(number: float) -> None:
    result = decimal4(number)
    assert abs(result - number) <= 0.5e-4 + abs(number) * 1e-15
    assert isinstance(result, int) or not result.is_integer()
    assert len(repr(result).partition(".")[2]) <= 4
    assert decimal4(result) == result


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf, 1e300, 2**53, True])
def test_other_numbers_are_refused(number: float) -> None:
    with pytest.raises(ValueError, match="not a number for the log"):
        decimal4(number)


@pytest.mark.parametrize(
    ("data", "clause"),
    [
        (b'{"a":1,"a":2}', "given twice"),
        (b'{"x":[{"a":1,"b":2,"a":1}]}', "given twice"),
        (b'{"a":1,"\\u0061":2}', "given twice"),
        (b"NaN", "not JSON"),
        (b"[Infinity]", "not JSON"),
        (b"1e999", "not JSON"),
        (b'"\\ud800"', "not JSON"),
        (b'"\xff"', "not JSON"),
        (b'"\xed\xa0\x80"', "not JSON"),
        (b'{"a":"\x00"}', "not JSON"),
        (b"{} {}", "not JSON"),
        (b"", "not JSON"),
        (b"[" * 5000, "not JSON"),
        (b"[" * 200 + b"]" * 200, "nested deeper"),
        (b'{"a":' * 101 + b"1" + b"}" * 101, "nested deeper"),
    ],
)
def test_bytes_without_one_clear_meaning_are_refused(data: bytes, clause: str) -> None:
    with pytest.raises(CanonicalError, match=clause):
        read_json(data)


@pytest.mark.parametrize(
    "value", [math.nan, [math.inf], "\ud800", {"\ud800": 1}, {1: 2}, object(), b"x", 2**53, {"a": {1, 2}}]
)
def test_values_without_a_canonical_form_are_refused(value: Any) -> None:
    with pytest.raises(CanonicalError):
        canonical(value)


def test_nesting_has_an_end() -> None:
    value: Any = []
    for _ in range(100_000):
        value = [value]
    with pytest.raises(CanonicalError, match="nested deeper"):
        canonical(value)


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"9007199254740993", b"9007199254740992"),
        (b"-123456789012345678901234567890", b"-1.2345678901234568e+29"),
        (b"1.0", b"1"),
        (b"-0", b"0"),
        (b"-0.0", b"0"),
        (b"1E2", b"100"),
        (b"1e-7", b"1e-7"),
        (b"0.00001", b"0.00001"),
        (b'{"\\ud83d\\ude00":1,"\\ufb33":2}', '{"😀":1,"\ufb33":2}'.encode()),
        (b'"\\u001f\\u007f\\/"', b'"\\u001f\x7f/"'),
    ],
)
def test_numbers_and_keys_by_the_book(data: bytes, text: bytes) -> None:
    assert canonical(read_json(data)) == text


@pytest.mark.parametrize(
    ("probability", "text"), [(1.0, "1.00000000e+00"), (1 / 3, "3.33333333e-01"), (1 / 1225, "8.16326531e-04")]
)
def test_probabilities(probability: float, text: str) -> None:
    assert probability_text(probability) == text


@given(st.integers(0, (1 << 48) - 1), st.integers(0, (1 << 74) - 1))
def test_ids_hold_their_time_and_chance(milliseconds: int, bits: int) -> None:
    parsed = uuid.UUID(uuid7(milliseconds, bits))
    assert str(parsed) == uuid7(milliseconds, bits)
    assert (parsed.version, parsed.variant) == (7, uuid.RFC_4122)
    assert parsed.int >> 80 == milliseconds
    assert ((parsed.int >> 64 & 0xFFF) << 62 | parsed.int & ((1 << 62) - 1)) == bits
