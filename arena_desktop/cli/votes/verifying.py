"""``votes verify``."""

import argparse
import sys
from pathlib import Path
from typing import Any

from arena_desktop.cli.votes.common import App, add_json, count, print_json
from arena_desktop.services.exchange import Fault, verify_files, verify_log


def add_parser(commands: Any) -> None:
    """Add ``votes verify``."""
    command = commands.add_parser("verify", help="check that no record was edited, removed, inserted or moved")
    command.add_argument("files", nargs="*", type=Path, metavar="FILE", help="files of votes (default: the log)")
    add_json(command, _verify)


def _verify(args: argparse.Namespace, app: App) -> int:
    report = verify_files(args.files) if args.files else verify_log(app.log)
    if args.json:
        print_json(report.as_json())
    else:
        for fault in report.faults:
            print(_fault_line(fault))
        for note in report.notes:
            print(note)
        if report.ok:
            found = (
                "no fault found in them, but not all that were written are here" if report.notes else "no fault found"
            )
            print(f"{count(report.records, 'record')} checked: {found}.")
    if not report.ok:
        number = count(len(report.faults), "fault")
        print(f"arena-desktop: {number} found in {count(report.records, 'record')}.", file=sys.stderr)
    return 0 if report.ok else 1


def _fault_line(fault: Fault) -> str:
    place = fault.file if fault.line is None else f"{fault.file} line {fault.line}"
    parts = [] if fault.id is None else [f"record {fault.id}"]
    if fault.station_id is not None:
        parts.append(f"station {fault.station_id}" + ("" if fault.seq is None else f" seq {fault.seq}"))
    return f"{place}: {fault.fault}" + (f" [{', '.join(parts)}]" if parts else "")
