"""Battles prepared ahead: failures are replaced and counted, hopeless models rest, changes drop what was prepared."""

import time
from collections.abc import Iterator

import numpy as np
import pytest

from arena_desktop.domain.planning import draw_plan
from arena_desktop.domain.prompts import Prompt, PromptDeck
from arena_desktop.domain.roster import ArenaSpec, ModelSpec
from arena_desktop.errors import ArenaError
from arena_desktop.ratings.pairing import PairKnowledge, pair_chances
from arena_desktop.services.battle_maker import PreparedBattle
from arena_desktop.services.plan_queue import PLANNED, Context
from arena_desktop.services.preparation import AHEAD
from tests.helpers.preparing import ARENA, MODELS, PROMPTS, Bench


@pytest.fixture
def bench() -> Iterator[Bench]:
    bench = Bench()
    yield bench
    bench.speakers.gate.set()
    bench.preparer.close()


def test_two_battles_are_kept_ready_and_refilled(bench: Bench) -> None:
    bench.use()
    bench.until(lambda: bench.ready == AHEAD)
    first = bench.preparer.take()
    assert first is not None
    assert first.plan.a.repo_id != first.plan.b.repo_id
    assert len(first.pair.a) > 0
    bench.until(lambda: bench.ready == AHEAD + 1)
    assert bench.preparer.take() is not None
    assert bench.preparer.take() is not None


def test_a_failing_model_is_replaced_counted_and_then_rests(bench: Bench) -> None:
    bench.speakers.broken = {"x/a"}
    bench.use()
    for _ in range(20):
        bench.until(lambda: (battle := bench.preparer.take()) and battle)
    assert {failure.repo_id for failure in bench.failures} == {"x/a"}
    assert len(bench.failures) == 3
    assert bench.stuck == []


def test_when_too_few_can_speak_it_says_so_without_naming_one(bench: Bench) -> None:
    bench.speakers.broken = {"x/a", "x/b"}
    bench.use()
    bench.until(lambda: bench.stuck)
    words = str(bench.stuck[0])
    assert "Models page" in words
    assert not any(repo_id in words for repo_id in ARENA.models)
    asked = len(bench.speakers.asked)
    time.sleep(0.05)
    assert len(bench.speakers.asked) == asked, "it goes on trying what can't work"
    bench.speakers.broken = set()
    bench.use()
    bench.until(bench.preparer.take)


