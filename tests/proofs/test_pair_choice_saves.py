"""How many votes pair choice saves until the order is right, and what it costs."""

import numpy as np
import pytest
from numpy.typing import NDArray

from arena_desktop.ratings.arrays import ELO_PER_LOGIT
from arena_desktop.ratings.bradley_terry import fit_table
from arena_desktop.ratings.live_fit import LiveFits
from arena_desktop.ratings.pair_table import pair_table
from arena_desktop.ratings.pairing import rank_gain_chances, uniform_chances, unordered
from arena_desktop.ratings.standings import rating_standings
from arena_desktop.ratings.vote_columns import VoteColumns
from tests.helpers.evidence import evidence

MODELS = 12
SPREAD = 100.0
TIES = 0.15
EVERY = 10
TARGET = 0.80
Floats = NDArray[np.float64]


class Boards:
    """Many boards of one listener each, voted on in step; pairs by rank gain or uniformly."""

    def __init__(self, boards: int, votes: int, seed: int, *, rank_gain: bool) -> None:
        chance = np.random.default_rng(seed)
        self.truth = chance.normal(0.0, SPREAD, (boards, MODELS))
        self.fits = LiveFits(boards, MODELS)
        self.log: list[tuple[NDArray[np.int64], NDArray[np.int64], Floats]] = []
        self.curve: list[tuple[int, float]] = []
        each = np.arange(boards)
        i, j = unordered(MODELS)
        alike = np.broadcast_to(uniform_chances(MODELS), (boards, len(i)))
        for vote in range(1, votes + 1):
            fits = self.fits
            chances = rank_gain_chances(fits.rating, fits.error, fits.played) if rank_gain else alike
            reached = np.cumsum(chances, axis=1)
            point = chance.random((boards, 1)) * reached[:, -1:]
            pair = np.minimum((reached <= point).sum(axis=1), len(i) - 1)
            swapped = chance.random(boards) < 0.5
            a, b = np.where(swapped, j[pair], i[pair]), np.where(swapped, i[pair], j[pair])
            score = _scores(self.truth[each, a] - self.truth[each, b], chance.random(boards))
            fits.add(a, b, score)
            self.log.append((a, b, score))
            looks = vote % EVERY == 0
            if rank_gain or looks:
                fits.step(1 if rank_gain else 4)
            if looks:
                self.curve.append((vote, float(_kendall(fits.rating, self.truth).mean())))

    def votes_to(self, target: float) -> float:
        """Votes at which the mean Kendall τ reaches ``target``: a parabola in the logarithm of the votes through the
        part of the curve within 0.04 of it.
        """
        votes, tau = np.array(self.curve).T
        near = np.abs(tau - target) < 0.04
        assert tau[near].min() < target < tau[near].max(), "the curve does not cross the target"
        return float(np.exp(np.polyval(np.polyfit(tau[near], np.log(votes[near]), 2), target)))

    def least_played(self) -> float:
        """The mean share of the battles that the least-played model took part in."""
        return float((self.fits.games.sum(axis=2).min(axis=1) / len(self.log)).mean())

    def coverage(self, boards: int) -> float:
        """Share of the 95 % intervals that hold the model's place on a board of infinitely many votes."""
        a, b, score = (np.array(column) for column in zip(*self.log, strict=True))
        held = []
        for board in range(boards):
            alone = np.zeros(len(self.log), np.int64)
            columns = VoteColumns(MODELS, a[:, board], b[:, board], score[:, board], alone)
            target = _population(self.truth[board])
            for model, place in zip(rating_standings(columns, best=False).models, target, strict=True):
                assert model.low is not None
                assert model.high is not None
                held.append(model.low <= place <= model.high)
        return float(np.mean(held))


def _scores(lead: Floats, drawn: Floats) -> Floats:
    win, lose = np.exp(0.5 * lead / ELO_PER_LOGIT), np.exp(-0.5 * lead / ELO_PER_LOGIT)
    point = drawn * (win + lose + 2 * TIES / (1 - TIES))
    return np.where(point < win, 1.0, np.where(point < win + lose, 0.0, 0.5))


def _kendall(ratings: Floats, truth: Floats) -> Floats:
    i, j = unordered(MODELS)
    agree = np.sign(ratings[:, i] - ratings[:, j]) * np.sign(truth[:, i] - truth[:, j])
    tau: Floats = agree.mean(axis=1)
    return tau


def _population(truth: Floats) -> Floats:
    i, j = unordered(MODELS)
    lead = (truth[i] - truth[j]) / ELO_PER_LOGIT
    nu = 2 * TIES / (1 - TIES)
    win, lose = np.exp(0.5 * lead), np.exp(-0.5 * lead)
    games = np.full(len(i), 1e7)
    fit = fit_table(pair_table(MODELS, i, j, games, games * (win + 0.5 * nu) / (win + lose + nu)), np.full(MODELS, 1e3))
    centred: Floats = fit - fit.mean() + 1000.0
    return centred


@pytest.mark.proof("pair_choice")
@pytest.mark.timeout(3600)
def test_rank_gain_finds_the_order_with_fewer_votes(full_counts: bool) -> None:
    boards, seed = 3000 if full_counts else 60, 32
    uniform = Boards(boards, 1100, seed, rank_gain=False)
    chosen = Boards(boards, 850, seed, rank_gain=True)
    votes, fewer = uniform.votes_to(TARGET), chosen.votes_to(TARGET)
    measured = min(boards, 400)
    figures = {
        "models": MODELS,
        "boards": boards,
        "votes_uniform": round(votes),
        "votes_rank_gain": round(fewer),
        "fewer_percent": round(100 * (1 - fewer / votes), 1),
        "fewer_percent_to_tau_0.75": round(100 * (1 - chosen.votes_to(0.75) / uniform.votes_to(0.75)), 1),
        "coverage_percent_uniform_1100_votes": round(100 * uniform.coverage(measured), 1),
        "coverage_percent_rank_gain_850_votes": round(100 * chosen.coverage(measured), 1),
        "least_played_share_percent_uniform": round(100 * uniform.least_played(), 1),
        "least_played_share_percent_rank_gain": round(100 * chosen.least_played(), 1),
    }
    # Sixty boards show that it works: their curves are good to some ten per cent.
    evidence(
        "pair_choice",
        figures,
        holds=fewer <= (0.8 if full_counts else 0.92) * votes,
        claim="Twelve models, strengths of SD 100, 15 % ties: by rank gain a mean Kendall τ of 0.80 takes at least 20 %"
        " fewer votes than with uniform pairs.",
    )
