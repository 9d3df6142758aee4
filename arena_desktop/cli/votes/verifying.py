"""``votes verify``."""

import argparse
import sys
from collections.abc import Sequence
from typing import Any

from arena_desktop.cli.boards import add_policy
from arena_desktop.cli.place import place
from arena_desktop.cli.say import say
from arena_desktop.cli.votes.common import App, add_json, count, print_json, progress_of
from arena_desktop.cli.votes.trusting import known_keys
from arena_desktop.domain.signing import fingerprint
from arena_desktop.services.exchange import Fault, verify_files, verify_log
from arena_desktop.services.faults import StationFound
from arena_desktop.services.trust import Signing

_RECOVER = "The database is damaged or was changed: votes recover mends it from copies and keeps the damaged file."


def add_parser(commands: Any) -> None:
    """Add ``votes verify``."""
    command = commands.add_parser(
        "verify", help="check that no record was edited, removed, inserted or moved, and who signed"
    )
    command.add_argument("files", nargs="*", type=place, metavar="FILE", help="files of votes (default: the log)")
    add_policy(command)
    add_json(command, _verify)


def _verify(args: argparse.Namespace, app: App) -> int:
    known = known_keys(app, args.policy)
    progress = progress_of(args, "{:,} records checked …")
    report = verify_files(args.files, known, progress) if args.files else verify_log(app.log, known, progress)
    if args.json:
        print_json(report.as_json())
    else:
        for fault in report.faults:
            say(_fault_line(fault))
        for note in report.notes:
            say(note)
        _print_stations(report.stations, with_file=len(args.files) > 1)
        if report.ok:
            found = (
                "no fault found in them, but not all that were written are here" if report.notes else "no fault found"
            )
            say(f"{count(report.records, 'record')} checked: {found}.")
    if not report.ok:
        number = count(len(report.faults), "fault")
        remedy = f" {_RECOVER}" if report.damaged else ""
        say(f"arena-desktop: {number} found in {count(report.records, 'record')}.{remedy}", file=sys.stderr)
    return 0 if report.ok else 1


def _fault_line(fault: Fault) -> str:
    place = fault.file if fault.line is None else f"{fault.file} line {fault.line}"
    parts = [] if fault.id is None else [f"record {fault.id}"]
    if fault.station_id is not None:
        parts.append(f"station {fault.station_id}" + ("" if fault.seq is None else f" seq {fault.seq}"))
    return f"{place}: {fault.fault}" + (f" [{', '.join(parts)}]" if parts else "")


def _print_stations(stations: Sequence[StationFound], *, with_file: bool) -> None:
    plain = 0
    for station in stations:
        if station.keys.signing is Signing.UNSIGNED and station.keys.public_key is None:
            plain += 1
        else:
            say(_station_line(station, with_file=with_file))
    if plain:
        others = "other " if plain < len(stations) else ""
        say(f"Records of {count(plain, f'{others}station')} are not signed.")


def _none_of(records: int) -> str:
    return "its one record is not" if records == 1 else f"none of its {records} records is"


def _are(records: int, which: str = "") -> str:
    return f"{records} {which}{'is' if records == 1 else 'are'}"


def _station_line(station: StationFound, *, with_file: bool) -> str:
    keys = station.keys
    words = {
        Signing.UNUSED: f"NOT SIGNED: you trust a key for it, but {_none_of(keys.unsigned)} signed by it",
        Signing.UNSIGNED: f"{count(keys.unsigned, 'record')}, not signed",
        Signing.SIGNED: f"signed ({count(keys.signed, 'record')})",
        Signing.PARTLY: f"partly signed: {_are(keys.signed)}, {_are(keys.bare, 'after the key ')} not",
        Signing.FORGED: f"FORGED: {count(keys.forged, 'record')} not by its key, {keys.signed} by it",
        Signing.UNCHECKED: f"{count(keys.unchecked, 'signature')}, but the key is not here to check them by",
    }
    text = f"Station {station.station_id}: {words[keys.signing]}"
    if keys.since is not None and keys.since > 1 and keys.signing in (Signing.SIGNED, Signing.PARTLY):
        text += f", those before seq {keys.since} without a signature"
    if keys.public_key is None:
        pass
    elif keys.signing is Signing.UNUSED:
        text += f"; that key is {fingerprint(keys.public_key)}"
    elif keys.signing is Signing.UNSIGNED:
        text += f", though it announces the key {fingerprint(keys.public_key)}"
    elif keys.pinned and not keys.signed:
        text += f"; the key you trust for it is {fingerprint(keys.public_key)}"
    else:
        text += f"; key {fingerprint(keys.public_key)}, {'known' if keys.known else 'unknown'}"
    return (f"{station.file}: " if with_file else "") + text + "."
