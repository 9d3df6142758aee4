"""The replay of Live Elo from columns of numbers: bit for bit what record by record gives, several times as fast."""

from collections.abc import Iterator

import numpy as np

from arena_desktop.ratings.arrays import FloatArray, IntArray, counted
from arena_desktop.ratings.elo import SCALE, SCORES, STEP_FIRST, STEP_HALF, STEP_LAST
from arena_desktop.ratings.tally import ArenaTally

_KINDS = tuple(SCORES)
_SCORE = np.array(list(SCORES.values()), np.float64)
_TOGETHER = 65_536  # votes that are Python numbers at one time


def replay_elo(elo: FloatArray, a: IntArray, b: IntArray, score: FloatArray, played: IntArray | None = None) -> None:
    """Move ``elo``, shape (models,), by the votes in order: positions of both sides, A's scores.

    ``played``: battles of each model before the first of them, shape (models,); None: none.
    """
    size = len(elo)
    before = np.zeros(size, np.int64) if played is None else played
    most = int((before + np.bincount(a, minlength=size) + np.bincount(b, minlength=size)).max(initial=0))
    steps = [STEP_LAST + (STEP_FIRST - STEP_LAST) * STEP_HALF / (STEP_HALF + battles) for battles in range(most)]
    ratings, battles, scale = elo.tolist(), before.tolist(), SCALE
    for one, two, result in _numbers(a, b, score):
        # As in elo.step, written out: two calls a vote would double the time.
        ra = ratings[one]
        rb = ratings[two]
        try:
            surprise = result - 1.0 / (1.0 + 10.0 ** ((rb - ra) / scale))
        except OverflowError:
            surprise = result
        played_a = battles[one]
        played_b = battles[two]
        ratings[one] = ra + steps[played_a] * surprise
        ratings[two] = rb - steps[played_b] * surprise
        battles[one] = played_a + 1
        battles[two] = played_b + 1
    elo[:] = ratings


def replay_tally(tally: ArenaTally, a: IntArray, b: IntArray, outcome: IntArray) -> None:
    """Apply votes in order to an arena's numbers: positions of its models, and of the outcome in ``SCORES``.

    No vote may set a model against itself.
    """
    models = list(tally.models.values())
    elo = np.array([model.elo for model in models], np.float64)
    replay_elo(elo, a, b, _SCORE[outcome], np.array([model.battles for model in models], np.int64))
    for model, rating in zip(models, elo.tolist(), strict=True):
        model.elo = rating
    size = len(models)
    cells, times = counted((a * size + b) * len(_KINDS) + outcome, size * size * len(_KINDS))
    for cell, number in zip(cells.tolist(), times.tolist(), strict=True):
        sides, kind = divmod(cell, len(_KINDS))
        one, two = divmod(sides, size)
        tally.count(models[one].repo_id, models[two].repo_id, _KINDS[kind], number)


def _numbers(a: IntArray, b: IntArray, score: FloatArray) -> Iterator[tuple[int, int, float]]:
    for first in range(0, len(a), _TOGETHER):
        some = slice(first, first + _TOGETHER)
        yield from zip(a[some].tolist(), b[some].tolist(), score[some].tolist(), strict=True)
