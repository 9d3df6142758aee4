"""Piper voices: VOICE.onnx with its description VOICE.onnx.json beside it, in any language."""

import re
from pathlib import Path
from typing import Any

from arena_desktop.domain.roster import Voice
from arena_desktop.harmless import one_line
from arena_desktop.services.finders.checkpoint import MOST_VOICES
from arena_desktop.services.finders.folder import Folder, text_of
from arena_desktop.services.finders.found import Found
from arena_desktop.services.finders.languages import code_of
from arena_desktop.store.bounded import read_bounded

_LICENSE = re.compile(r"^\W*licen[cs]e\W*:\s*(.+)$", re.IGNORECASE | re.MULTILINE)
_NAMED = re.compile(r"[a-z]{2,3}_[A-Z]{2}-(?P<name>.+)-(?P<quality>x_low|low|medium|high)")


def piper_voices(folder: Folder) -> list[Found]:
    """Every Piper voice in ``folder``."""
    return [found for name in folder.ending(".onnx") if (found := _voice(folder, name)) is not None]


def _voice(folder: Folder, name: str) -> Found | None:
    described = f"{name}.json"
    config = folder.json(described)
    if config is None or not isinstance(config.get("phoneme_id_map"), dict):
        return None
    stem = name[: -len(".onnx")]
    path = str(folder.path / name)
    named = _NAMED.fullmatch(stem)
    title = f"Piper {named['name']} ({named['quality'].replace('_', '-')})" if named else f"Piper {stem}"
    language = _language(config, stem)
    return Found(
        path=path,
        kind="Piper voice",
        title=title,
        engine="piper",
        files={"path": path},
        voices=_speakers(config),
        language=(language,) if language else (),
        license=_license(folder),
        size_bytes=folder.size([name, described]),
        source=folder.source,
        revision=folder.revision,
        variant=stem,
    )


def _language(config: dict[str, Any], stem: str) -> str:
    named, by_espeak = config.get("language"), config.get("espeak")
    told = text_of(named.get("code")) if isinstance(named, dict) else ""
    spoken = text_of(by_espeak.get("voice")) if isinstance(by_espeak, dict) else ""
    return code_of(told) or code_of(spoken[:5]) or code_of(spoken.partition("-")[0]) or code_of(stem.partition("-")[0])


def _speakers(config: dict[str, Any]) -> tuple[Voice, ...]:
    names = config.get("speaker_id_map")
    count = config.get("num_speakers")
    if isinstance(names, dict) and len(names) > 1:
        listed = [name for name in names if isinstance(name, str) and name == one_line(name)[:100] and name]
        return tuple(Voice(name) for name in listed[:MOST_VOICES])
    if isinstance(count, int) and not isinstance(count, bool) and count > 1:
        return tuple(Voice(str(number)) for number in range(min(count, MOST_VOICES)))
    return ()


def _license(folder: Folder) -> str:
    """What the voice's own card says, which Piper's voices have as MODEL_CARD."""
    try:
        data = read_bounded(Path(folder.path / "MODEL_CARD"), 65_536) if "MODEL_CARD" in folder.files else None
    except OSError:
        data = None
    said = _LICENSE.search((data or b"").decode("utf-8", "replace"))
    return one_line(said.group(1))[:200] if said is not None else folder.card.license
