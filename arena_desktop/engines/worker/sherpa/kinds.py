"""The kinds of model that sherpa-onnx speaks with: by which files a folder shows its kind, what the library is told.

One row of :data:`KINDS` a kind. A role is the library's own name for a file; its patterns are tried in order, and of
several files the plain one is taken before a quantised one, unless ``precision`` asks for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..faults import EngineFault
from ..speech.onnx_notes import notes_of

#: Pieces of a file's name that tell a smaller form of the same network.
_SMALLER = ("int8", "fp16", "quant", "q8", "uint8", "q4")


@dataclass(frozen=True)
class Kind:
    """``config`` is the library's class for this kind, ``slot`` its place in the model's configuration. ``files`` must
    be there, ``more`` may be. ``notes`` must stand in the file of the first role, else the library would end the
    process; ``model_type``: how that note of it begins. ``options``: settings that go into the configuration, with its
    name for each and the usual value. ``extra``: settings of each reading. ``samples``: it draws noise.
    """

    name: str
    slot: str
    config: str
    files: Mapping[str, tuple[str, ...]]
    more: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    model_type: tuple[str, ...] = ()
    options: Mapping[str, tuple[str, float]] = field(default_factory=dict)
    extra: tuple[str, ...] = ()
    seeded: bool = False
    clones: bool = False
    samples: bool = True

    def settings(self) -> tuple[str, ...]:
        """The settings that a roster may write for this kind."""
        seed = ("seed",) if self.seeded else ()
        return ("kind", "precision", "speed", "speaker_id", "lang", *self.options, *self.extra, *seed)


_ONNX = ("model*.onnx", "*.onnx")
_TOKENS = {"tokens": ("tokens.txt",)}
_LENGTH = {"length_scale": ("length_scale", 1.0)}

#: The first kind whose files are all there is the folder's, so the most particular stand first.
KINDS = (
    Kind(
        "pocket",
        "pocket",
        "OfflineTtsPocketModelConfig",
        {
            "lm_flow": ("lm_flow*.onnx",),
            "lm_main": ("lm_main*.onnx",),
            "encoder": ("encoder*.onnx",),
            "decoder": ("decoder*.onnx",),
            "text_conditioner": ("text_conditioner*.onnx",),
            "vocab_json": ("vocab.json",),
            "token_scores_json": ("token_scores.json",),
        },
        extra=("temperature", "num_steps"),
        seeded=True,
        clones=True,
    ),
    Kind(
        "supertonic",
        "supertonic",
        "OfflineTtsSupertonicModelConfig",
        {
            "duration_predictor": ("duration_predictor*.onnx",),
            "text_encoder": ("text_encoder*.onnx",),
            "vector_estimator": ("vector_estimator*.onnx",),
            "vocoder": ("vocoder*.onnx",),
            "tts_json": ("tts.json",),
            "unicode_indexer": ("unicode_indexer.bin",),
            "voice_style": ("voice*.bin",),
        },
        extra=("num_steps",),
        seeded=True,
    ),
    Kind(
        "zipvoice",
        "zipvoice",
        "OfflineTtsZipvoiceModelConfig",
        {
            "encoder": ("*encoder*.onnx",),
            "decoder": ("*decoder*.onnx",),
            "vocoder": ("vocos*.onnx", "*vocoder*.onnx"),
            **_TOKENS,
        },
        more={"lexicon": ("lexicon*.txt",)},
        options={"guidance_scale": ("guidance_scale", 1.0)},
        extra=("num_steps",),
        clones=True,
    ),
    Kind(
        "kitten",
        "kitten",
        "OfflineTtsKittenModelConfig",
        {"model": _ONNX, "voices": ("voices*.bin",), **_TOKENS},
        notes=("model_type", "sample_rate", "n_speakers", "has_espeak", "style_dim"),
        model_type=("kitten",),
        options=_LENGTH,
        samples=False,
    ),
    Kind(
        "kokoro",
        "kokoro",
        "OfflineTtsKokoroModelConfig",
        {"model": _ONNX, "voices": ("voices*.bin",), **_TOKENS},
        more={"lexicon": ("lexicon*.txt",)},
        notes=("sample_rate", "n_speakers", "has_espeak", "style_dim"),
        options=_LENGTH,
        samples=False,
    ),
    Kind(
        "matcha",
        "matcha",
        "OfflineTtsMatchaModelConfig",
        {
            "acoustic_model": ("model-steps*.onnx", "*matcha*.onnx", "acoustic*.onnx"),
            "vocoder": ("vocos*.onnx", "hifigan*.onnx", "*vocoder*.onnx"),
            **_TOKENS,
        },
        more={"lexicon": ("lexicon*.txt",)},
        notes=("sample_rate", "n_speakers", "use_eos_bos", "pad_id"),
        options={"noise_scale": ("noise_scale", 1.0), **_LENGTH},
    ),
    Kind(
        "vits",
        "vits",
        "OfflineTtsVitsModelConfig",
        {"model": _ONNX, **_TOKENS},
        more={"lexicon": ("lexicon*.txt",)},
        notes=("sample_rate", "n_speakers", "language", "comment"),
        options={"noise_scale": ("noise_scale", 0.667), "noise_w": ("noise_scale_w", 0.8), **_LENGTH},
    ),
)


@dataclass(frozen=True)
class Model:
    """A model on the disk: its kind, the file of each role, the notes in the file of the first."""

    kind: Kind
    files: Mapping[str, Path]
    notes: Mapping[str, str]

    def speakers(self) -> list[str]:
        """The names of its speakers in the order of their numbers, as far as the notes tell them."""
        return [name.strip() for name in self.notes.get("speaker_names", "").split(",") if name.strip()]

    def count(self) -> int:
        """How many speakers there are; 0 where the notes don't say."""
        number = self.notes.get("n_speakers", "")
        return int(number) if number.isdecimal() else 0

    def language(self) -> str:
        """The tag of its language where the notes tell one, else ""."""
        voice = self.notes.get("voice", "").strip().lower()
        return voice if voice.replace("-", "").isalnum() else ""

    def reads_phonemes(self) -> bool:
        """Whether it has to be given phonemes; else it finds its own, by a lexicon or letter by letter."""
        return "1" in (self.notes.get("has_espeak"), self.notes.get("use_espeak"))


