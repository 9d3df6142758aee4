"""``votes import``."""

import argparse
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from arena_desktop.cli.votes.common import App, add_json, count, print_json, progress_of, shorten, text
from arena_desktop.cli.votes.mapping import add_map, mapping_of
from arena_desktop.errors import UsageError
from arena_desktop.services.exchange import ImportReport, Skip, import_votes
from arena_desktop.services.findings_words import finding_sentences
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
    )
    if args.json:
        print_json({**report.as_json(), "findings": asdict(report.findings)})
    else:
        _print_import(report, args.dry_run)
    # With --json the notes have no place in the report, but must not be lost.
    out = sys.stderr if args.json else sys.stdout
    for note in report.notes:
        print(note, file=out)
    if args.add_models:
        for sentence in _add_models(app, report, args.dry_run):
            print(sentence, file=out)
    if report.conflicts:
        number = count(len(report.conflicts), "conflict")
        print(
            f"arena-desktop: {number}: different records under one id; all are kept, none of them counts.",
            file=sys.stderr,
        )
    return 1 if report.conflicts else 0


def _add_models(app: App, report: ImportReport, dry_run: bool) -> tuple[str, ...]:
    found = plan(app.roster, report.findings, app.policy.aliases)
    told = tuple(f"{name} can't be added: {why}." for name, why in found.impossible)
    if found.is_empty:
        return (*told, "The roster has every model and arena of these votes; none was added.")
    if dry_run:
        return (*told, found.sentence(done=False))
    return (*told, *add_rating_only(app.paths.roster, app.paths.aliases, app.roster, found))


def _print_import(report: ImportReport, dry_run: bool) -> None:
    verb = "Would import" if dry_run else "Imported"
    print(f"{verb} {count(report.new, 'new record')}; {report.already} already here.")
    if report.skipped:
        print(f"Skipped {count(len(report.skipped), 'record')}:")
        for reason in sorted({skip.reason for skip in report.skipped}):
            skips = [skip for skip in report.skipped if skip.reason == reason]
            print(f"  {len(skips)} × {reason}: {shorten(map(_skip_place, skips))}")
    for sentence in finding_sentences(report.findings):
        print(sentence)
    for conflict in report.conflicts:
        places = (f"{file} line {line}" for file, line in zip(conflict.files, conflict.lines, strict=True))
        print(f"Conflict, different records under the id {conflict.id}: {shorten(places)}")
    if report.unknown_models:
        print(f"Models not in the roster (their votes wait until it names them): {', '.join(report.unknown_models)}")
    if report.unknown_arenas:
        print(f"Arenas not in the roster (their votes wait until it names them): {', '.join(report.unknown_arenas)}")


def _skip_place(skip: Skip) -> str:
    detail = f" ({skip.detail})" if skip.detail else ""
    return f"{skip.file} line {skip.line}{detail}"
