"""Whatever an engine does, the host answers in words and goes on."""

import os
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from arena_desktop.domain.roster import ModelSpec
from arena_desktop.engines.deadlines import Deadlines
from arena_desktop.engines.host import SpeechHost
from arena_desktop.engines.types import FailureKind, SpeechFailure
from tests.engines.conftest import MakeHost, MakeModel, wait_for

TEXT = "The birch canoe slid on."


def failing(host: SpeechHost, model: ModelSpec, out: Path, text: str = TEXT) -> SpeechFailure:
    with pytest.raises(SpeechFailure) as caught:
        host.speak(model, text, None, out)
    assert not out.exists()
    assert not out.with_name(out.name + ".part").exists()
    assert caught.value.repo_id == model.repo_id
    assert "\n" not in str(caught.value)
    return caught.value


@pytest.mark.parametrize(
    ("act", "kind"),
    [
        ("segfault", FailureKind.CRASH),
        ("leave", FailureKind.CRASH),
        ("nan", FailureKind.NOT_FINITE),
        ("silence", FailureKind.SILENCE),
        ("click", FailureKind.SILENCE),
        ("short", FailureKind.TOO_SHORT),
        ("empty", FailureKind.TOO_SHORT),
        ("endless", FailureKind.TOO_LONG),
        ("clipped", FailureKind.CLIPPING),
        ("unscaled", FailureKind.CLIPPING),
        ("integers", FailureKind.ENGINE),
        ("stereo", FailureKind.ENGINE),
        ("wrong_rate", FailureKind.ENGINE),
        ("no_rate", FailureKind.ENGINE),
        ("odd_error", FailureKind.ENGINE),
        ("exit", FailureKind.ENGINE),
        ("memory", FailureKind.OUT_OF_MEMORY),
        ("gpu_memory", FailureKind.OUT_OF_MEMORY),
        ("lacking", FailureKind.MISSING),
    ],
)
def test_a_fault_has_its_kind_is_counted_and_the_next_sentence_is_spoken(
    host: SpeechHost, model: MakeModel, tmp_path: Path, act: str, kind: FailureKind
) -> None:
    failure = failing(host, model(act), tmp_path / "bad.wav")
    assert failure.kind is kind
    tally = host.failures(f"test/{act}")
    assert tally.counts == {kind: 1}
    assert tally.last == str(failure)
    assert host.speak(model(), TEXT, None, tmp_path / "good.wav").frames > 0
    assert host.failures("test/tone").counts == {}


def test_a_crash_says_how_the_process_ended(host: SpeechHost, model: MakeModel, tmp_path: Path) -> None:
    assert "SIGSEGV" in failing(host, model("segfault"), tmp_path / "a.wav").message
    assert "status 3" in failing(host, model("leave"), tmp_path / "b.wav").message
    log = (tmp_path / "logs" / "speech.log").read_text()
    assert "Segmentation fault" in log
    assert "do_segfault" in log


def test_after_running_out_of_memory_the_next_sentence_comes_from_a_new_process(
    host: SpeechHost, model: MakeModel, tmp_path: Path
) -> None:
    host.speak(model(), TEXT, None, tmp_path / "a.wav")
    (before,) = psutil.Process().children()
    failing(host, model("memory"), tmp_path / "b.wav")
    host.speak(model(), TEXT, None, tmp_path / "a.wav")
    (after,) = psutil.Process().children()
    assert after.pid != before.pid
    failing(host, model("silence"), tmp_path / "b.wav")
    assert [child.pid for child in psutil.Process().children()] == [after.pid]  # a bad clip alone costs no restart


