"""Published and independently computed answers: the fits must give the same numbers where definitions coincide.

Each constant carries where it comes from. Fits were driven to convergence in the other package; agreement is asked to
1e-6 in its own unit (logits or Elo points), published figures to the digits that were printed.
"""

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from arena_desktop.ratings.bradley_terry import fit_bradley_terry, fit_free, information
from arena_desktop.ratings.davidson import davidson_information, davidson_scorer, fit_davidson
from arena_desktop.ratings.games import Games
from arena_desktop.ratings.pair_table import PairTable, pair_table
from arena_desktop.ratings.sandwich import Sandwich
from arena_desktop.ratings.scores import bradley_terry_scores
from arena_desktop.ratings.vote_columns import VoteColumns

POINTS = 400 / math.log(10)
Counts = list[tuple[int, int, int, int]]


def wins_table(size: int, counts: Counts) -> PairTable:
    i, j, won, lost = (np.array(column) for column in zip(*counts, strict=True))
    return pair_table(size, i, j, (won + lost).astype(np.float64), won.astype(np.float64))


def against(reference: int, ratings: NDArray[np.float64]) -> list[float]:
    """Logits above the reference, which is left out."""
    return [float(value) for place, value in enumerate((ratings - ratings[reference]) / POINTS) if place != reference]


def errors_against(reference: int, table: PairTable, ratings: NDArray[np.float64]) -> list[float]:
    """Fisher's standard errors of those, in logits."""
    flat = np.full(table.size, 1000.0)
    covariance = np.linalg.pinv(information(table, ratings, flat, 0.0))
    own = np.diag(covariance)
    difference = np.sqrt(own + own[reference] - 2 * covariance[reference])
    return [float(value) for place, value in enumerate(difference) if place != reference]


# S. M. Stigler, Statistical Science 9 (1994): citations among Biometrika, Communications in Statistics, JASA, JRSS-B.
CITATIONS = [(0, 1, 730, 33), (0, 2, 498, 320), (0, 3, 221, 284), (1, 2, 68, 813), (1, 3, 17, 276), (2, 3, 142, 325)]


def test_stiglers_citations() -> None:
    table = wins_table(4, CITATIONS)
    found = fit_free(table)
    # H. Turner, D. Firth, Journal of Statistical Software 48(9), 2012, p. 4: citeModel of the R package BradleyTerry2.
    assert [round(value, 4) for value in against(0, found)] == [-2.9491, -0.4796, 0.2690]
    # statsmodels 0.15.0, GLM(wins and losses, family=Binomial()).fit(tol=1e-14): params and bse.
    assert against(0, found) == pytest.approx([-2.949072496843909, -0.479569769751993, 0.268954055819472], abs=1e-6)
    known = [0.102545335511209, 0.060588729248231, 0.070829965111141]
    assert errors_against(0, table, found) == pytest.approx(known, abs=1e-6)


# A. Agresti, Categorical Data Analysis (2nd ed., 2002), table 10.10: American League, 1987. Each row's wins over the
# column: Baltimore, Boston, Cleveland, Detroit, Milwaukee, New York, Toronto.
BASEBALL = [
    [0, 1, 7, 4, 2, 3, 1],
    [12, 0, 7, 2, 6, 7, 6],
    [6, 6, 0, 4, 4, 6, 5],
    [9, 11, 9, 0, 6, 5, 7],
    [11, 7, 9, 7, 0, 7, 9],
    [10, 6, 7, 8, 6, 0, 6],
    [12, 7, 8, 6, 4, 7, 0],
]


