"""The draw: true to the chances it is given, fair in sides and order, and reproducible from its seed."""

import math
from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena_desktop.domain.battle import Plan
from arena_desktop.domain.planning import can_speak, draw_plan, eligible
from arena_desktop.domain.prompts import Prompt
from arena_desktop.domain.roster import ArenaSpec, ModelSpec, Voice

ARENA = ArenaSpec("english", ("x/a", "x/b", "x/c", "x/d"), language="en")
MODELS = [ModelSpec(repo_id, repo_id, language=("en-GB",)) for repo_id in ARENA.models]
EVEN = [1 / 6] * 6
UNEVEN = [0.05, 0.3, 0.0, 0.4, 0.05, 0.2]


def plan(seed: str, chances: list[float] = EVEN, models: list[ModelSpec] = MODELS) -> Plan:
    return draw_plan(ARENA, models, "p", seed, policy="some", chances=chances)


def chi_square(seen: Counter[tuple[str, str, str]], expected: dict[tuple[str, str, str], float], draws: int) -> float:
    assert set(seen) <= {key for key, chance in expected.items() if chance > 0}
    return sum((seen[key] - draws * chance) ** 2 / (draws * chance) for key, chance in expected.items() if chance > 0)


def prompt(language: str) -> Prompt:
    return Prompt("p", "Text.", "short", language, "0" * 64)


def test_the_same_seed_and_chances_draw_the_same_battle() -> None:
    assert plan("42") == plan("42")
    assert len({(one.a.repo_id, one.b.repo_id, one.first) for one in map(plan, map(str, range(200)))}) == 24


@pytest.mark.parametrize("chances", [EVEN, UNEVEN], ids=["even", "uneven"])
def test_draws_match_the_chances_in_pairs_sides_and_order(chances: list[float]) -> None:
    draws = 12_000
    plans = [plan(f"seed {n}", chances) for n in range(draws)]
    expected = {
        (sides[0], sides[1], first): chance / 4
        for pair, chance in zip(combinations(ARENA.models, 2), chances, strict=True)
        for sides in (pair, pair[::-1])
        for first in "ab"
    }
    seen = Counter((one.a.repo_id, one.b.repo_id, str(one.first)) for one in plans)
    # Chi-square with 23 (19) degrees of freedom: 49.7 is passed by chance once in a thousand; the seeds are fixed.
    assert chi_square(seen, expected, draws) < 49.7


def test_the_chance_of_the_pair_drawn_is_kept() -> None:
    by_pair = dict(zip(map(frozenset, combinations(ARENA.models, 2)), UNEVEN, strict=True))
    for n in range(300):
        one = plan(str(n), [2 * chance for chance in UNEVEN])
        assert one.policy == "some"
        assert one.probability == pytest.approx(by_pair[frozenset((one.a.repo_id, one.b.repo_id))], rel=1e-15)


@given(st.lists(st.floats(0, 1e9), min_size=6, max_size=6).filter(any), st.text(max_size=8))
def test_a_pair_without_a_chance_never_meets(chances: list[float], seed: str) -> None:
    one = plan(seed, chances)
    pair = frozenset((one.a.repo_id, one.b.repo_id))
    assert len(pair) == 2
    own = dict(zip(map(frozenset, combinations(ARENA.models, 2)), chances, strict=True))[pair]
    assert own > 0
    assert one.probability == own / math.fsum(chances)


def test_one_of_several_voices_is_drawn() -> None:
    models = [ModelSpec("x/a", "a", voices=(Voice("one"), Voice("two"))), ModelSpec("x/b", "b")]
    seen = set()
    for n in range(50):
        one = plan(str(n), [1.0], models)
        seen.add((one.a if one.a.repo_id == "x/a" else one.b).voice)
        assert (one.b if one.a.repo_id == "x/a" else one.a).voice is None
    assert seen == {"one", "two"}


def test_only_members_that_speak_the_language_are_eligible() -> None:
    german = ModelSpec("x/a", "a", language=("de",))
    silent_about_it = ModelSpec("x/b", "b")
    stranger = ModelSpec("y/z", "z", language=("en",))
    assert eligible(ARENA, [german, silent_about_it, stranger, MODELS[2]]) == [silent_about_it, MODELS[2]]


def test_a_text_is_only_put_before_who_speaks_its_language() -> None:
    german, english = ModelSpec("x/a", "a", language=("de-AT",)), ModelSpec("x/b", "b", language=("fr", "en-US"))
    anything = ModelSpec("x/c", "c")
    assert [can_speak(model, prompt("EN-gb")) for model in (german, english, anything)] == [False, True, True]
    assert all(can_speak(model, prompt("")) for model in (german, english, anything))


@pytest.mark.parametrize("chances", [[], [1.0] * 5, [0.0] * 6, [-1.0, *[1.0] * 5], [math.nan] * 6, [math.inf] * 6])
def test_chances_that_are_none_are_refused(chances: list[float]) -> None:
    with pytest.raises(ValueError, match="a chance for each pair"):
        plan("1", chances)


def test_two_models_are_needed() -> None:
    with pytest.raises(ValueError, match="two models"):
        plan("1", [], MODELS[:1])
