"""``models find``: what lies on this disk that could speak, and why the rest can't."""

import argparse
import json
import shlex
import sys
from collections.abc import Iterable
from typing import Any, Protocol

from arena_desktop.cli.place import place
from arena_desktop.cli.progress import Progress
from arena_desktop.cli.say import say
from arena_desktop.domain.recipes import size_words
from arena_desktop.errors import ArenaError
from arena_desktop.paths import AppPaths, from_home
from arena_desktop.services.adding import Adding
from arena_desktop.services.find_models import Finder, Findings, Found, FoundState, usual_places

_STATES = {FoundState.READY: "ready", FoundState.SET_UP: "needs set-up", FoundState.CANT: "can't speak"}


class App(Protocol):
    """What this command needs of the composed program."""

    paths: AppPaths

    @property
    def finder(self) -> Finder: ...
    @property
    def adding(self) -> Adding: ...


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add ``models find [FOLDER…] [--all] [--json]``."""
    parser = commands.add_parser("find", help="look for speech models on this disk")
    parser.add_argument(
        "folders",
        nargs="*",
        type=place,
        metavar="FOLDER",
        help="folders or files to look into (default: the Hugging Face cache and the program's own models folder)",
    )
    parser.add_argument("--all", action="store_true", help="list what is no speech model, too")
    parser.add_argument("--json", action="store_true", help="report as JSON")
    parser.set_defaults(func=run_find)


def run_find(args: argparse.Namespace, app: App) -> int:
    """Print what was found. That nothing can speak is no failure."""
    places = args.folders or usual_places(app.paths.models)
    for named in args.folders:
        if not from_home(named).exists():
            raise ArenaError(f"{named} is not there.", "Name folders or files to look into.")
    findings = app.finder.find(places, Progress(sys.stderr, "{:,} folders looked into…"))
    rows = [_row(app.adding, found) for found in findings.found if found.speech or args.all]
    if args.json:
        print(json.dumps(_report(findings, rows), ensure_ascii=False))
        return 0
    _print(findings, rows, everything=args.all)
    return 0


def _row(adding: Adding, found: Found) -> dict[str, Any]:
    """One finding as JSON has it: what a check in the engine's own process says of it is in, too."""
    known = adding.known(found)
    state, reason = found.state, found.reason
    if state is FoundState.READY and known is None:
        try:
            lacking = adding.lacks(found)
        except ArenaError as error:
            state, reason = FoundState.CANT, str(error)
        else:
            if lacking:
                state, reason = FoundState.SET_UP, " ".join(item.line for item in lacking)
    return {
        "path": found.path,
        "title": found.title,
        "kind": found.kind,
        "state": state.value,
        "reason": reason,
        "engine": found.engine,
        "recipe": found.recipe,
        "language": list(found.language),
        "voices": [voice.id for voice in found.voices],
        "license": found.license or None,
        "size_bytes": found.size_bytes,
        "hub": found.source or None,
        "revision": found.revision or None,
        "in_roster": None if known is None else known.repo_id,
    }


def _report(findings: Findings, rows: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "schema": 1,
        "places": [str(place) for place in findings.places],
        "folders": findings.folders,
        "notes": list(findings.notes),
        "found": rows,
    }


def _print(findings: Findings, rows: list[dict[str, Any]], *, everything: bool) -> None:
    for row in rows:
        state = "in the roster" if row["in_roster"] else _STATES[FoundState(row["state"])]
        say(f"{state:13}  {row['title']}")
        say(f"{'':13}  {', '.join(_facts(row))}")
        say(f"{'':13}  {row['path']}")
        if row["reason"]:
            say(f"{'':13}  - {row['reason']}")
    for line in _last(findings, rows, everything=everything):
        say(line)


def _facts(row: dict[str, Any]) -> Iterable[str]:
    yield row["kind"]
    if row["language"]:
        yield " ".join(row["language"])
    if len(row["voices"]) > 1:
        yield f"{len(row['voices'])} voices"
    yield size_words(row["size_bytes"])
    yield row["license"] or "licence unknown"


def _last(findings: Findings, rows: list[dict[str, Any]], *, everything: bool) -> Iterable[str]:
    fresh = [row for row in rows if row["state"] == FoundState.READY.value and not row["in_roster"]]
    if not findings.places:
        yield "There is no Hugging Face cache and no models folder here: name folders to look into."
        return
    yield f"{len(rows)} found in {', '.join(map(str, findings.places))}; {len(fresh)} can be added as they are."
    left_out = sum(not found.speech for found in findings.found)
    if left_out and not everything:
        yield f"{left_out} that are no speech models are not listed (--all lists them)."
    yield from findings.notes
    if fresh:
        yield f"Add one with: arena-desktop models add {shlex.quote(str(fresh[0]['path']))}"
