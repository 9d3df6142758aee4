"""Listeners and prompts as units: against slow computations from the definition."""

import math
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from arena_desktop.ratings import sandwich as sandwich_module
from arena_desktop.ratings.bradley_terry import fit_table, information
from arena_desktop.ratings.games import Games
from arena_desktop.ratings.intervals import uncertainty
from arena_desktop.ratings.quantiles import normal_upper, t_upper
from arena_desktop.ratings.sandwich import Sandwich
from arena_desktop.ratings.scores import bradley_terry_scores
from arena_desktop.ratings.standings import rating_standings
from arena_desktop.ratings.vote_columns import VoteColumns
from tests.helpers.panels import Scenario

POINTS = 400 / math.log(10)
Matrix = NDArray[np.float64]


def at_the_fit(columns: VoteColumns) -> tuple[Matrix, Matrix, Sandwich]:
    games = Games.of(columns)
    flat = np.full(columns.size, 1000.0)
    fit = fit_table(games.table, flat)
    curvature = information(games.table, fit, flat, 4.0)
    strengths = fit / POINTS
    return strengths, curvature, Sandwich(games, lambda some: bradley_terry_scores(some, strengths), curvature)


def jackknife_like(columns: VoteColumns, strengths: Matrix, curvature: Matrix, unit: NDArray[np.int64]) -> Matrix:
    """CR3 unit by unit: (G − 1)/G · Σ x x' with x = (H − H_g)⁻¹ U_g, centred."""
    total = np.zeros((columns.size, columns.size))
    units = np.unique(unit)
    for one in units:
        own, score = np.zeros_like(total), np.zeros(columns.size)
        for place in np.flatnonzero(unit == one):
            contrast = np.zeros(columns.size)
            contrast[columns.a[place]], contrast[columns.b[place]] = 1, -1
            q = 1 / (1 + math.exp(-(strengths @ contrast)))
            score += (columns.score[place] - q) * contrast
            own += q * (1 - q) * np.outer(contrast, contrast)
        move = np.linalg.solve(curvature - own, score)
        move -= move.mean()
        total += np.outer(move, move)
    return total * (len(units) - 1) / len(units)


@pytest.mark.parametrize("prompts", [7, 40])
def test_prompts_and_listeners_against_the_definition(prompts: int) -> None:
    scenario = Scenario([60, 50, 40, 30, 30, 20, 20, 20], 60.0, models=5, prompts=prompts, prompt_effect=80.0)
    _, columns = scenario.draw(11)
    assert columns.prompt is not None
    strengths, curvature, sandwich = at_the_fit(columns)
    listener = jackknife_like(columns, strengths, curvature, columns.listener)
    prompt = jackknife_like(columns, strengths, curvature, columns.prompt)
    assert sandwich.by_cluster(columns.listener) == pytest.approx(listener, abs=1e-9)
    assert sandwich.by_cluster(columns.prompt) == pytest.approx(prompt, abs=1e-9)
    both = listener + prompt - sandwich.by_cell(columns.listener, columns.prompt)
    found = uncertainty(columns, strengths, curvature)
    votes = sandwich.by_vote()
    largest = np.sqrt(np.max([np.diag(matrix) for matrix in (*votes, listener, prompt, both)], axis=0)) * POINTS
    assert found.error == pytest.approx(largest)
    assert found.prompts is not None
    assert found.df == pytest.approx(min(found.prompts, found.listeners) - 1)
    assert found.quantile(0.95) == pytest.approx(t_upper(0.025, min(found.prompts, found.listeners) - 1))


