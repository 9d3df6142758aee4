"""Where the files of a model lie: ``files`` of the roster as a path on this machine."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

_COMMIT = re.compile(r"[0-9a-f]{40}")


def from_home(path: str) -> Path:
    """``path`` with the home directory in the place of a leading ``~`` or ``~USER``; as it is where there is none."""
    return Path(os.path.expanduser(path))  # noqa: PTH111


def placed(written: str, search: Sequence[str]) -> Path:
    """A path of the roster; a relative one in the first of the folders ``search`` that has it."""
    path = from_home(written)
    places = [Path(place) / path for place in search]
    return next((place for place in places if place.exists()), places[0] if places else path)


def place_of(files: Mapping[str, Any], search: Sequence[str]) -> Path | None:
    """The file or folder that ``files`` names by ``path``, else by ``hub`` and ``revision`` in the cache that Hugging
    Face's programs keep on this machine; None where neither names one.
    """
    if files.get("path"):
        return placed(str(files["path"]), search)
    if files.get("hub"):
        return _cached(str(files["hub"]), str(files.get("revision") or "main"))
    return None


def _cached(repository: str, revision: str) -> Path | None:
    folder = _hub_cache() / ("models--" + repository.replace("/", "--"))
    commit = revision
    if not _COMMIT.fullmatch(revision):
        try:
            commit = (folder / "refs" / revision).read_text(encoding="ascii").strip()
        except (OSError, ValueError):
            return None
    place = folder / "snapshots" / commit
    return place if place.is_dir() else None


def _hub_cache() -> Path:
    own = os.environ.get("HF_HUB_CACHE")
    home = os.environ.get("HF_HOME") or os.path.join(os.environ.get("XDG_CACHE_HOME", "~/.cache"), "huggingface")  # noqa: PTH118
    return from_home(own or os.path.join(home, "hub"))  # noqa: PTH118
