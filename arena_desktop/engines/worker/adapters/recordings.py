"""Finished recordings, one a prompt: systems that can't run on this machine, and human speech as a reference.

``files``: ``{path: FOLDER}``, which holds ``PROMPT_ID.wav`` (``.flac``, ``.mp3``, ``.ogg``; any rate, any number of
channels), or an ``index.csv`` with the columns ``prompt_id``, ``file`` and, for several voices, ``voice``. No settings.
The model competes only on prompts that every voice of the folder has a recording of.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..faults import EngineFault
from ..programs.decoding import from_file
from ..recorded.index import Recordings, read_folder
from ..speech import packages
from ..speech.options import unknown
from ..speech.places import placed


class Engine:
    """Plays what was recorded."""

    NAME = "recordings"

    def __init__(self, files: dict[str, Any], settings: dict[str, Any], search: list[str]) -> None:
        self._path = placed(str(files["path"]), search) if files.get("path") else None
        self._settings = dict(settings)
        self._found: Recordings | None = None

    def check(self) -> list[dict[str, str]]:
        missing = unknown(self._settings, (), "recordings")
        try:
            self._read()
        except EngineFault as fault:
            missing.append({"what": fault.message, "remedy": fault.remedy})
        return missing + packages.missing("soundfile")

    def version(self) -> str:
        return "recordings"

    def weight_files(self) -> list[str]:
        """Every recording: another take of one is another competitor."""
        return sorted({str(path) for path in self._read().files.values()})

    def reference_files(self, voice: dict[str, Any] | None) -> list[str]:
        return []

    def prompts(self) -> list[str]:
        """The ids of the prompts on which the model competes."""
        return self._read().prompts()

    def load(self, device: str) -> dict[str, str]:
        self._found = self._read()
        return {"device": "cpu", "dtype": "float32"}

    def speak(
        self, text: str, voice: dict[str, Any] | None, settings: dict[str, Any], take: int
    ) -> tuple[np.ndarray, int]:
        prompt_id = str(settings.get("prompt_id") or "")
        recordings = self._found or self._read()
        path = recordings.find(prompt_id, str((voice or {}).get("id") or ""))
        if path is None:
            raise EngineFault(
                "text",
                f"There is no recording of this text in {recordings.folder}.",
                "Choose a prompt that was recorded.",
            )
        return from_file(path, f"The recording {path.name}")

    def close(self) -> None:
        self._found = None

    def _read(self) -> Recordings:
        if self._path is None:
            raise EngineFault("missing", "The model names no folder of recordings.", "Write files: {path: FOLDER}.")
        return read_folder(self._path)
