"""Many battles prepared at once: model by model, in the order drawn, kept sealed for the next start, never silently
stale.
"""

import itertools
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena_desktop.domain.planning import draw_plan
from arena_desktop.domain.prompts import Prompt
from arena_desktop.errors import ArenaError
from arena_desktop.ratings.pairing import PairKnowledge
from arena_desktop.services.batch import Batch
from arena_desktop.services.plan_queue import FRESH_VOTES, Planned
from arena_desktop.services.plan_shelf import PlanShelf
from arena_desktop.services.preparation import AHEAD
from arena_desktop.store.plan_files import PlanFiles
from tests.helpers.preparing import ARENA, MODELS, PROMPTS, Bench, Speakers

MakeBench = Callable[..., Bench]
KEY = "the key of the roster, the texts and all that"


@pytest.fixture
def make(tmp_path: Path) -> Iterator[MakeBench]:
    """Makes benches over one folder of prepared battles, as one start of the program after another."""
    benches: list[Bench] = []

    def bench(speakers: Speakers | None = None, secret: bytes = b"secret", **options: int) -> Bench:
        for before in benches:
            before.close()
        speakers = speakers or Speakers()
        shelf = PlanShelf(PlanFiles(tmp_path / "prepared", lambda: secret), speakers)
        benches.append(Bench(speakers, shelf, seed=f"start {len(benches)}", **options))
        return benches[-1]

    yield bench
    for one in benches:
        one.close()


def runs(models: list[str]) -> list[str]:
    return [repo_id for repo_id, _ in itertools.groupby(models)]


def pairs(seeds: list[str]) -> list[tuple[str, str, str]]:
    plans = [draw_plan(ARENA, MODELS, "p", seed, policy="uniform", chances=[1 / 3] * 3) for seed in seeds]
    return [(plan.seed, plan.a.repo_id, plan.b.repo_id) for plan in plans]


def played(bench: Bench, count: int) -> list[tuple[str, str, str]]:
    return [(one.plan.seed, one.plan.a.repo_id, one.plan.b.repo_id) for one in bench.battles(count)]


def known(votes: int) -> PairKnowledge:
    games = votes / 3 * (1 - np.eye(3))
    return PairKnowledge(ARENA.models, np.array([1000.0, 1005.0, 1500.0]), 50.0 * (1 - np.eye(3)), games)


def test_each_model_is_asked_once_for_all_its_clips(make: MakeBench) -> None:
    bench = make(ahead=0)
    bench.use(key=KEY)
    stocked = bench.prepare(20)
    assert (stocked.battles, stocked.done) == (20, stocked.total)
    assert len(runs(bench.speakers.asked)) == len(MODELS)
    assert bench.speakers.kept == bench.speakers.there


@pytest.mark.parametrize("slow", [{}, {"x/a": 0.02}, {"x/b": 0.01, "x/c": 0.01}], ids=["quick", "one", "two"])
def test_prepared_battles_are_played_in_the_order_drawn_whoever_is_slow(
    make: MakeBench, slow: dict[str, float]
) -> None:
    bench = make()
    bench.speakers.slow = slow
    bench.use(key=KEY)
    bench.prepare(12)
    asked = len(bench.speakers.asked)
    seeds = [f"start 0 {number}" for number in range(12)]
    assert played(bench, 12) == pairs(seeds)
    assert len(bench.speakers.asked) - asked <= 2 * AHEAD, "only for the battles after them"


def test_the_next_battle_goes_before_the_others(make: MakeBench) -> None:
    bench = make()
    bench.speakers.slow = dict.fromkeys(ARENA.models, 0.01)
    bench.use(key=KEY, texts=60)
    bench.until(lambda: bench.ready == AHEAD)
    bench.speakers.gate.clear()
    bench.speakers.asked.clear()
    bench.preparer.prepare(30)
    bench.until(lambda: bench.speakers.asked)  # one clip of the thirty battles is in the making
    assert bench.preparer.take()
    assert bench.preparer.take()
    bench.speakers.gate.set()
    assert played(bench, AHEAD) == pairs([f"start 0 {number}" for number in range(AHEAD, 2 * AHEAD)])
    assert len(bench.speakers.asked) < 25, "they have waited for the sixty clips"


