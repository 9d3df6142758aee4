"""The foot of the Listen page: what happened last, what can be done next, and battles prepared ahead."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QVBoxLayout, QWidget

from arena_desktop.services.views import ListenView
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.buttons import IconButton
from arena_desktop.ui.widgets.prepare_bar import PrepareBar
from arena_desktop.ui.widgets.status_line import StatusLine


class ListenFoot(QWidget):
    """Its parts are the page's to listen to: ``status``, ``undo``, ``skip``, ``next``, ``preparing``."""

    let_go = Signal()
    """The button that has the focus is about to be switched off: somebody else must take it."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.status = StatusLine(theme)
        self.undo = IconButton(
            "Undo", "undo", theme, name="Undo the last vote", tip="Take the last vote back  (Ctrl+Z)", quiet=True
        )
        self.undo.setProperty("enterIsMine", True)
        self.skip = IconButton(
            "Skip", "skip", theme, name="Skip this battle", tip="Next battle without a vote  (S)", quiet=True
        )
        self.next = IconButton("Next", "next", theme, name="Next battle", tip="Next battle  (N or Enter)", primary=True)
        for name, button in (("undo", self.undo), ("skip", self.skip), ("next", self.next)):
            button.setObjectName(name)
        self.preparing = PrepareBar(theme)
        self.preparing.let_go.connect(self.let_go)
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._row.addWidget(self.status, 1)
        self._buttons = QHBoxLayout()
        self._buttons.addStretch(1)
        for button in (self.undo, self.skip, self.next):
            self._buttons.addWidget(button)
        self._row.addLayout(self._buttons)
        self._last = QVBoxLayout()
        self._last.addWidget(self.preparing)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._row)
        column.addLayout(self._last)
        self._space()
        theme.changed.connect(self._space)

    def set_narrow(self, narrow: bool) -> None:
        """The buttons below the words, or beside them."""
        self._row.setDirection(QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight)
        self.preparing.set_narrow(narrow)

    def set_short(self, short: bool) -> None:
        """In a low window offer no more than the battle."""
        self.preparing.set_short(short)

    def show_steps(self, view: ListenView) -> None:
        """What can be done next."""
        for button, enabled in ((self.skip, view.can_skip), (self.undo, view.can_undo), (self.next, view.can_next)):
            # Qt would hand the focus of a button that is switched off to the next one, and Enter would press that.
            if not enabled and button.hasFocus():
                self.let_go.emit()
            button.setEnabled(enabled)

    def _space(self) -> None:
        px = self._theme.px
        self._row.setContentsMargins(px(1.5), px(0.4), px(1.5), px(0.3))
        self._last.setContentsMargins(px(1.5), 0, px(1.5), px(0.6))
        self._row.setSpacing(px(0.4))
        self._buttons.setSpacing(px(0.4))
