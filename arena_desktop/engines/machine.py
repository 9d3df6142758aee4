"""The machine we run on, described for :mod:`arena_desktop.engines.placement`. Torch is looked at, never imported."""

import importlib.metadata
import os
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path

from arena_desktop.engines.placement import GB, MB, Gpu, Machine, Torch

ASK_DRIVER = ("--query-gpu=name,memory.total,driver_version", "--format=csv,noheader,nounits")


def describe() -> Machine:
    """Look at this machine; takes up to some seconds where an NVIDIA driver has to be asked."""
    return Machine(
        system=platform.system(),
        processor=platform.machine(),
        cores=os.cpu_count() or 1,
        memory=_memory(),
        gpus=_gpus(),
        torch=installed_torch(),
    )


def installed_torch() -> Torch | None:
    """The torch of this interpreter, from its metadata and its ``version.py``, read as text."""
    try:
        distribution = importlib.metadata.distribution("torch")
    except importlib.metadata.PackageNotFoundError:
        return None
    version = distribution.version
    try:
        text = Path(str(distribution.locate_file("torch/version.py"))).read_text(encoding="utf-8")
    except OSError:
        text = ""
    return Torch(version, cuda_of(version, text))


def cuda_of(version: str, version_file: str) -> str | None:
    """The CUDA version that a torch was built for: ``cuda = '13.0'`` in its version file, else the ``+cu130`` of its
    version.
    """
    stated = re.search(r"^cuda\b[^=\n]*=\s*(?:None|['\"]([\d.]+)['\"])", version_file, re.MULTILINE)
    if stated:
        return stated.group(1)
    local = re.search(r"\+cu(\d+)(\d)$", version)
    return f"{local.group(1)}.{local.group(2)}" if local else None


def _gpus() -> tuple[Gpu, ...]:
    tool = shutil.which("nvidia-smi")
    if tool is not None:
        try:
            answer = subprocess.run(
                [tool, *ASK_DRIVER], capture_output=True, text=True, timeout=10, check=True, stdin=subprocess.DEVNULL
            )
        except (OSError, subprocess.SubprocessError):
            return _gpus_by_files()  # a driver that is there but doesn't answer
        return gpus_of(answer.stdout)
    return _gpus_by_files()


def gpus_of(answer: str) -> tuple[Gpu, ...]:
    """The driver tool's answer to :data:`ASK_DRIVER`: ``name, MiB, driver`` a line."""
    found = []
    for line in answer.splitlines():
        parts = [part.strip() for part in line.split(",")]
        if len(parts) == 3:
            found.append(Gpu(parts[0], int(parts[1]) * MB if parts[1].isdigit() else 0, parts[2]))
    return tuple(found)


def _gpus_by_files() -> tuple[Gpu, ...]:
    """Without the driver's tool: Linux lists GPUs under /proc, Windows has the driver's library."""
    cards = Path("/proc/driver/nvidia/gpus")
    if cards.is_dir():
        return tuple(Gpu(_card_name(card), 0) for card in sorted(cards.iterdir()))
    system = os.environ.get("SystemRoot")  # noqa: SIM112  # Windows writes it so
    if sys.platform == "win32" and system and (Path(system) / "System32" / "nvcuda.dll").exists():
        return (Gpu("NVIDIA GPU", 0),)
    return ()


def _card_name(card: Path) -> str:
    try:
        found = re.search(r"^Model:\s*(.+)$", (card / "information").read_text(), re.MULTILINE)
    except OSError:
        found = None
    return found.group(1).strip() if found else "NVIDIA GPU"


def _memory() -> int:
    """RAM in bytes; 8 GB where the system doesn't say."""
    if sys.platform == "win32":
        return _windows_memory()
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGESIZE")
    except (ValueError, OSError):
        return 8 * GB


def _windows_memory() -> int:
    if sys.platform != "win32":
        raise AssertionError("asked only on Windows")
    import ctypes

    kilobytes = ctypes.c_ulonglong()
    if not ctypes.windll.kernel32.GetPhysicallyInstalledSystemMemory(ctypes.byref(kilobytes)):
        return 8 * GB
    return kilobytes.value * 1024
