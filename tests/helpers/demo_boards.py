"""Boards of simulated votes, through the real log and the real services: for pictures and for tests of the whole."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from arena_desktop.domain.roster import ArenaSpec, ModelSpec, Roster
from arena_desktop.ratings.simulate import simulate
from arena_desktop.ratings.vote_table import VoteRow
from arena_desktop.services.board import Board
from arena_desktop.services.board_views import Lens, LensView
from arena_desktop.services.lenses import look
from arena_desktop.services.rated_log import RatedLog
from arena_desktop.services.views import BoardView
from tests.helpers.vote_logs import START_US, draft, open_log

TREES = ("Alder", "Birch", "Cedar", "Dogwood", "Elm", "Fir", "Ginkgo", "Hazel", "Ivy", "Juniper", "Larch", "Maple")
SIZES = (82.0, 500.0, 82.0, 16.0, 1200.0, 340.0, 6.0, 82.0, 30.0, 0.0, 16.0, 0.0)
STRENGTHS = (150, 130, 95, 60, 40, 10, -10, -30, -60, -90, -130, -165)
QUESTION = "Which voice sounds more natural?"
LATE = 600
"""After how many votes the last model joined."""


@dataclass(frozen=True)
class DemoBoard:
    """The board of a log on disk."""

    roster: Roster
    log: RatedLog
    close: Callable[[], None]

    @cached_property
    def board(self) -> BoardView:
        """What the page draws."""
        return self.log.view("english")

    def look(self, lens: Lens) -> LensView:
        """The view of a lens."""
        return look(self.log.votes("english"), lens)


def roster() -> Roster:
    """Twelve made-up voices, two of unknown size."""
    models = {
        f"forest/{tree.lower()}": ModelSpec(
            f"forest/{tree.lower()}", tree, params=f"{size:g}M" if size else "unknown", params_m=size
        )
        for tree, size in zip(TREES, SIZES, strict=True)
    }
    arena = ArenaSpec("english", tuple(models), title="English", question=QUESTION)
    return Roster(models, {"english": arena})


def panel_board(folder: Path, votes: int = 3000, listeners: int = 40) -> DemoBoard:
    """Many listeners; the last voice joined late."""
    made = simulate(
        tuple(roster().models)[:-1], min(votes, LATE), strengths=STRENGTHS[:-1], listeners=listeners, text_sd=30, seed=7
    ).rows()
    if votes > LATE:
        more = simulate(
            tuple(roster().models), votes - LATE, strengths=STRENGTHS, listeners=listeners, text_sd=30, seed=8
        ).rows()
        gap = made[-1].at - more[0].at + 60_000_000
        made += [row._replace(at=row.at + gap) for row in more]
    return stored(folder, made, you="")


def home_board(folder: Path, votes: int = 15) -> DemoBoard:
    """One listener at home, one evening, five voices."""
    models = tuple(roster().models)[:5]
    made = simulate(models, votes, strengths=STRENGTHS[:5], listeners=1, ties=0.2, days=0.1, seed=3).rows()
    return stored(folder, made, you=str(made[0].listener))


def stored(folder: Path, rows: Iterable[VoteRow], *, you: str) -> DemoBoard:
    """Write the votes to a log in ``folder``, each at its time, and open the board of it."""
    now = START_US

    def clock() -> int:
        return now

    log = open_log(folder, clock=clock)
    made, first = list(rows), 0
    first = made[0].at
    names = {model.repo_id: model.name for model in roster().models.values()}
    for row in made:
        now = max(now + 1, START_US + row.at - first)
        log.append_vote(_draft(row, names))
    effective = roster()
    return DemoBoard(effective, RatedLog(log, Board(effective, log), you=lambda: you), log.close)


def _draft(row: VoteRow, names: dict[str, str]) -> dict[str, Any]:
    def model(repo_id: str, rtf: float, device: str | None) -> dict[str, Any]:
        return {"repo_id": repo_id, "name": names[repo_id], "device": device, "rtf": round(rtf, 4), "take": 0}

    return draft(
        vote=row.vote,
        model_a=model(row.a, row.rtf_a, row.device_a),
        model_b=model(row.b, row.rtf_b, row.device_b),
        prompt={
            "id": row.prompt,
            "sha256": "cc",
            "category": row.category,
            "language": row.language,
            "text": ("A sentence of some length. " * 12)[: row.length],
        },
        listener=row.listener,
        session_id=row.session,
        conditions={"question": QUESTION, "gate": 0.9, "reveal": "each", "silent": False, "target_lufs": -23.0},
        listening={"first_played": "ab"[row.first], "heard_a": 1, "heard_b": 1, "reveals_before": row.reveals_before},
        policy={"pair": row.policy, "probability": "1.00000000e-01", "seed": "7"},
    )
