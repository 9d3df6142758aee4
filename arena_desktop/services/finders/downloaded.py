"""A model that this program downloaded: which hub it came from, and how a roster names it wherever it lies."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from arena_desktop.domain.hub import MANIFEST, hub_folder, license_named
from arena_desktop.harmless import one_line
from arena_desktop.services.finders.folder import Origin
from arena_desktop.store.hub.shipment import read_manifest

_DEEPEST = 6
"""Folders between a file and its model's own folder."""


def origin_of(folder: Path, names: Mapping[str, int]) -> Origin | None:
    """The hub's repository that ``folder``, with files of these ``names``, was downloaded from; None if it wasn't."""
    manifest = read_manifest(folder) if MANIFEST in names else None
    if manifest is None:
        return None
    return Origin(
        manifest.repo, manifest.revision, folder, one_line(license_named(manifest.license, manifest.license_url))
    )


def portable(files: Mapping[str, Any], models: Path) -> dict[str, Any]:
    """``files`` of a roster entry, by hub, commit and hashes instead of a place on this disk, where its ``path`` lies
    in a model that was downloaded into the folder ``models``; else as they are.
    """
    path = files.get("path")
    if not isinstance(path, str):
        return dict(files)
    place = Path(path)
    for folder in (place, *place.parents)[:_DEEPEST]:
        manifest = read_manifest(folder)
        if manifest is None:
            continue
        if folder != models / hub_folder(manifest.repo, manifest.revision):
            break  # it lies where it would not be looked for
        inside = place.relative_to(folder).as_posix()
        rest = {key: value for key, value in files.items() if key != "path"}
        return {**manifest.roster_files(), **rest, **({} if inside == "." else {"path": inside})}
    return dict(files)
