"""ONNX sessions as every adapter wants them: CPU, few threads, none of them spinning while it waits."""

from __future__ import annotations

import os
from typing import Any


def threads() -> int:
    """How many threads an engine may use: 1 or 2 (more only heat the machine at one sentence)."""
    asked = os.environ.get("ARENA_WORKER_THREADS", "1")
    return min(2, max(1, int(asked))) if asked.isdigit() else 1


def onnx_session(model: bytes | str) -> Any:
    """An ``onnxruntime.InferenceSession`` for the bytes or the file of a model."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads()
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
