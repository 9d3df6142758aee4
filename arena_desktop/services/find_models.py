"""Finding speech models on this disk: in the Hugging Face cache, in the program's own folder, in folders that a person
names. Names, sizes and small descriptions are read; nothing found is run, unpickled or imported.
"""

import os
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from arena_desktop.domain.recipes import Recipe
from arena_desktop.errors import ArenaError
from arena_desktop.services.finders.by_recipe import by_recipe
from arena_desktop.services.finders.checkpoint import checkpoint
from arena_desktop.services.finders.folder import Folder, listed
from arena_desktop.services.finders.found import NOTHING, Found, FoundState
from arena_desktop.services.finders.hub_cache import cache_folders, origin_of_snapshot
from arena_desktop.services.finders.kokoro import kokoro_models
from arena_desktop.services.finders.loose import loose
from arena_desktop.services.finders.mounts import other_mounts
from arena_desktop.services.finders.piper import piper_voices
from arena_desktop.services.finders.recordings import recordings
from arena_desktop.services.finders.sherpa import sherpa
from arena_desktop.services.finders.walk import Limits, Walk, absolute
from arena_desktop.store.bounded import reason
from arena_desktop.store.prompt_files import built_in_prompts

__all__ = ["Finder", "Findings", "Found", "FoundState", "Limits", "usual_places"]

Progress = Callable[[int], None]
"""Is told how many folders were looked into; may raise :class:`arena_desktop.services.cancelling.Cancelled`."""


@dataclass(frozen=True)
class Findings:
    """What was found in ``places``, what can speak first; ``notes`` are sentences on what was left out."""

    found: tuple[Found, ...]
    places: tuple[Path, ...]
    notes: tuple[str, ...] = ()
    folders: int = 0


@dataclass(frozen=True)
class _Kind:
    """One recogniser. What ``whole`` ones find fills the folder: nobody else looks at it or below it."""

    look: Callable[[Folder], list[Found]]
    whole: bool


class Finder:
    """``recipes`` are the environments that can be made; ``made`` gives those that are there, names by recipe."""

    def __init__(
        self,
        recipes: Iterable[Recipe] = (),
        made: Callable[[], Mapping[str, str]] = lambda: NOTHING,
        *,
        limits: Limits = Limits(),  # noqa: B008 — frozen
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._recipes = tuple(recipes)
        self._made = made
        self._limits = limits
        self._clock = clock

    def find(self, places: Iterable[Path], progress: Progress = lambda folders: None) -> Findings:
        """Everything that is, or looks like, a speech model in and below ``places``. Never raises but what
        ``progress`` does; a place that isn't there becomes a note.
        """
        there = absolute(places)
        found: list[Found] = []
        table = self._table()

        def look(folder: Folder) -> bool:
            here, deeper = _recognised(folder, table)
            found.extend(here)
            return deeper

        walk = Walk(
            look,
            limits=self._limits,
            clock=self._clock,
            progress=progress,
            elsewhere=other_mounts() - set(map(str, there)),
        )
        for place in there:
            if place.is_file():
                found += self._at(place)
        walked = walk.through([place for place in there if not place.is_file()])
        return Findings(tuple(sorted(_once(found), key=_rank)), there, tuple(walked.notes), walked.folders)

    def recognise(self, path: Path) -> Found:
        """The one thing that ``path``, a file or a folder, names. Raises :class:`ArenaError` where nothing is there,
        or several things are.
        """
        place = absolute([path])[0]
        if not place.exists():
            raise ArenaError(f"{place} is not there.", "Name a model's file or folder.")
        found = self._at(place) or list(self.find([place]).found)
        usable = [one for one in found if one.usable] or [one for one in found if one.speech] or found
        if not usable:
            raise ArenaError(
                f"Nothing in {place} is a speech model that is known here.",
                "docs/engines.md lists what can be used, and how to add a program of your own.",
            )
        if len(usable) > 1:
            names = ", ".join(one.path for one in usable[:5])
            raise ArenaError(f"{place} holds {len(usable)} models.", f"Name one of them: {names}.")
        return usable[0]

    def _at(self, place: Path) -> list[Found]:
        """What a file names: itself, else the folder that it lies in."""
        if not place.is_file():
            return []
        try:
            listing = listed(place.parent)
        except OSError as error:
            raise ArenaError(f"{place.parent} can't be looked into ({reason(error)}).", "Change its rights.") from error
        origin = origin_of_snapshot(place.parent)
        folder = Folder(place.parent, listing.files, listing.folders, origin, listing.dangling, listing.others)
        here, _ = _recognised(folder, self._table())
        for name in (str(place), str(place.parent)):
            if named := [one for one in here if one.path == name]:
                return named
        return loose(Folder(place.parent, {place.name: listing.files.get(place.name, 0)}, origin=origin))

    def _table(self) -> tuple[_Kind, ...]:
        """The recognisers in the order in which they are asked."""
        made = self._made()
        return (
            _Kind(lambda folder: by_recipe(folder, self._recipes, made), whole=True),
            _Kind(kokoro_models, whole=True),
            _Kind(lambda folder: _list(sherpa(folder)), whole=True),
            _Kind(lambda folder: _list(checkpoint(folder)), whole=True),
            _Kind(piper_voices, whole=False),
            _Kind(lambda folder: _list(recordings(folder, self._prompts.get)), whole=False),
        )

    @cached_property
    def _prompts(self) -> Mapping[str, str]:
        return {prompt.id: prompt.language for prompt in built_in_prompts()}


def usual_places(models: Path, environ: Mapping[str, str] | None = None, home: Path | None = None) -> tuple[Path, ...]:
    """Where models usually lie and something is: the hub's cache, the folder of Coqui's voices, the program's own
    ``models``.
    """
    known = os.environ if environ is None else environ
    own = Path.home() if home is None else home
    data = Path(known["XDG_DATA_HOME"]) if known.get("XDG_DATA_HOME") else own / ".local" / "share"
    coqui = Path(known["TTS_HOME"]) / "tts" if known.get("TTS_HOME") else data / "tts"
    places = absolute([*cache_folders(known, own), coqui, models])
    return tuple(place for place in places if place.is_dir())


def _recognised(folder: Folder, table: Iterable[_Kind]) -> tuple[list[Found], bool]:
    """What lies in ``folder`` itself, and whether what lies below it is to be looked at."""
    found: list[Found] = []
    for kind in table:
        here = [_sound(one) for one in kind.look(folder)]
        found += here
        if here and kind.whole:
            return found, False
    taken = frozenset(Path(one.path).name for one in found)
    return [*found, *loose(folder, taken)], True


def _sound(found: Found) -> Found:
    """``found``, refused where its name could not stand in a roster."""
    if found.usable and not found.path.isprintable():
        return replace(
            found, state=FoundState.CANT, reason="Its path has characters that no roster can hold: rename it."
        )
    return found


def _list(found: Found | None) -> list[Found]:
    return [] if found is None else [found]


def _once(found: Iterable[Found]) -> list[Found]:
    """Each thing once, however many links lead there."""
    seen: dict[tuple[str, str, str], Found] = {}
    for one in found:
        seen.setdefault((os.path.realpath(one.path), one.kind, one.title), one)
    return list(seen.values())


_ORDER = {FoundState.READY: 0, FoundState.SET_UP: 1, FoundState.CANT: 2}


def _rank(found: Found) -> tuple[int, bool, str, str]:
    return _ORDER[found.state], not found.speech, found.title.casefold(), found.path
