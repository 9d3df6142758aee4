"""The status comes over whole or not at all."""

from pathlib import Path

import pytest

from arena_desktop.audio.status_file import SIZE, Record, StatusFile, decode, encode
from arena_desktop.audio.types import PlayerState, PlayerStatus
from arena_desktop.domain.votes import Side

RECORD = Record(
    beat=7,
    mark=3,
    status=PlayerStatus(
        PlayerState.LOST, Side.B, 0.5, 0.25, 1 / 3, 2, 1, 1, Side.A, device="Köpfhörer “1”", message="x"
    ),
)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "status"
    path.write_bytes(bytes(SIZE))
    with StatusFile(path, write=True) as writer, StatusFile(path, write=False) as reader:
        assert reader.read() is None
        writer.write(RECORD)
        assert reader.read() == RECORD


@pytest.mark.parametrize("cut", [0, 3, 8, 20, 100])
def test_a_half_written_record_is_not_taken_for_one(cut: int) -> None:
    older = encode(Record(6, 3, PlayerStatus(PlayerState.IDLE, device="another name of much greater length")))
    assert decode(encode(RECORD)[:cut] + older[cut:] if cut else b"") is None
    assert decode(encode(RECORD)) == RECORD


def test_words_too_long_for_a_record_are_refused() -> None:
    with pytest.raises(ValueError, match="long"):
        encode(Record(1, 1, PlayerStatus(PlayerState.LOST, message="x" * SIZE)))
