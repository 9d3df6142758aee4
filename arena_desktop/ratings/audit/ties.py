"""Whether the order would be another if ties were counted otherwise."""

from dataclasses import dataclass

import numpy as np

from arena_desktop.ratings.arrays import FloatArray
from arena_desktop.ratings.audit.case import Case, fit, table_of
from arena_desktop.ratings.audit.finding import Figures, Finding, Severity
from arena_desktop.ratings.davidson import fit_davidson
from arena_desktop.ratings.elo import ANCHOR
from arena_desktop.ratings.pair_table import tie_counts

CHECK = "tie_rule"
_FEWEST = 30
_LISTED = 20
_MARGIN = 1.0  # Elo points


@dataclass(frozen=True)
class TieRule(Figures):
    """``ties``: the share of votes that were a tie or both bad. ``sure``: how many orders the board calls sure;
    ``reversed`` (upper, lower, rule) are those that another rule turns round. ``leaders`` by rule.
    """

    ties: float
    sure: int
    reversed: tuple[tuple[str, str, str], ...]
    leaders: tuple[tuple[str, str], ...]


def tie_rule(case: Case) -> Finding:
    """Whether an order that the board calls sure is turned round, by more than a point, when ties are dropped instead
    of counted as half a win, or have a parameter of their own (Davidson).
    """
    votes = case.votes
    draws = votes.score == 0.5
    rules = {"half": case.ratings}
    decided = votes.pick(~draws)
    if len(votes):
        rules["dropped"] = fit(table_of(decided))
        tied = tie_counts(case.table, votes.a, votes.b, draws.astype(np.float64))
        rules["davidson"] = fit_davidson(case.table, tied, np.full(case.size, ANCHOR)).ratings
    turned, leaders = [], []
    for rule, ratings in rules.items():
        if len(case.ladder):
            best = case.ladder[int(np.argmax(ratings[case.ladder]))]
            leaders.append((rule, case.name(best)))
        turned += [(case.name(i), case.name(j), rule) for i, j in _reversed(case, ratings)]
    ties = float(draws.mean()) if len(votes) else 0.0
    figures = TieRule(ties, int(case.sure.sum()), tuple(turned[:_LISTED]), tuple(leaders))
    if turned:
        return Finding(CHECK, Severity.WARNING, figures)
    if len(votes) < _FEWEST:
        return Finding(CHECK, Severity.UNKNOWN, figures, _FEWEST)
    return Finding(CHECK, Severity.OK, figures)


def _reversed(case: Case, ratings: FloatArray) -> list[tuple[int, int]]:
    other_way = ratings[:, None] < ratings[None, :] - _MARGIN
    return [(int(i), int(j)) for i, j in np.argwhere(case.sure & other_way)]
