"""A battle of clones is had with its reference, from either copy, or without it and with the reason."""

import hashlib
from dataclasses import replace
from pathlib import Path

import pytest
import soundfile

from arena_desktop.audio.reference import read_reference, with_reference
from arena_desktop.domain.battle import Competitor, Plan
from arena_desktop.domain.prompts import PromptDeck
from arena_desktop.domain.roster import ArenaSpec, ModelSpec, Voice
from arena_desktop.domain.votes import Side
from arena_desktop.services.battle_maker import BattleMaker, ClipReplaced, PreparedBattle
from arena_desktop.services.clips import Fetched
from arena_desktop.services.pace import Pace
from arena_desktop.services.plan_queue import Context, Planned
from arena_desktop.services.references import References
from tests.helpers.preparing import PAIR, PROMPTS, TONE, Speakers
from tests.helpers.sounds import babble

NAMES = ("alder", "birch")


class Cloners(Speakers):
    """Each tells the hash of the clip that it cloned."""

    def __init__(self, digests: dict[str, str]) -> None:
        super().__init__()
        self.digests = digests

    def get(self, model: ModelSpec, text: str, voice: Voice | None, take: int) -> Fetched:
        fetched = super().get(model, text, voice, take)
        return replace(fetched, identity=replace(fetched.identity, reference_sha256=self.digests[model.repo_id]))


class Bench:
    """Two models, each with a copy of the clip under its own name."""

    def __init__(self, folder: Path) -> None:
        self.copies = [folder / f"{name}-me.flac" for name in NAMES]
        for copy in self.copies:
            soundfile.write(copy, babble(1.0), 48_000)
        digest = hashlib.sha256(self.copies[0].read_bytes()).hexdigest()
        self.digests = {f"x/{name}": digest for name in NAMES}
        self.models = tuple(
            ModelSpec(f"x/{name}", name, voices=(Voice("me", f"{name}-me.flac", clip=digest),), base=str(folder))
            for name in NAMES
        )

    def make(self, kind: str = "cloned") -> PreparedBattle:
        arena = ArenaSpec("arena", tuple(self.digests), kind=kind)
        sides = [Competitor(repo_id, "me") for repo_id in self.digests]
        plan = Plan("arena", "?", sides[0], sides[1], PROMPTS[0].id, Side.A, "uniform", 1.0, "seed")
        context = Context(arena, self.models, PromptDeck(PROMPTS), -23.0, "uniform", place="", key="")
        maker = BattleMaker(
            Cloners(self.digests),
            lambda a, b, target: PAIR,
            lambda path: TONE,
            Pace(),
            lambda size: None,
            References(read_reference, with_reference),
        )
        return maker.make(context, Planned(plan, PROMPTS[0]))


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


@pytest.mark.parametrize("gone", [(), (0,), (1,)])
def test_either_copy_will_do(bench: Bench, gone: tuple[int, ...]) -> None:
    for place in gone:
        bench.copies[place].unlink()
    battle = bench.make()
    assert battle.reference == ""
    assert battle.pair.reference is not None


def test_without_a_copy_the_battle_goes_on_and_names_nobody(bench: Bench) -> None:
    bench.copies[0].unlink()
    bench.copies[1].write_bytes(b"another voice")
    battle = bench.make()
    assert battle.pair is PAIR
    assert battle.reference == "The clip that both voices clone has been changed since."
    assert not any(name in battle.reference for name in NAMES)


def test_sides_that_cloned_different_bytes_do_not_meet(bench: Bench) -> None:
    bench.digests["x/birch"] = "0" * 64
    with pytest.raises(ClipReplaced, match="no longer clone the same clip"):
        bench.make()


def test_a_preset_arena_has_none(bench: Bench) -> None:
    battle = bench.make("preset")
    assert (battle.reference, battle.pair) == (None, PAIR)
