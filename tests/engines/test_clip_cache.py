"""The cache gives back what was put in, stays within its bound, and keeps the right clips."""

import hashlib
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena_desktop.store.cache import ENDING, IN_HAND, KEY, ClipCache


def key(number: int) -> str:
    return hashlib.sha256(str(number).encode()).hexdigest()


SIZE = 8000
BESIDE = 2000


def put(cache: ClipCache, number: int, size: int = SIZE) -> bytes:
    data = bytes([number % 256]) * size
    place = cache.place_for(key(number))
    place.write_bytes(data)
    cache.put(key(number), place, {"number": number}, hashlib.sha256(data).hexdigest())
    return data


def kept(cache: ClipCache, count: int) -> list[int]:
    return [number for number in range(count) if cache.get(key(number)) is not None]


def test_clips_that_a_prepared_battle_waits_for_stay_until_it_is_played(tmp_path: Path) -> None:
    cache = ClipCache(tmp_path, 10**9)
    for number in range(IN_HAND + 20):
        put(cache, number)
    cache.wait_for_only({key(number) for number in range(5)})
    again = ClipCache(tmp_path, 150_000)  # another program, with less room
    put(again, 900)
    assert [number for number in range(10) if again.has(key(number))] == [0, 1, 2, 3, 4]
    assert 150_000 - 5 * (SIZE + BESIDE) < again.room() < 150_000 - 5 * SIZE
    again.wait_for_only({key(3)})
    for number in range(901, 901 + IN_HAND):
        put(again, number)
    assert [number for number in range(10) if again.has(key(number))] == [3]
    again.wait_for_only(())
    assert again.room() == 150_000


def test_what_is_put_in_comes_out_also_in_the_next_run(tmp_path: Path) -> None:
    cache = ClipCache(tmp_path)
    data = put(cache, 1)
    for again in (cache, ClipCache(tmp_path)):
        clip = again.get(key(1))
        assert clip is not None
        assert clip.path.read_bytes() == data
        assert clip.meta == {"number": 1}
        assert again.get(key(2)) is None
    assert list((tmp_path / "incoming").iterdir()) == []


def test_it_stays_within_its_bound_and_the_least_recently_used_go_first(tmp_path: Path) -> None:
    cache = ClipCache(tmp_path, limit=400_000)
    for number in range(60):
        put(cache, number)
        assert cache.total_bytes() <= 400_000
    on_disk = sum(path.stat().st_size for path in tmp_path.rglob("*/*") if path.is_file())
    assert on_disk == cache.total_bytes()
    left = kept(cache, 60)
    assert left == list(range(60 - len(left), 60))
    assert len(left) > 30


def test_reading_a_clip_keeps_it_also_across_runs(tmp_path: Path) -> None:
    cache = ClipCache(tmp_path, limit=1_000_000)
    for number in range(30):
        put(cache, number)
        moment = time.time() - 1000 + number
        os.utime(tmp_path / key(number)[:2] / f"{key(number)}{ENDING}", (moment, moment))
    assert ClipCache(tmp_path).get(key(0)) is not None
    small = ClipCache(tmp_path, limit=1_000_000)
    small.set_limit(20 * (SIZE + BESIDE))
    left = kept(small, 30)
    assert 0 in left
    assert 1 not in left


def test_clips_that_somebody_voted_on_go_last_and_pinned_ones_never(tmp_path: Path) -> None:
    cache = ClipCache(tmp_path, limit=1_000_000)
    for number in range(50):
        put(cache, number)
    cache.mark_voted(key(0))
    cache.mark_voted(key(1))
    cache.pin(key(2))
    cache.mark_voted(key(999))  # long gone: nothing happens
    for number in range(50):  # marking is no use: these two are the oldest still
        moment = time.time() - 1000 + number
        os.utime(tmp_path / key(number)[:2] / f"{key(number)}{ENDING}", (moment, moment))
    cache = ClipCache(tmp_path, limit=1_000_000)  # the marks are on disk
    cache.set_limit(23 * (SIZE + BESIDE))
    assert {0, 1, 2} <= set(kept(ClipCache(tmp_path), 50))
    for number in range(100, 100 + IN_HAND):
        put(cache, number)
    cache.set_limit(0)
    assert kept(ClipCache(tmp_path), 200) == [2, *range(100, 100 + IN_HAND)]  # the last ones may be about to be read
    cache.pin(key(2), pinned=False)
    assert cache.get(key(2)) is not None


def test_a_second_take_of_a_key_keeps_its_marks(tmp_path: Path) -> None:
    cache = ClipCache(tmp_path)
    for number in range(IN_HAND + 2):
        put(cache, number)
    cache.pin(key(0))
    put(cache, 0)
    for number in range(1, IN_HAND + 2):
        assert cache.get(key(number)) is not None
    cache.set_limit(0)
    assert cache.get(key(0)) is not None


def cut_sound(wav: Path, meta: Path) -> None:
    wav.write_bytes(wav.read_bytes()[:-1])


def flip_a_bit(wav: Path, meta: Path) -> None:
    data = bytearray(wav.read_bytes())
    data[500] ^= 1
    wav.write_bytes(data)


def empty_meta(wav: Path, meta: Path) -> None:
    meta.write_bytes(b"")


def wrong_meta(wav: Path, meta: Path) -> None:
    meta.write_text('["not", "ours"]')


