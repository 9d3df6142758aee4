"""``environments``: the Python environments of engines that need one of their own: listed, made, removed."""

import argparse
import json
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any, Protocol, TextIO

from arena_desktop.cli.say import say
from arena_desktop.domain.recipes import Recipe, size_words
from arena_desktop.domain.roster import Roster
from arena_desktop.errors import UsageError
from arena_desktop.services.environments import Environments, Making, State
from arena_desktop.store.environments import Environment

EVERY_S = 5.0


class App(Protocol):
    """What these commands need of the composed program."""

    @property
    def environments(self) -> Environments: ...
    @property
    def roster(self) -> Roster: ...


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add ``environments list``, ``recipes``, ``make`` and ``remove``."""
    parser = subparsers.add_parser("environments", help="list, make or remove the Python environments of engines")
    commands = parser.add_subparsers(dest="environments_command", metavar="list|recipes|make|remove", required=True)
    listing = commands.add_parser("list", help="every environment, its size, and what is wrong with it")
    listing.add_argument("--json", action="store_true", help="report as JSON")
    listing.set_defaults(func=run_list)
    recipes = commands.add_parser("recipes", help="what environments can be made")
    recipes.add_argument("--json", action="store_true", help="report as JSON")
    recipes.set_defaults(func=run_recipes)
    make = commands.add_parser("make", help="make an environment by a recipe (fetches packages)")
    make.add_argument("recipe", metavar="RECIPE", help="one of `environments recipes`")
    make.add_argument("--name", metavar="NAME", help="what to call it (default: as the recipe)")
    make.add_argument("--again", action="store_true", help="make it anew even if it is whole")
    add_licence_option(make)
    make.add_argument("--json", action="store_true", help="report as JSON")
    make.set_defaults(func=run_make)
    remove = commands.add_parser("remove", help="delete an environment; models that name it can't speak any more")
    remove.add_argument("name", metavar="NAME", help="one of `environments list`")
    remove.set_defaults(func=run_remove)


def add_licence_option(parser: argparse.ArgumentParser) -> None:
    """Add ``--accept-licence``."""
    parser.add_argument(
        "--accept-licence", action="store_true", help="accept the recipe's licence, which `environments recipes` says"
    )


def run_list(args: argparse.Namespace, app: App) -> int:
    """Print the environments. That one is broken is no failure of this command."""
    app.environments.check_readable()
    states = list(app.environments.examine(app.roster.models.values()))
    if args.json:
        print(json.dumps({"schema": 1, "environments": [as_json(one) for one in states]}, ensure_ascii=False))
        return 0
    for state in states:
        say(in_words(state))
        if state.wrong:
            say(f"  {state.wrong} {app.environments.how_to_make(state.environment.name)}")
    if not states:
        say("There are no environments. `arena-desktop environments recipes` says what can be made.")
    return 0


def run_recipes(args: argparse.Namespace, app: App) -> int:
    """Print the recipes."""
    recipes = app.environments.recipes().values()
    if args.json:
        print(json.dumps({"schema": 1, "recipes": [_recipe_json(one) for one in recipes]}, ensure_ascii=False))
        return 0
    for recipe in recipes:
        say(f"{recipe.id}: {recipe.title}, {recipe.size_words}, Python {recipe.python}. {recipe.licence_words}")
        if recipe.note:
            say(f"  {recipe.note}")
    return 0


def run_make(args: argparse.Namespace, app: App) -> int:
    """Make one environment."""
    recipe = app.environments.recipe(args.recipe)
    accepted, out = args.accept_licence, sys.stderr
    made = make(app.environments, recipe, accepted=accepted, name=args.name, again=args.again, out=out)
    if args.json:
        print(json.dumps({"schema": 1, **as_json(State(made))}, ensure_ascii=False))
    else:
        say(
            f"{made.name}: {size_words(made.size_bytes)}, Python {made.python}. Roster entries: python: env:{made.name}"
        )
    return 0


def run_remove(args: argparse.Namespace, app: App) -> int:
    """Remove one environment."""
    say(removed(app.environments, args.name))
    return 0


def removed(environments: Environments, name: str) -> str:
    """Remove it; gives the sentence that says so."""
    return f"The environment {name} is removed: {size_words(environments.remove(name))} are free again."


def make(
    environments: Environments,
    recipe: Recipe,
    *,
    accepted: bool,
    name: str | None = None,
    again: bool = False,
    out: TextIO,
) -> Environment:
    """Say the licence, have it accepted where it must be, make the environment and tell on ``out`` how far it is."""
    if recipe.needs_consent and not accepted and not _asked(recipe, out):
        raise UsageError(
            f"The licence of {recipe.title} must be accepted before it is set up. {recipe.licence_words}",
            "Give --accept-licence if you accept it.",
        )
    say(recipe.licence_words, file=out, flush=True)
    return environments.make(recipe, Told(out), name=name, again=again)


def _asked(recipe: Recipe, out: TextIO) -> bool:
    """Ask somebody at a terminal; nobody there is no consent."""
    if not (sys.stdin.isatty() and out.isatty()):
        return False
    say(f"{recipe.licence_words} Do you accept it? [y/N]", file=out, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


class Told:
    """Says how far the making is: each new step, and of one that takes long now and then a word."""

    def __init__(self, out: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        self._out = out
        self._clock = clock
        self._step = ""
        self._said = 0.0

    def __call__(self, making: Making) -> None:
        """So far it is."""
        step, now = making.words.partition(":")[0], self._clock()
        if not making.words or (step == self._step and now - self._said < EVERY_S):
            return
        self._step, self._said = step, now
        say(f"{making.done * 100 // max(making.total, 1):3d} %  {making.words}", file=self._out, flush=True)


def in_words(state: State) -> str:
    """One environment on one line."""
    one = state.environment
    parts = [size_words(one.size_bytes)]
    parts += [f"Python {one.python}"] if one.python else []
    parts += [f"recipe {one.recipe}"] if one.recipe and one.recipe != one.name else []
    parts.append(_used_by(state.models))
    if state.wrong:
        parts.append("can't be used")
    elif state.outdated:
        parts.append("its recipe has changed since")
    return f"{one.name}: {', '.join(parts)}."


def _used_by(models: Sequence[str]) -> str:
    if not models:
        return "used by no model of the roster"
    return f"used by {models[0]}" if len(models) == 1 else f"used by {len(models)} models"


def as_json(state: State) -> dict[str, Any]:
    """One environment as JSON has it."""
    one = state.environment
    return {
        "name": one.name,
        "path": str(one.folder),
        "recipe": one.recipe,
        "engine": one.engine,
        "python": one.python,
        "size_bytes": one.size_bytes,
        "made": one.made or None,
        "whole": one.finished,
        "wrong": state.wrong,
        "outdated": state.outdated,
        "models": list(state.models),
        "packages": dict(one.packages),
    }


def _recipe_json(recipe: Recipe) -> dict[str, Any]:
    return {
        "id": recipe.id,
        "title": recipe.title,
        "engine": recipe.engine,
        "python": str(recipe.python),
        "size_gb": recipe.size_gb,
        "packages": [pin.text for pin in (*recipe.packages, *recipe.bare)],
        "license": recipe.license,
        "license_url": recipe.license_url,
        "commercial_use": recipe.commercial_use.value,
        "needs_consent": recipe.needs_consent,
        "hub": list(recipe.hub),
        "note": recipe.note,
    }
