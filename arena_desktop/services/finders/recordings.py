"""Folders of finished recordings: a list that names prompts, or files that are called like them."""

import csv
import io
from collections.abc import Callable
from itertools import islice
from pathlib import PurePath

from arena_desktop.services.finders.folder import Folder
from arena_desktop.services.finders.found import Found
from arena_desktop.store.bounded import read_bounded

SOUNDS = (".wav", ".flac", ".mp3", ".ogg")
LEAST = 2
"""So many files that are called like prompts make a folder of recordings."""
MOST_ROWS = 100_000


def recordings(folder: Folder, prompt_language: Callable[[str], str | None]) -> Found | None:
    """The recordings in ``folder``; ``prompt_language`` gives the language of a known prompt's id, None for an unknown
    one.
    """
    sounds = folder.ending(*SOUNDS)
    stems = _listed(folder) if "index.csv" in folder.files else [PurePath(name).stem for name in sounds]
    languages = [language for stem in stems if (language := prompt_language(stem)) is not None]
    if len(languages) < LEAST:
        return None
    spoken = max(sorted(set(languages)), key=languages.count)
    return Found(
        path=str(folder.path),
        kind="recordings",
        title=folder.title,
        engine="recordings",
        files={"path": str(folder.path)},
        language=(spoken,) if spoken else (),
        license=folder.card.license,
        size_bytes=folder.size(sounds),
    )


def _listed(folder: Folder) -> list[str]:
    try:
        data = read_bounded(folder.path / "index.csv", 4_000_000)
    except OSError:
        return []
    text = (data or b"").decode("utf-8-sig", "replace")
    try:
        rows = list(islice(csv.DictReader(io.StringIO(text)), MOST_ROWS))
    except csv.Error:
        return []
    return [row["prompt_id"].strip() for row in rows if isinstance(row.get("prompt_id"), str)]
