"""A group of settings on a card: title and explanation at the left, the control at the right."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QSizePolicy, QVBoxLayout, QWidget

from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.buttons import Words
from arena_desktop.ui.widgets.controls import Switch

NARROW_EM = 30


class SettingGroup(QFrame):
    """Rows are added from top to bottom."""

    def __init__(self, title: str, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setProperty("card", True)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self._controls: list[QWidget] = []
        self._rows: list[QBoxLayout] = []
        self._column = QVBoxLayout(self)
        self._column.addWidget(Words(title, theme, scale=1.15, strong=True))
        self._space()
        theme.changed.connect(self._space)

    def add(self, title: str, explanation: str, control: QWidget) -> None:
        """One setting. ``control`` names itself for assistive technology."""
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(Words(title, self._theme, wrap=True))
        words.addWidget(Words(explanation, self._theme, voice="muted", scale=0.95, wrap=True))
        row = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        row.addLayout(words, 3)
        if isinstance(control, Switch):
            row.addWidget(control, 2, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        else:
            row.addWidget(control, 2, Qt.AlignmentFlag.AlignVCenter)
        self._column.addLayout(row)
        self._rows.append(row)
        self._controls.append(control)
        self._space()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._reflow()

    def _reflow(self) -> None:
        """The control beside its words, or below them where the window is narrow for its font."""
        narrow = self.width() < self._theme.em * NARROW_EM
        direction = QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight
        for row in self._rows:
            row.setDirection(direction)
            row.setSpacing(self._theme.px(0.3 if narrow else 1.2))

    def _space(self) -> None:
        px = self._theme.px
        self._column.setContentsMargins(px(1.1), px(0.8), px(1.1), px(1))
        self._column.setSpacing(px(0.9))
        self._reflow()
