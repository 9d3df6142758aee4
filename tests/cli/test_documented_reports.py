"""docs/command-line.md says which keys the reports of engines and models have: real ones have these and no others."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile
import yaml

from arena_desktop.cli.main import main
from tests.helpers.documented import Sketch, read, sketch
from tests.helpers.wheels import make_wheel, use_wheels

SPEAK = """
import array, math, sys, wave
text = sys.stdin.read()
with wave.open(sys.argv[1], "wb") as out:
    out.setparams((1, 2, 16000, 0, "NONE", ""))
    out.writeframes(array.array("h", [int(9000 * math.sin(n / 11)) for n in range(9600 + 300 * len(text))]).tobytes())
"""
RECIPE = {
    "schema": 1,
    "id": "mine",
    "title": "My engine",
    "engine": "recordings",
    "packages": ["numpy==9.9"],
    "size_gb": 0.001,
    "license": "MIT",
    "commercial_use": True,
    "recognise": {"files": ["mine.bin"]},
}

Report = Callable[..., Any]


@pytest.fixture
def report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Report:
    """Runs a command on a roster of two programs that speak, and one that isn't there; gives what --json printed."""
    (tmp_path / "speak.py").write_text(SPEAK)
    argv = [sys.executable, str(tmp_path / "speak.py"), "{out}"]
    models = [{"repo_id": f"t/{name}", "name": name, "engine": "command", "settings": {"argv": argv}} for name in "ab"]
    models.append({"repo_id": "t/lost", "name": "lost", "engine": "command", "settings": {"argv": ["/no/such"]}})
    names = [model["repo_id"] for model in models]
    arenas = [{"id": "english", "models": names[:2]}, {"id": "clones", "kind": "cloned", "models": names[:1]}]
    (tmp_path / "roster.yaml").write_text(yaml.safe_dump({"schema": 1, "models": models, "arenas": arenas}))

    def run(*words: str, status: int = 0) -> Any:
        options = ["--data-dir", str(tmp_path / "data"), "--roster", str(tmp_path / "roster.yaml")]
        assert main([*options, *words, "--json"]) == status, capsys.readouterr().err
        return json.loads(capsys.readouterr().out)

    return run


def same(documented: Sketch, *reports: Any, unseen: tuple[str, ...] = ()) -> None:
    """The reports have the keys that are documented, and every documented object but ``unseen`` is in one of them."""
    seen: set[int] = set()
    found = []
    for one in reports:
        if isinstance(one, dict):
            assert one.pop("schema") == 1
        found += list(documented.differences(one, seen))
    assert found == []
    assert [place for key, place in documented.all_objects() if key not in seen and place not in unseen] == []


def test_differences_are_found() -> None:
    one = read('{"ok", "rows": [{"id", "when": null | {"day"}}], "n": {name: votes}, "odd": "a" | "b", "pair": [x, y]}')
    right = {"ok": True, "rows": [{"id": 1, "when": None}], "n": {"x": 1}, "odd": "a", "pair": [1, 2]}
    assert list(one.differences(right)) == []
    assert list(one.differences({**right, "more": 1})) == [".more is not documented"]
    assert list(one.differences({**right, "rows": [{"id": 1}]})) == [".rows[].when is documented and not there"]
    assert list(one.differences({**right, "ok": {"deep": 1}})) == [".ok has keys that are not documented: deep"]
    assert list(one.differences({**right, "odd": [{"deep": 1}]})) == [".odd[] has keys that are not documented: deep"]


def test_the_machine(report: Report) -> None:
    same(sketch("selftest"), report("selftest"))
    same(sketch("doctor"), report("doctor"), report("doctor", "environments"))


def test_environments(report: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "data" / "recipes").mkdir(parents=True)
    (tmp_path / "data" / "recipes" / "mine.yaml").write_text(yaml.safe_dump(RECIPE))
    make_wheel(tmp_path / "wheels", "numpy", "9.9", {"numpy/__init__.py": "__version__ = '9.9'\n"})
    use_wheels(monkeypatch, tmp_path / "wheels", tmp_path / "cache")
    same(sketch("environments recipes"), report("environments", "recipes"))
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "mine.bin").write_bytes(b"weights")
    soundfile.write(tmp_path / "model" / "a.wav", np.zeros(16_000, np.float32), 16_000)
    words = ("models", "add", str(tmp_path / "model"), "--arena", "english", "--new-env", "--dry-run")
    same(sketch("models add"), report(*words))
    made = report("environments", "make", "mine")
    listed = report("environments", "list")
    assert made.pop("schema") == 1
    assert listed["environments"] == [made]
    same(sketch("environments list"), listed)


def test_models(report: Report, tmp_path: Path) -> None:
    checked = report("models", "check", "a", "lost", "--asr", "--before-voting", status=1)
    quick = report("models", "check", "a", "--quick")
    same(sketch("models check"), checked, quick, unseen=(".models[].flags[]",))
    (words, *_) = [one["words"] for one in checked["models"] if one["words"]]
    same(sketch("models check", number=1), {"schema": 1, **words})
    same(sketch("models list"), report("models", "list"))
    bert = tmp_path / "found"
    bert.mkdir()
    (bert / "config.json").write_text('{"model_type": "bert", "architectures": ["BertModel"]}')
    (bert / "model.safetensors").write_bytes(bytes(200_000))
    same(sketch("models find"), report("models", "find", str(bert), "--all"))


def test_what_speaks(report: Report, tmp_path: Path) -> None:
    same(sketch("synth"), report("synth", "a", "--text", "Hello.", "-o", str(tmp_path / "o.wav")))
    same(sketch("render"), report("render", "--battles", "2"))
    same(sketch("bench models"), report("bench", "models", "a", "lost", "--starts", "1", "--rounds", "1", status=1))


def test_what_an_examination_found_is_told_where_it_cannot_be_kept(
    report: Report, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "data" / "examinations.json" / "in the way").mkdir(parents=True)
    (one, two) = report("models", "check", "a", "b", status=1)["models"]
    assert (one["ok"], two["ok"], len(two["texts"])) == (True, True, 6)
    assert (
        main(["--data-dir", str(tmp_path / "data"), "--roster", str(tmp_path / "roster.yaml"), "models", "check"]) == 1
    )
    last = capsys.readouterr().err.splitlines()[-1]
    assert "1 of 3 models could not speak: t/lost." in last
    assert "examinations.json" in last


def test_a_text_key_that_cannot_be_made_is_no_unknown_text(report: Report, tmp_path: Path) -> None:
    (tmp_path / "data" / "own-text.key" / "in the way").mkdir(parents=True)
    (one,) = report("models", "check", "a", status=1)["models"]
    assert one["kind"] == "error"
    assert "own-text.key" in one["detail"]
