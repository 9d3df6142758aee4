"""Battles prepared ahead, on a thread of their own, while the listener listens to the present one."""

import logging
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from arena_desktop.audio.types import Clip, PreparedPair
from arena_desktop.domain.battle import Competitor, Plan
from arena_desktop.domain.prompts import Prompt
from arena_desktop.domain.roster import ModelSpec, Voice
from arena_desktop.engines.types import SpeechFailure
from arena_desktop.errors import ArenaError
from arena_desktop.ratings.pairing import PairKnowledge
from arena_desktop.services.inbox import Inbox
from arena_desktop.services.plan_queue import Context, Planned, PlanQueue, new_seed

if TYPE_CHECKING:
    from pathlib import Path

    from arena_desktop.services.clips import Fetched

log = logging.getLogger(__name__)

AHEAD = 2
"""How many battles are kept ready beyond the one on screen."""
PATIENCE = 6
"""So many battles in a row that could not be prepared stop the attempt until something changes."""
RETRY_S = 10.0
"""Seconds after which, having stopped, it tries once more: what was wrong may have passed (a disk that was full)."""
REST_AFTER = 3
"""So many failures in a row take a model out of the draw until it is checked again."""


class ClipSource(Protocol):
    """Whoever has a clip, or has it spoken."""

    def get(self, model: ModelSpec, text: str, voice: Voice | None, take: int) -> "Fetched":
        """The clip and what exactly spoke it; raises SpeechFailure."""


class Levelling(Protocol):
    """Makes two clips alike."""

    def __call__(self, a: Clip, b: Clip, target_lufs: float) -> PreparedPair: ...


@dataclass(frozen=True)
class PreparedBattle:
    """A battle whose two clips exist and are made alike. Sealed: it names the models."""

    plan: Plan
    prompt: Prompt
    pair: PreparedPair
    model_a: ModelSpec
    model_b: ModelSpec
    a: "Fetched"
    b: "Fetched"


