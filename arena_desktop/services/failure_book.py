"""How often models failed, over all runs of the program: kept in the data directory, machine by machine.

What went wrong is taken in when the Models page may show it, that is between battles, and only what was taken in is
written: a file that names whose clip failed a moment ago would tell who plays.
"""

import threading
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any

from arena_desktop.engines.failures import Tally
from arena_desktop.engines.machine_facts import Machine
from arena_desktop.engines.types import FailureKind
from arena_desktop.services.machine_file import Kept
from arena_desktop.services.measurements import machine_id, machine_title

MOST_MODELS = 2000
"""So many models are kept, those that failed last: rosters come and go."""
_MOST_WORDS = 500


@dataclass(frozen=True)
class Shelf:
    """Where the book lies: a file, and for which machine."""

    file: Kept
    machine: Callable[[], Machine]


class FailureBook:
    """Thread-safe. ``counted``: what failed in this run of the program. ``shelf``: None for a book that ends with the
    run. ``changed``: there is something to :meth:`save`; called with no lock held.
    """

    def __init__(
        self,
        counted: Callable[[str], Tally],
        shelf: Shelf | None = None,
        *,
        changed: Callable[[], None] = lambda: None,
        now: Callable[[], datetime] | None = None,
    ) -> None:
        self._counted = counted
        self._shelf = shelf
        self._changed = changed
        self._now = now or (lambda: datetime.now(UTC))
        self._lock = threading.Lock()
        self._seen: dict[str, Counter[FailureKind]] = {}
        self._known: dict[str, Tally] = {}
        self._unsaved: set[str] = set()

    def open(self) -> None:
        """Read what earlier runs have kept. Reads a file."""
        if self._shelf is None:
            return
        found = map(_tally, self._shelf.file.read(machine_id(self._shelf.machine())))
        with self._lock:
            self._known = {one[0]: one[1] for one in found if one is not None} | self._known

    def of(self, repo_id: str) -> Tally:
        """What was taken in of this model's failures."""
        with self._lock:
            return self._known.get(repo_id, Tally())

    def take_in(self, repo_ids: Iterable[str]) -> None:
        """No battle is open: what has failed since may be told."""
        new = [repo_id for repo_id in repo_ids if self._take(repo_id)]
        if new:
            self._changed()

    def clear(self, repo_id: str) -> None:
        """A person has put it right, or doesn't want to see it any more: the count begins anew."""
        counts = Counter(self._counted(repo_id).counts)
        with self._lock:
            self._seen[repo_id] = counts
            known = self._known.pop(repo_id, None)
            self._unsaved.add(repo_id)
        if known is not None:
            self._changed()

    def save(self) -> None:
        """Write what was taken in since the last time. Raises :class:`ArenaError` if it can't be written."""
        if self._shelf is None:
            return
        with self._lock:
            names, self._unsaved = self._unsaved, set()
            mine = {name: self._known.get(name) for name in names}
        if not mine:
            return

        def change(entries: list[dict[str, Any]]) -> list[Mapping[str, Any]]:
            # Another program may have written meanwhile: what it kept of other models stays.
            kept = dict(one for one in map(_tally, entries) if one is not None and one[0] not in mine)
            kept |= {name: tally for name, tally in mine.items() if tally is not None}
            latest = sorted(kept.items(), key=lambda one: one[1].when)[-MOST_MODELS:]
            return [_entry(name, tally) for name, tally in latest]

        machine = self._shelf.machine()
        self._shelf.file.change(machine_id(machine), machine_title(machine), change)

    def _take(self, repo_id: str) -> bool:
        tally = self._counted(repo_id)
        if not tally.counts:
            return False
        with self._lock:
            new = Counter(tally.counts) - self._seen.get(repo_id, Counter())
            if not new:
                return False
            self._seen[repo_id] = Counter(tally.counts)
            before = self._known.get(repo_id, Tally())
            when = self._now().strftime("%Y-%m-%dT%H:%M:%SZ")
            self._known[repo_id] = Tally(MappingProxyType(dict(Counter(before.counts) + new)), tally.last, when)
            self._unsaved.add(repo_id)
            return True


def _entry(repo_id: str, tally: Tally) -> Mapping[str, Any]:
    counts = {str(kind): count for kind, count in sorted(tally.counts.items())}
    return {"repo_id": repo_id, "counts": counts, "last": tally.last[:_MOST_WORDS], "when": tally.when}


def _tally(entry: Mapping[str, Any]) -> tuple[str, Tally] | None:
    """An entry of the file, None if it isn't what we write."""
    repo_id, counts, last, when = (entry.get(name) for name in ("repo_id", "counts", "last", "when"))
    if not (isinstance(repo_id, str) and isinstance(counts, dict) and isinstance(last, str) and isinstance(when, str)):
        return None
    kinds = set(FailureKind)
    known = {
        FailureKind(kind): count
        for kind, count in counts.items()
        if kind in kinds and isinstance(count, int) and count > 0
    }
    return (repo_id, Tally(MappingProxyType(known), last, when)) if known else None
