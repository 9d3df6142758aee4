"""``votes merge``."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from arena_desktop.cli.place import place
from arena_desktop.cli.votes.common import App, add_json, count, progress_of, text
from arena_desktop.cli.votes.mapping import add_map, mapping_of
from arena_desktop.cli.votes.taken_records import status, tell
from arena_desktop.errors import UsageError
from arena_desktop.services.exchange import merge_files


def add_parser(commands: Any) -> None:
    """Add ``votes merge``."""
    command = commands.add_parser("merge", help="make one file of several, without the log")
    command.add_argument("files", nargs="+", type=place, metavar="FILE", help="files of votes")
    command.add_argument(
        "-o", "--output", required=True, type=place, metavar="OUT", help="packed if it ends in .gz or .zst"
    )
    command.add_argument(
        "--source",
        action="append",
        default=[],
        metavar="FILE=NAME",
        help="name the log that the votes without a station in FILE come from",
    )
    command.add_argument("--dry-run", action="store_true", help="only say what would happen")
    add_map(command)
    add_json(command, _merge)


def _merge(args: argparse.Namespace, app: App) -> int:
    report = merge_files(
        args.files,
        args.output,
        sources=_sources(args.source, args.files),
        mapping=mapping_of(args),
        roster=app.roster,
        dry_run=args.dry_run,
        progress=progress_of(args, "{:,} records read …"),
        writing=progress_of(args, "{:,} records written …"),
    )
    copies = count(report.already, "further copy") if report.already == 1 else f"{report.already} further copies"
    verb = "Would write" if args.dry_run else "Wrote"
    tell(report, f"{verb} {count(report.new, 'record')} to {args.output}; {copies} left out.", args)
    return status(report)


def _sources(given: Sequence[str], files: Sequence[Path]) -> dict[Path, str]:
    """The names by file. A file's name may hold an equals sign, and so may a log's."""
    found = {}
    for words in given:
        named = [path for path in files if words.startswith(f"{path}=")]
        if not named:
            raise UsageError(f"--source {words}: no file to be merged is named before an equals sign.")
        path = max(named, key=lambda one: len(str(one)))
        found[path] = text(words[len(str(path)) + 1 :], "--source") or ""
    return found
