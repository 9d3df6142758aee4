"""An environment made for real by the program's own command: killed in the middle, made again, broken, removed."""

import re
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from arena_desktop.store.recipe_reader import shipped_recipes
from tests.helpers.evidence import evidence
from tests.helpers.program import command, run, run_json
from tests.helpers.wheels import repacked, use_wheels

ROSTER = """\
schema: 1
models:
  - repo_id: test/robot
    name: Robot
    engine: espeak
    files: {package: espeakng-loader, voice: en-us}
    python: env:espeak
  - repo_id: test/strange
    name: Strange
    engine: espeak
    files: {package: espeakng-loader, voice: no-such-voice}
    python: env:espeak
  - {repo_id: test/pico, name: Pico, engine: pico, files: {package: py-nanotts, voice: en-US}}
arenas:
  - {id: x, models: [test/robot, test/pico]}
"""
PATIENCE_S = 30.0


class Bench:
    """One data directory, and the commands on it."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.roster = data / "roster.yaml"
        self.folder = data / "environments" / "espeak"
        data.mkdir(parents=True, exist_ok=True)
        self.roster.write_text(ROSTER)

    def words(self, *words: str) -> list[str]:
        return ["--data-dir", str(self.data), "--roster", str(self.roster), *words]

    def start_making(self) -> "subprocess.Popen[bytes]":
        with (self.data / "making.txt").open("ab") as out:
            making = self.words("environments", "make", "espeak", "--accept-licence")
            return subprocess.Popen(command(*making), stdin=subprocess.DEVNULL, stdout=out, stderr=out)

    def make(self) -> float:
        """Make it to the end; gives the seconds."""
        began = time.monotonic()
        done = run(*self.words("environments", "make", "espeak", "--accept-licence"), within=600)
        assert done.returncode == 0, done.stderr
        return time.monotonic() - began

    def whole(self) -> bool:
        found = run_json(*self.words("environments", "list"))["environments"]
        return any(one["whole"] and not one["wrong"] for one in found)

    def check(self) -> dict[str, tuple[bool, str, str]]:
        """Each model: whether it spoke, else the kind of failure and the words."""
        done = run(*self.words("models", "check", "--json"))
        found = re.findall(
            r'"repo_id": "(test/\w+)".*?"ok": (true|false), "kind": (null|"\w+"), "detail": "(.*?)"[,}]', done.stdout
        )
        assert len(found) == 3, done.stdout + done.stderr
        return {name: (ok == "true", kind.strip('"'), words) for name, ok, kind, words in found}

    def at_work(self) -> list[int]:
        """Processes that still work on the environment."""
        found = []
        for process in psutil.process_iter(["cmdline", "status"]):
            line = " ".join(process.info["cmdline"] or ())
            if str(self.folder) in line and process.info["status"] != psutil.STATUS_ZOMBIE:
                found.append(process.pid)
        return found


def _site(folder: Path) -> Path:
    return next(folder.glob("lib/python3*/site-packages"))


def _no_numpy(folder: Path) -> None:
    shutil.rmtree(_site(folder) / "numpy")


def _failing_numpy(folder: Path) -> None:
    (_site(folder) / "numpy" / "__init__.py").write_text("import nothing_of_that_name\n")


def _failing_package(folder: Path) -> None:
    (_site(folder) / "espeakng_loader" / "__init__.py").write_text("raise AttributeError('numpy.float is gone')\n")


def _no_package(folder: Path) -> None:
    shutil.rmtree(_site(folder) / "espeakng_loader")


def _no_base(folder: Path) -> None:
    (folder / "bin" / "python").unlink()
    (folder / "bin" / "python").symlink_to("/nowhere/bin/python3")


def _old_python(folder: Path) -> None:
    (folder / "bin" / "python").unlink()
    fake = folder / "bin" / "python"
    fake.write_text('#!/bin/sh\necho \'{"version": [3, 8, 1], "numpy": "1.0", "fault": null}\'\n')
    fake.chmod(0o755)


def _half_made(folder: Path) -> None:
    (folder / "environment.json").write_text('{"schema": 1, "name": "espeak", "recipe": "espeak", "finished": false}')


WAYS: list[tuple[Callable[[Path], None], str, str]] = [
    (_no_numpy, "environment", "numpy isn't installed"),
    (_no_base, "environment", "is gone"),
    (_failing_package, "environment", "espeakng_loader is installed, but its import fails: AttributeError"),
    (_half_made, "environment", "was interrupted"),
    (_failing_numpy, "environment", "numpy is installed"),
    (_old_python, "environment", "is Python 3.8.1"),
    (_no_package, "missing", "espeakng-loader"),
]


@pytest.mark.proof("environments")
@pytest.mark.timeout(3600)
def test_an_environment_survives_whatever_happens_to_it(
    tmp_path: Path, full_counts: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = Bench(tmp_path / "data")
    figures: dict[str, float | int | str] = {}
    if full_counts:
        figures["made_s"] = _make_and_remove(bench)
    else:
        _use_what_is_here(tmp_path, bench.data, monkeypatch)
    kills, ways = (10, WAYS) if full_counts else (1, WAYS[:2])

    half = 0
    for number in range(kills):
        making = bench.start_making()
        _until(bench.folder.exists, "it begins")
        time.sleep(float(figures.get("made_s", 1.0)) * (number + 0.5) / kills * 0.8)
        making.kill()
        making.wait()
        _until(lambda: not bench.at_work(), "all that it started ends")
        if full_counts and bench.whole():  # it was done already
            assert bench.check()["test/robot"][0]
            assert run(*bench.words("environments", "remove", "espeak")).returncode == 0
            continue
        half += bench.folder.exists()
        spoke, kind, words = bench.check()["test/robot"]
        assert (spoke, kind) == (False, "environment"), words
    figures |= {"kills": kills, "left_half_made": half, "taken_for_whole_while_half": 0}

    figures["made_again_s"] = round(bench.make(), 1)
    sound = bench.check()
    assert sound["test/robot"][0], sound
    assert not sound["test/strange"][0]
    assert sound["test/strange"][1] != "environment", "a broken model doesn't blame its environment"
    (listed,) = run_json(*bench.words("environments", "list"))["environments"]
    assert (listed["whole"], listed["wrong"]) == (True, "")

    copy = tmp_path / "whole"
    shutil.copytree(bench.folder, copy, symlinks=True)
    for damage, kind, words in ways:
        damage(bench.folder)
        found = bench.check()
        assert found["test/robot"][:2] == (False, kind), (damage.__name__, found)
        assert words in found["test/robot"][2], (damage.__name__, found)
        assert "environments make espeak" in found["test/robot"][2], (damage.__name__, found)
        assert found["test/pico"][0], "another model goes on speaking"
        if full_counts:
            assert not bench.whole(), damage.__name__
            shutil.rmtree(bench.folder)
            shutil.copytree(copy, bench.folder, symlinks=True)
    if full_counts:
        ways[0][0](bench.folder)
        bench.make()
        assert bench.check()["test/robot"][0], "what was broken is made anew"

    assert run(*bench.words("doctor", "--remove-environment", "espeak")).returncode == 0
    assert not bench.folder.exists()
    figures |= {"ways_of_breaking_told": len(ways), "size_mb": round(listed["size_bytes"] / 1e6, 1)}
    evidence(
        "environments",
        figures,
        holds=half > 0,
        claim="An environment killed with -9 in its making never counts as whole, leaves no process behind, and is made"
        " anew; a model speaks in it; each way of breaking it is told apart from a broken model; it can be removed.",
    )


def _make_and_remove(bench: Bench) -> float:
    """The seconds that an undisturbed making takes."""
    seconds = round(bench.make(), 1)
    assert bench.check()["test/robot"][0]
    assert run(*bench.words("environments", "remove", "espeak")).returncode == 0
    assert bench.check()["test/robot"][1] == "environment"
    return seconds


def _until(happened: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + PATIENCE_S
    while not happened():
        assert time.monotonic() < end, f"never happened: {what}"
        time.sleep(0.05)


def _use_what_is_here(tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same packages at the versions that are installed here, as wheels on this disk: no index is asked."""
    wheels = tmp_path / "wheels"
    built = [repacked(wheels, name) for name in ("numpy", "espeakng-loader")]
    use_wheels(monkeypatch, wheels, tmp_path / "pip-cache")
    pins = [f"{path.name.split('-')[0].replace('_', '-')}=={path.name.split('-')[1]}" for path in built]
    text = (shipped_recipes() / "espeak.yaml").read_text(encoding="utf-8")
    kept = re.sub(r"packages:\n(?:  - .*\n)+", f"packages: {pins}\n", text)
    (data / "recipes").mkdir(parents=True)
    (data / "recipes" / "espeak.yaml").write_text(kept, encoding="utf-8")
