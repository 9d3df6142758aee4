"""Makes a battle: both clips had, or spoken, and made alike."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from arena_desktop.audio.levels import UnusableClip
from arena_desktop.audio.types import Clip, PreparedPair
from arena_desktop.domain.battle import Competitor, Plan
from arena_desktop.domain.like_voices import CLONED
from arena_desktop.domain.prompts import Prompt
from arena_desktop.domain.roster import ModelSpec, Voice
from arena_desktop.domain.votes import Side
from arena_desktop.engines.types import FailureKind, SpeechFailure
from arena_desktop.errors import ArenaError
from arena_desktop.services.batch import Wish
from arena_desktop.services.clips import Fetched
from arena_desktop.services.pace import Pace
from arena_desktop.services.plan_queue import Context, Planned
from arena_desktop.services.references import References, unlike

USUAL_BYTES = 600_000
"""Of a clip that is still to be spoken: six seconds at 24 kHz."""


class ClipSource(Protocol):
    """Whoever has a clip, or has it spoken."""

    def get(self, model: ModelSpec, text: str, voice: Voice | None, take: int) -> Fetched:
        """The clip and what exactly spoke it; raises SpeechFailure."""

    def key(self, model: ModelSpec, text: str, voice: Voice | None, take: int) -> str:
        """What the clip is called, wherever it is; raises SpeechFailure."""

    def has(self, key: str) -> bool:
        """Whether the clip need not be spoken."""

    def room(self) -> int:
        """Bytes for clips that must stay until they are played."""


class Levelling(Protocol):
    """Makes two clips alike."""

    def __call__(self, a: Clip, b: Clip, target_lufs: float) -> PreparedPair: ...


class UnlikeClips(ArenaError):
    """Two clips that are well, each for itself, and can't be made alike."""


class ClipReplaced(UnlikeClips):
    """Another file took the place of one side's clip while the program ran: no battle of these two is of help."""


@dataclass(frozen=True)
class PreparedBattle:
    """A battle whose two clips exist and are made alike. Sealed: it names the models. ``reference``: why the clip that
    both clone can't be heard, "" if it can (then it is in the pair); None where there is no such clip.
    """

    plan: Plan
    prompt: Prompt
    pair: PreparedPair
    model_a: ModelSpec
    model_b: ModelSpec
    a: Fetched
    b: Fetched
    reference: str | None = None


class BattleMaker:
    """Makes battles of plans. Calls block until the clips are there. ``room(bytes)`` says why the disk doesn't hold so
    much more, None if it does. ``references`` are for arenas of clones.
    """

    def __init__(
        self,
        clips: ClipSource,
        level: Levelling,
        read: Callable[[Path], Clip],
        pace: Pace,
        room: Callable[[int], ArenaError | None],
        references: References | None = None,
    ) -> None:
        self._clips = clips
        self._level = level
        self._read = read
        self._pace = pace
        self._references = references
        self._bytes = USUAL_BYTES
        self.room = room

    def make(self, context: Context, planned: Planned) -> PreparedBattle:
        """The battle of this plan. Raises SpeechFailure or UnlikeClips; ArenaError where another draw is of no help."""
        plan, prompt = planned.plan, planned.prompt
        model_a, model_b = context.model(plan.a.repo_id), context.model(plan.b.repo_id)
        a = self._fetch(model_a, plan.a, prompt.text)
        b = self._fetch(model_b, plan.b, prompt.text)
        sides = tuple(
            (model, _voice(model, one), fetched.identity)
            for model, one, fetched in ((model_a, plan.a, a), (model_b, plan.b, b))
        )
        cloned = context.arena.kind == CLONED
        if cloned and unlike(sides):
            raise ClipReplaced("The two voices no longer clone the same clip.", "Press Check again on the Models page.")
        clips = self._read(a.spoken.path), self._read(b.spoken.path)
        try:
            pair = self._level(*clips, context.target_lufs)
        except UnusableClip as error:
            model = model_a if error.side is Side.A else model_b
            raise SpeechFailure(FailureKind.ENGINE, model.repo_id, f"{model.name}: {error.message}") from error
        except ArenaError as error:
            raise UnlikeClips(error.message, error.remedy) from error
        why: str | None = None
        if cloned and self._references is not None:
            pair, why = self._references.joined(pair, sides)
        return PreparedBattle(plan, prompt, pair, model_a, model_b, a, b, why)

    def speak(self, context: Context, wish: Wish) -> str:
        """Have one clip lie in the cache; returns its key. Raises as :meth:`make`."""
        return self._fetch(context.model(wish.competitor.repo_id), wish.competitor, wish.prompt.text).key

    def key(self, context: Context, wish: Wish) -> str | None:
        """What the clip is called in the cache, None where that can't be found out now."""
        model = context.model(wish.competitor.repo_id)
        try:
            return self._clips.key(model, wish.prompt.text, _voice(model, wish.competitor), wish.competitor.take)
        except SpeechFailure:
            return None

    def has(self, key: str) -> bool:
        """Whether that clip lies in the cache."""
        return self._clips.has(key)

    def lacking(self, clips: int) -> ArenaError | None:
        """Why so many more clips can't be kept until they are played; None if they can."""
        size, room = clips * self._bytes, self._clips.room()
        if room < size:
            return ArenaError(
                f"The clip cache has no room for it: {_megabytes(size)} are needed, {_megabytes(max(0, room))} of its"
                " limit are free.",
                "Raise the limit on the Settings page.",
            )
        return self.room(size)

    def _fetch(self, model: ModelSpec, competitor: Competitor, text: str) -> Fetched:
        began = time.monotonic()
        fetched = self._clips.get(model, text, _voice(model, competitor), competitor.take)
        if not fetched.cached:
            self._pace.note(model.repo_id, time.monotonic() - began)
            self._bytes = (self._bytes + 4 * fetched.spoken.frames) // 2
        return fetched


def _voice(model: ModelSpec, competitor: Competitor) -> Voice | None:
    return next((voice for voice in model.voices if voice.id == competitor.voice), None)


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.0f} MB"
