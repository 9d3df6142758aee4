"""Files of votes, whatever is in them: a line is a record or a trouble with a reason, and nothing ends the reading."""

import gzip
import json
import random
from pathlib import Path
from typing import Any

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from arena_desktop.errors import ArenaError
from arena_desktop.services.exchange import import_votes, read_votes, verify_files
from arena_desktop.store.formats import byte_lines, json_array
from arena_desktop.store.formats.votes_file import Entry, open_votes
from arena_desktop.store.streamed_file import replacing
from tests.helpers.vote_logs import ROSTER, open_log

VOTE = {"arena": "english", "model_a": {"repo_id": "x/one"}, "model_b": {"repo_id": "x/two"}, "vote": "a"}
HEADER = b'{"filter":null,"format":"arena-votes/1","records":1,"rules":"elo-1","stations":{}}\n'


def _entries(path: Path, content: bytes) -> list[Entry]:
    path.write_bytes(content)
    with open_votes(path) as file:
        return list(file.entries())


HOSTILE = [
    b"[" * 100_000,
    b'{"a":' * 5000 + b"1" + b"}" * 5000,
    b'{"arena": NaN}',
    b'{"arena": Infinity}',
    b'{"arena": 1e999}',
    b'{"arena": ' + b"9" * 100_000 + b"}",
    b'{"vote": "a", "vote": "b"}',
    b'{"arena": "\xff\xfe"}',
    b'{"arena": "\\ud83d"}',
    b'{"arena": "\x00"}',
    b"\x00\x00\x00",
    b"{",
    b"'single'",
    b"}{",
    b"{}garbage",
    b'{"arena": "' + b"x" * 100_000,
    b"\xef\xbb\xbf{}",
    b"nul",
]


@pytest.mark.parametrize("line", HOSTILE, ids=range(len(HOSTILE)))
def test_a_hostile_line_is_a_trouble_and_the_rest_is_read(tmp_path: Path, line: bytes) -> None:
    good = json.dumps(VOTE).encode()
    entries = _entries(tmp_path / "f", good + b"\n" + line + b"\n" + good + b"\n")
    assert [entry.value for entry in entries] == [VOTE, None, VOTE]
    assert entries[1].trouble
    assert [(entry.line, entry.position) for entry in entries] == [(1, 0), (2, 1), (3, 2)]


@pytest.mark.parametrize("line", HOSTILE, ids=range(len(HOSTILE)))
def test_a_hostile_file_ends_no_command(tmp_path: Path, line: bytes) -> None:
    for name, content in (("a", line), ("b", HEADER + line + b"\n"), ("c", b"[" + line + b"]"), ("d", b"[" + line)):
        path = tmp_path / name
        path.write_bytes(content)
        with open_log(tmp_path / "log") as log:
            report = import_votes(log, [path], roster=ROSTER)
            assert report.new == 0
        read_votes(path, silent=False)
        with_header = name == "b"
        assert (not verify_files([path]).ok) if with_header else True


def test_a_line_of_any_length_does_not_fill_the_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(byte_lines, "MAX_LINE", 1000)
    good = json.dumps(VOTE).encode()
    long = json.dumps({**VOTE, "note": "x" * 200_000}).encode()
    entries = _entries(tmp_path / "f", good + b"\n" + long + b"\n" + good + b"\n" + long)
    assert [entry.value for entry in entries] == [VOTE, None, VOTE, None]
    assert "longer than 1000 bytes" in (entries[1].trouble or "")


@pytest.mark.parametrize("ends", [b"\n", b"\r\n"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("header", [b"", HEADER])
def test_line_ends_marks_and_blanks_do_not_matter(tmp_path: Path, ends: bytes, mark: bytes, header: bytes) -> None:
    good = json.dumps(VOTE).encode()
    content = mark + ends + header.replace(b"\n", ends) + good + ends + ends + b"  " + ends + good
    entries = _entries(tmp_path / "f", content)
    first = 3 if header else 2
    assert [(entry.line, entry.position, entry.value) for entry in entries] == [(first, 0, VOTE), (first + 3, 1, VOTE)]


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress])
@pytest.mark.parametrize("parts", [1, 2])
@pytest.mark.parametrize("name", ["votes.jsonl", "votes.gz"])
def test_packed_files_are_told_by_their_content(tmp_path: Path, pack: Any, parts: int, name: str) -> None:
    content = HEADER + (json.dumps(VOTE).encode() + b"\n") * 2000
    packed = pack(content) if parts == 1 else pack(content[:9]) + pack(content[9:])
    (tmp_path / name).write_bytes(packed)
    with open_votes(tmp_path / name) as file:
        assert file.header is not None
        assert [entry.value for entry in file.entries()] == [VOTE] * 2000


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress])
@pytest.mark.parametrize("share", [0.2, 0.6, 0.99])
def test_a_packed_file_that_is_cut_off_says_so_and_gives_what_it_has(tmp_path: Path, pack: Any, share: float) -> None:
    noise = random.Random(4)
    lines = [json.dumps({**VOTE, "note": f"{noise.getrandbits(4000):x}"}).encode() for _ in range(300)]
    packed = pack(b"\n".join(lines) + b"\n")
    entries = _entries(tmp_path / "f", packed[: int(len(packed) * share)])
    assert entries[-1].trouble is not None
    assert "cut off" in entries[-1].trouble or "cut off" in (entries[-2].trouble or "")
    assert [entry.value for entry in entries if entry.trouble is None] == [
        json.loads(x) for x in lines[: len(entries)]
    ][: sum(entry.trouble is None for entry in entries)]


