"""Where ``synth --text-file`` takes a text from, and what it refuses."""

import io
import os
import sys
from pathlib import Path

import pytest

from arena_desktop.cli import synth
from arena_desktop.errors import ArenaError


def _standard_input(monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content), encoding="ascii"))


def test_a_file_and_standard_input_give_the_same_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = "\ufeffGrüße.\r\nTwo lines.\n".encode()
    (tmp_path / "f").write_bytes(content)
    _standard_input(monkeypatch, content)
    assert synth._read(tmp_path / "f") == synth._read(Path("-")) == "Grüße.\nTwo lines.\n"


def test_more_than_a_megabyte_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "f").write_bytes(b"x" * 1_000_001)
    with pytest.raises(ArenaError, match="f holds more than 1,000,000 bytes"):
        synth._read(tmp_path / "f")
    _standard_input(monkeypatch, b"x" * 1_000_001)
    with pytest.raises(ArenaError, match="Standard input holds more than 1,000,000 bytes"):
        synth._read(Path("-"))


def test_what_is_no_file_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path, Path("/dev/zero")):
        with pytest.raises(ArenaError, match="can't be read: it is no regular file"):
            synth._read(path)
