"""Word error rates: what is compared and how, real voices heard by a real recogniser, and shown only after a vote."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arena_desktop.app import Composition
from arena_desktop.audio.types import Clip
from arena_desktop.cli.main import main
from arena_desktop.domain.fixed_set import FIXED_SETS, FixedText
from arena_desktop.domain.word_errors import WordErrors, WordTest
from arena_desktop.engines.hearing import BUILT_IN, DeafError, Hearing
from arena_desktop.paths import app_paths
from arena_desktop.services import words_heard
from arena_desktop.services.after_voting import VotedModels, sentence, veiled, with_words_of
from arena_desktop.services.views import Examined
from arena_desktop.services.word_testing import WordTesting
from arena_desktop.services.words_heard import require_extra, word_errors, words_of
from arena_desktop.store.heard import maybe_held_back, voted_models
from arena_desktop.store.vote_log import VoteLog
from tests.helpers.tiny_whisper import tiny_whisper
from tests.helpers.vote_logs import draft

TEXT = FIXED_SETS["en"].texts[0]
TEST = WordTest("id", "pocketsphinx 5.1.1", "en", WordErrors(40, 3, 2, 1), 6, "2026-01-02T03:04:05Z")


@pytest.mark.parametrize(
    ("language", "ways"),
    [
        (
            "en",
            (
                "In 1984, he said.",
                "in nineteen eighty-four he SAID",
                "in one thousand nine hundred eighty four he said",
            ),
        ),
        ("en", ("148 euros at 7:35", "one hundred and forty-eight euros at seven thirty-five")),
        ("de", ("148 Euro", "hundertachtundvierzig euro")),
        ("fr", ("148 euros, 35", "cent quarante-huit euros trente-cinq")),
        ("es", ("148 euros", "ciento cuarenta y ocho euros")),
        ("it", ("148 euro", "centoquarantotto euro")),
        ("xx", ("Don’t — stop!", "don't stop")),
    ],
)
def test_the_way_of_writing_does_not_count(language: str, ways: tuple[str, ...]) -> None:
    assert len({tuple(words_of(way, language)) for way in ways}) == 1


def test_errors_are_counted_against_the_nearer_text() -> None:
    assert word_errors(["the cat sat down"], "a cat sat down down", "en") == WordErrors(4, 1, 0, 1)
    assert word_errors(["x y z", "the cat sat"], "the cat", "en") == WordErrors(3, 0, 1, 0)
    assert word_errors(["one word"], "", "en") == WordErrors(2, 0, 2, 0)
    assert word_errors(["…!"], "word", "en") is None


def test_without_the_extra_a_sentence_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    require_extra()
    monkeypatch.setattr(words_heard, "LIBRARIES", {"no_such_library": "no-such-library"})
    with pytest.raises(Exception, match=r"no-such-library.*pip install \"arena-desktop\[asr\]\""):
        require_extra()


@pytest.fixture
def hearing(tmp_path: Path) -> Any:
    made: list[Hearing] = []

    def make(wish: str = BUILT_IN, **options: Any) -> Hearing:
        made.append(Hearing(wish, tmp_path / "logs", tmp_path / "run", tmp_path / "hashes.json", **options))
        return made[-1]

    yield make
    for one in made:
        one.close()


def test_a_real_voice_is_heard_in_a_process_and_noise_is_not(
    loaded: Callable[..., Any], hearing: Callable[..., Hearing]
) -> None:
    sound, rate = loaded("hibari", {"package": "hibari-tts"}).speak(TEXT.text, {"id": "heart"}, {}, 0)
    clip = Clip(np.asarray(sound, np.float32), int(rate))
    ear = hearing()
    good, bad = WordTesting(ear), WordTesting(ear)
    good.overhear(TEXT, clip, "en-US")
    noise = np.random.default_rng(1).normal(0, 0.1, len(clip.samples)).astype(np.float32)
    bad.overhear(TEXT, Clip(noise, clip.rate), "en-US")
    assert good.test is not None
    assert bad.test is not None
    assert (good.test.title, good.test.language, good.test.texts) == ("pocketsphinx 5.1.1", "en", 1)
    assert good.test.errors.words == 11
    assert good.test.errors.rate < 0.5 < bad.test.errors.rate


@pytest.mark.parametrize(("language", "why"), [("de", "doesn't know the language de"), ("ja", "without spaces")])
def test_no_number_is_invented(language: str, why: str, hearing: Callable[..., Hearing]) -> None:
    testing = WordTesting(hearing())
    testing.overhear(FixedText("sentence", "…", 1), Clip(np.zeros(16000, np.float32), 16000), language)
    assert testing.test is None
    assert why in testing.why_none


def test_a_recogniser_that_takes_too_long_is_ended_and_said(hearing: Callable[..., Hearing]) -> None:
    ear = hearing(limit_s=lambda seconds: 0.05)
    testing = WordTesting(ear)
    assert ear.recogniser.languages == {"en"}
    sound = np.random.default_rng(1).normal(0, 0.1, 16000 * 60).astype(np.float32)
    testing.overhear(TEXT, Clip(sound, 16000), "en")
    assert testing.test is None
    assert "no answer within" in testing.why_none


def test_a_folder_that_is_no_whisper_is_said(hearing: Callable[..., Hearing], tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "config.json").write_text(json.dumps({"model_type": "vits"}))
    for wish, why in ((tmp_path / "gone", "is not there"), (tmp_path / "x", "of the type vits")):
        with pytest.raises(DeafError, match=why):
            _ = hearing(str(wish)).recogniser


def test_a_model_named_after_the_option_is_no_recogniser(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--data-dir", str(tmp_path), "models", "check", "--asr", "Pico"]) == 1
    told = capsys.readouterr().err
    assert "No recogniser is called Pico" in told
    assert "models go before --asr" in told


def test_a_whisper_folder_hears_the_languages_that_it_lists(hearing: Callable[..., Hearing], tmp_path: Path) -> None:
    ear = hearing(str(tiny_whisper(tmp_path / "whisper")))
    assert ear.recogniser.title == "Whisper (whisper)"
    assert ear.recogniser.languages == {"en", "de"}
    assert len(ear.recogniser.id) == 64  # by its files
    sound = np.random.default_rng(1).normal(0, 0.1, 16000 * 2).astype(np.float32)
    testing = WordTesting(ear)
    for clip in (sound, np.tile(sound, 16)):  # more than it hears at once, too
        testing.overhear(FIXED_SETS["de"].texts[1], Clip(clip, 16000), "de")
    assert testing.test is not None
    assert (testing.test.language, testing.test.texts) == ("de", 2)
    testing.overhear(TEXT, Clip(sound, 16000), "it")
    assert testing.test is None
    assert "doesn't know the language it" in testing.why_none


def test_a_vote_of_the_listener_shows_the_names(tmp_path: Path) -> None:
    with VoteLog.open(tmp_path / "votes.sqlite") as log:
        first = log.append_vote(draft(listener="l-one"))
        in_set = {**draft()["conditions"], "reveal": "set"}
        last = log.append_vote(draft(listener="l-one", conditions=in_set))
        a, b = first["model_a"]["repo_id"], first["model_b"]["repo_id"]
        assert voted_models(log, "l-one") == {a, b}
        assert voted_models(log, "l-other") == frozenset()
        assert voted_models(log, "l-one", {first["id"], last["id"]}) == frozenset()
        assert maybe_held_back(log, "l-one", 20) == {last["id"]}
        assert maybe_held_back(log, "l-one", 0) == frozenset()
        log.append_vote(draft(listener="l-other"))
        assert maybe_held_back(log, "l-one", 20) == {last["id"]}
        log.append_vote(draft(listener="l-one"))  # with names at once: the set's were shown with it
        assert maybe_held_back(log, "l-one", 20) == frozenset()


def test_a_set_that_was_begun_stays_held_back_for_commands_when_sets_are_switched_off(tmp_path: Path) -> None:
    composition = Composition(app_paths(tmp_path), silent=True)
    composition.preferences.change(reveal="each")
    in_set = {**draft()["conditions"], "reveal": "set"}
    composition.log.append_vote(draft(listener=composition.listener, conditions=in_set))
    assert composition.voted == frozenset()
    composition.close()


def test_only_who_voted_sees_it_and_nothing_new_comes_while_a_battle_is_open() -> None:
    examined = Examined(True, words=(TEST,))
    assert veiled(examined, lambda: True) == examined
    assert veiled(examined, lambda: False) == Examined(True)
    assert with_words_of(Examined(True), examined) == Examined(True)
    assert with_words_of(examined, Examined(False)) == Examined(False, words=(TEST,))
    asked: list[Callable[[frozenset[str]], None]] = []
    changes: list[int] = []
    voted = VotedModels(asked.append, lambda: changes.append(1))
    voted.hold()
    assert not asked
    voted.release()
    asked.pop()(frozenset({"x/one"}))
    voted.votes_changed()
    asked.pop()(frozenset({"x/one"}))
    assert voted.known == {"x/one"}
    assert len(changes) == 1


def test_the_rate_in_words() -> None:
    assert sentence(TEST) == (
        "Word error rate 15.0 % (3 put wrong, 2 left out, 1 added, of 40 words; en), heard by pocketsphinx 5.1.1"
    )
