"""What a checkpoint folder holds, told without torch: is it one, of which architecture, are its weights whole and
safe to load.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..faults import EngineFault

#: Weights as pickles: loading one can run any code that its maker put in.
_PICKLES = ("*.bin", "*.pt", "*.pth", "*.ckpt", "*.pkl")
_SUPPORTING = ("*.json", "*.model", "*.txt")
_MOST_HEADER = 100_000_000


@dataclass(frozen=True)
class Checkpoint:
    """A folder that was looked at: ``model_type`` and ``config`` are those of its config.json, ``weights`` its
    safetensors files.
    """

    path: Path
    model_type: str
    config: dict[str, Any]
    weights: tuple[Path, ...]

    def files(self) -> list[Path]:
        """Everything that decides how it sounds: weights, configuration, vocabularies."""
        supporting = {file for pattern in _SUPPORTING for file in self.path.glob(pattern) if file.is_file()}
        return sorted({*self.weights, *supporting})


def read_checkpoint(path: Path, known_types: tuple[str, ...]) -> Checkpoint:
    """The checkpoint in ``path``. Raises EngineFault with words for anything that is none, or is not safe to load."""
    if not path.is_dir():
        what = "is a file" if path.is_file() else "is not there"
        raise EngineFault(
            "missing",
            f"The checkpoint folder {path} {what}.",
            "Name the folder that holds config.json and model.safetensors: files: {path: FOLDER}.",
        )
    config = _config(path)
    model_type = str(config.get("model_type") or "")
    if model_type not in known_types:
        raise EngineFault("settings", *_unknown(path, model_type, config, known_types))
    return Checkpoint(path, model_type, config, _weights(path))


def _config(path: Path) -> dict[str, Any]:
    file = path / "config.json"
    if not file.is_file():
        raise EngineFault(
            "missing",
            f"{path} is no checkpoint: it has no config.json.",
            "Name the folder itself, not the one around it; or get the whole checkpoint again.",
        )
    try:
        config = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise EngineFault("missing", f"{file} can't be read ({error}).", "Get the checkpoint again.") from error
    if not isinstance(config, dict):
        raise EngineFault("missing", f"{file} is not the configuration of a model.", "Get the checkpoint again.")
    return config


def _unknown(path: Path, model_type: str, config: dict[str, Any], known_types: tuple[str, ...]) -> tuple[str, str]:
    known = ", ".join(known_types)
    if "auto_map" in config:
        return (
            f"The checkpoint {path} wants to run Python code of its own, which this program never does.",
            f"Use a checkpoint of one of {known}, or write engine: command with the model's own program.",
        )
    named = f"of the type {model_type}" if model_type else "of no named type"
    return f"The checkpoint {path} is {named}.", f"This engine speaks with checkpoints of one of {known}."


def _weights(path: Path) -> tuple[Path, ...]:
    index = path / "model.safetensors.index.json"
    if index.is_file():
        files = _shards(index)
    elif (path / "model.safetensors").is_file():
        files = [path / "model.safetensors"]
    else:
        pickles = sorted(file.name for pattern in _PICKLES for file in path.glob(pattern))
        if pickles:
            raise EngineFault(
                "missing",
                f"The weights in {path} are only there as a pickle ({pickles[0]}), and opening one can run any code.",
                "Get model.safetensors of the same model, or convert the file on a machine that may run that code.",
            )
        raise EngineFault("missing", f"{path} has no model.safetensors.", "Get the checkpoint again, weights included.")
    for file in files:
        _check_whole(file)
    return tuple(files)


def _shards(index: Path) -> list[Path]:
    try:
        names = sorted(set(json.loads(index.read_text(encoding="utf-8"))["weight_map"].values()))
        shards = [index.parent / name for name in names if Path(name).name == name]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise EngineFault("missing", f"{index} can't be read ({error}).", "Get the checkpoint again.") from error
    missing = [file.name for file in shards if not file.is_file()]
    if missing or not shards or len(shards) != len(names):
        lacking = missing[0] if missing else "a part that its index names"
        raise EngineFault("missing", f"{index.parent} lacks {lacking}.", "Get the checkpoint again, weights included.")
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
        ends = [int(entry["data_offsets"][1]) for name, entry in header.items() if name != "__metadata__"]
        if 8 + length + max(ends, default=0) != size:
            raise ValueError(f"it should have {8 + length + max(ends, default=0)} bytes and has {size}")
    except (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
        raise EngineFault("missing", f"The weights {file} are not whole: {error}.", "Get the file again.") from error
