"""Synchronising the log with a folder that several stations share: what is new there comes in, what is new here goes
out. Needs no server, and no agreement on who is first.
"""

import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

from arena_desktop.domain.roster import Roster
from arena_desktop.errors import ArenaError
from arena_desktop.file_lock import FileLock
from arena_desktop.services.sync_in import SyncIn
from arena_desktop.services.sync_out import SyncOut
from arena_desktop.services.sync_report import Problem, SyncReport
from arena_desktop.store.sync_folder import SyncFolder
from arena_desktop.store.sync_memory import SyncMemory
from arena_desktop.store.vote_log import VoteLog

__all__ = ["Problem", "SyncReport", "sync_folder"]

_PATIENCE_S = 30.0


def sync_folder(
    log: VoteLog,
    folder: Path,
    *,
    roster: Roster,
    private: bool = False,
    forgotten: Collection[str] = (),
    progress: Callable[[int], None] | None = None,
) -> SyncReport:
    """Take in what other stations put into ``folder``, then add what it lacks of this log to this station's segments.

    ``private``: whether own segments hold private parts (own texts, devices, notes). Of listeners in ``forgotten``, and
    of those whom this log has forgotten, nothing private is taken, or left in own segments. ``progress`` is told how
    many records have been read or written; what it raises ends the work: what was done until then stays, and the next
    time goes on from there.

    :class:`ArenaError` if the folder is not there, or another process is synchronising this log all the time. Whatever
    is wrong with single files is reported and keeps nobody from the rest.
    """
    shared = SyncFolder(folder)
    if shared.path == Path(log.database.path).parent.resolve():
        raise ArenaError(f"{folder} is the data directory of this log.", "Name another folder, one that is shared.")
    count = _Count(progress)
    gone = log.forgotten() | frozenset(forgotten)
    with _alone(log, count):
        if log.station_id() is not None:
            log.settle_station()  # in a copied data directory the old id is another's
        memory = SyncMemory(log, str(shared.path))
        report = SyncReport(str(folder), private)
        listing = shared.look()
        SyncIn(log, shared, memory, roster, gone, count, report).run(listing)
        SyncOut(log, shared, memory, private, gone, count, report).run()
        report.station_id = log.station_id()
        report.stations = sorted({one.station for one in listing.segments} - {report.station_id})
    return report


class _Count:
    """Adds up what the parts of the work report."""

    def __init__(self, progress: Callable[[int], None] | None) -> None:
        self._progress = progress
        self._before = 0

    def __call__(self, done: int) -> None:
        if self._progress is not None:
            self._progress(self._before + done)

    def settle(self, done: int) -> None:
        """A part of the work is done; the next one counts from 0."""
        self._before += done


@contextmanager
def _alone(log: VoteLog, count: _Count) -> Iterator[None]:
    """No other process of this machine synchronises this log meanwhile (where the disk knows locks at all: without
    them two would only write some lines twice).
    """
    path = log.database.path
    lock = FileLock(path.with_name(f"{path.name}.sync-lock"))
    end = time.monotonic() + _PATIENCE_S
    try:
        while not lock.try_alone():
            if lock.share(0.0):  # nobody has it: there are no locks here
                break
            if time.monotonic() > end:
                raise ArenaError(
                    "Another window or command is synchronising this log already.", "Wait until it is done."
                )
            count(0)
            time.sleep(0.1)
        yield
    finally:
        lock.release()
