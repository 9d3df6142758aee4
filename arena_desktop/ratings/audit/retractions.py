"""Votes taken back once the names were shown: how many, and whether they favour a model."""

from dataclasses import dataclass

import numpy as np

from arena_desktop.ratings.acceptability import acceptable
from arena_desktop.ratings.arrays import ELO_PER_LOGIT, logistic, sum_by
from arena_desktop.ratings.audit.case import ERROR_RATE, Case, fit, largest_move
from arena_desktop.ratings.audit.finding import Figures, Finding, Interval, Severity
from arena_desktop.ratings.pair_table import pair_table
from arena_desktop.ratings.quantiles import normal_upper
from arena_desktop.ratings.vote_table import VoteTable

CHECK = "retractions"
AT_ONCE = "each"
"""The reveal after which a vote can only be taken back by someone who has seen the names."""

_FEWEST = 30
_MANY = 0.05
_DIRECTION = 8  # retracted votes of a model
_LISTED = 10


@dataclass(frozen=True)
class Favour:
    """A model whose retracted ``games`` were scored ``score`` − ``expected``: above 0 its wins were taken back, below
    its defeats.
    """

    model: str
    games: int
    score: float
    expected: float


@dataclass(frozen=True)
class Retractions(Figures):
    """Of ``cast`` votes whose names were shown at once ``retracted`` were taken back: their ``share``. ``favours``: the
    models for or against which that goes. Counted after all, the retracted votes would move ``moved`` by ``moved_elo``.
    """

    cast: int
    retracted: int
    share: Interval | None
    favours: tuple[Favour, ...]
    moved: str | None
    moved_elo: float


def retractions(case: Case) -> Finding:
    """Whether more than one vote in twenty is taken back after the reveal, surely, or what is taken back goes for or
    against a model (its score there against what its rating expects, Šidák over models).
    """
    taken = _shown(case.retracted) if case.retracted is not None else case.votes.pick(np.zeros(0, np.int64))
    cast = len(_shown(case.votes)) + len(taken)
    if cast < _FEWEST:
        return Finding(CHECK, Severity.UNKNOWN, Retractions(cast, len(taken), None, (), None, 0.0), _FEWEST)
    share = acceptable(cast, cast - len(taken))
    # Strict: the share must surely be above one in twenty at the audit's own error rate.
    low = acceptable(cast, cast - len(taken), 1.0 - ERROR_RATE).low
    assert share.share is not None
    assert share.low is not None
    assert share.high is not None
    assert low is not None
    favours = _favours(case, taken)
    moved, move = None, 0.0
    if len(taken):
        table = case.table
        again = pair_table(
            case.size,
            np.concatenate([table.i, taken.a]),
            np.concatenate([table.j, taken.b]),
            np.concatenate([table.games, np.ones(len(taken))]),
            np.concatenate([table.score, taken.score]),
        )
        move, model = largest_move(case.ratings, fit(again), again.played)
        moved = case.name(model)
    figures = Retractions(
        cast, len(taken), Interval(share.share, share.low, share.high), favours[:_LISTED], moved, move
    )
    if favours:
        return Finding(CHECK, Severity.WARNING, figures)
    return Finding(CHECK, Severity.NOTICE if low > _MANY else Severity.OK, figures)


def _shown(votes: VoteTable) -> VoteTable:
    """The votes whose names were shown at once."""
    at_once = np.array([condition.reveal == AT_ONCE for condition in votes.conditions] + [False])
    return votes.pick(at_once[votes.condition])


def _favours(case: Case, taken: VoteTable) -> tuple[Favour, ...]:
    if not len(taken):
        return ()
    strengths = case.ratings / ELO_PER_LOGIT
    expected = logistic(strengths[taken.a] - strengths[taken.b])
    size = case.size
    games = np.bincount(np.concatenate([taken.a, taken.b]), minlength=size)
    score = sum_by(taken.a, taken.score, size) + sum_by(taken.b, 1.0 - taken.score, size)
    awaited = sum_by(taken.a, expected, size) + sum_by(taken.b, 1.0 - expected, size)
    spread = expected * (1.0 - expected)
    error = np.sqrt(sum_by(taken.a, spread, size) + sum_by(taken.b, spread, size))
    tested = np.flatnonzero(games >= _DIRECTION)
    if not len(tested):
        return ()
    quantile = normal_upper(0.5 * (1.0 - (1.0 - 0.5 * ERROR_RATE) ** (1.0 / len(tested))))
    sure = tested[np.abs(score - awaited)[tested] - 0.5 > quantile * error[tested]]
    order = sure[np.argsort(-np.abs(score - awaited)[sure], kind="stable")]
    return tuple(Favour(case.name(k), int(games[k]), float(score[k]), float(awaited[k])) for k in order)
