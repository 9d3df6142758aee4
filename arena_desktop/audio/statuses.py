"""From where the renderer stands to what a player says of itself."""

from dataclasses import replace

from arena_desktop.audio.renderer import Mode, Snapshot
from arena_desktop.audio.types import PlayerState, PlayerStatus
from arena_desktop.domain.votes import Side

STATES = {Mode.IDLE: PlayerState.IDLE, Mode.PLAYING: PlayerState.PLAYING, Mode.PAUSED: PlayerState.PAUSED}
"""The player's state while sound is to be had."""


def status_of(snapshot: Snapshot, state: PlayerState, **more: object) -> PlayerStatus:
    """The renderer's snapshot as the player's status; ``more`` are fields that the renderer doesn't know."""
    length = snapshot.lengths[1 if snapshot.side is Side.B else 0]
    if snapshot.reference:
        length = snapshot.reference_length
    fields: dict[str, object] = {
        "state": state,
        "side": snapshot.side,
        "position": snapshot.position / length,
        "heard_a": snapshot.heard[0] / snapshot.lengths[0],
        "heard_b": snapshot.heard[1] / snapshot.lengths[1],
        "plays_a": snapshot.plays[0],
        "plays_b": snapshot.plays[1],
        "switches": snapshot.switches,
        "first_played": snapshot.first_played,
        "underflows": snapshot.underflows,
        "generation": snapshot.generation,
        "reference": snapshot.reference,
    }
    return PlayerStatus(**{**fields, **more})  # type: ignore[arg-type]


def of_pair(status: PlayerStatus, wanted: int, newest: int) -> PlayerStatus:
    """The status as one of the pair that was loaded last.

    ``wanted`` is the generation of the pair that should be loaded, 0 for none, and ``newest`` what is reported. While
    the renderer still holds another pair (fading it out, or without a device) nothing is heard.
    """
    if status.generation == wanted:
        return replace(status, generation=newest)
    with_sound = status.state in STATES.values()
    return PlayerStatus(
        state=PlayerState.IDLE if with_sound else status.state,
        device=status.device,
        generation=newest,
        message=status.message,
        remedy=status.remedy,
    )
