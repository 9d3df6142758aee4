"""Who met whom: pairs that never met, models with far fewer games than the others."""

import math
from dataclasses import dataclass

import numpy as np

from arena_desktop.ratings.audit.case import Case
from arena_desktop.ratings.audit.finding import Figures, Finding, Severity

CHECK = "coverage"
FLOOR = 0.3
"""The share of battles that even a choosy pair policy draws evenly."""

_ENOUGH = 5.0  # games a pair
_SHARE = 0.05
_HALF = 0.5
_FEW = 0.25
_SURELY = 3.1  # standard errors, one in a thousand
_LISTED = 20


@dataclass(frozen=True)
class Coverage(Figures):
    """Among models that games connect: ``pairs``, how many of them ``never_met`` (the first 20 by name), the mean
    ``games_a_pair``; ``few`` are models with far fewer games than the mean, ``games_a_model``.
    """

    pairs: int
    never_met: int
    never_met_pairs: tuple[tuple[str, str], ...]
    games_a_pair: float
    games_a_model: float
    few: tuple[tuple[str, int], ...]
    fewest: int
    most: int


def coverage(case: Case) -> Finding:
    """Whether the games are spread over pairs and models.

    A policy that draws 30 % of its battles evenly leaves a pair unmet with chance exp(−0.3 × games a pair). More unmet
    pairs than that explains (by 3.1 standard errors), and at least one in twenty, are a finding; so is a model with
    less than a quarter of the mean games, and fewer than the even share explains.
    """
    met = np.zeros((case.size, case.size), bool)
    met[case.table.i, case.table.j] = True
    played = case.table.played
    connected = np.triu(case.islands[played][:, None] == case.islands[played][None, :], 1)
    missing = np.argwhere(connected & ~met[np.ix_(played, played)])
    pairs = int(connected.sum())
    games = case.games[played]
    mean, each = (float(games.mean()), len(case.votes) / pairs) if pairs else (0.0, 0.0)
    even = FLOOR * mean
    few = played[(games < _FEW * mean) & (games < even - _SURELY * math.sqrt(even))]
    figures = Coverage(
        pairs,
        len(missing),
        tuple((case.name(played[i]), case.name(played[j])) for i, j in missing[:_LISTED]),
        each,
        mean,
        tuple((case.name(model), int(case.games[model])) for model in few),
        int(games.min()) if len(games) else 0,
        int(games.max(initial=0)),
    )
    chance = math.exp(-FLOOR * each)
    explained = pairs * chance + _SURELY * math.sqrt(pairs * chance * (1.0 - chance))
    share = len(missing) / pairs if pairs else 0.0
    if each >= _ENOUGH and share >= _SHARE and len(missing) > explained:
        return Finding(CHECK, Severity.WARNING if share >= _HALF else Severity.NOTICE, figures)
    if len(few):
        return Finding(CHECK, Severity.NOTICE, figures)
    if each < _ENOUGH:
        return Finding(
            CHECK, Severity.UNKNOWN, figures, math.ceil(_ENOUGH * (pairs or max(1, case.size * (case.size - 1) // 2)))
        )
    return Finding(CHECK, Severity.OK, figures)
