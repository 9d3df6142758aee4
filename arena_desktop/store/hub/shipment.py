"""A download on this disk: where its parts wait, and how the model comes to stand in its place at once and whole.

Below the folder for models: ``.downloads/OWNER--NAME@COMMIT/`` holds ``plan.json`` (what is wanted), ``parts/`` and
``files/`` (what is whole and checked); ``OWNER--NAME/COMMIT/`` is the model's place, and ``.arena-download.json`` in it
says where it came from and what hash each file had.
"""

import contextlib
import os
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from arena_desktop.domain.hub import MANIFEST, HubFile, HubModel, hub_folder, is_commit, is_hub_id, name_fault
from arena_desktop.file_lock import FileLock
from arena_desktop.store.hub.faults import HubError
from arena_desktop.store.small_files import Damaged, read_json_object, sync_folder, write_json

WAITING = ".downloads"
SPARE = 50_000_000
"""Bytes that stay free on the disk."""


@dataclass(frozen=True)
class Manifest:
    """Where the files in a folder came from, and under what licence, as that was shown before they were brought.
    ``sha256``: by path, lower-case hex.
    """

    repo: str
    revision: str
    endpoint: str
    license: str
    sha256: dict[str, str] = field(default_factory=dict)
    license_url: str = ""

    def roster_files(self) -> dict[str, Any]:
        """What stands under ``files`` of a roster entry."""
        return {"hub": self.repo, "revision": self.revision, "sha256": dict(self.sha256)}


def read_manifest(folder: Path) -> Manifest | None:
    """Where ``folder`` was downloaded from; None if it was not, or nobody can tell."""
    try:
        value = read_json_object(folder / MANIFEST)
    except Damaged:
        return None
    if value is None:
        return None
    repo, revision, hashes = value.get("hub"), value.get("revision"), value.get("sha256")
    if not (isinstance(repo, str) and is_hub_id(repo) and isinstance(revision, str) and is_commit(revision)):
        return None
    if not isinstance(hashes, dict) or not all(isinstance(one, str) for one in hashes.values()):
        return None
    endpoint, named, url = (_text(value.get(name)) for name in ("endpoint", "license", "license_url"))
    return Manifest(repo, revision, endpoint, named, hashes, url)