def test_a_full_disk_is_said_at_once_and_battles_go_on_when_there_is_room(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena_desktop.services.preparation.RETRY_S", 0.05)
    bench.speakers.broken = set(ARENA.models)
    bench.full = ArenaError("The disk is full.")
    bench.use()
    bench.until(lambda: bench.stuck)
    assert {str(error) for error in bench.stuck} == {"The disk is full."}
    assert len(bench.failures) == 1
    bench.speakers.broken = set()
    bench.full = None
    bench.until(bench.preparer.take)


def test_what_was_prepared_for_other_choices_is_dropped(bench: Bench) -> None:
    bench.use()
    bench.until(lambda: bench.ready == AHEAD)
    bench.speakers.gate.clear()
    bench.use(MODELS[:2])
    assert bench.preparer.take() is None
    bench.speakers.gate.set()
    bench.until(
        lambda: (battle := bench.preparer.take()) and {battle.plan.a.repo_id, battle.plan.b.repo_id} == {"x/a", "x/b"}
    )


def test_with_nothing_to_draw_from_nothing_is_spoken(bench: Bench) -> None:
    bench.use()
    bench.until(lambda: bench.ready == AHEAD)
    bench.preparer.use(None)
    asked = len(bench.speakers.asked)
    time.sleep(0.05)
    assert bench.preparer.take() is None
    assert len(bench.speakers.asked) == asked


def known(bonus: float = 0.0) -> PairKnowledge:
    """x/a and x/b are close, x/c is far off."""
    games = 20.0 * (1 - np.eye(3))
    return PairKnowledge(ARENA.models, np.array([1000.0, 1005.0 + bonus, 1500.0]), 50.0 * (1 - np.eye(3)), games)


def sequence(battles: list[PreparedBattle]) -> list[tuple[str, str, str]]:
    return [(battle.plan.seed, battle.plan.a.repo_id, battle.plan.b.repo_id) for battle in battles]


@pytest.mark.parametrize("slow", [{}, {"x/a": 0.03}, {"x/b": 0.02, "x/c": 0.02}], ids=["quick", "one", "two"])
def test_how_slow_a_model_speaks_never_decides_who_plays(bench: Bench, slow: dict[str, float]) -> None:
    bench.speakers.slow = slow
    bench.use()
    played = bench.battles(40)
    expected = []
    for number in range(40):
        plan = draw_plan(ARENA, MODELS, "p", f"seed {number}", policy="uniform", chances=[1 / 3] * 3)
        expected.append((plan.seed, plan.a.repo_id, plan.b.repo_id))
    assert sequence(played) == expected
    assert {battle.plan.probability for battle in played} == {1 / 3}


def test_plans_are_drawn_before_anything_is_spoken(bench: Bench) -> None:
    drawn: list[str] = []

    class CountingDeck(PromptDeck):
        def draw(self, seed: str) -> Prompt:
            assert len(drawn) > PLANNED or not bench.speakers.asked
            drawn.append(seed)
            return super().draw(seed)

    bench.speakers.gate.clear()
    bench.preparer.use(Context(ARENA, MODELS, CountingDeck(PROMPTS), -23.0))
    bench.until(lambda: len(drawn) > PLANNED)
    bench.speakers.gate.set()
    bench.battles(3)


def test_what_the_votes_say_changes_the_plans_that_wait_but_not_their_seeds(bench: Bench) -> None:
    bench.use(policy="rank-gain")
    bench.until(lambda: bench.ready == AHEAD)
    bench.preparer.know("english", known())
    battles = bench.battles(30)
    assert [battle.plan.seed for battle in battles] == [f"seed {number}" for number in range(30)]
    assert {battle.plan.policy for battle in battles[:AHEAD]} == {"uniform"}
    later = battles[AHEAD + 1 :]
    assert {battle.plan.policy for battle in later} == {"rank-gain"}
    chances = dict(zip(("ab", "ac", "bc"), pair_chances("rank-gain", known()), strict=True))
    for battle in later:
        pair = "".join(sorted(battle.plan.a.repo_id[-1] + battle.plan.b.repo_id[-1]))
        assert battle.plan.probability == pytest.approx(chances[pair], rel=1e-12)
    assert sum({battle.plan.a.repo_id, battle.plan.b.repo_id} == {"x/a", "x/b"} for battle in later) > len(later) / 2


def test_news_of_another_arena_changes_nothing_here(bench: Bench) -> None:
    bench.preparer.know("german", known())
    bench.use(policy="rank-gain")
    assert {battle.plan.policy for battle in bench.battles(5)} == {"uniform"}


def test_a_failing_model_leaves_the_others_their_exact_chances(bench: Bench) -> None:
    bench.preparer.know("english", known())
    bench.speakers.broken = {"x/b"}
    bench.use(policy="rank-gain")
    battles = bench.battles(12)
    assert len(bench.failures) == 3
    assert all({battle.plan.a.repo_id, battle.plan.b.repo_id} == {"x/a", "x/c"} for battle in battles)
    assert battles[-1].plan.probability == 1.0


def test_a_model_only_meets_texts_in_a_language_it_speaks(bench: Bench) -> None:
    anywhere = ArenaSpec("world", ("x/en", "x/de", "x/both", "x/any"))
    spoken = {"x/en": ("en",), "x/de": ("de",), "x/both": ("en-GB", "de"), "x/any": ()}
    models = tuple(ModelSpec(repo_id, repo_id, language=language) for repo_id, language in spoken.items())
    texts = [Prompt(f"p{n}", f"Text {n}.", "short", ("en-US", "de", "fr")[n % 3], "0" * 64) for n in range(9)]
    bench.preparer.use(Context(anywhere, models, PromptDeck(texts), -23.0))
    seen = set()
    for battle in bench.battles(40):
        assert battle.prompt.language != "fr", "one voice alone may speak it"
        base = battle.prompt.language.split("-")[0]
        pair = {battle.plan.a.repo_id, battle.plan.b.repo_id}
        assert ("x/de" if base == "en" else "x/en") not in pair
        assert battle.plan.probability == 1 / 3
        seen.add((base, frozenset(pair)))
    assert len(seen) == 6


def test_an_engine_that_has_only_some_texts_meets_only_those(bench: Bench) -> None:
    context = Context(
        ARENA,
        MODELS,
        PromptDeck(PROMPTS),
        -23.0,
        fits=lambda model, prompt: model.repo_id != "x/a" or prompt.id == "p3",
    )
    bench.preparer.use(context)
    battles = bench.battles(30)
    assert {battle.prompt.id for battle in battles if "x/a" in (battle.plan.a.repo_id, battle.plan.b.repo_id)} == {"p3"}


def test_texts_that_nobody_speaks_are_said_to_be_the_reason(bench: Bench) -> None:
    bench.preparer.use(Context(ARENA, MODELS, PromptDeck(PROMPTS), -23.0, fits=lambda model, prompt: False))
    bench.until(lambda: bench.stuck)
    assert "No text was found" in str(bench.stuck[0])
    assert bench.speakers.asked == []
