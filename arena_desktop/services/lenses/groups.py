"""A board for each category, language, listener or text length, drawn towards the overall one."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from arena_desktop.ratings.arrays import IntArray
from arena_desktop.ratings.intervals import CONFIDENCE
from arena_desktop.ratings.quantiles import normal_upper
from arena_desktop.ratings.shrinkage import Shrunk, shrink
from arena_desktop.ratings.standings import Standings
from arena_desktop.ratings.vote_columns import VoteColumns
from arena_desktop.ratings.vote_table import UNKNOWN, VoteTable
from arena_desktop.services.arena_votes import ArenaVotes
from arena_desktop.services.board_views import Estimate, GroupBoard, GroupBy, GroupRow, GroupsLens, GroupsView
from arena_desktop.services.lenses.group_words import Kind, note, sentence
from arena_desktop.services.lenses.models import Tallies, best_first, named, tallies
from arena_desktop.services.lenses.vote_mask import category_title, listener_title

MOST_GROUPS = 30
"""The groups with most votes are shown; the votes of the others still make the overall board."""

SHORT_BELOW = 60
LONG_ABOVE = 160
"""Texts in characters, spaces included: a phrase, a sentence or two, a paragraph."""


@dataclass(frozen=True)
class _Parts:
    """How votes are parted: each vote's code and each code's title. ``kind``: what the groups are called.

    ``by_text``: the text decides, so that votes on one text say only once what is special about its group.
    """

    codes: IntArray
    titles: Sequence[str]
    kind: Kind
    by_text: bool = True


def look(votes: ArenaVotes, lens: GroupsLens) -> GroupsView:
    """The view of the groups. Raises :class:`NotConverged` where a fit does."""
    parts = _PARTS[lens.by](votes.table, votes.names)
    overall, columns = votes.standings, votes.table.columns()
    counts = np.bincount(parts.codes[parts.codes >= 0], minlength=len(parts.titles))
    shown = [code for code in np.argsort(-counts, kind="stable").tolist() if counts[code]][:MOST_GROUPS]
    place = np.full(len(parts.titles) + 1, UNKNOWN, np.int64)
    place[shown] = np.arange(len(shown))
    group = place[parts.codes]  # an unknown one is −1: the last
    found = _shrink(columns, group, len(shown), overall, by_text=parts.by_text)
    order = [model for model in best_first(overall, votes.models) if overall.models[model].rank]
    half = _quantile(overall, by_text=parts.by_text) * found.error
    if len(overall.islands) > 1:
        half[:] = np.nan  # the distance between groups of models that never met is the prior's doing
    boards = []
    for number, code in enumerate(shown):
        mine = np.flatnonzero(group == number)
        table = votes.table
        tally = tallies(len(votes.models), table.a[mine], table.b[mine], table.outcome[mine])
        rows = tuple(_row(votes, model, number, found, float(half[number, model]), tally) for model in order)
        pull = float(found.pull[number])
        boards.append(GroupBoard(parts.titles[code], len(mine), rows, pull, note(pull, found.spread)))
    return GroupsView(
        arena=votes.arena.id,
        by=lens.by,
        models=tuple(named(votes.models[model]) for model in order),
        groups=tuple(boards),
        sentence=sentence(
            parts.kind,
            shown=len(shown),
            all_groups=int(np.sum(counts > 0)),
            votes=int(np.sum(group >= 0)),
            unknown=int(np.sum(parts.codes < 0)),
            texts=_texts(columns, group) if parts.by_text else None,
            spread=found.spread,
            chance=found.chance,
        ),
    )


def _shrink(columns: VoteColumns, group: IntArray, groups: int, overall: Standings, *, by_text: bool) -> Shrunk:
    each = np.arange(len(columns), dtype=np.int64)
    if not by_text:
        return shrink(columns, group, groups, overall, [each])
    units = [columns.listener if overall.general else each]
    if columns.prompt is not None:
        units.append(columns.prompt)
    least = None if overall.doubt is None else overall.doubt.error
    return shrink(columns, group, groups, overall, units, least=least)


def _quantile(overall: Standings, *, by_text: bool) -> float:
    """A listener's own board speaks of that listener: the error is that of their votes."""
    if by_text and overall.doubt is not None:
        return overall.doubt.quantile(CONFIDENCE)
    return normal_upper(0.5 * (1.0 - CONFIDENCE))


def _texts(columns: VoteColumns, group: IntArray) -> int:
    """How many different texts the groups have."""
    return 0 if columns.prompt is None else len(np.unique(columns.prompt[group >= 0]))


def _row(votes: ArenaVotes, model: int, number: int, found: Shrunk, half: float, tally: Tallies) -> GroupRow:
    count = int(tally.battles[model])
    rating, raw = float(found.rating[number, model]), float(found.raw[number, model])
    known = count > 0 and not math.isnan(rating)
    return GroupRow(
        model=named(votes.models[model]),
        rating=_estimate(rating, half) if known else Estimate(),
        raw=raw if known else None,
        votes=count,
        acceptable=tally.acceptable(model),
    )


def _estimate(rating: float, half: float) -> Estimate:
    return Estimate(rating) if math.isnan(half) else Estimate(rating, rating - half, rating + half)


def _by_category(table: VoteTable, names: Mapping[str, str]) -> _Parts:
    kind = Kind("category", "categories")
    return _Parts(_said(table.category, table.categories), [category_title(one) for one in table.categories], kind)


def _by_language(table: VoteTable, names: Mapping[str, str]) -> _Parts:
    return _Parts(_said(table.language, table.languages), table.languages, Kind("language", "languages"))


def _said(codes: IntArray, names: Sequence[str]) -> IntArray:
    """The codes with an empty name as unknown."""
    return codes if "" not in names else np.where(codes == names.index(""), UNKNOWN, codes)


def _by_listener(table: VoteTable, names: Mapping[str, str]) -> _Parts:
    titles = [listener_title(who, names) for who in table.listeners]
    return _Parts(table.listener, titles, Kind("listener", "listeners"), by_text=False)


def _by_length(table: VoteTable, names: Mapping[str, str]) -> _Parts:
    codes = np.digitize(table.length, [SHORT_BELOW, LONG_ABOVE + 1]).astype(np.int64)
    titles = (
        f"Short texts (under {SHORT_BELOW} characters)",
        f"Medium texts ({SHORT_BELOW} to {LONG_ABOVE} characters)",
        f"Long texts (over {LONG_ABOVE} characters)",
    )
    codes[table.length < 0] = UNKNOWN
    return _Parts(codes, titles, Kind("text length", "text lengths"))


_PARTS: Mapping[GroupBy, Callable[[VoteTable, Mapping[str, str]], _Parts]] = {
    GroupBy.CATEGORY: _by_category,
    GroupBy.LANGUAGE: _by_language,
    GroupBy.LISTENER: _by_listener,
    GroupBy.LENGTH: _by_length,
}
