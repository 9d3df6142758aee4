"""The voice of a clip, for engines that clone: the clip and what is said in it, or words that say what is missing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..faults import EngineFault

_FORM = "Write voices: [{id: NAME, audio: CLIP.wav, transcript: what is said in it}]."


def clip_of(voice: dict[str, Any] | None, whose: str) -> Path:
    """The clip of ``voice``. EngineFault ``settings`` for a voice without one, ``missing`` for one that isn't there."""
    written = (voice or {}).get("audio")
    if not written:
        name = (voice or {}).get("id")
        lacks = f"the voice {name} has none" if name else "no voice is named"
        raise EngineFault("settings", f"{whose} speaks in the voice of a clip, and {lacks}.", _FORM)
    file = Path(str(written))
    if not file.is_file():
        raise EngineFault("missing", f"The clip {file} is not there.", "Correct the voice's audio, or put it there.")
    return file


def kept_as(file: str) -> tuple[str, int, int]:
    """What an engine may keep under that it has learned from this clip: another file in its place is another clip."""
    found = Path(file).stat()
    return file, found.st_mtime_ns, found.st_size


def words_of(voice: dict[str, Any] | None, whose: str) -> str:
    """What is said in the clip of ``voice``; EngineFault ``settings`` when the roster doesn't tell."""
    words = " ".join(str((voice or {}).get("transcript") or "").split())
    if not words:
        raise EngineFault(
            "settings", f"{whose} needs to know what is said in the voice's clip: it has no transcript.", _FORM
        )
    return words
