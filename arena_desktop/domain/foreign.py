"""Votes that other programs keep in forms of their own: which key or column holds what, and what its words mean.

A :class:`Shape` says where the fields of a vote stand in one kind of record. It is found from the names of the keys,
never from a file's name, and a person may say otherwise (``--map``).
"""

import hashlib
import re
from base64 import b32encode
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from arena_desktop.domain.canonical import canonical, sha256_hex
from arena_desktop.errors import UsageError

TABLE = "csv"
LMARENA = "lmarena"
TTS_ARENA = "tts-arena"

NAMES: Mapping[str, tuple[str, ...]] = {
    "arena": ("arena", "arenaid", "modeltype"),
    "model_a": ("modela", "modelarepoid", "repoida", "modelaid", "modelaname", "systema", "player1", "optiona"),
    "model_b": ("modelb", "modelbrepoid", "repoidb", "modelbid", "modelbname", "systemb", "player2", "optionb"),
    "vote": ("vote", "winner", "outcome", "preference", "choice", "selectedoption"),
    "chosen": ("chosen", "modelchosen", "chosenmodel", "chosenmodelid", "chosenid", "chosenrepoid"),
    "rejected": ("rejected", "modelrejected", "rejectedmodel", "rejectedmodelid", "rejectedid", "rejectedrepoid"),
    "at": (
        "at", "castat", "timestamp", "createdat", "tstamp", "votedate", "votedat", "datetime", "date", "time",
    ),
    "listener": (
        "listener", "listenerid", "judge", "judgeid", "rater", "raterid", "userid", "username", "voter",
        "participant", "participantid", "subject",
    ),
    "prompt": ("promptid", "prompt", "item", "itemid", "sentencehash", "text", "sentence", "spokentext", "prompttext"),
    "category": ("category", "promptcategory"),
    "language": ("language", "promptlanguage", "lang"),
    "voice_a": ("voicea", "modelavoice", "chosenvoice"),
    "voice_b": ("voiceb", "modelbvoice", "rejectedvoice"),
}  # fmt: skip
"""The fields of a vote, and the names under which each is looked for: small letters and digits alone, best first."""

_WORDS: Mapping[str, tuple[str, ...]] = {
    "a": ("a", "modela", "left", "1", "first", "optiona", "systema", "player1", "1.0"),
    "b": ("b", "modelb", "right", "2", "second", "optionb", "systemb", "player2", "2.0"),
    "tie": ("tie", "draw", "equal", "same", "bothgood", "tiebothgood"),
    "both_bad": ("bothbad", "tiebothbad", "bad", "neithergood"),
}
WORDS: Mapping[str, str] = {word: vote for vote, words in _WORDS.items() for word in words}
"""The votes' words in small letters, without blanks, hyphens, underscores and brackets."""
_ONE_OF = (
    {"a": "winnermodela", "b": "winnermodelb", "tie": "winnertie", "both_bad": "winnertiebothbad"},
    {"a": "win1", "b": "win2", "tie": "tie"},
)
"""Forms with a column for each vote, of which one holds a 1."""
_MOST_SHAPES = 64
_MOST_LETTERS = 4000
_EXPORTED = (
    {"player1", "player2", "win1", "win2", "tie", "first", "item", "bothbad"},
    {"questionid", "anony", "turn", "firstplayed", "itemid", "voterid", "bothbad"},
    {"recordhash", "whynot"},
)
"""The names that tell the tables and lists for other programs that a log was exported to."""
_STRUCK = ("retracted", "silent", "conflict", "excluded by policy", "another question")
_SUMMARY = ("times", "lastvote")
_PLAIN_ID = re.compile(r"(?=.*[0-9:_-])[A-Za-z0-9:._-]{1,64}")
_PSEUDONYM = re.compile(r"l-[a-z2-7]{16}")
_NO_LETTER = re.compile(r"[^a-z0-9]")
_PROMPT: dict[str, Any] = dict.fromkeys(("id", "sha256", "category", "language", "text"))


