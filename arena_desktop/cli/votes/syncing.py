"""``votes sync``."""

import argparse
import sys
from typing import Any

from arena_desktop.cli.place import place
from arena_desktop.cli.say import say
from arena_desktop.cli.votes.common import App, add_json, count, print_json, progress_of
from arena_desktop.services.sync import SyncReport, sync_folder


def add_parser(commands: Any) -> None:
    """Add ``votes sync``."""
    command = commands.add_parser("sync", help="exchange votes with other machines through a shared folder")
    command.add_argument("folder", type=place, metavar="FOLDER", help="a folder that all of them can see")
    command.add_argument(
        "--private", action="store_true", help="share own texts, device names and notes as well (default: without)"
    )
    add_json(command, _sync)


def _sync(args: argparse.Namespace, app: App) -> int:
    report = sync_folder(
        app.log,
        args.folder,
        roster=app.roster,
        private=args.private,
        progress=progress_of(args, "{:,} records exchanged …"),
    )
    if args.json:
        print_json(report.as_json())
    else:
        _print(report)
    conflicts = report.imported.conflicts
    if report.unfinished:
        say(f"arena-desktop: {report.unfinished} {report.remedy}".rstrip(), file=sys.stderr)
    elif conflicts:
        number = count(len(conflicts), "conflict")
        say(
            f"arena-desktop: {number}: different records under one id; all are kept, none of them counts.",
            file=sys.stderr,
        )
    return 1 if report.unfinished or conflicts else 0


def _print(report: SyncReport) -> None:
    imported = report.imported
    say(
        f"{count(imported.new, 'new record')} from {count(len(report.stations), 'other station')},"
        f" {count(report.exported, 'record')} added to the folder."
    )
    for problem in report.problems:
        say(f"{problem.file}: {problem.reason}.")
    for conflict in imported.conflicts:
        places = ", ".join(f"{file} line {line}" for file, line in zip(conflict.files, conflict.lines, strict=True))
        say(f"Conflict, different records under the id {conflict.id}: {places}")
    if imported.unknown_models:
        say(f"Models not in the roster (their votes wait until it names them): {', '.join(imported.unknown_models)}")
    if imported.unknown_arenas:
        say(f"Arenas not in the roster (their votes wait until it names them): {', '.join(imported.unknown_arenas)}")
    for note in (*report.notes, *imported.notes):
        say(note)
