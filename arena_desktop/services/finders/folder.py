"""A folder as recognisers see it: names and sizes, and small JSON files in it."""

import json
import os
import stat
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from arena_desktop.store.bounded import read_bounded, reason
from arena_desktop.store.model_card import NO_CARD, ModelCard, read_card

MOST_JSON = 4_000_000
"""Bytes of a description. The largest known, of a voice with a thousand speakers, has a tenth of it."""

MOST_ENTRIES = 20_000
"""Of one folder. A folder of a model has a few dozen."""


@dataclass(frozen=True)
class Origin:
    """The hub repository that a folder is a snapshot of. ``root`` is the snapshot's own folder; ``license`` is what the
    hub named when it was downloaded, "" where nobody noted that.
    """

    repo: str
    revision: str
    root: Path
    license: str = ""


@dataclass(frozen=True)
class Folder:
    """``files``: regular files (links followed) with their sizes in bytes; ``folders``: names of folders in it;
    ``dangling``: links that lead nowhere; ``others``: what can be read as nothing, such as pipes.
    """

    path: Path
    files: dict[str, int]
    folders: tuple[str, ...] = ()
    origin: Origin | None = None
    dangling: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    _read: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)

    def json(self, name: str) -> dict[str, Any] | None:
        """The JSON object in the file ``name``; None if there is none, or it is huge, broken or no object."""
        if name not in self._read:
            self._read[name] = _object(self.path / name) if name in self.files else None
        found: dict[str, Any] | None = self._read[name]
        return found

    def why_not_json(self, name: str) -> str:
        """Why the file ``name``, which is there, gives no JSON object, as the end of a sentence; "" where it does, or
        nothing is called so.
        """
        for names, why in ((self.folders, "is a folder"), (self.dangling, "is a link that leads nowhere")):
            if name in names:
                return why
        if name in self.others:
            return "is a pipe, a device, or a link in a circle"
        if name not in self.files or self.json(name) is not None:
            return ""
        return _why_no_object(self.path / name)

    def inside(self, name: str) -> dict[str, int]:
        """The files of the folder ``name`` in this one, with their sizes; empty if it can't be looked at."""
        if name not in self.folders:
            return {}
        try:
            return listed(self.path / name).files
        except OSError:
            return {}

    @cached_property
    def card(self) -> ModelCard:
        """What the README says, that of the whole repository where this folder has none; the licence as it was shown
        when it was downloaded, for a README is seldom among the files that are.
        """
        own = read_card(self.path) if "README.md" in self.files else NO_CARD
        if self.origin is None:
            return own
        if own == NO_CARD and self.origin.root != self.path:
            own = read_card(self.origin.root)
        return replace(own, license=self.origin.license) if self.origin.license else own

    def ending(self, *endings: str) -> list[str]:
        """Names of files with one of these endings, sorted."""
        return sorted(name for name in self.files if name.lower().endswith(endings))

    def size(self, names: list[str] | None = None) -> int:
        """Bytes of these files, of all by default."""
        return sum(self.files[name] for name in (self.files if names is None else names))

    @property
    def source(self) -> str:
        """OWNER/REPO on the hub, "" if it isn't known."""
        return "" if self.origin is None else self.origin.repo

    @property
    def revision(self) -> str:
        """The commit on the hub, "" if it isn't known."""
        return "" if self.origin is None else self.origin.revision

    @property
    def title(self) -> str:
        """What to call what lies here, where nothing better is known."""
        if self.origin is not None and self.origin.root == self.path:
            return self.origin.repo.rpartition("/")[2]
        return self.path.name or str(self.path)


@dataclass(frozen=True)
class Listing:
    """What one folder holds: regular files with their sizes, folders, links that lead nowhere, and ``others``, which
    are none of these; ``cut``: there is more than was looked at.
    """

    files: dict[str, int]
    folders: tuple[str, ...]
    dangling: tuple[str, ...]
    others: tuple[str, ...] = ()
    cut: bool = False


def listed(path: Path, most: int = MOST_ENTRIES) -> Listing:
    """Look into one folder, links followed, at ``most`` entries of it. Raises OSError if it can't be opened."""
    files: dict[str, int] = {}
    folders: list[str] = []
    dangling: list[str] = []
    others: list[str] = []
    count = 0
    with os.scandir(path) as entries:
        for entry in entries:
            count += 1
            if count > most:
                return Listing(files, tuple(sorted(folders)), tuple(dangling), tuple(others), cut=True)
            try:
                if entry.is_dir(follow_symlinks=False):  # never asked for more: the other machine may not answer
                    folders.append(entry.name)
                    continue
                status = entry.stat()
            except FileNotFoundError:
                dangling.append(entry.name)
            except (OSError, ValueError):  # a loop of links, or nobody's business
                others.append(entry.name)
            else:
                if stat.S_ISDIR(status.st_mode):
                    folders.append(entry.name)
                elif stat.S_ISREG(status.st_mode):
                    files[entry.name] = status.st_size
                else:
                    others.append(entry.name)
    return Listing(files, tuple(sorted(folders)), tuple(dangling), tuple(others))


def text_of(value: Any, longest: int = 200) -> str:
    """``value`` if it is text, cut to ``longest``; "" for everything else."""
    return value[:longest] if isinstance(value, str) else ""


def _why_no_object(path: Path) -> str:
    try:
        data = read_bounded(path, MOST_JSON)
        if data is None:
            return f"has more than {MOST_JSON // 1_000_000} MB"
        value = json.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        return "is no UTF-8 text"
    except RecursionError:
        return "is nested too deep"
    except OSError as error:
        return f"can't be read ({reason(error)})"
    except ValueError:
        return "is no JSON"
    return f"holds no object but a {type(value).__name__}"


def _object(path: Path) -> dict[str, Any] | None:
    try:
        data = read_bounded(path, MOST_JSON)
        value = None if data is None else json.loads(data.decode("utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
