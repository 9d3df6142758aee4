"""Recordings among voices: they meet on the prompts that were recorded, and on no others."""

import json
from pathlib import Path

import numpy as np
import pytest
import soundfile

from arena_desktop.domain.prompts import Prompt
from arena_desktop.domain.roster import ArenaSpec, ModelSpec, Voice
from arena_desktop.domain.votes import Vote
from arena_desktop.errors import ArenaError
from arena_desktop.services.abilities import Abilities, language_of_texts
from arena_desktop.services.fixed_texts import sample_of
from arena_desktop.store.prompt_files import built_in_prompts
from tests.helpers.driver import Driver

RECORDED = {"en-short-001", "en-short-004", "en-questions-002"}
ROSTER = """\
schema: 1
models:
  - {{repo_id: test/human, name: Human, engine: recordings, language: [en], files: {{path: {folder}}}}}
  - {{repo_id: test/program, name: Program, engine: command, language: [en],
     settings: {{argv: [flite, -voice, slt, -t, "{{text}}", -o, "{{out}}"]}}}}
arenas:
  - {{id: english, language: en, models: [test/human, test/program]}}
"""


@pytest.fixture
def roster(tmp_path: Path) -> Path:
    folder = tmp_path / "human"
    folder.mkdir()
    noise = np.random.default_rng(1)
    for name in RECORDED:
        time = np.arange(44100 * 2) / 44100
        buzz = np.sign(np.sin(2 * np.pi * 120 * time)) * (0.2 + 0.1 * np.sin(2 * np.pi * 4 * time))
        soundfile.write(folder / f"{name}.flac", 0.5 * buzz + 0.01 * noise.normal(size=buzz.size), 44100)
    path = tmp_path / "roster.yaml"
    path.write_text(ROSTER.format(folder=folder), encoding="utf-8")
    return path


def test_a_recording_meets_a_program_only_on_prompts_that_were_recorded(tmp_path: Path, roster: Path) -> None:
    driver = Driver(tmp_path, roster, speed=20.0)
    try:
        for _ in range(4):
            driver.until(lambda: driver.view.can_vote, "both heard", 60)
            driver.services.listen.vote(Vote.TIE)
            driver.until(lambda: driver.view.reveal is not None, "the reveal")
            driver.services.listen.next()
    finally:
        driver.close()
    from arena_desktop.store.vote_log import VoteLog

    with VoteLog.open(tmp_path / "votes.sqlite") as log:
        votes = [record for record in log.records() if record["type"] == "vote"]
    assert len(votes) == 4
    assert {vote["prompt"]["id"] for vote in votes} <= RECORDED
    for vote in votes:
        engines = {vote[side]["repo_id"]: vote[side]["engine"] for side in ("model_a", "model_b")}
        assert engines == {"test/human": "recordings", "test/program": "command"}, json.dumps(engines)


def prompt(number: int, language: str) -> Prompt:
    return Prompt(f"{language}-short-{number:03d}", "Text.", "short", language, "")


def test_a_model_never_meets_a_text_that_it_does_not_speak_or_does_not_have() -> None:
    german = ModelSpec("x/german", "German", language=("de",))
    english = ModelSpec("x/english", "English", language=("en-GB",))
    recorded = ModelSpec("x/recorded", "Recorded", language=("en",))
    able = Abilities({}, {"x/recorded": frozenset({"en-short-001"})})
    texts = [prompt(1, "en"), prompt(2, "en"), prompt(1, "de")]
    assert [text.id for text in texts if able.fits(german, text)] == ["de-short-001"]
    assert [text.id for text in texts if able.fits(english, text)] == ["en-short-001", "en-short-002"]
    assert [text.id for text in texts if able.fits(recorded, text)] == ["en-short-001"]
    models = [german, english, recorded]
    arena = ArenaSpec("all", tuple(model.repo_id for model in models))
    assert able.spoken_by_two(arena, models, texts) == [texts[0]]


def test_a_text_needs_two_voices_that_may_meet_in_the_arena() -> None:
    def model(name: str, language: str, clip: str, gender: str) -> ModelSpec:
        voices = (Voice("me", "me.wav", gender=gender, clip=clip), Voice("own", gender=gender))
        return ModelSpec(f"x/{name}", name, voices=voices, language=(language,))

    models = [model("a", "en", "1", "male"), model("b", "en", "2", "female"), model("c", "de", "1", "male")]
    models.append(model("d", "de", "1", "female"))
    texts = [prompt(1, "en"), prompt(1, "de")]
    able, members = Abilities({}, {}), tuple(one.repo_id for one in models)
    assert able.spoken_by_two(ArenaSpec("free", members), models, texts) == texts
    assert able.spoken_by_two(ArenaSpec("clones", members, kind="cloned"), models, texts) == [texts[1]]
    assert able.spoken_by_two(ArenaSpec("like", members, match=("gender",)), models, texts) == []


def test_without_a_language_a_text_is_english_unless_every_model_names_its_own() -> None:
    named, silent = ModelSpec("x/a", "A", language=("de",)), ModelSpec("x/b", "B")
    assert language_of_texts(ArenaSpec("one", ()), [named, silent]) == "en"
    assert language_of_texts(ArenaSpec("one", ()), [named]) is None
    assert language_of_texts(ArenaSpec("one", (), language="it"), [silent]) == "it"


def test_a_recorded_model_is_heard_by_a_prompt_that_it_has() -> None:
    recorded, other = ModelSpec("x/recorded", "Recorded", language=("en",)), ModelSpec("x/other", "O", language=("de",))
    text = sample_of(recorded, frozenset({"en-short-004"}), built_in_prompts)
    assert text == next(prompt.text for prompt in built_in_prompts() if prompt.id == "en-short-004")
    assert sample_of(other, None, built_in_prompts).startswith("Das kleine Boot")
    with pytest.raises(ArenaError, match="no built-in prompt"):
        sample_of(recorded, frozenset({"own:0"}), built_in_prompts)
