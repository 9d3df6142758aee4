"""``listeners``: who listens here, and forgetting somebody."""

import argparse
import json
import sys
from typing import Any, Protocol

from arena_desktop.cli.say import say
from arena_desktop.errors import ArenaError
from arena_desktop.harmless import several_lines
from arena_desktop.services.exports.plain import counted
from arena_desktop.services.withdrawal import ELSEWHERE, ForgetReport, Withdrawal, people
from arena_desktop.store.listeners import Listener, Listeners
from arena_desktop.store.vote_log import VoteLog


class App(Protocol):
    """What these commands need of the program."""

    @property
    def log(self) -> VoteLog: ...
    @property
    def listeners(self) -> Listeners: ...
    @property
    def withdrawal(self) -> Withdrawal: ...


def add_parser(subparsers: Any) -> None:
    """Add ``listeners`` and its subcommands."""
    parser = subparsers.add_parser("listeners", help="list the listeners, or forget one")
    commands = parser.add_subparsers(dest="listeners_command", metavar="WHAT", required=True)
    listing = commands.add_parser("list", help="everyone, with pseudonym, name and votes")
    listing.add_argument("--json", action="store_true", help="report as JSON")
    listing.set_defaults(func=_list)
    forget = commands.add_parser(
        "forget", help="delete the name behind a pseudonym and everything private in that listener's records, for good"
    )
    forget.add_argument("id", metavar="ID", help="the pseudonym (l-…) or the name")
    forget.add_argument("--yes", action="store_true", help="do not ask")
    forget.add_argument("--json", action="store_true", help="report as JSON")
    forget.set_defaults(func=_forget)


def _list(args: argparse.Namespace, app: App) -> int:
    everyone = people(app.log, app.listeners)
    if args.json:
        print(json.dumps({"schema": 1, "listeners": [vars(one) for one in everyone]}, indent=2))
        return 0
    for one in everyone:
        name = "(forgotten)" if one.forgotten else "(no name here)" if one.name is None else one.name
        votes = f"{one.votes} vote" if one.votes == 1 else f"{one.votes} votes"
        last = "" if one.last is None else f", the last at {one.last}"
        say(f"{one.pseudonym}  {name}: {votes}{last}")
    if not everyone:
        say("Nobody has listened here yet.")
    return 0


def _forget(args: argparse.Namespace, app: App) -> int:
    who = app.withdrawal.find(args.id)
    if not args.yes and not _is_sure(who):
        say("Nothing was deleted.", file=sys.stderr)
        return 1
    report = app.withdrawal.forget(who)
    if args.json:
        print(json.dumps(report.as_json(), indent=2))
    else:
        _print(report)
    for trouble in report.troubles:
        say(f"arena-desktop: {trouble}", file=sys.stderr)
    return 1 if report.troubles else 0


def _is_sure(who: Listener) -> bool:
    if not sys.stdin.isatty():
        raise ArenaError("This deletes for good, and nobody is here to ask.", "Add --yes.")
    name = who.name or "no name here"
    words = (
        f"{who.pseudonym} ({name}): the name, own texts, notes and device names will be deleted for good.\n"
        "The votes stay and count on, under the pseudonym. Type yes to go on: "
    )
    print(several_lines(words), end="", file=sys.stderr, flush=True)  # standard output is the report's
    return sys.stdin.readline().strip().casefold() == "yes"


def _print(report: ForgetReport) -> None:
    name = "the name" if report.had_name else "no name (there was none here)"
    parts = [
        f"Deleted of {report.pseudonym}: {name}; the private part of {report.erased.records} records",
        f"the originals of {report.erased.originals} votes of other programs" if report.erased.originals else "",
        f"{report.clips} clips of own texts" if report.clips else "",
        counted(report.backups, "older copy of the log", "older copies of the log") if report.backups else "",
    ]
    say("; ".join(part for part in parts if part) + ".")
    say(f"Kept: {report.votes} votes under that pseudonym, and their place in the chain.")
    for path in report.left:
        say(f"May still hold something, look and delete it by hand: {path}")
    say(ELSEWHERE)
    say("If a window is open, start it again, or choose another listener there.")
