"""Ratings as they were: after the first votes of a log, after some more, and so on to the last.

Ratings without order are fitted anew to each beginning of the log, every fit starting where the one before ended;
Live Elo is replayed once. What stands at a moment is therefore exactly what a board would have shown of those votes.
Intervals cost far more than ratings, so that they are computed at fewer moments where votes are many.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from arena_desktop.ratings.arrays import FloatArray, IntArray, sum_by
from arena_desktop.ratings.bradley_terry import centred, fit_table
from arena_desktop.ratings.davidson import DavidsonFit, fit_davidson
from arena_desktop.ratings.elo import ANCHOR, step
from arena_desktop.ratings.pair_table import PairTable
from arena_desktop.ratings.standings import Standings, davidson_standings, head_start_standings, rating_standings
from arena_desktop.ratings.vote_columns import VoteColumns

MOST_MOMENTS = 200
FEWEST_INTERVALS = 12

_AN_INTERVAL = 10_000  # an interval takes as long as it does to go through that many votes
_AFFORDABLE = 1_500_000  # votes to go through: what a reader waits for
_FEW_MODELS = 24


@dataclass(frozen=True)
class Past:
    """Ratings in Elo points by moment and model, shape (moments, models): NaN before a model's first game, ``low`` and
    ``high`` also where no interval was computed.
    """

    rating: FloatArray
    low: FloatArray
    high: FloatArray


@dataclass(frozen=True)
class Fitted:
    """A fit: ``ratings`` with which the next one may begin, and ``shown``, NaN without a game; both Elo points, shape
    (models,). ``nu`` is Davidson's tie parameter.
    """

    ratings: FloatArray
    shown: FloatArray
    nu: float | None = None


@dataclass(frozen=True)
class Replayed:
    """A way to rate that doesn't depend on the order of the votes.

    ``fit`` takes who met whom, how many of those games were ties, and the fit before; ``standings`` the votes.
    """

    fit: Callable[[PairTable, FloatArray, Fitted | None], Fitted]
    standings: Callable[[VoteColumns], Standings]


def by_rating() -> Replayed:
    """The method ``rating``."""

    def fit(table: PairTable, ties: FloatArray, before: Fitted | None) -> Fitted:
        ratings = fit_table(table, np.full(table.size, ANCHOR), start=None if before is None else before.ratings)
        return Fitted(ratings, centred(table, ratings))

    return Replayed(fit, lambda votes: rating_standings(votes, best=False))


def by_head_start(prior: FloatArray) -> Replayed:
    """The method ``bt``, with its priors in Elo points, shape (models,)."""

    def fit(table: PairTable, ties: FloatArray, before: Fitted | None) -> Fitted:
        ratings = fit_table(table, prior, start=None if before is None else before.ratings)
        shown = np.full(table.size, np.nan)
        shown[table.played] = ratings[table.played]
        return Fitted(ratings, shown)

    return Replayed(fit, lambda votes: head_start_standings(votes, prior, best=False))


def by_davidson() -> Replayed:
    """The method ``davidson``."""

    def fit(table: PairTable, ties: FloatArray, before: Fitted | None) -> Fitted:
        start = None if before is None or before.nu is None else DavidsonFit(before.ratings, before.nu)
        found = fit_davidson(table, ties, np.full(table.size, ANCHOR), start=start)
        return Fitted(found.ratings, centred(table, found.ratings), found.nu)

    return Replayed(fit, lambda votes: davidson_standings(votes, best=False))


def moments(votes: int, most: int = MOST_MOMENTS) -> IntArray:
    """After how many votes to look: at most ``most`` counts, equally spaced, the last of them all ``votes``.

    Shape (moments,), ascending; empty without votes.
    """
    number = min(most, votes)
    return (np.arange(1, number + 1, dtype=np.int64) * votes) // max(1, number)


def affordable_intervals(votes: int, models: int) -> int:
    """At how many moments intervals take about a second in all."""
    each = (_AN_INTERVAL + votes / 2) * (1.0 + models / _FEW_MODELS)
    return int(min(MOST_MOMENTS, max(FEWEST_INTERVALS, _AFFORDABLE // each)))


def replay(votes: VoteColumns, when: IntArray, method: Replayed, intervals: int = MOST_MOMENTS) -> Past:
    """The ratings after each of ``when`` votes, ascending, with intervals at that many of these moments, the last one
    included. Raises :class:`NotConverged`.
    """
    shape = (len(when), votes.size)
    past = Past(*(np.full(shape, np.nan) for _ in range(3)))
    with_interval = set((moments(len(when), intervals) - 1).tolist())
    before: Fitted | None = None
    for moment, (table, ties) in enumerate(_growing(votes, when)):
        before = method.fit(table, ties, before)
        past.rating[moment] = before.shown
        if moment in with_interval:
            _add_interval(past, moment, method.standings(votes.pick(slice(0, int(when[moment])))))
    return past


def replay_elo(prior: FloatArray, votes: VoteColumns, when: IntArray) -> Past:
    """Live Elo after each of ``when`` votes, ascending; ``prior`` in Elo points, shape (models,). No intervals: a step
    has none.
    """
    ratings, battles = prior.tolist(), [0] * votes.size
    shape = (len(when), votes.size)
    past = Past(*(np.full(shape, np.nan) for _ in range(3)))
    a, b, score = votes.a.tolist(), votes.b.tolist(), votes.score.tolist()
    done = 0
    for moment, count in enumerate(when.tolist()):
        for i, j, won in zip(a[done:count], b[done:count], score[done:count], strict=True):
            ratings[i], ratings[j] = step(ratings[i], ratings[j], battles[i], battles[j], won)
            battles[i] += 1
            battles[j] += 1
        done = count
        past.rating[moment] = [own if games else np.nan for own, games in zip(ratings, battles, strict=True)]
    return past


def first_games(votes: VoteColumns) -> IntArray:
    """After how many votes each model had its first game, shape (models,); one past the
    last where it has none.
    """
    first = np.full(votes.size, len(votes) + 1, np.int64)
    for side in (votes.a, votes.b):
        models, places = np.unique(side, return_index=True)
        first[models] = np.minimum(first[models], places + 1)
    return first


def _growing(votes: VoteColumns, when: IntArray) -> Iterator[tuple[PairTable, FloatArray]]:
    """Who met whom, and how many ties there were, after each of ``when`` votes."""
    size = votes.size
    lower, higher = np.minimum(votes.a, votes.b), np.maximum(votes.a, votes.b)
    cell = lower * size + higher
    each = votes.counts
    won = each * np.where(votes.a < votes.b, votes.score, 1.0 - votes.score)
    tied = each * (votes.score == 0.5)
    games, score, ties = (np.zeros(size * size) for _ in range(3))
    done = 0
    for count in when.tolist():
        some = slice(done, count)
        games += sum_by(cell[some], each[some], size * size)
        score += sum_by(cell[some], won[some], size * size)
        ties += sum_by(cell[some], tied[some], size * size)
        done = count
        met = np.flatnonzero(games).astype(np.int64)
        yield PairTable(size, met // size, met % size, games[met], score[met]), ties[met]


def _add_interval(past: Past, moment: int, standings: Standings) -> None:
    for model, standing in enumerate(standings.models):
        if standing.low is not None and standing.high is not None:
            past.low[moment, model], past.high[moment, model] = standing.low, standing.high
