"""Kokoro-82M in PyTorch, from a folder as the hub has it: config.json, one ``kokoro-*.pth``, ``voices/NAME.pt``.

``files``: ``{path: FOLDER, voice: af_heart}``. A voice is a style's name, by default the one of ``files``; several
joined by commas (``af_heart,af_bella``) are blended evenly. Its first letter is its language: a, b: American, British
English (hibari's front end); e, f, h, i, p: Spanish, French, Hindi, Italian, Portuguese (espeak-ng, where
espeakng-loader is installed). Japanese and Chinese need front ends that fetch their dictionaries, and are refused.
``settings``: ``speed`` 0.5–2. Another take differs in noise only.
"""

from __future__ import annotations

import importlib
import importlib.machinery
import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

import numpy as np

from ..faults import EngineFault
from ..speech import packages
from ..speech.model_folder import lacking, open_weights, unnamed
from ..speech.options import number
from ..speech.phonemes import front_end
from ..speech.places import place_of
from ..speech.text_split import Part, split_text
from ..speech.torch_engine import TorchEngine

LONGEST = 510
STYLE_SHAPE = (510, 1, 256)
ESPEAK_VOICES = {"e": "es", "f": "fr-fr", "h": "hi", "i": "it", "p": "pt-br"}


class Engine(TorchEngine):
    """Speaks with Kokoro-82M in PyTorch."""

    NAME = "kokoro_torch"
    TITLE = "Kokoro (PyTorch)"
    RECIPE = "kokoro-torch"
    MODULES: ClassVar[dict[str, str]] = {
        "kokoro": "kokoro",
        "torch": "torch",
        "transformers": "transformers",
        "loguru": "loguru",
        "attr": "attrs",
        "hibari": "hibari-tts",
    }
    SETTINGS = ("speed",)
    TAKES = 1

    def __init__(self, files: dict[str, Any], settings: dict[str, Any], search: list[str]) -> None:
        super().__init__(files, settings, search)
        self._folder = place_of(files, search)
        self._voice = str(files.get("voice") or "af_heart")
        self._styles: dict[str, Any] = {}
        self._phonemes: Any = None
        self._style: Any = None

    def problems(self) -> list[dict[str, str]]:
        if self._folder is None:
            return unnamed("the folder of a Kokoro model", "files: {path: FOLDER}")
        missing = lacking(self._folder, "config.json")
        if missing:
            return missing
        self._vocabulary()
        names = _styles_in(self._voice)
        missing += lacking(self._folder, *(f"voices/{name}.pt" for name in names))
        if self._weights() is None:
            what = f"the weights of Kokoro: one file kokoro-*.pth in {self._folder}"
            missing.append({"what": what, "remedy": "Get the whole model again."})
        return missing + self._language_problem(names[0])

    def model_files(self) -> list[Any]:
        if self._folder is None:
            return []
        files = [self._folder / "config.json", self._weights()]
        files += [self._folder / "voices" / f"{name}.pt" for name in _styles_in(self._voice)]
        return [file for file in files if file is not None and file.is_file()]

    def open(self, device: str, dtype: str) -> Any:
        folder, weights = self._folder, self._weights()
        assert folder is not None
        assert weights is not None
        open_weights(weights)  # refuses in words what the class below would stumble over
        network = _network().KModel(repo_id="local", config=str(folder / "config.json"), model=str(weights))
        self.rate = 24000
        return network.to(device).eval()

    def ready(self, voice: dict[str, Any] | None, settings: dict[str, Any]) -> None:
        names = _styles_in(str((voice or {}).get("id") or self._voice))
        for problem in self._language_problem(names[0]):
            raise EngineFault("missing", f"{self.TITLE} lacks {problem['what']}.", problem["remedy"])
        styles = [self._style_of(name) for name in names]
        self._style = sum(styles[1:], styles[0]) / len(styles)
        self._phonemes = _reader(names[0][0])

    def parts(self, text: str) -> list[Part]:
        known: dict[str, int] = {}

        def short(piece: str) -> bool:
            if piece not in known:
                known[piece] = len(self._said(piece))
            return known[piece] <= LONGEST

        return split_text(self._phonemes.prepared(text), short)

    def say(self, text: str, voice: dict[str, Any] | None, settings: dict[str, Any]) -> np.ndarray | None:
        said = self._said(text)[:LONGEST]
        if not any(char.isalpha() for char in said):
            return None
        speed = number(settings, "speed", 1.0, 0.5, 2.0)
        return np.asarray(self.model(said, self._style[len(said) - 1], speed).float().numpy(), np.float32)

    def close(self) -> None:
        super().close()
        self._styles.clear()
        self._phonemes = self._style = None

    def _said(self, text: str) -> str:
        return "".join(char for char in self._phonemes.kokoro(text) if char in self.model.vocab)

    def check_voice(self, voice: dict[str, Any]) -> None:
        for name in _styles_in(str(voice.get("id") or self._voice)):
            self._style_file(name)

    def _style_file(self, name: str) -> Path:
        assert self._folder is not None
        for problem in lacking(self._folder, f"voices/{name}.pt"):
            raise EngineFault("missing", f"Kokoro can't speak as {name}: {problem['what']} is not there.")
        return self._folder / "voices" / f"{name}.pt"

    def _style_of(self, name: str) -> Any:
        if name not in self._styles:
            import torch

            file = self._style_file(name)
            style = open_weights(file)
            if not isinstance(style, torch.Tensor) or tuple(style.shape) != STYLE_SHAPE:
                raise EngineFault("missing", f"{file} is no style of Kokoro.", "Get the file again.")
            self._styles[name] = style.float().to(self.device)
        return self._styles[name]

    def _weights(self) -> Path | None:
        found = sorted(self._folder.glob("kokoro-*.pth")) if self._folder is not None else []
        return found[0] if len(found) == 1 else None

    def _vocabulary(self) -> None:
        assert self._folder is not None
        file = self._folder / "config.json"
        try:
            config = json.loads(file.read_text(encoding="utf-8"))
            sound = isinstance(config["vocab"], dict) and "istftnet" in config and "plbert" in config
        except (OSError, ValueError, KeyError, TypeError):
            sound = False
        if not sound:
            raise EngineFault("missing", f"{file} is not the configuration of Kokoro", "Get the whole model again.")

    @staticmethod
    def _language_problem(name: str) -> list[dict[str, str]]:
        letter = name[0]
        if letter in "ab":
            return []
        if letter not in ESPEAK_VOICES:
            what = f"a front end for the language of the style {name}"
            return [{"what": what, "remedy": "Use a style whose name begins with a, b, e, f, h, i or p."}]
        if packages.there("espeakng_loader"):
            return []
        return [{"what": f"the package espeakng-loader, which reads the language of {name}",
                 "remedy": f"Run: {packages.pip_install(packages.PINS['espeakng_loader'])}"}]  # fmt: skip


