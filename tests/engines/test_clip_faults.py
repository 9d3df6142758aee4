"""What is wrong with a clip to clone, or with who is in an arena, is said before anybody speaks, wherever one looks."""

import json
import sys
from argparse import Namespace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile
import yaml

from arena_desktop.app import Composition
from arena_desktop.cli.models_check import run_check
from arena_desktop.domain.arena_faults import arena_faults
from arena_desktop.domain.roster import ArenaSpec, ModelSpec, Roster, Voice
from arena_desktop.engines.worker.adapters import chatterbox, f5
from arena_desktop.engines.worker.speech.clip_check import lacking
from arena_desktop.errors import ArenaError
from arena_desktop.paths import app_paths
from arena_desktop.services.doctor import Level, look_at_models, look_at_roster
from tests.helpers.sounds import babble

RATE = 8_000


class Wants:
    """An engine, as far as its clips are looked at."""

    def __init__(self, **needs: Any) -> None:
        self._needs = needs

    def clip_needs(self) -> dict[str, Any]:
        return self._needs


def clip(folder: Path, seconds: float) -> str:
    file = folder / f"{seconds}.ogg"
    soundfile.write(file, np.stack([babble(seconds, rate=RATE)] * 2, axis=1), RATE)
    return str(file)


@pytest.mark.parametrize(
    ("needs", "seconds", "transcript", "what", "remedy"),
    [
        ({}, 0.4, None, "a longer clip of the voice me: it lasts 0.4 s", "Give 5 to 15 seconds"),
        ({}, 61.0, None, "a shorter clip of the voice me: it lasts 61.0 s, and 60 s is the most", "Cut it to"),
        ({"transcript": True}, 5.0, " ", "the words of the clip of the voice me", "Write beside its audio"),
        ({"transcript": True}, 31.0, "Words.", "31.0 s, and 30 s is the most", "its transcript with it"),
        ({"transcript": True, "longest_s": 12}, 13.0, "Words.", "13.0 s, and 12 s is the most", "its transcript"),
        ({"clones": False}, 5.0, None, "a way to clone: the voice me has a clip", "without audio"),
    ],
)
def test_a_clip_that_does_not_fit(
    needs: dict[str, Any], seconds: float, transcript: str | None, what: str, remedy: str, tmp_path: Path
) -> None:
    voice = {"id": "me", "audio": clip(tmp_path, seconds), "transcript": transcript}
    (entry,) = lacking(Wants(**needs), [{"id": "own", "audio": None}, voice])
    assert what in entry["what"]
    assert remedy in entry["remedy"]


def test_a_clip_that_fits_is_no_fault(tmp_path: Path) -> None:
    good = {"id": "me", "audio": clip(tmp_path, 5.0), "transcript": "Words."}
    long = {"id": "long", "audio": clip(tmp_path, 45.0), "transcript": None}
    assert lacking(Wants(), [good, long, {"id": "own", "audio": None}]) == []
    assert lacking(Wants(transcript=True, longest_s=12), [good]) == []
    assert f5.Engine({}, {}, []).clip_needs() == {"transcript": True, "longest_s": 12}
    assert not hasattr(chatterbox.Engine({}, {}, []), "clip_needs")


def test_a_file_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "words.wav").write_text("no sound")
    broken, gone = ({"id": name, "audio": str(tmp_path / f"{name}.wav")} for name in ("words", "gone"))
    assert [entry["what"].partition(": ")[0] for entry in lacking(Wants(), [broken, gone])] == [
        "a clip of the voice words that can be read",
        "the clip of the voice gone",
    ]


BABBLE = babble(2.0, rate=RATE)


@pytest.mark.parametrize(
    ("samples", "rate", "wrong"),
    [
        (np.zeros(2 * RATE), RATE, "is silent"),
        (np.stack([BABBLE, -BABBLE], axis=1), RATE, "is silent"),  # one side takes the other away
        (np.where(np.arange(2 * RATE) == RATE + 5, np.nan, BABBLE), RATE, "holds values that are not numbers"),
        (np.where(np.arange(2 * RATE) == 5, -np.inf, BABBLE), RATE, "holds values that are not numbers"),
        (BABBLE, 100, "has 100 samples a second; 4000 to 384000 will do"),
    ],
)
def test_a_clip_in_which_nothing_can_be_heard(samples: np.ndarray, rate: int, wrong: str, tmp_path: Path) -> None:
    file = tmp_path / "me.wav"
    voice = {"id": "me", "audio": str(file)}
    soundfile.write(file, samples[: 50 * rate], rate, subtype="FLOAT")
    (entry,) = lacking(Wants(), [voice])
    assert entry["what"] == f"a clip of the voice me to clone: {file} {wrong}"
    soundfile.write(file, BABBLE, RATE)  # another one in its place is looked at anew
    assert lacking(Wants(), [voice]) == []


