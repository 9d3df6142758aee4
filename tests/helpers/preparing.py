"""A preparer over made-up speakers, with everything that it reports."""

import itertools
import threading
import time
from collections.abc import Callable, Collection
from pathlib import Path

import numpy as np

from arena_desktop.audio.levels import prepare_pair
from arena_desktop.audio.types import Clip
from arena_desktop.domain.prompts import Prompt, PromptDeck
from arena_desktop.domain.roster import ArenaSpec, ModelSpec, Voice
from arena_desktop.engines.types import FailureKind, Identity, SpeechFailure, Spoken
from arena_desktop.errors import ArenaError
from arena_desktop.services.battle_maker import BattleMaker, PreparedBattle
from arena_desktop.services.clips import Fetched
from arena_desktop.services.inbox import Inbox
from arena_desktop.services.pace import Pace
from arena_desktop.services.plan_queue import Context
from arena_desktop.services.plan_shelf import Shelf
from arena_desktop.services.preparation import AHEAD, Preparer
from arena_desktop.services.stock import Stocked

ARENA = ArenaSpec("english", ("x/a", "x/b", "x/c"))
MODELS = tuple(ModelSpec(repo_id, repo_id) for repo_id in ARENA.models)
PROMPTS = [Prompt(f"p{n}", f"Text {n}.", "short", "en", "0" * 64) for n in range(5)]
TONE = Clip((0.1 * np.sin(np.arange(24_000) / 9)).astype(np.float32), 24_000)
PAIR = prepare_pair(TONE, TONE, -23.0)


class Speakers:
    """Clips of a tone; ``broken`` models fail, ``there`` lie in the cache. ``gate`` holds every clip back until it is
    set. ``edition`` of a model is part of its clips' keys, as the hash of its weights is.
    """

    def __init__(self) -> None:
        self.there: set[str] = set()
        self.kept: set[str] = set()
        self.space = 10**9
        self.edition: dict[str, int] = {}
        self.cancelled = False
        self.broken: set[str] = set()
        self.asked: list[str] = []
        self.slow: dict[str, float] = {}
        self.gate = threading.Event()
        self.gate.set()

    def get(self, model: ModelSpec, text: str, voice: Voice | None, take: int) -> Fetched:
        key = self.key(model, text, voice, take)
        cached = key in self.there
        if not cached:
            self.asked.append(model.repo_id)
            self.gate.wait(10)
            time.sleep(self.slow.get(model.repo_id, 0.0))
            if self.cancelled:
                raise SpeechFailure(FailureKind.CANCELLED, model.repo_id, "The program is closing.")
            if model.repo_id in self.broken:
                raise SpeechFailure(FailureKind.CRASH, model.repo_id, "It crashed.")
            self.there.add(key)
        spoken = Spoken(Path("tone.wav"), 24_000, 24_000, 0.1, 0.1, "cpu", "float32", "0" * 64)
        return Fetched(key, spoken, Identity("tone", "1", None, "0" * 64), cached=cached)

    def key(self, model: ModelSpec, text: str, voice: Voice | None, take: int) -> str:
        return f"{model.repo_id} {self.edition.get(model.repo_id, 0)} {text} {take}"

    def has(self, key: str) -> bool:
        return key in self.there

    def wait_for_only(self, keys: Collection[str]) -> None:
        self.kept = set(keys)

    def room(self) -> int:
        return self.space


class Bench:
    """A preparer with everything it reports."""

    def __init__(
        self, speakers: Speakers | None = None, shelf: Shelf | None = None, ahead: int = AHEAD, seed: str = "seed"
    ) -> None:
        self.speakers = speakers or Speakers()
        self.stocked: list[Stocked] = []
        self.inbox = Inbox()
        self.pace = Pace()
        self.ready = 0
        self.failures: list[SpeechFailure] = []
        self.stuck: list[ArenaError] = []
        self.full: ArenaError | None = None
        seeds = itertools.count()
        self.preparer = Preparer(
            BattleMaker(
                self.speakers,
                lambda a, b, target: PAIR,
                lambda path: TONE,
                self.pace,
                lambda size: self.full,
            ),
            self.inbox,
            on_ready=self._count,
            on_failure=self.failures.append,
            on_stuck=self.stuck.append,
            seeds=lambda: f"{seed} {next(seeds)}",
            on_stocked=self.stocked.append,
            shelf=shelf,
            pace=self.pace,
            ahead=ahead,
        )

    def _count(self) -> None:
        self.ready += 1

    def use(
        self, models: tuple[ModelSpec, ...] = MODELS, policy: str = "uniform", key: str = "", texts: int = 5
    ) -> None:
        prompts = [Prompt(f"p{n}", f"Text {n}.", "short", "en", "0" * 64) for n in range(texts)]
        self.preparer.use(Context(ARENA, models, PromptDeck(prompts), -23.0, policy, place="here", key=key))

    def prepare(self, battles: int) -> Stocked:
        """Prepare, and wait until that is over."""
        answered = self.stocked[-1].answered if self.stocked else 0
        self.preparer.prepare(battles)
        self.until(lambda: self.stocked and self.stocked[-1].answered > answered and not self.stocked[-1].running)
        return self.stocked[-1]

    def close(self) -> None:
        self.speakers.gate.set()
        self.preparer.close()

    def battles(self, count: int) -> list[PreparedBattle]:
        taken: list[PreparedBattle] = []
        while len(taken) < count:
            self.until(lambda: self._takes(taken))
        return taken

    def _takes(self, taken: list[PreparedBattle]) -> bool:
        battle = self.preparer.take()
        if battle is not None:
            taken.append(battle)
        return battle is not None

    def until(self, wanted: Callable[[], object]) -> None:
        deadline = time.monotonic() + 10
        while not wanted():
            assert time.monotonic() < deadline
            self.inbox.drain()
            time.sleep(0.002)
