"""A file that has arrived in part: after a crash at any byte, and after what a power cut does to a disk."""

import hashlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena_desktop.domain.hub import HubFile
from arena_desktop.store.hub import part as part_module
from arena_desktop.store.hub.part import Part

DATA = bytes(range(256)) * 400
FILE = HubFile("x", len(DATA), sha256=hashlib.sha256(DATA).hexdigest())


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(part_module, "BLOCK", 10_000)


def _begun(path: Path, count: int, *, orderly: bool) -> None:
    part = Part(path, FILE)
    part.write(DATA[:count])
    if orderly:
        part.keep()
    part.close()


def _finish(path: Path) -> int:
    """Finish it; returns how many bytes had to be written."""
    part, written = Part(path, FILE), 0
    while not (part.whole and part.check()):
        rest = DATA[part.here :]
        assert written < 3 * len(DATA)
        written += part.write(rest)
    assert part.sha256() == FILE.sha256
    part.keep()
    part.close()
    assert path.read_bytes() == DATA
    return written


@pytest.mark.parametrize("orderly", [True, False])
@pytest.mark.parametrize("count", [0, 1, 9_999, 10_000, 10_001, 55_555, len(DATA)])
def test_it_goes_on_at_the_very_byte(tmp_path: Path, count: int, orderly: bool) -> None:
    _begun(tmp_path / "x.part", count, orderly=orderly)
    assert _finish(tmp_path / "x.part") == len(DATA) - count


@settings(max_examples=30)
@given(spoiled=st.integers(0, 59_999), count=st.integers(60_000, len(DATA)), marks_kept=st.integers(0, 700))
def test_what_a_power_cut_spoiled_costs_no_more_than_what_follows(
    tmp_path_factory: pytest.TempPathFactory, spoiled: int, count: int, marks_kept: int
) -> None:
    path = tmp_path_factory.mktemp("part") / "x.part"
    _begun(path, count, orderly=False)
    with path.open("r+b") as file:
        file.seek(spoiled)
        was = file.read(1)
        file.seek(spoiled)
        file.write(bytes([was[0] ^ 255]))
    marks = path.with_suffix(".marks")
    text = marks.read_bytes()[:marks_kept]
    marks.write_bytes(text)
    written = _finish(path)
    if spoiled < 10_000 * text.count(b"\n"):  # its block had a mark: what stands before it is of use
        assert written == len(DATA) - spoiled // 10_000 * 10_000


def test_what_was_taken_on_trust_goes_first_when_the_whole_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "x.part"
    _begun(path, 35_000, orderly=False)
    with path.open("r+b") as file:
        file.seek(33_000)
        file.write(b"!")
    part = Part(path, FILE)
    assert part.here == 35_000
    part.write(DATA[35_000:])
    assert not part.check()
    assert part.here == 30_000
    part.close()


def test_marks_that_are_no_marks_are_no_help_and_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "x.part"
    for junk in (b"\xff\xfe", b"99999999999999999999 x sure\n", b"10000 zz sure\n" * 3, b"-5 a sure\n", b"5\n"):
        path.unlink(missing_ok=True)
        _begun(path, 25_000, orderly=False)
        path.with_suffix(".marks").write_bytes(junk)
        _finish(path)


def test_a_part_longer_than_the_file_is_cut(tmp_path: Path) -> None:
    path = tmp_path / "x.part"
    path.write_bytes(DATA + b"more")
    assert _finish(path) == 0


def test_a_small_file_is_known_by_its_git_id(tmp_path: Path) -> None:
    blob = hashlib.sha1(b"blob 3\0abc", usedforsecurity=False).hexdigest()
    part = Part(tmp_path / "y.part", HubFile("y", 3, blob=blob))
    part.write(b"abd")
    assert not part.check()
    part.write(b"abcdef")
    assert part.check()
    assert part.sha256() == hashlib.sha256(b"abc").hexdigest()
    part.close()


def test_a_link_in_the_place_of_a_part_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "mine").write_bytes(b"thesis")
    (tmp_path / "x.part").symlink_to(tmp_path / "mine")
    with pytest.raises(OSError, match="symbolic"):
        Part(tmp_path / "x.part", FILE)
    assert (tmp_path / "mine").read_bytes() == b"thesis"
