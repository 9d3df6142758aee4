"""``models add`` and ``models remove``: the user's own roster."""

import argparse
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from arena_desktop.audio.clip_file import read_clip
from arena_desktop.cli.environments import add_licence_option, make
from arena_desktop.cli.say import say
from arena_desktop.domain.recipes import Recipe
from arena_desktop.domain.roster import ModelSpec, Roster, Voice
from arena_desktop.engines.types import Missing, Spoken
from arena_desktop.errors import ArenaError
from arena_desktop.paths import AppPaths, from_home
from arena_desktop.services.adding import Adding
from arena_desktop.services.environments import Environments
from arena_desktop.services.examinations import Examinations
from arena_desktop.services.examining import examine_model
from arena_desktop.services.find_models import Finder, Found, FoundState, usual_places
from arena_desktop.services.roster_adding import Addition, candidate
from arena_desktop.store.prompt_files import built_in_prompts


class Host(Protocol):
    """What is needed of the speech host."""

    def check(self, model: ModelSpec) -> tuple[Missing, ...]: ...
    def prompts(self, model: ModelSpec) -> frozenset[str] | None: ...
    def speak(self, model: ModelSpec, text: str, voice: Voice | None, out: Path, take: int = 0) -> Spoken: ...


class App(Protocol):
    """What these commands need of the composed program."""

    paths: AppPaths

    @property
    def roster(self) -> Roster: ...
    @property
    def host(self) -> Host: ...
    @property
    def finder(self) -> Finder: ...
    @property
    def environments(self) -> Environments: ...
    @property
    def adding(self) -> Adding: ...
    @property
    def examinations(self) -> Examinations: ...


def add_parsers(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add ``models add`` and ``models remove``."""
    add = commands.add_parser("add", help="have a model on this disk take part: it is examined, then added")
    add.add_argument(
        "what", metavar="PATH|FOUND", help="a file or folder, or a hub id or title as `models find` has it"
    )
    add.add_argument("--engine", metavar="E", help="the engine that plays it (default: as recognised)")
    add.add_argument("--voice", metavar="V", help="one of its voices (default: the first)")
    add.add_argument("--name", metavar="N", help="what to call it (default: what it is called there)")
    add.add_argument("--arena", metavar="A", help="the one arena that it joins (default: those of its languages)")
    add.add_argument(
        "--new-env",
        nargs="?",
        const="",
        metavar="RECIPE",
        help="first make the environment that it needs (by this recipe; default: as recognised)",
    )
    add_licence_option(add)
    add.add_argument("--anyway", action="store_true", help="add it even if its clips don't sound like speech")
    add.add_argument("--dry-run", action="store_true", help="print what would be written, and write nothing")
    add.add_argument("--json", action="store_true", help="report as JSON")
    add.set_defaults(func=run_add)
    remove = commands.add_parser("remove", help="take a model out of your own roster; its votes stay")
    remove.add_argument("repo_id", metavar="REPO_ID", help="as `models list` has it")
    remove.set_defaults(func=run_remove)


def run_add(args: argparse.Namespace, app: App) -> int:
    """Add one model, after it has passed its examination."""
    found = find_one(args.what, app)
    recipe = None if args.new_env is None else _recipe(found, args.new_env, app.environments)
    if recipe is not None:
        name = app.environments.made().get(recipe.id, recipe.id)
        found = replace(found, engine=recipe.engine, python=f"env:{name}", recipe=recipe.id, state=FoundState.SET_UP)
    spec = candidate(found, voice=args.voice, engine=args.engine)
    set_up = found.state is FoundState.SET_UP
    if not set_up:
        _check(app.host, spec)
    elif recipe is None and not args.anyway:
        raise ArenaError(
            f"{spec.name} can't be heard yet: {found.reason} Nothing was added.",
            "Add it with --new-env, which makes what it needs, or unheard with --anyway.",
        )
    new = app.adding.propose(found, spec, name=args.name, arena=args.arena)
    text = new.text(app.roster)
    if args.dry_run:
        _report(args, new, text, ())
        return 0
    app.adding.check_writable(new)
    if recipe is not None:  # last: whatever else prevents it was told before gigabytes were fetched
        make(app.environments, recipe, accepted=args.accept_licence, name=name, out=sys.stderr)
        _check(app.host, spec)
    can_speak = recipe is not None or not set_up
    heard = _examined(app, new.spec, anyway=args.anyway) if can_speak else f"It can't be heard yet: {found.reason}"
    _report(args, new, text, (*app.adding.write(new).sentences, heard))
    return 0


def _recipe(found: Found, wanted: str, environments: Environments) -> Recipe:
    """The recipe that is named, else the one by which ``found`` was recognised."""
    name = wanted or found.recipe
    if not name:
        raise ArenaError(
            f"No recipe is known for {found.title}.", "Name one: `arena-desktop environments recipes` lists them."
        )
    return environments.recipe(name)


def run_remove(args: argparse.Namespace, app: App) -> int:
    """Remove one model."""
    for sentence in app.adding.remove(args.repo_id).sentences:
        say(sentence)
    return 0


def find_one(what: str, app: App) -> Found:
    """The thing that ``what`` names: a path, else a hub id (with #VARIANT where there are several) or a title among
    what the usual places hold.
    """
    path = from_home(what)
    if path.exists():
        return app.finder.recognise(path)
    wanted = what.casefold()
    found = app.finder.find(usual_places(app.paths.models)).found
    named = [one for one in found if wanted in {_hub_id(one), one.source.casefold(), one.title.casefold()}]
    exact = [one for one in named if _hub_id(one) == wanted] or named
    if not exact:
        raise ArenaError(
            f"{what} is no file or folder, and nothing of that name was found on this disk.",
            "`arena-desktop models find` lists what there is.",
        )
    usable = [one for one in exact if one.usable] or exact
    if len(usable) > 1:
        raise ArenaError(
            f"{what} names {len(usable)} models.", "Name one: " + ", ".join(one.path for one in usable[:5])
        )
    return usable[0]


def _hub_id(found: Found) -> str:
    return (f"{found.source}#{found.variant}" if found.variant else found.source).casefold()


def _check(host: Host, spec: ModelSpec) -> None:
    missing = host.check(spec)
    if missing:
        what = missing[0].what  # a thing, or a whole sentence
        told = f"{spec.name}: {what}" if what.endswith(".") else f"{spec.name} lacks {what}."
        raise ArenaError(told, missing[0].remedy)


def _examined(app: App, spec: ModelSpec, *, anyway: bool) -> str:
    """Have it speak the fixed set: a model that can't, or doesn't sound like speech, must not be drawn for a battle."""
    found = examine_model(spec, app.host, read_clip, built_in_prompts)
    app.examinations.keep(spec, spoke=found.spoke, flags=found.words, texts=len(found.heard))
    if found.failures:
        raise found.failures[0]
    flags = ", ".join(found.words)
    if flags and not anyway:
        raise ArenaError(
            f"{spec.name} spoke, but: {flags}. Nothing was added.", "Listen to it, then add it with --anyway."
        )
    return f"It spoke {len(found.heard)} texts; " + (f"flags: {flags}." if flags else "nothing odd was found.")


def _report(args: argparse.Namespace, new: Addition, text: str, sentences: tuple[str, ...]) -> None:
    if args.json:
        report = {
            "schema": 1,
            "repo_id": new.spec.repo_id,
            "name": new.spec.name,
            "arenas": list(new.arenas),
            "written": not args.dry_run,
            "entries": text,
        }
        print(json.dumps(report, ensure_ascii=False))
        return
    for line in sentences or text.splitlines():
        say(line)
