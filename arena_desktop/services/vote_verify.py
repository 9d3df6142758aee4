"""Checking a log: whether a record was edited, removed, inserted or moved since its station wrote it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias

from arena_desktop.domain.canonical import CanonicalError, canonical, read_line
from arena_desktop.domain.checked import is_whole, owns_private
from arena_desktop.domain.order_check import out_of_place
from arena_desktop.domain.records import Kind, OrderKey, canonical_key, kind_of, no_link, no_place, seq_of
from arena_desktop.domain.stations import tally_stations
from arena_desktop.errors import ArenaError
from arena_desktop.services.chain_check import chain_faults, missing_faults, promised_faults
from arena_desktop.services.faults import Faults, VerifyReport
from arena_desktop.services.header_check import header_promises
from arena_desktop.services.line_check import line_faults
from arena_desktop.services.trust import KeyTally
from arena_desktop.store.chain_table import ChainTable, Link, Stray
from arena_desktop.store.formats.votes_file import JSON_LINES, Entry, VotesFile, open_votes
from arena_desktop.store.order_table import OrderTable
from arena_desktop.store.rows import row_of
from arena_desktop.store.vote_log import VoteLog

_TELL_EVERY = 250

Progress: TypeAlias = Callable[[int], None] | None


def verify_files(
    paths: Sequence[Path], trusted: Mapping[str, str] | None = None, progress: Progress = None
) -> VerifyReport:
    """Check files of votes, each by itself. :class:`ArenaError` for one that can't be read or has nothing to check.

    ``trusted``: public keys (base64) by station id; a station named there may sign with no other key. ``progress`` is
    told how many records have been looked at.
    """
    report = VerifyReport()
    for path in paths:
        _verify_file(path, report, trusted or {}, progress)
    return report


def verify_log(log: VoteLog, trusted: Mapping[str, str] | None = None, progress: Progress = None) -> VerifyReport:
    """Check the log in the database: the file itself, every record, this station's chain, what is here of others."""
    report = VerifyReport()
    faults = Faults(report, str(log.database.path))
    with log.database.snapshot(), ChainTable() as chain, _signatures(trusted or {}, faults) as keys:
        for problem in log.database.damage():
            faults.add(f"the database file is damaged: {problem}")
        for columns in log.stored_rows():
            report.records += 1
            _check_row(columns, faults, chain, keys)
            _tell(progress, report.records)
        report.damaged = bool(report.faults)  # so far these are the file's own, and rows that were changed
        chain.close_up()
        chain_faults(chain, faults)
        own, last = log.remembered_end()
        tallies = tally_stations(chain.places())
        for station, tally in tallies.items():
            gaps = tally.missing
            if station == own:
                gaps += [[tally.ranges[-1][1] + 1, last]] if tally.ranges[-1][1] < last else []
                missing_faults(station, gaps, faults)
            elif gaps:
                count = sum(high - low + 1 for low, high in gaps)
                what = "1 record of station {} is" if count == 1 else f"{count} records of station {{}} are"
                report.notes.append(what.format(station) + " not in this log.")
        if own is not None and own not in tallies and last:
            missing_faults(own, [[1, last]], faults)
    return report


def _verify_file(path: Path, report: VerifyReport, trusted: Mapping[str, str], progress: Progress) -> None:
    faults = Faults(report, str(path))
    with ChainTable() as chain, _signatures(trusted, faults) as keys:
        with open_votes(path) as file:
            check = _FileCheck(file, faults, chain, keys)
            for done in check.run():
                _tell(progress, report.records + done)
        if file.form == JSON_LINES:
            line_faults(path, check.unreadable, faults)
        report.records += check.records
        chain.close_up()
        chain_faults(chain, faults)
        promises = header_promises(file, check.records, faults)
        if promises is not None:
            promised_faults(chain, promises, faults)
        else:
            for station, tally in tally_stations(chain.places()).items():
                missing_faults(station, tally.missing, faults)
    if check.disordered:
        _name_the_moved(path, faults)


def _tell(progress: Progress, done: int) -> None:
    if progress is not None and done % _TELL_EVERY == 0:
        progress(done)


@contextmanager
def _signatures(trusted: Mapping[str, str], faults: Faults) -> Iterator[KeyTally]:
    """Collects signatures; at the end says what is wrong with them, and how each station stands to its key."""

    def forged(fault: str, name: str | None, station: str, seq: int | None, line: int | None) -> None:
        # Not the content of the record: what doesn't fit its neighbours needs mention as ever.
        faults.place(fault, line, name, station, seq)

    with KeyTally(trusted, forged) as tally:
        yield tally
        for station, keys in tally.states().items():
            faults.sign(station, keys)


