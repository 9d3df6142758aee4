"""The reference of a battle of clones: the clip that both sides speak in the voice of, made ready to be heard."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from arena_desktop.audio.types import Clip, PreparedPair
from arena_desktop.domain.roster import ModelSpec, Voice
from arena_desktop.engines.types import Identity
from arena_desktop.errors import ArenaError
from arena_desktop.paths import from_home

UNREADABLE = "The clip that both voices clone can't be read any more."

Spoke = tuple[ModelSpec, Voice | None, Identity]
"""Who spoke, with which voice, and what exactly that was."""


@dataclass(frozen=True)
class References:
    """Puts references to pairs. ``read`` gives the clip in a file that has a SHA-256, ``join`` the pair with it; both
    raise :class:`ArenaError` in words that name neither file nor model.
    """

    read: Callable[[Path, str], Clip]
    join: Callable[[PreparedPair, Clip], PreparedPair]

    def joined(self, pair: PreparedPair, sides: Sequence[Spoke]) -> tuple[PreparedPair, str]:
        """``pair`` with the clip that ``sides`` clone, and ""; or ``pair`` as it was, and why it can't be heard."""
        digest = next(filter(None, (_digest(side) for side in sides)), None)
        if digest is None:
            return pair, UNREADABLE
        why = UNREADABLE
        for model, voice, _ in sides:  # either side's copy will do
            if voice is None or voice.audio is None:
                continue
            try:
                return self.join(pair, self.read(clip_file(model, voice.audio), digest)), ""
            except ArenaError as error:
                why = error.message
        return pair, why


def unlike(sides: Sequence[Spoke]) -> bool:
    """Whether the two sides are known to have cloned different clips: a file was changed while the program ran."""
    digests = [_digest(side) for side in sides]
    return None not in digests and len(set(digests)) > 1


def clip_file(model: ModelSpec, audio: str) -> Path:
    """Where the clip of a voice of ``model`` lies."""
    return Path(model.base) / from_home(audio)


def _digest(side: Spoke) -> str | None:
    _, voice, identity = side
    return identity.reference_sha256 or (None if voice is None else voice.clip)