def test_baseball_of_1987() -> None:
    table = wins_table(7, [(i, j, BASEBALL[i][j], BASEBALL[j][i]) for i in range(7) for j in range(i + 1, 7)])
    found = fit_free(table)
    # BradleyTerry2's vignette, baseballModel1: Boston, Cleveland, Detroit, Milwaukee, New York, Toronto over Baltimore.
    assert against(0, found) == pytest.approx([1.1077, 0.6839, 1.4364, 1.5814, 1.2476, 1.2945], abs=5.1e-5)
    published = [0.3339, 0.3319, 0.3396, 0.3433, 0.3359, 0.3367]
    assert errors_against(0, table, found) == pytest.approx(published, abs=5.1e-5)
    # evalica 0.4.2, bradley_terry(xs, ys, winners, tolerance=1e-15, limit=100000): log of the scores over Baltimore's.
    known = [
        1.107697705378655,
        0.6838527691591615,
        1.4364084318124366,
        1.581355876661394,
        1.2476178451413877,
        1.2944851239118063,
    ]
    assert against(0, found) == pytest.approx(known, abs=1e-6)


# psychotools 0.7-2, GermanParties2009: 192 people's preferences among none, Linke, Gruene, SPD, CDU/CSU, FDP.
PARTIES = [
    (0, 1, 119, 73), (0, 2, 25, 167), (1, 2, 23, 169), (0, 3, 38, 154), (1, 3, 34, 158), (2, 3, 124, 68),
    (0, 4, 69, 123), (1, 4, 76, 116), (2, 4, 128, 64), (3, 4, 125, 67), (0, 5, 83, 109), (1, 5, 70, 122),
    (2, 5, 137, 55), (3, 5, 134, 58), (4, 5, 106, 86),
]  # fmt: skip


def test_german_parties() -> None:
    table = wins_table(6, PARTIES)
    found = fit_free(table)
    # psychotools 0.7-2, summary(btmodel(GermanParties2009$preference)) as printed in its reference output.
    assert [round(value, 4) for value in against(5, found)] == [-0.3756, -0.6161, 1.1858, 0.8131, 0.1756]
    published = [0.0890, 0.0910, 0.0951, 0.0907, 0.0875]
    assert errors_against(5, table, found) == pytest.approx(published, abs=5.1e-5)
    # choix 0.4.1, ilsr_pairwise(6, each vote as (winner, loser), alpha=0, max_iter=1000, tol=1e-13).
    known = [-0.375561649898116, -0.616069978900579, 1.18575537824119, 0.813098675681925, 0.175620277764691]
    assert against(5, found) == pytest.approx(known, abs=1e-6)


# R. R. Davidson, JASA 65 (1970), example 2: brands of chocolate pudding. Brands i and j, wins of i, wins of j, ties.
PUDDING = [
    (0, 1, 19, 22, 16), (0, 2, 16, 19, 12), (1, 2, 19, 19, 10), (0, 3, 18, 23, 13), (1, 3, 23, 19, 9),
    (2, 3, 19, 20, 15), (0, 4, 13, 19, 18), (1, 4, 16, 20, 12), (2, 4, 16, 15, 17), (3, 4, 17, 14, 16),
    (0, 5, 18, 21, 12), (1, 5, 22, 20, 12), (2, 5, 13, 18, 10), (3, 5, 14, 19, 18), (4, 5, 11, 21, 12),
]  # fmt: skip


def pudding_votes() -> VoteColumns:
    rows = [
        (i, j, score, number) for i, j, *numbers in PUDDING for score, number in zip((1, 0, 0.5), numbers, strict=True)
    ]
    a, b, score, number = (np.array(column) for column in zip(*rows, strict=True))
    return VoteColumns(6, a, b, score.astype(np.float64), np.zeros(len(a), np.int64), None, number.astype(np.float64))


