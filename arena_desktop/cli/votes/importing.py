"""``votes import``."""

import argparse
import sys
from pathlib import Path
from typing import Any

from arena_desktop.cli.say import say
from arena_desktop.cli.votes.common import App, add_json, count, progress_of, text
from arena_desktop.cli.votes.mapping import add_map, mapping_of
from arena_desktop.cli.votes.taken_records import status, tell
from arena_desktop.errors import UsageError
from arena_desktop.services.exchange import ImportReport, import_votes
from arena_desktop.services.rating_only import add_rating_only, plan


def add_parser(commands: Any) -> None:
    """Add ``votes import``."""
    command = commands.add_parser("import", help="take votes from files into the log")
    command.add_argument("files", nargs="+", type=Path, metavar="FILE", help="files of votes")
    command.add_argument("--dry-run", action="store_true", help="only say what would happen")
    command.add_argument(
        "--source", default="", metavar="NAME", help="name the log that votes without a station come from"
    )
    add_map(command)
    command.add_argument(
        "--add-models",
        action="store_true",
        help="enter models that the roster lacks in your models.yaml as rating-only, in the arenas of their votes",
    )
    add_json(command, _import)


def _import(args: argparse.Namespace, app: App) -> int:
    source = text(args.source, "--source") or ""
    if args.add_models and app.roster_file is not None:
        raise UsageError("--add-models writes your models.yaml, which isn't read beside --roster.", "Leave one out.")
    report = import_votes(
        app.log,
        args.files,
        roster=app.roster,
        dry_run=args.dry_run,
        source=source,
        mapping=mapping_of(args),
        progress=progress_of(args, "{:,} records read …"),
        storing=progress_of(args, "{:,} records stored …"),
    )
    aliases = app.policy.aliases
    report.unknown_models = [name for name in report.unknown_models if aliases.get(name) not in app.roster.models]
    verb = "Would import" if args.dry_run else "Imported"
    here = f"{report.already - report.copies} already here"
    copies = "1 further copy" if report.copies == 1 else f"{report.copies} further copies"
    told = f"{here}, {copies} in the files" if report.copies else here
    tell(report, f"{verb} {count(report.new, 'new record')}; {told}.", args)
    if args.add_models:
        for sentence in _add_models(app, report, args.dry_run):
            say(sentence, file=sys.stderr if args.json else sys.stdout)
    return status(report)


def _add_models(app: App, report: ImportReport, dry_run: bool) -> tuple[str, ...]:
    found = plan(app.roster, report.findings, app.policy.aliases)
    told = tuple(f"{name} can't be added: {why}." for name, why in found.impossible)
    if found.is_empty:
        return (*told, "The roster has every model and arena of these votes; none was added.")
    if dry_run:
        return (*told, found.sentence(done=False))
    return (*told, *add_rating_only(app.paths.roster, app.paths.aliases, app.roster, found))
