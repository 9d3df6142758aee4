"""Which files of a model are needed here. A repository often holds the same weights several times, for other
programs.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import PurePosixPath

from arena_desktop.domain.hub import HubFile

PICKLES = (".bin", ".pt", ".pth", ".ckpt", ".pkl", ".pickle", ".joblib")
"""Endings of files that may be pickles: opened carelessly they run what their maker wrote into them."""
_PRECISION = re.compile(r"[._-](fp16|bf16|fp32|q4|q4f16|q8|q8f16|int8|uint8|uint8f16|bnb4|quantized|4bit|8bit)$")

_TRAINING = re.compile(
    r"(optimizer|scheduler|rng_state\w*|scaler)\.(pt|pth|bin)|training_args\.bin|trainer_state\.json|events\.out\..*"
)
_CHECKPOINT = re.compile(r"checkpoint-\d+")


@dataclass(frozen=True)
class Picked:
    """A file, whether it is wanted, and why not (as a reason in a list). ``pickle``: it may be one."""

    file: HubFile
    wanted: bool
    why: str = ""
    pickle: bool = False


class _Around:
    """What else is there, by folder."""

    def __init__(self, files: Sequence[HubFile]) -> None:
        self._names = {PurePosixPath(file.path) for file in files}
        self.safe = {path.parent for path in self._names if path.suffix == ".safetensors"}
        self.weights = any(path.suffix in (".safetensors", ".pth", ".pt", ".bin") for path in self._names)
        self.flat_onnx = any(path.suffix == ".onnx" and path.parent.name != "onnx" for path in self._names)

    def has(self, path: PurePosixPath) -> bool:
        return path in self._names


def _hidden(path: PurePosixPath, around: _Around) -> bool:
    return any(part.startswith(".") for part in path.parts)


def _of_another_framework(path: PurePosixPath, around: _Around) -> bool:
    endings = (".h5", ".msgpack", ".ot", ".tflite", ".mlmodel", ".pb", ".nemo", ".engine", ".pte")
    folders = any(part.endswith((".mlpackage", ".mlmodelc")) or part == "openvino" for part in path.parts)
    return path.suffix in endings or folders or path.name.startswith("openvino_")


def _of_gguf(path: PurePosixPath, around: _Around) -> bool:
    return path.suffix in (".gguf", ".ggml")


def _code(path: PurePosixPath, around: _Around) -> bool:
    return path.suffix in (".py", ".pyc", ".pyx", ".so", ".dll", ".dylib", ".exe", ".sh", ".bat", ".js", ".whl", ".jar")


def _of_training(path: PurePosixPath, around: _Around) -> bool:
    folders = any(part in ("runs", "logs", "wandb") or _CHECKPOINT.fullmatch(part) for part in path.parts[:-1])
    return folders or _TRAINING.fullmatch(path.name) is not None


def _of_reading(path: PurePosixPath, around: _Around) -> bool:
    endings = (".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".mp4", ".webm", ".pdf", ".ipynb", ".html", ".csv")
    return path.suffix.lower() in endings


def _also_as_safetensors(path: PurePosixPath, around: _Around) -> bool:
    if path.suffix in PICKLES and around.has(path.with_suffix(".safetensors")):
        return True
    index = path.name.endswith((".bin.index.json", ".pth.index.json"))
    return (index or path.suffix == ".bin") and path.name.startswith("pytorch_model") and path.parent in around.safe


def _also_as_torch(path: PurePosixPath, around: _Around) -> bool:
    in_web_folder = "onnx" in path.parts[:-1] and not around.flat_onnx
    return in_web_folder and bool(around.safe)


def _other_precision(path: PurePosixPath, around: _Around) -> bool:
    if path.suffix not in (".onnx", ".safetensors", ".onnx_data", *PICKLES):
        return False
    found = _PRECISION.search(path.stem)
    return found is not None and around.has(path.with_name(path.stem[: found.start()] + path.suffix))


_NOT_NEEDED: tuple[tuple[str, Callable[[PurePosixPath, _Around], bool]], ...] = (
    ("of the repository itself", _hidden),
    ("for another framework", _of_another_framework),
    ("for another program (GGUF)", _of_gguf),
    ("code: nothing of a hub is ever run", _code),
    ("left from training", _of_training),
    ("a picture, a film or a table", _of_reading),
    ("the same weights are there as safetensors", _also_as_safetensors),
    ("the same weights are there for torch", _also_as_torch),
    ("the same weights are there in full precision", _other_precision),
)
"""Why a file may be left out, and how it is told; the first that fits is said."""


def pick(files: Sequence[HubFile], patterns: Sequence[str] = ()) -> tuple[Picked, ...]:
    """Every file, in order, with whether it is wanted. With ``patterns`` (``*``, ``?``, ``[…]`` against the whole path
    or the name alone) those that fit are, and nothing else.
    """
    around = _Around(files)
    return tuple(_picked(file, PurePosixPath(file.path), around, patterns) for file in files)


def _picked(file: HubFile, path: PurePosixPath, around: _Around, patterns: Sequence[str]) -> Picked:
    pickle = path.suffix.lower() in PICKLES
    if patterns:
        wanted = any(fnmatchcase(file.path, one) or fnmatchcase(path.name, one) for one in patterns)
        return Picked(file, wanted, "" if wanted else "not asked for", pickle)
    why = next((why for why, fits in _NOT_NEEDED if fits(path, around)), "")
    return Picked(file, not why, why, pickle)