class _ByEspeak:
    """Phonemes of the languages that Kokoro learned from espeak-ng."""

    def __init__(self, voice: str) -> None:
        from ..speech.espeak_phonemes import EspeakPhonemes

        self._reader = EspeakPhonemes(voice)

    def prepared(self, text: str) -> str:
        return text

    def kokoro(self, text: str) -> str:
        return self._reader.kokoro(text)


def _reader(letter: str) -> Any:
    return front_end(british=letter == "b") if letter in "ab" else _ByEspeak(ESPEAK_VOICES[letter])


def _styles_in(written: str) -> list[str]:
    names = [name.strip() for name in written.split(",") if name.strip()]
    if not names or not all(name.replace("_", "").isalnum() for name in names):  # names, never paths
        raise EngineFault("settings", f"Kokoro has no voice {written!r}.", "Write a style's name, such as af_heart.")
    return names


def _network() -> ModuleType:
    """The module ``kokoro.model``, without running ``kokoro/__init__.py``: that imports a front end of a gigabyte,
    which isn't used here.
    """
    if "kokoro" not in sys.modules:
        place = packages.folder("kokoro")
        assert place is not None
        shell = ModuleType("kokoro")
        shell.__path__ = [str(place)]
        shell.__spec__ = importlib.machinery.ModuleSpec("kokoro", None, is_package=True)
        sys.modules["kokoro"] = shell
    importlib.import_module("loguru").logger.disable("kokoro")  # it writes every text into the log
    return importlib.import_module("kokoro.model")
