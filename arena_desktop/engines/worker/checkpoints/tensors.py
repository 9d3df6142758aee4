"""Small files of numbers beside a model (speaker embeddings, voice presets): read without running anything."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

from ..faults import EngineFault
from . import pickles

Arrays = dict[str, np.ndarray]


def read_arrays(file: Path) -> Arrays:
    """The arrays in an .npz, .npy, .safetensors or torch file (.pt, .pth, .bin), by name ("" for one without).
    EngineFault ``missing`` in words when it is none of them, is damaged, or would have to run code.
    """
    reader = _READERS.get(file.suffix.lower())
    if reader is None:
        raise EngineFault(
            "settings", f"{file} is no file of numbers.", f"It must end in one of {', '.join(sorted(_READERS))}."
        )
    if not file.is_file():
        raise EngineFault("missing", f"The file {file} is not there.", "Correct the path in the roster.")
    try:
        return reader(file)
    except EngineFault:
        raise
    except Exception as error:  # four libraries, each with its own exceptions for a bad file
        words = " ".join(str(error).split())[:120] or type(error).__name__
        raise EngineFault("missing", f"{file} can't be read: {words}", "Get the file again.") from error


def single_array(file: Path) -> np.ndarray:
    """The only array of a file; EngineFault when it holds several or none."""
    arrays = read_arrays(file)
    if len(arrays) != 1:
        raise EngineFault("missing", f"{file} holds {len(arrays)} arrays instead of one.", "Keep the wanted one alone.")
    return next(iter(arrays.values()))


def _npy(file: Path) -> Arrays:
    return {"": np.asarray(np.load(file, allow_pickle=False))}


def _npz(file: Path) -> Arrays:
    with zipfile.ZipFile(file):
        pass  # numpy would try a pickle for anything else
    with np.load(file, allow_pickle=False) as archive:
        return {name: np.asarray(archive[name]) for name in archive.files}


def _safetensors(file: Path) -> Arrays:
    from safetensors.torch import load_file

    return {name: tensor.float().numpy() for name, tensor in load_file(str(file)).items()}


def _torch(file: Path) -> Arrays:
    strange = pickles.strange_names(file)
    if strange:
        raise pickles.refusal(file, strange)
    import torch

    held = torch.load(file, map_location="cpu", weights_only=True)
    named = held if isinstance(held, dict) else {"": held}
    arrays = {str(name): value for name, value in named.items() if isinstance(value, torch.Tensor)}
    return {
        name: value.detach().float().numpy() if value.is_floating_point() else value.numpy()
        for name, value in arrays.items()
    }


_READERS: dict[str, Callable[[Path], Arrays]] = {
    ".npy": _npy,
    ".npz": _npz,
    ".safetensors": _safetensors,
    ".pt": _torch,
    ".pth": _torch,
    ".bin": _torch,
}
