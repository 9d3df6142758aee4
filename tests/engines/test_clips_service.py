"""Clips come from the cache when they can, and the cache tells apart whatever sounds different."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena_desktop.domain.roster import ModelSpec, Voice
from arena_desktop.engines.host import SpeechHost
from arena_desktop.engines.types import FailureKind, Identity, SpeechFailure
from arena_desktop.errors import ArenaError
from arena_desktop.services.clips import ClipCounts, Clips, cache_key
from arena_desktop.store.cache import ClipCache
from tests.engines.conftest import MakeModel

TEXT = "The birch canoe slid on."
IDENTITY = Identity("acting", "acting 1.0", "aa" * 32, "bb" * 32)


@pytest.fixture
def cache(tmp_path: Path) -> ClipCache:
    return ClipCache(tmp_path / "clips")


@pytest.fixture
def clips(host: SpeechHost, cache: ClipCache) -> Clips:
    return Clips(host, cache)


def test_the_second_time_nothing_is_spoken(clips: Clips, host: SpeechHost, cache: ClipCache, model: MakeModel) -> None:
    first = clips.get(model(), TEXT, None, 0)
    second = clips.get(model(), TEXT, None, 0)
    assert (first.cached, second.cached) == (False, True)
    assert replace(second, cached=False) == first
    assert first.spoken.path.is_file()
    assert clips.counts() == ClipCounts(cached=1, spoken=1)
    assert Clips(host, ClipCache(cache._root)).get(model(), TEXT, None, 0).spoken == first.spoken


def test_what_lies_beside_a_clip_and_is_not_ours_counts_as_absent(
    clips: Clips, cache: ClipCache, model: MakeModel, tmp_path: Path
) -> None:
    fetched = clips.get(model(), TEXT, None, 0)
    place = cache.place_for(fetched.key)
    place.write_bytes(fetched.spoken.path.read_bytes())
    cache.put(fetched.key, place, {"rate": 16_000, "strange": 1}, fetched.spoken.clip_sha256)
    again = clips.get(model(), TEXT, None, 0)
    assert not again.cached
    assert again.spoken.frames == fetched.spoken.frames


def test_a_failure_leaves_nothing_and_is_counted(
    clips: Clips, cache: ClipCache, model: MakeModel, tmp_path: Path
) -> None:
    with pytest.raises(SpeechFailure) as caught:
        clips.get(model("silence"), TEXT, None, 0)
    assert caught.value.kind is FailureKind.SILENCE
    assert clips.counts() == ClipCounts(failed=1)
    assert [path for path in (tmp_path / "clips").rglob("*") if path.is_file()] == []


def test_a_cache_that_cannot_be_written_to_is_told_in_words(host: SpeechHost, model: MakeModel, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    clips = Clips(host, ClipCache(tmp_path / "file" / "clips"))
    with pytest.raises(ArenaError, match="could not be stored"):
        clips.get(model(), TEXT, None, 0)


def test_a_clip_that_is_replaced_while_it_is_cloned_leaves_nothing(
    host: SpeechHost, cache: ClipCache, model: MakeModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "me.wav"
    file.write_bytes(b"one speaker")
    voice = Voice("me", audio=str(file))
    clips = Clips(host, cache)
    before = clips.get(model(), TEXT, voice, 0)
    speak = host.speak

    def meanwhile(*asked: Any) -> Any:
        spoken = speak(*asked)
        file.write_bytes(b"another speaker")
        return spoken

    monkeypatch.setattr(host, "speak", meanwhile)
    with pytest.raises(SpeechFailure, match="replaced while it was cloned"):
        clips.get(model(), "Another text.", voice, 0)
    assert len([path for path in (tmp_path / "clips").rglob("*.wav") if path.is_file()]) == 1
    after = clips.get(model(), TEXT, voice, 0)
    assert not after.cached
    assert after.key != before.key


def test_clips_voted_on_outlive_the_others(clips: Clips, cache: ClipCache, model: MakeModel) -> None:
    voted = clips.get(model(), TEXT, None, 0)
    clips.mark_voted(voted.key)
    for take in range(1, 40):
        clips.get(model(), "Hi", None, take)
    cache.set_limit(1)
    assert clips.get(model(), "Hi", None, 39).cached
    assert not clips.get(model(), "Hi", None, 1).cached


def test_everything_that_changes_the_sound_changes_the_key() -> None:
    model = ModelSpec("t/m", "M", engine="acting")
    voice = Voice("anna", audio="a.wav", transcript="Hello")
    base = cache_key(model, IDENTITY, TEXT, voice, 0)
    others = [
        cache_key(model, replace(IDENTITY, engine="other"), TEXT, voice, 0),
        cache_key(model, replace(IDENTITY, engine_version="acting 1.1"), TEXT, voice, 0),
        cache_key(model, replace(IDENTITY, weights_hash="cc" * 32), TEXT, voice, 0),
        cache_key(model, replace(IDENTITY, settings_hash="cc" * 32), TEXT, voice, 0),
        cache_key(model, replace(IDENTITY, reference_sha256="cc" * 32), TEXT, voice, 0),
        cache_key(model, IDENTITY, TEXT + " ", voice, 0),
        cache_key(model, IDENTITY, TEXT, replace(voice, id="ben"), 0),
        cache_key(model, IDENTITY, TEXT, replace(voice, transcript="Hallo"), 0),
        cache_key(model, IDENTITY, TEXT, None, 0),
        cache_key(model, IDENTITY, TEXT, voice, 1),
    ]
    assert len({base, *others}) == len(others) + 1
    assert all(len(key) == 64 for key in others)


def test_the_same_sound_under_another_name_or_place_is_one_clip() -> None:
    here, there = (
        ModelSpec("t/here", "Here", engine="acting"),
        ModelSpec("t/there", "There", engine="acting", base="/x"),
    )
    assert cache_key(here, IDENTITY, TEXT, None, 0) == cache_key(there, IDENTITY, TEXT, None, 0)


def test_models_with_unknown_weights_never_share_clips() -> None:
    unknown = replace(IDENTITY, weights_hash=None)
    one, two = ModelSpec("t/one", "One", engine="acting"), ModelSpec("t/two", "Two", engine="acting")
    assert cache_key(one, unknown, TEXT, None, 0) != cache_key(two, unknown, TEXT, None, 0)