class Shipment:
    """The download of ``files`` of ``model`` below ``models``. Raises OSError."""

    def __init__(self, models: Path, model: HubModel, files: Sequence[HubFile]) -> None:
        self.model = model
        self.files = tuple(files)
        self.place = models / hub_folder(model.repo, model.revision)
        self._room = models / WAITING / hub_folder(model.repo, model.revision).replace("/", "@")
        self._ready = self._room / "files"
        self._lock: FileLock | None = None
        self._hashes: dict[str, str] = {}

    @contextlib.contextmanager
    def open(self) -> Iterator[None]:
        """Nobody else works on it inside. Raises :class:`HubError` if somebody does."""
        self._ready.mkdir(parents=True, exist_ok=True)
        lock = FileLock(self._room / "lock")
        if not lock.try_alone():
            lock.release()
            raise HubError(
                f"{self.model.repo} is being downloaded already, in another window or command.",
                "Wait until it is done there, or cancel it there.",
            )
        try:
            write_json(self._room / "plan.json", _plan(self.model, self.files))
            yield
        finally:
            lock.release()

    def part(self, file: HubFile) -> Path:
        """Where the part of ``file`` waits. Its name is the content's: another content never goes on with it."""
        return self._room / "parts" / f"{file.sha256 or file.blob}.part"

    def already(self) -> tuple[HubFile, ...]:
        """The files that need not be brought: here whole, and their hash was checked when they came."""
        done = read_manifest(self._room)
        placed = read_manifest(self.place)
        found = []
        for file in self.files:
            for folder, manifest in ((self._ready, done), (self.place, placed)):
                known = None if manifest is None else manifest.sha256.get(file.path)
                if known and known == (file.sha256 or known) and _size(folder / file.path) == file.size:
                    self._hashes[file.path] = known
                    found.append(file)
                    break
        return tuple(found)

    def here(self) -> dict[str, int]:
        """How many bytes of each file need not be brought any more, by path."""
        found = {file.path: min(file.size, _size(self.part(file)) or 0) for file in self.files}
        return found | {file.path: file.size for file in self.already()}

    def check_room(self) -> None:
        """Raises :class:`HubError` if the disk can't hold what is yet to come."""
        need = sum(file.size for file in self.files) - sum(self.here().values())
        folder = next(one for one in (self._room, *self._room.parents) if one.exists())
        free = shutil.disk_usage(folder).free
        if need + SPARE > free:
            raise HubError(
                f"The disk has too little room: {need / 1e6:,.0f} MB are to come, {free / 1e6:,.0f} MB are free.",
                f"Make room on the disk of {folder}, or choose fewer files.",
            )

    def arrived(self, file: HubFile, sha256: str) -> None:
        """The part of ``file`` is whole, checked and on the disk: from now on it is a file."""
        target = self._ready / file.path
        target.parent.mkdir(parents=True, exist_ok=True)
        self.part(file).replace(target)
        self._hashes[file.path] = sha256
        write_json(self._room / MANIFEST, self._manifest())

    def settle(self) -> Path:
        """Everything has arrived: put it in its place. What is there of the same commit stays."""
        self._place_all()
        sync_folder(self.place.parent)
        self.drop()
        return self.place

    @property
    def begun(self) -> bool:
        """Whether anything waits."""
        return self._room.exists()

    def drop(self) -> None:
        """Remove what waits."""
        shutil.rmtree(self._room, ignore_errors=True)
        with contextlib.suppress(OSError):
            self._room.parent.rmdir()

    def _place_all(self) -> None:
        write_json(self._ready / MANIFEST, self._manifest())
        self.place.parent.mkdir(parents=True, exist_ok=True)
        if not os.path.lexists(self.place):
            self._ready.rename(self.place)
            return
        home = Path(os.path.realpath(self.place))
        for file in self.files:
            source, target = self._ready / file.path, self.place / file.path
            if source.exists():
                target.parent.mkdir(parents=True, exist_ok=True)
                if home not in Path(os.path.realpath(target.parent / "x")).parents:
                    raise HubError(f"{target.parent} leads out of the model's folder.", "Remove that link.")
                source.replace(target)
        (self._ready / MANIFEST).replace(self.place / MANIFEST)

    def _manifest(self) -> dict[str, Any]:
        placed = read_manifest(self.place)
        hashes = {**(placed.sha256 if placed else {}), **self._hashes}
        return {
            "schema": 1,
            "hub": self.model.repo,
            "revision": self.model.revision,
            "endpoint": self.model.endpoint,
            "license": self.model.license,
            "license_url": self.model.license_url,
            "sha256": dict(sorted(hashes.items())),
        }


@dataclass(frozen=True)
class Unfinished:
    """A download that was begun here and not ended: ``here`` of ``of`` bytes have arrived."""

    model: HubModel
    here: int
    of: int


def unfinished(models: Path) -> tuple[Unfinished, ...]:
    """What waits below the folder for models; what can't be read is left out."""
    found = []
    with contextlib.suppress(OSError):
        for room in sorted((models / WAITING).iterdir()):
            model = _read_plan(room / "plan.json")
            if model is not None:
                shipment = Shipment(models, model, model.files)
                found.append(Unfinished(model, sum(shipment.here().values()), sum(file.size for file in model.files)))
    return tuple(found)


def _plan(model: HubModel, files: Sequence[HubFile]) -> dict[str, Any]:
    return {
        "schema": 1,
        "hub": model.repo,
        "revision": model.revision,
        "endpoint": model.endpoint,
        "license": model.license,
        "license_url": model.license_url,
        "files": [[file.path, file.size, file.sha256, file.blob] for file in files],
    }


def _read_plan(path: Path) -> HubModel | None:
    with contextlib.suppress(Damaged, ValueError, TypeError, KeyError):
        value = read_json_object(path)
        if value is None or not is_hub_id(value["hub"]) or not is_commit(value["revision"]):
            return None
        files = tuple(HubFile(str(path), int(size), str(sha), str(blob)) for path, size, sha, blob in value["files"])
        if any(name_fault(file.path) for file in files):
            return None
        named, url = _text(value["license"]), _text(value["license_url"])
        return HubModel(value["hub"], value["revision"], _text(value["endpoint"]), files, named, url)
    return None


def _size(path: Path) -> int | None:
    try:
        return path.stat().st_size
    except OSError:
        return None


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
