"""The ratings of one arena over time, and what happened on the way."""

import math

import numpy as np

from arena_desktop.ratings import history
from arena_desktop.ratings.arrays import FloatArray, IntArray
from arena_desktop.ratings.vote_columns import VoteColumns
from arena_desktop.ratings.vote_table import Condition, Make, VoteTable
from arena_desktop.services.arena_votes import ArenaVotes
from arena_desktop.services.board_views import HistoryLens, HistoryView, Marker, Method, Series
from arena_desktop.services.lenses.conditions import circumstances, question_words
from arena_desktop.services.lenses.models import best_first, named

_PARTS = {"weights_hash": "weights", "settings_hash": "settings", "voice": "voice"}
_SECOND_US = 1_000_000


def look(votes: ArenaVotes, lens: HistoryLens) -> HistoryView:
    """The view of the history. Raises :class:`NotConverged` where a fit does."""
    columns = votes.table.columns()
    when = history.moments(len(columns))
    past = _PAST[lens.method](votes, columns, when)
    order = [
        position for position in best_first(votes.standings, votes.models) if votes.standings.models[position].rank
    ]
    at = votes.table.at[when - 1]
    return HistoryView(
        arena=votes.arena.id,
        method=lens.method,
        votes=tuple(when.tolist()),
        times=tuple(None if moment < 0 else moment / _SECOND_US for moment in at.tolist()),
        series=tuple(
            Series(
                named(votes.models[model]),
                _known(past.rating[:, model]),
                _known(past.low[:, model]),
                _known(past.high[:, model]),
            )
            for model in order
        ),
        markers=markers(votes, columns),
    )


def markers(votes: ArenaVotes, columns: VoteColumns) -> tuple[Marker, ...]:
    """What happened, in the order of the votes: models that joined, changes behind a name, new circumstances."""
    found = [
        Marker(int(first), f"{model.name} joins")
        for model, first in zip(votes.models, history.first_games(columns), strict=True)
        if first <= len(columns)
    ]
    return tuple(sorted([*found, *_makes(votes), *_conditions(votes.table)], key=lambda marker: marker.votes))


def _replayed(votes: ArenaVotes, columns: VoteColumns, when: IntArray, method: history.Replayed) -> history.Past:
    return history.replay(columns, when, method, history.affordable_intervals(len(columns), columns.size))


_PAST = {
    Method.RATING: lambda votes, columns, when: _replayed(votes, columns, when, history.by_rating()),
    Method.HEAD_START: lambda votes, columns, when: _replayed(
        votes, columns, when, history.by_head_start(votes.priors)
    ),
    Method.DAVIDSON: lambda votes, columns, when: _replayed(votes, columns, when, history.by_davidson()),
    Method.ELO: lambda votes, columns, when: history.replay_elo(votes.priors, columns, when),
}


def _known(column: FloatArray) -> tuple[float | None, ...]:
    return tuple(None if math.isnan(value) else value for value in column.tolist())


def _makes(votes: ArenaVotes) -> list[Marker]:
    """Each change of what stands behind a name. Of a model with several voices one is drawn for each battle: that is
    no change.
    """
    table = votes.table
    found, seen = [], [_Seen(skip_voice=len(model.voices) > 1) for model in votes.models]
    for vote, model, make in _first_makes(table):
        changed = seen[model].changed(make)
        if changed:
            found.append(Marker(vote + 1, f"{votes.models[model].name}: other {' and '.join(changed)} from here on"))
    return found


def _first_makes(table: VoteTable) -> list[tuple[int, int, Make]]:
    """The vote in which a model first came with a make, the model and the make; in the order of the votes."""
    model, make = np.concatenate([table.a, table.b]), np.concatenate([table.make_a, table.make_b])
    vote = np.concatenate([np.arange(len(table)), np.arange(len(table))])
    order = np.argsort(vote, kind="stable")
    cells, first = np.unique((model * (len(table.makes) + 1) + make + 1)[order], return_index=True)
    found = []
    for cell, place in zip(cells.tolist(), first.tolist(), strict=True):
        which, code = divmod(cell, len(table.makes) + 1)
        if code:
            found.append((int(vote[order[place]]), which, table.makes[code - 1]))
    return sorted(found, key=lambda entry: entry[:2])


class _Seen:
    """What a model was made of so far."""

    def __init__(self, *, skip_voice: bool) -> None:
        self._known: dict[str, set[str]] = {part: set() for part in _PARTS if not (skip_voice and part == "voice")}

    def changed(self, make: Make) -> list[str]:
        """What of it is other than ever before, in words; nothing where it was never known before."""
        found = []
        for part, values in self._known.items():
            value = getattr(make, part)
            if value is not None and value not in values:
                if values:
                    found.append(_PARTS[part])
                values.add(value)
        return found


def _conditions(table: VoteTable) -> list[Marker]:
    """Circumstances that had not been there before."""
    codes, first = np.unique(table.condition, return_index=True)
    found: list[Marker] = []
    seen: set[str] = set()
    for place, code in sorted(zip(first.tolist(), codes.tolist(), strict=True)):
        parts = _said(table.conditions[code]) if code >= 0 else ()
        new = [part for part in parts if part not in seen]
        if new and place > 0:
            found.append(Marker(place + 1, f"From here on: {', '.join(new)}"))
        seen.update(parts)
    return found


def _said(condition: Condition) -> tuple[str, ...]:
    question = () if condition.question is None else (f"asked {question_words(condition)}",)
    return (*question, *circumstances(condition))
