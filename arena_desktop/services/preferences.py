"""The settings in force: changed in one place, told to whoever they concern, kept on disk."""

from collections.abc import Callable
from typing import Protocol

from arena_desktop.domain.settings import Settings, validated
from arena_desktop.errors import ArenaError


class SettingsKeeper(Protocol):
    """Where settings are kept."""

    def save(self, settings: Settings) -> None:
        """Write them; raises ArenaError when they can't be written."""


class Preferences:
    """Holds :class:`Settings`. Changes hold at once; writing is put off to :meth:`save` (a slider makes many)."""

    def __init__(self, settings: Settings, keeper: SettingsKeeper) -> None:
        self._settings = settings
        self._keeper = keeper
        self._saved = settings
        self._listeners: list[Callable[[Settings, Settings], None]] = []

    @property
    def settings(self) -> Settings:
        """The settings in force."""
        return self._settings

    def subscribe(self, listener: Callable[[Settings, Settings], None]) -> None:
        """Have ``listener(before, after)`` called after each change."""
        self._listeners.append(listener)

    def change(self, **values: object) -> None:
        """Change settings by name; raises ArenaError on a value that is not allowed, and then changes nothing."""
        before = self._settings
        after, problems = validated(values, before)
        if problems:
            raise ArenaError(problems[0])
        if after == before:
            return
        self._settings = after
        for listener in self._listeners:
            listener(before, after)

    @property
    def unsaved(self) -> bool:
        """Whether :meth:`save` has something to write."""
        return self._settings != self._saved

    def save(self) -> None:
        """Write the settings if they changed; raises ArenaError when that fails (they hold all the same)."""
        if self.unsaved:
            self._keeper.save(self._settings)
            self._saved = self._settings
