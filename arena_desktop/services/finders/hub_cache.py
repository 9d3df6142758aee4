"""The cache of the Hugging Face hub: where it lies, and which snapshots are in it, as links or as copies."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from arena_desktop.services.finders.folder import Origin
from arena_desktop.store.bounded import read_bounded

_MODEL = re.compile(r"models--(?P<owner>[A-Za-z0-9_][A-Za-z0-9._-]*?)--(?P<name>[A-Za-z0-9_][A-Za-z0-9._-]*)")
_REVISION = re.compile(r"[0-9a-f]{40}")
_MOST_SNAPSHOTS = 100


def cache_folders(environ: Mapping[str, str], home: Path) -> tuple[Path, ...]:
    """Where the cache may lie, best known first: HF_HUB_CACHE, HF_HOME, XDG_CACHE_HOME, the usual place (the same on
    all systems). Nothing says that the folders exist.
    """
    places = [environ[name] for name in ("HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE") if environ.get(name)]
    if environ.get("HF_HOME"):
        places.append(str(Path(environ["HF_HOME"]) / "hub"))
    if environ.get("XDG_CACHE_HOME"):
        places.append(str(Path(environ["XDG_CACHE_HOME"]) / "huggingface" / "hub"))
    found = [Path(home, place[2:]) if place.startswith("~/") else Path(place) for place in places]
    return tuple(dict.fromkeys([*found, home / ".cache" / "huggingface" / "hub"]))


def repository(folder: Path) -> str:
    """OWNER/REPO if ``folder`` is a repository in a cache (``models--OWNER--REPO``), "" if not."""
    named = _MODEL.fullmatch(folder.name)
    return f"{named['owner']}/{named['name']}" if named is not None else ""


def origin_of_snapshot(folder: Path) -> Origin | None:
    """The repository and commit of a folder that is a snapshot in a cache; None for every other."""
    if folder.parent.name != "snapshots" or not _REVISION.fullmatch(folder.name):
        return None
    repo = repository(folder.parent.parent)
    return Origin(repo, folder.name, folder) if repo else None


def snapshots(folder: Path) -> Iterator[Origin]:
    """The snapshots of a repository in a cache: the one that ``main`` names, else the newest; none if there are none.

    Older ones are left out: they are what an update has replaced.
    """
    repo = repository(folder)
    if not repo:
        return
    try:
        roots = [root for root in (folder / "snapshots").iterdir() if _REVISION.fullmatch(root.name)]
        named = (read_bounded(folder / "refs" / "main", 100) or b"").decode("ascii", "replace").strip()
    except OSError:
        try:
            roots = [root for root in (folder / "snapshots").iterdir() if root.is_dir()]
        except OSError:
            return
        named = ""
    roots = sorted(roots[:_MOST_SNAPSHOTS], key=lambda root: (root.name == named, _time(root)), reverse=True)
    for root in roots[:1]:
        yield Origin(repo, root.name if _REVISION.fullmatch(root.name) else "", root)


def _time(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
