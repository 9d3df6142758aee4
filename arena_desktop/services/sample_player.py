"""Hearing one model speak a sentence, on the way of every clip, while the battle lends its player."""

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from arena_desktop.audio.types import Clip, Player, PlayerState, PreparedPair
from arena_desktop.domain.roster import ModelSpec, Voice
from arena_desktop.domain.votes import Side
from arena_desktop.errors import ArenaError
from arena_desktop.services.jobs import JobThread
from arena_desktop.services.listen_again import Lender


class ClipSource(Protocol):
    """Has a clip spoken, unless it lies in the cache."""

    def __call__(self, model: ModelSpec, text: str, voice: Voice | None) -> Path: ...


class SamplePlayer:
    """One sample at a time. ``text`` (what a model shall say), ``spoken``, ``read`` and ``level`` run on ``thread``;
    ``target`` is in LUFS.
    """

    def __init__(
        self,
        *,
        thread: JobThread,
        player: Player,
        lender: Lender,
        text: Callable[[ModelSpec], str],
        spoken: ClipSource,
        read: Callable[[Path], Clip],
        level: Callable[[Clip, Clip, float], PreparedPair],
        target: Callable[[], float],
    ) -> None:
        self._thread = thread
        self._player = player
        self._lender = lender
        self._text = text
        self._spoken = spoken
        self._read = read
        self._level = level
        self._target = target
        self._wish = 0
        self._loaded = False
        self._sounded = False
        self._generation = -1

    def play(
        self,
        prepare: Callable[[], ModelSpec],
        started: Callable[[ModelSpec], None],
        failed: Callable[[ArenaError], None],
    ) -> None:
        """Have the model that ``prepare`` gives (on the thread) speak, then play that; one of the two is called."""
        self.stop()
        wish = self._wish
        target = self._target()

        def work() -> tuple[ModelSpec, PreparedPair]:
            model = prepare()
            voice = model.voices[0] if model.voices else None
            clip = self._read(self._spoken(model, self._text(model), voice))
            return model, self._level(clip, clip, target)

        def loaded(made: tuple[ModelSpec, PreparedPair]) -> None:
            model, pair = made
            if wish == self._wish:
                self._lender.lend_player()
                self._loaded, self._sounded = True, False
                self._generation = self._player.load(pair)
                self._player.play(Side.A)
            started(model)

        def not_loaded(error: Exception) -> None:
            if not isinstance(error, ArenaError):
                raise error
            failed(error)

        self._thread.ask(work, loaded, not_loaded)

    def stop(self) -> None:
        """Stop, and give the player back."""
        self._wish += 1
        if self._loaded:
            self._loaded = False
            self._player.unload()
            self._lender.give_back_player()

    @property
    def playing(self) -> bool:
        """Whether a sample is loaded: it sounds, or has just ended."""
        return self._loaded

    def has_ended(self) -> bool:
        """Whether the sample has been played to its end, or the sound was lost."""
        if not self._loaded:
            return False
        status = self._player.status()
        if status.state in (PlayerState.LOST, PlayerState.FAILED, PlayerState.NO_DEVICE):
            return True
        sounds = status.state in (PlayerState.PLAYING, PlayerState.PAUSED)
        self._sounded = self._sounded or (sounds and status.generation == self._generation)
        return self._sounded and not sounds