class Preparer:
    """Keeps up to :data:`AHEAD` battles ready. All callbacks arrive through the inbox, on the services' thread.

    Plans are drawn before anything is rendered, and rendered in their order. A battle that can't be prepared is
    replaced by another draw; ``on_failure`` gets the failure for counting. When nothing works any more ``on_stuck``
    gets a sentence that names no model; :meth:`use` starts again.
    """

    def __init__(
        self,
        clips: ClipSource,
        level: Levelling,
        read: Callable[["Path"], Clip],
        inbox: Inbox,
        on_ready: Callable[[], None],
        on_failure: Callable[[SpeechFailure], None],
        on_stuck: Callable[[ArenaError], None],
        room: Callable[[], ArenaError | None] = lambda: None,
        seeds: Callable[[], str] = new_seed,
    ) -> None:
        self._clips = clips
        self._level = level
        self._read = read
        self._inbox = inbox
        self._on_ready = on_ready
        self._on_failure = on_failure
        self._on_stuck = on_stuck
        self._room = room
        self._seeds = seeds
        self._changed = threading.Condition()
        self._context: Context | None = None
        self._generation = 0
        self._ready: deque[PreparedBattle] = deque()
        self._known: dict[str, PairKnowledge | None] = {}
        self._failed_in_a_row: dict[str, int] = {}
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name="preparer", daemon=True)
        self._thread.start()

    def use(self, context: Context | None) -> None:
        """Draw from ``context`` from now on; battles prepared from another are dropped. None: prepare nothing."""
        with self._changed:
            self._context = context
            self._generation += 1
            self._ready.clear()
            self._failed_in_a_row.clear()
            self._changed.notify_all()

    def know(self, arena: str, known: PairKnowledge | None) -> None:
        """The votes have changed: plans of ``arena`` that are not being rendered yet are drawn from this."""
        with self._changed:
            self._known[arena] = known

    def take(self) -> PreparedBattle | None:
        """The next battle, or None when none is ready yet."""
        with self._changed:
            if not self._ready:
                return None
            battle = self._ready.popleft()
            self._changed.notify_all()
            return battle

    def close(self, wait_s: float = 10.0) -> None:
        """End the thread. Close the speech host first, so that a clip in the making gives up at once."""
        with self._changed:
            self._stopping = True
            self._ready.clear()
            self._changed.notify_all()
        self._thread.join(wait_s)

    def _run(self) -> None:
        tries = 0
        generation = -1
        plans: PlanQueue | None = None
        while True:
            with self._changed:
                while not self._stopping and not self._wants_more(tries, generation):
                    idle = tries >= PATIENCE and self._context is not None and not self._ready
                    if not self._changed.wait(RETRY_S if idle else None):
                        tries = PATIENCE - 1
                if self._stopping:
                    return
                context = self._context
                assert context is not None
                if self._generation != generation or plans is None:
                    generation, tries, plans = self._generation, 0, PlanQueue(context, self._seeds)
                known, resting = self._known.get(context.arena.id), self._resting()
            try:
                plans.renew(known, resting)
                battle = self._prepare(context, plans.next())
            except SpeechFailure as failure:
                tries = self._failed(failure, generation, tries)
            except ArenaError as error:
                tries = PATIENCE
                self._tell(generation, lambda error=error: self._on_stuck(error))  # type: ignore[misc]
            except Exception as error:
                log.exception("a battle could not be prepared")
                tries = PATIENCE
                stuck = ArenaError(f"The next battle could not be prepared ({type(error).__name__}).", "See the log.")
                self._tell(generation, lambda stuck=stuck: self._on_stuck(stuck))  # type: ignore[misc]
            else:
                tries = 0
                with self._changed:
                    if generation == self._generation and not self._stopping:
                        self._ready.append(battle)
                        self._failed_in_a_row.pop(battle.plan.a.repo_id, None)
                        self._failed_in_a_row.pop(battle.plan.b.repo_id, None)
                self._tell(generation, self._on_ready)

    def _wants_more(self, tries: int, generation: int) -> bool:
        if self._context is None or len(self._ready) >= AHEAD:
            return False
        return tries < PATIENCE or self._generation != generation

    def _failed(self, failure: SpeechFailure, generation: int, tries: int) -> int:
        with self._changed:
            if generation != self._generation or self._stopping:
                return 0
            count = self._failed_in_a_row.get(failure.repo_id, 0) + 1
            self._failed_in_a_row[failure.repo_id] = count
        self._tell(generation, lambda: self._on_failure(failure))
        tries += 1
        full = self._room()
        if full is not None:
            self._tell(generation, lambda: self._on_stuck(full))
            return PATIENCE
        if tries >= PATIENCE:
            stuck = ArenaError(
                f"{tries} battles in a row could not be prepared.", "The Models page says which voices failed, and why."
            )
            self._tell(generation, lambda: self._on_stuck(stuck))
        return tries

    def _tell(self, generation: int, callback: Callable[[], None]) -> None:
        def deliver() -> None:
            if generation == self._generation and not self._stopping:
                callback()

        self._inbox.post(deliver)

    def _prepare(self, context: Context, planned: Planned) -> PreparedBattle:
        plan, prompt = planned.plan, planned.prompt
        by_id = {model.repo_id: model for model in context.models}
        model_a, model_b = by_id[plan.a.repo_id], by_id[plan.b.repo_id]
        a = self._fetch(model_a, plan.a, prompt.text)
        b = self._fetch(model_b, plan.b, prompt.text)
        pair = self._level(self._read(a.spoken.path), self._read(b.spoken.path), context.target_lufs)
        return PreparedBattle(plan, prompt, pair, model_a, model_b, a, b)

    def _resting(self) -> frozenset[str]:
        return frozenset(repo_id for repo_id, failed in self._failed_in_a_row.items() if failed >= REST_AFTER)

    def _fetch(self, model: ModelSpec, competitor: Competitor, text: str) -> "Fetched":
        voice = next((voice for voice in model.voices if voice.id == competitor.voice), None)
        return self._clips.get(model, text, voice, competitor.take)
