"""Models in the form of sherpa-onnx, by its library (the optional extra ``sherpa``): VITS and Piper, Matcha, Kokoro,
Kitten, Supertonic, and ZipVoice and Pocket TTS, which clone a clip.

``files``: ``{path: FOLDER}``, the unpacked archive of a model. The kind is told by its files and the notes in them
(see ``sherpa/kinds.py``), or by ``settings: {kind: …}``; a file of another name or place by its role, for example
``vocoder: ../vocos-22khz-univ.onnx``. The library makes no phonemes any more: a model without a lexicon gets them from
our own front ends, English ones from hibari, others from espeak-ng.
``settings``: ``speed`` 0.5–2, ``speaker_id`` (a number, or a name of the model's list; a voice's id in the roster that
is such a number or name does the same), ``precision`` (``int8``: the quantised file where there are two), ``lang`` (a
language's tag, where the model speaks several), and by kind ``noise_scale``, ``noise_w``, ``length_scale``,
``num_steps``, ``temperature``, ``guidance_scale``, ``seed``.

The library draws noise from no seed of ours, but for Supertonic and Pocket: a take of the others can't be repeated to
the bit, unless the kind draws none (Kokoro, Kitten) or its noise is set to 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..faults import EngineFault
from ..sherpa.kinds import KINDS, Model, read_model
from ..sherpa.reading import Reading, missing_to_read, reading_of, tag_of
from ..speech import packages
from ..speech.clip import read_clip
from ..speech.onnx_session import threads
from ..speech.options import known_only, number, seed_of, unknown
from ..speech.places import place_of
from ..speech.sound import joined
from ..speech.text import cleaned, nothing_said
from ..speech.text_split import split_sentences

LONGEST = 190
"""Phonemes, or characters of a model that reads text, in one run: the library cuts what is longer as it likes."""
CLIP_RATE = 24000
#: Settings that are numbers: the range of each.
_RANGES = {
    "noise_scale": (0.0, 2.0), "noise_w": (0.0, 2.0), "length_scale": (0.3, 4.0), "guidance_scale": (0.0, 10.0),
    "temperature": (0.0, 2.0), "num_steps": (1, 64),
}  # fmt: skip


class Engine:
    """Speaks with one model of sherpa-onnx."""

    NAME = "sherpa_onnx"

    def __init__(self, files: dict[str, Any], settings: dict[str, Any], search: list[str]) -> None:
        self._files = dict(files)
        self._place = place_of(files, search)
        self._settings = dict(settings)
        self._tts: Any = None
        self._model: Model | None = None
        self._readings: dict[str, Reading] = {}

    def check(self) -> list[dict[str, str]]:
        missing = packages.missing("sherpa_onnx")
        try:
            model = self._read()
            missing += unknown(self._settings, model.kind.settings(), f"a {model.kind.name} model")
            self._options(model, self._settings)
            missing += missing_to_read(model, self._tag(model, self._settings, None))
        except EngineFault as fault:
            missing.append(
                {"what": f"a model that sherpa-onnx can speak with: {fault.message}", "remedy": fault.remedy}
            )
        return missing

    def version(self) -> str:
        return packages.versions("sherpa_onnx")

    def weight_files(self) -> list[str]:
        try:
            return [str(file) for file in self._read().files.values()]
        except EngineFault:
            return []

    def check_voice(self, voice: dict[str, Any]) -> None:
        self._speaker(self._read(), self._settings, voice)

    def reference_files(self, voice: dict[str, Any] | None) -> list[str]:
        audio = (voice or {}).get("audio")
        return [str(audio)] if audio else []

    def clip_needs(self) -> dict[str, Any]:
        """ZipVoice goes on from the words of the clip; all but it and Pocket TTS have voices of their own."""
        try:
            kind = self._read().kind.name
        except EngineFault:
            return {}
        return {"clones": kind in ("zipvoice", "pocket"), "transcript": kind == "zipvoice"}

    def takes(self) -> int:
        """As the kind draws noise: a Kokoro never does, a VITS not when its noise is set to 0."""
        try:
            model = self._read()
            drawn = [value for name, value in self._options(model, self._settings).items() if "noise" in name]
        except EngineFault:
            return 1
        return 3 if model.kind.samples and (not drawn or any(drawn)) else 1

    def languages(self) -> list[str]:
        """The tag of the model's language as the settings or its notes tell it; [] where they don't."""
        try:
            language = self._tag(self._read(), self._settings, None)
        except EngineFault:
            return []
        return [language] if language else []

    def load(self, device: str) -> dict[str, str]:
        for entry in packages.missing("sherpa_onnx"):
            raise EngineFault("missing", f"This engine lacks {entry['what']}.", entry["remedy"])
        import sherpa_onnx

        model = self._read()
        kind = model.kind
        known_only(self._settings, kind.settings(), f"a {kind.name} model")
        given: dict[str, Any] = {role: str(file) for role, file in model.files.items()}
        given.update(self._options(model, self._settings))
        part = getattr(sherpa_onnx, kind.config)(**given)
        whole = sherpa_onnx.OfflineTtsModelConfig(
            **{kind.slot: part}, num_threads=threads(), provider="cpu", debug=False
        )
        config = sherpa_onnx.OfflineTtsConfig(model=whole, max_num_sentences=1)
        if not config.validate():
            raise EngineFault(
                "settings",
                f"sherpa-onnx does not take the {kind.name} model in {self._place}.",
                "The log of the speech process has its words.",
            )
        self._tts = sherpa_onnx.OfflineTts(config)
        self._model = model
        smaller = any("int8" in file.name for file in model.files.values())
        return {"device": "cpu", "dtype": "int8" if smaller else "float32"}

    def speak(
        self, text: str, voice: dict[str, Any] | None, settings: dict[str, Any], take: int
    ) -> tuple[np.ndarray, int]:
        model = self._model
        if self._tts is None or model is None:
            raise EngineFault("engine", "sherpa-onnx was asked to speak before it was loaded.")
        chosen = {**self._settings, **settings}
        known_only(chosen, model.kind.settings(), f"a {model.kind.name} model")
        how = self._how(model, voice, chosen, take)
        reading = self._reading(model, self._tag(model, chosen, voice))
        spoken = []
        rate = int(self._tts.sample_rate)
        for part in split_sentences(reading.prepared(cleaned(text)), lambda piece: reading.size(piece) <= LONGEST):
            if not reading.audible(part.text):
                continue
            how.phoneme_codepoints = reading.codepoints(part.text)
            audio = self._tts.generate("" if how.phoneme_codepoints else part.text, how)
            sound = np.asarray(audio.samples, np.float32)
            if sound.size and np.any(sound):
                rate = int(audio.sample_rate)
                spoken.append((sound, part.pause))
        if not spoken:
            raise nothing_said("This model")
        return joined(spoken, rate), rate

    def close(self) -> None:
        self._tts = None
        self._model = None
        self._readings.clear()

    def _reading(self, model: Model, tag: str) -> Reading:
        if tag not in self._readings:
            self._readings[tag] = reading_of(model, tag)
        return self._readings[tag]

    def _tag(self, model: Model, chosen: dict[str, Any], voice: dict[str, Any] | None) -> str:
        speakers = model.speakers()
        number = self._speaker(model, chosen, voice)
        return tag_of(model, chosen.get("lang"), speakers[number] if number < len(speakers) else "")

    def _how(self, model: Model, voice: dict[str, Any] | None, chosen: dict[str, Any], take: int) -> Any:
        """The library's description of one reading."""
        import sherpa_onnx

        how = sherpa_onnx.GenerationConfig()
        how.speed = number(chosen, "speed", 1.0, 0.5, 2.0)
        how.sid = self._speaker(model, chosen, voice)
        extra = {"lang": str(chosen["lang"])} if chosen.get("lang") else {}
        for name in model.kind.extra:
            if chosen.get(name) is None:
                continue
            value = number(chosen, name, 0.0, *_RANGES[name])
            if name == "num_steps":
                how.num_steps = int(value)
            else:
                extra[name] = str(value)
        if model.kind.seeded:
            extra["seed"] = str(seed_of(chosen, take) % (2**31 - 1))
        how.extra = extra
        if model.kind.clones:
            self._clone(model, how, voice)
        return how

    @staticmethod
    def _clone(model: Model, how: Any, voice: dict[str, Any] | None) -> None:
        audio = (voice or {}).get("audio")
        if not audio:
            raise EngineFault(
                "settings",
                f"A {model.kind.name} model speaks in the voice of a clip, and this voice has none.",
                "Write voices: [{id: NAME, audio: CLIP.wav, transcript: …}].",
            )
        if model.kind.name == "zipvoice" and not (voice or {}).get("transcript"):
            raise EngineFault("settings", "ZipVoice needs the words of the clip.", "Write transcript: beside audio:.")
        how.reference_audio = read_clip(str(audio), CLIP_RATE)
        how.reference_sample_rate = CLIP_RATE
        how.reference_text = str((voice or {}).get("transcript") or "")

    @staticmethod
    def _options(model: Model, chosen: dict[str, Any]) -> dict[str, float]:
        """What goes into the configuration, under the library's names."""
        return {
            theirs: number(chosen, ours, usual, *_RANGES[ours]) for ours, (theirs, usual) in model.kind.options.items()
        }

    @staticmethod
    def _speaker(model: Model, chosen: dict[str, Any], voice: dict[str, Any] | None) -> int:
        names, count = model.speakers(), model.count()
        wanted = chosen.get("speaker_id")
        if wanted is None and voice and (str(voice.get("id")) in names or str(voice.get("id")).isdecimal()):
            wanted = voice["id"]
        if wanted is None:
            return 0
        found = names.index(wanted) if wanted in names else wanted
        if isinstance(found, str) and found.isdecimal():
            found = int(found)
        if isinstance(found, bool) or not isinstance(found, int) or not 0 <= found < max(1, count or 1000):
            listed = f" or one of {', '.join(names[:8])}" if names else ""
            raise EngineFault(
                "settings",
                f"This model has {max(1, count)} speaker{'s' if count > 1 else ''}, and speaker_id is {wanted!r}.",
                f"Write a number from 0 to {max(1, count) - 1}{listed}.",
            )
        return found

    def _read(self) -> Model:
        if self._place is None:
            raise EngineFault("missing", "No folder is named.", "Write files: {path: FOLDER}.")
        kind = self._settings.get("kind")
        return read_model(
            self._place, self._files, None if kind is None else str(kind), str(self._settings.get("precision") or "")
        )


def kinds() -> tuple[str, ...]:
    """The kinds of model that can be spoken with."""
    return tuple(kind.name for kind in KINDS)
