"""``votes import``."""

import argparse
import sys
from collections.abc import Iterator
from typing import Any

from arena_desktop.cli.place import place
from arena_desktop.cli.say import say
from arena_desktop.cli.votes.common import App, add_json, count, progress_of, text
from arena_desktop.cli.votes.mapping import add_map, mapping_of
from arena_desktop.cli.votes.taken_records import status, tell
from arena_desktop.errors import UsageError
from arena_desktop.services.exchange import import_votes
from arena_desktop.services.rating_only import Plan, add_rating_only, namesake_sentences, namesakes, plan


def add_parser(commands: Any) -> None:
    """Add ``votes import``."""
    command = commands.add_parser("import", help="take votes from files into the log")
    command.add_argument("files", nargs="+", type=place, metavar="FILE", help="files of votes")
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
    found = plan(app.roster, report.findings, aliases) if args.add_models else Plan()
    if not args.add_models:
        report.notes += namesake_sentences(namesakes(app.roster, report.unknown_models))
    tell(report, f"{verb} {count(report.new, 'new record')}; {told}.", args, settled=found.settles)
    if args.add_models:
        for sentence in _add_models(app, found, args.dry_run):
            say(sentence, file=sys.stderr if args.json else sys.stdout)
    return status(report)


def _add_models(app: App, found: Plan, dry_run: bool) -> Iterator[str]:
    yield from found.left()
    if found.is_empty:
        if not found.left():
            yield "The roster has every model and arena of these votes; none was added."
    elif dry_run:
        yield found.sentence(done=False)
    else:
        yield from add_rating_only(app.paths.roster, app.paths.aliases, app.roster, found)
        yield "Their votes count from the next command on."
