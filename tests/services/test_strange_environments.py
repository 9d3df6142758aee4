"""What lies among the environments and is none of ours, what a Python may do when it is asked, and folders that can't
be read or deleted: told in words; nothing of anybody else is touched, and nothing is left behind.
"""

import time
from pathlib import Path

import psutil
import pytest

from arena_desktop.domain.recipes import Recipe
from arena_desktop.engines.environments import asking
from arena_desktop.engines.environments.looking import look
from arena_desktop.engines.environments.pythons import ask
from arena_desktop.errors import ArenaError
from arena_desktop.services.environments import Environments, Making
from arena_desktop.store import environments as stored
from arena_desktop.store.recipe_reader import Recipes

MINE = Recipe("mine", "Mine", "acting", (), 0.001, "MIT")


def still(making: Making) -> None:
    """Progress that nobody looks at."""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "environments").mkdir()
    return tmp_path / "environments"


@pytest.fixture
def kept(root: Path) -> Environments:
    return Environments(root, lambda: Recipes({"mine": MINE}), root.parent / "logs")


def python(folder: Path, script: str) -> Path:
    fake = folder / "python"
    fake.write_text(f"#!/bin/sh\n{script}\n")
    fake.chmod(0o755)
    return fake


def lives(process: int) -> bool:
    try:
        return bool(psutil.Process(process).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def test_what_somebody_else_put_there_is_neither_replaced_nor_deleted(kept: Environments, root: Path) -> None:
    (root / "notes").write_text("precious")
    (root / "things").mkdir()
    (root / "things" / "kept.txt").write_text("precious")
    for again in (False, True):
        with pytest.raises(ArenaError, match=r"notes is a file, and no environment.*Move it away"):
            kept.make(MINE, still, name="notes", again=again)
        with pytest.raises(ArenaError, match=r"things is a folder of something else.*Move it away"):
            kept.make(MINE, still, name="things", again=again)
    with pytest.raises(ArenaError, match="things is a folder of something else"):
        kept.remove("things")
    (state,) = kept.examine()
    assert "things is a folder of something else" in state.wrong
    assert (root / "notes").read_text() == (root / "things" / "kept.txt").read_text() == "precious"


def test_what_a_making_left_that_was_killed_in_its_first_moment_can_go(kept: Environments, root: Path) -> None:
    (root / "empty").mkdir()
    (root / "begun").mkdir()
    (root / "begun" / ".environment.json.abc.new").write_text("{")
    kept.remove("empty")
    kept.remove("begun")
    assert kept.list() == ()


def test_an_empty_name_is_not_taken_for_the_usual_one(kept: Environments) -> None:
    with pytest.raises(ArenaError, match="'' can't be the name of an environment"):
        kept.make(MINE, still, name="")


def test_environments_that_cannot_be_read_are_not_none(kept: Environments, root: Path) -> None:
    kept.check_readable()
    root.rmdir()
    kept.check_readable()
    root.write_text("in the way")
    with pytest.raises(ArenaError, match=r"environments can't be read: Not a directory\. Change its rights"):
        kept.check_readable()
    with pytest.raises(ArenaError, match="can't be read"):
        kept.remove("mine")


def test_a_lock_that_cannot_be_had_is_not_taken_for_another_program(kept: Environments, root: Path) -> None:
    (root / "mine").mkdir()
    (root / ".mine.lock").mkdir()
    with pytest.raises(ArenaError, match="can't be written to"):
        kept.remove("mine")
    with pytest.raises(ArenaError, match="can't be written to"):
        kept.make(MINE, still)


def test_what_could_not_be_deleted_is_seen_and_can_be_removed_later(
    kept: Environments, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(folder: Path) -> None:
        (folder / "environment.json").unlink()
        raise PermissionError(13, "Permission denied")

    (root / "mine").mkdir()
    (root / "mine" / "environment.json").write_text('{"schema": 1, "finished": true}')
    (root / "mine" / "held").write_bytes(b"x" * 5000)
    with monkeypatch.context() as patch:
        patch.setattr(stored, "_delete", refused)
        with pytest.raises(ArenaError, match="can't be removed: Permission denied"):
            kept.remove("mine")
    (one,) = kept.list()
    assert (one.name, one.finished, one.size_bytes >= 5000) == ("mine", False, True)
    assert kept.remove("mine") >= 5000
    assert not [entry for entry in root.iterdir() if entry.name != ".mine.lock"]


def test_a_python_that_writes_without_an_end_is_no_python(tmp_path: Path) -> None:
    endless = python(tmp_path, f"exec yes {'a' * 200}")
    assert "is no Python that works" in look(endless).wrong
    assert ask(str(endless)) is None
    answer = asking.ask([str(endless)], {"PATH": "/usr/bin:/bin"}, 20.0)
    assert len(answer.said) == asking.KEPT


@pytest.mark.parametrize(
    "said",
    [
        '{"version": ["a", [], null], "numpy": 3, "fault": 5}',
        '{"version": [3, 11, 1], "numpy": 3, "fault": 5}',
        '{"version": [3, 11, 1], "numpy": 3}',
        '{"version": [3, 11, 1], "fault": ["missing"]}',
        '{"version": 3}',
        "[" * 50_000,
    ],
)
def test_an_answer_of_another_form_is_no_python(tmp_path: Path, said: str) -> None:
    (tmp_path / "said").write_text(said)
    odd = python(tmp_path, f'cat "{tmp_path}/said"')
    assert "is no Python that works (status 0)" in look(odd).wrong
    assert ask(str(odd)) is None


def test_what_a_python_started_ends_with_the_question(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena_desktop.engines.environments.looking.PATIENCE_S", 1.0)
    pids = tmp_path / "pids"
    waiting = python(tmp_path, f'sleep 1000 & echo $! >>"{pids}"; sleep 1000')
    assert "gave no answer within 1 s" in look(waiting).wrong
    answered = python(
        tmp_path,
        f'sleep 1000 & echo $! >>"{pids}"; echo \'{{"version": [3, 11, 1], "numpy": "2.0", "fault": null}}\'',
    )
    assert look(answered).wrong == ""
    started = [int(pid) for pid in pids.read_text().split()]
    assert len(started) == 2
    end = time.monotonic() + 30
    while any(map(lives, started)):
        assert time.monotonic() < end, "what the Python started goes on"
        time.sleep(0.02)
