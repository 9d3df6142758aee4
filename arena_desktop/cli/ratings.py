"""``ratings replay``: every rating of a file of votes, computed anew."""

import argparse
import json
import sys
from collections import Counter
from typing import Any, Protocol

from arena_desktop.cli.place import place
from arena_desktop.cli.say import say
from arena_desktop.domain.roster import Roster
from arena_desktop.services.ratings_replay import replay_file


class App(Protocol):
    """What this command needs of the program."""

    @property
    def roster(self) -> Roster: ...
    @property
    def silent(self) -> bool: ...


def add_parser(subparsers: Any) -> None:
    """Add ``ratings`` and its subcommand."""
    parser = subparsers.add_parser("ratings", help="replay a vote log")
    commands = parser.add_subparsers(dest="ratings_command", metavar="WHAT", required=True)
    command = commands.add_parser("replay", help="compute every rating of a file of votes anew")
    command.add_argument("file", type=place, metavar="FILE", help="JSON Lines or a JSON array, packed or not")
    command.add_argument("--json", action="store_true", help="report every number as JSON")
    command.set_defaults(func=_replay)


def _replay(args: argparse.Namespace, app: App) -> int:
    report, notes = replay_file(app.roster, args.file, silent=app.silent)
    if args.json:
        print(json.dumps(report, indent=1, allow_nan=False))
    else:
        _print_summary(report)
    for note in notes:  # the object has no place for them, but they must not be lost
        say(note, file=sys.stderr if args.json else sys.stdout)
    return 0


def _print_summary(report: dict[str, Any]) -> None:
    skipped = Counter(skip["reason"] for skip in report["skipped"])
    reasons = ", ".join(f"{number} × {reason}" for reason, number in sorted(skipped.items()))
    say(f"{report['applied']} votes applied, {len(report['skipped'])} skipped{': ' if reasons else '.'}{reasons}")
    for kind, number in report["other_records"].items():
        say(f"{number} other records: {kind}")
    for arena, numbers in report["arenas"].items():
        say()
        say(f"{arena}: {numbers['total_battles']} battles")
        say(f"{'Live Elo':>10} {'head start':>10} {'battles':>8}  model")
        for row in numbers["rows"]:
            head_start = numbers["bradley_terry"][row["repo_id"]]
            say(f"{row['elo']:10.1f} {head_start:10.1f} {row['battles']:8d}  {row['model']}")
