"""What models made of the fixed set on this machine: kept by what exactly spoke, so that other weights or settings are
not examined.
"""

import threading
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from datetime import UTC, datetime
from typing import Any, Protocol

from arena_desktop.domain.canonical import canonical, sha256_hex
from arena_desktop.domain.roster import ModelSpec, Voice
from arena_desktop.domain.word_errors import WordErrors, WordTest
from arena_desktop.engines.machine_facts import Machine
from arena_desktop.engines.types import Identity
from arena_desktop.errors import ArenaError
from arena_desktop.services.machine_file import Kept
from arena_desktop.services.measurements import machine_id, machine_title
from arena_desktop.services.views import Examined


class Identifier(Protocol):
    """What is needed of the speech host."""

    def identify(self, model: ModelSpec, voice: Voice | None = None) -> Identity: ...


@dataclass(frozen=True)
class Record:
    """One examination. ``key``: :func:`key_of`; ``spoke``: every text was spoken; ``flags`` in words; ``texts``: how
    many were asked for; ``when`` in UTC, ISO 8601. ``words``: the last word test by each recogniser.
    """

    key: str
    repo_id: str
    spoke: bool
    flags: tuple[str, ...]
    texts: int
    when: str
    words: tuple[WordTest, ...] = ()

    @property
    def examined(self) -> Examined:
        """As the Models page shows it."""
        return Examined(self.spoke and not self.flags, self.flags, self.when, self.words)


def key_of(model: ModelSpec, identity: Identity) -> str:
    """What exactly speaks: engine, weights, settings and voice. Models without weights go by their id and files."""
    voice = asdict(model.voices[0]) if model.voices else None
    weights = identity.weights_hash or [model.repo_id, sha256_hex(repr(sorted(model.files.items())).encode())]
    parts = [identity.engine, weights, identity.settings_hash, identity.reference_sha256, voice and voice["id"]]
    return sha256_hex(canonical(parts))[:32]


class Examinations:
    """Thread-safe; everything may read the file. ``identify`` reads the weights of a model once."""

    def __init__(
        self,
        file: Kept,
        host: Callable[[], Identifier],
        machine: Callable[[], Machine],
        now: Callable[[], datetime] | None = None,
    ) -> None:
        self._file = file
        self._host = host
        self._machine = machine
        self._now = now or (lambda: datetime.now(UTC))
        self._lock = threading.Lock()
        self._read: dict[str, Record] = {}
        self._fresh = False

    def look_anew(self) -> None:
        """Another program may have examined meanwhile: the file is read at the next question."""
        with self._lock:
            self._fresh = False

    def of(self, model: ModelSpec) -> Examined | None:
        """The last examination of exactly this; None without one, or where it can't be told what would speak."""
        with self._lock:
            known = self._known()
        if not known:
            return None
        try:
            found = known.get(self._key(model))
        except ArenaError:
            return None
        return None if found is None else found.examined

    def keep(
        self, model: ModelSpec, *, spoke: bool, flags: tuple[str, ...], texts: int, words: WordTest | None = None
    ) -> Examined:
        """Keep what came of an examination, and with it the last word tests by other recognisers than that of
        ``words``. Raises :class:`ArenaError` if it can't be written, or if it can't be told what spoke.
        """
        when = self._now().strftime("%Y-%m-%dT%H:%M:%SZ")
        new = () if words is None else (replace(words, when=when),)
        record = Record(self._key(model), model.repo_id, spoke, flags, texts, when, new)
        machine = self._machine()

        def change(entries: list[dict[str, Any]]) -> list[Mapping[str, Any]]:
            # Another program may have examined meanwhile: its entries stay.
            kept = {one.key: one for one in map(_record, entries) if one is not None}
            return [asdict(one) for one in {**kept, record.key: _with_words_of(kept.get(record.key), record)}.values()]

        with self._lock:
            known = self._known()
            kept = _with_words_of(known.get(record.key), record)
            self._read = {**known, record.key: kept}
            self._file.change(machine_id(machine), machine_title(machine), change)
        return kept.examined

    def _key(self, model: ModelSpec) -> str:
        return key_of(model, self._host().identify(model, model.voices[0] if model.voices else None))

    def _known(self) -> dict[str, Record]:
        if not self._fresh:
            entries = map(_record, self._file.read(machine_id(self._machine())))
            there = {one.key: one for one in entries if one is not None}
            # What couldn't be written is newer here.
            newer = {key: one for key, one in self._read.items() if key not in there or one.when > there[key].when}
            self._read, self._fresh = {**there, **newer}, True
        return self._read


def _with_words_of(old: Record | None, new: Record) -> Record:
    """``new`` with the word tests of ``old`` by recognisers that it has none of."""
    have = {one.recogniser for one in new.words}
    left = () if old is None else tuple(one for one in old.words if one.recogniser not in have)
    return replace(new, words=(*left, *new.words))


def _record(entry: Mapping[str, Any]) -> Record | None:
    """An entry of the file, None if it isn't what we write."""
    names = {field.name for field in fields(Record)} - {"words"}
    if not names <= set(entry) or not isinstance(entry.get("flags"), (list, tuple)):
        return None
    words = entry.get("words", ())
    tests = tuple(test for one in words if (test := _test(one)) is not None) if isinstance(words, list) else ()
    one = Record(**{**{name: entry[name] for name in names}, "flags": tuple(entry["flags"]), "words": tests})
    texts = all(isinstance(text, str) for text in (one.key, one.repo_id, one.when, *one.flags))
    return one if texts and isinstance(one.spoke, bool) and isinstance(one.texts, int) else None


def _test(entry: Any) -> WordTest | None:
    """A word test of the file, None if it isn't what we write."""
    try:
        errors = WordErrors(**entry["errors"])
        test = WordTest(**{**entry, "errors": errors})
    except (TypeError, KeyError):
        return None
    texts = (test.recogniser, test.title, test.language, test.when)
    numbers = (test.texts, *asdict(errors).values())
    whole = all(isinstance(number, int) and number >= 0 for number in numbers) and errors.words > 0
    return test if whole and all(isinstance(text, str) for text in texts) else None
