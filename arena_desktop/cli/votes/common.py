"""What the commands on votes have in common."""

import argparse
import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Protocol

from arena_desktop.cli.progress import Progress
from arena_desktop.domain.policy import Policy
from arena_desktop.domain.roster import Roster
from arena_desktop.errors import UsageError
from arena_desktop.paths import AppPaths
from arena_desktop.store.listeners import Listeners
from arena_desktop.store.station_key import StationKey
from arena_desktop.store.vote_log import VoteLog

_EXAMPLES = 5


class App(Protocol):
    """What these commands need of the program."""

    @property
    def paths(self) -> AppPaths: ...
    @property
    def roster(self) -> Roster: ...
    @property
    def roster_file(self) -> Path | None: ...
    @property
    def policy(self) -> Policy: ...
    @property
    def log(self) -> VoteLog: ...
    @property
    def listener(self) -> str | None: ...
    @property
    def listeners(self) -> Listeners: ...
    @property
    def silent(self) -> bool: ...
    @property
    def station_key(self) -> StationKey: ...


def add_json(command: argparse.ArgumentParser, handler: Any) -> None:
    """Offer ``--json``; the command is carried out by ``handler``."""
    command.add_argument("--json", action="store_true", help="report as JSON")
    command.set_defaults(func=handler)


def progress_of(args: argparse.Namespace, words: str) -> Callable[[int], None] | None:
    """A word now and then for whoever waits at a terminal; none where the report is for a program. ``words`` has a
    place for the number.
    """
    return None if args.json else Progress(sys.stderr, words)


def shorten(items: Iterable[str]) -> str:
    """The first few of many, in one line."""
    every = list(items)
    rest = len(every) - _EXAMPLES
    return ", ".join(every[:_EXAMPLES]) + (f" and {rest} more" if rest > 0 else "")


def count(number: int, noun: str) -> str:
    """A number with its noun."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def text(value: str | None, option: str) -> str | None:
    """An option's value as proper text (the shell may hand over bytes that are none)."""
    try:
        (value or "").encode()
    except UnicodeEncodeError as error:
        raise UsageError(f"{option}: this is no valid UTF-8 text.") from error
    return value


def print_json(value: dict[str, Any]) -> None:
    """A report for programs, on standard output."""
    print(json.dumps(value, indent=2))
