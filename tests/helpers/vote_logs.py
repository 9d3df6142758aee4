"""Vote logs for tests: drafts, logs with a clock that is wound by hand, files of votes."""

import itertools
import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from arena_desktop.domain.canonical import canonical, private_hash, record_hash
from arena_desktop.domain.roster import ArenaSpec, ModelSpec, Roster
from arena_desktop.store.database import Database
from arena_desktop.store.vote_log import VoteLog

START_US = 1_780_000_000_000_000
"""28 May 2026, 20:26:40 UTC."""

ROSTER = Roster(
    {name: ModelSpec(name, name) for name in ("x/one", "x/two", "x/three")},
    {"english": ArenaSpec("english", ("x/one", "x/two", "x/three"))},
)


def draft(**changes: Any) -> dict[str, Any]:
    """A vote as the services hand it over, with ``changes``."""
    return {
        "arena": "english",
        "vote": "a",
        "model_a": {
            "repo_id": "x/one",
            "name": "One",
            "device": "cpu",
            "rtf": 0.123456,
            "take": 0,
            "clip_sha256": "aa",
        },
        "model_b": {"repo_id": "x/two", "name": "Two", "device": "cpu", "rtf": 1.0, "take": 0, "clip_sha256": "bb"},
        "prompt": {"id": "en-short-001", "sha256": "cc", "category": "short", "language": "en", "text": "Good night."},
        "listener": "l-aaaaaaaaaaaaaaaa",
        "session_id": "1b4e28ba-2fa1-41d2-883f-0016d3cca427",
        "conditions": {"question": "Which?", "gate": 0.9, "reveal": "each", "silent": False, "target_lufs": -23.0},
        "listening": {"first_played": "a", "heard_a": 0.98765, "heard_b": 1.0, "rt_ms": 812},
        "policy": {"pair": "uniform", "probability": 1 / 3, "seed": "7"},
        "app_version": "0.1",
        **changes,
    }


class Clock:
    """Microseconds since 1970; a second further at every look unless it is set."""

    def __init__(self, now: int = START_US) -> None:
        self.now = now

    def __call__(self) -> int:
        self.now += 1_000_000
        return self.now


def counting_entropy(start: int = 0) -> Callable[[int], bytes]:
    """Random bytes that are none: 0, 1, 2 …"""
    numbers = itertools.count(start)
    return lambda size: next(numbers).to_bytes(size)


def open_log(folder: Path, *, here: str | None = None, clock: Callable[[], int] | None = None) -> VoteLog:
    """The log in ``folder``, which is made if need be."""
    return VoteLog(Database(folder / "votes.sqlite"), here=here or str(folder), clock=clock or Clock())


def unguard(log: VoteLog) -> None:
    """Remove what keeps the records from being changed, as any tool could."""
    for (name,) in log.database.rows("SELECT name FROM sqlite_master WHERE type = 'trigger'"):
        log.database.run(f"DROP TRIGGER {name}")


def foreign_record(**changes: Any) -> dict[str, Any]:
    """A valid record of ours from a station elsewhere, its hashes made after ``changes``."""
    private = {"salt": "00", "text": None, "note": "hush"}
    record: dict[str, Any] = {
        "type": "vote",
        "id": "01900000-0000-7000-8000-000000000001",
        "station_id": "5c0cbb54-6d3c-4f43-9a4e-000000000001",
        "seq": 1,
        "at": "2026-03-01T10:00:00.000000Z",
        "arena": "english",
        "vote": "b",
        "model_a": {"repo_id": "x/one"},
        "model_b": {"repo_id": "x/two"},
        "listener": "l-bbbbbbbbbbbbbbbb",
        "prev_hash": "",
        "private": private,
        "private_hash": private_hash(private),
        **changes,
    }
    record["hash"] = record_hash(record)
    return record


def write_lines(path: Path, records: Iterable[Any]) -> Path:
    """A file of JSON Lines without a header; records that have a canonical form in that form."""
    path.write_bytes(b"".join(canonical(record) + b"\n" for record in records))
    return path


def vectors(name: str) -> Any:
    """A file of test vectors."""
    return json.loads((Path(__file__).parent.parent / "vectors" / name).read_text(encoding="utf-8"))


def hashes(log: VoteLog) -> Iterator[str]:
    """The hashes of a log's records, in canonical order."""
    return (record["hash"] for record in log.records())
