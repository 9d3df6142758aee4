"""What the chains of a log show: records that don't fit their neighbours, are missing, or were announced by nobody."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from arena_desktop.domain.log_header import Promise
from arena_desktop.domain.stations import StationTally, subtract, tally_stations
from arena_desktop.services.faults import Faults
from arena_desktop.store.chain_table import ChainTable, Link

_NAMED = 1000
"""So many missing records of one station are named one by one."""


def chain_faults(chain: ChainTable, faults: Faults) -> None:
    """Records without a place, forks, and records whose neighbours name another hash."""
    for stray in chain.strays():
        faults.add(stray.fault, {"id": stray.id, "station_id": stray.station, "seq": stray.seq}, stray.line)
    for link in chain.forks():
        _add(faults, link, "fork: another record holds the same place in this station's chain")
    for run in _runs(chain.breaks()):
        _break_faults(chain, run, faults)


def _break_faults(chain: ChainTable, run: list[Link], faults: Faults) -> None:
    """A record that was changed breaks with the one after it; one that was slipped in breaks with both neighbours."""
    if any(faults.has(link.id) for link in run):
        return
    first = run[0]
    if first.seq == 1:
        _add(faults, first, "edited: the first record of a station names a record before it")
    elif len(run) == 1:
        for link in chain.at(first.station, first.seq - 1):
            if not faults.has(link.id):
                _add(faults, link, f"edited: the record after it (seq {first.seq}) names another hash")
    for link in run[:-1] if first.seq > 1 else run[1:-1]:
        _add(faults, link, "inserted: it fits neither the record before it nor the one after it")


def promised_faults(chain: ChainTable, promises: Mapping[str, Promise], faults: Faults) -> None:
    """Hold the chains against the stations of a header."""
    tallies = tally_stations(chain.places())
    for station in sorted({*tallies, *promises}):
        tally, promise = tallies.get(station), promises.get(station)
        if promise is None:
            assert tally is not None
            _announce(chain, station, tally.ranges, "inserted: the header does not know its station", faults)
        elif tally is None:
            missing_faults(station, promise.present, faults)
        else:
            _hold(chain, station, tally, promise, faults)


def missing_faults(station: str, runs: Iterable[Sequence[int]], faults: Faults) -> None:
    """Name the records that should be there."""
    named = 0
    for low, high in runs:
        stop = min(high, low + _NAMED - named - 1)
        for seq in range(low, stop + 1):
            faults.place("removed: it is not here and not known to be missing", None, None, station, seq)
        named += stop - low + 1
        if stop < high:
            text = f"removed: neither it nor any up to seq {high} is here or known to be missing"
            faults.place(text, None, None, station, stop + 1)


def _hold(chain: ChainTable, station: str, tally: StationTally, promise: Promise, faults: Faults) -> None:
    missing_faults(station, subtract(promise.present, tally.ranges), faults)
    extra = subtract(tally.ranges, promise.present)
    _announce(chain, station, extra, "inserted: by the header it is not in this file", faults)
    if tally.ranges[-1][1] == promise.last_seq and tally.last_hash != promise.last_hash:
        for link in chain.at(station, promise.last_seq):
            if not faults.has(link.id):
                _add(faults, link, "edited: the header names another hash for this station's last record")


def _announce(chain: ChainTable, station: str, runs: Iterable[Sequence[int]], text: str, faults: Faults) -> None:
    for low, high in runs:
        for link in chain.between(station, low, high):
            _add(faults, link, text)


def _add(faults: Faults, link: Link, text: str) -> None:
    faults.add(text, {"id": link.id, "station_id": link.station, "seq": link.seq}, link.line)


def _runs(links: list[Link]) -> Iterator[list[Link]]:
    """Links of one station with consecutive numbers, together."""
    ordered = sorted(links, key=lambda link: (link.station, link.seq))
    places = sorted({(link.station, link.seq) for link in ordered})
    rank = {place: place[1] - index for index, place in enumerate(places)}
    for _, run in groupby(ordered, key=lambda link: (link.station, rank[link.station, link.seq])):
        yield list(run)
