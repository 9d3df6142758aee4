"""How quick the program stays with 100,000 votes in its log: start, reveal, the board's page, what-if filters."""

import math
import os
import shutil
import tempfile
import time
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from arena_desktop.app import Composition
from arena_desktop.domain.votes import Vote
from arena_desktop.paths import app_paths
from arena_desktop.ratings.simulate import simulate
from arena_desktop.services.board_views import AuditLens, AuditView, WhatIfLens, WhatIfView
from arena_desktop.services.views import Phase
from arena_desktop.store.vote_log import VoteLog
from tests.helpers.driver import ROSTER, Driver
from tests.helpers.evidence import evidence
from tests.helpers.program import Program
from tests.helpers.room import open_room
from tests.helpers.simulated_logs import fill

MEMORY = Path("/dev/shm")
VOICES = ("test/hibari", "test/pico-us", "test/pico-gb")
OTHERS = tuple(f"test/rated-{number}" for number in range(9))


@pytest.fixture
def roster(tmp_path: Path) -> Path:
    """The three quick voices, and nine models that are rated but can't speak here."""
    more = "".join(f"  - {{repo_id: {name}, name: Rated {name[-1]}, language: [en]}}\n" for name in OTHERS)
    text = ROSTER.replace("arenas:\n", f"{more}arenas:\n").replace(
        "test/pico-gb]", f"test/pico-gb, {', '.join(OTHERS)}]"
    )
    path = tmp_path / "many.yaml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def data(tmp_path: Path, full_counts: bool) -> Path:
    """A folder whose log holds the votes of 50 listeners."""
    folder = tmp_path / "data"
    folder.mkdir()
    panel = simulate(VOICES + OTHERS, 100_000 if full_counts else 1_000, listeners=50, seed=11)
    with VoteLog.open(app_paths(folder).database) as log:
        fill(log, panel)
    return folder


@pytest.mark.proof("board_speed")
@pytest.mark.timeout(3600)
def test_a_long_log_is_not_felt(data: Path, roster: Path, qtbot: QtBot, full_counts: bool) -> None:
    battles = 200 if full_counts else 3
    figures: dict[str, float | int] = {"votes": 100_000 if full_counts else 1_000, "battles": battles}
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as memory:
        there = Path(shutil.copytree(data, Path(memory) / "data"))
        beside = Path(shutil.copytree(data, Path(memory) / "beside an audit"))
        on_memory = _program(there, roster, battles) | _beside_an_audit(beside, roster, 100 if full_counts else 2)
        figures |= {f"memory_disk_{name}": value for name, value in on_memory.items()}
    figures |= _program(data, roster, battles)
    figures["reveal_p99_over_bare_fsync_ms"] = figures["reveal_p99_ms"] - figures["bare_fsync_p99_ms"]
    figures |= _page(data, roster, qtbot)
    figures |= _what_if(data, roster)
    # A vote is durable before it is shown: where the disk itself takes long to keep a page, so does the reveal.
    limits = {
        "memory_disk_reveal_p99_ms": 50,
        "memory_disk_reveal_with_audit_p99_ms": 50,
        "reveal_p99_over_bare_fsync_ms": 50,
        "page_opens_ms": 300,
        "what_if_ms": 200,
    }
    # Few rounds on a busy machine show that it works; the limits are for the full count.
    holds = all(figures[name] <= (limit if full_counts else 100 * limit) for name, limit in limits.items())
    evidence(
        "board_speed",
        figures,
        holds=holds,
        claim="With 100,000 votes in the log: the board's page opens in ≤ 300 ms, a vote shows its reveal in ≤ 50 ms"
        " p99 on a disk that keeps a page at once (one in memory), on this disk in ≤ 50 ms more than bare fsyncs beside"
        " it take at their p99, also while the audit is being made, what-if filters answer in ≤ 200 ms.",
    )


