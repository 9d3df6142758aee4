"""Which recordings a folder holds: by their names, or by an ``index.csv``. Nothing is decoded."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ..faults import EngineFault

ENDINGS = (".wav", ".flac", ".mp3", ".ogg")
INDEX = "index.csv"
MOST = 100_000
"""Recordings in one folder."""
_LONGEST_INDEX = 32 * 2**20
_FORM = "Its first line is prompt_id,file or prompt_id,file,voice."


@dataclass(frozen=True)
class Recordings:
    """``files``: (prompt id, voice or "" for all) to the file of the recording, which lies inside the folder."""

    folder: Path
    files: Mapping[tuple[str, str], Path]

    def find(self, prompt_id: str, voice: str) -> Path | None:
        """The recording of this prompt by this voice ("" where the model has none)."""
        return self.files.get((prompt_id, voice)) or self.files.get((prompt_id, ""))

    def prompts(self) -> list[str]:
        """The prompts that every voice of the folder has a recording of, sorted."""
        voices = {voice for _, voice in self.files if voice}
        by_prompt: dict[str, set[str]] = {}
        for prompt_id, voice in self.files:
            by_prompt.setdefault(prompt_id, set()).add(voice)
        return sorted(prompt_id for prompt_id, heard in by_prompt.items() if "" in heard or heard >= voices)


def read_folder(folder: Path) -> Recordings:
    """What ``folder`` holds. EngineFault in words for a folder that is none, holds nothing, or whose index is wrong."""
    if not folder.is_dir():
        what = "is a file" if folder.exists() else "is not there"
        raise EngineFault("missing", f"The folder of recordings {folder} {what}.", "Write files: {path: FOLDER}.")
    index = folder / INDEX
    files = _by_index(index) if index.is_file() else _by_names(folder)
    if not files:
        raise EngineFault(
            "missing",
            f"The folder {folder} holds no recordings.",
            f"Name them PROMPT_ID{ENDINGS[0]} (or {', '.join(ENDINGS[1:])}), or list them in {INDEX}.",
        )
    return Recordings(folder, files)


def _by_names(folder: Path) -> dict[tuple[str, str], Path]:
    found: dict[tuple[str, str], Path] = {}
    for path in sorted(folder.iterdir()):
        if path.suffix.lower() not in ENDINGS or not path.is_file():
            continue
        other = found.setdefault((path.stem, ""), path)
        if other is not path:
            raise EngineFault(
                "settings",
                f"{folder} has two recordings of {path.stem}: {other.name} and {path.name}.",
                "Take one away.",
            )
        if len(found) > MOST:
            raise EngineFault("settings", f"{folder} holds more than {MOST:,} recordings.", "Use a smaller folder.")
    return found


def _by_index(index: Path) -> dict[tuple[str, str], Path]:
    try:
        if index.stat().st_size > _LONGEST_INDEX:
            raise ValueError("it is too long")
        with index.open(encoding="utf-8-sig", newline="") as file:
            rows = csv.DictReader(file, strict=True)
            names = [name.strip() for name in rows.fieldnames or ()]
            if not {"prompt_id", "file"} <= set(names):
                raise ValueError("its first line does not name prompt_id and file")
            rows.fieldnames = names
            return _listed(index, rows)
    except (OSError, ValueError, csv.Error) as error:
        raise EngineFault("settings", f"{index} can't be used: {error}.", _FORM) from error


def _listed(index: Path, rows: csv.DictReader[str]) -> dict[tuple[str, str], Path]:
    root = index.parent.resolve()
    found: dict[tuple[str, str], Path] = {}
    for row in rows:
        line = rows.line_num
        prompt_id, name = (row.get("prompt_id") or "").strip(), (row.get("file") or "").strip()
        if not prompt_id or not name:
            raise ValueError(f"line {line} lacks a prompt_id or a file")
        key = (prompt_id, (row.get("voice") or "").strip())
        path = index.parent / name
        if not path.resolve().is_relative_to(root):
            raise ValueError(f"line {line} names a file outside the folder")
        if not path.is_file():
            raise ValueError(f"line {line} names a file that is not there, {name}")
        if key in found:
            raise ValueError(f"line {line} lists {' by '.join(filter(None, key))} a second time")
        found[key] = path
        if len(found) > MOST:
            raise ValueError(f"it lists more than {MOST:,} recordings")
    return found
