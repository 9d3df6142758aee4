"""The settings file: JSON, versioned, forgiving when read, whole when written."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from arena_desktop.domain.settings import RULES, Settings, validated
from arena_desktop.errors import ArenaError
from arena_desktop.store.bounded import reason
from arena_desktop.store.small_files import Clock, Damaged, read_json_object, set_aside, utc_now, write_json

SCHEMA = 1


class SettingsFile:
    """Settings in one file.

    ``notes`` are sentences for the user about the last :meth:`load`. ``kept`` is False while the file must not be
    written: it comes from a newer version, or is damaged and could not be set aside. Keys that this version doesn't
    know are kept.
    """

    def __init__(self, path: Path, clock: Clock = utc_now) -> None:
        self._path = path
        self._clock = clock
        self._others: dict[str, Any] = {}
        self.notes: tuple[str, ...] = ()
        self.kept = True

    def load(self) -> Settings:
        """The settings; defaults for whatever the file lacks or has wrong. Never raises: see ``notes``."""
        self.notes, self.kept, self._others = (), True, {}
        try:
            values = read_json_object(self._path)
        except Damaged as damage:
            self.notes = (self._put_away(str(damage)),)
            return Settings()
        if values is None:
            return Settings()
        schema = values.get("schema", SCHEMA)
        if isinstance(schema, int) and not isinstance(schema, bool) and schema > SCHEMA:
            self.kept = False
            newer = f"The settings in {self._path} were written by a newer version of this program"
            self.notes = (f"{newer}: the defaults are used, and changes are not kept.",)
            return Settings()
        self._others = {key: value for key, value in values.items() if key not in RULES and key != "schema"}
        settings, self.notes = validated(values)
        if schema != SCHEMA or isinstance(schema, bool):
            self.notes = (f"The settings in {self._path} name no known schema; they are read as {SCHEMA}.", *self.notes)
        return settings

    def _put_away(self, damage: str) -> str:
        words = f"The settings in {self._path} are damaged ({damage})"
        try:
            aside = set_aside(self._path, self._clock())
        except OSError as error:
            self.kept = False
            return (
                f"{words} and can't be moved away ({reason(error)}): the defaults are used, and changes are not kept."
            )
        return f"{words}: the defaults are used, and the old file is now {aside.name}."

    def save(self, settings: Settings) -> None:
        """Write ``settings``; nothing when the file must be left alone (see ``kept``).

        Raises :class:`ArenaError` when it can't be written; the old file is then as it was.
        """
        if not self.kept:
            return
        try:
            write_json(self._path, {"schema": SCHEMA, **settings_json(settings), **self._others})
        except OSError as error:
            raise ArenaError(
                f"The settings can't be written to {self._path} ({reason(error)}).",
                "Check that the data directory can be written and has room.",
            ) from error


def settings_json(settings: Settings) -> Mapping[str, Any]:
    """The settings as a JSON object, without ``schema``."""
    values = {name: getattr(settings, name) for name in RULES}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}


def settings_faults(path: Path) -> tuple[str, ...]:
    """What is wrong with the settings there, one sentence each, without touching the file."""
    try:
        values = read_json_object(path)
    except Damaged as damage:
        return (f"The settings in {path} are damaged ({damage}): the defaults are used.",)
    return validated(values or {})[1]


def peek_settings(path: Path) -> Settings:
    """The settings as far as they can be read, without touching the file whatever its state."""
    try:
        values = read_json_object(path)
    except Damaged:
        values = None
    return validated(values or {})[0]
