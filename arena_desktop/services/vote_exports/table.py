"""Votes as rows of typed columns: what CSV and Parquet have in common."""

from collections import Counter
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from arena_desktop.domain.times import canonical_us
from arena_desktop.services.vote_exports.dictionary import columns
from arena_desktop.services.vote_exports.judge import JudgedVote

_NOTHING: Mapping[str, Any] = MappingProxyType({})
_LARGEST = 2**53
_SCORES = {"a": 1.0, "b": 0.0, "tie": 0.5, "both_bad": 0.5}


class Table:
    """Makes rows. ``odd`` counts, by column, the values that were left out because they are not of its type: a record
    that another program signed for may hold anything anywhere.
    """

    def __init__(self, *, public: bool) -> None:
        self.columns = columns(public=public)
        self.odd: Counter[str] = Counter()
        self._plan = [_step(column.name, column.source, column.type) for column in self.columns]
        self._parts = sorted({part for part, _, _, _ in self._plan if part})

    def row(self, vote: JudgedVote) -> list[Any]:
        """One value a column: None where it is not known, else text, whole number, number, truth value."""
        parts = {part: _object(vote.record.get(part)) for part in self._parts}
        parts[""] = vote.record
        values = []
        for column, (part, key, accept, derive) in zip(self.columns, self._plan, strict=True):
            found = parts[part].get(key) if derive is None else derive(vote)
            value = None if found is None else accept(found)
            if value is None and found is not None:
                self.odd[column.name] += 1
            values.append(value)
        return values


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else _NOTHING


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _integer(value: Any) -> int | None:
    return value if type(value) is int and -_LARGEST < value < _LARGEST else None


def _number(value: Any) -> float | None:
    return float(value) if type(value) in (int, float) and -_LARGEST < value < _LARGEST else None


def _logical(value: Any) -> bool | None:
    return value if isinstance(value, bool) else None


def _time(value: Any) -> str | None:
    return None if canonical_us(value) is None else str(value)


_ACCEPT: Mapping[str, Callable[[Any], Any]] = MappingProxyType(
    {"text": _text, "factor": _text, "integer": _integer, "number": _number, "logical": _logical, "time": _time}
)


def _counts(vote: JudgedVote) -> bool:
    return vote.why_not is None


def _why_not(vote: JudgedVote) -> str | None:
    return vote.why_not


def _winner(vote: JudgedVote) -> Any:
    side = {"a": "model_a", "b": "model_b"}.get(_vote(vote))
    return None if side is None else _competitor(side)(vote)


def _competitor(side: str) -> Callable[[JudgedVote], Any]:
    return lambda vote: _object(vote.read_as.get(side)).get("repo_id")


def _excluded(vote: JudgedVote) -> str | None:
    return vote.excluded or None


def _score_a(vote: JudgedVote) -> float | None:
    return _SCORES.get(_vote(vote))


def _vote(vote: JudgedVote) -> str:
    found = vote.record.get("vote")
    return found if isinstance(found, str) else ""


def _probability(vote: JudgedVote) -> Any:
    """A number, which the log holds as text."""
    found = _object(vote.record.get("policy")).get("probability")
    try:
        return float(found) if isinstance(found, str) else found
    except ValueError:
        return found


def _taken_back(key: str) -> Callable[[JudgedVote], Any]:
    return lambda vote: None if vote.retraction is None else vote.retraction.get(key)


DERIVED: Mapping[str, Callable[[JudgedVote], Any]] = MappingProxyType(
    {
        "counts": _counts,
        "why_not": _why_not,
        "exclusion": _excluded,
        "competitor_a": _competitor("model_a"),
        "competitor_b": _competitor("model_b"),
        "winner": _winner,
        "score_a": _score_a,
        "pair_probability": _probability,
        "retracted_at": _taken_back("at"),
        "retraction_reason": _taken_back("reason"),
    }
)
"""Columns that are worked out, by their names."""

_Step = tuple[str, str, Callable[[Any], Any], Callable[[JudgedVote], Any] | None]


def _step(name: str, source: str, kind: str) -> _Step:
    part, _, key = source.rpartition(".")
    return part, key, _ACCEPT[kind], DERIVED.get(name)
