"""The Listen page's verbs, each forwarded to whoever does it."""

from collections.abc import Callable

from arena_desktop.domain.votes import Side, Vote
from arena_desktop.services.battles import Battles
from arena_desktop.services.choices import Choices
from arena_desktop.services.preparing import Preparing
from arena_desktop.services.settings_page import SettingsPage
from arena_desktop.services.views import ListenView, PromptSource


class Listen:
    """Implements :class:`arena_desktop.services.actions.ListenActions`. ``also`` is called at each poll."""

    def __init__(
        self,
        battles: Battles,
        choices: Choices,
        settings: SettingsPage,
        preparing: Preparing,
        also: Callable[[], None] = lambda: None,
    ) -> None:
        self._battles = battles
        self._choices = choices
        self._settings = settings
        self._preparing = preparing
        self._also = also

    def poll(self) -> None:
        self._battles.poll()
        self._also()
        self._settings.save_when_quiet()

    def play(self, side: Side) -> None:
        self._battles.play(side)

    def play_reference(self) -> None:
        self._battles.play_reference()

    def toggle_pause(self) -> None:
        self._battles.toggle_pause()

    def vote(self, vote: Vote) -> None:
        self._battles.vote(vote)

    def next(self) -> None:
        self._battles.next()

    def skip(self, reason: str = "") -> None:
        self._battles.skip(reason)

    def undo(self) -> None:
        self._battles.undo()

    def set_volume(self, db: float) -> None:
        self._battles.set_volume(db)

    def choose_listener(self, pseudonym: str) -> None:
        self._choices.listener(pseudonym)

    def add_listener(self, name: str) -> None:
        self._choices.add_listener(name)

    def choose_arena(self, arena: str) -> None:
        self._choices.arena(arena)

    def choose_prompts(self, source: PromptSource) -> None:
        self._choices.prompts(source)

    def prepare(self) -> None:
        self._preparing.begin()

    def stop_preparing(self) -> None:
        self._preparing.stop()

    def painted(self, view: ListenView) -> None:
        self._battles.painted(view)