@pytest.mark.parametrize("magic", [b"\x1f\x8b", b"\x28\xb5\x2f\xfd"])
@settings(max_examples=50)
@given(rest=st.binary(max_size=300))
def test_noise_behind_a_magic_number(tmp_path_factory: pytest.TempPathFactory, magic: bytes, rest: bytes) -> None:
    entries = _entries(tmp_path_factory.getbasetemp() / "noise", magic + rest)
    assert all(entry.trouble for entry in entries)


def test_a_small_packed_file_of_enormous_content_is_read_in_pieces(tmp_path: Path) -> None:
    for pack in (zstandard.compress, gzip.compress):
        entries = _entries(tmp_path / "bomb", pack(b"x" * 60_000_000))
        assert [bool(entry.trouble) for entry in entries] == [True]


@pytest.mark.parametrize(
    ("content", "match"),
    [
        (b'{"format":"arena-votes/2"}\n', "newer version"),
        (b'{"format":"arena-votes/1x"}\n', "newer version"),
        (b"SQLite format 3\0" + b"\0" * 100, "a database"),
        ("{}\n".encode("utf-16"), "UTF-16"),
    ],
)
def test_files_that_can_not_be_read_at_all(tmp_path: Path, content: bytes, match: str) -> None:
    with pytest.raises(ArenaError, match=match):
        _entries(tmp_path / "f", content)


def test_no_file_and_a_folder(tmp_path: Path) -> None:
    with pytest.raises(ArenaError, match=r"absent\.jsonl can't be read"), open_votes(tmp_path / "absent.jsonl"):
        pass
    with pytest.raises(ArenaError, match="is a folder"), open_votes(tmp_path):
        pass


def test_an_empty_file_holds_nothing(tmp_path: Path) -> None:
    assert _entries(tmp_path / "f", b"") == []
    assert _entries(tmp_path / "f", b"[]") == []
    assert _entries(tmp_path / "f", b" \n [ ] \n") == []


# --- arrays --------------------------------------------------------------------------------------------------------

json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=60)
@given(st.lists(json_values, max_size=8), st.sampled_from([None, 1]), st.integers(1, 40), st.booleans())
def test_an_array_is_cut_wherever_its_pieces_end(
    tmp_path_factory: pytest.TempPathFactory, elements: list[Any], indent: int | None, size: int, escaped: bool
) -> None:
    data = json.dumps(elements, indent=indent, ensure_ascii=escaped).encode()
    cutter = json_array._Cutter()
    pieces: list[Any] = []
    for start in range(0, len(data), size):
        pieces += cutter.feed(data[start : start + size])
    assert [json.loads(piece) for piece in pieces] == elements
    assert cutter.depth == 0
    entries = _entries(tmp_path_factory.getbasetemp() / "array", data)
    assert [entry.value for entry in entries] == elements
    assert [(entry.line, entry.position) for entry in entries] == [(n + 1, n) for n in range(len(elements))]


def test_a_broken_element_spoils_no_other(tmp_path: Path) -> None:
    entries = _entries(tmp_path / "f", b'[{"a":1}, {"a" 1}, nonsense, {"b":NaN},, {"a":2}]')
    assert [entry.value for entry in entries] == [{"a": 1}, None, None, None, None, {"a": 2}]


@pytest.mark.parametrize(
    ("tail", "trouble"), [(b'[1,{"a":', "cut off"), (b'[1,"abc', "cut off"), (b"[1,2] [3]", "follows")]
)
def test_what_is_wrong_around_the_elements_is_said(tmp_path: Path, tail: bytes, trouble: str) -> None:
    entries = _entries(tmp_path / "f", tail)
    assert entries[0].value == 1
    assert trouble in (entries[-1].trouble or "")


@pytest.mark.parametrize("inside", [b"x" * 5000, b'\\"' * 3000, b"[{," * 2000, b"\\\\" * 2500])
@pytest.mark.parametrize("size", [7, 1000, 100_000])
def test_an_enormous_element_is_dropped_while_it_is_read(
    monkeypatch: pytest.MonkeyPatch, inside: bytes, size: int
) -> None:
    monkeypatch.setattr(json_array, "MAX_LINE", 1000)
    data = b'[1,{"a":"' + inside + b'","b":[2]},3]'
    cutter = json_array._Cutter()
    pieces: list[Any] = []
    for start in range(0, len(data), size):
        pieces += cutter.feed(data[start : start + size])
        assert len(cutter._held) <= 1000 + size
    assert pieces[0] == b"1"
    assert "longer" in pieces[1].text
    assert pieces[2:] == [b"3"]


# --- writing -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["f.jsonl", "f.jsonl.gz", "f.zst"])
def test_a_file_is_replaced_whole_or_not_at_all(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    with replacing(path) as stream:
        stream.write(b"old\n" * 1000)
    before = path.read_bytes()

    def break_off() -> None:
        with replacing(path) as stream:
            stream.write(b"new\n" * 100_000)
            raise KeyError

    with pytest.raises(KeyError):
        break_off()
    assert path.read_bytes() == before
    assert [found.name for found in tmp_path.iterdir()] == [name]
    assert [entry.data for entry in _entries(tmp_path / "copy", before)] == [b"old"] * 1000


def test_a_link_is_followed_and_devices_are_refused(tmp_path: Path) -> None:
    (tmp_path / "real").write_bytes(b"old")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    with replacing(tmp_path / "link") as stream:
        stream.write(b"new")
    assert (tmp_path / "real").read_bytes() == b"new"
    assert (tmp_path / "link").is_symlink()
    for place in (Path("/dev/null"), tmp_path):
        with pytest.raises(ArenaError, match="not a file"), replacing(place):
            pass
    with pytest.raises(ArenaError, match="could not be written"), replacing(tmp_path / "absent" / "f"):
        pass
