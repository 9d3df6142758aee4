"""The key behind own texts: made once, for its owner alone, never replaced."""

import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from arena_desktop.errors import ArenaError
from arena_desktop.store.text_key import TextKey


def test_the_key_is_made_once_and_private(tmp_path: Path) -> None:
    path = tmp_path / "new" / "own-text.key"
    key = TextKey(path).key()
    assert len(key) == 32
    assert TextKey(path).key() == key
    assert os.name == "nt" or stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [found.name for found in path.parent.iterdir()] == ["own-text.key"]
    assert TextKey(tmp_path / "other.key").key() != key


def test_many_at_once_agree_on_one_key(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        keys = set(pool.map(lambda _: TextKey(tmp_path / "own-text.key").key(), range(16)))
    assert len(keys) == 1
    assert [found.name for found in tmp_path.iterdir()] == ["own-text.key"]


@pytest.mark.parametrize("content", [b"", b"x" * 31, b"x" * 33])
def test_a_damaged_key_is_said_and_kept(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "own-text.key"
    path.write_bytes(content)
    with pytest.raises(ArenaError, match="damaged"):
        TextKey(path).key()
    assert path.read_bytes() == content


def test_a_key_that_can_not_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(ArenaError, match="can't be read or made"):
        TextKey(tmp_path / "file" / "own-text.key").key()
