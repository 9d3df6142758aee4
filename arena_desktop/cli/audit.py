"""``audit``: what could be wrong with the board of one arena."""

import argparse
import json
import sys
from dataclasses import asdict
from typing import Any

from arena_desktop.cli.boards import App, add_policy, chosen_board
from arena_desktop.cli.place import place
from arena_desktop.cli.say import say
from arena_desktop.ratings.audit import Finding
from arena_desktop.services.arena_votes import ArenaVotes
from arena_desktop.services.board import Board
from arena_desktop.services.board_views import AuditLens
from arena_desktop.services.lenses.audit import findings, look, worded, worst_first


def add_parser(subparsers: Any) -> None:
    """Add ``audit``."""
    parser = subparsers.add_parser("audit", help="say what could be wrong with a leaderboard")
    parser.add_argument("--arena", default="", metavar="A", help="(default: the roster's first)")
    parser.add_argument(
        "--from", dest="source", type=place, metavar="FILE", help="audit the votes of a file, not the log"
    )
    add_policy(parser)
    parser.add_argument("--json", action="store_true", help="report every figure as JSON")
    parser.set_defaults(func=_audit)


def _audit(args: argparse.Namespace, app: App) -> int:
    board = chosen_board(args, app)
    votes = board.votes(args.arena)
    if args.json:
        print(json.dumps(_report(board, votes), indent=1, allow_nan=False))
    else:
        _print(votes)
    for note in board.notes(args.arena):  # the report has no place for them, but they must not be lost
        say(note, file=sys.stderr if args.json else sys.stdout)
    return 0


def _report(board: Board, votes: ArenaVotes) -> dict[str, Any]:
    return {
        "schema": 1,
        "arena": votes.arena.id,
        "votes": len(votes.table),
        "log_hash": board.log_hash,
        **board.policy_json,
        "findings": [_entry(votes, finding) for finding in worst_first(findings(votes))],
    }


def _entry(votes: ArenaVotes, finding: Finding) -> dict[str, Any]:
    words = worded(votes, finding)
    return {
        "check": finding.check,
        "severity": finding.severity.value,
        "found": words.found,
        "effect": words.effect,
        "remedy": words.remedy,
        "needed_votes": finding.needed,
        "figures": asdict(finding.figures),
    }


def _print(votes: ArenaVotes) -> None:
    view = look(votes, AuditLens())
    say(f"{view.arena}, {view.votes:,} votes. {view.sentence}")
    say()
    for line in view.lines:
        say(f"{line.severity.value:>8}  {line.title}: {line.found}")
        for label, text in (("effect", line.effect), ("to do", line.remedy)):
            if text and line.severity.value not in ("ok", "unknown"):
                say(f"{'':>8}  {label}: {text}")
    say()
