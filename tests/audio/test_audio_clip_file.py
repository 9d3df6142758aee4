"""Clips are read from files as they are, and a file that is not one is named in words."""

from pathlib import Path

import numpy as np
import pytest
import soundfile

from arena_desktop.audio.clip_file import read_clip
from arena_desktop.errors import ArenaError
from tests.helpers.sounds import babble


@pytest.mark.parametrize(("name", "kind"), [("c.wav", "FLOAT"), ("c.wav", "PCM_16"), ("c.flac", "PCM_24")])
def test_a_clip_comes_back_at_its_own_rate(tmp_path: Path, name: str, kind: str) -> None:
    sound = babble(0.5, rate=22_050)
    soundfile.write(tmp_path / name, sound, 22_050, subtype=kind)
    clip = read_clip(tmp_path / name)
    assert clip.rate == 22_050
    assert clip.samples.dtype == np.float32
    assert np.abs(clip.samples - sound).max() <= (0 if kind == "FLOAT" else 2**-15)


def test_values_beyond_full_scale_survive(tmp_path: Path) -> None:
    soundfile.write(tmp_path / "c.wav", np.array([1.5, -2.0], dtype=np.float32), 48_000, subtype="FLOAT")
    assert read_clip(tmp_path / "c.wav").samples.tolist() == [1.5, -2.0]


def refused(path: Path) -> str:
    with pytest.raises(ArenaError) as caught:
        read_clip(path)
    assert str(path) in caught.value.message
    assert caught.value.remedy
    return caught.value.message


def test_damaged_files_are_named(tmp_path: Path) -> None:
    path = tmp_path / "c.wav"
    assert "not there" in refused(path)
    path.mkdir()
    assert "not there" in refused(path)
    path.rmdir()
    path.write_bytes(b"")
    assert "can't be read" in refused(path)
    path.write_bytes(b"nothing like sound " * 100)
    assert "can't be read" in refused(path)
    soundfile.write(path, np.zeros((10, 2), dtype=np.float32), 48_000)
    assert "2 channels" in refused(path)
    soundfile.write(path, np.zeros(0, dtype=np.float32), 48_000)
    assert "empty" in refused(path)


@pytest.mark.parametrize("name", ["c.wav", "c.flac"])
def test_a_file_that_was_cut_off_is_not_taken_for_whole(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    soundfile.write(path, babble(2), 48_000)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    refused(path)
