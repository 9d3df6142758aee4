"""Voices that may meet: of one clip in a cloned arena, alike in what the arena matches, and pairs drawn as stored."""

import math
from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena_desktop.domain.like_voices import left_alone, pairings, voice_pairs, why_none
from arena_desktop.domain.planning import draw_plan, eligible
from arena_desktop.domain.prompts import Prompt
from arena_desktop.domain.roster import ArenaSpec, ModelSpec, Voice
from arena_desktop.services.pair_choice import chances_of
from arena_desktop.services.plan_queue import Context, PlanQueue

GENDERS = st.sampled_from([None, "female", "Female", "male"])
ACCENTS = st.sampled_from([None, "Irish", "Scottish"])
CLIPS = st.sampled_from([None, "1" * 64, "2" * 64])


@st.composite
def models(draw: st.DrawFn) -> list[ModelSpec]:
    found = []
    for number in range(draw(st.integers(2, 5))):
        voices = tuple(
            Voice(f"v{place}", audio=draw(st.sampled_from([None, "a.wav"])), gender=draw(GENDERS), accent=draw(ACCENTS))
            for place in range(draw(st.integers(0, 3)))
        )
        with_clips = tuple(
            Voice(v.id, v.audio, None, v.gender, v.accent, draw(CLIPS) if v.audio else None) for v in voices
        )
        found.append(ModelSpec(f"x/m{number}", f"m{number}", voices=with_clips))
    return found


ARENAS = st.builds(
    ArenaSpec,
    id=st.just("arena"),
    models=st.just(tuple(f"x/m{number}" for number in range(5))),
    kind=st.sampled_from(["preset", "cloned"]),
    match=st.sampled_from([(), ("gender",), ("accent",), ("gender", "accent")]),
)


def voice_of(found: list[ModelSpec], repo_id: str, voice: str | None) -> Voice | None:
    model = next(model for model in found if model.repo_id == repo_id)
    return next((one for one in model.voices if one.id == voice), None)


@given(found=models(), arena=ARENAS, seed=st.text("0123456789abcdef", min_size=1, max_size=8))
def test_a_battle_keeps_the_arenas_rule_and_stores_its_chance(
    found: list[ModelSpec], arena: ArenaSpec, seed: str
) -> None:
    playing = eligible(arena, found)
    may_meet = pairings(arena, playing)
    if not any(may_meet):
        assert len(playing) < 2 or left_alone(arena, playing) == playing
        assert len(playing) < 2 or why_none(arena)[0]
        return
    policy, chances = chances_of("uniform", None, playing, "p", may_meet)
    assert math.isclose(math.fsum(chances), 1)
    assert [chance > 0 for chance in chances] == may_meet
    plan = draw_plan(arena, playing, "p", seed, policy=policy, chances=chances)
    a, b = (voice_of(found, side.repo_id, side.voice) for side in (plan.a, plan.b))
    if arena.kind == "cloned":
        assert a is not None
        assert b is not None
        assert a.clip == b.clip is not None
    else:
        assert not any(voice is not None and voice.audio for voice in (a, b))
    for name in arena.match:
        mine, yours = getattr(a, name), getattr(b, name)
        assert mine.casefold() == yours.casefold()
    assert math.isclose(plan.probability, 1 / sum(may_meet))


def test_pairs_come_as_often_as_stored_and_voices_evenly_among_those_that_fit() -> None:
    arena = ArenaSpec("like", ("x/a", "x/b", "x/c"), match=("gender",))
    found = [
        ModelSpec("x/a", "a", voices=(Voice("f", gender="female"), Voice("m", gender="male"))),
        ModelSpec("x/b", "b", voices=(Voice("f", gender="female"), Voice("g", gender="female"))),
        ModelSpec("x/c", "c", voices=(Voice("m", gender="male"),)),
    ]
    may_meet = pairings(arena, found)
    assert may_meet == [True, True, False]  # b has no man's voice, c no other
    policy, chances = chances_of("uniform", None, found, "p", may_meet)
    draws = 4_000
    seen: Counter[frozenset[tuple[str, str | None]]] = Counter()
    sides = 0
    for number in range(draws):
        plan = draw_plan(arena, found, "p", f"seed {number}", policy=policy, chances=chances)
        assert plan.probability == 0.5
        seen[frozenset({(plan.a.repo_id, plan.a.voice), (plan.b.repo_id, plan.b.voice)})] += 1
        sides += plan.a.repo_id == "x/a"
    expected = {
        frozenset({("x/a", "f"), ("x/b", "f")}): 0.25,
        frozenset({("x/a", "f"), ("x/b", "g")}): 0.25,
        frozenset({("x/a", "m"), ("x/c", "m")}): 0.5,
    }
    assert set(seen) == set(expected)
    for pair, share in expected.items():
        assert abs(seen[pair] / draws - share) < 4 * math.sqrt(share * (1 - share) / draws)
    assert abs(sides / draws - 0.5) < 4 * 0.5 / math.sqrt(draws)


def test_a_pair_that_may_not_meet_cant_be_drawn() -> None:
    arena = ArenaSpec("cloned", ("x/a", "x/b"), kind="cloned")
    found = [
        ModelSpec("x/a", "a", voices=(Voice("v", "one.wav", clip="1" * 64),)),
        ModelSpec("x/b", "b", voices=(Voice("v", "one.wav", clip="2" * 64),)),
    ]
    assert voice_pairs(arena, *found) == []
    with pytest.raises(ValueError, match="no voices that may meet"):
        draw_plan(arena, found, "p", "1", policy="uniform", chances=[1.0])


class Deck:
    def draw(self, seed: str) -> Prompt:
        return Prompt(f"p{seed}", "Text.", "short", "en", "0" * 64)

    def count_as_used(self, prompt_ids: object) -> None:
        pass


def test_the_queue_never_plans_a_pair_without_a_common_clip() -> None:
    arena = ArenaSpec("cloned", ("x/a", "x/b", "x/c", "x/d"), kind="cloned")
    clips = {"x/a": "1", "x/b": "1", "x/c": "2", "x/d": "2"}
    found = tuple(ModelSpec(i, i, voices=(Voice("v", "c.wav", clip=clip * 64),)) for i, clip in clips.items())
    seeds = iter(map(str, range(10_000)))
    queue = PlanQueue(Context(arena, found, Deck(), -23.0), lambda: next(seeds))
    met = {frozenset({(p := queue.next().plan).a.repo_id, p.b.repo_id}) for _ in range(60)}
    assert met == {frozenset(pair) for pair in combinations(clips, 2) if clips[pair[0]] == clips[pair[1]]}
