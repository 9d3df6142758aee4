"""What can be counted of an arena's votes: the numbers that a paper has to report."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from arena_desktop.domain.times import time_text
from arena_desktop.ratings.arrays import IntArray
from arena_desktop.ratings.intervals import effective_listeners
from arena_desktop.ratings.vote_table import OUTCOMES, UNKNOWN, VoteTable

OWN_TEXT = "own:"
"""What the ids of texts begin with that a listener brought along."""

Counts = tuple[tuple[Any, int], ...]
"""(Value, votes), most votes first; the value None counts votes that don't say."""


@dataclass(frozen=True)
class Spread:
    """Smallest, middle and largest of some numbers."""

    least: float
    median: float
    most: float


@dataclass(frozen=True)
class Facts:
    """Counts of one arena's counted votes.

    ``outcomes`` by vote (``a``, ``b``, ``tie``, ``both_bad``); ``first`` by the side played first; ``fresh`` votes were
    cast before the listener had seen the two names revealed, ``seen`` after, the rest don't say. ``listeners`` have a
    pseudonym, ``unnamed`` votes don't; ``effective`` is 1 / Σ (share of votes)². ``per_listener`` and ``per_pair``
    count votes; ``pairs_met`` of ``pairs`` possible ones met. ``begun``, ``ended`` are UTC dates of the dated votes.
    """

    votes: int
    outcomes: dict[str, int]
    models: int
    rated: int
    pairs: int
    pairs_met: int
    per_pair: Spread | None
    listeners: int
    effective: float
    unnamed: int
    per_listener: Spread | None
    prompts: int
    own_texts: int
    promptless: int
    characters: Spread | None
    sessions: int
    begun: str | None
    ended: str | None
    undated: int
    fresh: int
    seen: int
    first: Counts
    categories: Counts
    languages: Counts
    policies: Counts
    questions: Counts
    gates: Counts
    targets: Counts
    playback: Counts
    reveal: Counts
    hidden: Counts
    silent: int
    devices: Counts


def facts_of(table: VoteTable) -> Facts:
    """Count everything once."""
    size, votes = len(table.models), len(table)
    low, high = np.minimum(table.a, table.b), np.maximum(table.a, table.b)
    _, met = np.unique(low * size + high, return_counts=True)
    named = np.array([isinstance(name, str) for name in table.listeners], np.bool_)[table.listener]
    _, loads = np.unique(table.listener[named], return_counts=True)
    prompts = {table.prompts[code] for code in np.unique(table.prompt[table.prompt >= 0])}
    at, lengths, revealed = table.at[table.at >= 0], table.length[table.length >= 0], table.reveals_before
    kinds = np.bincount(table.outcome, minlength=len(OUTCOMES))
    return Facts(
        votes=votes,
        outcomes={kind: int(kinds[place]) for place, kind in enumerate(OUTCOMES)},
        models=size,
        rated=len(np.union1d(table.a, table.b)),
        pairs=size * (size - 1) // 2,
        pairs_met=len(met),
        per_pair=_spread(met),
        listeners=len(loads),
        effective=effective_listeners(table.listener),
        unnamed=votes - int(named.sum()),
        per_listener=_spread(loads),
        prompts=len(prompts),
        own_texts=sum(name.startswith(OWN_TEXT) for name in prompts),
        promptless=int((table.prompt < 0).sum()),
        characters=_spread(lengths),
        sessions=len(np.unique(table.session[table.session >= 0])),
        begun=_date(int(at.min())) if len(at) else None,
        ended=_date(int(at.max())) if len(at) else None,
        undated=votes - len(at),
        fresh=int((revealed == 0).sum()),
        seen=int((revealed > 0).sum()),
        first=_by_code(table.first, ("Sample A", "Sample B")),
        categories=_by_code(table.category, table.categories),
        languages=_by_code(table.language, table.languages),
        policies=_by_code(table.policy, table.policies),
        silent=sum(count for silent, count in _by_condition(table, "silent") if silent),
        devices=_by_code(np.concatenate([table.device_a, table.device_b]), table.devices),
        questions=_by_condition(table, "question"),
        gates=_by_condition(table, "gate"),
        targets=_by_condition(table, "target_lufs"),
        playback=_by_condition(table, "playback"),
        reveal=_by_condition(table, "reveal"),
        hidden=_by_condition(table, "text_hidden"),
    )


def _spread(numbers: IntArray) -> Spread | None:
    return Spread(float(numbers.min()), float(np.median(numbers)), float(numbers.max())) if len(numbers) else None


def _date(at: int) -> str:
    return time_text(at)[:10]


def _by_code(codes: IntArray, names: Sequence[Hashable]) -> Counts:
    found, counts = np.unique(codes, return_counts=True)
    return _sorted(
        (None if code == UNKNOWN else names[code], int(count)) for code, count in zip(found, counts, strict=True)
    )


def _by_condition(table: VoteTable, key: str) -> Counts:
    totals: dict[Any, int] = {}
    for condition, count in _by_code(table.condition, table.conditions):
        value = None if condition is None else getattr(condition, key)
        totals[value] = totals.get(value, 0) + count
    return _sorted(totals.items())


def _sorted(counts: Iterable[tuple[Any, int]]) -> Counts:
    return tuple(sorted(counts, key=lambda pair: (-pair[1], pair[0] is None, str(pair[0]))))
