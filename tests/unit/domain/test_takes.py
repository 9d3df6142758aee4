"""Takes: up to three readings of a text by a model that samples, none again while another is unheard."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from arena_desktop.domain.battle import Plan
from arena_desktop.domain.planning import draw_plan
from arena_desktop.domain.roster import ArenaSpec, ModelSpec, Voice
from arena_desktop.domain.takes import Reading, Takes

ARENA = ArenaSpec("english", ("x/samples", "x/steady", "x/voices"))
MODELS = [
    ModelSpec("x/samples", "samples"),
    ModelSpec("x/steady", "steady"),
    ModelSpec("x/voices", "voices", voices=(Voice("one"), Voice("two"))),
]
OF = {"x/samples": 3, "x/voices": 2}


def plan(seed: str, prompt: str, heard: Counter[Reading], of: dict[str, int] = OF) -> Plan:
    return draw_plan(ARENA, MODELS, prompt, seed, policy="uniform", chances=[1 / 3] * 3, takes=Takes(of, heard))


def readings(one: Plan) -> list[Reading]:
    return [(side.repo_id, side.voice, one.prompt_id, side.take) for side in (one.a, one.b)]


@given(st.lists(st.sampled_from(["p", "q", "r"]), max_size=60), st.integers(0, 10**9))
def test_no_take_comes_again_while_another_is_unheard(prompts: list[str], seed: int) -> None:
    heard: Counter[Reading] = Counter()
    for number, prompt in enumerate(prompts):
        for repo_id, voice, prompt_id, take in readings(plan(f"{seed} {number}", prompt, heard)):
            takes = [heard[repo_id, voice, prompt_id, other] for other in range(OF.get(repo_id, 1))]
            assert heard[repo_id, voice, prompt_id, take] == min(takes)
            heard[repo_id, voice, prompt_id, take] += 1


@given(st.integers(0, 10**9))
def test_takes_change_neither_the_pair_nor_the_sides_nor_the_voices_of_models_without(seed: int) -> None:
    plain, with_takes = plan(str(seed), "p", Counter(), {}), plan(str(seed), "p", Counter())
    assert (plain.a.repo_id, plain.b.repo_id, plain.first) == (
        with_takes.a.repo_id,
        with_takes.b.repo_id,
        with_takes.first,
    )
    assert {side.take for side in (plain.a, plain.b)} == {0}


def test_every_take_comes_up_as_often_as_the_next() -> None:
    seen: Counter[int] = Counter()
    for number in range(3_000):
        seen.update(
            take for repo_id, _, _, take in readings(plan(str(number), "p", Counter())) if repo_id == "x/samples"
        )
    assert set(seen) == {0, 1, 2}
    assert max(seen.values()) - min(seen.values()) < 150


def test_the_same_seed_chances_and_heard_takes_draw_the_same_battle() -> None:
    heard: Counter[Reading] = Counter({("x/samples", None, "p", 1): 1})
    assert all(plan(str(n), "p", heard) == plan(str(n), "p", Counter(heard)) for n in range(50))
