"""Walking through folders: so deep, so many, so long, never in a circle, never into another machine unasked."""

import os
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from arena_desktop.paths import from_home
from arena_desktop.services.finders.downloaded import origin_of
from arena_desktop.services.finders.folder import Folder, Origin, listed
from arena_desktop.services.finders.hub_cache import origin_of_snapshot, repository, snapshots
from arena_desktop.store.bounded import reason

_PASSED_BY = frozenset(
    {
        "__pycache__",
        "node_modules",
        "site-packages",
        "dist-packages",
        "proc",
        "sys",
        "dev",
        "lost+found",
        "$RECYCLE.BIN",
    }
)


@dataclass(frozen=True)
class Limits:
    """How far a search goes: folders below the one that was named, folders and files in all, seconds."""

    depth: int = 8
    folders: int = 20_000
    files: int = 500_000
    seconds: float = 60.0


@dataclass
class Walked:
    """How far a search went, and the sentences that must be said about it."""

    folders: int = 0
    files: int = 0
    notes: list[str] = field(default_factory=list)
    unreadable: int = 0
    outward: int = 0


@dataclass(frozen=True)
class _Step:
    path: Path
    real: str
    depth: int
    origin: Origin | None = None


class Walk:
    """One walk through ``places``. ``look`` is given each folder and says whether what lies below it is to be looked
    at, too; ``progress`` is told how many folders were seen, now and then, and may raise to end it. ``clock`` gives
    seconds.
    """

    def __init__(
        self,
        look: Callable[[Folder], bool],
        *,
        limits: Limits,
        clock: Callable[[], float],
        progress: Callable[[int], None],
        elsewhere: frozenset[str],
    ) -> None:
        self._look = look
        self._limits = limits
        self._clock = clock
        self._progress = progress
        self._elsewhere = elsewhere
        self._above: set[str] = set()
        self._seen: set[tuple[int, int]] = set()
        self.walked = Walked()

    def through(self, places: Iterable[Path]) -> Walked:
        """Walk; nearer folders first, so that limits leave out what lies deepest."""
        ends_at = self._clock() + self._limits.seconds
        waiting = deque(_Step(place, os.path.realpath(place), 0) for place in places)
        self._above = {str(above) for step in waiting for above in (Path(step.real), *Path(step.real).parents)}
        while waiting:
            if self._clock() > ends_at:
                self._stopped(f"after {self._limits.seconds:.0f} s")
                break
            if self.walked.folders >= self._limits.folders or self.walked.files >= self._limits.files:
                self._stopped(f"after {self.walked.folders:,} folders and {self.walked.files:,} files")
                break
            waiting.extend(self._enter(waiting.popleft()))
        if self.walked.outward:
            count = self.walked.outward
            what = "One link was" if count == 1 else f"{count} links were"
            self.walked.notes.append(f"{what} not followed: to a folder above, of the system, or of another machine.")
        if self.walked.unreadable:
            count = self.walked.unreadable
            what = "One folder was left out: it can't" if count == 1 else f"{count} folders were left out: they can't"
            self.walked.notes.append(f"{what} be opened.")
        return self.walked

    def _stopped(self, when: str) -> None:
        self.walked.notes.append(f"The search stopped {when}: name the folders to look into.")

    def _enter(self, step: _Step) -> list[_Step]:
        try:
            status = step.path.stat()
            if (status.st_dev, status.st_ino) in self._seen and status.st_ino:
                return []
            self._seen.add((status.st_dev, status.st_ino))
            listing = listed(step.path)
        except (OSError, ValueError) as error:
            if step.depth == 0:
                words = reason(error) if isinstance(error, OSError) else "its name can't be used"
                self.walked.notes.append(f"{step.path} can't be looked into ({words}).")
            else:
                self.walked.unreadable += 1
            return []
        self.walked.folders += 1
        self.walked.files += len(listing.files)
        self._progress(self.walked.folders)
        if listing.cut:
            self.walked.notes.append(f"{step.path} has very many files: only some of them were looked at.")
        hub = self._snapshots(step)
        if hub is not None:
            return hub
        origin = step.origin or origin_of_snapshot(step.path) or origin_of(step.path, listing.files)
        step = replace(step, origin=origin)
        folder = Folder(step.path, listing.files, listing.folders, step.origin, listing.dangling, listing.others)
        if not self._look(folder) or step.depth >= self._limits.depth:
            return []
        inner = [step.path / name for name in listing.folders if not name.startswith(".") and name not in _PASSED_BY]
        return [further for path in inner if (further := self._further(step, path)) is not None]

    def _further(self, step: _Step, path: Path) -> _Step | None:
        """The way on to ``path``, None where it leads round, into the system's own folders, or to another machine."""
        real = os.path.join(step.real, path.name)  # noqa: PTH118  # of every folder: plain calls
        if os.path.islink(real):  # noqa: PTH114
            real = os.path.realpath(real)
            if real in self._above or any(real == one or real.startswith(one + os.sep) for one in self._elsewhere):
                self.walked.outward += 1
                return None
        return None if real in self._elsewhere else _Step(path, real, step.depth + 1, step.origin)

    def _snapshots(self, step: _Step) -> list[_Step] | None:
        """Where to go on in a repository of the hub's cache; None for every other folder."""
        if step.path.name.startswith(("datasets--", "spaces--")):
            return []
        if not repository(step.path):
            return None
        return [
            _Step(origin.root, os.path.realpath(origin.root), step.depth + 1, origin) for origin in snapshots(step.path)
        ]


def absolute(places: Iterable[Path]) -> tuple[Path, ...]:
    """Places as they are shown and walked: absolute, links in them kept, each once."""
    # not resolve(): a link's own name is what a person knows
    return tuple(dict.fromkeys(Path(os.path.abspath(from_home(place))) for place in places))  # noqa: PTH100
