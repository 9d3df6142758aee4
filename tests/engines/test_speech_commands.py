"""The commands ``synth`` and ``models``, as a user types them."""

import argparse
import json
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
import soundfile

from arena_desktop.cli import models as models_command
from arena_desktop.cli import synth as synth_command
from arena_desktop.domain.roster import ModelSpec, Roster, Voice
from arena_desktop.engines.host import SpeechHost
from arena_desktop.engines.types import SpeechFailure
from arena_desktop.errors import ArenaError, UsageError
from arena_desktop.services.clips import Clips
from arena_desktop.services.examinations import Examinations
from arena_desktop.services.inbox import Inbox
from arena_desktop.services.models import Models
from arena_desktop.services.sample_text import sample_for
from arena_desktop.store.cache import ClipCache
from arena_desktop.store.measurements import MeasurementsFile
from tests.engines.conftest import MakeModel


@dataclass
class App:
    roster: Roster
    host: SpeechHost
    clips: Clips
    models: Models
    examinations: Examinations

    def run(self, *words: str) -> int:
        parser = argparse.ArgumentParser()
        subparsers = parser.add_subparsers()
        synth_command.add_parser(subparsers)
        models_command.add_parser(subparsers)
        args = parser.parse_args(words)
        status: int = args.func(args, self)
        return status


@pytest.fixture
def app(host: SpeechHost, model: MakeModel, tmp_path: Path) -> App:
    tone = replace(model("tone"), voices=(Voice("anna"), Voice("ben")))
    found = (tone, model("silence"), model("lacking"), ModelSpec("test/mute", "Mute"))
    roster = Roster({spec.repo_id: spec for spec in found}, {})
    examinations = Examinations(MeasurementsFile(tmp_path / "kept.json"), lambda: host, lambda: host.machine)
    models = Models(roster, host, Inbox(), examined=examinations.of)
    return App(roster, host, Clips(host, ClipCache(tmp_path / "clips")), models, examinations)


def test_synth_writes_the_file_and_reports(app: App, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out.wav"
    assert app.run("synth", "test/tone", "--text", "Hello there.", "-o", str(out)) == 0
    line = capsys.readouterr().out
    assert str(out) in line
    assert "spoken" in line
    assert app.run("synth", "acting TONE", "--text", "Hello there.", "-o", str(out), "--json") == 0
    report = json.loads(capsys.readouterr().out)
    assert report["schema"] == 1
    assert (report["repo_id"], report["voice"], report["cached"]) == ("test/tone", "anna", True)
    assert soundfile.info(out).frames == report["frames"]
    assert list(tmp_path.glob("*.part")) == []


def test_synth_reads_the_text_from_a_file(app: App, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = tmp_path / "text.txt"
    text.write_bytes("\ufeffHello there.".encode())
    for name, source in (("a.wav", ["--text-file", str(text)]), ("b.wav", ["--text", "Hello there."])):
        assert app.run("synth", "test/tone", *source, "--voice", "ben", "-o", str(tmp_path / name)) == 0
    assert (tmp_path / "a.wav").read_bytes() == (tmp_path / "b.wav").read_bytes()
    capsys.readouterr()
    text.write_bytes(b"caf\xe9")
    with pytest.raises(ArenaError, match=r"not UTF-8 \(byte 3\)"):
        app.run("synth", "test/tone", "--text-file", str(text), "-o", str(tmp_path / "c.wav"))
    with pytest.raises(ArenaError, match="can't be read"):
        app.run("synth", "test/tone", "--text-file", str(tmp_path / "none"), "-o", str(tmp_path / "c.wav"))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["test/nobody", "--text", "Hi there"], "no model test/nobody"),
        (["test/tone", "--text", "Hi there", "--voice", "carl"], "no voice carl. Its voices: anna, ben"),
        (["test/tone", "--text", " "], "no text"),
        (["test/silence", "--text", "Hi there"], "gave silence"),
        (["test/lacking", "--text", "Hi there"], "the voice file is missing. Run: get voice"),
        (["test/mute", "--text", "Hi there"], "no engine"),
    ],
)
def test_what_cannot_be_spoken_is_said_in_one_sentence(app: App, tmp_path: Path, words: list[str], said: str) -> None:
    with pytest.raises(ArenaError, match=said):
        app.run("synth", *words, "-o", str(tmp_path / "out.wav"))
    assert not (tmp_path / "out.wav").exists()


