"""``votes recover``."""

import argparse
from typing import Any, Protocol

from arena_desktop.cli.say import say
from arena_desktop.cli.votes.common import add_json, count, print_json
from arena_desktop.errors import ArenaError
from arena_desktop.paths import AppPaths
from arena_desktop.store.damage_sign import leave_sign, sign_of
from arena_desktop.store.opening import OpenedLog


class App(Protocol):
    """What this command needs of the program."""

    @property
    def paths(self) -> AppPaths: ...
    @property
    def log(self) -> OpenedLog: ...


def add_parser(commands: Any) -> None:
    """Add ``votes recover``."""
    command = commands.add_parser(
        "recover", help="check every record of the log; if one is damaged, make a new log of all that are whole"
    )
    add_json(command, _recover)


def _recover(args: argparse.Namespace, app: App) -> int:
    path = app.paths.database
    if not path.exists():
        raise ArenaError(f"There is no vote log at {path}.")
    leave_sign(path)
    log = app.log  # opening it looks at every record, for the sign is there, and repairs what is wrong
    if sign_of(path).exists():
        raise ArenaError(f"Another program is using {path}.", "Close it and try again.")
    if args.json:
        damaged = None if log.damaged_file is None else str(log.damaged_file)
        print_json({"schema": 1, "records": log.count(), "damaged_file": damaged})
    else:
        say(f"The log has {count(log.count(), 'record')}.")
    return 0