def _program(data: Path, roster: Path, battles: int) -> dict[str, float]:
    """The real program: from the vote key to the painted reveal."""
    program = Program(data, "--roster", str(roster), "--silent", "--speed", "8")
    bare = []
    try:
        ready = program.wait_for("battle_ready", 1)
        program.focus()
        for number in range(1, battles + 1):
            program.wait_for("heard_all", number)
            program.key("1")
            program.wait_for("reveal_painted", number)
            program.key("n")
            program.wait_for("battle_ready", number + 1)
            bare.append(_bare_fsync(data / "bare"))
        events = {(event["event"], event["battle"]): event["ns"] for event in program.trace()}
    finally:
        program.kill()
    reveal = [(events["reveal_painted", n] - events["vote_key", n]) / 1e6 for n in range(1, battles + 1)]
    started = program.started_ns
    return {
        "first_paint_ms": (events["first_paint", None] - started) / 1e6,
        "first_battle_ms": (ready["ns"] - started) / 1e6,
        "bare_fsync_p99_ms": _share(bare, 0.99),
        "first_reveal_ms": reveal[0],
        "reveal_p50_ms": _share(reveal, 0.5),
        "reveal_p99_ms": _share(reveal, 0.99),
    }


def _bare_fsync(path: Path) -> float:
    """What the disk alone takes to keep a page, at this moment: no vote can be durable sooner."""
    with path.open("ab") as file:
        started = time.perf_counter()
        file.write(bytes(4096))
        file.flush()
        os.fsync(file.fileno())
        return (time.perf_counter() - started) * 1e3


def _page(data: Path, roster: Path, qtbot: QtBot) -> dict[str, float]:
    """The window: from the wish for the page until all of it is painted."""
    with open_room(Composition(app_paths(data), roster_file=roster, silent=True), speed=20.0) as room:
        qtbot.waitUntil(lambda: room.view.phase is Phase.READY, timeout=120_000)
        started = time.perf_counter()
        room.window.show_page("leaderboardPage")
        QApplication.processEvents()
        room.window.shell.leaderboard.repaint()
        return {"page_opens_ms": (time.perf_counter() - started) * 1e3}


def _what_if(data: Path, roster: Path) -> dict[str, float]:
    """The services: how long a what-if filter takes to answer, at most."""
    driver = Driver(data, roster, speed=20.0)
    try:
        driver.until(lambda: driver.boards, "the board", 120)
        driver.services.board.look(WhatIfLens())
        driver.until(lambda: driver.lens_views, "a first look", 120)
        choices = driver.lens_views[-1]
        assert isinstance(choices, WhatIfView)
        answers = [
            _until_shown(driver, WhatIfLens(without_listeners=(option.choice.id,))) for option in choices.listeners[:10]
        ]
    finally:
        driver.close()
    return {"what_if_ms": max(answers)}


def _beside_an_audit(data: Path, roster: Path, rounds: int) -> dict[str, float]:
    """The services: votes while the audit is made anew after each."""
    driver = Driver(data, roster, speed=20.0)
    try:
        driver.until(lambda: driver.boards, "the board", 120)
        driver.services.board.look(AuditLens())
        driver.until(lambda: driver.lens_views and isinstance(driver.lens_views[-1], AuditView), "the audit", 300)
        reveals = []
        for _ in range(rounds):
            driver.until(lambda: driver.view.can_vote, "both heard")
            started = time.perf_counter()
            driver.services.listen.vote(Vote.A)
            driver.until(lambda: driver.view.phase is Phase.REVEALED, "the reveal")
            reveals.append((time.perf_counter() - started) * 1e3)
            driver.services.listen.next()
            driver.until(lambda: driver.view.phase is Phase.READY, "the next battle")
    finally:
        driver.close()
    return {"reveal_with_audit_p50_ms": _share(reveals, 0.5), "reveal_with_audit_p99_ms": _share(reveals, 0.99)}


def _until_shown(driver: Driver, lens: WhatIfLens) -> float:
    seen = len(driver.lens_views)
    started = time.perf_counter()
    driver.services.board.look(lens)
    driver.until(lambda: len(driver.lens_views) > seen, "the board under a filter")
    return (time.perf_counter() - started) * 1e3


def _share(values: list[float], share: float) -> float:
    """The smallest value that so large a share of them does not exceed (nearest rank)."""
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]
