"""Load a model from a checkpoint: from its own folder, from safetensors, without code of its own, and with every
weight.
"""

from __future__ import annotations

from typing import Any

from ..faults import EngineFault
from .directory import Checkpoint


def load_model(kind: Any, checkpoint: Checkpoint, device: str) -> Any:
    """The model of class ``kind``, ready to speak, in float32 on ``device``. Weights that the file lacks would be
    random noise, so they are a fault.
    """
    import torch

    try:
        model, found = kind.from_pretrained(
            str(checkpoint.path),
            local_files_only=True,
            use_safetensors=True,
            dtype=torch.float32,
            output_loading_info=True,
        )
    except (OSError, ValueError, RuntimeError, TypeError) as error:
        if "memory" in str(error).lower():
            raise
        words = " ".join(str(error).split())[:160]
        raise EngineFault(
            "engine", f"The checkpoint {checkpoint.path} can't be loaded: {words}", "Get the checkpoint again."
        ) from error
    missing = sorted(found.get("missing_keys", ()))
    if missing:
        raise EngineFault(
            "missing",
            f"The checkpoint {checkpoint.path} lacks {len(missing)} of the model's weights, the first {missing[0]}.",
            "Get the checkpoint again, or the one that this configuration belongs to.",
        )
    return model.eval().to(device)
