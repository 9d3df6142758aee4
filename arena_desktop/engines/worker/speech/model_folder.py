"""What a model's folder lacks, as entries for ``Engine.check``; and files of weights that may be opened."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

from ..checkpoints import pickles


def lacking(folder: Path, *names: str) -> list[dict[str, str]]:
    """That ``folder`` is no folder, or each of ``names`` that it lacks."""
    if not folder.is_dir():
        what = "is a file, and a folder is wanted" if folder.is_file() else "is not there"
        return [{"what": f"the model's folder ({folder} {what})", "remedy": "Correct files: {path: FOLDER}."}]
    return [
        {"what": f"the file {folder / name}", "remedy": "Get the whole model again, or name the folder that has it."}
        for name in names
        if not (folder / name).is_file()
    ]


def unnamed(what: str, form: str) -> list[dict[str, str]]:
    """That the roster doesn't name ``what``; ``form`` is what to write."""
    return [{"what": what, "remedy": f"Write {form}."}]


def open_weights(file: Path, allowed: Collection[str] = ()) -> Any:
    """What a file in torch's own format holds, on the CPU, by its weights-only loader. EngineFault ``missing`` in words
    for one that asks for more, or is damaged. ``allowed``: plain classes that the loader was told of.
    """
    strange = [name for name in pickles.strange_names(file) if name not in allowed]
    if strange:
        raise pickles.refusal(file, strange)
    import torch

    return torch.load(file, map_location="cpu", weights_only=True)
