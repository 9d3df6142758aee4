"""Votes as a table of comparisons, for programs that fit Bradley–Terry models (BradleyTerry2, bpcs, choix).

Only votes that count. ``both_bad`` is a tie there, as it is in our ratings; a column of its own tells it apart.
"""

from typing import IO, Any

from arena_desktop.services.vote_exports.as_csv import write_row
from arena_desktop.services.vote_exports.source import ExportSource

COLUMNS = ("player1", "player2", "win1", "tie", "win2", "first", "listener", "item", "arena", "both_bad")
_OUTCOMES = {"a": (1, 0, 0), "b": (0, 0, 1), "tie": (0, 1, 0), "both_bad": (0, 1, 0)}
_FIRST = {"a": 1, "b": 2}


def write(source: ExportSource, stream: IO[bytes]) -> None:
    """Write a row a vote that counts: player1 was Sample A."""
    write_row(stream, COLUMNS)
    for record in source.counted():
        vote = record["vote"]
        write_row(
            stream,
            (
                record["model_a"]["repo_id"],
                record["model_b"]["repo_id"],
                *_OUTCOMES[vote],
                _FIRST.get(str(_inner(record, "listening", "first_played"))),
                _text(record.get("listener")),
                _text(_inner(record, "prompt", "id")),
                record["arena"],
                int(vote == "both_bad"),
            ),
        )


def _inner(record: dict[str, Any], part: str, key: str) -> Any:
    found = record.get(part)
    return found.get(key) if isinstance(found, dict) else None


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None
