"""Whatever byte of a signed log is changed, verify finds it on its line: also of a key, also of a signature."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena_desktop.domain.canonical import canonical
from arena_desktop.services.exchange import export_votes, verify_files
from tests.helpers.vote_logs import draft, open_log


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    """The lines of an export: a header, a vote without a signature, the key, three signed votes, a retraction."""
    folder = tmp_path_factory.mktemp("signed")
    with open_log(folder) as log:
        log.append_vote(draft())
        log.sign_from_now_on()
        votes = [log.append_vote(draft(vote=vote)) for vote in ("a", "tie", "both_bad")]
        log.append_retraction(votes[0]["id"], votes[0]["listener"], "mistake", "a slip")
        export_votes(log, folder / "export.jsonl")
    return (folder / "export.jsonl").read_bytes().splitlines(keepends=True)


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("scratch") / "log.jsonl"


def _with_byte(lines: list[bytes], number: int, place: int, byte: int) -> list[bytes]:
    line = lines[number]
    return [*lines[:number], line[:place] + bytes([byte]) + line[place + 1 :], *lines[number + 1 :]]


@settings(max_examples=150)
@given(data=st.data())
def test_any_changed_byte_is_found_on_its_line(scratch: Path, exported: list[bytes], data: st.DataObject) -> None:
    number = data.draw(st.integers(1, len(exported) - 1))
    line = exported[number]
    place = data.draw(st.integers(0, len(line) - 2))
    byte = data.draw(st.integers(0, 255).filter(lambda value: value not in (line[place], 10, 13)))
    scratch.write_bytes(b"".join(_with_byte(exported, number, place, byte)))
    assert any(fault.line == number + 1 for fault in verify_files([scratch]).faults)


@pytest.mark.parametrize("number", [2, 6])
def test_any_changed_byte_of_a_signature_is_found(scratch: Path, exported: list[bytes], number: int) -> None:
    line = exported[number]
    start = line.index(b'"sig":"') + len(b'"sig":"')
    for place in range(start, start + 88):
        for byte in {ord("A"), line[place] ^ 1} - {line[place]}:
            scratch.write_bytes(b"".join(_with_byte(exported, number, place, byte)))
            assert any(fault.line == number + 1 for fault in verify_files([scratch]).faults), (place, byte)


def test_a_signature_that_is_no_text_is_found(scratch: Path, exported: list[bytes]) -> None:
    start, end = exported[3].index(b'"sig":'), exported[3].index(b',"station_id"')
    values: list[Any] = [None, 5, [], {}, True, "", "é"]
    for value in values:
        line = exported[3][:start] + b'"sig":' + canonical(value) + exported[3][end:]
        scratch.write_bytes(b"".join([*exported[:3], line, *exported[4:]]))
        assert [fault.line for fault in verify_files([scratch]).faults] == [4]
