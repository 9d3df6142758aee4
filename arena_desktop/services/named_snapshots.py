"""Snapshots of an arena's votes that know what this machine calls its listeners."""

import logging
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Protocol

from arena_desktop.errors import ArenaError
from arena_desktop.services.arena_votes import ArenaVotes, Speeds

log = logging.getLogger(__name__)


class Person(Protocol):
    """Someone who listens here."""

    @property
    def pseudonym(self) -> str: ...
    @property
    def name(self) -> str: ...


class NamedSnapshots:
    """Adds names, and the ``speeds`` measured here, to what ``snapshot`` gives: for the screen only, names never leave
    this machine.

    While all three stay the same so does the result, with everything that was computed from it. Names that can't be
    read leave pseudonyms.
    """

    def __init__(
        self,
        snapshot: Callable[[str], ArenaVotes],
        people: Callable[[], Iterable[Person]],
        speeds: Callable[[], Speeds] = Speeds,
    ) -> None:
        self._speeds = speeds
        self._snapshot = snapshot
        self._people = people
        self._last: tuple[ArenaVotes, ArenaVotes] | None = None

    def __call__(self, arena: str) -> ArenaVotes:
        """The arena's votes."""
        votes, names, speeds = self._snapshot(arena), self._names(), self._speeds()
        last = self._last
        if last is None or last[0] is not votes or (last[1].names, last[1].speeds) != (names, speeds):
            last = self._last = votes, replace(votes, names=names, speeds=speeds)
        return last[1]

    def _names(self) -> dict[str, str]:
        try:
            return {person.pseudonym: person.name for person in self._people()}
        except ArenaError as problem:
            log.warning("the listeners' names can't be shown: %s", problem)
            return {}
