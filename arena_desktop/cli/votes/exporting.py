"""``votes export``."""

import argparse
import sys
from typing import Any

from arena_desktop.cli.boards import add_policy
from arena_desktop.cli.place import place
from arena_desktop.cli.say import say
from arena_desktop.cli.votes.common import App, add_json, count, print_json, progress_of, text
from arena_desktop.domain.vote_filter import VoteFilter, filter_time
from arena_desktop.errors import UsageError
from arena_desktop.services.exchange import ExportReport, export_votes
from arena_desktop.services.left_out import in_words
from arena_desktop.services.vote_export import FORMATS, TABLES
from arena_desktop.store.policy_file import load_policy


def add_parser(commands: Any) -> None:
    """Add ``votes export``."""
    command = commands.add_parser("export", help="write the votes to a file")
    command.add_argument(
        "-o", "--output", required=True, type=place, metavar="FILE", help="packed if it ends in .gz or .zst"
    )
    command.add_argument(
        "--format",
        choices=FORMATS,
        default="jsonl",
        help="jsonl: the log itself; csv, parquet: one row a vote; pairs: for fits; lmarena: its columns; state2: Live"
        " Elo (default: jsonl)",
    )
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
    command.add_argument(
        "--dictionary", type=place, metavar="FILE", help="with csv and parquet: describe the columns in FILE (JSON)"
    )
    add_policy(command)
    add_json(command, _export)


def _export(args: argparse.Namespace, app: App) -> int:
    if str(args.output) == "-":
        raise UsageError("-o -: votes export writes a file, whole or not at all.", "Name one.")
    listener = _pseudonym(text(args.only_listener, "--listener"), app)
    chosen = VoteFilter(
        arena=text(args.arena, "--arena"),
        study=text(args.study, "--study"),
        listener=listener,
        since=filter_time(args.since, "--since"),
        until=filter_time(args.until, "--until"),
    )
    report = export_votes(
        app.log,
        args.output,
        chosen,
        public=args.public,
        form=args.format,
        roster=app.roster,
        policy=app.policy if args.policy is None else load_policy(args.policy),
        silent=app.silent,
        dictionary=args.dictionary,
        progress=progress_of(args, "{:,} records read …"),
    )
    if args.json:
        print_json({"schema": 1, **report.as_json()})
    else:
        _say(report)
    for note in report.notes:
        say(note, file=sys.stderr)
    for value, found, what in (
        (args.arena, app.log.has_votes(arena=args.arena), "in an arena"),
        (args.only_listener, app.log.has_votes(listener=listener), "by a listener"),
    ):
        if value is not None and not found:
            say(f"arena-desktop: there is no vote in the log {what} {value}.", file=sys.stderr)
    if not report.records and any((args.study, args.since, args.until)):
        say("arena-desktop: no vote is of this study and time (--study, --since, --until).", file=sys.stderr)
    return 0


def _say(report: ExportReport) -> None:
    say(f"Wrote {count(report.records, 'record' if report.form == 'jsonl' else 'vote')} to {report.path}.")
    if report.left_out:
        how = "Marked as not counting" if report.form in TABLES else "Left out, for they don't count"
        say(f"{how}: {in_words(report.left_out)}.")
    for column, number in sorted(report.odd.items()):
        say(f"Column {column}: {count(number, 'value')} left empty, not of the column's type.")


def _pseudonym(who: str | None, app: App) -> str | None:
    """What votes call the listener with this name or pseudonym; somebody of another machine is known by the latter."""
    known = None if who is None else app.listeners.find(who)
    return who if known is None else known.pseudonym
