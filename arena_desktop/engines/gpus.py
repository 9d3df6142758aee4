"""NVIDIA GPUs, as the driver's own tool lists them, numbered as torch numbers them."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from arena_desktop.engines.machine_facts import MB, Gpu

FIELDS = ("name", "memory.total", "driver_version", "memory.free", "uuid", "compute_cap")
OLD_FIELDS = FIELDS[:-1]
"""Drivers before 510 don't know the last one, and refuse the whole question."""
DEVICE_ORDER = {"CUDA_DEVICE_ORDER": "PCI_BUS_ID"}
"""In an engine's environment: GPUs are numbered there as the driver's tool lists them."""
VISIBLE = "CUDA_VISIBLE_DEVICES"


def gpus() -> tuple[Gpu, ...]:
    """The GPUs, with what is free on them now; may take a second where there is a driver."""
    tool = shutil.which("nvidia-smi")
    if tool is None:
        return _by_files()
    for fields in (FIELDS, OLD_FIELDS):
        try:
            answer = subprocess.run(
                [tool, f"--query-gpu={','.join(fields)}", "--format=csv,noheader,nounits"],
                capture_output=True,
                text=True,
                timeout=10,
                check=True,
                stdin=subprocess.DEVNULL,
            )
        except subprocess.CalledProcessError:
            continue
        except (OSError, subprocess.SubprocessError):
            break
        return gpus_of(answer.stdout, os.environ.get(VISIBLE))
    return _by_files()  # a driver that is there but doesn't answer


def gpus_of(answer: str, visible: str | None = None) -> tuple[Gpu, ...]:
    """The tool's answer about :data:`FIELDS`, a line a GPU; a figure that it doesn't know is in brackets there.
    ``visible`` is what ``CUDA_VISIBLE_DEVICES`` says: torch sees those alone, in that order.
    """
    lines = [[part.strip() for part in line.split(",")] for line in answer.splitlines()]
    cards = [line for line in lines if len(line) in (len(FIELDS), len(OLD_FIELDS))]
    return tuple(_gpu(card, index) for index, card in enumerate(_seen(cards, visible)))


def _seen(cards: Sequence[list[str]], visible: str | None) -> list[list[str]]:
    if visible is None:
        return list(cards)
    found = []
    for word in (word.strip() for word in visible.split(",")):
        by_number = cards[int(word)] if word.isdigit() and int(word) < len(cards) else None
        card = by_number or next((card for card in cards if word and card[4].startswith(word)), None)
        if card is None:  # as CUDA does: what comes after a device that isn't there isn't seen either
            break
        found.append(card)
    return found


def _gpu(card: Sequence[str], index: int) -> Gpu:
    name, total, driver, free = card[:4]
    capability = re.fullmatch(r"(\d+)\.(\d+)", card[5]) if len(card) > 5 else None
    return Gpu(
        name,
        int(total) * MB if total.isdigit() else 0,
        driver,
        int(free) * MB if free.isdigit() else None,
        (int(capability[1]), int(capability[2])) if capability else None,
        index,
    )


def _by_files() -> tuple[Gpu, ...]:
    """Without the driver's tool: Linux lists GPUs under /proc, Windows has the driver's library."""
    cards = Path("/proc/driver/nvidia/gpus")
    if cards.is_dir():
        return tuple(Gpu(_card_name(card), 0, index=index) for index, card in enumerate(sorted(cards.iterdir())))
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
