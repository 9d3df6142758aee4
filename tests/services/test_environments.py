"""Environments, made for real by venv and pip from wheels on this disk: whole, interrupted, broken, removed."""

import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from arena_desktop.domain.recipes import Pin, PythonRange, Recipe, Torch, read_pin
from arena_desktop.domain.roster import ModelSpec
from arena_desktop.engines.environments.looking import look
from arena_desktop.engines.environments.pythons import Python
from arena_desktop.errors import ArenaError
from arena_desktop.services.cancelling import Cancelled
from arena_desktop.services.environments import Environments, Making
from arena_desktop.store.recipe_reader import Recipes
from tests.helpers.wheels import installed, make_slow_source, make_wheel, use_wheels

SLOW_S = 60.0


def pins(*texts: str) -> tuple[Pin, ...]:
    found = [read_pin(text) for text in texts]
    return tuple(pin for pin in found if pin is not None)


SMALL = Recipe("small", "Small", "acting", pins("numpy==9.9", "spoken==1.0"), 0.001, "MIT")
SLOW = Recipe("slow", "Slow", "acting", pins("numpy==9.9", "slow==1.0"), 0.001, "MIT", from_source=("slow",))


def still(making: Making) -> None:
    """Progress that nobody looks at."""


@pytest.fixture
def wheels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "wheels"
    make_wheel(folder, "numpy", "9.9", {"numpy/__init__.py": "__version__ = '9.9'\n"})
    make_wheel(folder, "spoken", "1.0", {"spoken/__init__.py": "WORD = 'hello'\n"}, needs="numpy")
    make_slow_source(folder, "slow", "1.0", SLOW_S, tmp_path / "mark")
    use_wheels(monkeypatch, folder, tmp_path / "pip-cache")
    return folder


@pytest.fixture
def mark(tmp_path: Path) -> Path:
    """Where the slow package's build leaves its process id."""
    return tmp_path / "mark"


@pytest.fixture
def kept(tmp_path: Path, wheels: Path) -> Environments:
    recipes = Recipes({recipe.id: recipe for recipe in (SMALL, SLOW)})
    return Environments(tmp_path / "environments", lambda: recipes, tmp_path / "logs")


@pytest.fixture
def nothing_left() -> Iterator[None]:
    yield
    assert psutil.Process().children(recursive=True) == []


def wait_for(happened: Callable[[], object], what: str, within: float = 60.0) -> None:
    end = time.monotonic() + within
    while not happened():
        assert time.monotonic() < end, f"never happened: {what}"
        time.sleep(0.02)


