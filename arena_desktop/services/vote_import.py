"""Taking the records of files into the log: what is here already stays as it is, what is new is added, all or
nothing.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from arena_desktop.domain.reading import idle_note
from arena_desktop.domain.roster import Roster
from arena_desktop.services.vote_intake import NO_MAPPING, Conflict, ImportReport, Intake, Skip
from arena_desktop.store.incoming import Incoming, Taken
from arena_desktop.store.retractions import idle_retractions
from arena_desktop.store.vote_log import VoteLog

__all__ = ["Conflict", "ImportReport", "PreparedImport", "Skip", "import_votes", "prepared_import"]


class PreparedImport:
    """Files that were read and checked, and wait in scratch tables. Ask it in the thread of its log."""

    def __init__(self, log: VoteLog, incoming: Incoming, intake: Intake, roster: Roster) -> None:
        self._log = log
        self._incoming = incoming
        self._intake = intake
        self._roster = roster

    def preview(self) -> ImportReport:
        """What :meth:`store` would do. Writes nothing and locks nothing."""
        return self._report(self._incoming.foresee())

    def store(
        self, progress: Callable[[int], None] | None = None, *, alongside: Callable[[int], None] | None = None
    ) -> ImportReport:
        """Take the records into the log in one transaction, all or nothing. The log is locked as long as that takes.

        ``progress`` is told, now and then, how many of the records that were read are done; what it raises ends the
        work and leaves the log as it was. ``alongside`` is called in the same transaction, at its end, with the number
        of new records: they are the log's last ones.
        """
        with self._log.database.write():
            taken = self._incoming.store(progress)
            if taken.own:
                self._log.leave_station()
            if alongside is not None:
                alongside(taken.new)
        report = self._report(taken)
        idle = idle_note(idle_retractions(self._log))
        report.notes += [] if idle is None else [f"In this log {idle}"]
        return report

    def _report(self, taken: Taken) -> ImportReport:
        notes = {"legacy already": taken.legacy, "own station": taken.own}
        return self._intake.report(taken.new, self._incoming.conflicts(), self._incoming.chains, self._roster, notes)


@contextmanager
def prepared_import(
    log: VoteLog,
    files: Sequence[Path],
    *,
    roster: Roster,
    source: str = "",
    mapping: Mapping[str, str] = NO_MAPPING,
    forgotten: Collection[str] = (),
    progress: Callable[[int], None] | None = None,
    bytes_read: Callable[[int], None] | None = None,
) -> Iterator[PreparedImport]:
    """Read and check ``files``; the log is not locked meanwhile. :class:`ArenaError` if one of them can't be read.

    ``source`` names the log that legacy records come from, ``mapping`` says which column of a table holds which field.
    Of listeners in ``forgotten``, and of those whom the log has forgotten, nothing private is taken. ``progress`` is
    told, now and then, how many records have been read so far, ``bytes_read`` how many bytes of the files (packed where
    they are packed); what they raise ends the work.
    """

    def tell() -> None:
        if bytes_read is not None:
            bytes_read(intake.bytes_read)
        if progress is not None:
            progress(intake.read)

    with Incoming(log) as incoming:
        intake = Intake(
            incoming.gathered,
            files,
            [source] * len(files),
            now_us=log.now_us(),
            mapping=mapping,
            forgotten=log.forgotten().union(forgotten),
            progress=lambda _: tell(),
        )
        intake.run()
        with log.database.watched(tell):
            incoming.settle(intake.replaced)
            intake.settle()
        yield PreparedImport(log, incoming, intake, roster)


def import_votes(
    log: VoteLog,
    files: Sequence[Path],
    *,
    roster: Roster,
    dry_run: bool = False,
    source: str = "",
    mapping: Mapping[str, str] = NO_MAPPING,
    forgotten: Collection[str] = (),
    progress: Callable[[int], None] | None = None,
    storing: Callable[[int], None] | None = None,
) -> ImportReport:
    """Import ``files``, all or nothing: if one of them can't be read, nothing is imported. See
    :func:`prepared_import`; ``storing`` is the ``progress`` of :meth:`PreparedImport.store`.
    """
    with prepared_import(
        log, files, roster=roster, source=source, mapping=mapping, forgotten=forgotten, progress=progress
    ) as prepared:
        return prepared.preview() if dry_run else prepared.store(storing)
