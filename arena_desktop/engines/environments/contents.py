"""What is in an environment: its packages, and whether their files are still there."""

import contextlib
import csv
import importlib.metadata
from collections.abc import Iterable
from pathlib import Path

from arena_desktop.domain.recipes import normal_name


def packages_in(folder: Path) -> dict[str, str]:
    """The packages of this environment with their versions, by name."""
    site = site_packages(folder)
    if site is None:
        return {}
    found: dict[str, str] = {}
    for distribution in importlib.metadata.distributions(path=[str(site)]):
        with contextlib.suppress(KeyError, TypeError):  # a damaged one has no name or version
            found[normal_name(distribution.metadata["Name"])] = distribution.version
    return dict(sorted(found.items()))


def damaged(folder: Path, packages: Iterable[str], *, by_files: bool = True) -> tuple[str, ...]:
    """Those of ``packages`` that are not there any more, or (``by_files``) not with every file of their own lists at
    its size: that looks at each file, and opens none but the lists.
    """
    site = site_packages(folder)
    if site is None:
        return tuple(packages)
    whole = set()
    for info in site.glob("*.dist-info"):
        if not by_files or _is_whole(info):
            whole.add(normal_name(info.name.removesuffix(".dist-info").rpartition("-")[0]))
    return tuple(name for name in packages if name not in whole)


def site_packages(folder: Path) -> Path | None:
    """Where the packages of an environment lie; None if there is no such place."""
    found = [*sorted(folder.glob("lib/python3*/site-packages")), folder / "Lib" / "site-packages"]
    return next((place for place in found if place.is_dir()), None)


def _is_whole(info: Path) -> bool:
    try:
        with (info / "RECORD").open(encoding="utf-8", newline="") as rows:
            return all(_is_there(info.parent, *row) for row in csv.reader(rows) if len(row) == 3)
    except (OSError, ValueError, csv.Error):
        return False


def _is_there(site: Path, name: str, digest: str, size: str) -> bool:
    if not size or name.endswith(".pyc"):  # what is compiled here has no size there
        return True
    return (site / name).stat().st_size == int(size)