def has_ended(process: int) -> bool:
    """Whether it is gone, or waits for nothing but to be counted off by whoever adopted it."""
    try:
        return bool(psutil.Process(process).status() == psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return True


def refused(work: Callable[[], object]) -> ArenaError:
    with pytest.raises(ArenaError) as caught:
        work()
    return caught.value


def says(python: Path, code: str) -> str:
    return subprocess.run([python, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def test_a_build_of_torch_whose_needs_are_not_to_be_had_gives_way_to_the_next(kept: Environments, wheels: Path) -> None:
    make_wheel(wheels, "torch", "9.9+cpu", {"torch/__init__.py": "CPU = True\n"}, needs="not-to-be-had")
    make_wheel(wheels, "torch", "9.9", {"torch/__init__.py": "CPU = False\n"})
    recipe = Recipe("plain", "Plain", "acting", pins("torch==9.9", "numpy==9.9"), 0.001, "MIT", torch=Torch.CPU)
    heard: list[Making] = []
    made = kept.make(recipe, heard.append)
    assert installed(made.packages) == {"torch": "9.9", "numpy": "9.9"}
    tried = list(dict.fromkeys(making.words for making in heard if making.words.startswith("torch: the")))
    assert len(tried) == 2, tried


@pytest.mark.usefixtures("nothing_left")
def test_an_environment_is_made_noted_found_and_removed(kept: Environments, tmp_path: Path) -> None:
    heard: list[Making] = []
    made = kept.make(SMALL, heard.append)
    assert made.finished
    assert installed(made.packages) == {"numpy": "9.9", "spoken": "1.0"}
    assert made.python == ".".join(str(part) for part in sys.version_info[:3])
    python = kept.interpreter("small")
    assert says(python, "import spoken; print(spoken.WORD)") == "hello"
    assert "small" in says(python, "import sys; print(sys.prefix)")

    shares = [making.done for making in heard]
    assert shares == sorted(shares), "progress never goes back"
    assert {making.total for making in heard} == {1_000_000}
    assert any("spoken" in making.words for making in heard)
    assert not (made.folder / "tmp").exists()
    assert "spoken" in (tmp_path / "logs" / "environment-small.log").read_text()

    user = ModelSpec("a/a", "A", engine="acting", python="env:small")
    (state,) = kept.examine([user])
    assert (state.wrong, state.outdated, state.models) == ("", False, ("a/a",))
    assert kept.made() == {"small": "small"}
    assert kept.lacking(["small", "unheard-of", "../x"]) == {}

    note = (made.folder / "environment.json").stat().st_mtime_ns
    assert kept.make(SMALL, still) == made
    assert (made.folder / "environment.json").stat().st_mtime_ns == note, "a whole one is not made again"

    (made.folder / "lib").chmod(0o500)  # a package may bring what only root could delete
    assert kept.remove("small") > 1000
    assert kept.list() == ()
    assert "isn't made yet" in refused(lambda: kept.interpreter("small")).message
    assert "no environment small" in refused(lambda: kept.remove("small")).message


@pytest.mark.usefixtures("nothing_left")
def test_cancelled_in_the_middle_it_is_gone_within_a_second_with_all_that_it_started(
    kept: Environments, mark: Path
) -> None:
    began: list[float] = []

    def cancel_once_it_builds(making: Making) -> None:
        if mark.exists() and mark.read_text():
            began.append(time.monotonic())
            raise Cancelled

    with pytest.raises(Cancelled):
        kept.make(SLOW, cancel_once_it_builds)
    wait_for(lambda: has_ended(int(mark.read_text())), "the build ends", within=5.0)
    assert time.monotonic() - began[0] < SLOW_S / 2
    assert kept.list() == ()


MAKER = """
import sys
from pathlib import Path
from arena_desktop.domain.recipes import Recipe, read_pin
from arena_desktop.services.environments import Environments
from arena_desktop.store.recipe_reader import Recipes
root = Path(sys.argv[1])
recipe = Recipe("slow", "Slow", "acting", (read_pin("numpy==9.9"), read_pin("slow==1.0")), 0.001, "MIT",
                from_source=("slow",))
Environments(root / "environments", lambda: Recipes({}), root / "logs").make(recipe, lambda making: None)
"""


def test_killed_in_the_middle_nothing_goes_on_and_nothing_counts_as_whole(
    kept: Environments, tmp_path: Path, wheels: Path, mark: Path
) -> None:
    maker = subprocess.Popen([sys.executable, "-c", MAKER, str(tmp_path)])
    try:
        wait_for(lambda: mark.exists() and mark.read_text(), "the package is being built")
        builder = int(mark.read_text())
        assert "being made" in refused(lambda: kept.interpreter("slow")).message
        assert "being made" in refused(lambda: kept.remove("slow")).message
    finally:
        maker.kill()
        maker.wait()
    wait_for(lambda: has_ended(builder), "the orphans end by themselves")

    (left,) = kept.list()
    assert not left.finished
    assert "interrupted" in refused(lambda: kept.interpreter("slow")).message
    assert "environments make slow" in refused(lambda: kept.interpreter("slow")).remedy
    assert set(kept.lacking(["slow"])) == {"slow"}
    made = kept.make(replace(SMALL, id="slow"), still)
    assert made.finished
    assert says(kept.interpreter("slow"), "import spoken; print(spoken.WORD)") == "hello"


@pytest.mark.usefixtures("nothing_left")
def test_two_that_make_the_same_one_at_once_make_it_once(kept: Environments, tmp_path: Path) -> None:
    other = Environments(tmp_path / "environments", lambda: Recipes({}), tmp_path / "other-logs")
    entered = threading.Event()
    heard: list[str] = []
    results: list[object] = []

    def slowly(making: Making) -> None:
        entered.set()
        wait_for(lambda: heard, "the other one waits")

    first = threading.Thread(target=lambda: results.append(kept.make(SMALL, slowly)))
    first.start()
    assert entered.wait(60)
    second = other.make(SMALL, lambda making: heard.append(making.words))
    first.join()
    assert results == [second]
    assert "another program makes this environment" in heard[0]
    assert not (tmp_path / "other-logs").exists(), "nothing was made a second time"


def test_what_cannot_be_made_is_told_before_anything_is_done(kept: Environments, tmp_path: Path) -> None:
    full = Environments(tmp_path / "full", lambda: Recipes({}), tmp_path / "logs", free=lambda folder: 1_000_000)
    fault = refused(lambda: full.make(replace(SMALL, size_gb=5.0), still))
    assert "needs 7.5 GB while it is set up" in fault.message
    assert "1.0 MB are free" in fault.message

    there = (Python("/usr/bin/python3.8", (3, 8, 1)), Python("/usr/bin/python3.12", (3, 12, 4), venv=False))
    elsewhere = Environments(tmp_path / "e", lambda: Recipes({}), tmp_path / "logs", find_pythons=lambda: there)
    fault = refused(lambda: elsewhere.make(replace(SMALL, python=PythonRange((3, 99))), still))
    assert "needs Python 3.99 or newer; on this machine are: 3.8.1, 3.12.4" in fault.message
    assert "Install Python 3.99" in fault.remedy
    fault = refused(lambda: elsewhere.make(replace(SMALL, python=PythonRange((3, 12), (3, 13))), still))
    assert ("/usr/bin/python3.12 is one, but it can't make environments" in fault.message) or sys.version_info[:2] == (
        3,
        12,
    )
    assert "recipe" in refused(lambda: kept.recipe("no-such")).message
    assert "can't be the name" in refused(lambda: kept.make(SMALL, still, name="../up")).message
    assert kept.list() == ()


@pytest.mark.usefixtures("nothing_left")
def test_packages_that_cannot_be_had_are_told_in_words_and_nothing_is_left(
    kept: Environments, monkeypatch: pytest.MonkeyPatch
) -> None:
    fault = refused(lambda: kept.make(replace(SMALL, packages=pins("spoken==2.0")), still))
    assert "has no spoken==2.0 for this machine" in fault.message
    monkeypatch.delenv("PIP_NO_INDEX")
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_RETRIES", "1")
    fault = refused(lambda: kept.make(replace(SMALL, packages=pins("unheard-of==2.0")), still))
    assert "no package index can be reached" in fault.message
    assert kept.list() == ()


@pytest.mark.usefixtures("nothing_left")
def test_a_broken_environment_says_what_is_broken_and_is_made_again(kept: Environments) -> None:
    made = kept.make(SMALL, still)
    python = kept.interpreter("small")
    site = next(made.folder.glob("lib/python3*/site-packages"))
    numpy = site / "numpy" / "__init__.py"

    def wrong() -> str:
        (state,) = kept.examine()
        if "missing or changed" not in state.wrong:  # the quick look doesn't count files
            assert set(kept.lacking(["small"])) == ({"small"} if state.wrong else set())
        return state.wrong

    assert wrong() == ""
    (site / "spoken" / "__init__.py").write_text("")
    assert "Files are missing or changed in it: spoken" in wrong()
    whole = numpy.read_text()
    numpy.write_text("import not_there_at_all\n")
    assert "numpy is installed" in wrong()
    assert "not_there_at_all" in wrong()
    numpy.write_text("raise AttributeError('np.float is gone')\n")
    assert "its import fails: AttributeError: np.float is gone" in wrong()
    shutil.rmtree(site / "numpy")
    assert "numpy isn't installed" in wrong()
    assert "-m pip install numpy" in look(python).remedy
    configured = (made.folder / "pyvenv.cfg").read_text()
    (site / "numpy").mkdir()
    numpy.write_text(whole)
    (made.folder / "pyvenv.cfg").write_text(configured.replace("version = 3.", "version = 2."))
    assert "was made with Python 2." in wrong()
    python.unlink()
    python.symlink_to("/nowhere/python3.1")
    assert "made from (/nowhere/python3.1) is gone" in wrong()
    assert not kept.is_whole("small")

    again = kept.make(SMALL, still)
    assert (again.finished, wrong()) == (True, "")
    assert says(kept.interpreter("small"), "import spoken; print(spoken.WORD)") == "hello"
    (again.folder / "environment.json").write_text("{")
    assert "isn't whole" in refused(lambda: kept.interpreter("small")).message


@pytest.mark.parametrize(
    ("script", "words"),
    [
        (
            'echo \'{"version": [3, 8, 1], "numpy": "1.0", "fault": null}\'',
            "is Python 3.8.1; models run under Python 3.9",
        ),
        ("echo ModuleNotFoundError: no encodings >&2; exit 1", "no Python that works (status 1): ModuleNotFoundError"),
        ("echo nonsense", "no Python that works (status 0)"),
    ],
)
def test_what_is_no_fit_python_is_told(tmp_path: Path, script: str, words: str) -> None:
    fake = tmp_path / "python"
    fake.write_text(f"#!/bin/sh\n{script}\n")
    fake.chmod(0o755)
    assert words in look(fake).wrong
    assert "isn't there" in look(tmp_path / "no").wrong
    fake.chmod(0o644)
    if os.geteuid() != 0 or not os.access(fake, os.X_OK):
        assert "can't be started" in look(fake).wrong


def test_the_note_of_an_environment_is_read_with_care(kept: Environments, tmp_path: Path) -> None:
    folder = tmp_path / "environments" / "odd"
    folder.mkdir(parents=True)
    notes = ("[]", '{"finished": "yes"}', '{"schema": 99, "finished": true}', '{"finished": true, "size_bytes": -5}')
    for note in notes:
        (folder / "environment.json").write_text(note)
        (odd,) = kept.list()
        assert not odd.finished
    link = tmp_path / "environments" / "linked"
    link.symlink_to(tmp_path / "logs")
    (tmp_path / "logs").mkdir(exist_ok=True)
    assert kept.remove("linked") == 0
    assert (tmp_path / "logs").is_dir(), "what a link leads to is not ours"
    kept.remove("odd")
    assert kept.list() == ()
