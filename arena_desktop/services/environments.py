"""Python environments for engines whose needs clash with ours and each other's: made by recipe, listed, removed."""

import shlex
import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from arena_desktop.domain.recipes import NAME, Recipe, size_words
from arena_desktop.domain.roster import ModelSpec
from arena_desktop.engines.environments import looking, pythons
from arena_desktop.engines.environments.building import Building
from arena_desktop.engines.environments.contents import damaged
from arena_desktop.engines.environments.pythons import Python
from arena_desktop.engines.interpreter import ENVIRONMENT, python_in
from arena_desktop.errors import ArenaError
from arena_desktop.file_lock import FileLock
from arena_desktop.store.bounded import reason
from arena_desktop.store.environments import Environment, EnvironmentFolder, size_of
from arena_desktop.store.recipe_reader import Recipes

WAIT_S = 0.2
ROOM = 1.5
"""So many times the size of an environment must be free: the fetched files lie beside it until they are unpacked."""


@dataclass(frozen=True)
class Making:
    """How far the making is: about ``done`` of ``total`` bytes, and what goes on."""

    done: int
    total: int
    words: str


Progress = Callable[[Making], None]


@dataclass(frozen=True)
class State:
    """An environment as it was seen now. ``wrong``: why no model can run in it, "" if one can. ``outdated``: its recipe
    asks for other packages by now. ``models``: the roster's models that name it.
    """

    environment: Environment
    wrong: str = ""
    outdated: bool = False
    models: tuple[str, ...] = ()


