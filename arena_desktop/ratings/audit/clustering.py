"""How alike one listener's votes are, and how much of the board is one listener's."""

from dataclasses import dataclass

import numpy as np

from arena_desktop.ratings.audit.case import Case
from arena_desktop.ratings.audit.finding import Figures, Finding, Severity, listener_name

CHECK = "clustering"
_ENOUGH = 5  # listeners
_DOUBLE = 4.0
_MOST = 0.4
_FEWEST = 100


@dataclass(frozen=True)
class Clustering(Figures):
    """``listeners`` with a vote and their ``effective`` number; ``most`` is the largest share of the votes that one
    cast, ``who``. ``design_effect``: the median over pairs of (their error with listeners as units ÷ with votes as
    units)²; None with too few listeners for it.
    """

    listeners: int
    effective: float
    most: float
    who: str
    design_effect: float | None


def clustering(case: Case) -> Finding:
    """Whether intervals made of single votes would be half as wide as they must be, or one of five and more listeners
    cast so many votes that the board is theirs.
    """
    votes = np.bincount(case.votes.listener)
    number = int(np.count_nonzero(votes))
    if not number:
        return Finding(CHECK, Severity.UNKNOWN, Clustering(0, 0.0, 0.0, "", None), _FEWEST)
    heaviest = int(np.argmax(votes))
    most = float(votes[heaviest] / votes.sum())
    effect, doubt = None, case.standings.doubt
    if doubt is not None and doubt.general:
        upper = np.triu_indices(len(doubt.error), 1)
        by_vote = doubt.vote_difference[upper]
        effect = float(np.median(np.square(doubt.difference[upper] / by_vote)))
    who = listener_name(case.votes.listeners[heaviest])
    figures = Clustering(number, case.standings.listeners, most, who, effect)
    if len(case.votes) < _FEWEST:
        return Finding(CHECK, Severity.UNKNOWN, figures, _FEWEST)
    if number >= _ENOUGH and most >= _MOST:
        return Finding(CHECK, Severity.WARNING, figures)
    if effect is not None and effect >= _DOUBLE:
        return Finding(CHECK, Severity.NOTICE, figures)
    if number < _ENOUGH:
        return Finding(CHECK, Severity.UNKNOWN, figures)
    return Finding(CHECK, Severity.OK, figures)
