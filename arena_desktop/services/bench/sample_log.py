"""Votes made up for measuring: full records, chained, as many stations would have written them."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from arena_desktop.domain.canonical import private_hash, probability_text, record_hash, sha256_hex, uuid7
from arena_desktop.domain.records import RULES, VOTE
from arena_desktop.domain.times import time_text
from arena_desktop.domain.votes import Vote

MODELS = 50
LISTENERS = 2_000
_START_US = 1_767_225_600_000_000
_STEP_US = 3_000_000
_VOTES = tuple(Vote)
_BLOCK = 4096


def sample_votes(votes: int, stations: int, seed: int) -> Iterator[dict[str, Any]]:
    """So many votes in canonical order, cast in turns on so many stations: vote n on station n modulo ``stations``."""
    models = [_model(number) for number in range(MODELS)]
    names = [_uuid(f"station {number}") for number in range(stations)]
    last = [""] * stations
    for first in range(0, votes, _BLOCK):
        draws = _draws(np.random.default_rng((seed, first)))
        for number, drawn in enumerate(draws[: votes - first], first):
            station = number % stations
            record = _vote(number, drawn, models)
            record["station_id"] = names[station]
            record["seq"] = number // stations + 1
            record["prev_hash"] = last[station]
            record["hash"] = last[station] = record_hash(record)
            yield record


def _draws(chance: np.random.Generator) -> list[tuple[Any, ...]]:
    a = chance.integers(0, MODELS, _BLOCK)
    b = (a + chance.integers(1, MODELS, _BLOCK)) % MODELS
    # Some listeners vote much and most little, as they do.
    listener = (LISTENERS * chance.random(_BLOCK) ** 3).astype(np.int64)
    vote = chance.choice(len(_VOTES), _BLOCK, p=(0.4, 0.4, 0.15, 0.05))
    prompt = chance.integers(0, 200, _BLOCK)
    shares = chance.random((_BLOCK, 4)).round(4) * 0.9 + 0.05
    waits = chance.integers(300, 30_000, _BLOCK)
    salts = chance.integers(0, 1 << 63, (_BLOCK, 2))
    columns = (a, b, listener, vote, prompt, shares.round(4), waits, salts)
    return list(zip(*(column.tolist() for column in columns), strict=True))


def _vote(number: int, drawn: tuple[Any, ...], models: list[dict[str, Any]]) -> dict[str, Any]:
    a, b, listener, vote, prompt, shares, wait, (salt, bits) = drawn
    at = _START_US + number * _STEP_US
    private = {
        "salt": f"{salt:032x}", "text": None, "text_sha256": None, "clip_a_sha256": None, "clip_b_sha256": None,
        "device": "Built-in Audio Analog Stereo", "note": None,
    }  # fmt: skip
    clips = sha256_hex(b"%d %d" % (a, prompt)), sha256_hex(b"%d %d" % (b, prompt))
    return {
        "type": VOTE,
        "id": uuid7(at // 1000, bits << 11 | number % 2048),
        "at": time_text(at),
        "arena": "english",
        "vote": str(_VOTES[vote]),
        "model_a": {**models[a], "clip_sha256": clips[0], "rtf": shares[0]},
        "model_b": {**models[b], "clip_sha256": clips[1], "rtf": shares[1]},
        "prompt": {
            "id": f"en-news-{prompt:03d}", "sha256": sha256_hex(b"%d" % prompt), "category": "news", "language": "en",
            "text": f"Sentence {prompt} of the set, which is about as long as those that listeners hear read aloud.",
        },
        "listener": f"l-{listener:016x}",
        "session_id": _uuid(f"session {listener} {number // 20_000}"),
        "study": None,
        "conditions": {
            "question": "Which voice would you rather listen to?", "gate": 0.9, "playback": "loudspeaker",
            "autoplay": True, "reveal": "each", "text_hidden": False, "silent": False, "target_lufs": -23,
        },
        "listening": {
            "first_played": "ab"[wait % 2], "plays_a": 1 + wait % 3, "plays_b": 1, "heard_a": shares[2],
            "heard_b": shares[3], "switches": wait % 4, "opened_at": time_text(at - 15_000_000), "rt_ms": wait,
            "rate": 48_000, "underflows": 0, "volume_db": -6.5, "reveals_before": number // 1000,
        },
        "levels": {"gain_a_db": round(shares[0] * 6 - 3.01, 4), "gain_b_db": round(shares[1] * 6 - 3.01, 4)},
        "policy": {"pair": "uncertain", "probability": probability_text(shares[2] / 100), "seed": str(salt)},
        "app_version": "1.0",
        "rules": RULES,
        "private_hash": private_hash(private),
        "private": private,
    }  # fmt: skip


def _model(number: int) -> dict[str, Any]:
    return {
        "repo_id": f"bench/model-{number:04d}", "name": f"Model {number}", "revision": "main",
        "voice": f"voice-{number}", "engine": "piper", "engine_version": "1.2.0",
        "weights_hash": sha256_hex(b"weights %d" % number), "settings_hash": sha256_hex(b"settings"),
        "reference_sha256": None, "device": "cpu", "dtype": "float32", "take": 0,
    }  # fmt: skip


def _uuid(text: str) -> str:
    digits = sha256_hex(text.encode())
    return f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-8{digits[17:20]}-{digits[20:32]}"
