"""What a person should know of records before taking them in: where they come from, and what doesn't fit together.

Nothing here decides anything: every record is kept. Memory is bounded, whatever the records hold.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from arena_desktop.domain.records import VOTE
from arena_desktop.domain.times import canonical_us, time_text
from arena_desktop.store.arrived_chains import ChainFound

CONDITIONS = ("question", "silent", "gate", "playback", "autoplay", "reveal", "text_hidden", "target_lufs")
"""The conditions of a vote that are compared."""
VARIANTS = ("weights_hash", "voice", "settings_hash")
"""What may tell several competitors under one name apart."""

OTHERS = "(others)"
"""Stands for all names beyond those that are held."""

_SIDES = ("model_a", "model_b")
_LONGEST = 200
_MOST = 10_000
_MOST_ALIKE = 5_000
_EARLIEST = canonical_us("2010-01-01T00:00:00.000000Z") or 0

_conditions = itemgetter(*CONDITIONS)
_competitor = itemgetter("repo_id", *VARIANTS)
Value = str | int | float | bool | None


@dataclass(frozen=True)
class Sender:
    """A station: how many records it sent, how many of them are signed, the first and last time (canonical, "" where
    unknown), and how often its clock ran back: a later record with an earlier time.
    """

    station_id: str
    records: int
    signed: int
    first: str = ""
    last: str = ""
    steps_back: int = 0


@dataclass(frozen=True)
class Mixed:
    """Votes of one arena that were cast under different conditions: each value of ``condition`` with its votes."""

    arena: str
    condition: str
    values: tuple[tuple[Value, int], ...]


@dataclass(frozen=True)
class Variant:
    """One name whose votes differ in ``what`` (one of :data:`VARIANTS`): each value, None where it is not known, with
    how often it took part.
    """

    repo_id: str
    what: str
    values: tuple[tuple[str | None, int], ...]


@dataclass(frozen=True)
class Alias:
    """Two names with the same weights, voice and settings: ``name`` took part less often than ``other`` and may be
    another word for it.
    """

    name: str
    other: str
    weights_hash: str


@dataclass(frozen=True)
class ImportFindings:
    """What the readable records of an import are. Counts of things that repeat come with the most frequent first.

    ``records`` of all types, ``votes`` among them, ``legacy`` without a station, ``signed`` with a signature (whether
    it is good is another matter). ``first`` and ``last``: canonical times, "" without any; ``undated`` records have
    none. ``future``: records more than a day ahead of this machine's clock; ``past``: before 2010; ``steps_back``:
    how often a station's clock ran back. ``arenas``, ``listeners`` (pseudonyms) and ``models`` count votes;
    ``arena_models`` says which models have some in an arena.
    ``many``: there are more different ones than are held; the rest is counted under "(others)". ``outside`` and
    ``chains``: see :class:`arena_desktop.store.arrived_chains.ChainsFound`.
    """

    records: int = 0
    votes: int = 0
    legacy: int = 0
    signed: int = 0
    first: str = ""
    last: str = ""
    undated: int = 0
    future: int = 0
    past: int = 0
    steps_back: int = 0
    arenas: tuple[tuple[str, int], ...] = ()
    listeners: tuple[tuple[str, int], ...] = ()
    models: tuple[tuple[str, int], ...] = ()
    stations: tuple[Sender, ...] = ()
    arena_models: tuple[tuple[str, tuple[str, ...]], ...] = ()
    mixed: tuple[Mixed, ...] = ()
    variants: tuple[Variant, ...] = ()
    aliases: tuple[Alias, ...] = ()
    many: bool = False
    outside: int = 0
    chains: tuple[ChainFound, ...] = ()


class _Station:
    """A station while it is counted."""

    __slots__ = ("at", "first", "last", "records", "seq", "signed", "steps_back")

    def __init__(self) -> None:
        self.records = self.signed = self.steps_back = self.seq = 0
        self.at = self.first = self.last = ""


class Findings:
    """Takes in one record after another (:meth:`notice`) and says at the end what they are (:meth:`result`).

    ``latest_us``: times after this lie in the future (microseconds since 1970).
    """

    def __init__(self, latest_us: int) -> None:
        self._latest = time_text(latest_us)
        self._early = time_text(_EARLIEST)
        self._records = self._votes = self._legacy = self._signed = 0
        self._undated = self._future = self._past = 0
        self._first = self._last = ""
        self._stations: dict[str, _Station] = {}
        self._listeners: dict[Any, int] = {}
        self._conditions: dict[Any, int] = {}
        self._competitors: dict[Any, int] = {}
        self._members: dict[tuple[Any, Any], int] = {}
        self._alike: dict[Any, int] = {}  # votes of one arena, conditions and competitors, not counted elsewhere yet
        self._many = False

    def notice(self, record: Mapping[str, Any]) -> None:
        """Take in a record in the form in which the log would keep it."""
        self._records += 1
        at = record.get("at")
        if not isinstance(at, str) or len(at) != 27 or at[4] != "-" or at[26] != "Z":
            at = ""
            self._undated += 1
        elif at > self._latest:
            self._future += 1
        elif at < self._early:
            self._past += 1
        if at:
            if at > self._last:
                self._last = at
            if not self._first or at < self._first:
                self._first = at
        signed = "sig" in record
        self._signed += signed
        station = record.get("station_id")
        if station is None:
            self._legacy += 1
        else:
            self._send(station, record.get("seq"), at, signed)
        if record.get("type") == VOTE:
            self._votes += 1
            self._vote(record)

    @property
    def ran_back(self) -> bool:
        """Whether some station's clock did."""
        return any(one.steps_back for one in self._stations.values())

    def set_steps_back(self, steps: Mapping[str, int]) -> None:
        """How often each station's clock ran back; others' didn't."""
        for name, one in self._stations.items():
            one.steps_back = steps.get(name, 0)

    def withdraw(self, record: Mapping[str, Any]) -> None:
        """Don't count a record that was taken in: it is a copy of another that was."""
        self._change(record, -1)

    def bring_back(self, record: Mapping[str, Any]) -> None:
        """Count a record in the place of one that was withdrawn."""
        self._change(record, 1)

    def _change(self, record: Mapping[str, Any], times: int) -> None:
        """Count ``record`` so many times more. Spans and steps of clocks stay what they are."""
        self._spread()
        self._records += times
        at = record.get("at")
        if not isinstance(at, str) or len(at) != 27 or at[4] != "-" or at[26] != "Z":
            self._undated += times
        elif at > self._latest:
            self._future += times
        elif at < self._early:
            self._past += times
        signed = times if "sig" in record else 0
        self._signed += signed
        station = record.get("station_id")
        if station is None:
            self._legacy += times
        else:
            sender = self._stations[self._room(self._stations, station)]
            sender.records += times
            sender.signed += signed
        if record.get("type") == VOTE:
            self._votes += times
            self._count(self._listeners, record.get("listener"), times)
            self._tally(record.get("arena"), _conditions_of(record), _competitors_of(record), times)

    def _send(self, station: Any, seq: Any, at: str, signed: bool) -> None:
        sender = self._stations.get(station) if isinstance(station, str) else None
        if sender is None:
            name = self._room(self._stations, station)
            sender = self._stations.setdefault(name, _Station())
        sender.records += 1
        sender.signed += signed
        if not at or not isinstance(seq, int):
            return
        # In whatever order the records come: later by number must be later by time.
        if sender.at and (seq > sender.seq) != (at > sender.at) and seq != sender.seq:
            sender.steps_back += 1
        sender.seq, sender.at = seq, at
        if at > sender.last:
            sender.last = at
        if not sender.first or at < sender.first:
            sender.first = at

    def _vote(self, record: Mapping[str, Any]) -> None:
        self._count(self._listeners, record.get("listener"), 1)
        try:
            alike = (
                record["arena"],
                _conditions(record["conditions"]),
                _competitor(record["model_a"]),
                _competitor(record["model_b"]),
            )
            if alike in self._alike:
                self._alike[alike] += 1
                return
        except (KeyError, TypeError):  # a record may lack anything, and hold lists and objects anywhere
            self._tally(record.get("arena"), _conditions_of(record), _competitors_of(record), 1)
            return
        if all(map(_is_short, (alike[0], *alike[1], *alike[2], *alike[3]))):
            if len(self._alike) >= _MOST_ALIKE:
                self._spread()
            self._alike[alike] = 1
        else:
            self._tally(alike[0], alike[1], alike[2:], 1)

    def _spread(self) -> None:
        """Count what many votes had in common."""
        for (arena, conditions, *competitors), votes in self._alike.items():
            self._tally(arena, conditions, competitors, votes)
        self._alike.clear()

    def _tally(self, arena: Any, conditions: tuple[Any, ...], competitors: Iterable[Any], votes: int) -> None:
        self._count(self._conditions, (arena, *conditions), votes)
        for competitor in competitors:
            self._count(self._competitors, competitor, votes)
            self._count(self._members, (arena, competitor[0]), votes)

    def _count(self, counts: dict[Any, int], key: Any, votes: int) -> None:
        try:
            if key in counts:
                counts[key] += votes
                return
        except TypeError:
            pass
        short = self._room(counts, key)
        counts[short] = counts.get(short, 0) + votes

    def _room(self, held: Mapping[Any, Any], key: Any) -> Any:
        """``key`` in a form that may be held; "(others)" when enough are."""
        short = tuple(map(_short, key)) if isinstance(key, tuple) else _short(key)
        if short in held or len(held) < _MOST:
            return short
        self._many = True
        return (OTHERS,) * len(key) if isinstance(key, tuple) else OTHERS

    def result(self) -> ImportFindings:
        """What the records so far are."""
        self._spread()
        stations = [
            Sender(str(name), one.records, one.signed, one.first, one.last, one.steps_back)
            for name, one in self._stations.items()
        ]
        arenas: dict[Any, int] = {}
        for key, votes in self._conditions.items():
            arenas[key[0]] = arenas.get(key[0], 0) + votes
        models: dict[Any, int] = {}
        for (repo_id, *_), times in self._competitors.items():
            models[repo_id] = models.get(repo_id, 0) + times
        members: dict[str, list[str]] = {}
        for arena, repo_id in sorted(self._members, key=repr):
            if _is_name(arena) and _is_name(repo_id):
                members.setdefault(arena, []).append(repo_id)
        return ImportFindings(
            records=self._records,
            votes=self._votes,
            legacy=self._legacy,
            signed=self._signed,
            first=self._first,
            last=self._last,
            undated=self._undated,
            future=self._future,
            past=self._past,
            steps_back=sum(sender.steps_back for sender in stations),
            arenas=_ranked(arenas),
            listeners=_ranked(self._listeners),
            models=_ranked(models),
            stations=tuple(sorted(stations, key=lambda one: (-one.records, one.station_id))),
            arena_models=tuple((arena, tuple(names)) for arena, names in members.items()),
            mixed=tuple(self._mixed()),
            variants=tuple(self._variants()),
            aliases=tuple(self._aliases(models)),
            many=self._many,
        )

    def _mixed(self) -> Iterator[Mixed]:
        found: dict[str, list[dict[Value, int]]] = {}
        for key, votes in self._conditions.items():
            if len(key) > 1 and isinstance(key[0], str):
                held = found.setdefault(key[0], [{} for _ in CONDITIONS])
                for values, value in zip(held, key[1:], strict=True):
                    values[value] = values.get(value, 0) + votes
        for arena, held in sorted(found.items()):
            for condition, values in zip(CONDITIONS, held, strict=True):
                if len(values) > 1:
                    yield Mixed(arena, condition, _by_votes(values.items()))

    def _variants(self) -> Iterator[Variant]:
        for place, what in enumerate(VARIANTS, 1):
            found: dict[str, dict[str | None, int]] = {}
            for key, times in self._competitors.items():
                if isinstance(key[0], str) and (key[place] is None or isinstance(key[place], str)):
                    values = found.setdefault(key[0], {})
                    values[key[place]] = values.get(key[place], 0) + times
            for repo_id, values in sorted(found.items()):
                # Not known beside one known value is no difference that anybody could act on.
                if sum(value is not None for value in values) > 1:
                    yield Variant(repo_id, what, _by_votes(values.items()))

    def _aliases(self, models: Mapping[Any, int]) -> Iterator[Alias]:
        names: dict[tuple[str, ...], list[str]] = {}
        for repo_id, *what in self._competitors:
            if isinstance(repo_id, str) and isinstance(what[0], str) and repo_id != OTHERS:
                same = names.setdefault(tuple(map(str, what)), [])
                if repo_id not in same:
                    same.append(repo_id)
        told = set()
        for what, same in sorted(names.items()):
            other, *rest = sorted(same, key=lambda name: (-models[name], name))
            for name in rest:
                if (name, other) not in told:
                    told.add((name, other))
                    yield Alias(name, other, what[0])


