"""Simulated panels as real vote records, in a log: as fast as records can be hashed (100,000 in half a minute)."""

from collections.abc import Iterable, Iterator
from typing import Any

from arena_desktop.domain.canonical import uuid7
from arena_desktop.domain.records import Envelope, vote_record
from arena_desktop.domain.roster import ArenaSpec, ModelSpec, Roster
from arena_desktop.domain.times import time_text
from arena_desktop.ratings.panel import SimulatedPanel
from arena_desktop.ratings.vote_table import VoteRow
from arena_desktop.store.vote_log import VoteLog

STATION = "5c0cbb54-6d3c-4f43-9a4e-0000000005ed"
_SIDES = "ab"


def panel_roster(panel: SimulatedPanel, arena: str = "english") -> Roster:
    """A roster with one arena of the panel's models."""
    return Roster({name: ModelSpec(name, name) for name in panel.models}, {arena: ArenaSpec(arena, panel.models)})


def simulated_records(
    panel: SimulatedPanel, arena: str = "english", station: str = STATION
) -> Iterator[dict[str, Any]]:
    """The panel's votes as one station's records, chained."""
    return chained(panel.rows(), panel.probability.tolist(), arena, station)


def chained(
    rows: Iterable[VoteRow], probability: Iterable[float], arena: str, station: str = STATION
) -> Iterator[dict[str, Any]]:
    """Any votes with a time as one station's records, chained."""
    last = ""
    for number, (row, chance) in enumerate(zip(rows, probability, strict=True), 1):
        salt = f"{number:032x}"
        envelope = Envelope(uuid7(row.at // 1000, number), station, number, time_text(row.at), last, salt)
        record = vote_record(_draft(row, chance, arena, number), envelope)
        last = record["hash"]
        yield record


def fill(log: VoteLog, panel: SimulatedPanel, arena: str = "english") -> None:
    """Put the panel into an open log, as if it had been merged from another station: one transaction."""
    with log.database.write():
        for record in simulated_records(panel, arena):
            log.insert(record)


def _draft(row: VoteRow, chance: float, arena: str, number: int) -> dict[str, Any]:
    condition = row.condition
    return {
        "arena": arena,
        "vote": row.vote,
        "model_a": _model(row.a, row.make_a, row.device_a, row.rtf_a),
        "model_b": _model(row.b, row.make_b, row.device_b, row.rtf_b),
        "prompt": {
            "id": row.prompt,
            "sha256": "c" * 64,
            "category": row.category,
            "language": row.language,
            "text": "Sentence. " * (row.length // 10) + "." * (row.length % 10),
        },
        "listener": row.listener if isinstance(row.listener, str) else None,
        "session_id": row.session,
        "conditions": {
            "question": condition.question,
            "gate": condition.gate,
            "playback": condition.playback,
            "reveal": condition.reveal,
            "text_hidden": condition.text_hidden,
            "silent": condition.silent,
            "target_lufs": -23,
        },
        "listening": {
            "first_played": _SIDES[row.first],
            "heard_a": 1,
            "heard_b": 1,
            "plays_a": 1,
            "plays_b": 1,
            "reveals_before": row.reveals_before,
        },
        "policy": {"pair": row.policy, "probability": chance, "seed": f"simulated {number}"},
        "app_version": "0.1",
    }


def _model(repo_id: str, make: Any, device: str | None, rtf: float) -> dict[str, Any]:
    return {
        "repo_id": repo_id,
        "name": repo_id,
        "weights_hash": make.weights_hash,
        "settings_hash": make.settings_hash,
        "voice": make.voice,
        "device": device,
        "rtf": rtf,
        "take": 0,
    }
