"""Writing the log, or a part of it, as a file that others can merge, verify and recompute ratings from."""

from dataclasses import dataclass
from pathlib import Path

from arena_desktop.domain.canonical import canonical, read_stored
from arena_desktop.domain.log_header import make_header
from arena_desktop.domain.stations import tally_stations
from arena_desktop.domain.vote_filter import VoteFilter
from arena_desktop.errors import ArenaError
from arena_desktop.store.streamed_file import replacing
from arena_desktop.store.vote_log import VoteLog

NOT_PUBLIC = ("private", "original")
"""Keys that a public export leaves out; the records verify without them."""


@dataclass(frozen=True)
class ExportReport:
    """What was written."""

    path: Path
    records: int
    filter: dict[str, str] | None
    public: bool


def export_votes(log: VoteLog, out: Path, chosen: VoteFilter | None = None, *, public: bool = False) -> ExportReport:
    """Write ``out`` in the format ``arena-votes/1`` (packed if it ends in ``.gz`` or ``.zst``), whole or not at all.

    ``public`` leaves out what may identify a listener: own texts, device names, notes, and the originals of legacy
    records.
    """
    if out.resolve() == log.database.path.resolve():
        raise ArenaError(f"{out} is the vote log itself.", "Name another file.")
    options = (chosen or VoteFilter()).options()
    with log.database.snapshot(), replacing(out) as stream:
        picked = None if chosen is None or options is None else log.pick(chosen)
        records = log.count() if picked is None else len(picked)
        tallies = tally_stations(place for position, *place in log.places() if picked is None or position in picked)
        stream.write(canonical(make_header(records, tallies, options)) + b"\n")
        for position, text in log.texts():
            if picked is None or position in picked:
                stream.write((_public(text) if public else text) + b"\n")
    return ExportReport(out, records, options, public)


def _public(text: bytes) -> bytes:
    record = read_stored(text)
    for key in NOT_PUBLIC:
        record.pop(key, None)
    return canonical(record)