def test_davidsons_pudding() -> None:
    games = Games.of(pudding_votes())
    flat = np.full(6, 1000.0)
    found = fit_davidson(games.table, games.ties, flat, 0.0)
    strengths = np.exp(found.ratings / POINTS - found.ratings.max() / POINTS)
    # statsmodels 0.15.0, GLM(counts, family=Poisson()).fit(tol=1e-15) of the log-linear form of D. E. Critchlow and
    # M. A. Fligner (Psychometrika 56, 1991): strengths over brand 1, then log ν, and their standard errors.
    known = [0.220241900241323, 0.152977704854172, 0.175144908589806, 0.133865226991094, 0.377134895801586]
    assert against(0, found.ratings) == pytest.approx(known, abs=1e-6)
    assert math.log(found.nu) == pytest.approx(-0.2919270862480233, abs=1e-6)
    shares = [
        0.138803375180689,
        0.173001499982995,
        0.161747434036787,
        0.165372957762914,
        0.158685394574718,
        0.202389338461897,
    ]
    assert (strengths / strengths.sum()).tolist() == pytest.approx(shares, abs=1e-7)
    covariance = np.linalg.pinv(davidson_information(games.table, games.ties, found, flat, 0.0))
    own = np.diag(covariance)
    errors = [0.187216981621782, 0.193518358124898, 0.1882110872345, 0.192704560790367, 0.192406233635861]
    assert np.sqrt(own[1:6] + own[0] - 2 * covariance[0, 1:6]).tolist() == pytest.approx(errors, abs=1e-6)
    assert math.sqrt(own[6]) == pytest.approx(0.082498691720984, abs=1e-6)


def test_the_default_prior_is_two_wins_and_two_losses_against_a_fixed_opponent() -> None:
    pairs = [[str(i), str(j), float(won + lost + ties), won + 0.5 * ties] for i, j, won, lost, ties in PUDDING]
    found = fit_bradley_terry(pairs, dict.fromkeys("012345", 1000.0))
    # statsmodels 0.15.0, GLM(family=Binomial()): ties as half a win each, an opponent held at 0 that each brand beat
    # twice and lost to twice; 1000 + params · 400 / ln 10.
    known = [
        977.9623977462544,
        1005.4563532490741,
        997.0691746226939,
        999.8280562329785,
        994.6852473460651,
        1025.0123498464814,
    ]
    assert [found[model] for model in "012345"] == pytest.approx(known, abs=1e-6)


def free_sandwich(votes: VoteColumns) -> tuple[NDArray[np.float64], Sandwich]:
    """The fit without a prior in logits, and its sandwich."""
    games = Games.of(votes)
    strengths = fit_free(games.table) / POINTS
    curvature = information(games.table, strengths * POINTS, np.full(votes.size, 1000.0), 0.0)
    sandwich = Sandwich(games, lambda some: bradley_terry_scores(some, strengths), curvature + 1.0)
    return strengths, sandwich


def test_arena_rank_ratings_and_errors() -> None:
    strengths, sandwich = free_sandwich(pudding_votes())
    # arena-rank 0.1.1 on the pudding votes: BradleyTerry(6, ftol=1e-16, gtol=1e-13).fit, less its mean, plus 1000; and
    # its compute_hessian_and_covariance with hessian_reg=0 in a pseudo-inverse (numpy.linalg.pinv).
    known = [
        977.6756586344375,
        1005.5241529102735,
        997.0179927895099,
        999.8212614453644,
        994.6010497833853,
        1025.3598844370285,
    ]
    assert (strengths * POINTS - (strengths * POINTS).mean() + 1000).tolist() == pytest.approx(known, abs=1e-6)
    errors = np.sqrt(np.diag(sandwich.by_vote()[0])) * POINTS
    known = [
        15.396300370021711,
        15.898734097101274,
        16.05657707486443,
        15.348540029440699,
        15.507421770299615,
        16.041414327084034,
    ]
    assert errors.tolist() == pytest.approx(known, abs=1e-6)