class Environments:
    """The environments of this data directory. Calls may come from any thread; each takes as long as its work.

    ``recipes`` reads the recipes; ``log_dir`` gets the tools' own words, a file for each environment; ``has_gpu`` tells
    whether there is an NVIDIA GPU; ``free`` the bytes that are free on a folder's disk; ``changed`` is told the name of
    each that was made or removed.
    """

    def __init__(
        self,
        root: Path,
        recipes: Callable[[], Recipes],
        log_dir: Path,
        *,
        has_gpu: Callable[[], bool] = lambda: False,
        free: Callable[[Path], int] = lambda folder: shutil.disk_usage(folder).free,
        changed: Callable[[str], None] = lambda name: None,
        find_pythons: Callable[[], tuple[Python, ...]] = pythons.find,
    ) -> None:
        self._folder = EnvironmentFolder(root)
        self._recipes = recipes
        self._log_dir = log_dir
        self._has_gpu = has_gpu
        self._free = free
        self._changed = changed
        self._find_pythons = find_pythons

    def recipes(self) -> Mapping[str, Recipe]:
        """Every sound recipe by id."""
        return self._recipes().recipes

    def recipe(self, name: str) -> Recipe:
        """The recipe of this id; :class:`ArenaError` if there is none, or it has a fault."""
        known = self._recipes()
        if name in known.recipes:
            return known.recipes[name]
        fault = next((fault for fault in known.faults if Path(fault.file).stem == name), None)
        if fault is not None:
            raise ArenaError(f"The recipe {name} has a fault: {fault}", "Mend it first.")
        raise ArenaError(f"There is no recipe {name}.", f"There are: {', '.join(known.recipes) or 'none'}.")

    def list(self) -> tuple[Environment, ...]:
        """All environments, whole or not, by name; nothing is started for it."""
        found = self._folder.all()
        return tuple(one if one.finished else replace(one, size_bytes=size_of(one.folder)) for one in found)

    def check_readable(self) -> None:
        """:class:`ArenaError` if it can't be told what environments there are."""
        unreadable = self._folder.unreadable()
        if unreadable:
            raise ArenaError(
                f"The folder of environments {self._folder.root} can't be read: {unreadable}.",
                "Change its rights, or move away what is in its place.",
            )

    def examine(self, models: Iterable[ModelSpec] = ()) -> Iterator[State]:
        """Each environment with what is wrong with it: its Python is started. ``models`` are those of the roster."""
        recipes = self.recipes()
        users: dict[str, list[str]] = {}
        for model in models:
            if model.python is not None and model.python.startswith(ENVIRONMENT):
                users.setdefault(model.python.removeprefix(ENVIRONMENT), []).append(model.repo_id)
        for one in self.list():
            recipe = recipes.get(one.recipe)
            wrong = self._wrong(one)
            outdated = one.finished and recipe is not None and recipe.digest != one.digest
            yield State(one, wrong, outdated, tuple(users.get(one.name, ())))

    def made(self) -> dict[str, str]:
        """The names of the whole environments, by their recipe; one that is called as its recipe goes first."""
        found = [one for one in self._folder.all() if one.finished]
        return {one.recipe: one.name for one in sorted(found, key=lambda one: one.name == one.recipe)}

    def is_whole(self, name: str) -> bool:
        """Whether this environment was made to its end, and still has its Python."""
        found = self._folder.read(name)
        return found.finished and _python(found).exists()

    def makers(self, names: Iterable[str]) -> dict[str, Recipe]:
        """The recipe of each of these environments, whole or not; one that no recipe makes is left out."""
        recipes = self.recipes()
        found = ((name, recipes.get(self._known(name).recipe or name)) for name in names if NAME.fullmatch(name))
        return {name: recipe for name, recipe in found if recipe is not None}

    def lacking(self, names: Iterable[str]) -> dict[str, Recipe]:
        """Those of these environments that aren't there, aren't whole or don't work, each with the recipe that makes
        it. Takes a moment for each: its Python is started.
        """
        return {
            name: recipe for name, recipe in self.makers(names).items() if self._wrong(self._known(name), quickly=True)
        }

    def interpreter(self, name: str) -> Path:
        """The Python of this environment. :class:`ArenaError` if it isn't there or was not made to its end."""
        found = self._folder.read(name)
        if not found.finished:
            what = self._unfinished(name) if found.folder.is_dir() else f"The environment {name} isn't made yet."
            raise ArenaError(what, self.how_to_make(name))
        return _python(found)

    def how_to_make(self, name: str) -> str:
        """A sentence: what makes this environment, or that nothing does."""
        recipes = self.recipes()
        recipe = self._folder.read(name).recipe or name
        if recipe not in recipes:
            known = ", ".join(recipes) or "none"
            return f"No recipe makes it (there are: {known}): correct `python` in the roster."
        named = "" if recipe == name else f" --name {shlex.quote(name)}"
        return f"Press Set up on the Models page, or run: arena-desktop environments make {recipe}{named}"

    def make(self, recipe: Recipe, progress: Progress, *, name: str | None = None, again: bool = False) -> Environment:
        """Make the environment of ``recipe``, called ``name`` or as the recipe; what is left of an interrupted making
        is replaced, and so is a broken one, or one of another recipe. A whole one is given as it is, unless it is to
        be made ``again``.

        ``progress`` is called some five times a second, also while another program makes the same one; what it raises
        (:class:`~arena_desktop.services.cancelling.Cancelled`) ends the making within a second, and leaves nothing
        behind. :class:`ArenaError` says why it could not be made.
        """
        name = recipe.id if name is None else name
        with self._alone(name, recipe, progress) as lock:
            known = self._folder.read(name)
            if not again and known.finished and known.digest == recipe.digest and not self._wrong(known):
                return known
            self._refuse_strangers(name, "Move it away, or give the environment another name (--name).")
            python = self._choose_python(recipe)
            self._check_room(recipe)
            try:
                return self._build(name, recipe, python, progress, lock)
            except OSError as error:
                self._clear(name)
                raise ArenaError(
                    f"The environment {name} can't be made in {self._folder.root}: {reason(error)}.",
                    "Make room, or change the rights of the data directory; then do it again.",
                ) from error
            except BaseException:
                self._clear(name)
                raise

    def remove(self, name: str) -> int:
        """Delete an environment, whatever its state; gives the bytes that were freed."""
        self.check_readable()
        if not self._folder.folder(name).is_dir():
            known = ", ".join(one.name for one in self._folder.all()) or "none"
            raise ArenaError(f"There is no environment {name}.", f"There are: {known}.")
        lock = self._folder.lock(name)
        try:
            if lock.descriptor is None:
                raise self._no_writing()
            if not lock.try_alone():
                raise ArenaError(
                    f"The environment {name} is being made or removed by another program.", "Wait until it is done."
                )
            self._refuse_strangers(name, "If it isn't needed, delete it yourself.")
            self._changed(name)  # what runs in it ends first
            return self._folder.put_away(name)
        except OSError as error:
            raise ArenaError(
                f"The environment {name} can't be removed: {reason(error)}.",
                "Close whatever uses it, and look who owns the data directory.",
            ) from error
        finally:
            lock.release()

    def _wrong(self, environment: Environment, *, quickly: bool = False) -> str:
        """Why no model can run in it, "" if one can. Its Python is started, and each file is looked at, unless it must
        go ``quickly``.
        """
        if not environment.finished:
            return self._unfinished(environment.name)
        wrong = looking.look(_python(environment)).wrong
        damage = () if wrong else damaged(environment.folder, environment.packages, by_files=not quickly)
        if damage:
            names = ", ".join(damage[:3]) + (f" and {len(damage) - 3} more" if len(damage) > 3 else "")
            return f"Files are missing or changed in it: {names}."
        return wrong

    def _known(self, name: str) -> Environment:
        return self._folder.read(name)

    def _build(self, name: str, recipe: Recipe, python: Python, progress: Progress, lock: FileLock) -> Environment:
        folder = self._folder.begin(name, recipe)
        total = int(recipe.size_gb * 1e9)
        self._log_dir.mkdir(parents=True, exist_ok=True)
        with (self._log_dir / f"environment-{name}.log").open("w", encoding="utf-8", errors="replace") as log:
            built = Building(
                folder,
                recipe,
                python,
                gpu=self._has_gpu(),
                log=log,
                progress=lambda share, words: progress(Making(int(share * total), total, words)),
                kept=lock.descriptor,
            ).build()
        made = self._folder.finish(
            name,
            recipe,
            python=python.words,
            packages=built.packages,
            torch=built.torch,
            made=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        )
        self._changed(name)
        return made

    @contextmanager
    def _alone(self, name: str, recipe: Recipe, progress: Progress) -> Iterator[FileLock]:
        lock = self._folder.lock(name)
        try:
            while not lock.try_alone():
                if lock.descriptor is None:
                    raise self._no_writing()
                progress(Making(0, int(recipe.size_gb * 1e9), "another program makes this environment; waiting for it"))
                time.sleep(WAIT_S)
            yield lock
        finally:
            lock.release()

    def _refuse_strangers(self, name: str, remedy: str) -> None:
        """What we didn't make is neither replaced nor deleted."""
        if self._folder.stranger(name):
            raise ArenaError(self._strange(name), remedy)

    def _strange(self, name: str) -> str:
        found = self._folder.stranger(name)
        return f"{self._folder.folder(name)} {found}, and no environment that was made here." if found else ""

    def _no_writing(self) -> ArenaError:
        return ArenaError(
            f"The folder {self._folder.root} can't be written to.",
            "Change the rights of the data directory, and look whether its disk is full.",
        )

    def _choose_python(self, recipe: Recipe) -> Python:
        own = pythons.own()
        if own is not None and pythons.fits(own, recipe.python):
            return own
        found = self._find_pythons()
        for python in found:
            if pythons.fits(python, recipe.python):
                return python
        unable = next((one for one in found if recipe.python.holds(one.minor)), None)
        version = _version_to_get(recipe)
        if unable is not None:
            raise ArenaError(
                f"{recipe.title} needs Python {recipe.python}; {unable.path} is one, but it can't make environments"
                " (its parts venv, ensurepip or ssl are missing).",
                f"On Debian and Ubuntu: sudo apt-get install python{unable.minor[0]}.{unable.minor[1]}-venv.",
            )
        raise ArenaError(
            f"{recipe.title} needs Python {recipe.python}; on this machine are: {pythons.words(found)}.",
            f"Install Python {version} (for example with `uv python install {version}`, `pyenv install {version}`"
            " or from python.org); it is found by itself.",
        )

    def _check_room(self, recipe: Recipe) -> None:
        needed = int(recipe.size_gb * 1e9 * ROOM)
        free = self._free(self._folder.root)
        if free < needed:
            raise ArenaError(
                f"{recipe.title} needs {size_words(needed)} while it is set up ({recipe.size_words} afterwards);"
                f" {size_words(free)} are free on the disk with {self._folder.root}.",
                "Make room; `arena-desktop environments list` shows what may go.",
            )

    def _clear(self, name: str) -> None:
        """Away with what is left of a making; what can't be deleted stays, unfinished, and is replaced next time."""
        try:
            self._folder.put_away(name)
        except OSError:
            return

    def _unfinished(self, name: str) -> str:
        lock = self._folder.lock(name)
        try:
            if lock.descriptor is not None and not lock.try_alone():
                return f"The environment {name} is being made."
        finally:
            lock.release()
        return self._strange(name) or f"The making of the environment {name} was interrupted: it isn't whole."


def _python(environment: Environment) -> Path:
    return python_in(environment.folder)


def _version_to_get(recipe: Recipe) -> str:
    """The newest version that the recipe surely works with."""
    if recipe.python.high is not None:
        major, minor = recipe.python.high
        return f"{major}.{max(minor - 1, 0)}"
    low = max(recipe.python.low or pythons.OLDEST, (3, 11))
    return f"{low[0]}.{low[1]}"