def _is_name(value: Any) -> bool:
    """Whether this is a name as it stands in the records."""
    return isinstance(value, str) and value != OTHERS and len(value) <= _LONGEST


def _conditions_of(record: Mapping[str, Any]) -> tuple[Any, ...]:
    found = record.get("conditions")
    return tuple(map(found.get, CONDITIONS)) if isinstance(found, dict) else ()


def _competitors_of(record: Mapping[str, Any]) -> Iterator[tuple[Any, ...]]:
    for side in _SIDES:
        model = record.get(side)
        if isinstance(model, dict) and "repo_id" in model:  # a sealed study holds handles
            yield tuple(map(model.get, ("repo_id", *VARIANTS)))


def _is_short(value: Any) -> bool:
    return value is _short(value)


def _short(value: Any) -> Value:
    """A value that may be kept: no longer than a name is."""
    if value is None or isinstance(value, (bool, float)):
        return value
    if isinstance(value, str):
        return value if len(value) <= _LONGEST else value[:_LONGEST] + "…"
    return value if isinstance(value, int) and abs(value) < 1 << 60 else f"({type(value).__name__})"


def _ranked(counts: Mapping[Any, int]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(((name, n) for name, n in counts.items() if isinstance(name, str)), key=_most_first))


def _by_votes(items: Iterable[tuple[Any, int]]) -> tuple[tuple[Any, int], ...]:
    return tuple(sorted(items, key=_most_first))


def _most_first(item: tuple[Any, int]) -> tuple[int, str]:
    return (-item[1], repr(item[0]))
