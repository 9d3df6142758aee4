"""ONNX sessions as every adapter wants them: few threads, none of them spinning while it waits; on the GPU where
onnxruntime has one.
"""

from __future__ import annotations

import os
import secrets
from typing import Any

from ..faults import MEMORY_WORDS, EngineFault

#: What onnxruntime calls the devices that this program can name.
PROVIDERS = {"cuda": "CUDAExecutionProvider", "cpu": "CPUExecutionProvider"}


def threads() -> int:
    """How many threads an engine may use: 1 or 2 (more only heat the machine at one sentence)."""
    asked = os.environ.get("ARENA_WORKER_THREADS", "1")
    return min(2, max(1, int(asked))) if asked.isdigit() else 1


def onnx_session(model: bytes | str, device: str = "cpu") -> tuple[Any, str]:
    """An ``onnxruntime.InferenceSession`` for the bytes or the file of a model, and the device that it got.

    Any device but the CPU needs an onnxruntime that is built for it (``onnxruntime-gpu``); where it isn't, or can't use
    the card, the model runs on the CPU and the device says so. EngineFault ``engine`` for what is no model.
    """
    import onnxruntime

    name, _, index = device.partition(":")
    card = {"device_id": int(index)} if index.isdecimal() else {}
    on_card = name in ("cuda", "auto") and PROVIDERS["cuda"] in onnxruntime.get_available_providers()
    providers = [(PROVIDERS["cuda"], card)] if on_card else []
    options = _options(onnxruntime)
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        session = onnxruntime.InferenceSession(model, options, providers=[*providers, PROVIDERS["cpu"]])
    except Exception as error:  # onnxruntime has a class of exception for each way in which a file is no model
        if any(phrase in str(error).lower() for phrase in MEMORY_WORDS):
            raise
        named = "the model" if isinstance(model, bytes) else model
        raise EngineFault(
            "engine", f"onnxruntime can't read {named}: {str(error).splitlines()[0]}", "Get the model's files again."
        ) from error
    return session, "cuda" if PROVIDERS["cuda"] in session.get_providers() else "cpu"


def seeded_session(model: bytes | str, like: Any, seed: int) -> Any:
    """A session on the same device as ``like`` whose draws of noise follow from ``seed``. onnxruntime takes a seed only
    when a session is made, so one is made for each clip, without the optimisations that take most of that time.
    """
    import onnxruntime

    options = _options(onnxruntime)
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    onnxruntime.set_seed(seed)
    try:
        return onnxruntime.InferenceSession(
            model, options, providers=like.get_providers(), provider_options=list(like.get_provider_options().values())
        )
    finally:
        onnxruntime.set_seed(secrets.randbits(31))  # the seed is the process's: the next session draws freely again


def _options(onnxruntime: Any) -> Any:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads()
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return options
