"""The sentence both samples read, large; and, when the listener writes it, the field to write it in."""

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from arena_desktop.ui import text
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.buttons import IconButton, Words

SCALES = (2.2, 1.9, 1.6, 1.35, 1.15)
"""Sizes of the sentence relative to the base font: the largest that fits is taken, the smallest scrolls."""


class _Prompt(QLabel):
    """The sentence. Selectable with the mouse only, so that no key is ever taken for typing."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._room = QSize()
        self.setObjectName("promptText")
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        theme.changed.connect(self._fit)

    def say(self, words: str) -> None:
        if words != self.text():
            self.setText(words)
            self._fit()

    def set_room(self, room: QSize) -> None:
        """How much of the screen there is for the sentence."""
        if room != self._room:
            self._room = room
            self._fit()

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return QSize(1, super().minimumSizeHint().height())

    def _fit(self) -> None:
        room = QRect(0, 0, max(1, self._room.width() - self._theme.px(1)), 1_000_000)
        for scale in SCALES:
            font = self._theme.font(scale)
            needed = QFontMetrics(font).boundingRect(room, Qt.TextFlag.TextWordWrap, self.text())
            if needed.height() <= self._room.height() and needed.width() <= room.width():
                break
        self.setFont(font)


class OwnText(QWidget):
    """Where own text is typed. ``used`` carries it; Ctrl+Enter uses it, Esc leaves the field."""

    used = Signal(str)
    left = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.entry = QPlainTextEdit()
        self.entry.setObjectName("ownText")
        self.entry.setAccessibleName("Your own text")
        self.entry.setPlaceholderText("Type what both voices shall say, then press Ctrl+Enter")
        self.entry.setTabChangesFocus(True)
        self.entry.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.entry.installEventFilter(self)
        self.use = IconButton("Use this text", "check", theme, tip="Speak this text in the next battles  (Ctrl+Enter)")
        self.use.setObjectName("useOwnText")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.entry, 1)
        row.addWidget(self.use, 0, Qt.AlignmentFlag.AlignBottom)
        self.use.clicked.connect(self._use)
        self.entry.textChanged.connect(self._changed)
        self._changed()
        self._space()
        theme.changed.connect(self._space)

    def write(self, words: str) -> None:
        """Show the text in force, unless someone is typing."""
        if not self.entry.hasFocus() and words and words != self.entry.toPlainText():
            self.entry.setPlainText(words)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if watched is self.entry and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
            if enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                self._use()
                return True
            if event.key() == Qt.Key.Key_Escape:
                self.left.emit()
                return True
        return super().eventFilter(watched, event)

    def _use(self) -> None:
        words = self.entry.toPlainText().strip()
        if words:
            self.used.emit(words)

    def _changed(self) -> None:
        self.use.setEnabled(bool(self.entry.toPlainText().strip()))

    def _space(self) -> None:
        self.entry.setFixedHeight(self._theme.px(3.9))


_NARROW_EM = 28


class _Modest(QScrollArea):
    """Asks for little room whatever it holds, and takes what is left: the sentence adapts to it."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme

    def sizeHint(self) -> QSize:  # noqa: N802
        narrow = 0 < self.width() < self._theme.em * _NARROW_EM  # the page scrolls anyway, the sentence need not
        return QSize(self._theme.px(12), self._theme.px(6.5 if narrow else 3.2))

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return self.sizeHint()


class PromptPanel(QFrame):
    """Category and sentence on a card. Long texts scroll inside it."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setProperty("card", True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.category = Words("", theme, voice="muted", scale=0.95)
        self.category.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._words = ""
        self.prompt = _Prompt(theme)
        self._scroll = _Modest(theme)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setWidgetResizable(True)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        inside = QWidget()
        inside.setObjectName("scrolled")
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.prompt, 1)
        self._scroll.setWidget(inside)
        self._scroll.viewport().installEventFilter(self)
        self._column = QVBoxLayout(self)
        self._column.addWidget(self.category)
        self._column.addWidget(self._scroll, 1)
        self._space()
        theme.changed.connect(self._space)

    def show_prompt(self, words: str, category: str) -> None:
        """The sentence of this battle; empty while none is open."""
        if words != self._words or category != self.category.text():
            self._words = words
            self.prompt.say(text.undirected(words))
            self.category.say(category)
            self._scroll.verticalScrollBar().setValue(0)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if watched is self._scroll.viewport() and event.type() == QEvent.Type.Resize:
            self.prompt.set_room(self._scroll.viewport().size())
        return super().eventFilter(watched, event)

    def _space(self) -> None:
        px = self._theme.px
        self._column.setContentsMargins(px(1.2), px(0.7), px(1.2), px(0.8))
        self._column.setSpacing(px(0.3))
        self.category.setMinimumHeight(self.category.fontMetrics().height())  # the sentence keeps its place without it
        self._scroll.updateGeometry()
