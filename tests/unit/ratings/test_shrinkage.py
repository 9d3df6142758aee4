"""Groups' boards lie between their own votes and the overall board; alike groups are not called different."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from arena_desktop.ratings.arrays import ELO_PER_LOGIT, FloatArray, IntArray
from arena_desktop.ratings.shrinkage import Shrunk, shrink
from arena_desktop.ratings.standings import rating_standings
from arena_desktop.ratings.vote_columns import VoteColumns

TIE = 0.3
COMPRESSED = 2 / (2 + TIE)  # ties count half: a lead in the votes' own scale is that much smaller near 0


def drawn(rng: np.random.Generator, strengths: FloatArray, votes: int, texts: int) -> tuple[VoteColumns, IntArray]:
    """One listener's votes; ``strengths``, shape (groups, models), Elo points; each text belongs to one group."""
    groups, models = strengths.shape
    a = rng.integers(0, models, votes)
    b = (a + rng.integers(1, models, votes)) % models
    text = rng.integers(0, texts, votes)
    group = text % groups
    lead = (strengths[group, a] - strengths[group, b]) / ELO_PER_LOGIT
    win, loss = np.exp(lead / 2), np.exp(-lead / 2)
    chance = rng.random(votes) * (win + loss + TIE)
    score = np.where(chance < win, 1.0, np.where(chance < win + loss, 0.0, 0.5))
    return VoteColumns(models, a, b, score, np.zeros(votes, np.int64), text), group


def shrunk(votes: VoteColumns, group: IntArray, groups: int) -> Shrunk:
    overall = rating_standings(votes, best=False)
    prompt = votes.prompt
    units = [np.arange(len(votes))] + ([] if prompt is None else [prompt])
    return shrink(votes, group, groups, overall, units)


def two_models(results: list[tuple[int, int]]) -> tuple[VoteColumns, IntArray]:
    """Groups of (wins, losses) of the first of two models."""
    score = np.concatenate([np.repeat([1.0, 0.0], pair) for pair in results])
    group = np.repeat(np.arange(len(results)), [sum(pair) for pair in results])
    size = len(score)
    zero, one = np.zeros(size, np.int64), np.ones(size, np.int64)
    return VoteColumns(2, zero, one, score, zero, np.arange(size)), group


def test_groups_with_one_result_show_the_overall_board() -> None:
    votes, group = two_models([(30, 20), (60, 40), (15, 10)])
    found, overall = shrunk(votes, group, 3), rating_standings(votes)
    assert found.spread == 0.0
    assert found.pull.tolist() == [1.0, 1.0, 1.0]
    assert found.chance is not None
    assert found.chance > 0.9
    whole = np.array([model.rating for model in overall.models], np.float64)
    np.testing.assert_allclose(found.rating, np.tile(whole, (3, 1)), atol=1e-9)
    # and their errors are those of the whole board, not of a third of the votes (the prior aside)
    assert overall.doubt is not None
    np.testing.assert_allclose(found.error, [overall.doubt.error] * 3, rtol=0.05)


def test_opposite_groups_are_told_apart_and_hardly_drawn() -> None:
    votes, group = two_models([(180, 20), (20, 180)])
    found = shrunk(votes, group, 2)
    assert found.chance is not None
    assert found.chance < 0.002
    assert found.spread > 150
    assert (found.pull < 0.1).all()
    lead = found.rating[:, 0] - found.rating[:, 1]
    np.testing.assert_allclose(lead, [1, -1] * np.abs(lead), atol=1e-6)
    assert 300 < lead[0] <= 400 * np.log10(180 / 20)


def test_a_dozen_votes_do_not_shout() -> None:
    votes, group = two_models([(200, 200), (190, 210), (205, 195), (12, 0)])
    found = shrunk(votes, group, 4)
    assert found.raw[3, 0] - found.raw[3, 1] > 200  # by itself it is a landslide
    assert abs(found.rating[3, 0] - found.rating[3, 1]) < 60
    assert found.pull[3] > 0.9


def test_a_small_group_is_told_from_a_large_one() -> None:
    """The large group made the overall board nearly alone: what its votes vary by is no doubt about the small one."""
    votes, group = two_models([(1000, 1000), (65, 35)])
    found = shrunk(votes, group, 2)
    assert found.chance is not None
    assert found.chance < 0.02
    assert found.rating[1, 0] - found.rating[1, 1] > 40


