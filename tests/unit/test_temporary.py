"""What lives no longer than the program is gone after it, also after one that was killed."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from arena_desktop.temporary import HELD, OURS, PREFIX, child_folder, own_temporary_folder, surroundings

PROGRAM = """
import sys, tempfile
from arena_desktop.temporary import own_temporary_folder
with own_temporary_folder():
    open(tempfile.mkdtemp() + "/sound.wav", "wb").close()
    print(tempfile.gettempdir(), flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for temporary files."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def start(place: Path) -> "tuple[subprocess.Popen[str], Path]":
    """A program that has made a temporary file, and its folder."""
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, **surroundings(place)},
    )
    assert process.stdout is not None
    return process, Path(process.stdout.readline().strip())


def test_what_a_killed_program_left_is_cleared_away_by_the_next_and_what_is_in_use_is_not(place: Path) -> None:
    alive, used = start(place)
    killed, left = start(place)
    assert len(list(left.glob("*/sound.wav"))) == len(list(used.glob("*/sound.wav"))) == 1
    killed.kill()
    killed.communicate()
    assert left.is_dir()
    with own_temporary_folder():
        assert not left.exists()
        assert list(used.glob("*/sound.wav"))
    alive.communicate("")
    assert list(place.iterdir()) == []


@pytest.mark.parametrize("held", [None, "", "mine", "link", "pipe", "folder"])
def test_a_folder_that_only_has_such_a_name_stays(place: Path, held: str | None) -> None:
    folder, elsewhere = place / f"{PREFIX}music", place / "elsewhere"
    for one in (folder, elsewhere):
        one.mkdir()
        (one / "song.ogg").write_bytes(b"ogg")
    (elsewhere / HELD).write_bytes(OURS)
    (place / f"{PREFIX}link").symlink_to(elsewhere)
    make: dict[str, Callable[[Path], object]] = {
        "link": lambda file: file.symlink_to(elsewhere / HELD),
        "pipe": os.mkfifo,
        "folder": Path.mkdir,
    }
    if held in make:
        make[held](folder / HELD)
    elif held is not None:
        (folder / HELD).write_text(held)
    with own_temporary_folder():
        pass
    for one in (folder, elsewhere):
        assert (one / "song.ogg").read_bytes() == b"ogg"


def test_whoever_is_killed_while_it_clears_away_leaves_a_folder_that_is_known(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    process, left = start(place)
    (left / "a-file").touch()
    process.kill()
    process.communicate()

    def killed(folder: Path, **options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(shutil, "rmtree", killed)
    with pytest.raises(KeyboardInterrupt), own_temporary_folder():
        pass
    assert (left / HELD).read_bytes() == OURS
    monkeypatch.undo()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    with own_temporary_folder():
        assert not left.exists()


def test_an_error_within_comes_out_and_leaves_nothing(place: Path) -> None:
    def fail() -> None:
        with own_temporary_folder():
            tempfile.mkdtemp()
            raise OSError("the disk")

    with pytest.raises(OSError, match="the disk"):
        fail()
    assert list(place.iterdir()) == []


def test_without_room_for_a_folder_all_goes_on(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(place / "gone"))
    with own_temporary_folder():
        assert tempfile.gettempdir() == str(place / "gone")
        assert surroundings(child_folder()) == {}
