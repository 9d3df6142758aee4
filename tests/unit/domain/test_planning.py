"""The draw: fair in models, sides and order, and reproducible from its seed."""

from collections import Counter

import pytest

from arena_desktop.domain.planning import draw_plan, eligible
from arena_desktop.domain.roster import ArenaSpec, ModelSpec, Voice

ARENA = ArenaSpec("english", ("x/a", "x/b", "x/c", "x/d"), language="en")
MODELS = [ModelSpec(repo_id, repo_id, language=("en-GB",)) for repo_id in ARENA.models]


def plans(count: int = 6000) -> list[tuple[str, str, str]]:
    drawn = [draw_plan(ARENA, MODELS, "p", f"seed {n}") for n in range(count)]
    return [(plan.a.repo_id, plan.b.repo_id, str(plan.first)) for plan in drawn]


def test_the_same_seed_draws_the_same_battle() -> None:
    assert draw_plan(ARENA, MODELS, "p", "42") == draw_plan(ARENA, MODELS, "p", "42")


def test_every_ordered_pair_and_each_first_side_comes_up_alike() -> None:
    counts = Counter(plans())
    assert len(counts) == 4 * 3 * 2
    expected = 6000 / 24
    # chi-square with 23 degrees of freedom: 49.7 is passed by chance once in a thousand; the seeds are fixed
    assert sum((count - expected) ** 2 / expected for count in counts.values()) < 49.7


def test_a_model_never_meets_itself_and_the_probability_is_of_the_pair() -> None:
    assert all(a != b for a, b, _ in plans(500))
    assert draw_plan(ARENA, MODELS, "p", "1").probability == pytest.approx(1 / 6)


def test_one_of_several_voices_is_drawn() -> None:
    models = [ModelSpec("x/a", "a", voices=(Voice("one"), Voice("two"))), ModelSpec("x/b", "b")]
    seen = set()
    for n in range(50):
        plan = draw_plan(ARENA, models, "p", str(n))
        seen.add((plan.a if plan.a.repo_id == "x/a" else plan.b).voice)
        assert (plan.b if plan.a.repo_id == "x/a" else plan.a).voice is None
    assert seen == {"one", "two"}


def test_only_members_that_speak_the_language_are_eligible() -> None:
    german = ModelSpec("x/a", "a", language=("de",))
    silent_about_it = ModelSpec("x/b", "b")
    stranger = ModelSpec("y/z", "z", language=("en",))
    assert eligible(ARENA, [german, silent_about_it, stranger, MODELS[2]]) == [silent_about_it, MODELS[2]]


def test_two_models_are_needed() -> None:
    with pytest.raises(ValueError, match="two models"):
        draw_plan(ARENA, MODELS[:1], "p", "1")
