"""The votes of a log that a board counts, each reduced to what a board needs of it."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

MAKE_PARTS = ("weights_hash", "settings_hash", "voice")
"""What may differ between two recordings of one competitor without its name saying so."""


@dataclass(frozen=True, slots=True)
class CountedVote:
    """One vote. ``listener``: whoever is taken for one person; ``make_a``, ``make_b``: the values of
    :data:`MAKE_PARTS`.
    """

    id: str
    arena: str
    a: str
    b: str
    vote: str
    listener: Hashable
    question: str | None
    silent: bool
    make_a: tuple[str | None, ...]
    make_b: tuple[str | None, ...]

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> "CountedVote":
        """From a record that the ratings accept as a vote. What else it holds may be anything."""
        conditions = record.get("conditions")
        return cls(
            id=_text(record, "id") or "",
            arena=record["arena"],
            a=record["model_a"]["repo_id"],
            b=record["model_b"]["repo_id"],
            vote=record["vote"],
            listener=_listener(record),
            question=question_of(record),
            silent=isinstance(conditions, Mapping) and conditions.get("silent") is True,
            make_a=tuple(_text(record["model_a"], part) for part in MAKE_PARTS),
            make_b=tuple(_text(record["model_b"], part) for part in MAKE_PARTS),
        )


def question_of(record: Mapping[str, Any]) -> str | None:
    """The question that the listener was asked, None where the record doesn't say."""
    conditions = record.get("conditions")
    return _text(conditions, "question") if isinstance(conditions, Mapping) else None


def _listener(record: Mapping[str, Any]) -> Hashable:
    """The pseudonym. Votes of one source that name nobody count as one person's: fewer listeners never claim more."""
    pseudonym = _text(record, "listener")
    if pseudonym is not None:
        return pseudonym
    source = record.get("source")
    return (_text(source, "label") if isinstance(source, Mapping) else None,)


def _text(value: Mapping[str, Any], key: str) -> str | None:
    found = value.get(key)
    return found if isinstance(found, str) else None
