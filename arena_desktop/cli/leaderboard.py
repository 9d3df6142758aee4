"""``leaderboard``: the board of one arena, as a table or as JSON."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any, Protocol

from arena_desktop.domain.roster import Roster
from arena_desktop.services.board import Board
from arena_desktop.services.board_rows import METHODS
from arena_desktop.services.file_board import board_of_file
from arena_desktop.store.streamed_file import replacing

_DASH = "–"


class App(Protocol):
    """What this command needs of the program."""

    @property
    def roster(self) -> Roster: ...
    @property
    def board(self) -> Board: ...
    @property
    def silent(self) -> bool: ...


def add_parser(subparsers: Any) -> None:
    """Add ``leaderboard``."""
    parser = subparsers.add_parser("leaderboard", help="show or write the leaderboard")
    parser.add_argument("--arena", default="", metavar="A", help="(default: the roster's first)")
    parser.add_argument(
        "--method", default="rating", metavar="|".join(METHODS), help="how votes become ratings (default: rating)"
    )
    parser.add_argument(
        "--from", dest="source", type=Path, metavar="FILE", help="count the votes of a file, not the log"
    )
    parser.add_argument("--format", choices=("table", "json"), default="table", help="(default: table)")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="write to FILE")
    parser.add_argument("--json", action="store_const", dest="format", const="json", help="as --format json")
    parser.set_defaults(func=_leaderboard)


def _leaderboard(args: argparse.Namespace, app: App) -> int:
    board = app.board if args.source is None else board_of_file(app.roster, args.source, silent=app.silent)
    found = board.leaderboard(args.arena, args.method)
    notes = board.notes(args.arena)
    if args.format == "json":
        text = json.dumps(found, indent=1, allow_nan=False) + "\n"
    else:
        table = _elo_table(found["rows"]) if args.method == "elo" else _rating_table(found["rows"])
        text = "".join(f"{line}\n" for line in [f"{found['arena']}, by {args.method}", *table, *notes])
    if args.output is None:
        sys.stdout.write(text)
    else:
        with replacing(args.output) as stream:
            stream.write(text.encode())
    if args.format == "json":  # the object has no place for them, but they must not be lost
        for note in notes:
            print(note, file=sys.stderr)
    return 0


def _elo_table(rows: list[dict[str, Any]]) -> list[str]:
    head = f"{'Elo':>7} {'battles':>8} {'won':>5} {'lost':>5} {'tied':>5} {'both bad':>9}  model"
    return [head] + [f"{row['elo']:7.1f} {_counts(row)}  {row['model']} ({row['repo_id']})" for row in rows]


def _rating_table(rows: list[dict[str, Any]]) -> list[str]:
    head = f"{'rank':>7} {'rating':>7} {'95 %':>13} {'battles':>8} {'won':>5} {'lost':>5} {'tied':>5} {'both bad':>9}"
    return [f"{head} {'acceptable':>11}  model"] + [
        f"{_range(row['rank_low'], row['rank_high']):>7} {_points(row['rating']):>7} {_bounds(row):>13} {_counts(row)}"
        f" {_percent(row['acceptable']['share']):>11}  {row['name']} ({row['repo_id']})"
        for row in rows
    ]


def _counts(row: dict[str, Any]) -> str:
    return f"{row['battles']:8d} {row['wins']:5d} {row['losses']:5d} {row['ties']:5d} {row['both_bad']:9d}"


def _range(low: int | None, high: int | None) -> str:
    if low is None:
        return _DASH
    return str(low) if low == high else f"{low}{_DASH}{high}"


def _points(value: float | None) -> str:
    return _DASH if value is None else f"{value:.0f}"


def _bounds(row: dict[str, Any]) -> str:
    return _DASH if row["low"] is None else f"{row['low']:.0f} … {row['high']:.0f}"


def _percent(share: float | None) -> str:
    return _DASH if share is None else f"{100 * share:.0f} %"
