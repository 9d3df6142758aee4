"""``models``: what the roster's models lack on this machine, and what came of their examination."""

import argparse
import json
from typing import Protocol

from arena_desktop.cli import download, models_add, models_check, models_find
from arena_desktop.cli.say import say
from arena_desktop.domain.planning import eligible
from arena_desktop.domain.roster import Roster
from arena_desktop.services.models import Models


class App(Protocol):
    """What these commands need of the composed program."""

    @property
    def roster(self) -> Roster: ...
    @property
    def models(self) -> Models: ...


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add ``models list``, ``check``, ``find``, ``add`` and ``remove``."""
    parser = subparsers.add_parser("models", help="list, check, find, add or remove models")
    names = "list|check|download|find|add|remove"
    commands = parser.add_subparsers(dest="models_command", metavar=names, required=True)
    listing = commands.add_parser("list", help="every model of the roster, and what it lacks here")
    listing.add_argument("--json", action="store_true", help="report as JSON")
    listing.set_defaults(func=run_list)
    models_check.add_parser(commands)
    download.add_parser(commands)
    models_find.add_parser(commands)
    models_add.add_parsers(commands)


def run_list(args: argparse.Namespace, app: App) -> int:
    """Print the models. Models that are not ready are no failure."""
    app.models.check_now()
    rows = app.models.listing()
    if args.json:
        print(json.dumps(rows, ensure_ascii=False))
        return 0
    width = max((len(row["repo_id"]) for row in rows), default=0)
    for row in rows:
        say(f"{row['repo_id']:{width}}  {'ready  ' if row['ready'] else 'missing'}  {row['name']}")
        for item in app.models.missing(row["repo_id"]):
            say(f"{'':{width}}  - {item.line}")
        if row["examined"] is not None and not row["examined"]["ok"]:
            say(f"{'':{width}}  - examined: {', '.join(row['examined']['flags'])}")
        if row["warning"]:
            say(f"{'':{width}}  - careful: {row['warning']}")
    for arena in app.roster.arenas.values():
        ready = len(eligible(arena, app.models.usable(arena)))
        if ready < 2:
            have = "one is" if ready else "none is"
            say(f"The arena «{arena.title or arena.id}» opens when two of its voices are ready; {have}.")
    for notice in app.models.view().notices:  # what the machine lacks, and who can't play in an arena
        say(f"{notice.text} {notice.remedy}".rstrip())
    return 0
