"""Simulated panels: votes of made-up listeners on made-up models, for proofs and for planning a study.

Each listener has tastes of their own, texts suit some models better than others, and a vote is drawn from Davidson's
model with ties (R. R. Davidson, JASA 65, 1970): the chances of A, of B and of a tie are as e^(d/2) : e^(−d/2) : ν,
where d is A's lead in logits.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena_desktop.ratings.arrays import ELO_PER_LOGIT, FloatArray, IntArray, logistic
from arena_desktop.ratings.bradley_terry import PRIOR_WEIGHT
from arena_desktop.ratings.faults import RatingError, shown
from arena_desktop.ratings.live_fit import LiveFits
from arena_desktop.ratings.pairing import RANK_GAIN, UNIFORM, PairKnowledge, check_policy, pair_chances, unordered
from arena_desktop.ratings.panel import SCORE, SimulatedPanel, Truth
from arena_desktop.ratings.sittings import apportioned, dealt, met_before, sittings, times
from arena_desktop.ratings.vote_table import OUTCOMES

_A, _B, _TIE, _BOTH_BAD = (OUTCOMES.index(vote) for vote in ("a", "b", "tie", "both_bad"))


def simulate(
    models: int | Sequence[str],
    votes: int,
    *,
    strengths: Sequence[float] | FloatArray | None = None,
    strength_sd: float = 100.0,
    listeners: int | Sequence[float] = 40,
    taste_sd: float = 60.0,
    ties: float = 0.15,
    both_bad: float = 0.2,
    texts: int = 60,
    text_sd: float = 0.0,
    side_bias: float = 0.0,
    first_bias: float = 0.0,
    policy: str = UNIFORM,
    prior: Sequence[float] | FloatArray | None = None,
    prior_weight: float = PRIOR_WEIGHT,
    days: float = 30.0,
    seed: int = 0,
) -> SimulatedPanel:
    """A panel of made-up listeners. The same arguments give the same panel.

    ``models``: their number, or their ids. ``strengths``: Elo points around any level, one a model; None draws them
    from a normal distribution of SD ``strength_sd``. ``listeners``: how many, equally diligent, or the relative
    diligence of each. ``taste_sd``: SD of each listener's own liking of each model, Elo points; 0 for listeners who all
    agree. ``ties``: share of ties between two equal models, 0 to below 1. ``both_bad``: share of a tie between two
    average models in which both are called bad, more often the weaker they are. ``texts``: how many texts, dealt in
    shuffled rounds; ``text_sd``: SD of how well each text suits each model, Elo points. ``side_bias``: how many Elo
    points A gains by being A; ``first_bias``: what a side gains by being played first. ``policy``: a name in
    :data:`arena_desktop.ratings.pairing.POLICIES`; where it looks at the board, that is refitted after every vote with
    ``prior`` (Elo points, None: 1000 for all) and ``prior_weight``. ``days``: how long the panel takes. Sides and the
    side played first are fair coins. Raises :class:`RatingError` for values that make no panel.
    """
    names = _names(models)
    size = len(names)
    _check_counts(votes, texts, seed)
    check_policy(policy)
    _check_numbers(
        strength_sd=(strength_sd, 0, 1e6),
        taste_sd=(taste_sd, 0, 1e6),
        text_sd=(text_sd, 0, 1e6),
        ties=(ties, 0, 0.999),
        both_bad=(both_bad, 0, 1),
        side_bias=(side_bias, -1e6, 1e6),
        first_bias=(first_bias, -1e6, 1e6),
        prior_weight=(prior_weight, 1e-6, 1e6),
        days=(days, 0, 1e5),
    )
    diligence = _diligence(listeners)
    # A stream of chance for each thing, so that changing one of them leaves the others as they were.
    own, taste, suits, order, coins, draws, pick, speed = np.random.default_rng(seed).spawn(8)
    truth = Truth(
        own.normal(0.0, strength_sd, size) if strengths is None else _elo(strengths, size, "strengths"),
        taste.normal(0.0, taste_sd, (len(diligence), size)),
        suits.normal(0.0, text_sd, (texts, size)),
    )
    listener, sitting = sittings(apportioned(diligence, votes), order)
    text = dealt(texts, votes, order)
    first = coins.integers(0, 2, votes)
    liking = truth.strengths + truth.tastes
    start = None if prior is None else _elo(prior, size, "prior")
    match = _Match(
        liking,
        truth.texts,
        listener,
        text,
        (side_bias + first_bias * (1 - 2 * first)).astype(np.float64),
        ties,
        both_bad,
    )
    chance, verdict = draws.random((3, votes)), coins.random(votes) < 0.5
    choose = _choose_each if policy != UNIFORM else _choose_all
    a, b, outcome, probability = choose(match, policy, pick.random(votes), verdict, chance, start, prior_weight)
    return SimulatedPanel(
        models=names,
        truth=truth,
        policy=policy,
        a=a,
        b=b,
        outcome=outcome,
        listener=listener,
        text=text,
        sitting=sitting,
        first=first,
        at=times(sitting, days),
        reveals_before=met_before(listener, a, b, size),
        probability=probability,
        rtf=np.exp(speed.normal(-2.0, 0.8, size)),
    )


@dataclass(frozen=True, eq=False)
class _Match:
    """What decides a vote once its pair is known. ``help`` is what A gains by its place, by vote."""

    liking: FloatArray
    texts: FloatArray
    listener: IntArray
    text: IntArray
    help: FloatArray
    ties: float
    both_bad: float

    @property
    def size(self) -> int:
        return len(self.liking[0])

    def outcome(self, which: IntArray, a: IntArray, b: IntArray, chance: FloatArray) -> IntArray:
        """The votes at positions ``which``, from three even chances each, shape (3, votes)."""
        who, text = self.listener[which], self.text[which]
        of_a = (self.liking[who, a] + self.texts[text, a]) / ELO_PER_LOGIT
        of_b = (self.liking[who, b] + self.texts[text, b]) / ELO_PER_LOGIT
        lead = of_a - of_b + self.help[which] / ELO_PER_LOGIT
        # All three weights times e^(−|d|/2), so that no lead overflows.
        win, lose = np.exp(np.minimum(lead, 0.0)), np.exp(np.minimum(-lead, 0.0))
        tie = 2.0 * self.ties / (1.0 - self.ties) * np.exp(-0.5 * np.abs(lead))
        drawn = chance[0] * (win + lose + tie)
        vote = np.where(drawn < win, _A, np.where(drawn < win + lose, _B, _TIE))
        if 0.0 < self.both_bad < 1.0:
            middle = self.liking[who].mean(axis=1) / ELO_PER_LOGIT
            odds = np.log(self.both_bad / (1.0 - self.both_bad)) - (0.5 * (of_a + of_b) - middle)
            bad = chance[1] < logistic(odds)
        else:
            bad = np.full(len(which), self.both_bad > 0.0)
        return np.where((vote == _TIE) & bad, _BOTH_BAD, vote).astype(np.int64)


_Chosen = tuple[IntArray, IntArray, IntArray, FloatArray]


def _choose_all(
    match: _Match,
    policy: str,
    pick: FloatArray,
    swapped: NDArray[np.bool_],
    chance: FloatArray,
    prior: FloatArray | None,
    prior_weight: float,
) -> _Chosen:
    """All pairs alike: nothing depends on the votes before."""
    i, j = unordered(match.size)
    pair = np.minimum((pick * len(i)).astype(np.int64), len(i) - 1)
    a, b = np.where(swapped, j[pair], i[pair]), np.where(swapped, i[pair], j[pair])
    outcome = match.outcome(np.arange(len(pick)), a, b, chance)
    return a, b, outcome, np.full(len(pick), 1.0 / len(i))


def _choose_each(
    match: _Match,
    policy: str,
    pick: FloatArray,
    swapped: NDArray[np.bool_],
    chance: FloatArray,
    prior: FloatArray | None,
    prior_weight: float,
) -> _Chosen:
    """One vote after the other, each pair chosen from what the votes before it say."""
    size, count = match.size, len(pick)
    i, j = unordered(size)
    fits = LiveFits(1, size, prior, prior_weight)
    met = np.zeros((len(match.texts), size, size))
    names = tuple(map(str, range(size)))
    a, b, outcome = (np.zeros(count, np.int64) for _ in range(3))
    probability = np.zeros(count)
    for n in range(count):
        text = int(match.text[n])
        known = PairKnowledge(names, fits.rating[0], fits.error[0], fits.games[0], {"": met[text]})
        chances = pair_chances(policy, known)
        total = np.cumsum(chances)
        pair = min(int(np.searchsorted(total, pick[n] * total[-1], side="right")), len(i) - 1)
        a[n], b[n] = (j[pair], i[pair]) if swapped[n] else (i[pair], j[pair])
        probability[n] = chances[pair]
        here = slice(n, n + 1)
        outcome[here] = match.outcome(np.array([n]), a[here], b[here], chance[:, here])
        met[text, i[pair], j[pair]] += 1.0
        met[text, j[pair], i[pair]] += 1.0
        fits.add(a[here], b[here], SCORE[outcome[here]])
        if policy == RANK_GAIN:
            fits.step()
    return a, b, outcome, probability


def _names(models: int | Sequence[str]) -> tuple[str, ...]:
    if isinstance(models, int):
        _check_whole("models", models, 2, 100_000)
        return tuple(f"simulated/model-{n + 1:02d}" for n in range(models))
    names = tuple(models) if isinstance(models, Sequence) and not isinstance(models, str) else ()
    if len(names) < 2 or len(set(names)) < len(names) or not all(isinstance(name, str) for name in names):
        raise RatingError("A panel needs at least two models, each with an id of its own.")
    return names


def _check_whole(name: str, value: object, low: int, high: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not low <= value <= high:
        raise RatingError(f"{name} is {shown(value)}.", f"Give a whole number from {low:,} to {high:,}.")


def _check_counts(votes: int, texts: int, seed: int) -> None:
    _check_whole("votes", votes, 0, 10_000_000)
    _check_whole("texts", texts, 1, 100_000)
    _check_whole("seed", seed, 0, 2**63)


def _check_numbers(**numbers: tuple[float, float, float]) -> None:
    for name, (value, low, high) in numbers.items():
        if isinstance(value, bool) or not isinstance(value, int | float | np.number) or not low <= value <= high:
            raise RatingError(f"{name} is {shown(value)}.", f"Give a number from {low:g} to {high:g}.")


def _elo(values: Sequence[float] | FloatArray, size: int, name: str) -> FloatArray:
    array = np.asarray(values, np.float64)
    if array.shape != (size,) or not np.all(np.abs(array) <= 1e6):
        raise RatingError(f"{name} are not {size} numbers of Elo points.", "Give one number for each model.")
    return array


def _diligence(listeners: int | Sequence[float]) -> FloatArray:
    if isinstance(listeners, int | np.integer):
        _check_whole("listeners", listeners, 1, 1_000_000)
        return np.ones(listeners)
    diligence = np.asarray(listeners, np.float64)
    if diligence.ndim != 1 or not len(diligence) or not np.all(diligence >= 0) or not 0 < diligence.sum() < np.inf:
        raise RatingError("The listeners' diligence is not a list of numbers, some above 0.")
    return diligence
