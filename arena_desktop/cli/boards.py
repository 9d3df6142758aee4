"""Which board a command speaks of: that of the log or of a file, under which policy."""

import argparse
from typing import Any, Protocol

from arena_desktop.cli.place import place
from arena_desktop.domain.policy import Policy
from arena_desktop.domain.roster import Roster
from arena_desktop.services.board import Board
from arena_desktop.services.file_board import board_of_file
from arena_desktop.store.policy_file import load_policy
from arena_desktop.store.vote_log import VoteLog


class App(Protocol):
    """What is needed of the program."""

    @property
    def roster(self) -> Roster: ...
    @property
    def log(self) -> VoteLog: ...
    @property
    def board(self) -> Board: ...
    @property
    def policy(self) -> Policy: ...
    @property
    def silent(self) -> bool: ...


def add_policy(parser: Any) -> None:
    """Offer ``--policy``."""
    words = "whose votes count, under what names (default: policy.yaml and aliases.yaml of the data directory)"
    parser.add_argument("--policy", type=place, metavar="FILE", help=words)


def chosen_board(args: argparse.Namespace, app: App) -> Board:
    """The board of ``--from`` under ``--policy`` alone, else that of the log under ``--policy``, else under the data
    directory's own.
    """
    policy = None if args.policy is None else load_policy(args.policy)
    if args.source is not None:
        return board_of_file(app.roster, args.source, silent=app.silent, policy=policy)
    return app.board if policy is None else Board(app.roster, app.log, silent=app.silent, policy=policy)
