"""Prepared battles between two runs of the program, sealed: nobody who looks through the folder reads who plays."""

import contextlib
import json
import logging
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from arena_desktop.file_lock import FileLock
from arena_desktop.store.bounded import read_bounded
from arena_desktop.store.seal import Seal
from arena_desktop.store.small_files import write_whole

log = logging.getLogger(__name__)

MOST_PLACES = 8
"""So many arenas and sources of texts have battles prepared at a time; the oldest go first."""
ENDING = ".sealed"
_LOCK = "in-use"
_LARGEST = 16_000_000


class PlanFiles:
    """One file a place (an arena with its texts) in ``folder``; ``key`` gives the data directory's own secret key.

    A file is JSON, packed and sealed, and called by a keyed hash of its place. One program at a time may use the
    folder, see :meth:`claim`. What was damaged or sealed elsewhere counts as absent.
    """

    def __init__(self, folder: Path, key: Callable[[], bytes]) -> None:
        self._folder = folder
        self._seal = Seal(key, b"arena-desktop prepared battles")
        self._lock: FileLock | None = None

    def claim(self) -> bool:
        """Take the folder for this program; False while another one has it (or it can't be written to)."""
        if self._lock is None:
            with contextlib.suppress(OSError):
                self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._lock = FileLock(self._folder / _LOCK)
        return self._lock.alone or self._lock.try_alone()

    def let_go(self) -> None:
        """Let another program use the folder."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def load(self, place: str) -> Any:
        """The JSON value kept for ``place``, None if there is none."""
        return self._open(self._path(place))

    def all(self) -> list[Any]:
        """Every value that is kept."""
        return [value for path in self._paths() if (value := self._open(path)) is not None]

    def save(self, place: str, value: Any) -> None:
        """Keep ``value`` (plain JSON) for ``place``. Raises OSError."""
        path = self._path(place)
        data = zlib.compress(json.dumps(value, ensure_ascii=False).encode("utf-8"))
        write_whole(path, self._seal.close(path.name, data))
        for old in sorted(self._paths(), key=_age)[:-MOST_PLACES]:
            old.unlink(missing_ok=True)

    def remove(self, place: str) -> None:
        """Keep nothing for ``place``. Raises OSError."""
        self._path(place).unlink(missing_ok=True)

    def _paths(self) -> list[Path]:
        return list(self._folder.glob(f"*{ENDING}"))

    def _path(self, place: str) -> Path:
        return self._folder / f"{self._seal.name(place)}{ENDING}"

    def _open(self, path: Path) -> Any:
        try:
            sealed = read_bounded(path, _LARGEST)
            if sealed is None:
                raise ValueError("it is too large")
            return json.loads(zlib.decompress(self._seal.open(path.name, sealed)))
        except FileNotFoundError:
            return None
        except (OSError, ValueError, RecursionError, zlib.error) as error:
            log.info("prepared battles in %s can't be taken up: %s", path, error or type(error).__name__)
            return None


def _age(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
