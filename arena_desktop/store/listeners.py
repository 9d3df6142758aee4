"""Who listens here: the pseudonyms that stand in votes, and the names behind them, which never leave this file."""

import base64
import re
import secrets
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena_desktop.domain.forgetting import folded
from arena_desktop.errors import ArenaError
from arena_desktop.store.bounded import reason
from arena_desktop.store.small_files import Clock, Damaged, read_json_object, set_aside, utc_now, write_json

SCHEMA = 1
FIRST_NAME = "You"
LONGEST_NAME = 60

_PSEUDONYM = re.compile(r"l-[a-z2-7]{16}")


@dataclass(frozen=True)
class Listener:
    """A person on this machine: ``pseudonym`` is what votes say, ``name`` is what this screen says."""

    pseudonym: str
    name: str


def new_pseudonym() -> str:
    """``l-`` and 16 random lower-case base32 characters (80 bits)."""
    return "l-" + base64.b32encode(secrets.token_bytes(10)).decode("ascii").lower()


def is_pseudonym(text: str) -> bool:
    """Whether ``text`` has the form of a pseudonym."""
    return _PSEUDONYM.fullmatch(text) is not None


class Listeners:
    """The people on this machine, kept in one JSON file that only its owner may read.

    Every call reads the file afresh, so that a window and a command beside it see each other's people. A damaged file
    is set aside and said in ``notes``: whoever was in it gets a new pseudonym, never somebody else's. All methods
    raise :class:`ArenaError` when the file can't be read, can't be written, or comes from a newer version.
    """

    def __init__(self, path: Path, clock: Clock = utc_now, draw: Callable[[], str] = new_pseudonym) -> None:
        self._path = path
        self._clock = clock
        self._draw = draw
        self.notes: tuple[str, ...] = ()

    def all(self) -> tuple[Listener, ...]:
        """Everyone, in the order in which they came."""
        return tuple(self._read()[0])

    def find(self, who: str) -> Listener | None:
        """The person with this pseudonym or name (upper and lower case alike), None if there is none."""
        return _found(self._read()[0], who)

    def default(self) -> Listener:
        """The first person; on a new machine one named "You" is made."""
        people, others = self._read()
        return people[0] if people else self._added(people, others, FIRST_NAME)

    def add(self, name: str) -> Listener:
        """A new person, with a pseudonym drawn now.

        Raises :class:`ArenaError` for a name that is taken or is no name.
        """
        people, others = self._read()
        name = _clean(name)
        if _found(people, name) is not None:
            raise ArenaError(f"There is already a listener {name} here.", "Choose that one, or type another name.")
        return self._added(people, others, name)

    def ensure(self, who: str) -> Listener:
        """The person with this name or pseudonym, made when there is none.

        A pseudonym that is not known here is taken as it is, so that someone can keep theirs on another machine.
        """
        people, others = self._read()
        known = _found(people, who)
        if known is not None:
            return known
        if is_pseudonym(who.strip()):
            return self._added(people, others, _free_name(people), who.strip())
        return self._added(people, others, _clean(who))

    def rename(self, pseudonym: str, name: str) -> Listener:
        """Change what a person is called here; votes are not touched."""
        people, others = self._read()
        name = _clean(name)
        holder = _found(people, name)
        if holder is not None and holder.pseudonym != pseudonym:
            raise ArenaError(f"There is already a listener {name} here.", "Type another name.")
        changed = Listener(pseudonym, name)
        if not any(one.pseudonym == pseudonym for one in people):
            raise ArenaError(f"There is no listener {pseudonym} here.", "Choose one from the list.")
        self._write([changed if one.pseudonym == pseudonym else one for one in people], others)
        return changed

    def remove(self, pseudonym: str) -> Listener | None:
        """Delete the name behind a pseudonym; the person it was, None if there is none. Whoever types that name again
        is somebody new.
        """
        people, others = self._read()
        gone = next((one for one in people if one.pseudonym == pseudonym), None)
        if gone is not None:
            self._write([one for one in people if one.pseudonym != pseudonym], others)
        return gone

    def set_aside_files(self) -> list[Path]:
        """Damaged files of names that were set aside."""
        return sorted(self._path.parent.glob(f"{self._path.name}.bad-*"))

    def _added(
        self, people: list[Listener], others: dict[str, Any], name: str, pseudonym: str | None = None
    ) -> Listener:
        listener = Listener(pseudonym or self._draw(), name)
        self._write([*people, listener], others)
        return listener

    def _read(self) -> tuple[list[Listener], dict[str, Any]]:
        try:
            values = read_json_object(self._path)
            if values is None:
                return [], {}
            schema = values.get("schema")
            if isinstance(schema, int) and schema > SCHEMA:
                raise ArenaError(
                    f"The listeners in {self._path} were written by a newer version of this program.",
                    "Use that version, or another data directory.",
                )
            return _people(values), {k: v for k, v in values.items() if k not in ("schema", "listeners")}
        except Damaged as damage:
            self._put_away(str(damage))
            return [], {}

    def _put_away(self, damage: str) -> None:
        try:
            aside = set_aside(self._path, self._clock())
        except OSError as error:
            raise ArenaError(
                f"The file of listeners' names {self._path} can't be used ({damage}) nor moved away ({reason(error)}).",
                "Check the rights of the data directory.",
            ) from error
        note = (
            f"The file of listeners' names was damaged ({damage}) and is now {aside.name}. Everyone gets a new"
            " pseudonym; mend that file and put it back to go on under the old ones."
        )
        self.notes = (*self.notes, note)

    def _write(self, people: list[Listener], others: dict[str, Any]) -> None:
        entries = [{"id": one.pseudonym, "name": one.name} for one in people]
        try:
            write_json(self._path, {"schema": SCHEMA, **others, "listeners": entries})
        except OSError as error:
            raise ArenaError(
                f"The listener's name can't be kept in {self._path} ({reason(error)}).",
                "Check that the data directory can be written and has room.",
            ) from error


def _people(values: dict[str, Any]) -> list[Listener]:
    entries = values.get("listeners")
    if values.get("schema") != SCHEMA or not isinstance(entries, list):
        raise Damaged("it is no list of listeners")
    people: list[Listener] = []
    for entry in entries:
        match entry:
            case {"id": str(pseudonym), "name": str(name)} if is_pseudonym(pseudonym) and name.strip():
                people.append(Listener(pseudonym, name))
            case _:
                raise Damaged("an entry has no pseudonym or no name")
    if len({one.pseudonym for one in people}) < len(people):
        raise Damaged("two people have one pseudonym")
    return people


def _found(people: list[Listener], who: str) -> Listener | None:
    wanted = folded(who)
    return next((one for one in people if one.pseudonym == who.strip() or folded(one.name) == wanted), None)


def _clean(name: str) -> str:
    text = " ".join(unicodedata.normalize("NFC", name[: LONGEST_NAME * 8]).split())
    if not text:
        raise ArenaError("A listener needs a name.", "Type one.")
    if len(text) > LONGEST_NAME:
        raise ArenaError(f"A listener's name has at most {LONGEST_NAME} characters.", "Type a shorter one.")
    if any(unicodedata.category(char) in ("Cc", "Cs") for char in text):
        raise ArenaError("The name holds characters that are no text.", "Type it anew.")
    if text.startswith("l-") and len(text) == 18:
        raise ArenaError("A name can't look like a pseudonym.", "Type another one.")
    return text


def _free_name(people: list[Listener]) -> str:
    number = len(people) + 1
    while _found(people, f"Listener {number}") is not None:
        number += 1
    return f"Listener {number}"
