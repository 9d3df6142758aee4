"""What an interrupted installation leaves behind: found by each package's own list of files, and cleared away."""

import base64
import csv
import hashlib
import shutil
from collections.abc import Iterator
from pathlib import Path

from saying import say


def is_whole(site: Path, name: str) -> bool:
    """Whether a package is here, with every file of its list."""
    return any(site.glob(f"{name}-*.dist-info")) and not list(_broken(site, f"{name}-*"))


def repair(site: Path) -> None:
    """Take every broken package out, so that the next installation puts it back. Whole ones stay."""
    for stray in site.glob("~*"):  # what pip moves aside while it replaces a package
        shutil.rmtree(stray, ignore_errors=True) if stray.is_dir() else stray.unlink(missing_ok=True)
    broken = list(_broken(site))
    if broken:
        say(f"Repairing what an interruption left: {', '.join(sorted(info.stem for info in broken))}")
    for info in broken:
        for path, _, _ in _files(info):
            if path.is_file() and site in path.parents:
                path.unlink()
        shutil.rmtree(info)


def _broken(site: Path, pattern: str = "*") -> Iterator[Path]:
    for info in sorted(site.glob(f"{pattern}.dist-info")):
        described = (info / "METADATA").is_file() and (info / "RECORD").is_file()
        if not described or not all(_whole(*entry) for entry in _files(info)):
            yield info


def _files(info: Path) -> Iterator[tuple[Path, str, str]]:
    """(file, its digest as the list gives it, its size as text) of a package; nothing if it has no list."""
    record = info / "RECORD"
    if not record.is_file():
        return
    with record.open(encoding="utf-8", newline="") as rows:
        for row in csv.reader(rows):
            if len(row) == 3:
                yield (info.parent / row[0]).resolve(), row[1], row[2]


def _whole(path: Path, digest: str, length: str) -> bool:
    # Python compiles again whenever it likes, even what a wheel lists as compiled; the list itself has no size.
    if not length or path.suffix == ".pyc":
        return True
    if not path.is_file() or path.stat().st_size != int(length):
        return False
    kind, _, wanted = digest.partition("=")
    if kind != "sha256":
        return True
    with path.open("rb") as content:
        found = base64.urlsafe_b64encode(hashlib.file_digest(content, "sha256").digest()).rstrip(b"=").decode()
    return found == wanted
