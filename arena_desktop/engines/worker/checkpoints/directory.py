"""What a checkpoint folder holds, told without torch: is it one, of which architecture, are its weights whole and
safe to load.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..faults import EngineFault
from . import pickles

#: Pickles that transformers itself has no name for.
_FOREIGN = ("*.pt", "*.pth", "*.ckpt", "*.pkl", "*.bin")
_SUPPORTING = ("*.json", "*.model", "*.txt", "*.jinja")
_MOST_HEADER = 100_000_000


@dataclass(frozen=True)
class Checkpoint:
    """A folder that was looked at: ``model_type`` and ``config`` are those of its config.json, ``weights`` the files
    that will be loaded: safetensors, or pickles if ``pickled``. ``runs_code``: a pickle that torch's weights-only
    loader refuses, and that the roster allows all the same.
    """

    path: Path
    model_type: str
    config: dict[str, Any]
    weights: tuple[Path, ...]
    pickled: bool = False
    runs_code: bool = False

    def files(self) -> list[Path]:
        """Everything that decides how it sounds: weights, configuration, vocabularies."""
        supporting = {file for pattern in _SUPPORTING for file in self.path.glob(pattern) if file.is_file()}
        return sorted({*self.weights, *supporting})


def read_checkpoint(path: Path, known_types: Sequence[str], *, allow_pickle: bool = False) -> Checkpoint:
    """The checkpoint in ``path``. Raises EngineFault with words for anything that is none, is of another type than
    ``known_types``, or is not safe to load (``allow_pickle``: pickles that run code are taken too).
    """
    config = read_config(path)
    model_type = str(config.get("model_type") or "")
    if model_type not in known_types:
        raise EngineFault("settings", *_unknown(path, model_type, config, known_types))
    weights, pickled = _weights(path, config)
    runs_code = False
    if pickled:
        runs_code = any(_needs_more(file, allow_pickle) for file in weights)
    else:
        for file in weights:
            _check_whole(file)
    return Checkpoint(path, model_type, config, weights, pickled, runs_code)


def read_config(path: Path) -> dict[str, Any]:
    """config.json of the checkpoint folder ``path``; EngineFault in words when there is none."""
    if not path.is_dir():
        what = "is a file" if path.is_file() else "is not there"
        raise EngineFault(
            "missing",
            f"The checkpoint folder {path} {what}.",
            "Name the folder that holds config.json and model.safetensors: files: {path: FOLDER}.",
        )
    file = path / "config.json"
    if not file.is_file():
        raise EngineFault(
            "missing",
            f"{path} is no checkpoint: it has no config.json.",
            "Name the folder itself, not the one around it; or get the whole checkpoint again.",
        )
    config = read_json(file)
    if not isinstance(config, dict):
        raise EngineFault("missing", f"{file} is not the configuration of a model.", "Get the checkpoint again.")
    return config


def read_json(file: Path) -> Any:
    """What a JSON file of a checkpoint holds; EngineFault in words when it can't be read."""
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise EngineFault("missing", f"{file} can't be read ({error}).", "Get the checkpoint again.") from error


def _unknown(path: Path, model_type: str, config: dict[str, Any], known_types: Sequence[str]) -> tuple[str, str]:
    known = ", ".join(known_types)
    if "auto_map" in config:
        return (
            f"The checkpoint {path} wants to run Python code of its own, which this program never does.",
            f"Use a checkpoint of one of {known}, or write engine: command with the model's own program.",
        )
    named = f"of the type {model_type}" if model_type else "of no named type"
    return f"The checkpoint {path} is {named}.", f"Here one of these is needed: {known}."


def _weights(path: Path, config: dict[str, Any]) -> tuple[tuple[Path, ...], bool]:
    """The files that transformers will load, and whether they are pickles."""
    named = config.get("transformers_weights")
    if named is not None and named not in ("model.safetensors", "model.safetensors.index.json"):
        raise EngineFault(
            "missing",
            f"{path / 'config.json'} names weights of its own ({named}).",
            "Get a checkpoint with model.safetensors.",
        )
    for single, index, pickled in (
        ("model.safetensors", "model.safetensors.index.json", False),
        ("pytorch_model.bin", "pytorch_model.bin.index.json", True),
    ):
        if named != index and (path / single).is_file():
            return (path / single,), pickled
        if (path / index).is_file():
            return tuple(_shards(path / index)), pickled
    foreign = sorted(file.name for pattern in _FOREIGN for file in path.glob(pattern))
    if foreign:
        raise EngineFault(
            "missing",
            f"{path} has {foreign[0]}, but no model.safetensors and no pytorch_model.bin.",
            "That file is of another program: use its own engine, or get the checkpoint for transformers.",
        )
    raise EngineFault("missing", f"{path} has no model.safetensors.", "Get the checkpoint again, weights included.")


def _needs_more(file: Path, allow_pickle: bool) -> bool:
    """Whether a pickle needs more than torch's weights-only loader; EngineFault unless that is allowed."""
    strange = pickles.strange_names(file)
    if strange and not allow_pickle:
        raise pickles.refusal(file, strange)
    return bool(strange)


def _shards(index: Path) -> list[Path]:
    try:
        names = sorted(set(json.loads(index.read_text(encoding="utf-8"))["weight_map"].values()))
        shards = [index.parent / name for name in names if Path(name).name == name]
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise EngineFault("missing", f"{index} can't be read ({error}).", "Get the checkpoint again.") from error
    missing = [file.name for file in shards if not file.is_file()]
    if missing or not shards or len(shards) != len(names):
        lacking = missing[0] if missing else "a part that its index names"
        raise EngineFault("missing", f"{index.parent} lacks {lacking}.", "Get the checkpoint again, weights included.")
    ending = ".safetensors" if ".safetensors" in index.name else ".bin"
    odd = next((file.name for file in shards if file.suffix != ending), None)
    if odd is not None:  # the loader chooses by the ending: a pickle must not come in as a part of safe weights
        raise EngineFault("missing", f"{index} names {odd}, which is no {ending} file.", "Get the checkpoint again.")
    return shards


def _check_whole(file: Path) -> None:
    """A download that broke off, or a pointer left by git in place of the file, is told by the sizes in the header."""
    size = file.stat().st_size
    try:
        with file.open("rb") as stream:
            length = int.from_bytes(stream.read(8), "little")
            if not 2 <= length <= min(size - 8, _MOST_HEADER):
                raise ValueError("the header does not fit into the file")
            header = json.loads(stream.read(length))
        if not isinstance(header, dict):
            raise ValueError("the header is no table of tensors")
        ends = [int(entry["data_offsets"][1]) for name, entry in header.items() if name != "__metadata__"]
        if 8 + length + max(ends, default=0) != size:
            raise ValueError(f"it should have {8 + length + max(ends, default=0)} bytes and has {size}")
    except (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError) as error:
        raise EngineFault("missing", f"The weights {file} are not whole: {error}.", "Get the file again.") from error
