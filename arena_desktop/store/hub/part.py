"""A file that has arrived in part: what is there, whether it is sound, and where to go on.

Beside the part stand marks, one line a block: where the block ends and the SHA-256 of it. After a crash the blocks are
hashed against them, which the whole file's hash needs anyway: what a power cut spoiled costs its blocks, not the file.
What lies behind the last mark is taken on trust, as its hash is noted then; if the whole turns out wrong it goes first.
"""

import contextlib
import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

from arena_desktop.domain.hub import HubFile

BLOCK = 4 * 1024 * 1024
_PIECE = 1024 * 1024
_MOST_MARKS = 64_000_000
"""Bytes of a file of marks: enough for a terabyte."""


@dataclass(frozen=True)
class _Mark:
    end: int
    digest: str
    sure: bool


class Part:
    """The part of ``file`` at ``path``, open for writing. To be used by one thread. Raises OSError."""

    def __init__(self, path: Path, file: HubFile) -> None:
        self._file = file
        self._path = path
        self._marks_path = path.with_suffix(".marks")
        path.parent.mkdir(parents=True, exist_ok=True)
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)
        self._out = os.fdopen(os.open(path, flags, 0o644), "r+b")
        try:
            self._marks = self._read_marks()
            self._reset()
            self._go_through()
            # Unbuffered: a line stands in the file as soon as it is written
            self._notes = self._marks_path.open("ab", buffering=0)
            self._rewrite_marks()
        except BaseException:
            self._out.close()
            raise

    @property
    def here(self) -> int:
        """How many bytes are there."""
        return self._here

    @property
    def whole(self) -> bool:
        """Whether all of it is there; :meth:`check` tells whether it is right."""
        return self._here == self._file.size

    def write(self, data: bytes) -> int:
        """Add ``data``, as far as it belongs to the file; returns how much that was."""
        data = data[: self._file.size - self._here]
        taken = len(data)
        while data:
            room = BLOCK - (self._here - self._begun)
            piece, data = data[:room], data[room:]
            self._out.write(piece)
            self._add(piece)
            if self._here - self._begun == BLOCK:
                self._out.flush()
                self._mark(sure=True)
        return taken

    def restart(self) -> None:
        """Nothing of it is of use."""
        self._marks = []
        self._reset()
        self._cut(0)
        self._rewrite_marks()

    def check(self) -> bool:
        """Whether what is there is the file. If not, what may be at fault is gone afterwards: what was taken on trust
        and what the disk gives back otherwise than it was written, else everything.
        """
        self._out.flush()
        if self.whole and self._is_right():
            return True
        self._mark_rest()
        before = self._here
        doubtful = next((place for place, mark in enumerate(self._marks) if not mark.sure), None)
        if doubtful is not None:
            self._marks = self._marks[:doubtful]
        self._reset()
        self._go_through(trusting=False)
        self._rewrite_marks()
        if self._here == before:
            self.restart()
        return False

    def sha256(self) -> str:
        """The hash of what is there."""
        return self._sha256.hexdigest()

    def keep(self) -> None:
        """Put what is there on the disk so that it can be gone on with; after an interruption, or at the end."""
        self._out.flush()
        self._mark_rest()
        os.fsync(self._out.fileno())

    def close(self) -> None:
        """Let go of the files."""
        self._out.close()
        self._notes.close()

    def drop_marks(self) -> None:
        """The part has become the file: its marks are of no use any more. Close it first."""
        self._marks_path.unlink(missing_ok=True)

    # --- inside ------------------------------------------------------------------------------------------------------

    def _is_right(self) -> bool:
        if self._file.sha256:
            return self._sha256.hexdigest() == self._file.sha256
        return self._blob.hexdigest() == self._file.blob

    def _reset(self) -> None:
        self._here = self._begun = 0
        self._sha256 = hashlib.sha256()
        self._blob = hashlib.sha1(b"blob %d\0" % self._file.size, usedforsecurity=False)
        self._block = hashlib.sha256()

    def _add(self, piece: bytes) -> None:
        self._sha256.update(piece)
        if not self._file.sha256:
            self._blob.update(piece)
        self._block.update(piece)
        self._here += len(piece)

    def _mark(self, *, sure: bool) -> None:
        mark = _Mark(self._here, self._block.hexdigest(), sure)
        self._marks.append(mark)
        self._notes.write(_line(mark))
        self._begun, self._block = self._here, hashlib.sha256()

    def _mark_rest(self) -> None:
        if self._here > self._begun:
            self._mark(sure=True)

    def _go_through(self, *, trusting: bool = True) -> None:
        """Hash what is on the disk: the marked blocks against their marks, what follows on trust. What doesn't agree
        is cut off, with all behind it.
        """
        present = min(os.fstat(self._out.fileno()).st_size, self._file.size)
        self._out.seek(0)
        good: list[_Mark] = []
        for mark in self._marks:
            if not self._here < mark.end <= present:
                break
            kept = self._sha256.copy(), self._blob.copy(), self._here
            self._hash_to(mark.end)
            if self._block.hexdigest() != mark.digest:
                self._sha256, self._blob, self._here = kept
                self._block = hashlib.sha256()
                trusting = False  # what follows a spoiled block is of the same night
                break
            good.append(mark)
            self._begun, self._block = self._here, hashlib.sha256()
        self._marks = good
        while trusting and self._here < present:
            self._hash_to(min(present, self._here + BLOCK))
            self._marks.append(_Mark(self._here, self._block.hexdigest(), sure=False))
            self._begun, self._block = self._here, hashlib.sha256()
        self._cut(self._here)

    def _hash_to(self, end: int) -> None:
        while self._here < end:
            piece = self._out.read(min(_PIECE, end - self._here))
            if not piece:  # it has become shorter under our hands
                raise OSError(None, "it changed while it was read", str(self._path))
            self._add(piece)

    def _cut(self, size: int) -> None:
        self._out.truncate(size)
        self._out.seek(size)

    def _read_marks(self) -> list[_Mark]:
        found: list[_Mark] = []
        with contextlib.suppress(FileNotFoundError):
            if self._marks_path.stat().st_size > _MOST_MARKS:
                return []
            for line in self._marks_path.read_bytes().splitlines(keepends=True):
                words = line.split()
                if not line.endswith(b"\n") or len(words) != 3 or not words[0].isdigit() or len(words[0]) > 15:
                    break  # it was being written when the lights went out
                found.append(_Mark(int(words[0]), words[1].decode("ascii", "replace"), words[2] == b"sure"))
        return found

    def _rewrite_marks(self) -> None:
        self._notes.seek(0)
        self._notes.truncate(0)
        self._notes.write(b"".join(map(_line, self._marks)))


def _line(mark: _Mark) -> bytes:
    return f"{mark.end} {mark.digest} {'sure' if mark.sure else 'found'}\n".encode("ascii")