@given(st.lists(st.tuples(st.integers(1, 60), st.integers(1, 60)), min_size=2, max_size=5))
@settings(max_examples=30)
def test_with_two_models_a_group_lies_between_its_own_votes_and_the_whole(results: list[tuple[int, int]]) -> None:
    votes, group = two_models(results)
    found, overall = shrunk(votes, group, len(results)), rating_standings(votes)
    ratings = [model.rating or 0.0 for model in overall.models]
    whole = ratings[0] - ratings[1]
    for number, (wins, losses) in enumerate(results):
        own = 400 * np.log10(wins / losses)
        lead = found.rating[number, 0] - found.rating[number, 1]
        assert min(own, whole) - 1e-6 <= lead <= max(own, whole) + 1e-6
    assert ((found.pull >= 0) & (found.pull <= 1)).all()
    assert np.isfinite(found.error).all()


@given(st.permutations(range(4)), st.integers(0, 3))
@settings(max_examples=6)
def test_the_order_of_the_groups_and_of_the_votes_changes_nothing(order: list[int], seed: int) -> None:
    rng = np.random.default_rng(seed)
    votes, group = drawn(rng, rng.normal(0, 120, (4, 5)), 400, 40)
    before = shrunk(votes, group, 4)
    after = shrunk(votes, np.array(order)[group], 4)
    np.testing.assert_allclose(after.rating[order], before.rating, atol=1e-6)
    np.testing.assert_allclose(after.error[order], before.error, atol=1e-6)
    mixed = rng.permutation(len(votes))
    again = shrunk(votes.pick(mixed), group[mixed], 4)
    np.testing.assert_allclose(again.rating, before.rating, atol=1e-6)


def test_models_without_a_game_in_a_group_keep_their_overall_rating_there() -> None:
    rng = np.random.default_rng(3)
    votes, group = drawn(rng, np.array([[0, 100, 200, 0.0], [200, 0, 100, 0.0]]), 600, 30)
    kept = (group == 0) | ((votes.a != 3) & (votes.b != 3))
    votes, group = votes.pick(kept), group[kept]
    found, overall = shrunk(votes, group, 2), rating_standings(votes)
    assert found.spread > 0
    assert np.isnan(found.raw[1, 3])
    assert not np.isnan(found.raw[0, 3])
    assert abs(found.rating[1, 3] - (overall.models[3].rating or 0)) < 1e-9


def test_votes_in_no_group_count_in_the_whole_alone() -> None:
    votes, group = two_models([(30, 20), (20, 30), (500, 10)])
    group = np.where(group == 2, -1, group)
    found, overall = shrunk(votes, group, 2), rating_standings(votes)
    assert abs(found.raw[0, 0] + found.raw[0, 1] - 2000) < 1e-6
    assert found.rating[0, 0] > found.rating[1, 0]
    assert (found.rating[:, 0] < (overall.models[0].rating or 0) + 1e-6).all()


def test_nothing_to_compare() -> None:
    empty = np.zeros(0, np.int64)
    none = VoteColumns(3, empty, empty, np.zeros(0), empty)
    found = shrink(none, empty, 0, rating_standings(none), [])
    assert found.chance is None
    assert found.rating.shape == (0, 3)
    votes, group = two_models([(3, 1)])
    alone = shrunk(votes, group, 1)
    assert alone.chance is None
    assert alone.pull.tolist() == [1.0]


def test_one_text_a_group_can_not_be_told_from_its_group() -> None:
    """All that tells the groups apart may be the two texts."""
    votes, group = two_models([(90, 10), (10, 90)])
    votes = VoteColumns(2, votes.a, votes.b, votes.score, votes.listener, group)
    assert (shrunk(votes, group, 2).chance or 0.0) > 0.4


def test_alike_groups_are_called_different_in_about_one_of_twenty_panels() -> None:
    rng = np.random.default_rng(8)
    seen = []
    for _ in range(80):
        strengths = np.repeat(rng.normal(0, 100, (1, 5)), 4, axis=0)
        seen.append(shrunk(*drawn(rng, strengths, 200, 60), 4).chance)
    fired = np.mean(np.array(seen, np.float64) < 0.05)
    assert fired <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / 80)


def test_different_groups_are_found_and_brought_nearer_to_the_truth() -> None:
    rng = np.random.default_rng(9)
    inside, apart, errors = [], 0, []
    for _ in range(30):
        strengths = rng.normal(0, 100, (1, 5)) + rng.normal(0, 80, (4, 5))
        votes, group = drawn(rng, strengths, 800, 80)
        found, overall = shrunk(votes, group, 4), rating_standings(votes, best=False)
        truth = COMPRESSED * (strengths - strengths.mean(axis=1, keepdims=True)) + 1000
        inside.append(np.abs(found.rating - truth) <= 1.96 * found.error)
        apart += (found.chance or 1.0) < 0.05
        whole = np.array([model.rating for model in overall.models], np.float64)
        errors.append([np.square(each - truth).mean() for each in (found.rating, whole, found.raw)])
    assert apart >= 27
    drawn_error, whole_error, raw_error = np.mean(errors, axis=0)
    assert drawn_error < min(whole_error, raw_error)
    assert np.mean(inside) > 0.88
