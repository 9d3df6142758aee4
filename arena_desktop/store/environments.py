"""The environments that were made for engines: one folder each, with a note of what is in it.

An environment is whole only while its note says so: the note is written unfinished before anything else, and finished
last of all. What is put away is renamed first, so that no interruption leaves half of it under its name.
"""

import contextlib
import os
import secrets
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from arena_desktop.domain.recipes import NAME, Recipe
from arena_desktop.errors import ArenaError
from arena_desktop.file_lock import FileLock
from arena_desktop.store.bounded import reason
from arena_desktop.store.small_files import Damaged, read_json_object, write_json

SCHEMA = 1
NOTE = "environment.json"
_AWAY = ".away-"


@dataclass(frozen=True)
class Environment:
    """One environment. ``finished``: it was made to its end. ``digest`` is that of the recipe it was made by,
    ``python`` the version of its Python, ``made`` when (UTC, ISO 8601), ``size_bytes`` what it takes on disk.
    """

    name: str
    folder: Path
    finished: bool = False
    recipe: str = ""
    title: str = ""
    engine: str = ""
    digest: str = ""
    python: str = ""
    torch: str = ""
    made: str = ""
    size_bytes: int = 0
    packages: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


class EnvironmentFolder:
    """The folder of all environments, which may be missing."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def folder(self, name: str) -> Path:
        """Where the environment of this name lies. :class:`ArenaError` for what can't be a name."""
        if not NAME.fullmatch(name):
            raise ArenaError(
                f"{name!r} can't be the name of an environment.", "Use small letters, digits and . _ - (at most 64)."
            )
        return self.root / name

    def all(self) -> tuple[Environment, ...]:
        """Every environment, finished or not, by name; none where :meth:`unreadable` says why."""
        try:
            entries = sorted(self.root.iterdir())
            return tuple(self.read(entry.name) for entry in entries if NAME.fullmatch(entry.name) and entry.is_dir())
        except OSError:
            return ()

    def unreadable(self) -> str:
        """Why it can't be told what environments there are, as the end of a sentence; "" if it can."""
        try:
            for entry in self.root.iterdir():
                entry.is_dir()
        except FileNotFoundError:
            return ""
        except OSError as error:
            return reason(error)
        return ""

    def stranger(self, name: str) -> str:
        """What lies under this name and was not made by us, in words; "" if there is nothing of the kind. A link is
        none: it is replaced itself, and what it leads to stays.
        """
        folder = self.folder(name)
        if folder.is_symlink() or not folder.exists():
            return ""
        if not folder.is_dir():
            return "is a file"
        if os.path.lexists(folder / NOTE):
            return ""
        half_written = f".{NOTE}."  # by a making that was killed in its first moment
        try:
            foreign = any(not entry.name.startswith(half_written) for entry in folder.iterdir())
        except OSError as error:
            return f"can't be looked into ({reason(error)})"
        return "is a folder of something else" if foreign else ""

    def read(self, name: str) -> Environment:
        """What is known of this environment; one that isn't there is unfinished and empty."""
        folder = self.folder(name)
        try:
            note = read_json_object(folder / NOTE)
        except Damaged:
            note = None
        return Environment(name, folder) if note is None else _environment(name, folder, note)

    def lock(self, name: str) -> FileLock:
        """The lock on this name: whoever makes or removes the environment holds it alone."""
        self.folder(name)
        try:
            self.root.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ArenaError(
                f"The folder {self.root} can't be made ({reason(error)}).",
                "Change the rights of the data directory, or name another one with --data-dir.",
            ) from error
        return FileLock(self.root / f".{name}.lock")

    def begin(self, name: str, recipe: Recipe) -> Path:
        """A fresh folder with an unfinished note. Raises OSError. Needs the lock, as do :meth:`finish` and
        :meth:`put_away`.
        """
        folder = self.folder(name)
        self.put_away(name)
        folder.mkdir()
        write_json(folder / NOTE, {"schema": SCHEMA, "name": name, "recipe": recipe.id, "finished": False})
        return folder

    def finish(
        self, name: str, recipe: Recipe, *, python: str, packages: Mapping[str, str], torch: str, made: str
    ) -> Environment:
        """Note that it is whole. Raises OSError."""
        folder = self.folder(name)
        if hasattr(os, "sync"):
            os.sync()  # what was written is on the disk before the note says that it is there
        note = {
            "schema": SCHEMA,
            "name": name,
            "recipe": recipe.id,
            "title": recipe.title,
            "engine": recipe.engine,
            "digest": recipe.digest,
            "python": python,
            "torch": torch,
            "made": made,
            "size_bytes": size_of(folder),
            "packages": dict(packages),
            "finished": True,
        }
        write_json(folder / NOTE, note)
        return _environment(name, folder, note)

    def put_away(self, name: str) -> int:
        """Delete the environment, whatever its state; gives the bytes that were freed. Raises OSError."""
        self.sweep()
        folder = self.folder(name)
        if folder.is_symlink():  # the link alone: what it leads to is not ours
            folder.unlink()
            return 0
        if not folder.exists():
            return 0
        freed = size_of(folder)
        away = self.root / f"{_AWAY}{secrets.token_hex(6)}"
        folder.rename(away)
        try:
            _delete(away)
        except OSError:  # what is left is seen again under its name, as not whole, and can be removed later
            with contextlib.suppress(OSError):
                write_json(away / NOTE, {"schema": SCHEMA, "name": name, "finished": False})
            with contextlib.suppress(OSError):
                away.rename(folder)
            raise
        return freed

    def sweep(self) -> None:
        """Delete what an interrupted :meth:`put_away` left. What can't be deleted now stays for the next time."""
        for left in self.root.glob(f"{_AWAY}*"):
            with contextlib.suppress(OSError):
                _delete(left)


def size_of(folder: Path) -> int:
    """Bytes on disk of all files in a folder, links not followed."""
    total = 0.0
    for place, _, files in os.walk(folder):
        for name in files:
            with contextlib.suppress(OSError):  # it was deleted meanwhile
                stat = Path(place, name).lstat()
                total += getattr(stat, "st_blocks", stat.st_size / 512) * 512
    return int(total)


def _environment(name: str, folder: Path, note: Mapping[str, Any]) -> Environment:
    def text(key: str) -> str:
        value = note.get(key)
        return value if isinstance(value, str) else ""

    size, packages = note.get("size_bytes"), note.get("packages")
    versions = packages.items() if isinstance(packages, dict) else ()
    return Environment(
        name=name,
        folder=folder,
        finished=note.get("finished") is True and note.get("schema") == SCHEMA,
        recipe=text("recipe"),
        title=text("title"),
        engine=text("engine"),
        digest=text("digest"),
        python=text("python"),
        torch=text("torch"),
        made=text("made"),
        size_bytes=size if isinstance(size, int) and not isinstance(size, bool) and size >= 0 else 0,
        packages=MappingProxyType({str(key): str(value) for key, value in versions}),
    )


def _delete(folder: Path) -> None:
    try:
        shutil.rmtree(folder)
    except PermissionError:  # a package may have brought read-only folders
        for place, _, _ in os.walk(folder):
            Path(place).chmod(0o700)
        shutil.rmtree(folder)
