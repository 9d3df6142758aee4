"""The keys of the Listen page. They work wherever the focus is, while the page is shown and no text is being typed."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget

from arena_desktop.domain.votes import Side, Vote
from arena_desktop.ui.held import HeldKey
from arena_desktop.ui.pages.listen import ListenPage
from arena_desktop.ui.widgets.controls import Dropdown

ENTER_IS_MINE = "enterIsMine"
"""A property of widgets that Enter presses when they have the focus, even where Enter would mean "next"."""


class ListenKeys(QObject):
    """Shortcuts of the window that are on while the Listen page is shown.

    Qt offers every key to the focused widget first, and text fields keep what can be typed: so the single keys are
    off while typing, and Ctrl+Z undoes typing there. A focused list keeps the keys that move in it. Space pauses also
    from there, and never presses a focused button here: Enter does. Only the volume goes on while its key is held.
    """

    def __init__(self, window: QWidget, page: ListenPage, held: HeldKey) -> None:
        super().__init__(window)
        self._window, self._page, self._held = window, page, held
        self._shortcuts: list[QShortcut] = []
        once: list[tuple[str, Callable[[], None]]] = [
            ("A", lambda: page.play(Side.A)),
            ("B", lambda: page.play(Side.B)),
            ("Left", lambda: page.play(Side.A)),
            ("Right", lambda: page.play(Side.B)),
            ("R", page.play_reference),
            ("Space", page.toggle_pause),
            ("1", lambda: page.vote(Vote.A)),
            ("2", lambda: page.vote(Vote.B)),
            ("3", lambda: page.vote(Vote.TIE)),
            ("4", lambda: page.vote(Vote.BOTH_BAD)),
            ("N", page.next),
            ("S", page.skip),
            ("Ctrl+Z", page.undo),
            ("Return", self._enter),
            ("Enter", self._enter),
        ]
        for keys, act in once:
            self._add(keys, act, repeats=False)
        self._add("Up", lambda: page.change_volume(1), repeats=True)
        self._add("Down", lambda: page.change_volume(-1), repeats=True)

    def set_active(self, active: bool) -> None:
        """Switch all of them on or off."""
        for shortcut in self._shortcuts:
            shortcut.setEnabled(active)

    def _add(self, keys: str, act: Callable[[], None], *, repeats: bool) -> None:
        shortcut = QShortcut(QKeySequence(keys), self._window)
        shortcut.setContext(Qt.ShortcutContext.WindowShortcut)
        shortcut.setAutoRepeat(repeats)
        shortcut.activated.connect(act if repeats else lambda: self._once(act))
        self._shortcuts.append(shortcut)

    def _once(self, act: Callable[[], None]) -> None:
        if not self._held.repeating:
            act()

    def _enter(self) -> None:
        focused = QApplication.focusWidget()
        mine = focused is not None and bool(focused.property(ENTER_IS_MINE))
        if self._page.can_next and not mine:
            self._page.next()
        elif isinstance(focused, Dropdown):
            focused.enter()
        elif isinstance(focused, QAbstractButton):
            focused.click()