def sound_is_gone(wav: Path, meta: Path) -> None:
    wav.unlink()


def meta_is_gone(wav: Path, meta: Path) -> None:
    meta.unlink()


@pytest.mark.parametrize("harm", [cut_sound, flip_a_bit, empty_meta, wrong_meta])
def test_a_damaged_clip_counts_as_absent_and_is_taken_out(
    tmp_path: Path, harm: Callable[[Path, Path], None], expect_log: Callable[[str], None]
) -> None:
    expect_log("a damaged clip was taken out")
    cache = ClipCache(tmp_path)
    put(cache, 1)
    wav = tmp_path / key(1)[:2] / f"{key(1)}.wav"
    harm(wav, wav.with_suffix(ENDING))
    for again in (ClipCache(tmp_path), cache):
        assert again.get(key(1)) is None
        assert len(again) == 0
    assert not wav.exists()
    data = put(cache, 1)
    clip = cache.get(key(1))
    assert clip is not None
    assert clip.path.read_bytes() == data


@pytest.mark.parametrize("harm", [sound_is_gone, meta_is_gone])
def test_half_a_clip_counts_as_absent(tmp_path: Path, harm: Callable[[Path, Path], None]) -> None:
    cache = ClipCache(tmp_path)
    put(cache, 1)
    wav = tmp_path / key(1)[:2] / f"{key(1)}.wav"
    harm(wav, wav.with_suffix(ENDING))
    assert ClipCache(tmp_path).get(key(1)) is None
    assert cache.get(key(1)) is None


def test_what_a_cut_off_run_left_is_swept_once_it_is_old(tmp_path: Path) -> None:
    cache = ClipCache(tmp_path)
    put(cache, 1)
    folder = tmp_path / key(1)[:2]
    half = [folder / name for name in ("x.sealed.1.2.part", "before.json", f"{key(2)}.wav")]
    old = [tmp_path / "incoming" / "aa.wav", *half]
    fresh = tmp_path / "incoming" / "bb.wav"
    for path in (*old, fresh):
        path.write_bytes(b"half")
    for path in old:
        os.utime(path, (time.time() - 7200, time.time() - 7200))
    assert len(ClipCache(tmp_path)) == 1
    assert [path for path in old if path.exists()] == []
    assert fresh.exists()


def test_whoever_looks_through_the_cache_does_not_read_who_spoke(tmp_path: Path) -> None:
    cache = ClipCache(tmp_path)
    sizes = set()
    for number, told in enumerate(({"device": "cpu", "dtype": "float32"}, {"device": "cuda:1", "dtype": "bf16"})):
        place = cache.place_for(key(number))
        place.write_bytes(b"sound")
        cache.put(key(number), place, {**told, "rtf": 0.25, "rate": 22050}, hashlib.sha256(b"sound").hexdigest())
        beside = tmp_path / key(number)[:2] / f"{key(number)}{ENDING}"
        sizes.add(beside.stat().st_size)
        cache.mark_voted(key(number))
        assert not any(word in beside.read_bytes() for word in (b"cpu", b"cuda", b"dtype", b"rtf", b"22050"))
        clip = ClipCache(tmp_path).get(key(number))
        assert clip is not None
        assert clip.meta["device"] == told["device"]  # the vote needs it
    assert len(sizes) == 1


@pytest.mark.parametrize("harm", [b"", b"short"])
def test_a_cache_whose_key_is_lost_or_damaged_is_empty_and_works(
    tmp_path: Path, harm: bytes, expect_log: Callable[[str], None]
) -> None:
    expect_log("a damaged clip was taken out")
    put(ClipCache(tmp_path), 1)
    if harm:
        (tmp_path / KEY).write_bytes(harm)
    else:
        (tmp_path / KEY).unlink()
    cache = ClipCache(tmp_path)
    assert cache.get(key(1)) is None
    put(cache, 1)
    assert ClipCache(tmp_path).get(key(1)) is not None


def test_two_programs_share_one_cache(tmp_path: Path) -> None:
    one, other = ClipCache(tmp_path), ClipCache(tmp_path)
    assert (len(one), len(other)) == (0, 0)
    put(one, 1)
    assert other.get(key(1)) is not None
    assert other.total_bytes() == one.total_bytes()
    other.remove(key(1))
    assert one.get(key(1)) is None


@given(st.lists(st.tuples(st.sampled_from(["put", "get", "vote", "pin", "limit"]), st.integers(0, 40)), max_size=80))
def test_whatever_is_done_nothing_wrong_comes_out_and_only_what_must_stays_over_the_bound(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, int]]
) -> None:
    root = tmp_path_factory.mktemp("cache")
    cache = ClipCache(root, limit=300_000)
    limit, pinned = 300_000, set()
    for step, number in steps:
        if step == "put":
            put(cache, number)
        elif step == "get":
            clip = cache.get(key(number))
            assert clip is None or clip.path.read_bytes() == bytes([number]) * SIZE
        elif step == "vote":
            cache.mark_voted(key(number))
        elif step == "pin":
            cache.pin(key(number))
            if cache.get(key(number)):
                pinned.add(number)
        else:
            limit = number * SIZE
            cache.set_limit(limit)
        assert cache.total_bytes() <= limit or len(cache) <= IN_HAND + len(pinned)
        assert all(cache.get(key(kept_number)) for kept_number in pinned)
    assert ClipCache(root).total_bytes() == cache.total_bytes()
