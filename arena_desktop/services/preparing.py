"""Preparing many battles at once, as the Listen page offers and shows it."""

from collections.abc import Callable
from typing import Protocol

from arena_desktop.services.stock import Stocked
from arena_desktop.services.views import Line, PreparingView, Tone

BATTLES = 50
"""So many battles are prepared at one press."""
OFFER = f"Prepare {BATTLES} battles"


class Preparer(Protocol):
    """Whoever prepares."""

    def prepare(self, battles: int) -> None: ...
    def stop_preparing(self) -> None: ...


class Preparing:
    """Offers to prepare, and tells how far it has come. While a battle is open nothing is told that the listener did
    not ask for just now, and what is told then are words without a number.
    """

    def __init__(self, preparer: Preparer, show: Callable[[PreparingView], None]) -> None:
        self._preparer = preparer
        self._show = show
        self._stocked = Stocked()
        self._held = False
        self._shown = PreparingView()

    def begin(self) -> None:
        """The listener wants battles prepared."""
        self._preparer.prepare(BATTLES)
        self._answer(True)

    def stop(self) -> None:
        """The listener wants it stopped."""
        self._preparer.stop_preparing()
        self._answer(False)

    def stocked(self, stocked: Stocked) -> None:
        """It has come so far."""
        self._stocked = stocked
        self._push()

    def hold(self) -> None:
        """A battle is open."""
        self._held = True

    def release(self) -> None:
        """The battle is over."""
        self._held = False
        self._push()

    def votes_changed(self) -> None:
        """Nothing here hangs on the votes."""

    def _answer(self, running: bool) -> None:
        if self._held:
            self._deliver(_while_open(running))

    def _push(self) -> None:
        if not self._held:
            self._deliver(_view(self._stocked))

    def _deliver(self, view: PreparingView) -> None:
        if view != self._shown:
            self._shown = view
            self._show(view)


def _view(stocked: Stocked) -> PreparingView:
    if stocked.running:
        left = "" if stocked.left is None else f", {stocked.left.left}"
        words = f"Preparing battles: {stocked.done:,} of {stocked.total:,} clips{left}."
        share = stocked.done / stocked.total if stocked.total else 0.0
        return PreparingView(OFFER, can_stop=True, line=_line(stocked, words), share=share)
    told = _prepared(stocked.battles) if stocked.battles else ""
    if stocked.battles >= BATTLES or not stocked.ready:
        return PreparingView(OFFER, line=_line(stocked, told))
    more = BATTLES - stocked.battles
    offer = OFFER if stocked.a_battle is None else f"{OFFER} ({stocked.a_battle.times(more).words})"
    return PreparingView(offer, can_prepare=True, line=_line(stocked, told))


def _while_open(running: bool) -> PreparingView:
    if running:
        return PreparingView(OFFER, can_stop=True, line=Line("Preparing battles. How far is shown after this one."))
    return PreparingView(OFFER, can_prepare=True, line=Line("Stopped. What was spoken is kept."))


def _line(stocked: Stocked, words: str) -> Line:
    return Line(stocked.note, Tone.WARNING) if stocked.note else Line(words)


def _prepared(battles: int) -> str:
    return "1 battle is prepared." if battles == 1 else f"{battles:,} battles are prepared."
