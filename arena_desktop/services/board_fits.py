"""The order-free ratings of one arena that its page shows, each fit begun where the last one ended."""

from dataclasses import dataclass

import numpy as np

from arena_desktop.ratings import NotConverged
from arena_desktop.ratings.arrays import FloatArray
from arena_desktop.ratings.bradley_terry import centred, fit_table
from arena_desktop.ratings.davidson import DavidsonFit, fit_davidson
from arena_desktop.ratings.elo import ANCHOR
from arena_desktop.ratings.meetings import Meetings
from arena_desktop.ratings.pair_table import PairTable
from arena_desktop.ratings.standings import Standings, davidson_standings, head_start_standings
from arena_desktop.services.arena_votes import ArenaVotes


@dataclass(frozen=True)
class Rated:
    """``rating`` with all that is known of its doubt. Of the other two fits a page shows the ratings alone: Elo points,
    shape (models,), NaN for what it leaves open. A fit that failed leaves None for all, and ``problem`` says why.
    """

    rating: Standings | None
    head_start: FloatArray | None
    davidson: DavidsonFit | None = None
    davidson_centred: FloatArray | None = None
    problem: str = ""


def rate(votes: ArenaVotes, before: Rated | None = None) -> Rated:
    """The fits of a snapshot. ``before`` are those of nearly the same votes: they save steps and change no result."""
    try:
        if votes.table.weight is not None:
            return _weighted(votes)
        table, ties = _pairs(votes.met)
        head_start = fit_table(table, votes.priors, start=None if before is None else before.head_start)
        even = np.full(table.size, ANCHOR)
        davidson = fit_davidson(table, ties, even, start=None if before is None else before.davidson)
        return Rated(votes.standings, head_start, davidson, centred(table, davidson.ratings))
    except NotConverged as problem:
        return Rated(None, None, problem=str(problem))


def _weighted(votes: ArenaVotes) -> Rated:
    """Where votes count differently, who met whom how often is not enough."""
    columns = votes.table.columns()
    head_start = head_start_standings(columns, votes.priors, best=False).fit
    found = davidson_standings(columns, best=False)
    if head_start is None or found.fit is None or found.nu is None:
        return Rated(votes.standings, votes.priors)
    shown = np.array([np.nan if model.rating is None else model.rating for model in found.models], np.float64)
    return Rated(votes.standings, head_start, DavidsonFit(found.fit, found.nu), shown)


def _pairs(met: Meetings) -> tuple[PairTable, FloatArray]:
    """The pairs that met, and how many of their games were ties."""
    games = met.games
    i, j = (side.astype(np.int64, copy=False) for side in np.nonzero(np.triu(games)))
    ties = (met.ties + met.both_bad)[i, j].astype(np.float64)
    return PairTable(len(games), i, j, games[i, j].astype(np.float64), met.wins[i, j] + 0.5 * ties), ties