@dataclass(frozen=True)
class Shape:
    """Where the fields of a vote stand. ``form`` names the kind of record; ``fields`` says which key holds a field,
    ``constants`` gives those that are the same in every record, ``one_of`` the keys of a form with one for each vote.
    ``bad`` is the key that tells a tie of two bad samples from one of two good ones; ``struck`` the key that says why
    our own export didn't count a vote. ``exported``: a log was exported to this form, for other programs.
    """

    form: str
    fields: Mapping[str, str] = field(default_factory=dict)
    constants: Mapping[str, str] = field(default_factory=dict)
    one_of: Mapping[str, str] = field(default_factory=dict)
    bad: str = ""
    struck: str = ""
    exported: bool = False

    def lacks(self) -> tuple[str, ...]:
        """The fields without which nothing is a vote and that this shape doesn't know."""
        known = {*self.fields, *self.constants}
        if "chosen" in known or "rejected" in known:
            needed = ("arena", "chosen", "rejected")
        else:
            needed = ("arena", "model_a", "model_b", *(() if self.one_of else ("vote",)))
        return tuple(name for name in needed if name not in known)

    def read(self, original: Mapping[str, Any]) -> dict[str, Any]:
        """``original`` with the keys that a vote has; what it doesn't say is left out, and what is no vote stays as it
        is for the validator to name. ``original`` itself isn't changed.
        """
        if self.fields.get("chosen") or self.fields.get("rejected"):
            first, second = self._name("chosen", original), self._name("rejected", original)
            vote: Any = "a"
        else:
            first, second = self._name("model_a", original), self._name("model_b", original)
            vote = self._vote(original)
        sides = [
            _side(first, self._text("voice_a", original)),
            _side(second, self._text("voice_b", original)),
        ]
        if self.form == TTS_ARENA and _coin(original):
            # These arenas don't keep the sides. The winner always on side A would look like a listener who never
            # votes for B, so a coin that every machine throws alike decides.
            sides.reverse()
            vote = "b"
        record = {
            "arena": self._value("arena", original),
            "model_a": sides[0],
            "model_b": sides[1],
            "vote": vote,
            "at": self._value("at", original),
            "listener": self._text("listener", original),
            "prompt": self._prompt(original),
        }
        return {key: value for key, value in record.items() if value is not None}

    def _value(self, name: str, original: Mapping[str, Any]) -> Any:
        if name in self.constants:
            return self.constants[name]
        key = self.fields.get(name)
        value = None if key is None else _look(original, key)
        return None if value == "" else value

    def _text(self, name: str, original: Mapping[str, Any]) -> str | None:
        value = self._value(name, original)
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return canonical(value).decode()
        return value if isinstance(value, str) else None

    def _name(self, name: str, original: Mapping[str, Any]) -> Any:
        value = self._value(name, original)
        if isinstance(value, dict):
            return next((value[key] for key in ("repo_id", "id", "name") if key in value), None)
        return value

    def why_struck(self, original: Mapping[str, Any]) -> str | None:
        """Why a vote doesn't count where it comes from, whatever a roster says; None if it does."""
        if not self.struck:
            return None
        reason = str(original.get(self.struck))
        return reason if reason in _STRUCK else None

    def _vote(self, original: Mapping[str, Any]) -> Any:
        vote = self._word_or_mark(original)
        return "both_bad" if vote == "tie" and self.bad and _is_true(original.get(self.bad)) else vote

    def _word_or_mark(self, original: Mapping[str, Any]) -> Any:
        if not self.one_of or "vote" in self.fields or "vote" in self.constants:
            value = self._value("vote", original)
            if isinstance(value, (int, float)) and not isinstance(value, bool):
                value = str(value)
            return WORDS.get(_word(value), value) if isinstance(value, str) else value
        marks = {vote: _mark(_look(original, key)) for vote, key in self.one_of.items()}
        set_ones = [vote for vote, mark in marks.items() if mark == 1]
        rest = [mark for mark in marks.values() if mark not in (0, 1)]
        # Anything else, such as the sums of several votes, is no vote.
        return set_ones[0] if len(set_ones) == 1 and not rest else "?"

    def _prompt(self, original: Mapping[str, Any]) -> dict[str, Any] | None:
        name = self._text("prompt", original)
        found = {
            "id": None if name is None else _prompt_id(name),
            "category": self._text("category", original),
            "language": self._text("language", original),
        }
        return {**_PROMPT, **found} if any(value is not None for value in found.values()) else None


def read_mapping(options: Iterable[str]) -> dict[str, str]:
    """The values of ``--map``: each ``FIELD=COLUMN``, or ``FIELD=:TEXT`` for a text that holds for every vote.
    :class:`UsageError` for anything else.
    """
    found: dict[str, str] = {}
    for option in options:
        name, sign, column = option.partition("=")
        name = name.strip()
        if not sign or not column or column == ":":
            raise UsageError(f"--map {option}: this names no column.", "Write FIELD=COLUMN, or FIELD=:TEXT.")
        if name not in NAMES:
            raise UsageError(f"--map {option}: a vote has no field {name!r}.", f"Fields: {', '.join(NAMES)}.")
        if found.setdefault(name, column) != column:
            raise UsageError(f"--map: {name} is given twice.", "Keep one of the two.")
    return found