def test_they_wait_for_the_next_start_and_need_no_speaking(make: MakeBench) -> None:
    first = make()
    first.use(key=KEY)
    first.prepare(8)
    opened = played(first, 3)
    second = make(first.speakers)
    first.speakers.asked.clear()
    second.speakers.broken = set(ARENA.models)
    second.use(key=KEY)
    second.until(lambda: second.stocked and second.stocked[-1].battles == 5 and second.ready == AHEAD)
    assert opened + played(second, 5) == pairs([f"start 0 {number}" for number in range(8)])


def test_an_end_in_the_midst_of_a_clip_costs_no_battle(make: MakeBench) -> None:
    first = make()
    first.use(key=KEY)
    first.until(lambda: first.ready == AHEAD)
    first.speakers.gate.clear()
    first.speakers.asked.clear()
    first.preparer.prepare(10)
    first.until(lambda: first.speakers.asked)
    first.speakers.cancelled = True
    first.close()
    first.speakers.cancelled = False
    second = make(first.speakers)
    second.use(key=KEY)
    assert played(second, 10) == pairs([f"start 0 {number}" for number in range(AHEAD, AHEAD + 10)])


def test_an_end_while_the_next_battle_is_spoken_costs_none_either(make: MakeBench) -> None:
    first = make()
    first.use(key=KEY)
    first.until(lambda: first.ready == AHEAD)
    first.speakers.gate.clear()
    first.speakers.asked.clear()
    first.preparer.prepare(6)
    first.until(lambda: first.speakers.asked)
    first.preparer.stop_preparing()
    assert first.preparer.take()
    first.speakers.gate.set()
    first.until(lambda: first.ready == AHEAD + 1)
    first.speakers.gate.clear()
    first.speakers.there.clear()
    first.speakers.asked.clear()
    assert first.preparer.take()
    first.until(lambda: first.speakers.asked)  # a battle of the six that was not spoken yet
    first.speakers.cancelled = True
    first.close()
    first.speakers.cancelled = False
    second = make(first.speakers)
    second.use(key=KEY)
    assert played(second, 6) == pairs([f"start 0 {number}" for number in range(AHEAD, AHEAD + 6)])


def test_stopping_keeps_what_was_drawn_so_that_no_slow_model_plays_less(make: MakeBench) -> None:
    bench = make()
    bench.speakers.slow = {"x/a": 0.02}
    bench.use(key=KEY)
    bench.until(lambda: bench.ready == AHEAD)
    bench.preparer.prepare(30)
    bench.until(lambda: bench.stocked[-1].running and bench.stocked[-1].done > 2)
    bench.preparer.stop_preparing()
    bench.until(lambda: not bench.stocked[-1].running)
    assert bench.stocked[-1].done < bench.stocked[-1].total
    assert played(bench, 20) == pairs([f"start 0 {number}" for number in range(20)])


def test_models_that_are_checked_again_meanwhile_do_not_end_it(make: MakeBench) -> None:
    bench = make(ahead=0)
    bench.speakers.slow = dict.fromkeys(ARENA.models, 0.01)
    bench.use(key=KEY)
    bench.preparer.prepare(12)
    bench.until(lambda: bench.stocked and bench.stocked[-1].running and bench.stocked[-1].done > 2)
    bench.use(key=KEY)
    bench.until(lambda: bench.stocked[-1].battles == 12 and not bench.stocked[-1].running)


def test_a_model_that_fails_is_replaced_and_as_many_wait_in_the_end(make: MakeBench) -> None:
    bench = make(ahead=0)
    bench.speakers.broken = {"x/b"}
    bench.use(key=KEY)
    assert bench.prepare(10).battles == 10
    assert {failure.repo_id for failure in bench.failures} == {"x/b"}
    assert len(bench.failures) == 3, "it rests after three"


def test_when_nothing_can_be_spoken_it_stops_and_says_so(make: MakeBench) -> None:
    bench = make(ahead=0)
    bench.speakers.broken = set(ARENA.models)
    bench.use(key=KEY)
    note = bench.prepare(10).note
    assert "6 clips in a row could not be spoken" in note
    assert not any(repo_id in note for repo_id in ARENA.models)
    assert len(bench.speakers.asked) == 6


