"""Who listens, in which arena, to which texts: the choices on the Listen page, and the draw that follows from them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from arena_desktop.domain.like_voices import CLONED, any_may_meet, why_none
from arena_desktop.domain.planning import eligible
from arena_desktop.domain.prompts import CATEGORIES
from arena_desktop.domain.roster import ArenaSpec, ModelSpec, Roster
from arena_desktop.domain.takes import Reading
from arena_desktop.errors import ArenaError
from arena_desktop.services.abilities import Abilities, language_of_texts
from arena_desktop.services.battle_needs import Preferences
from arena_desktop.services.battles import Battles
from arena_desktop.services.contexts import context_of
from arena_desktop.services.gone_arena import NO_ARENA
from arena_desktop.services.models import Models
from arena_desktop.services.plan_queue import Context
from arena_desktop.services.preparation import Preparer
from arena_desktop.services.prompt_shelf import PromptShelf
from arena_desktop.services.views import Choice, Line, PromptSource, Tone
from arena_desktop.store.listeners import Listeners

CHECKING = Line("Checking which voices are ready…")
Heard = Callable[[str, tuple[str, ...], Callable[[Mapping[Reading, int]], None]], None]
"""Asked for the readings that a listener has heard of these models, it hands them over later."""


@dataclass(frozen=True)
class _Drawn:
    """What battles are drawn from, so that it is seen when that is something else."""

    arena: ArenaSpec
    models: tuple[ModelSpec, ...]
    others: tuple[object, ...]

    def still_holds(self, arena: ArenaSpec, usable: tuple[ModelSpec, ...]) -> bool:
        """Whether such a battle may still be opened; models that joined the arena since don't speak against it."""
        same = replace(self.arena, models=()) == replace(arena, models=())
        return same and all(model in usable for model in self.models)


