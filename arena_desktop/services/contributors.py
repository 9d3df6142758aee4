"""A card for each contributor to a board (station and listener): what their votes look like beside everybody's."""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena_desktop.domain.policy_rules import split_from
from arena_desktop.ratings.arrays import FloatArray, IntArray
from arena_desktop.ratings.audit.case import Case
from arena_desktop.ratings.contributor_checks import (
    FEWEST,
    Following,
    Leaning,
    Repeating,
    expected_by_others,
    following,
    leaning,
    repeating,
)
from arena_desktop.ratings.vote_table import UNKNOWN, VoteTable
from arena_desktop.services.arena_votes import ArenaVotes

FASTEST = 40.0
"""Characters a second: no voice is listened to that fast."""
FASTEST_PRESS_MS = 100.0
"""Nobody decides so soon after the end, time after time."""

_SAME_SITTING_US = 600_000_000
_SOME = 10
_SHARE = 0.1


class Check(StrEnum):
    """What a contributor can be suspected of."""

    SPEED = "speed"
    UNHEARD = "unheard"
    SIDE = "side"
    FIRST = "first_played"
    ASTRAY = "astray"
    CONTRARY = "contrary"
    WEIGHTS = "weights"


@dataclass(frozen=True)
class Measured:
    """A number with its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class OtherWeights:
    """A model under whose name a station had other weights than most. ``own`` and ``usual`` are hashes; ``votes`` this
    contributor's with their own.
    """

    repo_id: str
    own: str
    usual: str
    votes: int


@dataclass(frozen=True)
class Contributor:
    """One (station, listener). None is what votes don't say.

    ``station`` is None for votes that another program wrote; ``source`` is then the name of their log (of a named
    listener's only after :func:`with_sources`). ``share`` of the
    board's votes that count. ``first``, ``last``: microseconds since 1970. ``seconds`` from vote to vote within a
    sitting and ``rt_ms`` from when a vote could be cast are medians. ``impossible`` votes came before their clips could
    have been heard, of ``timed`` that can be told; in ``unheard`` ones of ``heard_known`` less was heard than had to
    be; ``heard`` is the mean share. ``side``, ``order``: what sample A, or the one played first, scores beyond what the
    ratings expect, a vote. ``follows``: 1 if votes follow the others' ratings as far as those expect, 0 if not at all.
    ``repeats`` of a pair, ``agree`` and ``expected`` shares of them. ``excluded``: votes that the policy leaves out, by
    its reason; they are in no other number. ``checks``: what the votes are suspected of.
    """

    station: str | None
    listener: str | None
    source: str | None
    votes: int
    share: float
    first: int | None = None
    last: int | None = None
    seconds: float | None = None
    rt_ms: float | None = None
    impossible: int = 0
    timed: int = 0
    heard: float | None = None
    unheard: int = 0
    heard_known: int = 0
    side: Measured | None = None
    order: Measured | None = None
    follows: Measured | None = None
    repeats: int = 0
    agree: float | None = None
    expected: float | None = None
    other_weights: tuple[OtherWeights, ...] = ()
    excluded: tuple[tuple[str, int], ...] = ()
    checks: tuple[Check, ...] = ()


def contributors(votes: ArenaVotes) -> tuple[Contributor, ...]:
    """Everybody whose votes are on the board, or were left out by the policy: suspects first, then by votes.

    Raises :class:`NotConverged` where a fit does.
    """
    table = votes.table
    left_out = _left_out(votes)
    if not len(table):
        return tuple(_absent(key, reasons) for key, reasons in left_out.items())
    keys, who = _numbered(table)
    found = _Figures(table, votes.priors, who, len(keys))
    cards = [found.card(number, key, left_out.pop(key, {})) for number, key in enumerate(keys)]
    cards += [_absent(key, reasons) for key, reasons in left_out.items()]
    return tuple(sorted(cards, key=lambda card: (not card.checks, -card.votes, card.station or "", str(card.listener))))


def with_sources(cards: Iterable[Contributor], records: Iterable[Mapping[str, Any]]) -> tuple[Contributor, ...]:
    """The cards, those of another program's named listeners with the name of the log that their votes come from."""
    found: dict[str, set[str]] = {}
    for record in records:
        listener, source = record.get("listener"), record.get("source")
        label = source.get("label") if isinstance(source, dict) else None
        if isinstance(listener, str) and isinstance(label, str) and label and record.get("station_id") is None:
            found.setdefault(listener, set()).add(label)
    only = {listener: labels.pop() for listener, labels in found.items() if len(labels) == 1}
    return tuple(
        replace(card, source=only.get(card.listener or "", card.source)) if card.station is None else card
        for card in cards
    )


Key = tuple[str | None, Hashable]


def _numbered(table: VoteTable) -> tuple[list[Key], IntArray]:
    codes = (table.station + 1) * len(table.listeners) + table.listener
    found, who = np.unique(codes, return_inverse=True)
    stations, listeners = np.divmod(found, len(table.listeners))
    keys: list[Key] = [
        (table.stations[station - 1] if station else None, table.listeners[listener])
        for station, listener in zip(stations.tolist(), listeners.tolist(), strict=True)
    ]
    return keys, who.ravel().astype(np.int64)


def _left_out(votes: ArenaVotes) -> dict[Key, dict[str, int]]:
    found: dict[Key, dict[str, int]] = {}
    for one, number in votes.excluded.items():
        reasons = found.setdefault((one.station, one.listener), {})
        reasons[one.reason] = reasons.get(one.reason, 0) + number
    return found


def _named(key: Key) -> tuple[str | None, str | None, str | None]:
    station, listener = key
    if isinstance(listener, str):
        return station, listener, None
    source = listener[0] if isinstance(listener, tuple) and listener else None
    return station, None, source if isinstance(source, str) else None


def _absent(key: Key, reasons: Mapping[str, int]) -> Contributor:
    return Contributor(*_named(key), votes=0, share=0.0, excluded=_sorted(reasons))


def _sorted(reasons: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(reasons.items(), key=lambda item: (-item[1], item[0])))


class _Figures:
    """All contributors' numbers, each kind computed once for all of them."""

    def __init__(self, table: VoteTable, priors: FloatArray, who: IntArray, count: int) -> None:
        self._table, self._count = table, count
        self._case = Case(replace(table, listener=who), priors)
        self._who = who
        expected = expected_by_others(self._case, who, count)
        beyond = table.score - expected
        told = table.first >= 0
        self.side = leaning(beyond, who, count)
        self.order = leaning((beyond * (1 - 2 * table.first))[told], who[told], count)
        self.follows = following(table.score, expected, who, count)
        self.repeats = repeating(self._case, count)
        self._by_person = np.argsort(who, kind="stable")
        self._ends = np.searchsorted(who[self._by_person], np.arange(count + 1))
        self._gates = np.array([np.nan if one.gate is None else one.gate for one in table.conditions] + [np.nan])
        self._weights = _other_weights(table, who, count)

    def card(self, number: int, key: Key, excluded: Mapping[str, int]) -> Contributor:
        """One contributor's."""
        table = self._table
        mine = self._by_person[self._ends[number] : self._ends[number + 1]]
        at, gate = table.at[mine], self._gates[table.condition[mine]]
        dated = at[at >= 0]
        seconds, impossible, timed = _pace(at, gate, table.length[mine])
        rt, heard = table.rt_ms[mine], table.heard[mine]
        known = np.isfinite(heard) & np.isfinite(gate)
        card = Contributor(
            *_named(key),
            votes=len(mine),
            share=len(mine) / len(table),
            first=int(dated.min()) if len(dated) else None,
            last=int(dated.max()) if len(dated) else None,
            seconds=seconds,
            rt_ms=_median(rt),
            impossible=impossible,
            timed=timed,
            heard=float(np.nanmean(heard)) if np.isfinite(heard).any() else None,
            unheard=int(np.sum(heard[known] < gate[known] - 0.005)),
            heard_known=int(known.sum()),
            side=_measured(self.side, number),
            order=_measured(self.order, number),
            follows=_measured(self.follows, number),
            repeats=int(self.repeats.repeats[number]),
            agree=_known(self.repeats.agree[number]),
            expected=_known(self.repeats.expected[number]),
            other_weights=self._weights.get(number, ()),
            excluded=_sorted(excluded),
        )
        quick = int(np.isfinite(rt).sum()) >= FEWEST and (card.rt_ms or 0.0) < FASTEST_PRESS_MS
        return replace(card, checks=self._checks(number, card, quick=quick))

    def _checks(self, number: int, card: Contributor, *, quick: bool) -> tuple[Check, ...]:
        found = {
            Check.SPEED: quick or _many(card.impossible, card.timed),
            Check.UNHEARD: _many(card.unheard, card.heard_known),
            Check.SIDE: bool(self.side.sure[number]),
            Check.FIRST: bool(self.order.sure[number]),
            Check.ASTRAY: bool(self.follows.astray[number]),
            Check.CONTRARY: bool(self.repeats.contrary[number]),
            Check.WEIGHTS: bool(card.other_weights),
        }
        return tuple(check for check, fires in found.items() if fires)


def _pace(at: IntArray, gate: FloatArray, length: IntArray) -> tuple[float | None, int, int]:
    """Seconds from vote to vote, how many votes came sooner than their text can be heard twice as far as it has to be,
    and of how many that can be told.
    """
    order = np.argsort(at, kind="stable")
    order = order[at[order] >= 0]
    gap = np.diff(at[order])
    within = gap < _SAME_SITTING_US
    needed = 2.0 * gate[order][1:] * np.where(length[order][1:] >= 0, length[order][1:], np.nan) / FASTEST
    timed = np.isfinite(needed)
    seconds = float(np.median(gap[within])) / 1e6 if within.any() else None
    return seconds, int(np.sum(gap[timed] / 1e6 < needed[timed])), int(timed.sum())


def _many(number: int, total: int) -> bool:
    return number >= _SOME and number >= _SHARE * total


def _other_weights(table: VoteTable, who: IntArray, count: int) -> dict[int, tuple[OtherWeights, ...]]:
    """Where a station's weights of a model are not those that most stations have; a station is one witness however many
    listen there, and so is a listener without a station.
    """
    hashes = [make.weights_hash for make in table.makes]
    known = sorted({one for one in hashes if one is not None})
    if not known:
        return {}
    index = {one: place for place, one in enumerate(known)}
    code = np.array([UNKNOWN if one is None else index[one] for one in hashes] + [UNKNOWN])
    bases = [split_from(name)[0] for name in table.models]
    base_names = sorted(set(bases))
    base = np.array([base_names.index(name) for name in bases])
    model = base[np.concatenate([table.a, table.b])]
    own = code[np.concatenate([table.make_a, table.make_b])]
    person = np.concatenate([who, who])
    witness = np.where(table.station >= 0, table.station, len(table.stations) + who)
    told = own >= 0
    model, own, person, witness = model[told], own[told], person[told], np.concatenate([witness, witness])[told]
    cell = model * len(known) + own
    pairs = np.unique(np.stack([cell, witness]), axis=1)
    witnesses = np.bincount(pairs[0], minlength=len(base_names) * len(known)).reshape(len(base_names), len(known))
    usual = witnesses.argmax(axis=1)
    most = witnesses.max(axis=1)
    rare: NDArray[np.bool_] = (most[:, None] >= 2) & (2 * witnesses <= most[:, None]) & (witnesses > 0)
    odd = rare[model, own]
    found: dict[int, list[OtherWeights]] = {}
    cells, votes = np.unique(np.stack([person[odd], cell[odd]]), axis=1, return_counts=True)
    for number, at, cast in zip(cells[0].tolist(), cells[1].tolist(), votes.tolist(), strict=True):
        which, hash_ = divmod(at, len(known))
        one = OtherWeights(base_names[which], known[hash_], known[int(usual[which])], cast)
        found.setdefault(number, []).append(one)
    return {number: tuple(ones) for number, ones in found.items()}


def _measured(found: Leaning | Following, number: int) -> Measured | None:
    value, half = float(found.value[number]), float(found.half[number])
    if not (np.isfinite(value) and np.isfinite(half)) or (isinstance(found, Leaning) and found.votes[number] < FEWEST):
        return None
    return Measured(value, value - half, value + half)


def _median(values: FloatArray) -> float | None:
    known = values[np.isfinite(values)]
    return float(np.median(known)) if len(known) else None


def _known(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


__all__ = ["Check", "Contributor", "Measured", "OtherWeights", "Repeating", "contributors", "with_sources"]
