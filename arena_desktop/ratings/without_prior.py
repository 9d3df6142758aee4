"""Ratings from the votes alone, with no prior at all; models that the votes can't place are named instead.

By maximum likelihood a rating is finite only among models of which each has scored against each other by some chain of
games (L. R. Ford, American Mathematical Monthly 64, 1957): who never lost has no upper bound, who never met has no
distance. The largest group of that kind is rated; each other model gets the reason why it is not.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from arena_desktop.ratings.arrays import ELO_PER_LOGIT
from arena_desktop.ratings.bradley_terry import PRIOR_WEIGHT, fit_free, information
from arena_desktop.ratings.davidson import davidson_information, davidson_scorer, fit_davidson
from arena_desktop.ratings.elo import ANCHOR
from arena_desktop.ratings.faults import RatingError
from arena_desktop.ratings.games import Games
from arena_desktop.ratings.pair_table import PairTable, pair_table
from arena_desktop.ratings.sandwich import Sandwich
from arena_desktop.ratings.scores import Scores, bradley_terry_scores
from arena_desktop.ratings.standings import Standings, standings_of, unrated
from arena_desktop.ratings.vote_columns import VoteColumns


class Unrated(StrEnum):
    """Why votes alone give a model no rating."""

    NO_GAME = "it has no vote yet"
    NEVER_LOST = "it has never lost, so nothing says how much better it is"
    NEVER_WON = "it has never won, so nothing says how much worse it is"
    ONE_SIDED = "its results against the rated models all go one way"
    NEVER_MET = "no games connect it with the rated models"


@dataclass(frozen=True, eq=False)
class FreeStandings:
    """``standings`` of the largest group alone: the others have the empty standing. ``unrated`` says why, by position.

    ``groups`` are all groups of two and more positions within which ratings would exist, those with most games first.
    """

    standings: Standings
    unrated: dict[int, Unrated]
    groups: tuple[tuple[int, ...], ...]


def free_standings(votes: VoteColumns, method: str = "rating", *, best: bool = True) -> FreeStandings:
    """The standings without a prior, centred at 1000 over the rated models, by ``rating`` or ``davidson``.

    Intervals, ranks and P(best) as with a prior, from the votes among the rated models. Raises :class:`NotConverged`,
    and :class:`RatingError` for a method that has no such form, or Davidson's where all votes are ties.
    """
    if method not in ("rating", "davidson"):
        raise RatingError(f"There is no fit by {method!r} without a prior.", "Use rating or davidson.")
    table = _table(votes)
    groups = comparable_groups(table)
    main = groups[0] if groups else ()
    reasons = _reasons(table, main)
    if not main:
        return FreeStandings(unrated(votes.size), reasons, groups)
    member = np.zeros(votes.size, bool)
    member[list(main)] = True
    kept = votes.pick(member[votes.a] & member[votes.b])
    return FreeStandings(_fit(kept, method, best), reasons, groups)


def comparable_groups(table: PairTable) -> tuple[tuple[int, ...], ...]:
    """The strongly connected groups of two and more models under "has scored against", those with most games first."""
    ahead: list[list[int]] = [[] for _ in range(table.size)]
    behind: list[list[int]] = [[] for _ in range(table.size)]
    for i, j, games, score in zip(
        table.i.tolist(), table.j.tolist(), table.games.tolist(), table.score.tolist(), strict=True
    ):
        for winner, loser, won in ((i, j, score), (j, i, games - score)):
            if won > 0:
                ahead[winner].append(loser)
                behind[loser].append(winner)
    found = [tuple(sorted(group)) for group in _strong(ahead, behind) if len(group) > 1]
    label = np.full(table.size, -1)
    for number, group in enumerate(found):
        label[list(group)] = number
    inside = label[table.i] == label[table.j]
    games = np.bincount(label[table.i][inside] + 1, table.games[inside], minlength=len(found) + 1)[1:]
    order = sorted(range(len(found)), key=lambda number: (-games[number], found[number]))
    return tuple(found[number] for number in order)


def _strong(ahead: list[list[int]], behind: list[list[int]]) -> Iterable[list[int]]:
    """The strongly connected components of a graph: S. R. Kosaraju's two walks."""
    finished: list[int] = []
    seen: set[int] = set()
    for first in range(len(ahead)):
        if first not in seen:
            _walk(first, ahead, seen, finished)
    seen = set()
    for first in reversed(finished):
        if first not in seen:
            group: list[int] = []
            _walk(first, behind, seen, group)
            yield group


def _walk(first: int, edges: list[list[int]], seen: set[int], finished: list[int]) -> None:
    """Depth first from ``first`` over what wasn't seen; nodes are noted as they are left."""
    seen.add(first)
    path = [(first, iter(edges[first]))]
    while path:
        node, rest = path[-1]
        following = next((other for other in rest if other not in seen), None)
        if following is None:
            finished.append(node)
            path.pop()
        else:
            seen.add(following)
            path.append((following, iter(edges[following])))


def _reasons(table: PairTable, main: tuple[int, ...]) -> dict[int, Unrated]:
    games = np.bincount(table.i, table.games, table.size) + np.bincount(table.j, table.games, table.size)
    score = np.bincount(table.i, table.score, table.size)
    score = score + np.bincount(table.j, table.games - table.score, table.size)
    island = table.islands()
    rated = set(main)
    return {
        position: _reason(
            float(games[position]), float(score[position]), bool(rated) and island[position] == island[main[0]]
        )
        for position in range(table.size)
        if position not in rated
    }


def _reason(games: float, score: float, connected: bool) -> Unrated:
    if not games:
        return Unrated.NO_GAME
    if score == games:
        return Unrated.NEVER_LOST
    if score == 0:
        return Unrated.NEVER_WON
    return Unrated.ONE_SIDED if connected else Unrated.NEVER_MET


def _fit(votes: VoteColumns, method: str, best: bool) -> Standings:
    games = Games.of(votes)
    table, ties, models = games.table, games.ties, len(games.played)
    flat = np.full(models, ANCHOR)
    score: Callable[[VoteColumns], Scores]
    if method == "davidson" and ties.sum() > 0:
        if ties.sum() == table.games.sum():
            raise RatingError("All votes are ties, so Davidson's fit has no optimum.", "Fit with a prior.")
        davidson = fit_davidson(table, ties, flat, 0.0)
        fit, nu = davidson.ratings, davidson.nu
        score = davidson_scorer(davidson, games.votes)
        curvature = davidson_information(table, ties, davidson, flat, 0.0)
    else:  # without ties Davidson's fit is the other one, with a tie parameter of 0
        fit, nu = fit_free(table), 0.0
        strengths = fit / ELO_PER_LOGIT
        curvature = information(table, fit, flat, 0.0)

        def score(some: VoteColumns) -> Scores:
            return bradley_terry_scores(some, strengths)

    # The votes don't say where the middle lies; that it is known changes no difference.
    curvature[:models, :models] += float(np.trace(curvature)) / models**2
    sandwich = Sandwich(games, score, curvature, held=PRIOR_WEIGHT / 4.0)
    found = standings_of(games, fit - fit.mean() + ANCHOR, sandwich, None, best)
    return replace(found, fit=games.whole(fit), nu=nu if method == "davidson" else None)


def _table(votes: VoteColumns) -> PairTable:
    return pair_table(votes.size, votes.a, votes.b, votes.counts, votes.counts * votes.score)
