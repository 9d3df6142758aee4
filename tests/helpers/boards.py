"""Boards of made-up votes, without a log on disk: the same votes at every call."""

import hashlib
import random
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from arena_desktop.domain.roster import ArenaSpec, ModelSpec, Roster
from arena_desktop.domain.times import time_text
from arena_desktop.services.board import Board
from tests.helpers.vote_logs import START_US, foreign_record

HOSTILE = (
    "<script>alert(1)</script>",
    '=HYPERLINK("http://x.test","free")',
    "@SUM(1+1)|cmd",
    "-2+3",
    "a|b `c` *d* _e_ [f](g)",
    "100% & $5 #1 \\input{x} ~^{}",
    "\u202egpj.exe\u202c",
    "עברית \u200fسلام",
    "line\nbreak\ttab\rreturn",
    "日本語の声",
    "\"quoted\", 'and' \x1b[31mred\x00",
    "Łódź Ærø naïve",
    "</title></style><img src=x onerror=alert(1)>",
)
"""Names that mean harm in one format or another."""


class Records:
    """A source of votes that is a list."""

    def __init__(self, records: Sequence[dict[str, Any]]) -> None:
        self._records = records

    def moment(self) -> "AbstractContextManager[Records]":
        return nullcontext(self)

    def records(self) -> Iterator[dict[str, Any]]:
        return iter(self._records)

    def retractions(self) -> list[dict[str, Any]]:
        return [record for record in self._records if record.get("type") == "retraction"]

    def conflicts(self) -> set[str]:
        return set()

    def log_hash(self) -> str:
        return hashlib.sha256("\n".join(record["hash"] for record in self._records).encode()).hexdigest()


def roster_of(names: Sequence[str], **arena: Any) -> Roster:
    """Models ``org/m-0`` … with these names, all in one arena."""
    ids = [f"org/m-{place}" for place in range(len(names))]
    models = {
        repo_id: ModelSpec(repo_id, name, params=f"{10 * (place + 1)}M", params_m=10 * (place + 1))
        for place, (repo_id, name) in enumerate(zip(ids, names, strict=True))
    }
    return Roster(models, {"english": ArenaSpec("english", tuple(ids), "English", question="Which?", **arena)})


def vote(place: int, a: str, b: str, outcome: str, **changes: Any) -> dict[str, Any]:
    """The vote at ``place`` of a log; an hour lies between two."""
    fields: dict[str, Any] = {
        "id": f"01900000-0000-7000-8000-{place:012x}",
        "seq": place + 1,
        "at": time_text(START_US + place * 3_600_000_000),
        "vote": outcome,
        "model_a": {"repo_id": a, "rtf": 0.1 + 0.01 * len(a), "device": "cpu"},
        "model_b": {"repo_id": b, "rtf": 0.2 + 0.01 * len(b), "device": "cpu"},
        "prompt": {
            "id": f"en-{place % 7}",
            "category": ("short", "names")[place % 2],
            "language": "en",
            "text": "Hello.",
        },
        "listener": f"l-{'abcdefgh'[place % 8] * 16}",
        "conditions": {"question": "Which?", "gate": 0.9, "silent": False, "target_lufs": -23, "reveal": "each"},
        "listening": {"first_played": "ab"[place % 3 == 0], "reveals_before": place % 2},
        "policy": {"pair": "uniform", "probability": "1.00000000e-01", "seed": "1"},
        **changes,
    }
    return foreign_record(**fields)


def votes_between(models: Sequence[str], count: int, seed: int = 7) -> list[dict[str, Any]]:
    """``count`` votes; the earlier a model stands, the better it is."""
    draw = random.Random(seed)
    found = []
    for place in range(count):
        a, b = draw.sample(range(len(models)), 2)
        outcome = draw.choices(("a", "b", "tie", "both_bad"), (6 + 3 * (b > a), 6 + 3 * (a > b), 2, 1))[0]
        found.append(vote(place, models[a], models[b], outcome))
    return found


def board_of(names: Sequence[str], count: int, *, silent: bool = False) -> Board:
    """A board of ``count`` made-up votes between models of these names."""
    roster = roster_of(names)
    models = tuple(roster.models)
    records = votes_between(models, count) if len(models) > 1 else []
    return Board(roster, Records(records), silent=silent)