class _FileCheck:
    """The pass over a file's records, each looked at by itself."""

    def __init__(self, file: VotesFile, faults: Faults, chain: ChainTable, keys: KeyTally) -> None:
        self.records = 0
        self.disordered = False
        self.unreadable: set[int] = set()
        self._file = file
        self._faults = faults
        self._chain = chain
        self._keys = keys
        self._last: OrderKey | None = None

    def run(self) -> Iterator[int]:
        """Look at every record; gives how many have been looked at."""
        for entry in self._file.entries():
            self.records += 1
            self._check(entry)
            yield self.records

    def _refuse_foreign(self) -> None:
        """A file that begins with a vote of another program, without a header, is a log of that program."""
        if self.records == 1 and self._file.header is None:
            raise ArenaError(
                f"{self._file.path} is a log of another program: it has no hashes that could be checked.",
                "Import it (votes import).",
            )

    def _check(self, entry: Entry) -> None:
        if entry.trouble is not None:
            self._faults.add(f"unreadable: {entry.trouble}", line=entry.line)
            self.unreadable.add(entry.line)
            return
        record = entry.value
        if kind_of(record) is Kind.FOREIGN:
            self._refuse_foreign()
            self._faults.add("inserted: no record that a log wrote", line=entry.line)
            return
        if _check_content(record, entry.plain, self._faults, entry.line):
            self._keys.add(record, entry.line)
        if self._file.form == JSON_LINES and not entry.plain and canonical(record) != entry.data:
            self._faults.add("edited: the line is not in canonical form", record, entry.line)
        key = canonical_key(record)
        self.disordered = self.disordered or (self._last is not None and key <= self._last)
        self._last = key
        _link(record, entry.line, self._chain)


def _check_content(record: dict[str, Any], plain: bool, faults: Faults, line: int | None) -> bool:
    """Whether the hash is that of the content. ``plain``: the record was read from a plain line."""
    fits = is_whole(record, plain)
    if not fits:
        faults.add("edited: the content does not match the hash", record, line)
    if "private" in record and not owns_private(record, plain):
        faults.add("edited: the private part does not match private_hash", record, line)
    return fits


def _check_row(columns: tuple[Any, ...], faults: Faults, chain: ChainTable, keys: KeyTally) -> None:
    text = columns[0].encode("utf-8", "surrogateescape") if isinstance(columns[0], str) else b""
    row = {"id": columns[1], "station_id": columns[7], "seq": columns[8]}
    try:
        record, plain = read_line(text)
    except CanonicalError as error:
        faults.add(f"edited: {error.message}", row)
        return
    if kind_of(record) is Kind.FOREIGN:
        faults.add("edited: no record that a log wrote", row)
        return
    if _check_content(record, plain, faults, None):
        keys.add(record)
    canonical_form = text if plain else canonical(record)
    if canonical_form != text or row_of(record, canonical_form.decode()) != columns:
        faults.add("edited: its row in the database does not fit the record", row)
    _link(record, None, chain)


def _link(record: dict[str, Any], line: int | None, chain: ChainTable) -> None:
    if "station_id" not in record:
        return  # another program's: no chain was ever to hold it
    station, seq = record["station_id"], seq_of(record)
    why = no_place(record)
    if why is not None or seq is None:
        fault = f"inserted: it has no place in its station's chain ({why})"
        chain.add_stray(Stray(station if isinstance(station, str) else None, seq, record["id"], line, fault))
        return
    why = no_link(record)
    if why is not None:
        fault = f"inserted: it does not say which record it comes after ({why})"
        chain.add_stray(Stray(station, seq, record["id"], line, fault))
    chain.add(Link(station, seq, str(record["hash"]), str(record.get("prev_hash")), record["id"], line))


def _name_the_moved(path: Path, faults: Faults) -> None:
    """A second look at a file that is out of order: which records would have to move."""
    with OrderTable() as table:
        for entry, record in _own_entries(path):
            table.add(entry.line, canonical_key(record))
        repeated = dict(table.repeated())
        lines, ranks = table.ranks(set(repeated))
    moved = {lines[index] for index in out_of_place(ranks)}
    for entry, record in _own_entries(path):
        if entry.line in repeated:
            text = f"inserted: the same record stands on line {repeated[entry.line]} already"
            faults.add(text, record, entry.line)
        elif entry.line in moved:
            faults.add("reordered: it stands out of canonical order", record, entry.line)


def _own_entries(path: Path) -> Iterator[tuple[Entry, dict[str, Any]]]:
    with open_votes(path) as file:
        for entry in file.entries():
            if entry.trouble is None and kind_of(entry.value) is not Kind.FOREIGN:
                yield entry, entry.value
