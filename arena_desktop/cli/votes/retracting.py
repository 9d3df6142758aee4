"""``votes retract``."""

import argparse
from typing import Any

from arena_desktop.cli.say import say
from arena_desktop.cli.votes.common import App, add_json, print_json, text
from arena_desktop.domain.records import RETRACTION_REASONS


def add_parser(commands: Any) -> None:
    """Add ``votes retract``."""
    command = commands.add_parser("retract", help="take a vote back")
    command.add_argument("id", metavar="ID", help="the vote's id")
    command.add_argument("--reason", choices=RETRACTION_REASONS, default="other", help="(default: other)")
    command.add_argument("--note", metavar="T", help="a private note, left out of public exports")
    add_json(command, _retract)


def _retract(args: argparse.Namespace, app: App) -> int:
    record = app.log.append_retraction(args.id, app.listener, args.reason, text(args.note, "--note"))
    if args.json:
        print_json({"schema": 1, "retracted": record["retracts"], "id": record["id"], "reason": record["reason"]})
    else:
        say(f"The vote {record['retracts']} has been taken back; no rating counts it any more.")
    return 0