class Choices:
    """Keeps the preparer drawing from what is chosen now."""

    def __init__(
        self,
        *,
        roster: Roster,
        preferences: Preferences,
        listeners: Listeners,
        models: Models,
        shelf: PromptShelf,
        preparer: Preparer,
        battles: Battles,
        arena_shown: Callable[[str], None],
        abilities: Callable[[Sequence[ModelSpec]], Abilities],
        heard: Heard,
    ) -> None:
        self._roster = roster
        self._preferences = preferences
        self._listeners = listeners
        self._models = models
        self._shelf = shelf
        self._preparer = preparer
        self._battles = battles
        self._arena_shown = arena_shown
        self._abilities = abilities
        self._heard = heard
        self._drawn: _Drawn | None = None
        self._note = ""

    def start(self) -> None:
        """Offer the lists and begin drawing."""
        self.keep_to(self._roster)
        self._offer()
        self.refresh()

    def keep_to(self, roster: Roster) -> None:
        """Choose another arena if ``roster`` lacks the one that is chosen."""
        if self._preferences.settings.arena not in roster.arenas and roster.arenas:
            self._preferences.change(arena=next(iter(roster.arenas)))

    def use_roster(self, roster: Roster) -> None:
        """Models or arenas have come or gone. An open battle is left alone."""
        self._roster = roster
        self._offer()
        self.refresh()

    def refresh(self) -> None:
        """Readiness or settings may have changed: draw from what holds now. An open battle is left alone."""
        arena = self._roster.arenas.get(self._preferences.settings.arena)
        if arena is None:
            self._stop(NO_ARENA)
            return
        models, drawn = tuple(eligible(arena, self._models.usable(arena))), self._drawn
        awaited = self._models.awaits(arena)
        if len(models) < 2:
            self._stop(CHECKING if awaited else self._what_to_get(arena, len(models)))
            return
        if awaited:
            # In an arena that is new the draw waits for all its models, else those that are checked first would play
            # first.
            if drawn is None or drawn.arena.id != arena.id:
                self._stop(CHECKING)
                return
            if drawn.still_holds(arena, models):
                return
        if not any_may_meet(arena, models):
            said, remedy = why_none(arena)
            self._stop(Line(said, Tone.WARNING, remedy))
            return
        settings = self._preferences.settings
        abilities = self._abilities(models)
        takes = abilities.takes
        listener = settings.listener if takes else ""
        others = (self._source(), settings.target_lufs, settings.pair_choice, abilities.as_key(), listener)
        draw = _Drawn(arena, models, others)
        if draw == drawn:
            self._battles.unblock()
            return
        try:
            taken = self._shelf.take(self._source(), language_of_texts(arena, models))
        except ArenaError as error:
            self._stop(Line(error.message, Tone.ERROR, error.remedy))
            return
        self._tell_of(taken.note)
        spoken = abilities.spoken_by_two(arena, models, taken.prompts)
        if not spoken:
            self._stop(
                Line(
                    f"No two voices of the arena «{arena.title or arena.id}» {abilities.why_none}.",
                    Tone.WARNING,
                    "Choose other texts, or another arena.",
                )
            )
            return
        self._drawn = draw
        context = context_of(arena, models, spoken, settings, abilities)
        if not takes:
            self._draw_from(context)
            return
        # Which takes this listener has heard is read from the log first: none comes again while another is unheard.
        self._preparer.use(None)

        def read(heard: Mapping[Reading, int]) -> None:
            if draw is self._drawn:
                self._draw_from(replace(context, heard=heard))

        self._heard(listener, tuple(takes), read)

    def _draw_from(self, context: Context) -> None:
        self._preparer.use(context)
        self._battles.unblock()

    def looked(self) -> None:
        """Some models were found ready or not: go on if the draw waited for them."""
        if self._drawn is None:
            self.refresh()

    def retry(self) -> None:
        """Draw anew even though nothing was chosen differently (models were checked again)."""
        self._drawn = None
        self.refresh()

    def listener(self, pseudonym: str) -> None:
        """Another person listens: the open battle, heard by someone else, is left."""
        if pseudonym != self._preferences.settings.listener:
            self._preferences.change(listener=pseudonym)
            self._offer()
            self.refresh()
            self._battles.start_over()

    def add_listener(self, name: str) -> None:
        """A person is added and listens from now on."""
        try:
            pseudonym = self._listeners.add(name).pseudonym
        except ArenaError as error:
            self._battles.say(Line(error.message, Tone.ERROR, error.remedy))
            return
        self.listener(pseudonym)

    def arena(self, arena: str) -> None:
        """Other models meet from now on."""
        if arena in self._roster.arenas and arena != self._preferences.settings.arena:
            self._preferences.change(arena=arena)
            self._redraw()
            self._arena_shown(arena)

    def prompts(self, source: PromptSource) -> None:
        """Other texts from now on; a source that can't be used is refused in words and nothing changes."""
        try:
            left_out = self._shelf.take(source, self._language()).left_out
        except ArenaError as error:
            self._battles.say(Line(error.message, Tone.ERROR, error.remedy))
            return
        if source != self._source():
            self._preferences.change(
                prompt_kind=source.kind,
                prompt_category=source.category or "",
                prompt_text=source.text,
                prompt_path=source.path,
            )
            self._note = ""
            self._redraw()
        if left_out:
            self._battles.say(Line(left_out, Tone.WARNING))

    def _redraw(self) -> None:
        self._offer()
        self._preparer.use(None)
        self._drawn = None
        self._battles.start_over()
        self.refresh()

    def _stop(self, line: Line) -> None:
        self._drawn = None
        self._preparer.use(None)
        self._battles.block(line)

    def _what_to_get(self, arena: ArenaSpec, count: int) -> Line:
        title = arena.title or arena.id
        have = "none is" if count == 0 else "one is"
        names = {one: self._roster.models[one].name for one in arena.models}
        lacking = [missing.of(name) for one, name in names.items() for missing in self._models.missing(one)]
        remedy = lacking[0] if lacking else "Switch another voice on, on the Models page."
        return Line(f"The arena «{title}» needs two voices that are ready; {have}.", Tone.WARNING, remedy)

    def _source(self) -> PromptSource:
        settings = self._preferences.settings
        return PromptSource(
            settings.prompt_kind, settings.prompt_category or None, settings.prompt_text, settings.prompt_path
        )

    def _language(self) -> str | None:
        """The language of the texts in the chosen arena."""
        arena = self._roster.arenas.get(self._preferences.settings.arena)
        return None if arena is None else language_of_texts(arena, eligible(arena, self._models.usable(arena)))

    def _tell_of(self, note: str) -> None:
        if note != self._note:
            self._note = note
            self._offer()

    def _offer(self) -> None:
        self._battles.offer(
            arenas=[Choice(arena.id, arena.title or arena.id) for arena in self._roster.arenas.values()],
            listeners=[Choice(person.pseudonym, person.name) for person in self._listeners.all()],
            categories=[Choice(key, title) for key, title in CATEGORIES.items()],
            prompts=self._source(),
            note=self._note,
            cloned=frozenset(arena.id for arena in self._roster.arenas.values() if arena.kind == CLONED),
        )
