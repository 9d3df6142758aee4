"""Circles: A beats B, B beats C, and C beats A, each by the majority of their decided battles.

Circles are no finding by themselves: where all is chance, a quarter of all triples goes round in one (M. G. Kendall,
B. Babington Smith, Biometrika 31, 1940). So they come with the number that coin flips would make, the number that the
ratings let expect, and for each the odds against chance.
"""

import math
from dataclasses import dataclass

import numpy as np

from arena_desktop.ratings.arrays import FloatArray, IntArray
from arena_desktop.ratings.quantiles import normal_upper

MOST_MODELS = 500
"""With more models circles are counted, but not listed."""

_CONFIDENCE = 0.95


@dataclass(frozen=True)
class Cycle:
    """``models``: positions, each preferred to the next and the last to the first; ``wins`` and ``losses`` of each
    against the next. ``z``: how many standard errors lie between these three results and the nearest set of strengths
    without a circle. ``surprising``: more than chance brings about once in twenty boards.
    """

    models: tuple[int, int, int]
    wins: tuple[int, int, int]
    losses: tuple[int, int, int]
    z: float
    surprising: bool


@dataclass(frozen=True)
class Cycles:
    """``count`` circles among ``triples`` of models whose three pairs all have a majority. ``by_ratings`` is the number
    that the fitted ratings let expect. ``listed``: the circles with the largest ``z``, largest first.
    """

    count: int
    triples: int
    by_ratings: float
    listed: tuple[Cycle, ...] = ()

    @property
    def by_coins(self) -> float:
        """How many circles coin flips would make."""
        return 0.25 * self.triples


def cycles(wins: IntArray, share: FloatArray, *, most: int = 3, design: float = 1.0) -> Cycles:
    """The circles in ``wins[i, j]`` of i over j, shape (models, models).

    ``share[i, j]`` is the share of the decided battles that the ratings give to i; ``design`` the design effect of
    listeners who vote repeatedly; ``most`` circles are listed.
    """
    beats = wins > wins.T
    met = beats | beats.T
    triples = round(_rings(met.astype(np.float64)) / 2.0)  # a triple is a ring in both directions
    count = round(_rings(beats.astype(np.float64)))
    by_ratings = _rings(_majority(wins, share, met))
    if not count or len(wins) > MOST_MODELS:
        return Cycles(count, triples, by_ratings)
    limit = normal_upper(-0.5 * math.expm1(math.log(_CONFIDENCE) / triples))
    return Cycles(count, triples, by_ratings, _strongest(wins, beats, most, max(1.0, design), limit))


def _rings(links: FloatArray) -> float:
    """Σ over directed rings of three of the product of their links."""
    return float(np.sum((links @ links) * links.T)) / 3.0


def _majority(wins: IntArray, share: FloatArray, met: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> FloatArray:
    """``[i, j]``: the chance that i has the majority over j, given that one of them has (normal approximation)."""
    chance = np.zeros(wins.shape)
    i, j = np.nonzero(met)
    p = np.clip(share[i, j], 1e-9, 1.0 - 1e-9)
    z = (p - 0.5) * np.sqrt((wins[i, j] + wins[j, i]) / (p * (1.0 - p)))
    chance[i, j] = [0.5 * math.erfc(-value / math.sqrt(2.0)) for value in z.tolist()]
    return chance


def _strongest(
    wins: IntArray,
    beats: np.ndarray[tuple[int, ...], np.dtype[np.bool_]],
    most: int,
    design: float,
    limit: float,
) -> tuple[Cycle, ...]:
    # Without a circle the three log odds add up to 0 (that is what Bradley–Terry says); ½ keeps perfect records finite.
    odds = np.log((wins + 0.5) / (wins.T + 0.5))
    variance = design * (1.0 / (wins + 0.5) + 1.0 / (wins.T + 0.5))
    best: list[tuple[float, tuple[int, int, int]]] = []
    for a in range(len(wins)):
        b, c = np.nonzero(beats[a][:, None] & beats & beats[:, a][None, :])
        first = (b > a) & (c > a)  # each ring once, from its first model
        b, c = b[first], c[first]
        if not len(b):
            continue
        z = (odds[a, b] + odds[b, c] + odds[c, a]) / np.sqrt(variance[a, b] + variance[b, c] + variance[c, a])
        first_few = np.argsort(-z, kind="stable")[:most]
        best += [(float(z[place]), (a, int(b[place]), int(c[place]))) for place in first_few]
    best.sort(key=lambda entry: (-entry[0], entry[1]))
    return tuple(_cycle(wins, ring, z, limit) for z, ring in best[:most])


def _cycle(wins: IntArray, ring: tuple[int, int, int], z: float, limit: float) -> Cycle:
    a, b, c = ring
    won = (int(wins[a, b]), int(wins[b, c]), int(wins[c, a]))
    lost = (int(wins[b, a]), int(wins[c, b]), int(wins[a, c]))
    return Cycle(ring, won, lost, z, z > limit)
