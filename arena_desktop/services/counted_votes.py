"""The votes of a log that a board counts, each reduced to what a board needs of it."""

from collections.abc import Hashable, Mapping
from typing import Any, NamedTuple

MAKE_PARTS = ("weights_hash", "settings_hash", "voice")
"""What may differ between two recordings of one competitor without its name saying so."""

_NOTHING: Mapping[str, Any] = {}


class CountedVote(NamedTuple):
    """One vote.

    ``listener``: whoever is taken for one person, text if they have a pseudonym. ``make_a``, ``make_b``: the values of
    :data:`MAKE_PARTS`, whatever the record holds there.
    """

    id: str
    arena: str
    a: str
    b: str
    vote: str
    listener: Hashable
    question: str | None
    silent: bool
    make_a: tuple[Any, ...]
    make_b: tuple[Any, ...]


def counted_vote(record: Mapping[str, Any]) -> CountedVote:
    """From a record that the ratings accept as a vote. What else it holds may be anything."""
    a, b = record["model_a"], record["model_b"]
    return CountedVote(
        str(record.get("id", "")),
        record["arena"],
        a["repo_id"],
        b["repo_id"],
        record["vote"],
        _listener(record),
        question_of(record),
        _part(record, "conditions").get("silent") is True,
        (a.get("weights_hash"), a.get("settings_hash"), a.get("voice")),
        (b.get("weights_hash"), b.get("settings_hash"), b.get("voice")),
    )


def question_of(record: Mapping[str, Any]) -> str | None:
    """The question that the listener was asked, None where the record doesn't say."""
    question = _part(record, "conditions").get("question")
    return question if isinstance(question, str) else None


def _listener(record: Mapping[str, Any]) -> Hashable:
    """The pseudonym. Votes of one source that name nobody count as one person's: fewer listeners never claim more."""
    pseudonym = record.get("listener")
    if isinstance(pseudonym, str):
        return pseudonym
    label = _part(record, "source").get("label")
    return (label if isinstance(label, str) else None,)


def _part(record: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    part = record.get(key)
    return part if isinstance(part, dict) else _NOTHING
