"""Takes in the queue of plans: heard ones, planned ones and those that a prepared battle has count alike."""

import itertools
from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from arena_desktop.domain.prompts import Prompt, PromptDeck
from arena_desktop.domain.roster import ArenaSpec, ModelSpec, Voice
from arena_desktop.domain.takes import Reading
from arena_desktop.ratings.pairing import PairKnowledge
from arena_desktop.services.plan_queue import Context, Planned, PlanQueue

ARENA = ArenaSpec("english", ("x/a", "x/b", "x/c"))
MODELS = (
    ModelSpec("x/a", "a"),
    ModelSpec("x/b", "b", voices=(Voice("one"), Voice("two"))),
    ModelSpec("x/c", "c"),
)
PROMPTS = [Prompt(f"p{n}", f"Text {n}.", "short", "en", "0" * 64) for n in range(2)]
TAKES = {"x/a": 3, "x/b": 2}
EVEN = PairKnowledge(ARENA.models, np.full(3, 1000.0), 50.0 * (1 - np.eye(3)), 10 * (1 - np.eye(3)))
STEPS = st.lists(st.sampled_from(["play", "fix", "renew", "restart"]), max_size=60)
HEARD = st.dictionaries(
    st.tuples(st.just("x/a"), st.none(), st.sampled_from(["p0", "p1"]), st.integers(0, 2)), st.integers(1, 3)
)


@given(STEPS, HEARD, st.integers(0, 10**6))
def test_no_take_plays_again_while_another_is_unheard(steps: list[str], heard: dict[Reading, int], run: int) -> None:
    seeds = (f"{run} {number}" for number in itertools.count())
    heard_so_far = Counter(heard)  # what the log knows: every battle that is played is voted on

    def queue(fixed: tuple[Planned, ...] = ()) -> PlanQueue:
        context = Context(ARENA, MODELS, PromptDeck(PROMPTS), -23.0, "rank-gain", takes=TAKES, heard=dict(heard_so_far))
        return PlanQueue(context, lambda: next(seeds), fixed)

    plans = queue()
    for number, step in enumerate(steps):
        if step == "fix":
            plans.fix()
        elif step == "renew":
            plans.renew(EVEN if number % 2 else None, frozenset())
        elif step == "restart":
            plans = queue(plans.fixed)
        else:
            for repo_id, voice, prompt_id, take in plans.next().readings:
                others = [heard_so_far[repo_id, voice, prompt_id, other] for other in range(TAKES.get(repo_id, 1))]
                if 0 in others:
                    assert heard_so_far[repo_id, voice, prompt_id, take] == 0
                heard_so_far[repo_id, voice, prompt_id, take] += 1


def test_what_is_drawn_anew_from_the_same_knowledge_is_the_same() -> None:
    plans = PlanQueue(Context(ARENA, MODELS, PromptDeck(PROMPTS), -23.0, "rank-gain", takes=TAKES))
    plans.fix()
    plans.renew(EVEN, frozenset())
    before = plans.waiting()
    plans.renew(None, frozenset())
    plans.renew(EVEN, frozenset())
    assert plans.waiting() == before


def test_takes_of_battles_prepared_before_count() -> None:
    def queue(fixed: tuple[Planned, ...] = ()) -> PlanQueue:
        context = Context(ARENA, MODELS[:1] + MODELS[2:], PromptDeck(PROMPTS[:1]), -23.0, takes=TAKES)
        return PlanQueue(context, lambda: next(seeds), fixed)

    seeds = (f"seed {number}" for number in itertools.count())
    for _ in range(10):
        first = queue()
        kept = (first.fix(), first.fix())
        again = queue(kept)
        takes = [take for _ in range(3) for repo_id, *_, take in again.next().readings if repo_id == "x/a"]
        assert sorted(takes) == [0, 1, 2]