def read_model(folder: Path, written: Mapping[str, Any], kind: str | None, precision: str) -> Model:
    """The model in ``folder``. ``written`` may name the file of a role (``vocoder: …``, relative to the folder),
    ``kind`` is one of :data:`KINDS` or None to tell it by the files. EngineFault says what is missing or wrong.
    """
    if not folder.is_dir():
        raise EngineFault("missing", f"The folder {folder} is not there.", "Correct the path.")
    if kind is not None and kind not in {one.name for one in KINDS}:
        raise EngineFault(
            "settings", f"The setting kind is {kind!r}.", f"Write one of: {', '.join(one.name for one in KINDS)}."
        )
    lacks: list[str] = []
    for one in KINDS:
        if kind is not None and one.name != kind:
            continue
        files, lacking = _roles(one, folder, written, precision)
        if lacking:
            lacks += lacking if kind is not None else []
            continue
        notes = _notes(next(iter(files.values()))) if one.notes else {}
        if kind is None and one.model_type and not notes.get("model_type", "").startswith(one.model_type):
            continue
        return _whole(one, files, notes)
    raise EngineFault(
        "missing",
        f"The folder {folder} holds no {kind or 'speaking'} model of sherpa-onnx"
        + (f": there is no {', no '.join(lacks)}." if lacks else "."),
        "Unpack the whole archive of the model, or name its files in `files`.",
    )


def _whole(kind: Kind, files: Mapping[str, Path], notes: Mapping[str, str]) -> Model:
    first = next(iter(files.values()))
    unsaid = [name for name in kind.notes if name not in notes]
    if unsaid:
        piper = first.with_name(first.name + ".json").is_file()
        raise EngineFault(
            "settings",
            f"{first} lacks the notes that sherpa-onnx reads ({', '.join(unsaid)}): it is in another form.",
            "It looks like a Piper voice: write engine: piper." if piper else "Get the model in sherpa-onnx's form.",
        )
    if notes.get("style_dim") and "voices" in files:
        _check_styles(files["voices"], notes)
    return Model(kind, files, notes)


def _check_styles(file: Path, notes: Mapping[str, str]) -> None:
    """The library ends the process for styles of another size."""
    try:
        wanted = 4 * int(notes["n_speakers"])
        for number in notes["style_dim"].split(","):
            wanted *= int(number)
    except ValueError as error:
        raise EngineFault("engine", f"The notes of this model are damaged ({error}).", "Get it again.") from error
    if file.stat().st_size != wanted:
        raise EngineFault(
            "engine",
            f"{file} has {file.stat().st_size} bytes, not the {wanted} of its model's speakers.",
            "Get it again.",
        )


def _roles(kind: Kind, folder: Path, written: Mapping[str, Any], precision: str) -> tuple[dict[str, Path], list[str]]:
    """The file of each role that is there; the patterns of those that are lacking."""
    found: dict[str, Path] = {}
    lacking = []
    for role, patterns in {**kind.files, **kind.more}.items():
        own = written.get(role)
        file = folder / str(own) if own else _best(folder, patterns, precision, found.values())
        if file is not None and file.is_file():
            found[role] = file
        elif role in kind.files:
            lacking.append(str(own or patterns[0]))
    return found, lacking


def _best(folder: Path, patterns: Iterable[str], precision: str, taken: Iterable[Path]) -> Path | None:
    used = set(taken)
    for pattern in patterns:
        files = [file for file in sorted(folder.glob(pattern)) if file not in used]
        wanted = [file for file in files if precision and precision in file.name.lower()]
        if files:
            return min(wanted or files, key=lambda file: (_is_smaller(file), file.name))
    return None


def _is_smaller(file: Path) -> bool:
    return any(word in file.name.lower() for word in _SMALLER)


def _notes(file: Path) -> dict[str, str]:
    try:
        return notes_of(file)
    except ValueError as error:
        raise EngineFault("engine", f"{file} can't be used: {error}.", "Get the model's files again.") from error
    except OSError as error:
        raise EngineFault(
            "missing", f"{file} can't be read: {error.strerror}.", "Get the model's files again."
        ) from error