def test_a_word_of_300_letters_hangs_pico_with_the_lock_held_and_the_host_goes_on(
    make_host: MakeHost, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MALLOC_PERTURB_", "85")  # the defect reads memory that nobody set: make it the same each time
    host = make_host()
    pico = ModelSpec(repo_id="svox/pico", name="Pico", engine="pico_uncapped")
    before = host.speak(pico, TEXT, None, tmp_path / "before.wav")
    assert failing(host, pico, tmp_path / "hung.wav", "a" * 300).kind is FailureKind.HANG
    after = host.speak(pico, TEXT, None, tmp_path / "after.wav")
    assert before.rate == after.rate == 16_000


def test_after_two_hangs_on_one_text_the_model_is_not_asked_for_it_again(
    make_host: MakeHost, model: MakeModel, mark: Path, tmp_path: Path
) -> None:
    host = make_host(deadlines=Deadlines(speak=0.3, speak_per_character=0.0))
    for _ in range(2):
        assert failing(host, model("sleep"), tmp_path / "a.wav", "slow words").kind is FailureKind.HANG
    mark.unlink()
    assert failing(host, model("sleep"), tmp_path / "a.wav", "slow words").kind is FailureKind.TEXT
    assert not mark.exists()
    assert host.speak(model("sleep"), "quick words", None, tmp_path / "b.wav").frames > 0


def test_a_hang_takes_the_processes_that_the_engine_started_with_it(
    host: SpeechHost, model: MakeModel, mark: Path, tmp_path: Path
) -> None:
    assert failing(host, model("child"), tmp_path / "a.wav").kind is FailureKind.HANG
    started = int(mark.read_text())
    wait_for(lambda: not psutil.pid_exists(started) or psutil.Process(started).status() == "zombie", "grandchild gone")


def test_kill_9_while_it_speaks(make_host: MakeHost, model: MakeModel, mark: Path, tmp_path: Path) -> None:
    host = make_host(deadlines=Deadlines())

    def kill() -> None:
        os.kill(int(wait_for(lambda: mark.exists() and mark.read_text(), "speaking")), signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    failure = failing(host, model("sleep"), tmp_path / "a.wav", "slow words")
    killer.join()
    assert failure.kind is FailureKind.CRASH
    assert "SIGKILL" in failure.message
    assert host.speak(model(), TEXT, None, tmp_path / "b.wav").frames > 0


def test_kill_9_while_nobody_asks_costs_nothing(host: SpeechHost, model: MakeModel, tmp_path: Path) -> None:
    host.speak(model(), TEXT, None, tmp_path / "a.wav")
    (child,) = psutil.Process().children()
    child.kill()
    wait_for(lambda: not child.is_running() or child.status() == "zombie", "the child is dead")
    wait_for(lambda: _speaks(host, model(), tmp_path / "b.wav"), "speech from a new child")
    assert sum(host.failures("test/tone").counts.values()) <= 1  # at most the request that crossed the death


def _speaks(host: SpeechHost, model: ModelSpec, out: Path) -> bool:
    try:
        return host.speak(model, TEXT, None, out).frames > 0
    except SpeechFailure:
        return False


def test_megabytes_on_the_standard_streams_and_a_drained_stdin_change_nothing(
    host: SpeechHost, model: MakeModel, tmp_path: Path
) -> None:
    quiet = host.speak(model(), TEXT, None, tmp_path / "quiet.wav")
    flood = host.speak(model("flood"), TEXT, None, tmp_path / "flood.wav")
    assert flood.clip_sha256 == quiet.clip_sha256
    log = tmp_path / "logs" / "speech.log"
    wait_for(lambda: log.stat().st_size < 8 * 2**20 + 4096, "the log is cut")
    host.speak(model("close_standard"), TEXT, None, tmp_path / "closed.wav")
    assert host.speak(model(), TEXT, None, tmp_path / "again.wav").clip_sha256 == quiet.clip_sha256


def test_sound_a_little_over_full_scale_is_no_fault(host: SpeechHost, model: MakeModel, tmp_path: Path) -> None:
    assert host.speak(model("over_full_scale"), TEXT, None, tmp_path / "a.wav").frames > 0


def test_an_interpreter_that_is_not_there(host: SpeechHost, model: MakeModel, tmp_path: Path) -> None:
    lost = ModelSpec(repo_id="test/lost", name="Lost", engine="acting", python=str(tmp_path / "no" / "python"))
    failure = failing(host, lost, tmp_path / "a.wav")
    assert failure.kind is FailureKind.ENVIRONMENT
    assert str(tmp_path / "no" / "python") in failure.message
    assert "python" in failure.remedy
    assert host.speak(model(), TEXT, None, tmp_path / "b.wav").frames > 0


def test_an_interpreter_that_is_none(host: SpeechHost, tmp_path: Path) -> None:
    fake = tmp_path / "python"
    fake.write_text("#!/bin/sh\necho no such module numpy >&2\nexit 1\n")
    fake.chmod(0o755)
    failure = failing(
        host, ModelSpec(repo_id="test/fake", name="Fake", engine="acting", python=str(fake)), tmp_path / "a"
    )
    assert failure.kind is FailureKind.ENVIRONMENT
    assert "no such module numpy" in failure.message


def test_a_child_that_talks_nonsense_is_a_crash(
    host: SpeechHost, tmp_path: Path, expect_log: Callable[[str], None]
) -> None:
    expect_log("what is no message")
    fake = tmp_path / "python"
    babble = "while :; do echo nonsense; done"
    fake.write_text(f'#!/bin/sh\ncase "$*" in *child.py*) {babble};; esac\nexec "{sys.executable}" "$@"\n')
    fake.chmod(0o755)
    babbler = ModelSpec(repo_id="test/babbler", name="Babbler", engine="acting", python=str(fake))
    assert failing(host, babbler, tmp_path / "a.wav").kind is FailureKind.ENVIRONMENT


@pytest.mark.parametrize("text", ["", " \n\t", "...!?", "🙂🙂", "a\x00b", "x" * 10_001, "a\ud800"])
def test_a_text_that_nobody_can_speak_is_refused_before_any_child_is_started(
    host: SpeechHost, model: MakeModel, tmp_path: Path, text: str
) -> None:
    assert failing(host, model("segfault"), tmp_path / "a.wav", text).kind is FailureKind.TEXT
    assert psutil.Process().children() == []


@pytest.mark.parametrize(
    "text", ["7", "née", "日本語のテキスト", "a" * 2000, "<b>&nbsp;</b>", "one\ntwo", "5 🙂", "x" * 10_000]
)
def test_odd_texts_reach_the_engine(make_host: MakeHost, model: MakeModel, tmp_path: Path, text: str) -> None:
    assert make_host().speak(model(), text, None, tmp_path / "a.wav").frames > 0


def test_a_full_disk_is_told_in_words(host: SpeechHost, model: MakeModel, tmp_path: Path) -> None:
    out = tmp_path / "a.wav"
    out.with_name("a.wav.part").symlink_to("/dev/full")
    assert "could not be written: No space left" in failing(host, model(), out).message


def test_a_model_without_a_known_engine(host: SpeechHost, tmp_path: Path) -> None:
    mute = ModelSpec(repo_id="test/mute", name="Mute")
    (missing,) = host.check(mute)
    assert "Mute" in missing.remedy
    strange = ModelSpec(repo_id="test/strange", name="Strange", engine="no-such-engine")
    (missing,) = host.check(strange)
    assert "no-such-engine" in missing.what
    assert "acting" in missing.remedy
    assert failing(host, strange, tmp_path / "a.wav").kind is FailureKind.MISSING