# Drawn at random: model of side A, model of side B, A's score, listener, prompt.
SMALL = [
    (2, 0, 0.0, 1, 0), (2, 1, 0.5, 0, 0), (0, 1, 0.5, 2, 1), (0, 2, 1.0, 0, 0), (1, 2, 1.0, 3, 2), (1, 0, 0.5, 1, 3),
    (2, 1, 1.0, 1, 1), (1, 0, 1.0, 5, 1), (2, 0, 0.0, 5, 4), (0, 1, 0.0, 0, 4), (1, 0, 0.0, 2, 0), (2, 0, 0.0, 1, 3),
    (1, 2, 0.0, 0, 3), (1, 0, 1.0, 5, 1), (1, 0, 0.0, 1, 2), (2, 0, 1.0, 3, 1), (1, 0, 1.0, 3, 0), (2, 0, 1.0, 5, 2),
    (2, 1, 0.0, 5, 1), (0, 2, 1.0, 3, 1), (2, 0, 0.5, 0, 1), (2, 1, 0.0, 3, 4), (0, 1, 0.5, 3, 1), (1, 2, 0.5, 5, 0),
    (2, 0, 0.0, 4, 0), (2, 0, 0.5, 5, 4), (1, 2, 0.0, 5, 2), (0, 2, 1.0, 5, 3), (2, 1, 0.5, 5, 3), (2, 0, 1.0, 5, 0),
    (1, 2, 0.0, 0, 1), (0, 2, 0.0, 3, 4), (1, 2, 0.0, 1, 2), (1, 2, 1.0, 3, 4), (2, 1, 0.0, 1, 3), (1, 0, 1.0, 4, 0),
    (0, 2, 0.5, 2, 0), (1, 2, 1.0, 4, 3), (0, 2, 0.0, 3, 3), (0, 1, 0.5, 3, 0),
]  # fmt: skip


def test_statsmodels_robust_covariances() -> None:
    a, b, score, listener, prompt = (np.array(column) for column in zip(*SMALL, strict=True))
    strengths, sandwich = free_sandwich(VoteColumns(3, a, b, score.astype(np.float64), listener, prompt))
    # statsmodels 0.15.0, GLM(score, family=Binomial()) against model 0, cov_type "HC0", then "cluster" with
    # use_correction=False by listener and by cell of listener and prompt.
    assert against(0, strengths * POINTS) == pytest.approx([0.282340938760731, -0.072383712304751], abs=1e-6)
    to_reference = np.array([[-1.0, 1.0, 0.0], [-1.0, 0.0, 1.0]])
    known = {
        "vote": (sandwich.by_vote()[0], [0.151098842269177, 0.070481499733271, 0.145522015546767]),
        "listener": (sandwich.by_cell(listener, listener), [0.281469972287764, 0.122282470776485, 0.086049564799069]),
        "cell": (sandwich.by_cell(listener, prompt), [0.18996949534237, 0.049102130817818, 0.11481312525852]),
    }
    for covariance, (first, both, second) in known.values():
        found = to_reference @ covariance @ to_reference.T
        assert found.ravel().tolist() == pytest.approx([first, both, both, second], abs=1e-6)


def test_davidsons_sandwich_is_the_definition_and_invariant() -> None:
    votes = pudding_votes()
    games = Games.of(votes)
    flat = np.full(6, 1000.0)
    fit = fit_davidson(games.table, games.ties, flat, 0.0)
    curvature = davidson_information(games.table, games.ties, fit, flat, 0.0)
    curvature[:6, :6] += 1.0
    found, expected = Sandwich(games, davidson_scorer(fit, votes), curvature).by_vote()

    # From the definition, vote by vote, with derivatives taken numerically.
    def loglik(parameters: NDArray[np.float64], i: int, j: int, score: float) -> float:
        win, loss = math.exp(parameters[i]), math.exp(parameters[j])
        tie = math.exp(parameters[6] + 0.5 * (parameters[i] + parameters[j]))
        return math.log({1.0: win, 0.0: loss, 0.5: tie}[score] / (win + loss + tie))

    at = np.append(fit.ratings / POINTS, math.log(fit.nu))
    middle = np.zeros((7, 7))
    for i, j, score, number in zip(votes.a, votes.b, votes.score, votes.counts, strict=True):
        slope = np.array(
            [(loglik(at + step, i, j, score) - loglik(at - step, i, j, score)) / 2e-5 for step in np.eye(7) * 1e-5]
        )
        middle += number * np.outer(slope, slope)
    bread = np.linalg.inv(curvature)[:6]
    bread = bread - bread.mean(axis=0)
    assert found == pytest.approx(bread @ middle @ bread.T, abs=1e-8)
    assert np.all(np.diag(expected) > 0)
