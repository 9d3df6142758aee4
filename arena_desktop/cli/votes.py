"""``votes``: export, import, verify, retract."""

import argparse
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Protocol

from arena_desktop.cli.progress import Progress
from arena_desktop.domain.records import RETRACTION_REASONS
from arena_desktop.domain.roster import Roster
from arena_desktop.domain.vote_filter import VoteFilter, filter_time
from arena_desktop.errors import UsageError
from arena_desktop.services.exchange import (
    Fault,
    ImportReport,
    Skip,
    export_votes,
    import_votes,
    verify_files,
    verify_log,
)
from arena_desktop.store.listeners import Listeners
from arena_desktop.store.vote_log import VoteLog

_EXAMPLES = 5


class App(Protocol):
    """What these commands need of the program."""

    @property
    def roster(self) -> Roster: ...
    @property
    def log(self) -> VoteLog: ...
    @property
    def listener(self) -> str | None: ...
    @property
    def listeners(self) -> Listeners: ...


def add_parser(subparsers: Any) -> None:
    """Add ``votes`` and its subcommands."""
    parser = subparsers.add_parser("votes", help="export, import, verify or retract votes")
    commands = parser.add_subparsers(dest="votes_command", metavar="WHAT", required=True)
    _add_export(commands)

    command = commands.add_parser("import", help="take votes from files into the log")
    command.add_argument("files", nargs="+", type=Path, metavar="FILE", help="files of votes")
    command.add_argument("--dry-run", action="store_true", help="only say what would happen")
    command.add_argument(
        "--source", default="", metavar="NAME", help="name the log that votes without a station come from"
    )
    _add_json(command, _import)

    command = commands.add_parser("verify", help="check that no record was edited, removed, inserted or moved")
    command.add_argument("files", nargs="*", type=Path, metavar="FILE", help="files of votes (default: the log)")
    _add_json(command, _verify)

    command = commands.add_parser("retract", help="take a vote back")
    command.add_argument("id", metavar="ID", help="the vote's id")
    command.add_argument("--reason", choices=RETRACTION_REASONS, default="other", help="(default: other)")
    command.add_argument("--note", metavar="T", help="a private note, left out of public exports")
    _add_json(command, _retract)


def _add_export(commands: Any) -> None:
    command = commands.add_parser("export", help="write the votes to a file")
    command.add_argument(
        "-o", "--output", required=True, type=Path, metavar="FILE", help="packed if it ends in .gz or .zst"
    )
    command.add_argument("--format", choices=("jsonl",), default="jsonl", help="(default: jsonl)")
    command.add_argument("--arena", metavar="A", help="only votes of this arena")
    command.add_argument("--study", metavar="S", help="only votes of this study")
    command.add_argument(
        "--listener", dest="only_listener", metavar="L", help="only votes of this listener (a name or l-…)"
    )
    command.add_argument("--since", metavar="D", help="only votes from this date or time on (UTC without a zone)")
    command.add_argument("--until", metavar="D", help="only votes before this date or time")
    command.add_argument(
        "--public", action="store_true", help="leave out own texts, device names, notes and originals of other programs"
    )
    _add_json(command, _export)


def _add_json(command: argparse.ArgumentParser, handler: Any) -> None:
    command.add_argument("--json", action="store_true", help="report as JSON")
    command.set_defaults(func=handler)


def _export(args: argparse.Namespace, app: App) -> int:
    listener = _pseudonym(_text(args.only_listener, "--listener"), app)
    chosen = VoteFilter(
        arena=_text(args.arena, "--arena"),
        study=_text(args.study, "--study"),
        listener=listener,
        since=filter_time(args.since, "--since"),
        until=filter_time(args.until, "--until"),
    )
    report = export_votes(app.log, args.output, chosen, public=args.public)
    if args.json:
        _print_json(
            {
                "schema": 1,
                "file": str(report.path),
                "records": report.records,
                "filter": report.filter,
                "public": report.public,
            }
        )
    else:
        print(f"Wrote {_count(report.records, 'record')} to {report.path}.")
    for value, found, what in (
        (args.arena, app.log.has_votes(arena=args.arena), "in an arena"),
        (args.only_listener, app.log.has_votes(listener=listener), "by a listener"),
    ):
        if value is not None and not found:
            print(f"arena-desktop: there is no vote in the log {what} {value}.", file=sys.stderr)
    return 0


