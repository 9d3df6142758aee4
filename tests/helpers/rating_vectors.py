"""The worked examples under ``tests/vectors`` and what it takes to compare against them."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from arena_desktop.ratings import EloStore

VECTORS = Path(__file__).parents[1] / "vectors"
ELO = 1e-9
"""How close sequential Elo must come, in Elo points."""
FIT = 1e-6
"""How close a Bradley–Terry rating must come, in Elo points."""


@cache
def load(name: str) -> Any:
    return json.loads((VECTORS / name).read_text(encoding="utf-8"))


def record(arena: str, a: str, b: str, vote: str) -> dict[str, object]:
    return {"arena": arena, "model_a": {"repo_id": a}, "model_b": {"repo_id": b}, "vote": vote}


def store_of(registry: Any) -> EloStore:
    return EloStore(registry["models"], registry["arenas"])
