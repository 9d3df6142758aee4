import json
import os
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena_desktop.domain.settings import RULES, Settings, validated
from arena_desktop.errors import ArenaError
from arena_desktop.store.settings_file import SettingsFile, peek_settings

NOON = datetime(2024, 5, 6, 12, 0, 0, tzinfo=UTC)
OTHER = Settings(output_device="Kopfhörer", gate=0.5, reveal="set", disabled_models=("a/b", "c/d"), prompt_text="Hi 🙂")


def settings_file(path: Path) -> SettingsFile:
    return SettingsFile(path, clock=lambda: NOON)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "settings.json"


def test_without_a_file_the_defaults_hold_and_nothing_is_made(path: Path) -> None:
    file = settings_file(path)
    assert file.load() == Settings()
    assert file.notes == ()
    assert not path.parent.exists()


def test_what_is_saved_is_there_at_the_next_start(path: Path) -> None:
    settings_file(path).save(OTHER)
    file = settings_file(path)
    assert file.load() == OTHER
    assert file.notes == ()
    assert json.loads(path.read_text("utf-8"))["schema"] == 1
    assert list(path.parent.iterdir()) == [path]
    assert path.stat().st_mode & 0o777 == 0o600


@given(
    st.dictionaries(
        st.sampled_from(sorted(RULES)),
        st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.lists(st.text()),
    )
)
def test_any_settings_survive_the_round_trip(tmp_path_factory: pytest.TempPathFactory, values: dict[str, Any]) -> None:
    path = tmp_path_factory.mktemp("settings") / "s.json"
    settings, _ = validated(values)
    settings_file(path).save(settings)
    file = settings_file(path)
    assert file.load() == settings
    assert file.notes == ()


def test_keys_of_other_versions_are_kept(path: Path) -> None:
    path.parent.mkdir()
    path.write_text('{"schema": 1, "gate": 0.7, "from_the_future": {"a": [1]}}')
    file = settings_file(path)
    file.save(replace(file.load(), theme="dark"))
    values = json.loads(path.read_text())
    assert (values["from_the_future"], values["gate"], values["theme"]) == ({"a": [1]}, 0.7, "dark")


def test_bad_values_give_way_one_by_one_and_are_told(path: Path) -> None:
    path.parent.mkdir()
    path.write_text('{"schema": 1, "gate": 7, "theme": "dark", "volume_db": null}')
    file = settings_file(path)
    assert file.load() == Settings(theme="dark")
    assert len(file.notes) == 2
    assert "gate" in " ".join(file.notes)
    assert "volume_db" in " ".join(file.notes)


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b"\xff\xfe\x00", b"null", b"[" * 100_000, b'{"gate": 1' + b"0" * 9_000 + b"}"]
)
def test_a_damaged_file_is_set_aside_and_told(path: Path, content: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    file = settings_file(path)
    assert file.load() == Settings()
    [note] = file.notes
    assert "settings.json.bad-20240506T120000" in note
    assert (path.parent / "settings.json.bad-20240506T120000").read_bytes() == content
    assert not path.exists()
    file.save(OTHER)
    assert settings_file(path).load() == OTHER


def test_a_second_damaged_file_does_not_replace_the_first(path: Path) -> None:
    path.parent.mkdir()
    for content in ("one", "two"):
        path.write_text(content)
        settings_file(path).load()
    assert sorted(one.read_text() for one in path.parent.iterdir()) == ["one", "two"]


def test_a_newer_file_is_left_alone(path: Path) -> None:
    path.parent.mkdir()
    path.write_text('{"schema": 2, "gate": 0.1}')
    file = settings_file(path)
    assert file.load() == Settings()
    assert "newer version" in file.notes[0]
    assert not file.kept
    file.save(OTHER)
    assert path.read_text() == '{"schema": 2, "gate": 0.1}'


def test_a_failed_write_leaves_the_old_file_and_says_so(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings_file(path).save(OTHER)
    before = path.read_bytes()

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ArenaError, match="No space left"):
        settings_file(path).save(Settings())
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def test_a_link_stays_a_link(path: Path, tmp_path: Path) -> None:
    path.parent.mkdir()
    real = tmp_path / "elsewhere.json"
    path.symlink_to(real)
    settings_file(path).save(OTHER)
    assert path.is_symlink()
    assert settings_file(real).load() == OTHER


def test_peeking_touches_nothing(path: Path) -> None:
    path.parent.mkdir()
    path.write_text("damaged")
    assert peek_settings(path) == Settings()
    assert path.read_text() == "damaged"
    settings_file(path).save(OTHER)
    assert peek_settings(path) == OTHER
