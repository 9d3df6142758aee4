"""Hearing the clips of an old vote again, as they were heard then, while the battle lends its player."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol

from arena_desktop.audio.types import Clip, Player, PlayerState, PreparedPair
from arena_desktop.domain.votes import Side
from arena_desktop.errors import ArenaError
from arena_desktop.services.jobs import JobThread
from arena_desktop.services.vote_rows import clip_sounds

GONE = ArenaError(
    "The clips of this vote are no longer on this machine.",
    "They were spoken elsewhere, or the clip cache made room for others (Settings, clip cache).",
)


class Lender(Protocol):
    """Whoever has the player otherwise."""

    def lend_player(self) -> None:
        """Leave the player alone until it is given back."""

    def give_back_player(self) -> None: ...


class ListenAgain:
    """Plays one vote's pair at a time.

    ``find`` gives the vote's record, ``sound`` the file of a clip by its SHA-256 (None if it is gone); both run on
    ``thread``, like ``read`` and ``level``. ``target`` is the loudness where a record names none, in LUFS.
    """

    def __init__(
        self,
        *,
        thread: JobThread,
        player: Player,
        lender: Lender,
        find: Callable[[str], Mapping[str, Any] | None],
        sound: Callable[[str], Path | None],
        read: Callable[[Path], Clip],
        level: Callable[[Clip, Clip, float], PreparedPair],
        target: Callable[[], float],
    ) -> None:
        self._thread = thread
        self._player = player
        self._lender = lender
        self._find = find
        self._sound = sound
        self._read = read
        self._level = level
        self._target = target
        self._wish = 0
        self._loaded = ""
        self._generation = -1
        self._sounded = False

    def play(self, vote_id: str, side: Side, failed: Callable[[ArenaError], None]) -> None:
        """Play one side from its start; ``failed`` hears why it can't be done."""
        self._wish += 1
        wish = self._wish
        if vote_id == self._loaded:
            self._start(side)
            return

        def loaded(pair: PreparedPair) -> None:
            if wish != self._wish:
                return
            if not self._loaded:
                self._lender.lend_player()
            self._loaded = vote_id
            self._generation = self._player.load(pair)
            self._start(side)

        def not_loaded(error: Exception) -> None:
            if not isinstance(error, ArenaError):
                raise error
            if wish == self._wish:
                self.stop()
                failed(error)

        target = self._target()
        self._thread.ask(lambda: self._prepare(vote_id, target), loaded, not_loaded)

    def stop(self) -> None:
        """Stop, and give the player back."""
        self._wish += 1
        if self._loaded:
            self._loaded = ""
            self._player.unload()
            self._lender.give_back_player()

    def has_ended(self) -> bool:
        """Whether what was started has been played to its end, or the sound was lost."""
        if not self._loaded:
            return False
        status = self._player.status()
        if status.state in (PlayerState.LOST, PlayerState.FAILED, PlayerState.NO_DEVICE):
            return True
        playing = status.state in (PlayerState.PLAYING, PlayerState.PAUSED)
        self._sounded = self._sounded or (playing and status.generation == self._generation)
        return self._sounded and not playing

    def _start(self, side: Side) -> None:
        self._sounded = False
        self._player.play(side)

    def _prepare(self, vote_id: str, target: float) -> PreparedPair:
        record = self._find(vote_id)
        if record is None:
            raise ArenaError("This vote is no longer in the log.", "Look at the list again.")
        files = [None if sound is None else self._sound(sound) for sound in clip_sounds(record)]
        a, b = (file if file is not None else _gone() for file in files)
        return self._level(self._read(a), self._read(b), _loudness(record, target))


def _gone() -> Path:
    raise GONE


def _loudness(record: Mapping[str, Any], target: float) -> float:
    conditions = record.get("conditions")
    found = conditions.get("target_lufs") if isinstance(conditions, dict) else None
    return (
        float(found) if isinstance(found, int | float) and not isinstance(found, bool) and -70 < found < 0 else target
    )