def test_a_unit_with_little_leverage_is_corrected_nearly_exactly(monkeypatch: pytest.MonkeyPatch) -> None:
    # Two thousand listeners of very unequal diligence: most are "light".
    diligence = [max(1, 500 // rank) for rank in range(1, 301)] + [2] * 1700
    _, columns = Scenario(diligence, 80.0, models=20).draw(2)
    _, _, sandwich = at_the_fit(columns)
    quick = sandwich.by_cluster(columns.listener)
    monkeypatch.setattr(sandwich_module, "_LIGHT", -1.0)
    exact = sandwich.by_cluster(columns.listener)
    assert np.sqrt(np.diag(quick)) == pytest.approx(np.sqrt(np.diag(exact)), rel=2e-3)


def test_prompts_never_narrow_an_interval() -> None:
    for seed in range(5):
        _, columns = Scenario([40] * 12, 60.0, models=6, prompts=15).draw(seed)
        with_prompts, without = rating_standings(columns), rating_standings(replace(columns, prompt=None))
        for one, other in zip(with_prompts.models, without.models, strict=True):
            assert one.rating == other.rating
            assert (one.high or 0) - (one.low or 0) >= (other.high or 0) - (other.low or 0) - 1e-9


def test_few_prompts_or_few_listeners_leave_the_other_rule_alone() -> None:
    _, few_prompts = Scenario([40] * 12, 60.0, models=6, prompts=4, prompt_effect=80.0).draw(1)
    board = rating_standings(few_prompts)
    assert board.doubt is not None
    assert board.doubt.prompts is None
    assert board.doubt.df == pytest.approx(11)
    _, few_listeners = Scenario([200] * 4, 60.0, models=6, prompts=30, prompt_effect=80.0).draw(1)
    board = rating_standings(few_listeners)
    assert board.doubt is not None
    assert (board.doubt.prompts, board.doubt.df) == (None, None)
    assert board.doubt.quantile(0.95) == normal_upper(0.025)


def test_whichever_are_fewer_give_the_degrees_of_freedom() -> None:
    _, columns = Scenario([40] * 20, 60.0, models=6, prompts=7).draw(1)
    doubt = rating_standings(columns).doubt
    assert doubt is not None
    assert doubt.prompts is not None
    assert 5 < doubt.prompts <= 7
    assert doubt.df == doubt.prompts - 1
    assert doubt.quantile(0.95) == pytest.approx(t_upper(0.025, doubt.prompts - 1))


def test_prompts_that_are_each_their_own_change_nothing() -> None:
    _, columns = Scenario([50] * 10, 60.0, models=6).draw(1)
    alone = replace(columns, prompt=np.arange(len(columns)))
    for one, other in zip(rating_standings(alone).models, rating_standings(columns).models, strict=True):
        # Each vote as a cluster of its own is the vote-level form with CR3's correction: hardly wider.
        assert one.high == pytest.approx(other.high, abs=0.5)


def test_gaps_in_the_numbers_of_listeners_are_no_listeners() -> None:
    _, columns = Scenario([50] * 10, 60.0, models=6, prompts=12).draw(1)
    assert columns.prompt is not None
    sparse = replace(columns, listener=columns.listener * 7 + 3, prompt=columns.prompt * 100_000)
    for one, other in zip(rating_standings(sparse).models, rating_standings(columns).models, strict=True):
        assert (one.low, one.high) == pytest.approx((other.low, other.high), abs=1e-9)


def test_a_prompt_effect_is_covered() -> None:
    # 40 listeners, 20 texts that each suit some models better: with listeners alone as units some 90 % are covered.
    scenario = Scenario([50] * 40, 0.0, prompts=20, prompt_effect=80.0)
    inside: list[bool] = []
    alone: list[bool] = []
    for seed in range(40):
        strength, columns = scenario.draw(700 + seed)
        truth = scenario.truth(strength)
        for votes, hits in ((columns, inside), (replace(columns, prompt=None), alone)):
            models = rating_standings(votes, best=False).models
            hits += [(model.low or 0) <= value <= (model.high or 0) for model, value in zip(models, truth, strict=True)]
    assert 0.92 <= np.mean(inside) <= 0.985
    assert np.mean(alone) < np.mean(inside) - 0.03