def test_a_place_that_cannot_be_written_to_and_a_wrong_take(app: App, tmp_path: Path) -> None:
    with pytest.raises(ArenaError, match="could not be written"):
        app.run("synth", "test/tone", "--text", "Hi there", "-o", str(tmp_path / "no" / "out.wav"))
    with pytest.raises(UsageError):
        app.run("synth", "test/tone", "--text", "Hi there", "--take", "-1", "-o", str(tmp_path / "out.wav"))


def test_models_list(app: App, capsys: pytest.CaptureFixture[str]) -> None:
    assert app.run("models", "list", "--json") == 0
    rows = json.loads(capsys.readouterr().out)
    assert [(row["repo_id"], row["ready"]) for row in rows] == [
        ("test/tone", True),
        ("test/silence", True),
        ("test/lacking", False),
        ("test/mute", False),
    ]
    assert app.run("models", "list") == 0
    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith("test/tone") and "ready" in line for line in lines)
    assert any("the voice file. Run: get voice" in line for line in lines)


def test_models_check_speaks_and_fails_if_one_fails(app: App, capsys: pytest.CaptureFixture[str]) -> None:
    assert app.run("models", "check", "test/tone") == 0
    said = capsys.readouterr()
    assert "test/tone" in said.out
    assert said.err == ""
    with pytest.raises(ArenaError, match="2 of 3 models could not speak: test/silence, test/lacking"):
        app.run("models", "check")
    said = capsys.readouterr()
    lines = [line for line in said.out.splitlines() if not line.startswith(" ")]
    assert [line.split()[0] for line in lines] == ["flags", "FAILED", "FAILED", "1"]
    assert "one word: its level hardly changes" in said.out
    with pytest.raises(ArenaError):
        app.run("models", "check", "--json")
    report = json.loads(capsys.readouterr().out)
    assert (report["schema"], report["ok"]) == (1, False)
    assert [row["kind"] for row in report["models"]] == [None, "silence", "missing"]
    tone, silence, lacking = report["models"]
    assert (tone["ok"], tone["clear"], report["flagged"]) == (True, False, 1)
    assert {text["text"] for text in tone["texts"]} >= {"numbers", "names", "long", "one word", "punctuation"}
    assert all("tone" in {flag["kind"] for flag in text["flags"]} for text in tone["texts"])
    assert {text["kind"] for text in silence["texts"]} == {"silence"}
    assert lacking["texts"] == []


def test_an_examination_is_kept_and_listed_until_the_settings_change(
    app: App, capsys: pytest.CaptureFixture[str]
) -> None:
    app.run("models", "check", "test/tone", "--quick")
    app.run("models", "list", "--json")
    said = capsys.readouterr().out.splitlines()
    assert json.loads(said[-1])[0]["examined"] is None  # one sentence is no examination
    app.run("models", "check", "test/tone")
    app.run("models", "list")
    assert "- examined: no speech (6 of 6)" in capsys.readouterr().out
    tone = app.roster.models["test/tone"]
    assert app.examinations.of(tone) is not None
    assert app.examinations.of(replace(tone, settings={**tone.settings, "pitch": 3})) is None
    assert app.examinations.of(replace(tone, voices=(Voice("ben"),))) is None


def test_a_failure_names_its_model(app: App, tmp_path: Path) -> None:
    with pytest.raises(SpeechFailure) as caught:
        app.run("synth", "test/silence", "--text", "Hi there", "-o", str(tmp_path / "out.wav"))
    assert caught.value.repo_id == "test/silence"


@pytest.mark.parametrize(
    ("languages", "start"), [(("de-AT",), "Das"), (("xx", "fr"), "Le"), ((), "The"), (("EN_us",), "The")]
)
def test_a_model_is_asked_in_its_own_language(languages: tuple[str, ...], start: str) -> None:
    assert sample_for(languages).startswith(start)
