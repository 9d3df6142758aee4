"""``leaderboard``: the board of one arena, on screen or as a file in one of many formats."""

import argparse
import sys
from typing import Any

from arena_desktop.cli.boards import App, add_policy, chosen_board
from arena_desktop.cli.place import place
from arena_desktop.cli.say import say
from arena_desktop.harmless import several_lines
from arena_desktop.services.board_rows import METHODS
from arena_desktop.services.exports import FORMATS, board_export, board_report
from arena_desktop.services.speeds_file import read_speeds
from arena_desktop.store.streamed_file import replacing

_SILENT_ABOUT_NOTES = ("json", "csv")


def add_parser(subparsers: Any) -> None:
    """Add ``leaderboard``."""
    parser = subparsers.add_parser("leaderboard", help="show or write the leaderboard")
    parser.add_argument("--arena", default="", metavar="A", help="(default: the roster's first)")
    parser.add_argument(
        "--method", default="rating", metavar="|".join(METHODS), help="how votes become ratings (default: rating)"
    )
    parser.add_argument(
        "--from", dest="source", type=place, metavar="FILE", help="count the votes of a file, not the log"
    )
    add_policy(parser)
    words = "speeds for the chart of rating against speed: what `bench models --json` printed"
    parser.add_argument("--speeds", type=place, metavar="FILE", help=words)
    parser.add_argument("--format", choices=tuple(FORMATS), default="table", help="(default: table)")
    parser.add_argument("-o", "--output", type=place, metavar="FILE", help="write to FILE")
    parser.add_argument("--json", action="store_const", dest="format", const="json", help="as --format json")
    parser.set_defaults(func=_leaderboard)


def _leaderboard(args: argparse.Namespace, app: App) -> int:
    board = chosen_board(args, app)
    speeds = None if args.speeds is None else read_speeds(args.speeds)
    report = board_report(board, args.arena, args.method, speeds)
    content = board_export(report, args.format)
    if args.output is None:
        _print(content, as_text=args.format == "table")
    else:
        with replacing(args.output) as stream:
            stream.write(content)
    if args.format in _SILENT_ABOUT_NOTES:  # programs read these; a person must still be told
        for note in report.notes:
            say(note, file=sys.stderr)
    return 0


def _print(content: bytes, *, as_text: bool) -> None:
    """Onto standard output: what is for a terminal in the terminal's encoding, a file's content byte for byte."""
    if as_text:
        sys.stdout.write(several_lines(content.decode("utf-8")))
    else:
        sys.stdout.flush()
        sys.stdout.buffer.write(content)
