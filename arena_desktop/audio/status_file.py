"""The player's status, handed from the sound process to the window through a small file.

A plain file, not shared memory: it works the same on every platform, leaves nothing behind in the kernel, and writing
it does not hold the interpreter up while the disk is busy. A reader that meets a half-written record sees it by the
checksum.
"""

import json
import struct
import zlib
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from arena_desktop.audio.types import PlayerState, PlayerStatus
from arena_desktop.domain.votes import Side

SIZE = 4096
_HEAD = struct.Struct("<II")
_TRIES = 5


def _side(value: str | None) -> Side | None:
    return None if value is None else Side(value)


@dataclass(frozen=True)
class Record:
    """``beat`` grows with every record, a sign of life; ``mark``: the newest command that took effect."""

    beat: int
    mark: int
    status: PlayerStatus


def encode(record: Record) -> bytes:
    """The record as :data:`SIZE` bytes."""
    text = json.dumps({"beat": record.beat, "mark": record.mark, **asdict(record.status)}).encode()
    if len(text) > SIZE - _HEAD.size:
        raise ValueError("status too long")
    return (_HEAD.pack(len(text), zlib.crc32(text)) + text).ljust(SIZE, b"\0")


def decode(record: bytes) -> Record | None:
    """What :func:`encode` wrote, or None for a record that is torn or was never written."""
    if len(record) < _HEAD.size:
        return None
    length, checksum = _HEAD.unpack_from(record)
    text = record[_HEAD.size : _HEAD.size + length]
    if not length or len(text) != length or zlib.crc32(text) != checksum:
        return None
    fields = json.loads(text)
    beat, mark = int(fields.pop("beat")), int(fields.pop("mark"))
    fields["state"] = PlayerState(fields["state"])
    fields["side"] = _side(fields["side"])
    fields["first_played"] = _side(fields["first_played"])
    return Record(beat, mark, PlayerStatus(**fields))


class StatusFile:
    """One such file, open for writing (the sound process) or for reading (the window)."""

    def __init__(self, path: Path, *, write: bool) -> None:
        self._file = path.open("r+b" if write else "rb", buffering=0)

    def write(self, record: Record) -> None:
        """Replace the record."""
        self._file.seek(0)
        self._file.write(encode(record))

    def read(self) -> Record | None:
        """The newest whole record, None when there is none yet or it is just being replaced."""
        for _ in range(_TRIES):
            self._file.seek(0)
            record = decode(self._file.read(SIZE))
            if record is not None:
                return record
        return None

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
