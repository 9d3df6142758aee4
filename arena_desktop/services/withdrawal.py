"""A listener withdraws: the name behind the pseudonym, and everything private in the log, are deleted for good. The
votes stay, under a pseudonym that nobody can be found behind.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from arena_desktop.errors import ArenaError
from arena_desktop.store.backups import Backups, other_copies
from arena_desktop.store.forgotten import Erased, ForgottenFile, erase, scrub
from arena_desktop.store.listener_votes import is_in_log, votes_by_listener
from arena_desktop.store.listeners import Listener, Listeners, is_pseudonym
from arena_desktop.store.vote_log import VoteLog

ELSEWHERE = (
    "What was handed on can't be called back: files that were exported or synchronised with private parts, logs they"
    " were merged into, copies of this data directory on other disks and machines, printed boards."
)


class Clips(Protocol):
    """What is needed of the clip cache."""

    def sounds(self) -> Mapping[str, str]: ...
    def remove(self, key: str) -> None: ...


@dataclass(frozen=True)
class Person:
    """A listener of this data directory. ``name`` is None for one whom only the log knows. ``last`` is the time of the
    newest vote.
    """

    pseudonym: str
    name: str | None
    votes: int
    last: str | None
    forgotten: bool = False


@dataclass
class ForgetReport:
    """What was deleted. ``left`` are files of this machine that may still hold something, ``troubles`` sentences about
    what could not be done.
    """

    pseudonym: str
    had_name: bool = False
    erased: Erased = field(default_factory=Erased)
    votes: int = 0
    clips: int = 0
    backups: int = 0
    left: list[Path] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        return {
            "schema": 1,
            "listener": self.pseudonym,
            "name_deleted": self.had_name,
            "private_deleted": self.erased.records,
            "originals_deleted": self.erased.originals,
            "clips_deleted": self.clips,
            "backups_deleted": self.backups,
            "votes_kept": self.votes,
            "left": [str(path) for path in self.left],
            "troubles": self.troubles,
        }


def people(log: VoteLog, listeners: Listeners) -> list[Person]:
    """Everyone whom this machine has a name for, in the order in which they came, then whoever else is in the log."""
    found = votes_by_listener(log)
    gone = log.forgotten()
    named = {one.pseudonym: one.name for one in listeners.all()}
    order = [*named, *sorted(set(found) - set(named)), *sorted(one for one in gone if is_pseudonym(one))]
    return [
        Person(one, named.get(one), *found.get(one, (0, None)), forgotten=one in gone) for one in dict.fromkeys(order)
    ]


class Withdrawal:
    """Forgets listeners of one data directory."""

    def __init__(
        self, log: VoteLog, listeners: Listeners, forgotten: ForgottenFile, backups: Backups, clips: Clips
    ) -> None:
        self._log = log
        self._listeners = listeners
        self._forgotten = forgotten
        self._backups = backups
        self._clips = clips

    def find(self, who: str) -> Listener:
        """Whom a name or a pseudonym means (the name "" where only the log knows the pseudonym).
        :class:`ArenaError` for somebody unknown.
        """
        who = who.strip()
        known = self._listeners.find(who)
        if known is not None:
            return known
        if is_pseudonym(who) and (who in self._log.forgotten() or is_in_log(self._log, who)):
            return Listener(who, "")
        raise ArenaError(
            f"Nobody here is called {who}, and no vote in the log was cast under it.",
            "listeners list shows everyone by pseudonym.",
        )

    def forget(self, who: Listener) -> ForgetReport:
        """Delete what can be deleted. Doing it again finishes what could not be done before."""
        report = ForgetReport(who.pseudonym)
        self._forgotten.add(who.pseudonym)  # first: should all else fail, the next start goes on from here
        report.erased = erase(self._log.database, who.pseudonym, who.name)
        report.had_name = self._listeners.remove(who.pseudonym) is not None
        trouble = scrub(self._log.database)
        report.troubles += [] if trouble is None else [trouble]
        report.clips = self._drop_clips(report.erased)
        try:
            report.backups = len(self._backups.replace_all())
        except ArenaError as error:
            report.troubles.append(f"Copies of the log still hold it: {error}")
        report.left = [*other_copies(self._log.database.path), *self._listeners.set_aside_files()]
        report.votes = votes_by_listener(self._log).get(who.pseudonym, (0, None))[0]
        if report.erased.damaged:
            report.troubles.append(
                f"{report.erased.damaged} damaged records could not be read and still hold what they held (votes verify"
                " names them)."
            )
        return report

    def _drop_clips(self, erased: Erased) -> int:
        keys = self._clips.sounds() if erased.sounds else {}
        spoken = [keys[sound] for sound in erased.sounds if sound in keys]
        for key in spoken:
            self._clips.remove(key)
        return len(spoken)