def test_room_on_the_disk_and_in_the_cache_is_looked_at_first(make: MakeBench) -> None:
    bench = make(ahead=0)
    bench.use(key=KEY)
    bench.full = ArenaError("The disk has 5 MB free, and 80 MB are needed.")
    assert bench.prepare(10).note == "The disk has 5 MB free, and 80 MB are needed."
    bench.full, bench.speakers.space = None, 1_000_000
    assert "The clip cache has no room" in bench.prepare(11).note
    assert bench.speakers.asked == []
    bench.speakers.space = 10**9
    assert bench.prepare(12).note == ""


@pytest.mark.parametrize("change", ["roster", "weights", "votes", "sealed elsewhere", "damaged"])
def test_what_is_stale_is_dropped_as_a_whole_and_told(make: MakeBench, tmp_path: Path, change: str) -> None:
    first = make(ahead=0)
    first.use(key=KEY, policy="rank-gain")
    first.prepare(6)
    first.close()
    if change == "weights":
        first.speakers.edition["x/b"] = 1
    if change == "damaged":
        (file,) = (tmp_path / "prepared").glob("*.sealed")
        file.write_bytes(file.read_bytes()[:-1] + b"\0")
    second = make(first.speakers, b"another" if change == "sealed elsewhere" else b"secret", ahead=0)
    if change == "votes":
        second.preparer.know("english", known(FRESH_VOTES + 10))
    second.use(key="another" if change == "roster" else KEY, policy="rank-gain")
    second.until(lambda: second.stocked and second.stocked[-1].ready)
    assert second.stocked[-1].battles == 0
    assert ("6 prepared battles" in second.stocked[-1].note) == (change in ("roster", "weights", "votes"))
    assert second.speakers.kept == set(), "their clips may go"


def test_new_votes_within_reason_leave_prepared_battles_as_they_were_drawn(make: MakeBench) -> None:
    bench = make(ahead=0)
    bench.preparer.know("english", known(100))
    bench.use(key=KEY, policy="rank-gain")
    bench.prepare(6)
    bench.preparer.know("english", known(300))
    assert bench.prepare(6).battles == 6
    bench.preparer.know("english", known(450))
    bench.preparer.stop_preparing()
    bench.until(lambda: bench.stocked[-1].battles == 0)
    assert "far fewer votes" in bench.stocked[-1].note


def test_the_files_tell_nothing_at_a_glance(make: MakeBench, tmp_path: Path) -> None:
    bench = make(ahead=0)
    bench.use(key=KEY)
    bench.prepare(10)
    for file in (tmp_path / "prepared").iterdir():
        for secret in (*ARENA.models, ARENA.id, "here", PROMPTS[0].text, "seed", KEY):
            assert secret.encode() not in file.read_bytes()
            assert secret not in file.name


def test_a_second_window_keeps_nothing_and_takes_nothing(make: MakeBench, tmp_path: Path) -> None:
    first = make(ahead=0)
    first.use(key=KEY)
    first.prepare(4)
    speakers = Speakers()
    other = Bench(speakers, PlanShelf(PlanFiles(tmp_path / "prepared", lambda: b"secret"), speakers), ahead=0)
    try:
        other.use(key=KEY)
        stocked = other.prepare(2)
        assert stocked.battles == 2
        assert "Another window" in stocked.note
    finally:
        other.close()
    again = make(first.speakers, ahead=0)
    again.use(key=KEY)
    again.until(lambda: again.stocked and again.stocked[-1].battles == 4)


@given(st.integers(0, 10**6))
def test_progress_is_the_same_in_whatever_order_the_same_battles_come(seed: int) -> None:
    chance = random.Random(seed)
    prompts = [Prompt(f"p{n}", f"Text {n}.", "short", "en", "0" * 64) for n in range(8)]
    plans = [
        Planned(draw_plan(ARENA, MODELS, prompt.id, f"{seed} {n}", policy="uniform", chances=[1 / 3] * 3), prompt, 0)
        for n, prompt in enumerate(prompts)
    ]
    order = [model.repo_id for model in MODELS]
    chance.shuffle(order)

    def told(plans: list[Planned]) -> list[tuple[tuple[int, int], list[str], str]]:
        batch, seen = Batch(lambda models: min(models, key=order.index)), []
        while (wish := batch.next(plans)) is not None:
            batch.spoken[wish.reading] = "key"
            seen.append((batch.count(plans), sorted(batch.missing(plans)), wish.reading[0]))
        return seen

    assert told(plans) == told(chance.sample(plans, len(plans)))
