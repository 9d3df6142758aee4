"""Load what a checkpoint holds: from its own folder, without running code of its own, and with every weight."""

from __future__ import annotations

import contextlib
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

    with _in_words(checkpoint.path):
        model, found = kind.from_pretrained(
            str(checkpoint.path),
            local_files_only=True,
            trust_remote_code=False,
            use_safetensors=not checkpoint.pickled,
            weights_only=not checkpoint.runs_code,
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
def _in_words(path: Path) -> Iterator[None]:
    try:
        yield
    except EngineFault:
        raise
    except ImportError as error:
        words = " ".join(str(error).split())[:160]
        raise EngineFault("missing", f"The checkpoint {path} needs a package: {words}", "Install it.") from error
    except Exception as error:  # libraries raise what they like over a file that somebody else made
        if isinstance(error, MemoryError) or "memory" in str(error).lower():
            raise
        words = " ".join(str(error).split())[:160]
        raise EngineFault(
            "engine", f"The checkpoint {path} can't be loaded: {words}", "Get the checkpoint again."
        ) from error
