"""A field above a long list: what is typed has the list show only the rows that have all of its words."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QLineEdit, QWidget

from arena_desktop.ui.theme import Theme

LONG = 12
"""A list of fewer rows is read faster than it is searched."""
_WIDE, _HIGH = 14, 1.8
_CONTEXT = Qt.ShortcutContext.WidgetWithChildrenShortcut


class FilterField(QLineEdit):
    """``what`` names the rows ("models"), ``page`` is where Ctrl+F leads here. Esc empties it."""

    def __init__(self, what: str, theme: Theme, page: QWidget) -> None:
        super().__init__()
        self._theme = theme
        self.setPlaceholderText(f"Filter {what}")
        self.setAccessibleName(f"Filter {what}")
        self.setToolTip("Show those that have these words: a name, an engine, a licence, “missing” … (Ctrl+F)")
        self.setClearButtonEnabled(True)
        self.setMaxLength(200)
        self.hide()
        find = QShortcut(QKeySequence(QKeySequence.StandardKey.Find), page, context=_CONTEXT)
        find.activated.connect(lambda: self.setFocus(Qt.FocusReason.ShortcutFocusReason))
        theme.changed.connect(self.updateGeometry)

    def offer(self, rows: int) -> None:
        """There are so many rows: it is seen where that is many, and while it hides some."""
        self.setVisible(rows >= LONG or bool(self.text()))

    def lets_through(self, *words: str) -> bool:
        """Whether a row in which these words stand is to be seen."""
        row = " ".join(words).casefold()
        return all(wanted in row for wanted in self.text().casefold().split())

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
            return
        super().keyPressEvent(event)

    def sizeHint(self) -> QSize:  # noqa: N802
        words = QFontMetrics(self.font()).horizontalAdvance(self.placeholderText())
        return QSize(max(words + self._theme.px(3.5), self._theme.px(_WIDE)), self._theme.px(_HIGH))
