"""What is installed beside an engine, told from metadata and files alone; nothing is imported."""

from __future__ import annotations

import importlib.metadata
import re
import sys
from pathlib import Path
from typing import Any

ONNX_PACKAGES = {"onnxruntime-gpu": ["cuda"], "onnxruntime": ["mps"] if sys.platform == "darwin" else []}
"""The packages of onnxruntime, and the devices that each can use beside the processor."""


def installed() -> dict[str, Any]:
    """``{"torch": {"version", "cuda"} or None, "onnx_on": [device, …]}`` of this interpreter. ``cuda`` is the CUDA
    version that torch was built for, None for a build without.
    """
    devices = {device for package, found in ONNX_PACKAGES.items() if _there(package) for device in found}
    return {"torch": _torch(), "onnx_on": sorted(devices)}


def cuda_of(version: str, version_file: str) -> str | None:
    """The CUDA version that a torch was built for: ``cuda = '13.0'`` in its version file, else the ``+cu130`` of its
    version.
    """
    stated = re.search(r"^cuda\b[^=\n]*=\s*(?:None|['\"]([\d.]+)['\"])", version_file, re.MULTILINE)
    if stated:
        return stated.group(1)
    local = re.search(r"\+cu(\d+)(\d)$", version)
    return f"{local.group(1)}.{local.group(2)}" if local else None


def _torch() -> dict[str, Any] | None:
    try:
        distribution = importlib.metadata.distribution("torch")
    except importlib.metadata.PackageNotFoundError:
        return None
    version = distribution.version
    try:
        text = Path(str(distribution.locate_file("torch/version.py"))).read_text(encoding="utf-8")
    except OSError:
        text = ""
    return {"version": version, "cuda": cuda_of(version, text)}


def _there(package: str) -> bool:
    try:
        importlib.metadata.distribution(package)
    except importlib.metadata.PackageNotFoundError:
        return False
    return True
