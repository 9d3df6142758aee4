"""A file's header against its content."""

from arena_desktop.domain.canonical import canonical
from arena_desktop.domain.log_header import Promise, key_fault, promise_fault, read_promise, value_faults
from arena_desktop.services.faults import Faults
from arena_desktop.store.formats.votes_file import VotesFile


def header_promises(file: VotesFile, records: int, faults: Faults) -> dict[str, Promise] | None:
    """What the header says about each station, None without a usable header. ``records``: how many the file holds."""
    header = file.header
    if header is None:
        faults.add("removed: the header (the file's first line) is not there", line=1)
        return None
    fault = key_fault(header)
    if fault is not None:
        faults.add(fault, line=1)
        return None
    if canonical(header) != file.header_data:
        faults.add("the header is not in canonical form", line=1)
    for fault in value_faults(header):
        faults.add(fault, line=1)
    if header["records"] != records:
        faults.add(f"the header counts {header['records']!r:.40} records, the file holds {records}", line=1)
    promises = {}
    stations = header["stations"]
    if not isinstance(stations, dict):
        faults.add("the header's stations can't be read", line=1)
        return None
    for station, value in stations.items():
        promise = read_promise(value)
        if promise is None or not promise.present:
            faults.add(f"the header's entry for station {station[:60]} can't be read", line=1)
            return None
        fault = promise_fault(promise)
        if fault is not None:
            faults.place(f"the header's entry for this station can't be right: {fault}", 1, None, station, None)
        promises[station] = promise
    return promises
