"""What a weights file in torch's own format asks for, told without running it.

Such a file is a pickle: a little program that names functions and calls them. Torch's weights-only loader calls none
but its own few; it is what protects, at loading. This look beforehand only tells in good time, and in words, that it
will refuse.
"""

from __future__ import annotations

import pickletools
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from ..faults import EngineFault

#: What a file of weights needs: containers, and torch's ways to rebuild a tensor.
_PLAIN = frozenset(
    {"collections.OrderedDict", "torch.Size", "torch.device", "torch.nn.parameter.Parameter", "_codecs.encode"}
    | {f"torch._utils._rebuild_{kind}" for kind in ("tensor", "tensor_v2", "tensor_v3", "parameter")}
    | {"torch.serialization._get_layout", "torch.storage.UntypedStorage"}
)
_DAMAGE = (OSError, ValueError, zipfile.BadZipFile, EOFError, IndexError, KeyError, RuntimeError, OverflowError)
_MOST_BYTES = 64 * 2**20
_MOST_STEPS = 5_000_000
_LEGACY_PARTS = 4
"""Torch's format before 1.6 is several pickles in a row: a number, a version, the machine, and the weights."""


def strange_names(file: Path) -> list[str]:
    """Names that ``file`` asks for and that a file of weights has no need of, sorted; [] for none. EngineFault
    ``missing`` when it is no such file or is damaged.
    """
    found = set()
    try:
        for name in _names(file):
            if not _is_plain(name):
                found.add(name)
    except _DAMAGE as error:
        if not found:  # else it is refused for what it asked for before it broke off
            words = " ".join(str(error).split())[:120] or type(error).__name__
            raise EngineFault(
                "missing", f"The weights {file} are not whole: {words}.", "Get the file again."
            ) from error
    return sorted(found)


def refusal(file: Path, strange: list[str]) -> EngineFault:
    """The fault for a file that asks for ``strange`` names."""
    return EngineFault(
        "missing",
        f"The weights {file} are a pickle that calls {strange[0][:80]}; opening it could run any code.",
        "Get model.safetensors of the same model. If you trust its maker, files: {…, allow_pickle: true} opens it.",
    )


def _is_plain(name: str) -> bool:
    module, _, attribute = name.rpartition(".")
    return name in _PLAIN or (module == "torch" and (attribute.endswith("Storage") or attribute in _DTYPES))


_DTYPES = frozenset(
    {"float16", "float32", "float64", "bfloat16", "int8", "int16", "int32", "int64", "uint8", "bool", "complex64"}
)


def _names(file: Path) -> Iterator[str]:
    if zipfile.is_zipfile(file):
        with zipfile.ZipFile(file) as archive:
            inner = [entry for entry in archive.infolist() if entry.filename.endswith("data.pkl")]
            if len(inner) != 1:
                raise ValueError("it is an archive, but none that torch wrote")
            if inner[0].file_size > _MOST_BYTES:
                raise ValueError("its index is too large")
            with archive.open(inner[0]) as stream:
                yield from _globals(stream)
        return
    with file.open("rb") as stream:
        for _ in range(_LEGACY_PARTS):
            yield from _globals(stream)


def _globals(stream: IO[bytes]) -> Iterator[str]:
    """The names in one pickle. One put together from strings on the stack is told as well, as torch reads it."""
    strings: list[str] = []
    for step, (opcode, argument, _) in enumerate(pickletools.genops(stream)):
        if step > _MOST_STEPS:
            raise ValueError("its index is too long")
        if opcode.name in ("GLOBAL", "INST"):
            yield str(argument).replace(" ", ".", 1)
        elif opcode.name == "STACK_GLOBAL":
            yield ".".join(strings[-2:]) if len(strings) > 1 else "a name that it makes up"
        elif isinstance(argument, str):
            strings = [*strings[-1:], argument]
