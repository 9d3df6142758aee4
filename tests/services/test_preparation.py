"""Battles prepared ahead: failures are replaced and counted, hopeless models rest, changes drop what was prepared."""

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from arena_desktop.audio.levels import prepare_pair
from arena_desktop.audio.types import Clip
from arena_desktop.domain.prompts import Prompt, PromptDeck
from arena_desktop.domain.roster import ArenaSpec, ModelSpec, Voice
from arena_desktop.engines.types import FailureKind, Identity, SpeechFailure, Spoken
from arena_desktop.errors import ArenaError
from arena_desktop.services.clips import Fetched
from arena_desktop.services.inbox import Inbox
from arena_desktop.services.preparation import AHEAD, Context, Preparer

ARENA = ArenaSpec("english", ("x/a", "x/b", "x/c"))
MODELS = tuple(ModelSpec(repo_id, repo_id) for repo_id in ARENA.models)
PROMPTS = [Prompt(f"p{n}", f"Text {n}.", "short", "en", "0" * 64) for n in range(5)]
TONE = Clip((0.1 * np.sin(np.arange(24_000) / 9)).astype(np.float32), 24_000)


class Speakers:
    """Clips of a tone; ``broken`` models fail. ``gate`` holds every clip back until it is set."""

    def __init__(self) -> None:
        self.broken: set[str] = set()
        self.asked: list[str] = []
        self.gate = threading.Event()
        self.gate.set()

    def get(self, model: ModelSpec, text: str, voice: Voice | None, take: int) -> Fetched:
        self.gate.wait(10)
        self.asked.append(model.repo_id)
        if model.repo_id in self.broken:
            raise SpeechFailure(FailureKind.CRASH, model.repo_id, "It crashed.")
        spoken = Spoken(Path("tone.wav"), 24_000, 24_000, 0.1, 0.1, "cpu", "float32", "0" * 64)
        return Fetched("k", spoken, Identity("tone", "1", None, "0" * 64), cached=False)


class Bench:
    """A preparer with everything it reports."""

    def __init__(self) -> None:
        self.speakers = Speakers()
        self.inbox = Inbox()
        self.ready = 0
        self.failures: list[SpeechFailure] = []
        self.stuck: list[ArenaError] = []
        self.full: ArenaError | None = None
        self.preparer = Preparer(
            self.speakers,
            prepare_pair,
            lambda path: TONE,
            self.inbox,
            on_ready=self._count,
            on_failure=self.failures.append,
            on_stuck=self.stuck.append,
            room=lambda: self.full,
        )

    def _count(self) -> None:
        self.ready += 1

    def use(self, models: tuple[ModelSpec, ...] = MODELS) -> None:
        self.preparer.use(Context(ARENA, models, PromptDeck(PROMPTS), -23.0))

    def until(self, wanted: Callable[[], object]) -> None:
        deadline = time.monotonic() + 10
        while not wanted():
            assert time.monotonic() < deadline
            self.inbox.drain()
            time.sleep(0.002)


@pytest.fixture
def bench() -> Iterator[Bench]:
    bench = Bench()
    yield bench
    bench.speakers.gate.set()
    bench.preparer.close()


def test_two_battles_are_kept_ready_and_refilled(bench: Bench) -> None:
    bench.use()
    bench.until(lambda: bench.ready == AHEAD)
    first = bench.preparer.take()
    assert first is not None
    assert first.plan.a.repo_id != first.plan.b.repo_id
    assert len(first.pair.a) > 0
    bench.until(lambda: bench.ready == AHEAD + 1)
    assert bench.preparer.take() is not None
    assert bench.preparer.take() is not None


def test_a_failing_model_is_replaced_counted_and_then_rests(bench: Bench) -> None:
    bench.speakers.broken = {"x/a"}
    bench.use()
    for _ in range(20):
        bench.until(lambda: (battle := bench.preparer.take()) and battle)
    assert {failure.repo_id for failure in bench.failures} == {"x/a"}
    assert len(bench.failures) == 3
    assert bench.stuck == []


def test_when_too_few_can_speak_it_says_so_without_naming_one(bench: Bench) -> None:
    bench.speakers.broken = {"x/a", "x/b"}
    bench.use()
    bench.until(lambda: bench.stuck)
    words = str(bench.stuck[0])
    assert "Models page" in words
    assert not any(repo_id in words for repo_id in ARENA.models)
    asked = len(bench.speakers.asked)
    time.sleep(0.05)
    assert len(bench.speakers.asked) == asked, "it goes on trying what can't work"
    bench.speakers.broken = set()
    bench.use()
    bench.until(bench.preparer.take)


def test_a_full_disk_is_said_at_once_and_battles_go_on_when_there_is_room(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena_desktop.services.preparation.RETRY_S", 0.05)
    bench.speakers.broken = set(ARENA.models)
    bench.full = ArenaError("The disk is full.")
    bench.use()
    bench.until(lambda: bench.stuck)
    assert {str(error) for error in bench.stuck} == {"The disk is full."}
    assert len(bench.failures) == 1
    bench.speakers.broken = set()
    bench.full = None
    bench.until(bench.preparer.take)


def test_what_was_prepared_for_other_choices_is_dropped(bench: Bench) -> None:
    bench.use()
    bench.until(lambda: bench.ready == AHEAD)
    bench.speakers.gate.clear()
    bench.use(MODELS[:2])
    assert bench.preparer.take() is None
    bench.speakers.gate.set()
    bench.until(
        lambda: (battle := bench.preparer.take()) and {battle.plan.a.repo_id, battle.plan.b.repo_id} == {"x/a", "x/b"}
    )


def test_with_nothing_to_draw_from_nothing_is_spoken(bench: Bench) -> None:
    bench.use()
    bench.until(lambda: bench.ready == AHEAD)
    bench.preparer.use(None)
    asked = len(bench.speakers.asked)
    time.sleep(0.05)
    assert bench.preparer.take() is None
    assert len(bench.speakers.asked) == asked
