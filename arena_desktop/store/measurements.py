"""The file of measurements: how fast models were, machine by machine. Forgiving when read, whole when written."""

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from arena_desktop.errors import ArenaError
from arena_desktop.file_lock import FileLock
from arena_desktop.store.bounded import reason
from arena_desktop.store.small_files import Damaged, read_json_object, write_json

SCHEMA = 1
PATIENCE_S = 2.0
Entry = Mapping[str, Any]


class MeasurementsFile:
    """JSON: ``{"schema": 1, "machines": {id: {"title", "entries": [object, …]}}}``. Several programs may write to it.

    What is damaged counts as empty, for all of it can be measured again; what a newer version wrote is left alone.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self, machine: str) -> list[dict[str, Any]]:
        """The entries of one machine."""
        entries = _machine(self._content(), machine).get("entries")
        return [dict(entry) for entry in entries if isinstance(entry, dict)] if isinstance(entries, list) else []

    def change(self, machine: str, title: str, change: Callable[[list[dict[str, Any]]], list[Entry]]) -> None:
        """Replace the entries of one machine by what ``change`` makes of them. Raises :class:`ArenaError`."""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            lock = FileLock(self._path.with_name(self._path.name + ".lock"))
            try:
                _wait_for(lock)
                content = self._content()
                if content.get("schema", SCHEMA) != SCHEMA:
                    return
                machines = content.get("machines")
                kept = {key: value for key, value in machines.items() if key != machine} if machines else {}
                kept[machine] = {"title": title, "entries": [dict(entry) for entry in change(self.read(machine))]}
                write_json(self._path, {"schema": SCHEMA, "machines": kept})
            finally:
                lock.release()
        except OSError as error:
            raise ArenaError(
                f"What was measured can't be written to {self._path} ({reason(error)}).",
                "Check that the data directory can be written and has room.",
            ) from error

    def _content(self) -> dict[str, Any]:
        try:
            found = read_json_object(self._path)
        except Damaged:
            return {}
        if found is None or not isinstance(found.get("machines", {}), dict):
            return {}
        return found


def _wait_for(lock: FileLock) -> None:
    """Until it is ours; not for ever, for a disk may know no locks."""
    end = time.monotonic() + PATIENCE_S
    while not lock.try_alone() and time.monotonic() < end:
        time.sleep(0.01)


def _machine(content: Mapping[str, Any], machine: str) -> Mapping[str, Any]:
    if content.get("schema", SCHEMA) != SCHEMA:
        return {}
    found = content.get("machines", {}).get(machine)
    return found if isinstance(found, dict) else {}