def _pseudonym(who: str | None, app: App) -> str | None:
    """What votes call the listener with this name or pseudonym; somebody of another machine is known by the latter."""
    known = None if who is None else app.listeners.find(who)
    return who if known is None else known.pseudonym


def _import(args: argparse.Namespace, app: App) -> int:
    source = _text(args.source, "--source") or ""
    report = import_votes(
        app.log,
        args.files,
        roster=app.roster,
        dry_run=args.dry_run,
        source=source,
        progress=None if args.json else Progress(sys.stderr, "{:,} records read …"),
    )
    if args.json:
        _print_json(report.as_json())
    else:
        _print_import(report, args.dry_run)
    # With --json the notes have no place in the report, but must not be lost.
    for note in report.notes:
        print(note, file=sys.stderr if args.json else sys.stdout)
    if report.conflicts:
        number = _count(len(report.conflicts), "conflict")
        print(
            f"arena-desktop: {number}: different records under one id; all are kept, none of them counts.",
            file=sys.stderr,
        )
    return 1 if report.conflicts else 0


def _verify(args: argparse.Namespace, app: App) -> int:
    report = verify_files(args.files) if args.files else verify_log(app.log)
    if args.json:
        _print_json(report.as_json())
    else:
        for fault in report.faults:
            print(_fault_line(fault))
        for note in report.notes:
            print(note)
        if report.ok:
            found = (
                "no fault found in them, but not all that were written are here" if report.notes else "no fault found"
            )
            print(f"{_count(report.records, 'record')} checked: {found}.")
    if not report.ok:
        number = _count(len(report.faults), "fault")
        print(f"arena-desktop: {number} found in {_count(report.records, 'record')}.", file=sys.stderr)
    return 0 if report.ok else 1


def _retract(args: argparse.Namespace, app: App) -> int:
    record = app.log.append_retraction(args.id, app.listener, args.reason, _text(args.note, "--note"))
    if args.json:
        _print_json({"schema": 1, "retracted": record["retracts"], "id": record["id"], "reason": record["reason"]})
    else:
        print(f"The vote {record['retracts']} has been taken back; no rating counts it any more.")
    return 0


def _print_import(report: ImportReport, dry_run: bool) -> None:
    verb = "Would import" if dry_run else "Imported"
    print(f"{verb} {_count(report.new, 'new record')}; {report.already} already here.")
    if report.skipped:
        print(f"Skipped {_count(len(report.skipped), 'record')}:")
        for reason in sorted({skip.reason for skip in report.skipped}):
            skips = [skip for skip in report.skipped if skip.reason == reason]
            print(f"  {len(skips)} × {reason}: {_shorten(map(_skip_place, skips))}")
    for conflict in report.conflicts:
        places = (f"{file} line {line}" for file, line in zip(conflict.files, conflict.lines, strict=True))
        print(f"Conflict, different records under the id {conflict.id}: {_shorten(places)}")
    if report.unknown_models:
        print(f"Models not in the roster (their votes wait until it names them): {', '.join(report.unknown_models)}")
    if report.unknown_arenas:
        print(f"Arenas not in the roster (their votes wait until it names them): {', '.join(report.unknown_arenas)}")


def _skip_place(skip: Skip) -> str:
    detail = f" ({skip.detail})" if skip.detail else ""
    return f"{skip.file} line {skip.line}{detail}"


def _fault_line(fault: Fault) -> str:
    place = fault.file if fault.line is None else f"{fault.file} line {fault.line}"
    parts = [] if fault.id is None else [f"record {fault.id}"]
    if fault.station_id is not None:
        parts.append(f"station {fault.station_id}" + ("" if fault.seq is None else f" seq {fault.seq}"))
    return f"{place}: {fault.fault}" + (f" [{', '.join(parts)}]" if parts else "")


def _shorten(items: Iterable[str]) -> str:
    every = list(items)
    rest = len(every) - _EXAMPLES
    return ", ".join(every[:_EXAMPLES]) + (f" and {rest} more" if rest > 0 else "")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _text(value: str | None, option: str) -> str | None:
    """An option's value as proper text (the shell may hand over bytes that are none)."""
    try:
        (value or "").encode()
    except UnicodeEncodeError as error:
        raise UsageError(f"{option}: this is no valid UTF-8 text.") from error
    return value


def _print_json(value: dict[str, Any]) -> None:
    print(json.dumps(value, indent=2))
