"""A log that is read in one stream counts exactly the votes of the same log read whole, whatever it holds."""

import uuid
from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena_desktop.domain.reading import countable
from arena_desktop.domain.records import Kind, kind_of, type_of
from arena_desktop.domain.times import canonical_us, iso_us, time_text
from arena_desktop.services.recount import hear_log

IDS = [str(uuid.UUID(int=number)) for number in range(4)]
STATIONS = ["s-1", "s-2", None]
LISTENERS = ["l-1", "l-2", None]
TIMES = ["2026-03-01T10:00:00.000000Z", "2026-03-01T10:00:00Z", "2026-13-01T10:00:00.000000Z", None, 7]

_junk: st.SearchStrategy[Any] = (
    st.none() | st.integers() | st.text(max_size=3) | st.lists(st.integers(), max_size=2) | st.just({})
)
_model = st.builds(lambda repo_id: {"repo_id": repo_id}, st.sampled_from(["x/one", "x/two", 3])) | _junk
_sealed = st.just({"handle": "h-1"})


def _record(kind: str) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {
            "type": st.just(kind),
            "id": st.sampled_from(IDS),
            "hash": st.sampled_from(["h1", "h2"]),
            "at": st.sampled_from(TIMES),
            "listener": st.sampled_from(LISTENERS),
            "arena": st.sampled_from(["main", "main", "other", 5]),
            "vote": st.sampled_from(["a", "b", "tie", "both_bad", "c", 1]),
            "model_a": _model | _sealed,
            "model_b": _model | _sealed,
            "conditions": st.builds(lambda silent: {"silent": silent}, st.sampled_from([True, False, 1])) | _junk,
            "retracts": st.sampled_from([*IDS, 3, None]),
        },
        optional={
            "station_id": st.sampled_from(STATIONS),
            "seq": st.integers(1, 3),
            "source": st.just({"label": ""}),
            "legacy_index": st.just(0),
        },
    )


_kinds = st.sampled_from(["vote", "vote", "vote", "retraction", "retraction", "annotation"])
_logs = st.lists(_kinds.flatmap(_record), max_size=14)


class Listed:
    """Records in a list as a log would hold them: each (id, hash) once."""

    def __init__(self, records: list[dict[str, Any]]) -> None:
        self._records = list({(record["id"], record["hash"]): record for record in records}.values())

    def records(self) -> Iterator[dict[str, Any]]:
        return iter(self._records)

    def retractions(self) -> Iterator[dict[str, Any]]:
        ours = (record for record in self._records if kind_of(record) is not Kind.FOREIGN)
        return (record for record in ours if type_of(record) == "retraction" and isinstance(record["retracts"], str))

    def conflicts(self) -> set[str]:
        ours = Counter(record["id"] for record in self._records if kind_of(record) is not Kind.FOREIGN)
        return {name for name, copies in ours.items() if copies > 1}

    def moment(self) -> "AbstractContextManager[Listed]":
        return nullcontext(self)

    def log_hash(self) -> str:
        return ""


@given(_logs, st.booleans())
def test_the_stream_says_what_the_whole_says(records: list[dict[str, Any]], silent: bool) -> None:
    log = Listed(records)
    votes: list[dict[str, Any]] = []
    whole = countable(log.records(), silent=silent)
    heard = hear_log(log, silent, votes.append, lambda: None)
    assert votes == whole.votes
    assert heard.left_out == Counter(reason for _, reason in whole.skipped)
    assert heard.idle == whole.idle
    assert heard.retracted == whole.retracted


@given(
    st.integers(-62_135_596_800_000_000, 253_402_300_799_999_999), st.integers(0, 26), st.sampled_from("0369-:TZ. 6")
)
def test_a_canonical_time_is_read_like_any_time(us: int, place: int, digit: str) -> None:
    text = time_text(us)
    assert canonical_us(text) == us
    changed = text[:place] + digit + text[place + 1 :]
    found = canonical_us(changed)
    assert found is None or found == iso_us(changed)


@pytest.mark.parametrize("hour", ["24:00:00", "23:60:00", "23:59:60"])
def test_no_time_of_day_beyond_its_end(hour: str) -> None:
    assert canonical_us(f"2026-03-01T{hour}.000000Z") is None
