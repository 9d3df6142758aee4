"""Merging files of votes into one file, without any log."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import IO

from arena_desktop.domain.canonical import canonical
from arena_desktop.domain.log_header import make_header
from arena_desktop.domain.roster import Roster
from arena_desktop.domain.stations import tally_stations
from arena_desktop.errors import ArenaError
from arena_desktop.services.vote_intake import NO_MAPPING, ImportReport, Intake
from arena_desktop.store.arrived_chains import arrived_chains
from arena_desktop.store.gathering import Gathering
from arena_desktop.store.scratch import Scratch
from arena_desktop.store.streamed_file import replacing

_NO_SOURCES: Mapping[Path, str] = MappingProxyType({})
_STEP = 1000


@dataclass
class MergeReport(ImportReport):
    """What a merge did, or would do: ``new`` counts the records of the merged file, ``already`` further copies."""


def merge_files(
    files: Sequence[Path],
    out: Path,
    *,
    sources: Mapping[Path, str] = _NO_SOURCES,
    mapping: Mapping[str, str] = NO_MAPPING,
    roster: Roster | None = None,
    dry_run: bool = False,
    now_us: Callable[[], int] = lambda: time.time_ns() // 1000,
    progress: Callable[[int], None] | None = None,
    writing: Callable[[int], None] | None = None,
) -> MergeReport:
    """Write to ``out`` what a log would export into which ``files`` were imported: whole or not at all, packed if it
    ends in ``.gz`` or ``.zst``. A ``dry_run`` reads them and writes nothing.

    ``sources`` names, file by file, the log that legacy records come from; ``mapping`` says which column of a table
    holds which field; what is unknown is told against ``roster``. ``progress`` is told how many records have been read
    so far, ``writing`` how many have been written; what they raise ends the work and leaves ``out`` as it was.
    """
    _refuse_input(files, out)
    labels = [sources.get(path, "") for path in files]
    with Scratch() as scratch, Gathering(scratch) as gathered:
        intake = Intake(gathered, files, labels, now_us=now_us(), mapping=mapping, progress=progress)
        intake.run()
        with scratch.watched(lambda: None if progress is None else progress(intake.read)):
            gathered.settle(intake.replaced)
            intake.settle()
            new = gathered.distinct()
            chains = arrived_chains(scratch, with_log=False)
            report = intake.report(new, gathered.conflicts(), chains, roster, {})
        if not dry_run:
            with replacing(out) as stream:
                _write(gathered, new, stream, writing)
    return MergeReport(**vars(report))


def _write(gathered: Gathering, records: int, stream: IO[bytes], writing: Callable[[int], None] | None) -> None:
    stream.write(canonical(make_header(records, tally_stations(gathered.places()), None)) + b"\n")
    for done, text in enumerate(gathered.in_order(), 1):
        stream.write(text + b"\n")
        if writing is not None and (done % _STEP == 0 or done == records):
            writing(done)


def _refuse_input(files: Sequence[Path], out: Path) -> None:
    """What can't be read of a file is not in the merged one: it must not take its place."""
    for path in files:
        try:
            same = path.samefile(out)
        except OSError:
            continue  # one of them isn't there, or reading will say what is wrong
        if same:
            raise ArenaError(f"{out} is one of the files to be merged.", "Name another file with -o.")
