"""Every fault of every engine kind, in the real window: told, counted, replaced, and the window goes on meanwhile."""

import contextlib
import json
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from pytestqt.exceptions import TimeoutError as QtTimeoutError
from pytestqt.qtbot import QtBot

from arena_desktop.app import Composition
from arena_desktop.domain.votes import Vote
from arena_desktop.engines.deadlines import Deadlines
from arena_desktop.engines.host import SpeechHost
from arena_desktop.paths import app_paths
from arena_desktop.services.models import WORDS
from arena_desktop.services.views import Phase, PromptSource
from arena_desktop.store.prompt_files import built_in_prompts
from tests.helpers.evidence import Figure, evidence
from tests.helpers.faulty_kinds import ALL_KINDS, FAULTS, Case, case_of
from tests.helpers.heartbeat import Heartbeat
from tests.helpers.room import Room, open_room
from tests.helpers.selection import FULL

QUICK = 1, 3
"""So many kinds and faults under ``test``."""
BLOCKED_S = 0.05
GROWN_MB = {"window": 40, "children": 120}
"""What may be held more at the end than after the first battles: more is a leak, or a child that was not ended."""
FAULTY = "test/faulty"
CLAIM = (
    "An engine of this kind suffers each fault in the real window: the failure has its type, is counted on the Models"
    " page and not before the battle ended, battles go on, memory returns, and no event keeps the window's thread for"
    " more than 50 ms. own_ms decides: the longest time without an event, less what the thread waited for a processor"
    " meanwhile by the kernel's count. busy_ms is the part in which it worked, gap_ms the whole, bare_ms the longest"
    " gap of a process that does nothing, beside it."
)


def _param(kind: str) -> object:
    return pytest.param(kind, id=kind, marks=pytest.mark.proof(f"engine_faults_{kind}"))


