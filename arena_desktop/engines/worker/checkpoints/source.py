"""What an architecture is made from: its checkpoint, and the other folders and files that the roster names for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..faults import EngineFault
from ..speech.places import from_home
from .directory import Checkpoint, read_checkpoint


@dataclass(frozen=True)
class Source:
    """``files`` and ``settings`` are the roster's, ``search`` the folders that a relative path may start from, the most
    particular first.
    """

    checkpoint: Checkpoint
    files: dict[str, Any] = field(default_factory=dict)
    settings: dict[str, Any] = field(default_factory=dict)
    search: tuple[str, ...] = ()

    @property
    def allow_pickle(self) -> bool:
        """Whether the roster lets this one model's weight files run code."""
        return self.files.get("allow_pickle") is True

    def placed(self, written: Any) -> Path:
        """A path of the roster; a relative one in the first folder of ``search`` that has it."""
        return placed(written, self.search)

    def companion(self, key: str, types: Sequence[str], hub_id: str, what: str) -> Checkpoint:
        """The second checkpoint that this one needs (a vocoder, a codec): named under ``files``, or a folder of the
        name ``key`` inside, or the neighbour ``hub_id`` in a Hugging Face cache. EngineFault in words else.
        """
        folder = self._companion_folder(key, hub_id)
        if folder is None:
            raise EngineFault(
                "missing",
                f"The checkpoint {self.checkpoint.path} needs {what} beside it.",
                f"Get {hub_id} (or your own) into a folder and write files: {{path: …, {key}: FOLDER}}.",
            )
        return read_checkpoint(folder, types, allow_pickle=self.allow_pickle)

    def _companion_folder(self, key: str, hub_id: str) -> Path | None:
        if self.files.get(key):
            return self.placed(self.files[key])
        inside = self.checkpoint.path / key
        if (inside / "config.json").is_file():
            return inside
        return _hub_neighbour(self.checkpoint.path, hub_id)


def placed(written: Any, search: Sequence[str]) -> Path:
    """A path of the roster; a relative one in the first of the folders ``search`` that has it."""
    if not isinstance(written, str) or not written or "\0" in written:
        raise EngineFault("settings", f"{written!r} is no path.", "Write the path of a file or folder as text.")
    path = from_home(written)
    places = [Path(place) / path for place in search]
    return next((place for place in places if place.exists()), places[0] if places else path)


def _hub_neighbour(path: Path, hub_id: str) -> Path | None:
    """The newest snapshot of ``hub_id`` in the Hugging Face cache that ``path`` lies in."""
    if path.parent.name != "snapshots":
        return None
    found = path.parent.parent.parent.glob(f"models--{hub_id.replace('/', '--')}/snapshots/*/config.json")
    return max((file.parent for file in found), key=lambda folder: folder.stat().st_mtime, default=None)
