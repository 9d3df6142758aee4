"""Models that no chain of games connects: nothing is known between them."""

import math
from dataclasses import dataclass

import numpy as np

from arena_desktop.ratings.audit.case import Case
from arena_desktop.ratings.audit.finding import Figures, Finding, Severity

CHECK = "islands"
_SPARE = 7.0  # exp(−7): a random schedule of the needed length leaves a model out once in a thousand boards


@dataclass(frozen=True)
class Islands(Figures):
    """``groups`` of connected models, the largest first; ``unplayed`` have no game at all."""

    groups: tuple[tuple[str, ...], ...]
    unplayed: tuple[str, ...]


def islands(case: Case) -> Finding:
    """Whether games connect all models that have one.

    A random schedule of m models is connected from about m/2 × (ln m + 7) games on (P. Erdős, A. Rényi, 1959); fewer
    games in more than one group are no finding yet.
    """
    groups = sorted((case.names(group) for group in case.standings.islands), key=lambda group: -len(group))
    unplayed = case.names(np.flatnonzero(case.games == 0))
    played = case.size - len(unplayed)
    figures = Islands(tuple(groups), unplayed)
    needed = math.ceil(played / 2 * (math.log(played) + _SPARE)) if played else 2
    if len(groups) == 1:
        return Finding(CHECK, Severity.OK, figures)
    if len(case.votes) < needed:
        return Finding(CHECK, Severity.UNKNOWN, figures, needed)
    return Finding(CHECK, Severity.SERIOUS, figures)
