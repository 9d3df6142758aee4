import importlib.metadata
import json
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path

import pytest

from arena_desktop.cli import doctor as command
from arena_desktop.domain.roster import ArenaSpec, ModelSpec, Roster
from arena_desktop.engines.placement import GB, Gpu, Machine, Torch
from arena_desktop.engines.types import FailureKind, Missing, SpeechFailure
from arena_desktop.errors import ArenaError
from arena_desktop.paths import AppPaths, app_paths
from arena_desktop.services import doctor, doctor_sound
from arena_desktop.services.doctor import Finding, Level
from arena_desktop.services.environments import Environments
from arena_desktop.services.examination import Examination
from arena_desktop.store.recipe_reader import load_recipes
from arena_desktop.store.roster_file import load_roster

LINUX = Machine("Linux", "x86_64", 4, 8 * GB)
CARD = Gpu("Some Card", 24 * GB, "580.10")
ROSTER = Roster(
    {name: ModelSpec(name, name.upper()) for name in ("a/a", "b/b", "c/c")},
    {"one": ArenaSpec("one", ("a/a", "b/b"), title="One"), "two": ArenaSpec("two", ("b/b", "c/c"), title="Two")},
)


class Host:
    """A speech host for which only the models in ``ready`` are there."""

    def __init__(self, *ready: str) -> None:
        self.ready = ready
        self.machine = LINUX

    def check(self, model: ModelSpec) -> Sequence[Missing]:
        if model.repo_id == "c/c":
            raise SpeechFailure(FailureKind.CRASH, model.repo_id, "The engine crashed.", "Install it anew.")
        return [] if model.repo_id in self.ready else [Missing("its file", "Fetch it.")]


def only(findings: list[Finding]) -> Finding:
    [one] = findings
    return one


def test_a_missing_library_is_a_fault_and_an_optional_one_a_note() -> None:
    def version_of(package: str) -> str:
        if package in ("numpy", "torch"):
            raise importlib.metadata.PackageNotFoundError(package)
        return "1.2.3"

    found = {one.what.split()[0]: one for one in doctor.look_at_versions(version_of)}
    assert found["numpy"].level is Level.FAULT
    assert found["numpy"].remedy.endswith('bootstrap.py" run')
    assert found["torch"].level is Level.NOTE
    assert found["soxr"] == Finding("libraries", Level.OK, "soxr 1.2.3")


@pytest.mark.parametrize(
    ("machine", "level", "remedy"),
    [
        (LINUX, Level.OK, ""),
        (Machine("Linux", "x86_64", 4, GB, (CARD,), Torch("2.13.0+cpu", None)), Level.WARNING, 'bootstrap.py" torch'),
        (Machine("Linux", "x86_64", 4, GB, (CARD,), None), Level.WARNING, 'bootstrap.py" torch'),
        (Machine("Linux", "x86_64", 4, GB, (CARD,), Torch("2.13.0", "13.0")), Level.OK, ""),
        (Machine("Darwin", "arm64", 4, GB, (), Torch("2.13.0", None)), Level.OK, ""),
    ],
)
def test_a_gpu_that_torch_cannot_use_is_told_with_the_command_that_mends_it(
    machine: Machine, level: Level, remedy: str
) -> None:
    found = doctor.look_at_gpu(machine, "/env/python")
    assert found.level is level
    assert remedy in found.remedy
    assert bool(found.remedy) == (level is not Level.OK)


def test_the_data_directory_is_not_made_by_looking(tmp_path: Path) -> None:
    data = tmp_path / "deep" / "data"
    findings = doctor.look_at_folder(data, lambda path: 10 * GB)
    assert [one.level for one in findings] == [Level.OK, Level.OK]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("free", "level"), [(10 * GB, Level.OK), (GB, Level.WARNING), (1, Level.FAULT)])
def test_free_space(tmp_path: Path, free: int, level: Level) -> None:
    found = doctor.look_at_folder(tmp_path, lambda path: free)[-1]
    assert (found.area, found.level) == ("space", level)


def test_settings_that_are_damaged_or_not_allowed_are_said_and_stay(tmp_path: Path) -> None:
    file = tmp_path / "settings.json"
    assert doctor.look_at_settings(file) == []
    file.write_text('{"theme": "dark"}')
    assert only(doctor.look_at_settings(file)).level is Level.OK
    for content, words in (("{", "are damaged (it is no JSON)"), ('{"theme": 5}', "The setting theme must be one of")):
        file.write_text(content)
        found = only(doctor.look_at_settings(file))
        assert (found.area, found.level, words in found.what) == ("settings", Level.WARNING, True)
        assert str(file) in found.remedy
        assert file.read_text() == content


