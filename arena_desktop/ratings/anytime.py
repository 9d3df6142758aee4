"""Verdicts for people who look after every vote.

A test at 5 % that is repeated after every vote and stopped at the first "significant" is wrong some 40 % of the time.
The normal mixture boundary is not: over an endless walk of fair steps the chance ever to leave it is at most ``alpha``
(H. Robbins, Ann. Math. Stat. 41, 1970). For estimates other than a plain count of wins it holds in the limit, as an
asymptotic confidence sequence (I. Waudby-Smith et al., Annals of Statistics 52, 2024).
"""

import math

ALPHA = 0.05
"""The chance of a wrong verdict, ever."""

TUNED_TO = 150.0
"""Decided votes at which the boundary is tightest; it holds at any number, and is near its best from 100 to 200."""


def rho(alpha: float = ALPHA, votes: float = TUNED_TO) -> float:
    """The mixture's variance that makes the boundary tightest at ``votes`` (a close approximation)."""
    evidence = -2.0 * math.log(alpha)
    return (evidence + math.log1p(evidence)) / votes


def boundary(votes: float, alpha: float = ALPHA) -> float:
    """How far wins minus losses must be from 0 after so many decided ``votes`` for a verdict."""
    width = rho(alpha)
    return math.sqrt((votes + 1.0 / width) * (math.log1p(votes * width) - 2.0 * math.log(alpha)))


def multiplier(votes: float, alpha: float = ALPHA) -> float:
    """The same in standard errors of the estimate, infinite without votes."""
    return boundary(votes, alpha) / math.sqrt(votes) if votes > 0.0 else math.inf


def crossed(wins: float, losses: float, alpha: float = ALPHA) -> bool:
    """Whether two models are told apart by their decided votes, however often somebody looked before."""
    return abs(wins - losses) >= boundary(wins + losses, alpha)
