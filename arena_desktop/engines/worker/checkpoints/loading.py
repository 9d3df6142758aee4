"""Load what a checkpoint holds: from its own folder, without running code of its own, and with every weight."""

from __future__ import annotations

import contextlib
import pickle
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..faults import EngineFault
from .directory import Checkpoint


def load_model(kind: Any, checkpoint: Checkpoint, device: str, dtype: str = "float32") -> Any:
    """The model of class ``kind``, ready to speak, on ``device`` in ``dtype``. Weights that the file lacks would be
    random noise, so they are a fault.
    """
    import torch

    with _in_words(checkpoint.path), _as_the_library_takes_it(checkpoint) as folder:
        model, found = kind.from_pretrained(
            str(folder),
            local_files_only=True,
            trust_remote_code=False,
            use_safetensors=not checkpoint.pickled or checkpoint.runs_code,
            weights_only=True,
            dtype=getattr(torch, dtype),
            output_loading_info=True,
        )
    missing = sorted(found.get("missing_keys", ()))
    if missing:
        raise EngineFault(
            "missing",
            f"The checkpoint {checkpoint.path} lacks {len(missing)} of the model's weights, the first {missing[0]}.",
            "Get the checkpoint again, or the one that this configuration belongs to.",
        )
    return model.eval().to(device)


def load_part(kind: Any, path: Path, **options: Any) -> Any:
    """A tokenizer or feature extractor of class ``kind`` from the folder ``path``."""
    with _in_words(path):
        return kind.from_pretrained(str(path), local_files_only=True, trust_remote_code=False, **options)


@contextlib.contextmanager
def _as_the_library_takes_it(checkpoint: Checkpoint) -> Iterator[Path]:
    """The folder itself; for pickles that run code, and only those that the roster allows, a copy in safetensors: the
    library's own loader doesn't take them, whatever it is told.
    """
    if not checkpoint.runs_code:
        yield checkpoint.path
        return
    import torch
    from safetensors.torch import save_file

    held: dict[str, Any] = {}
    for file in checkpoint.weights:
        held |= torch.load(file, map_location="cpu", weights_only=False)
    tensors = {name: value.detach().clone() for name, value in held.items() if isinstance(value, torch.Tensor)}
    del held
    with tempfile.TemporaryDirectory(prefix="arena-weights-") as place:
        for file in set(checkpoint.files()) - set(checkpoint.weights):
            shutil.copyfile(file, Path(place) / file.name)
        save_file(tensors, str(Path(place) / "model.safetensors"), {"format": "pt"})
        tensors.clear()
        yield Path(place)


@contextlib.contextmanager
def _in_words(path: Path) -> Iterator[None]:
    try:
        yield
    except EngineFault:
        raise
    except ImportError as error:
        words = " ".join(str(error).split())[:160]
        raise EngineFault("missing", f"The checkpoint {path} needs a package: {words}", "Install it.") from error
    except pickle.UnpicklingError as error:
        raise EngineFault(
            "missing",
            f"Torch's weights-only loader refuses the weights of {path}: they ask for more than tensors.",
            "Get model.safetensors of the same model.",
        ) from error
    except Exception as error:  # libraries raise what they like over a file that somebody else made
        if isinstance(error, MemoryError) or "memory" in str(error).lower():
            raise
        words = " ".join(str(error).split())[:160]
        raise EngineFault(
            "engine", f"The checkpoint {path} can't be loaded: {words}", "Get the checkpoint again."
        ) from error
