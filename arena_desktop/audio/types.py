"""Values that cross the border of the audio package, and the contract of a player."""

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol

from arena_desktop.domain.votes import Side

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RATE = 48_000
"""The one rate at which everything is prepared and played, in Hz."""


@dataclass(frozen=True)
class Clip:
    """Sound as an engine gave it: mono float32, full scale ±1 (may exceed it), at ``rate`` Hz."""

    samples: "NDArray[np.float32]"
    rate: int


@dataclass(frozen=True)
class PreparedPair:
    """Two clips made alike: mono float32 at :data:`RATE`, equal length each to its own content but with the same
    lead-in and tail, the same loudness within ±0.1 LU, no true peak above −1 dBTP.

    ``gain_*_db`` is what was applied; ``lufs_*`` the integrated loudness after it (None for a clip too short for
    BS.1770); ``short_*`` says that the clip was levelled by active RMS instead. ``reference``: the clip that both
    sides clone, as loud as they are; None where there is none.
    """

    a: "NDArray[np.float32]"
    b: "NDArray[np.float32]"
    gain_a_db: float
    gain_b_db: float
    lufs_a: float | None
    lufs_b: float | None
    short_a: bool
    short_b: bool
    target_lufs: float
    rate: int = RATE
    reference: "NDArray[np.float32] | None" = None


class PlayerState(StrEnum):
    """What the player can do at this moment."""

    STARTING = "starting"
    NO_DEVICE = "no_device"
    IDLE = "idle"
    PLAYING = "playing"
    PAUSED = "paused"
    LOST = "lost"
    FAILED = "failed"


@dataclass(frozen=True)
class PlayerStatus:
    """A snapshot, cheap enough to be read 60 times a second.

    ``heard_*``: share 0–1 of the distinct frames of the loaded clip delivered to the device. ``plays_*``: how often the
    side was started. ``switches``: changes of side while or between playing. ``position``: share 0–1 of the side on
    ``side``. ``reference``: the reference was started last, so that ``state`` and ``position`` are its own; ``side`` is
    then None, and nothing else tells of it. ``first_played``: the side started first, None so far.
    ``message``/``remedy`` are words for the status line when the state is NO_DEVICE, LOST or FAILED. ``generation``
    counts loaded pairs, so that a stale snapshot is recognised.
    """

    state: PlayerState
    side: Side | None = None
    position: float = 0.0
    heard_a: float = 0.0
    heard_b: float = 0.0
    plays_a: int = 0
    plays_b: int = 0
    switches: int = 0
    first_played: Side | None = None
    underflows: int = 0
    rate: int = RATE
    device: str | None = None
    generation: int = 0
    message: str = ""
    remedy: str = ""
    reference: bool = False


class Player(Protocol):
    """Plays one prepared pair at a time. No call blocks for longer than a few milliseconds.

    Every call may come at any moment from one thread (the one that owns the player). A call that makes no sense now
    does nothing.
    """

    def start(self) -> None:
        """Bring the output up, in the background."""

    def load(self, pair: PreparedPair) -> int:
        """Replace what is loaded; all counts start at zero. Returns the new generation."""

    def unload(self) -> None:
        """Stop and forget the pair."""

    def play(self, side: Side) -> None:
        """Start that side from its beginning (or, with same-position playback, go on from where the other side is)."""

    def play_reference(self) -> None:
        """Start the pair's reference from its beginning, once; whatever else plays stops. Nothing of it is counted:
        not as a play, not as a switch, not as heard.
        """

    def pause(self) -> None:
        """Hold at the present position."""

    def resume(self) -> None:
        """Go on from where :meth:`pause` held."""

    def set_volume(self, db: float) -> None:
        """Volume in dB, −20…+6, the same for both sides."""

    def set_options(self, *, same_position: bool, loop: bool) -> None:
        """Playback options; they hold from the next :meth:`play` on."""

    def set_device(self, name: str | None) -> None:
        """Play on the device of this name; None is the system's default."""

    def set_latency(self, seconds: float) -> None:
        """How far ahead sound is handed to the device, in seconds. A change starts the output anew, counts at zero."""

    def status(self) -> PlayerStatus:
        """The present snapshot."""

    def command_log(self) -> list[dict[str, Any]]:
        """Every command applied since :meth:`load`, with its frame clock: enough to render again what was heard."""

    def close(self) -> None:
        """Stop, and let go of device and process."""
