"""The kinds of things that records hold, in words for whoever hands them over, and which exports have them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from arena_desktop.domain.known_keys import KNOWN, strange_keys
from arena_desktop.domain.records import RETRACTION, VOTE, type_of

BESIDE = "beside"
"""Under this key a table's vote has what is known of it beside its record: ``reason`` of the retraction that took it
back, and the policy's words where it is ``excluded``."""

_NOTHING: Mapping[str, Any] = MappingProxyType({})
_LOG = ("jsonl",)
_ROWS = (*_LOG, "csv", "parquet")
_LISTS = (*_ROWS, "pairs", "lmarena")
_DATED = (*_ROWS, "lmarena")


@dataclass(frozen=True)
class Kind:
    """``find`` gives what a record has of it, as text; "" for nothing. ``formats`` have it, a public export of them
    only if it is not ``private``.
    """

    title: str
    formats: tuple[str, ...]
    find: Callable[[Mapping[str, Any]], str]
    private: bool = False

    def finder(self) -> Callable[[Mapping[str, Any]], object]:
        """What tells, as quickly as can be, whether a record has something of it."""
        if isinstance(self.find, _Any):
            return self.find.some
        return _is_vote if self.find is _verdict else self.find

    def leaves(self, form: str, *, public: bool) -> bool:
        """Whether an export in this format has it."""
        return form in self.formats and not (self.private and public)


class _At:
    """What lies at a path of one or two keys, as text."""

    def __init__(self, key: str, below: str = "") -> None:
        self._key, self._below = key, below

    def __call__(self, record: Mapping[str, Any]) -> str:
        value = record.get(self._key)
        if self._below:
            value = value.get(self._below) if isinstance(value, dict) else None
        return "" if value is None else value if isinstance(value, str) else str(value)


class _Any:
    """All that is found, separated by commas. ``some``: the first of it, which is quicker."""

    def __init__(self, *finders: Callable[[Mapping[str, Any]], str]) -> None:
        self._finders = finders

    def __call__(self, record: Mapping[str, Any]) -> str:
        return ", ".join(found for find in self._finders if (found := find(record)))

    def some(self, record: Mapping[str, Any]) -> str:
        for find in self._finders:
            found = find(record)
            if found:
                return found
        return ""


def _foreign_listener(record: Mapping[str, Any]) -> str:
    return "" if "station_id" in record else _At("listener")(record)


def _verdict(record: Mapping[str, Any]) -> str:
    if type_of(record) != VOTE:
        return ""
    a, b = (_part(record, side) for side in ("model_a", "model_b"))
    names = (str(model.get("repo_id") or model.get("handle") or "?") for model in (a, b))
    return f"{' against '.join(names)}: {record.get('vote')}"


def _is_vote(record: Mapping[str, Any]) -> bool:
    return type_of(record) == VOTE


def _own_mark(record: Mapping[str, Any]) -> str:
    name = _part(record, "prompt").get("id")
    return name if isinstance(name, str) and name.startswith("own:") else ""


def _listed(record: Mapping[str, Any]) -> str:
    name = _part(record, "prompt").get("id")
    return name if isinstance(name, str) and not name.startswith("own:") else ""


def _original(record: Mapping[str, Any]) -> str:
    return str(record["original"]) if record.get("original") is not None else ""


def _retraction(record: Mapping[str, Any]) -> str:
    found = record if type_of(record) == RETRACTION else _part(record, BESIDE)
    return str(found.get("reason") or "")


def _strange(record: Mapping[str, Any]) -> str:
    """Types and keys that this version of the program doesn't know."""
    kind = type_of(record)
    known = "station_id" not in record or kind in KNOWN
    return ", ".join(key for key in strange_keys(record) if key != BESIDE) if known else f"records of type {kind}"


def _part(record: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = record.get(key)
    return found if isinstance(found, dict) else _NOTHING


def _of_models(*keys: str) -> _Any:
    return _Any(*(_At(side, key) for side in ("model_a", "model_b") for key in keys))


KINDS = (
    Kind("Listeners' pseudonyms", _LISTS, _At("listener")),
    Kind(
        "Pseudonyms made of the names in other programs' votes: whoever knows a name can work out its pseudonym",
        _LISTS,
        _foreign_listener,
    ),
    Kind("Times, to the microsecond", _DATED, _At("at")),
    Kind("Votes: which two models, and the verdict", _LISTS, _verdict),
    Kind("Own texts, as they were typed", _ROWS, _At("private", "text"), private=True),
    Kind("Notes", _ROWS, _At("private", "note"), private=True),
    Kind("Names of sound devices", _ROWS, _At("private", "device"), private=True),
    Kind(
        "Fingerprints of own texts and their clips (SHA-256): whoever guesses a text can check the guess",
        _ROWS,
        _Any(_At("private", "text_sha256"), _At("private", "clip_a_sha256"), _At("private", "clip_b_sha256")),
        private=True,
    ),
    Kind("Records of other programs, as they were imported", _LOG, _original, private=True),
    Kind("Marks of own texts: which votes are on the same text, not what it says", _LISTS, _own_mark),
    Kind("Texts from prompt lists, by their ids", _LISTS, _listed),
    Kind("Texts from prompt lists, word for word", _ROWS, _At("prompt", "text")),
    Kind("Language and category of texts", _DATED, _Any(_At("prompt", "language"), _At("prompt", "category"))),
    Kind("Which side was played first", _LISTS, _At("listening", "first_played")),
    Kind("Sittings: which votes were cast in one session", _ROWS, _At("session_id")),
    Kind("Stations: which database wrote a record", _ROWS, _At("station_id")),
    Kind("Names given to imported logs", _ROWS, _At("source", "label")),
    Kind("Votes taken back, and why", _ROWS, _retraction),
    Kind("The policy's words for votes that it excludes", ("csv", "parquet"), _At(BESIDE, "excluded")),
    Kind("Studies", _ROWS, _At("study", "id")),
    Kind(
        "How it was listened: plays, share heard, time to decide, volume",
        _ROWS,
        _Any(*(_At("listening", key) for key in ("plays_a", "plays_b", "heard_a", "heard_b", "rt_ms", "volume_db"))),
    ),
    Kind("Conditions: question, how much had to be heard, loudness", _ROWS, _At("conditions", "question")),
    Kind("How fast this machine spoke, and on what", _ROWS, _of_models("device", "dtype", "rtf")),
    Kind("Make of the models: voice, revision, hashes", _ROWS, _of_models("voice", "revision", "weights_hash")),
    Kind("How the pair was drawn", _ROWS, _At("policy", "pair")),
    Kind("Version of the program", _ROWS, _At("app_version")),
    Kind("Signatures and public keys of stations", _LOG, _Any(_At("sig"), _At("public_key"))),
    Kind("Parts that this version of the program doesn't know", _LOG, _strange),
)
"""What an export may hand over, what concerns a person first."""
