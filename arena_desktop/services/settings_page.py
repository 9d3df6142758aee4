"""The Settings page's verbs: change a setting, look for sound devices anew; and when settings are written to disk."""

import logging
import threading
from collections.abc import Callable, Sequence

from arena_desktop.errors import ArenaError
from arena_desktop.services.inbox import Inbox
from arena_desktop.services.preferences import Preferences
from arena_desktop.services.views import DeviceChoice, Line, Tone

log = logging.getLogger(__name__)

QUIET_S = 1.0
"""Seconds without a change after which settings are written (a slider makes many changes)."""


class SettingsPage:
    """Implements :class:`arena_desktop.services.actions.SettingsActions`. ``list_devices`` may take a second."""

    def __init__(
        self,
        *,
        preferences: Preferences,
        list_devices: Callable[[], Sequence[str]],
        show_devices: Callable[[tuple[DeviceChoice, ...]], None],
        say: Callable[[Line], None],
        inbox: Inbox,
        clock: Callable[[], float],
    ) -> None:
        self._preferences = preferences
        self._list_devices = list_devices
        self._show_devices = show_devices
        self._say = say
        self._inbox = inbox
        self._clock = clock
        self._looking: threading.Thread | None = None
        self._changed_at = 0.0
        preferences.subscribe(lambda before, after: self._note_change())

    def change(self, **values: object) -> None:
        """Change settings; a value that is not allowed is refused in words."""
        self._preferences.change(**values)

    def refresh_devices(self) -> None:
        """Look for sound devices in the background."""
        if self._looking is None or not self._looking.is_alive():
            self._looking = threading.Thread(target=self._look, name="sound-devices", daemon=True)
            self._looking.start()

    def save_when_quiet(self) -> None:
        """Write the settings some time after the last change."""
        if self._preferences.unsaved and self._clock() - self._changed_at > QUIET_S:
            self.save()

    def save(self) -> None:
        """Write the settings now, if they changed; what goes wrong is said on screen and in the log."""
        try:
            self._preferences.save()
        except ArenaError as error:
            log.warning("%s", error)
            self._say(Line(error.message, Tone.WARNING, error.remedy))
            self._changed_at = self._clock() + 60  # not once a second

    def close(self, wait_s: float = 20.0) -> None:
        """Write what is left and end the look for devices."""
        self.save()
        if self._looking is not None:
            self._looking.join(wait_s)

    def _note_change(self) -> None:
        self._changed_at = self._clock()

    def _look(self) -> None:
        names: Sequence[str] = ()
        try:
            names = self._list_devices()
        except ArenaError as error:
            log.warning("%s", error)
        self._inbox.post(lambda: self._show_devices(self._choices(names)))

    def _choices(self, names: Sequence[str]) -> tuple[DeviceChoice, ...]:
        choices = [DeviceChoice(None, "The system's default"), *(DeviceChoice(name, name) for name in names)]
        chosen = self._preferences.settings.output_device
        if chosen is not None and chosen not in names:
            choices.append(DeviceChoice(chosen, f"{chosen} (not connected)", present=False))
        return tuple(choices)
