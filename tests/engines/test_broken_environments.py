"""A model whose environment is broken says so, and a model that is broken itself does not blame its environment."""

from pathlib import Path

import pytest

from arena_desktop.domain.roster import ModelSpec
from arena_desktop.engines.interpreter import Interpreter
from arena_desktop.engines.types import FailureKind, SpeechFailure
from arena_desktop.errors import ArenaError
from tests.engines.conftest import MakeHost

TEXT = "Some words to speak."


def model(folder: Path, package: str, python: str | None = None) -> ModelSpec:
    files = {"folder": str(folder), "package": package}
    return ModelSpec("test/importing", "Importing", engine="importing", files=files, python=python)


def failing(make_host: MakeHost, spec: ModelSpec, out: Path) -> SpeechFailure:
    with pytest.raises(SpeechFailure) as caught:
        make_host().speak(spec, TEXT, None, out)
    return caught.value


@pytest.mark.parametrize(
    ("content", "kind", "words"),
    [
        (
            "raise SystemError('no such thing')\n",
            "environment",
            "odd_one is installed, but its import fails: SystemError",
        ),
        ("import not_there\n", "environment", "odd_one is installed, but its import fails: it asks for not_there"),
        ("from os import no_such\n", "environment", "odd_one is installed, but its import fails: cannot import name"),
        ("1 +\n", "environment", "odd_one is installed, but its import fails: SyntaxError"),
        ("def load():\n    import not_there\n", "environment", "The package not_there isn't installed."),
        ("def load():\n    raise ValueError('bad weights')\n", "engine", "ValueError: bad weights"),
        ("def load():\n    raise RuntimeError('x') from ImportError('y', name='z')\n", "environment", "z"),
    ],
)
def test_what_fails_in_an_import_is_the_environments_fault(
    make_host: MakeHost, tmp_path: Path, content: str, kind: str, words: str
) -> None:
    site = tmp_path / "site-packages"
    site.mkdir()
    (site / "odd_one.py").write_text(content)
    failure = failing(make_host, model(site, "odd_one"), tmp_path / "a.wav")
    assert failure.kind is FailureKind(kind)
    assert words in failure.message


def test_a_package_that_is_not_there_at_all(make_host: MakeHost, tmp_path: Path) -> None:
    failure = failing(make_host, model(tmp_path, "nowhere_to_be_found"), tmp_path / "a.wav")
    assert failure.kind is FailureKind.ENVIRONMENT
    assert "The package nowhere_to_be_found isn't installed." in failure.message


def test_an_environment_that_is_not_made_is_told_with_what_makes_it(make_host: MakeHost, tmp_path: Path) -> None:
    def not_made(name: str) -> Path:
        raise ArenaError(f"The environment {name} isn't made yet.", "Press Set up.")

    host = make_host(environment_of=not_made)
    with pytest.raises(SpeechFailure) as caught:
        host.check(model(tmp_path, "json", "env:xtts"))
    assert caught.value.kind is FailureKind.ENVIRONMENT
    assert "The environment xtts isn't made yet." in caught.value.message
    assert caught.value.remedy == "Press Set up."
    host.renew("env:xtts")
    assert host.failures("test/importing").counts == {}, "a look is no failure"


def test_the_program_behind_each_way_to_name_a_python(tmp_path: Path) -> None:
    environment = tmp_path / "bin"
    environment.mkdir()
    (environment / "python").write_text("")
    assert Interpreter(str(tmp_path)).program() == str(environment / "python")
    assert Interpreter("python3.12").program() == "python3.12"
    assert Interpreter("env:xtts", lambda name: tmp_path / name).program() == str(tmp_path / "xtts")
    assert "environments make xtts" in Interpreter("env:xtts").remedy()
    assert Interpreter("/x/python").remedy("Run: this") == "Run: this"
    with pytest.raises(ArenaError):
        Interpreter("env:xtts").program()


def test_a_broken_environment_of_ours_is_mended_by_setting_it_up_again(make_host: MakeHost, tmp_path: Path) -> None:
    fake = tmp_path / "python"
    fake.write_text("#!/bin/sh\necho no encodings >&2\nexit 1\n")
    fake.chmod(0o755)
    host = make_host(environment_of=lambda name: fake)
    with pytest.raises(SpeechFailure) as caught:
        host.speak(model(tmp_path, "json", "env:xtts"), TEXT, None, tmp_path / "a.wav")
    assert caught.value.kind is FailureKind.ENVIRONMENT
    assert "its environment xtts is broken, not the model" in caught.value.message
    assert "no encodings" in caught.value.message
    assert "arena-desktop environments make xtts" in caught.value.remedy


def test_a_program_that_is_no_python_is_never_given_a_file(make_host: MakeHost, tmp_path: Path) -> None:
    given = tmp_path / "given"
    program = tmp_path / "remover"
    program.write_text(f'#!/bin/sh\n[ "$1" = -c ] && exit 1\necho "$@" > "{given}"\n')
    program.chmod(0o755)
    spec = ModelSpec("test/odd", "Odd", engine="command", settings={"argv": ["true"]}, python=str(program))
    for ask in (make_host().check, make_host().identify):
        with pytest.raises(SpeechFailure, match="is no Python that works") as caught:
            ask(spec)
        assert caught.value.kind is FailureKind.ENVIRONMENT
    assert not given.exists()


def test_a_python_that_gives_no_answer_is_asked_once_for_all_its_models(
    make_host: MakeHost, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena_desktop.engines.environments.looking.PATIENCE_S", 1.0)
    python, asked = tmp_path / "python", tmp_path / "asked"
    python.write_text(f"#!/bin/sh\necho once >>'{asked}'\nsleep 1000\n")
    python.chmod(0o755)
    host = make_host()
    for name in ("one", "two", "three"):
        with pytest.raises(SpeechFailure, match="gave no answer within 1 s") as caught:
            host.check(ModelSpec(f"test/{name}", name, engine="importing", python=str(python)))
        assert caught.value.message.startswith(f"{name}: ")
    assert asked.read_text() == "once\n"
    monkeypatch.setattr("arena_desktop.engines.slot.HUNG_S", -1.0)
    host = make_host()
    for _ in range(2):  # it may have been mended
        with pytest.raises(SpeechFailure):
            host.check(model(tmp_path, "json", str(python)))
    assert asked.read_text() == "once\n" * 3