def shape_of(keys: Iterable[str], mapping: Mapping[str, str], form: str = "") -> Shape:
    """The shape of records with these ``keys``, as far as it can be told; see :meth:`Shape.lacks`.

    ``mapping`` has the last word. ``form`` names the kind where the keys don't.
    """
    by_name: dict[str, str] = {}
    for key in keys:
        by_name.setdefault(_NO_LETTER.sub("", key.casefold()), key)
    fields: dict[str, str] = {}
    for name, known in NAMES.items():
        found = next((by_name[one] for one in known if one in by_name), None)
        if found is not None:
            fields[name] = found
    one_of: dict[str, str] = {}
    for marks in _ONE_OF:
        if not one_of and marks["a"] in by_name and marks["b"] in by_name:
            one_of = {vote: by_name[name] for vote, name in marks.items() if name in by_name}
    if one_of and fields.get("vote") in one_of.values():
        del fields["vote"]
    # Of two ways to say who won, only one may be looked at.
    said = set(mapping)
    sides, winner = {"model_a", "model_b", "vote"}, {"chosen", "rejected"}
    by_winner = said & winner or (winner <= set(fields) and not said & sides)
    drop = sides if by_winner else winner
    fields = {name: key for name, key in fields.items() if name not in drop}
    constants = {name: column[1:] for name, column in mapping.items() if column.startswith(":")}
    fields.update({name: column for name, column in mapping.items() if not column.startswith(":")})
    if "chosen" in fields:
        form, one_of = TTS_ARENA, {}
    elif not form and ("winnermodela" in by_name or "winner" in by_name):
        form = LMARENA
    bad = by_name.get("bothbad", "")
    struck = by_name["whynot"] if "whynot" in by_name and "recordhash" in by_name else ""
    fields = {name: key for name, key in fields.items() if name not in constants}
    exported = any(names <= by_name.keys() for names in _EXPORTED)
    return Shape(form, fields, constants, one_of, bad, struck, exported)


class Shapes:
    """Recognises JSON records of other programs by their keys. ``mapping``: what a person says about them."""

    def __init__(self, mapping: Mapping[str, str]) -> None:
        self._mapping = mapping
        self._known: dict[tuple[str, ...], Shape | None] = {}

    def of(self, value: Mapping[str, Any]) -> Shape | None:
        """The shape of a record; None if it is none, or in the original arena's form while nobody says otherwise."""
        keys = tuple(value)
        if keys not in self._known:
            if len(self._known) >= _MOST_SHAPES or sum(map(len, keys)) > _MOST_LETTERS:
                return self._fitting(self._shape(keys), value)
            self._known[keys] = self._shape(keys)
        return self._fitting(self._known[keys], value)

    def _shape(self, keys: tuple[str, ...]) -> Shape | None:
        shape = shape_of(keys, self._mapping)
        if set(shape.lacks()) - {"arena"} or not (self._mapping or (shape.form and "vote" not in keys)):
            return None
        return shape

    def _fitting(self, shape: Shape | None, value: Mapping[str, Any]) -> Shape | None:
        if shape is None or self._mapping or shape.form != LMARENA:
            return shape
        return shape if isinstance(value[shape.fields["model_a"]], str) else None


def is_summary(keys: Iterable[str]) -> bool:
    """Whether the columns are those of a table that counts votes, of which no single one can be told."""
    names = {_NO_LETTER.sub("", key.casefold()) for key in keys}
    return all(name in names for name in _SUMMARY)


def _look(original: Mapping[str, Any], key: str) -> Any:
    """The value under ``key``; points lead into objects where there is no such key."""
    if key in original or "." not in key:
        return original.get(key)
    value: Any = original
    for part in key.split("."):
        value = value.get(part) if isinstance(value, dict) else None
    return value


def _side(name: Any, voice: str | None) -> dict[str, Any]:
    side = {} if name is None else {"repo_id": name}
    return side if voice is None else {**side, "voice": voice}


def _word(text: str) -> str:
    text = text.strip()
    return "" if text.startswith("-") else re.sub(r"[\s_()-]", "", text.casefold())


def _is_true(value: Any) -> bool:
    return value in (True, 1) or str(value).casefold() in ("1", "1.0", "true", "yes")


def _mark(value: Any) -> Any:
    """A number that stands in a cell or a key; nothing is 0."""
    if value is None or value == "":
        return 0
    try:
        return float(value)
    except (TypeError, ValueError):
        return value


def _coin(original: Mapping[str, Any]) -> bool:
    return hashlib.sha256(b"side|" + canonical(dict(original))).digest()[0] % 2 == 1


def _prompt_id(text: str) -> str:
    """What looks like an id as it is; a sentence by its hash, since it may be private."""
    return text if _PLAIN_ID.fullmatch(text) else "text:" + sha256_hex(text.encode())[:12]


def pseudonym(name: str, whence: str) -> str:
    """The pseudonym of a listener whom another program calls ``name``: names of people have no place in a log.

    The same on every machine for the same ``whence`` (which log of which form); other logs' listeners may have the same
    name. A pseudonym is kept as it is.
    """
    if _PSEUDONYM.fullmatch(name):
        return name
    digest = hashlib.sha256(f"arena-votes/1|listener|{whence}|{name}".encode()).digest()
    return "l-" + b32encode(digest[:10]).decode().lower()