@pytest.mark.parametrize("kind", [_param(kind) for kind in (ALL_KINDS if FULL else ALL_KINDS[: QUICK[0]])])
@pytest.mark.timeout(3600)
def test_a_fault_of_any_kind_costs_neither_window_nor_battle(
    qtbot: QtBot, tmp_path: Path, full_counts: bool, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = case_of(kind, tmp_path, monkeypatch)
    faults = dict(list(FAULTS.items())[: None if full_counts else QUICK[1]]) | (case.own if full_counts else {})
    figures: dict[str, Figure] = {"faults": len(faults), "models": 3 + case.others}
    wrong: list[str] = []
    with _room(tmp_path / kind, case) as (room, composition, control), _heart() as heart:
        _wait_ready(qtbot, room)
        room.services.listen.choose_prompts(PromptSource(kind="builtin", category="short"))
        for _ in range(4):
            _battle(qtbot, room)
        before = _memory_mb()
        for fault, failures in faults.items():
            words = {WORDS[failure] for failure in failures}
            seen = _suffer(qtbot, room, composition, control, heart, case, fault, words)
            figures |= {f"{fault}_{name}": value for name, value in seen.items()}
            wrong += [f"{fault}_{name}" for name in ("told", "blind") if not seen[name]]
            wrong += [f"{fault}_own"] * (float(str(seen["own_ms"])) > BLOCKED_S * 1000)
            print(f"{kind} {fault}: {seen}", flush=True)
        for _ in range(4):
            _battle(qtbot, room)
        after = _memory_mb()
        for who, most in GROWN_MB.items():
            figures |= {f"{who}_before_mb": before[who], f"{who}_after_mb": after[who]}
            wrong += [f"{who}_memory"] * (after[who] - before[who] > most)
    figures["wrong"] = ", ".join(wrong)
    print(f"{kind}: wrong: {figures['wrong'] or 'nothing'}; memory {before} {after}", flush=True)
    evidence(f"engine_faults_{kind}", figures, holds=not wrong, claim=CLAIM)


def _battle(qtbot: QtBot, room: Room) -> None:
    qtbot.waitUntil(lambda: room.view.can_vote, timeout=90_000)
    room.services.listen.vote(Vote.TIE)
    qtbot.waitUntil(lambda: room.view.reveal is not None, timeout=20_000)
    qtbot.wait(30)
    room.services.listen.next()


def _wait_ready(qtbot: QtBot, room: Room) -> None:
    qtbot.waitUntil(lambda: room.view.phase is Phase.READY, timeout=120_000)


def _suffer(
    qtbot: QtBot,
    room: Room,
    composition: Composition,
    control: Path,
    heart: Heartbeat,
    case: Case,
    fault: str,
    words: set[str],
) -> dict[str, Figure]:
    """Battles with ``fault`` at work until the page tells it."""
    counted = _counted(room, words)
    case.begin(fault, control)
    heart.take()
    began = time.monotonic()
    blind, battles, while_open, waits = True, 0, 0, 0.0
    while battles < case.patience and _counted(room, words) == counted:
        asked = time.monotonic()
        qtbot.waitUntil(lambda: _failed(composition, control, fault) >= 0 and room.view.can_vote, timeout=90_000)
        waits = max(waits, time.monotonic() - asked)
        shown = len(room.window.models_views)
        while_open += _let_fail(qtbot, composition, control, fault)
        blind &= len(room.window.models_views) == shown
        blind &= not any(name in str(room.view) for name in ("Faulty", FAULTY))
        room.services.listen.vote(Vote.TIE)
        qtbot.waitUntil(lambda: room.view.reveal is not None, timeout=20_000)
        qtbot.wait(30)
        room.services.listen.next()
        battles += 1
    case.end(fault, control)
    gaps, took = heart.take(), time.monotonic() - began
    told = _counted(room, words) > counted
    room.services.models.check_again()
    qtbot.wait(300)
    again = heart.take()
    return {
        "told": told,
        "blind": blind,
        "battles": battles,
        "failed_while_open": while_open,
        "longest_wait_s": round(waits, 2),
        "took_s": round(took, 2),
        "own_ms": round(max(gaps.own, again.own) * 1000, 1),
        "busy_ms": round(max(gaps.busy, again.busy) * 1000, 1),
        "gap_ms": round(max(gaps.wall, again.wall) * 1000, 1),
        "bare_ms": round(max(gaps.bare, again.bare) * 1000, 1),
        "late_in": gaps.where,
    }


def _let_fail(qtbot: QtBot, composition: Composition, control: Path, fault: str) -> bool:
    """Whether a clip failed during this battle; none need do so: the ones being prepared may be of others."""
    before = composition.clips.counts().failed
    with contextlib.suppress(QtTimeoutError):
        qtbot.waitUntil(lambda: _failed(composition, control, fault) > before, timeout=700)
    return bool(composition.clips.counts().failed > before)


def _failed(composition: Composition, control: Path, fault: str) -> int:
    """How many clips failed so far; a speaker that waits to be killed is killed."""
    mark = control.with_suffix(".pid")
    if fault == "kill" and mark.exists() and (pid := mark.read_text()):
        mark.unlink()
        with contextlib.suppress(ProcessLookupError):
            os.kill(int(pid), signal.SIGKILL)
    failed: int = composition.clips.counts().failed
    return failed


def _counted(room: Room, words: set[str]) -> int:
    rows = room.window.models_views[-1].rows if room.window.models_views else ()
    return sum(count for row in rows if row.repo_id == FAULTY for reason, count in row.failures if reason in words)


def _memory_mb() -> dict[str, int]:
    here = psutil.Process()
    held = [process.memory_info().rss >> 20 for process in here.children(recursive=True)]
    return {"window": here.memory_info().rss >> 20, "children": sum(held)}


@contextlib.contextmanager
def _heart() -> Iterator[Heartbeat]:
    heart = Heartbeat()
    try:
        yield heart
    finally:
        heart.close()


@contextlib.contextmanager
def _room(place: Path, case: Case) -> Iterator[tuple[Room, Composition, Path]]:
    """The window with two healthy voices, one faulty one, and as many others as the case has."""
    paths = app_paths(place / "data")
    paths.runtime.mkdir(parents=True)
    control = place / "fault"
    models = [
        case.model(FAULTY, control),
        {"repo_id": "test/gb", "name": "Cedar", "engine": "pico", "voices": ["en-GB"], "language": ["en"]},
        {"repo_id": "test/hibari", "name": "Alder", "engine": "hibari", "language": ["en"]},
    ]
    arena = {"id": "english", "language": "en", "models": [str(model["repo_id"]) for model in models]}
    others = [
        {"repo_id": f"test/o{n}", "name": f"Other {n}", "engine": "pico", "voices": ["en-US"], "language": ["en"]}
        for n in range(case.others)
    ]
    roster = place / "roster.yaml"
    roster.write_text(json.dumps({"schema": 1, "models": models + others, "arenas": [arena]}), encoding="utf-8")
    composition = Composition(paths, roster_file=roster, silent=True)
    prompts = {prompt.text: prompt.id for prompt in built_in_prompts()}
    composition.host = SpeechHost(
        paths.logs,
        paths.runtime,
        catalogue=case.catalogue,
        deadlines=Deadlines(speak=8.0, speak_per_character=0.0, speak_least=3.0),
        prompt_id=lambda text: prompts.get(text, ""),
    )
    if case.cache_bytes is not None:
        composition.cache.set_limit(case.cache_bytes)
    with open_room(composition, speed=100) as room:
        yield room, composition, control
