"""Votes in the columns that LMArena publishes (JSON Lines), as arena-rank, arenakit and evalica load them.

Only votes that count. ``winner`` is ``tie`` for ``both_bad``, too (the three rate it so, and one of them refuses any
other word); ``both_bad`` tells it apart.
"""

from typing import IO, Any

from arena_desktop.domain.canonical import canonical
from arena_desktop.domain.times import canonical_us
from arena_desktop.services.vote_exports.source import ExportSource

_WINNER = {"a": "model_a", "b": "model_b", "tie": "tie", "both_bad": "tie"}


def write(source: ExportSource, stream: IO[bytes]) -> None:
    """Write one object a vote that counts."""
    for record in source.counted():
        stream.write(canonical(row(record)) + b"\n")


def row(record: dict[str, Any]) -> dict[str, Any]:
    """One vote: ``tstamp`` in seconds since 1970, ``judge`` and ``voter_id`` the listener, ``item_id`` the text."""
    prompt, listening = _object(record.get("prompt")), _object(record.get("listening"))
    us, listener = canonical_us(record.get("at")), _text(record.get("listener"))
    return {
        "question_id": record["id"],
        "model_a": record["model_a"]["repo_id"],
        "model_b": record["model_b"]["repo_id"],
        "winner": _WINNER[record["vote"]],
        "both_bad": record["vote"] == "both_bad",
        "judge": listener,
        "turn": 1,
        "anony": True,
        "language": _text(prompt.get("language")),
        "tstamp": None if us is None else us / 1_000_000,
        "arena": record["arena"],
        "category": _text(prompt.get("category")),
        "first_played": _text(listening.get("first_played")),
        "item_id": _text(prompt.get("id")),
        "voter_id": listener,
    }


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None
