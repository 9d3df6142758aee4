"""When the environment counts as ready, what a set-up adds, and that nothing is thrown away. pip is a stand-in here;
the real one is at work whenever these tests are started by ``bootstrap.py test``.
"""

import json
from pathlib import Path
from typing import Any

import pytest

import damage
import pip_calls
import torch_build
from environment import Environment, Project
from saying import Fault

ALL = ("base", "espeak", "torch")


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What pip was asked for, in order; ``fails`` in it makes the next call for that group fail."""
    asked: list[str] = []

    def install(_: Any, arguments: list[str], *, wheels_only: bool = True) -> None:
        what = Path(arguments[-1]).stem if wheels_only else "project"
        if f"{what} fails" in asked:
            raise Fault(f"{what} does not come")
        asked.append(what)

    def install_torch(_: Any, pins: Path, kind: str | None) -> str:
        if "torch fails" in asked:
            raise Fault("torch does not come")
        asked.append(f"torch {kind or ''}".strip())
        return "CPU build"

    monkeypatch.setattr(pip_calls.Pip, "install", install)
    monkeypatch.setattr(torch_build, "install", install_torch)
    return asked


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Environment:
    root = tmp_path / "checkout"
    (root / "packaging" / "requirements").mkdir(parents=True)
    for group in (*ALL, "test"):
        (root / "packaging" / "requirements" / f"{group}.txt").write_text(f"{group}==1\n", encoding="utf-8")
    (root / "pyproject.toml").write_text("", encoding="utf-8")
    made = Environment(Project(root))

    def make(self: Environment) -> None:
        self.python.parent.mkdir(parents=True)
        self.python.touch()
        (self.folder / "pyvenv.cfg").write_text("version = 3.11.7\n", encoding="utf-8")

    monkeypatch.setattr(Environment, "_make", make)
    monkeypatch.setattr(Environment, "_usable", lambda self: self.python.is_file())
    return made


def _nothing(_: Path) -> None: ...


def test_first_set_up_installs_all_and_the_second_does_nothing(environment: Environment, calls: list[str]) -> None:
    assert not environment.ready(ALL)
    environment.set_up(ALL, _nothing)
    assert calls == ["base", "espeak", "torch", "project"]
    assert environment.ready(ALL)
    environment.set_up(ALL, _nothing)
    assert len(calls) == 4


def test_light_keeps_torch_that_is_there_and_a_full_run_adds_it_later(
    environment: Environment, calls: list[str]
) -> None:
    environment.set_up(("base", "espeak"), _nothing)
    assert environment.ready(("base", "espeak"))
    assert not environment.ready(ALL)
    environment.set_up(ALL, _nothing)
    assert calls == ["base", "espeak", "project", "torch"]
    assert environment.ready(("base", "espeak"))
    environment.set_up(("base",), _nothing)
    assert environment.ready(ALL)


@pytest.mark.parametrize("group", [*ALL])
def test_changed_pins_install_that_group_again_and_no_other(
    environment: Environment, calls: list[str], group: str
) -> None:
    environment.set_up(ALL, _nothing)
    calls.clear()
    environment.project.pins(group).write_text(f"{group}==2\n", encoding="utf-8")
    assert not environment.ready(ALL)
    environment.set_up(ALL, _nothing)
    assert calls == [group]


def test_interrupted_set_up_is_not_ready_and_is_repaired(
    environment: Environment, calls: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def dies(_: Path) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        environment.set_up(ALL, dies)
    assert not environment.ready(("base",))
    repaired: list[Path] = []
    monkeypatch.setattr(damage, "repair", repaired.append)
    calls.clear()
    environment.set_up(ALL, _nothing)
    assert len(repaired) == 1
    assert calls == ["base", "espeak", "torch", "project"]


def test_moved_checkout_is_set_up_again(environment: Environment, calls: list[str]) -> None:
    environment.set_up(ALL, _nothing)
    known = json.loads(environment.stamp.read_text(encoding="utf-8"))
    environment.stamp.write_text(json.dumps(known | {"root": "elsewhere"}), encoding="utf-8")
    assert not environment.ready(ALL)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"groups": {}}', '"x"'])
def test_damaged_stamp_is_no_stamp(environment: Environment, calls: list[str], text: str) -> None:
    environment.set_up(ALL, _nothing)
    environment.stamp.write_text(text, encoding="utf-8")
    assert not environment.ready(ALL)
    environment.set_up(ALL, _nothing)
    assert environment.ready(ALL)


def test_without_torch_the_rest_goes_on_and_the_next_run_tries_again(
    environment: Environment, calls: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    calls.append("torch fails")
    environment.set_up(ALL, _nothing)
    assert "ONNX voices work without torch" in capsys.readouterr().out
    assert environment.ready(("base", "espeak"))
    assert not environment.ready(ALL)
    calls.clear()
    environment.set_up(ALL, _nothing)
    assert calls == ["torch"]


def test_checks_do_not_go_on_without_torch(environment: Environment, calls: list[str]) -> None:
    calls.append("torch fails")
    with pytest.raises(Fault, match="torch does not come"):
        environment.set_up((*ALL, "test"), _nothing)
    assert not environment.ready(("base",))


def test_torch_is_chosen_again_on_request(environment: Environment, calls: list[str]) -> None:
    environment.set_up(ALL, _nothing)
    calls.clear()
    environment.set_up(ALL, _nothing, torch_kind="cuda", torch_again=True)
    assert calls == ["torch cuda"]


def test_foreign_folder_in_the_way_is_left_alone(environment: Environment, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    environment.folder.mkdir()
    (environment.folder / "thesis.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(Fault, match="move it away"):
        environment.set_up(("base",), _nothing)
    assert (environment.folder / "thesis.txt").read_text(encoding="utf-8") == "mine"
