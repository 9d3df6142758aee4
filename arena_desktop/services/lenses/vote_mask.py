"""Which votes a what-if filter keeps, and what there is to leave out."""

import json
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena_desktop.domain.prompts import CATEGORIES, OWN
from arena_desktop.domain.times import iso_us
from arena_desktop.errors import UsageError
from arena_desktop.ratings.arrays import IntArray
from arena_desktop.ratings.vote_table import Condition, VoteTable
from arena_desktop.services.board_views import Option, WhatIfLens
from arena_desktop.services.lenses.conditions import condition_words
from arena_desktop.services.views import Choice

MOST_OPTIONS = 1000
"""Of what there is to leave out, those with most votes are offered."""

_UNNAMED = "unnamed:"


@dataclass(frozen=True)
class Field:
    """One thing by which votes can be left out: the column's codes, and each code's id and title."""

    codes: IntArray
    ids: Sequence[str]
    titles: Sequence[str]

    def options(self) -> tuple[Option, ...]:
        """What can be left out, most votes first."""
        counts = np.bincount(self.codes[self.codes >= 0], minlength=len(self.ids))
        order = np.argsort(-counts, kind="stable")[:MOST_OPTIONS].tolist()
        return tuple(
            Option(Choice(self.ids[code], self.titles[code]), int(counts[code])) for code in order if counts[code]
        )

    def without(self, ids: Collection[str]) -> NDArray[np.bool_] | None:
        """The votes that name none of ``ids``; None if that is all of them."""
        wanted = frozenset(ids)
        known = np.array([own not in wanted for own in self.ids], np.bool_)
        if known.all():
            return None
        kept: NDArray[np.bool_] = np.append(known, True)[self.codes]  # an unknown one is −1: the last
        return kept


def listeners(table: VoteTable, names: Mapping[str, str]) -> Field:
    """By who listened."""
    return Field(
        table.listener,
        [listener_id(who) for who in table.listeners],
        [listener_title(who, names) for who in table.listeners],
    )


def prompts(table: VoteTable) -> Field:
    """By prompt."""
    return Field(table.prompt, table.prompts, table.prompts)


def categories(table: VoteTable) -> Field:
    """By the prompts' category."""
    return Field(table.category, table.categories, [category_title(one) for one in table.categories])


def conditions(table: VoteTable) -> Field:
    """By the circumstances of the votes."""
    known = table.conditions
    return Field(
        table.condition,
        [condition_id(one) for one in known],
        [_capital(condition_words(one, known)) for one in known],
    )


def kept(votes: VoteTable, fields: Mapping[str, Field], lens: WhatIfLens) -> NDArray[np.bool_]:
    """Which votes the filter keeps; an undated one is within no dates. :class:`UsageError` where its dates can't be."""
    found = np.ones(len(votes), np.bool_)
    for name, field in fields.items():
        mask = field.without(getattr(lens, f"without_{name}"))
        if mask is not None:
            found &= mask
    since, until = _time(lens.since), _time(lens.until)
    if since is not None and until is not None and since >= until:
        raise UsageError(f"The dates end ({lens.until}) before they begin ({lens.since}).")
    if since is not None:
        found &= votes.at >= max(since, 0)
    if until is not None:
        found &= (votes.at >= 0) & (votes.at < until)
    return found


def listener_id(listener: Hashable) -> str:
    """What a filter calls a listener: their pseudonym. Votes that name nobody go by where they came from."""
    return listener if isinstance(listener, str) else f"{_UNNAMED}{_source(listener)}"


def listener_title(listener: Hashable, names: Mapping[str, str]) -> str:
    """What a listener is called here."""
    if isinstance(listener, str):
        return names.get(listener, listener)
    source = _source(listener)
    return f"Nobody named, from «{source}»" if source else "Nobody named"


def category_title(category: str) -> str:
    """What a category of prompts is called."""
    return "Own text" if category == OWN else CATEGORIES.get(category, category)


def condition_id(condition: Condition) -> str:
    """What a filter calls these circumstances."""
    return json.dumps(condition)


def _source(listener: Hashable) -> str:
    """Where votes that name nobody came from, see :func:`arena_desktop.services.counted_votes.counted_vote`."""
    return str(listener[0] or "") if isinstance(listener, tuple) and listener else ""


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def _time(text: str) -> int | None:
    if not text.strip():
        return None
    found = iso_us(text)
    if found is None:
        raise UsageError(f"«{text.strip()[:40]}» is no date.", "Write it like 2026-01-31 or 2026-01-31T18:30.")
    return found


FIELDS: Mapping[str, Callable[[VoteTable, Mapping[str, str]], Field]] = {
    "listeners": listeners,
    "prompts": lambda table, names: prompts(table),
    "categories": lambda table, names: categories(table),
    "conditions": lambda table, names: conditions(table),
}
"""The fields, by the name that the lens has for them."""
