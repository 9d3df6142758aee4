"""Which build of torch an environment gets: one for this machine, from an index that has it.

PyTorch keeps an index for each kind of build; whether it answers, and has this version for this Python, pip is asked
first, with little patience. Where it doesn't, the plain version is taken from wherever pip is set up to look.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from arena_desktop.domain.recipes import TORCH_FAMILY, Pin, Recipe, Torch

INDEX = "https://download.pytorch.org/whl"
CUDA_TAGS = ("cu130", "cu128", "cu126", "cu124", "cu121")
"""Builds for CUDA, the newest first: which of them a version of torch has, only the index knows."""


@dataclass(frozen=True)
class Build:
    """What pip is asked for: ``requirements`` with ``options``, and how to call it."""

    requirements: tuple[str, ...]
    options: tuple[str, ...]
    words: str


def family(recipe: Recipe) -> tuple[Pin, ...]:
    """The recipe's packages that come from one build of torch."""
    return tuple(pin for pin in recipe.packages if pin.name in TORCH_FAMILY)


def builds(recipe: Recipe, *, gpu: bool, system: str = sys.platform) -> tuple[Build, ...]:
    """The builds that would do, the best first; the last one needs no index of PyTorch's own."""
    pins = family(recipe)
    if not pins:
        return ()
    plain = Build(tuple(pin.text for pin in pins), (), "the build that pip's own index offers")
    if system == "darwin":
        return (plain,)
    wants_cuda = recipe.torch is Torch.CUDA or (recipe.torch is not Torch.CPU and gpu)
    if not wants_cuda:
        return (_tagged(pins, "cpu"), plain)
    if system == "win32":  # there the plain build has no CUDA
        return (*(_tagged(pins, tag) for tag in CUDA_TAGS), plain)
    return (plain,)


def _tagged(pins: Sequence[Pin], tag: str) -> Build:
    words = "the CPU build" if tag == "cpu" else f"the CUDA build ({tag})"
    requirements = tuple(pin.text.replace(f"=={pin.version}", f"=={pin.version}+{tag}", 1) for pin in pins)
    return Build(requirements, ("--index-url", f"{INDEX}/{tag}"), words)


def to_be_tried(builds: Sequence[Build], there: Callable[[Build], bool]) -> Iterator[Build]:
    """Those that are to be had, the best first; the last is taken unasked.

    One after the other: that pip finds torch doesn't say that the same index has all that torch needs.
    """
    for build in builds[:-1]:
        if there(build):
            yield build
    yield from builds[-1:]