def test_a_data_directory_that_cannot_be_written(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    found = only(doctor.look_at_folder(blocked / "data"))
    assert found.level is Level.FAULT
    assert "--data-dir" in found.remedy


@pytest.mark.parametrize(
    ("system", "environment", "level"),
    [
        ("Linux", {}, Level.FAULT),
        ("Linux", {"DISPLAY": ""}, Level.FAULT),
        ("Linux", {"DISPLAY": ":0"}, Level.OK),
        ("Linux", {"WAYLAND_DISPLAY": "wayland-0"}, Level.OK),
        ("Windows", {}, Level.OK),
        ("Darwin", {}, Level.OK),
    ],
)
def test_display(system: str, environment: dict[str, str], level: Level) -> None:
    assert doctor.look_at_display(system, environment).level is level


def test_screen_libraries() -> None:
    assert doctor.look_at_screen_libraries("Windows", lambda name: None) == []
    assert doctor.look_at_screen_libraries("Linux", lambda name: f"lib{name}.so") == []
    missing = doctor.look_at_screen_libraries("Linux", lambda name: None if name == "xcb-cursor" else name)
    assert "libxcb-cursor0" in only(missing).remedy


def test_portaudio() -> None:
    assert doctor_sound.look_at_portaudio("Linux", lambda name: "libportaudio.so.2").level is Level.OK
    assert doctor_sound.look_at_portaudio("Windows", lambda name: None, lambda name: object()).level is Level.OK
    missing = doctor_sound.look_at_portaudio("Linux", lambda name: None, lambda name: None)
    assert missing.level is Level.FAULT
    assert "libportaudio2" in missing.remedy


def test_devices() -> None:
    def broken() -> Sequence[str]:
        raise ArenaError("The sound system does not answer.", "Try again.")

    assert [one.level for one in doctor_sound.look_at_devices(lambda: ["Speaker"], None)] == [Level.OK]
    assert only(doctor_sound.look_at_devices(list, None)).level is Level.FAULT
    assert only(doctor_sound.look_at_devices(broken, None)).remedy == "Try again."
    gone = doctor_sound.look_at_devices(lambda: ["Speaker"], "Headset")[-1]
    assert gone.level is Level.WARNING
    assert "Headset" in gone.what


def test_each_fault_of_the_roster_is_a_line(tmp_path: Path) -> None:
    path = tmp_path / "r.yaml"
    path.write_text("models:\n- {repo_id: bad, name: A}\n- {repo_id: a/a}\n")
    findings = doctor.look_at_roster(lambda: load_roster(tmp_path / "none", path))
    assert [one.level for one in findings] == [Level.FAULT, Level.FAULT]
    assert f"{path}, line 2" in findings[0].what
    assert all(one.remedy.endswith(".") for one in findings)
    assert only(doctor.look_at_roster(lambda: ROSTER)).what == "3 models in 2 arenas"


def test_models_and_the_arenas_that_cannot_open() -> None:
    findings = doctor.look_at_models(ROSTER, Host("a/a", "b/b"))
    assert [(one.area, one.level, one.remedy) for one in findings] == [
        ("models", Level.OK, ""),
        ("models", Level.OK, ""),
        ("models", Level.WARNING, "Install it anew."),
        ("arenas", Level.FAULT, "Get what its models lack."),
    ]
    assert "Two" in findings[-1].what
    lacking = doctor.look_at_models(ROSTER, Host())[0]
    assert (lacking.what, lacking.remedy) == ("A/A lacks its file", "Fetch it.")


class App:
    """The composed program, as far as the command asks it."""

    def __init__(self, data: Path, roster_file: Path | None = None) -> None:
        self.paths: AppPaths = app_paths(data)
        self.host = Host("a/a", "b/b")
        self.environments = Environments(self.paths.environments, load_recipes, self.paths.logs)
        self._file = roster_file

    @property
    def roster(self) -> Roster:
        return ROSTER if self._file is None else load_roster(self.paths.roster, self._file)


def run(words: list[str], app: App, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(command, "list_devices", lambda runtime: ("Speaker",))
    parser = ArgumentParser()
    command.add_parser(parser.add_subparsers())
    args = parser.parse_args(["doctor", *words])
    status: int = args.func(args, app)
    return status


def test_the_report_as_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([], App(tmp_path), monkeypatch) == 0
    out = capsys.readouterr().out
    assert "ok       Output device: Speaker\n" in out
    assert "FAULT    The arena Two needs two ready models and has 1.\n         Get what its models lack.\n" in out
    assert out.splitlines()[-1].endswith(("warnings.", "warning."))


def test_the_report_as_json(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["--json"], App(tmp_path), monkeypatch) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["schema"], report["ok"]) == (1, False)
    assert {"area": "devices", "level": "ok", "what": "Output device: Speaker", "remedy": ""} in report["findings"]


def test_sound_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["audio", "--json"], App(tmp_path), monkeypatch) == 0
    report = json.loads(capsys.readouterr().out)
    assert {one["area"] for one in report["findings"]} == {"sound", "devices"}


def test_a_faulty_roster_does_not_end_the_report_early(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "r.yaml"
    path.write_text("models: 5")
    assert run(["--json"], App(tmp_path, path), monkeypatch) == 0
    areas = [one["area"] for one in json.loads(capsys.readouterr().out)["findings"]]
    assert "roster" in areas
    assert "models" not in areas


def test_nothing_is_touched_by_looking(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    (data / "settings.json").write_text("damaged")
    paths = app_paths(data)
    kept = Environments(paths.environments, load_recipes, paths.logs)
    examination = Examination(paths, lambda: ROSTER, lambda: Host("a/a"), lambda: ("Speaker",), lambda: kept)
    assert list(examination.everything())
    assert [path.name for path in data.iterdir()] == ["settings.json"]


def test_everything_fine_is_said_so() -> None:
    assert command.summary([Finding("x", Level.OK, "y"), Finding("x", Level.NOTE, "z")]).startswith("Everything")
    assert command.summary([Finding("x", Level.FAULT, "y")]) == "1 fault, 0 warnings.\n"
