"""Battles prepared by a command: what the window's button does, without a window."""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from arena_desktop.domain.like_voices import any_may_meet, why_none
from arena_desktop.domain.planning import eligible
from arena_desktop.domain.roster import ArenaSpec, ModelSpec, Roster, default_arena
from arena_desktop.domain.settings import Settings
from arena_desktop.domain.takes import Reading
from arena_desktop.engines.types import Missing, SpeechFailure
from arena_desktop.errors import ArenaError
from arena_desktop.ratings.pairing import PairKnowledge
from arena_desktop.services.abilities import Host, abilities_of, language_of_texts
from arena_desktop.services.battle_maker import BattleMaker
from arena_desktop.services.contexts import context_of
from arena_desktop.services.inbox import Inbox
from arena_desktop.services.pace import Pace
from arena_desktop.services.plan_queue import Context
from arena_desktop.services.plan_shelf import Shelf
from arena_desktop.services.preparation import Preparer
from arena_desktop.services.prompt_shelf import PromptShelf
from arena_desktop.services.stock import Stocked
from arena_desktop.services.views import PromptSource

LOOK_S = 0.2


class Models(Protocol):
    """Which models can speak here."""

    def check_now(self) -> None: ...
    def usable(self, arena: ArenaSpec) -> tuple[ModelSpec, ...]: ...
    def missing(self, repo_id: str) -> tuple[Missing, ...]: ...


@dataclass(frozen=True)
class Rendered:
    """What came of it: how it stands, and how many clips could not be spoken. ``stopped``: before the end."""

    arena: str
    stocked: Stocked
    failed: int
    stopped: bool


def chosen_context(
    roster: Roster,
    settings: Settings,
    arena_id: str,
    models: Models,
    prompts: PromptShelf,
    host: Host,
    heard: Callable[[str, tuple[str, ...]], Mapping[Reading, int]],
) -> Context:
    """What the window would draw from, with these settings. Raises ArenaError with what to get."""
    arena = roster.arenas.get(arena_id or settings.arena) or (None if arena_id else default_arena(roster))
    if arena is None:
        known = ", ".join(roster.arenas)
        raise ArenaError(
            f"The roster has no arena {arena_id}." if arena_id else "The roster has no arena.",
            f"Its arenas: {known}." if known else "Add one to models.yaml.",
        )
    models.check_now()
    members = tuple(eligible(arena, models.usable(arena)))
    if len(members) < 2:
        lacking = [missing.of(roster.models[one].name) for one in arena.models for missing in models.missing(one)]
        raise ArenaError(
            f"The arena {arena.id} needs two voices that are ready; it has {len(members)}.",
            lacking[0] if lacking else "`models list` shows which are switched off.",
        )
    if not any_may_meet(arena, members):
        raise ArenaError(*why_none(arena))
    source = PromptSource(
        settings.prompt_kind, settings.prompt_category or None, settings.prompt_text, settings.prompt_path
    )
    abilities = abilities_of(members, host)
    taken = prompts.take(source, language_of_texts(arena, members))
    texts = abilities.spoken_by_two(arena, members, taken.prompts)
    if not texts:
        raise ArenaError(f"No two voices of the arena {arena.id} {abilities.why_none}.")
    sampling = tuple(abilities.takes)
    return context_of(
        arena, members, texts, settings, abilities, heard(settings.listener, sampling) if sampling else {}
    )


class Rendering:
    """Prepares battles of one context and waits for it. Nothing is made ready to be heard: that is the window's."""

    def __init__(
        self, maker: BattleMaker, shelf: Shelf, pace: Pace, on_failure: Callable[[SpeechFailure], None]
    ) -> None:
        self._arrived = threading.Event()
        self._inbox = Inbox()
        self._inbox.set_waker(self._arrived.set)
        self._stocked = Stocked()
        self._failed = 0
        self._problem: ArenaError | None = None
        self._told = on_failure
        self._preparer = Preparer(
            maker,
            self._inbox,
            on_ready=lambda: None,
            on_failure=self._count,
            on_stuck=self._stuck,
            on_stocked=self._take,
            shelf=shelf,
            pace=pace,
            ahead=0,
        )

    def run(
        self, context: Context, known: PairKnowledge | None, battles: int, progress: Callable[[Stocked], None]
    ) -> Rendered:
        """Have so many battles prepared. ``progress`` is called now and then; KeyboardInterrupt ends it early, and what
        was spoken is kept. Raises ArenaError when nothing works any more.
        """
        self._preparer.know(context.arena.id, known)
        self._preparer.use(context)
        self._preparer.prepare(battles)
        stopped = False
        try:
            while self._stocked.running or not self._stocked.answered:
                self._arrived.wait(LOOK_S)
                self._arrived.clear()
                self._inbox.drain()
                if self._problem is not None:
                    raise self._problem
                progress(self._stocked)
        except KeyboardInterrupt:
            stopped = True
        return Rendered(context.arena.id, self._stocked, self._failed, stopped)

    def close(self) -> None:
        """End it. Close the speech host first, so that a clip in the making gives up at once."""
        self._preparer.close()

    def _take(self, stocked: Stocked) -> None:
        self._stocked = stocked

    def _count(self, failure: SpeechFailure) -> None:
        self._failed += 1
        self._told(failure)

    def _stuck(self, error: ArenaError) -> None:
        self._problem = error