def test_a_name_that_no_file_can_have() -> None:
    (entry,) = lacking(Wants(), [{"id": "me", "audio": "x" * 300 + ".wav"}])
    assert "is not there" in entry["what"]


def model(name: str, *voices: Voice, engine: str | None = "xtts") -> ModelSpec:
    return ModelSpec(f"x/{name}", name, voices=voices, engine=engine)


ONE, TWO = Voice("one", "one.wav", clip="1" * 64), Voice("two", "two.wav", clip="2" * 64)
GONE, OWN = Voice("gone", "gone.wav"), Voice("own", gender="male")


@pytest.mark.parametrize(
    ("arena", "models", "what"),
    [
        (
            {"kind": "cloned"},
            [model("A", ONE), model("B", TWO)],
            ["No two voices of the arena «t» clone the same clip."],
        ),
        (
            {"kind": "cloned"},
            [model("A", ONE), model("B", ONE, TWO), model("C", TWO), model("D", Voice("x", "x", clip="3" * 64))],
            ["D can't meet anybody in the arena «t»: no voice clones a clip that another member has."],
        ),
        (
            {"kind": "cloned"},
            [model("A", ONE), model("B", ONE), model("C", GONE), model("D", OWN), model("E", engine=None)],
            [
                (
                    "C and D can't play in the arena «t»: it is for clones, and there is no voice with a clip that can"
                    " be read."
                )
            ],
        ),
        (
            {},
            [model("A", ONE), model("B", OWN), model("C", ONE, OWN)],
            ["A can't play in the arena «t»: it is for voices without a clip, and there is none."],
        ),
        (
            {"match": ("gender",)},
            [model("A", OWN), model("B", OWN), model("C", Voice("c"))],
            ["C can't meet anybody in the arena «t»: no voice agrees in gender with another member's."],
        ),
        ({}, [model("A"), model("B", OWN)], []),
    ],
)
def test_who_can_not_play_in_an_arena(arena: dict[str, Any], models: list[ModelSpec], what: list[str]) -> None:
    members = {one.repo_id: one for one in models}
    found = arena_faults(Roster(members, {"t": ArenaSpec("t", tuple(members), **arena)}))
    assert [one.what for one in found] == what
    assert all(one.remedy.endswith(".") for one in found)


def test_the_models_page_the_list_the_check_and_the_doctor_say_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    entry = {"engine": "command", "settings": {"argv": [sys.executable, "{out}"]}, "language": ["en"]}
    clip(tmp_path, 3.0)
    models: list[dict[str, Any]] = [
        {"repo_id": "x/good", "name": "Good", **entry, "voices": [{"id": "me", "audio": "3.0.ogg"}]},
        {"repo_id": "x/gone", "name": "Gone", **entry, "voices": [{"id": "me", "audio": "nowhere.wav"}]},
        {"repo_id": "x/vits", "name": "Own", **entry},
    ]
    arenas = [
        {"id": "clones", "title": "Clones", "kind": "cloned", "models": [one["repo_id"] for one in models]},
        {"id": "plain", "title": "Plain", "models": ["x/good", "x/vits"]},
    ]
    file = tmp_path / "roster.yaml"
    file.write_text(yaml.safe_dump({"schema": 1, "models": models, "arenas": arenas}))
    app = Composition(app_paths(tmp_path / "data"), roster_file=file)
    try:
        app.models.check_now()
        rows = {row["name"]: row for row in app.models.listing()}
        assert rows["Good"]["missing"] == rows["Own"]["missing"] == []
        (missing,) = rows["Gone"]["missing"]
        assert missing["what"].startswith("the clip of the voice me: ")
        notices = [line.text for line in app.models.view().notices]
        assert any(line.startswith("Gone and Own can't play in the arena «Clones»") for line in notices)
        assert any(line.startswith("Good can't play in the arena «Plain»") for line in notices)
        found = [*look_at_roster(lambda: app.roster), *look_at_models(app.roster, app.host)]
        told = [one.what for one in found if one.area == "arenas" and one.level is Level.WARNING]
        assert told == notices[-2:]
        assert any(one.what.startswith("Gone lacks the clip of the voice me") for one in found)
        options: dict[str, Any] = {"models": ["x/gone"], "quick": True, "asr": None, "before_voting": False}
        for as_json in (True, False):
            with pytest.raises(ArenaError, match="1 of 1 models could not speak"):
                run_check(Namespace(json=as_json, **options), app)
        said, _, rest = capsys.readouterr().out.partition("\n")
        report = json.loads(said)
        assert [one["what"] for one in report["arenas"]] == told
        assert "the clip of the voice me" in report["models"][0]["detail"]
        assert all(line in rest for line in told)
    finally:
        app.host.close()
