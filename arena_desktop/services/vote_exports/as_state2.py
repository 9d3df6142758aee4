"""Live Elo as the web arena keeps it (state version 2): a replay of the votes that count, in canonical order."""

import json
from typing import IO

from arena_desktop.services.board_pool import elo_store
from arena_desktop.services.vote_exports.source import ExportSource


def write(source: ExportSource, stream: IO[bytes]) -> None:
    """Write the state."""
    store = elo_store(source.board_roster())
    for record in source.counted():
        store.record_vote(record["arena"], record["model_a"]["repo_id"], record["model_b"]["repo_id"], record["vote"])
    stream.write(json.dumps(store.to_dict(), indent=1, ensure_ascii=False, allow_nan=False).encode() + b"\n")
