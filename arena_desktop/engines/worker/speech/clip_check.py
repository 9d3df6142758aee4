"""What speaks against the clips of a model's voices, before any of them is cloned.

An engine may say what it wants of a clip: ``clip_needs()`` returns ``{"clones", "transcript", "longest_s"}``, each
optional: whether it clones at all (True), whether it must know what is said (False), and how many seconds it listens
to. Where it must know what is said, words beyond that would be taken for words of the clip.
"""

from __future__ import annotations

import functools
import math
from pathlib import Path
from typing import Any

from . import packages
from .clip import LONGEST_S, QUIETEST

SHORTEST_S = 1.0
RATES = range(4_000, 384_001)
"""Samples a second of what can be played as the reference."""
MOST_S = 60.0
"""So much of a clip can be played as the reference; no model listens to half of it."""

Entry = dict[str, str]


def lacking(engine: Any, voices: list[dict[str, Any]]) -> list[Entry]:
    """One entry for every voice whose clip can't be used, as ``Engine.check`` returns them."""
    with_clip = [voice for voice in voices if voice.get("audio")]
    if not with_clip:
        return []
    needs = engine.clip_needs() if hasattr(engine, "clip_needs") else {}
    found = (_fault(voice, needs) for voice in with_clip)
    return [entry for entry in found if entry is not None]


def _fault(voice: dict[str, Any], needs: dict[str, Any]) -> Entry | None:
    name, file = f"the voice {voice['id']}", Path(str(voice["audio"]))
    if not needs.get("clones", True):
        return _entry(f"a way to clone: {name} has a clip", "Write the voice without audio, or use another model.")
    if not _is_file(file):
        return _entry(f"the clip of {name}: {file} is not there", "Correct its audio in the roster, or put it there.")
    if needs.get("transcript") and not str(voice.get("transcript") or "").strip():
        return _entry(f"the words of the clip of {name}", "Write beside its audio what is said in it: transcript: …")
    if packages.missing("soundfile"):  # nothing is here to look at it with
        return None
    seconds, wrong = _look(file)
    if seconds < 0:
        return _entry(f"a clip of {name} that can be read: {file} can't", "Give a WAV, FLAC, OGG or MP3 file.")
    if seconds < SHORTEST_S:
        return _entry(
            f"a longer clip of {name}: it lasts {seconds:.1f} s", "Give 5 to 15 seconds of speech, without music."
        )
    most = float(needs.get("longest_s", LONGEST_S)) if needs.get("transcript") else MOST_S
    if seconds > most:
        return _entry(
            f"a shorter clip of {name}: it lasts {seconds:.1f} s, and {most:.0f} s is the most",
            "Cut it, and its transcript with it." if voice.get("transcript") else "Cut it to 5 to 15 seconds.",
        )
    if wrong:
        return _entry(f"a clip of {name} to clone: {file} {wrong}", "Give 5 to 15 seconds of speech, without music.")
    return None


def _is_file(file: Path) -> bool:
    try:
        return file.is_file()
    except OSError:  # a name that is too long, or a folder that may not be looked into
        return False


def _look(file: Path) -> tuple[float, str]:
    """How long it is, -1 for one that can't be read, and why it is nothing to clone, "" if it is something."""
    try:
        there = file.stat()
        return _looked_at(str(file), there.st_mtime_ns, there.st_size)
    except (RuntimeError, OSError):
        return -1.0, ""


@functools.lru_cache(maxsize=1000)
def _looked_at(file: str, changed_ns: int, size: int) -> tuple[float, str]:
    import soundfile

    with soundfile.SoundFile(file) as sound:
        rate, seconds = int(sound.samplerate), float(sound.frames) / float(sound.samplerate)
        if rate not in RATES:
            return seconds, f"has {rate} samples a second; {RATES[0]} to {RATES[-1]} will do"
        if seconds > MOST_S:  # is refused for that
            return seconds, ""
        loudest = 0.0
        for block in sound.blocks(blocksize=rate, dtype="float32", always_2d=True):
            loudest = max(loudest, float(abs(block.mean(axis=1)).max()))
            if not math.isfinite(loudest) or not math.isfinite(float(block.sum())):
                return seconds, "holds values that are not numbers"
    return seconds, "is silent" if loudest < QUIETEST else ""


def _entry(what: str, remedy: str) -> Entry:
    return {"what": what, "remedy": remedy}
