"""Simulated panels do what their arguments say, and nothing else changes with them."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena_desktop.ratings.faults import RatingError
from arena_desktop.ratings.pairing import POLICIES
from arena_desktop.ratings.simulate import simulate
from arena_desktop.ratings.standings import rating_standings
from arena_desktop.ratings.vote_table import OUTCOMES

TIE, BOTH_BAD = OUTCOMES.index("tie"), OUTCOMES.index("both_bad")


def test_the_same_seed_gives_the_same_panel_and_another_seed_another() -> None:
    one, same, other = (simulate(6, 300, seed=seed, policy="rank-gain") for seed in (4, 4, 5))
    for name in ("a", "b", "outcome", "listener", "text", "at", "first", "probability"):
        assert np.array_equal(getattr(one, name), getattr(same, name))
    assert not np.array_equal(one.a, other.a)
    assert np.array_equal(one.truth.strengths, same.truth.strengths)


def test_changing_one_thing_leaves_the_rest_of_the_chance_alone() -> None:
    plain, biased = simulate(6, 300, seed=4), simulate(6, 300, seed=4, side_bias=200.0)
    assert np.array_equal(plain.truth.strengths, biased.truth.strengths)
    assert np.array_equal(plain.a, biased.a)
    assert np.array_equal(plain.text, biased.text)
    assert not np.array_equal(plain.outcome, biased.outcome)


def test_votes_follow_the_strengths_by_davidsons_model() -> None:
    # 191 points are 3 to 1 among decided votes; equals tie in a fifth of their battles.
    lead = 400 * math.log10(3)
    panel = simulate(2, 40_000, strengths=[lead, 0.0], taste_sd=0.0, ties=0.2, listeners=10, seed=1)
    first_wins = np.where(panel.a == 0, panel.score == 1.0, panel.score == 0.0)
    decided = panel.score != 0.5
    assert first_wins[decided].mean() == pytest.approx(0.75, abs=0.01)
    tie = 0.5 / (math.sqrt(3) + 1 / math.sqrt(3) + 0.5)
    assert (~decided).mean() == pytest.approx(tie, abs=0.01)


@pytest.mark.parametrize(("option", "column"), [("side_bias", "side"), ("first_bias", "first")])
def test_a_bias_moves_votes_to_its_place(option: str, column: str) -> None:
    biased: dict[str, Any] = {option: 191.0}
    panel = simulate(2, 20_000, strengths=[0.0, 0.0], taste_sd=0.0, ties=0.0, seed=2, **biased)
    helped = panel.score == 1.0 if column == "side" else (panel.score == 1.0) == (panel.first == 0)
    assert helped.mean() == pytest.approx(0.75, abs=0.015)
    other = (panel.score == 1.0) == (panel.first == 0) if column == "side" else panel.score == 1.0
    assert other.mean() == pytest.approx(0.5, abs=0.015)


def test_weak_models_are_called_bad_more_often() -> None:
    panel = simulate(3, 30_000, strengths=[200.0, 0.0, -200.0], taste_sd=0.0, ties=0.5, both_bad=0.3, seed=3)
    shares = []
    for model in range(3):
        tied = ((panel.a == model) | (panel.b == model)) & (panel.score == 0.5)
        shares.append((panel.outcome[tied] == BOTH_BAD).mean())
    assert shares[0] < shares[1] < shares[2]
    assert not np.any(simulate(3, 2_000, ties=0.5, both_bad=0.0).outcome == BOTH_BAD)
    assert not np.any(simulate(3, 2_000, ties=0.5, both_bad=1.0).outcome == TIE)


def test_diligence_is_kept_and_sittings_stay_together() -> None:
    panel = simulate(4, 100, listeners=[3.0, 1.0, 0.0, 1.0])
    assert np.bincount(panel.listener, minlength=4).tolist() == [60, 20, 0, 20]
    assert np.all(np.diff(panel.at) > 0)
    assert np.all(np.diff(panel.sitting) >= 0)
    assert all(len(set(panel.listener[panel.sitting == sitting])) == 1 for sitting in set(panel.sitting))


def test_texts_are_dealt_in_rounds_and_suit_models() -> None:
    panel = simulate(4, 60, texts=20)
    assert all(sorted(panel.text[n : n + 20]) == list(range(20)) for n in (0, 20, 40))
    mixed = simulate(2, 20_000, strengths=[0, 0], taste_sd=0, ties=0, texts=2, text_sd=150, seed=8)
    lead = mixed.truth.texts[:, 0] - mixed.truth.texts[:, 1]
    for text in (0, 1):
        on = mixed.text == text
        won = np.where(mixed.a[on] == 0, mixed.score[on], 1 - mixed.score[on]).mean()
        assert won == pytest.approx(1 / (1 + 10 ** (-lead[text] / 400)), abs=0.02)


def test_a_table_says_what_the_columns_say() -> None:
    panel = simulate(["x/a", "x/b c", "y/é"], 200, listeners=5, policy="balanced")
    table = panel.table()
    assert np.array_equal(table.score, panel.score)
    assert [table.models[a] for a in table.a] == [panel.models[a] for a in panel.a]
    assert len(set(table.listeners)) == 5
    assert set(table.policies) == {"balanced"}
    met: dict[tuple[Any, ...], int] = {}
    for n in range(200):
        key = (table.listener[n], *sorted((table.a[n], table.b[n])))
        assert table.reveals_before[n] == met.get(key, 0)
        met[key] = met.get(key, 0) + 1
    direct, through = rating_standings(panel.columns()), rating_standings(table.columns())
    assert [model.rank for model in direct.models] == [model.rank for model in through.models]


def test_ratings_of_many_votes_find_the_strengths() -> None:
    panel = simulate(8, 20_000, taste_sd=0.0, ties=0.0, listeners=20, seed=6)
    ratings = np.array([model.rating for model in rating_standings(panel.columns()).models])
    truth = panel.truth.strengths - panel.truth.strengths.mean() + 1000
    assert np.max(np.abs(ratings - truth)) < 20


@settings(max_examples=25)
@given(
    size=st.integers(2, 9),
    votes=st.integers(0, 60),
    policy=st.sampled_from(sorted(POLICIES)),
    listeners=st.one_of(st.integers(1, 80), st.lists(st.floats(0.01, 5), min_size=1, max_size=9)),
    strengths=st.floats(0, 1e6),
    ties=st.floats(0, 0.999),
)
def test_any_panel_is_well_formed(
    size: int, votes: int, policy: str, listeners: Any, strengths: float, ties: float
) -> None:
    panel = simulate(size, votes, policy=policy, listeners=listeners, strength_sd=strengths, ties=ties)
    assert len(panel) == votes == len(panel.table())
    assert np.all(panel.a != panel.b)
    assert np.all((panel.probability > 0) & (panel.probability <= 1))
    assert np.all((panel.outcome >= 0) & (panel.outcome < len(OUTCOMES)))


@pytest.mark.parametrize(
    "wrong",
    [
        {"models": 1},
        {"models": ["x/a", "x/a"]},
        {"models": 2.5},
        {"votes": -1},
        {"ties": 1.0},
        {"ties": math.nan},
        {"both_bad": 1.5},
        {"strengths": [0.0]},
        {"strengths": [0.0, math.inf, 0.0]},
        {"listeners": 0},
        {"listeners": []},
        {"listeners": [0.0, 0.0]},
        {"listeners": [1.0, math.nan]},
        {"taste_sd": -1.0},
        {"texts": 0},
        {"policy": "greedy"},
        {"prior": [1000.0]},
        {"prior_weight": 0.0},
        {"seed": -1},
    ],
)
def test_what_makes_no_panel_is_refused_in_words(wrong: dict[str, Any]) -> None:
    with pytest.raises(RatingError):
        simulate(**{"models": 3, "votes": 10, **wrong})
