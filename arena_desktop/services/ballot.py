"""From a battle that was voted on to the draft of its record (the log adds id, station, time and hashes)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from arena_desktop import __version__
from arena_desktop.audio.types import PlayerStatus
from arena_desktop.domain.battle import Battle, Competitor
from arena_desktop.domain.canonical import decimal4, probability_text
from arena_desktop.domain.roster import ModelSpec
from arena_desktop.domain.settings import Settings
from arena_desktop.services.battle_maker import PreparedBattle
from arena_desktop.services.clips import Fetched

RULES = "elo-1"


@dataclass(frozen=True)
class Circumstances:
    """What held while the battle was open. ``opened_at`` is UTC text with six decimals; ``settings`` those at its
    opening.
    """

    listener: str
    session_id: str
    opened_at: str
    settings: Settings
    silent: bool


def vote_draft(prepared: PreparedBattle, battle: Battle, status: PlayerStatus, held: Circumstances) -> dict[str, Any]:
    """The record of DESIGN §6 without what only the log can know. ``listening.reveals_before`` is filled in by the
    log.
    """
    if battle.vote is None or battle.rt_ms is None:
        raise ValueError("a draft needs a vote")
    plan, prompt, settings = prepared.plan, prepared.prompt, held.settings
    own = prompt.id.startswith("own:")
    return {
        "type": "vote",
        "arena": plan.arena,
        "vote": str(battle.vote),
        "model_a": _model(prepared.model_a, plan.a, prepared.a, own),
        "model_b": _model(prepared.model_b, plan.b, prepared.b, own),
        "prompt": {
            "id": prompt.id,
            "sha256": None if own else prompt.sha256,
            "category": prompt.category or None,
            "language": prompt.language or None,
            "text": None if own else prompt.text,
        },
        "listener": held.listener,
        "session_id": held.session_id,
        "study": None,
        "conditions": {
            "question": plan.question,
            "gate": decimal4(battle.gate),
            "playback": settings.playback,
            "autoplay": settings.autoplay,
            "reveal": settings.reveal,
            "text_hidden": False,
            "silent": held.silent,
            "target_lufs": decimal4(prepared.pair.target_lufs),
        },
        "listening": {
            "first_played": None if status.first_played is None else str(status.first_played),
            "plays_a": status.plays_a,
            "plays_b": status.plays_b,
            "heard_a": decimal4(status.heard_a),
            "heard_b": decimal4(status.heard_b),
            "switches": status.switches,
            "opened_at": held.opened_at,
            "rt_ms": round(battle.rt_ms),
            "rate": status.rate,
            "underflows": status.underflows,
            "volume_db": decimal4(settings.volume_db),
            "reveals_before": None,
        },
        "levels": {
            "gain_a_db": decimal4(prepared.pair.gain_a_db),
            "gain_b_db": decimal4(prepared.pair.gain_b_db),
        },
        "policy": {"pair": plan.policy, "probability": probability_text(plan.probability), "seed": plan.seed},
        "app_version": __version__,
        "rules": RULES,
        "private": _private(prepared, status.device, own),
    }


def _model(model: ModelSpec, competitor: Competitor, clip: Fetched, own: bool) -> dict[str, Any]:
    identity, spoken = clip.identity, clip.spoken
    return {
        "repo_id": competitor.repo_id,
        "name": model.name,
        "revision": identity.revision,
        "voice": competitor.voice,
        "engine": identity.engine,
        "engine_version": identity.engine_version,
        "weights_hash": identity.weights_hash,
        "settings_hash": identity.settings_hash,
        "reference_sha256": identity.reference_sha256,
        "device": spoken.device,
        "dtype": spoken.dtype,
        "clip_sha256": None if own else spoken.clip_sha256,
        "rtf": decimal4(spoken.rtf),
        "take": competitor.take,
    }


def _private(prepared: PreparedBattle, device: str | None, own: bool) -> Mapping[str, Any] | None:
    if not own and device is None:
        return None
    return {
        "text": prepared.prompt.text if own else None,
        "text_sha256": prepared.prompt.sha256 if own else None,
        "clip_a_sha256": prepared.a.spoken.clip_sha256 if own else None,
        "clip_b_sha256": prepared.b.spoken.clip_sha256 if own else None,
        "device": device,
        "note": None,
    }
