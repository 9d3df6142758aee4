"""A sentence that must not be missed, with what to do about it, on a tinted ground with an icon."""

from collections.abc import Callable

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from arena_desktop.services.views import Line, Tone
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.buttons import IconButton, Words, restyle
from arena_desktop.ui.widgets.icons import paint_icon

_ICONS = {Tone.INFO: "info", Tone.WARNING: "warning", Tone.ERROR: "error"}
_INKS = {Tone.INFO: "accent", Tone.WARNING: "warning", Tone.ERROR: "error"}


class Sign(QWidget):
    """The icon of a tone, sized like the text beside it."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._tone = theme, Tone.INFO
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.updateGeometry)

    def show_tone(self, tone: Tone) -> None:
        """Draw the icon of ``tone``."""
        if tone is not self._tone:
            self._tone = tone
            self.update()

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(self._theme.px(1.2), self._theme.px(1.2))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        painter = QPainter(self)
        color = QColor(getattr(self._theme.tokens, _INKS[self._tone]))
        paint_icon(painter, _ICONS[self._tone], QRectF(self.rect()), color)
        painter.end()


class Notice(QFrame):
    """Shows one :class:`Line`; hidden while the line is empty. ``dismissable`` adds a button to close it; a line that
    comes with an ``offer`` has a button with these words instead, and stays until that is pressed (``taken``).
    """

    dismissed = Signal()
    taken = Signal()

    def __init__(self, theme: Theme, *, dismissable: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._line = Line()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self._sign = Sign(theme)
        self._what = Words("", theme, strong=True, voice="strong", wrap=True, selectable=True)
        self._remedy = Words("", theme, wrap=True, selectable=True)
        words = QVBoxLayout()
        words.setContentsMargins(0, 0, 0, 0)
        words.setSpacing(2)
        words.addWidget(self._what)
        words.addWidget(self._remedy)
        self._row = QHBoxLayout(self)
        self._row.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignTop)
        self._row.addLayout(words, 1)
        self._offer: IconButton | None = None
        self._close: IconButton | None = None
        if dismissable:
            self._close = IconButton(
                "", "close", theme, name="Close this message", tip="Close this message", quiet=True
            )
            self._add(self._close, self._dismiss)
        self._space()
        theme.changed.connect(self._space)
        self.hide()

    @property
    def line(self) -> Line:
        """What is shown."""
        return self._line

    def show_line(self, line: Line, offer: str = "") -> None:
        """Show ``line``, or nothing when its text is empty; with a button that says ``offer``, if anything."""
        self._line = line
        self._what.say(line.text)
        self._remedy.say(line.remedy)
        self._remedy.setVisible(bool(line.remedy))
        self._sign.show_tone(line.tone)
        restyle(self, "notice", line.tone.value)
        self._show_offer(offer)
        self.setVisible(bool(line.text))
        if self._offer is not None and offer:
            self._offer.setFocus(Qt.FocusReason.OtherFocusReason)

    def _add(self, button: IconButton, pressed: Callable[[], None]) -> None:
        button.setProperty("enterIsMine", True)
        button.clicked.connect(pressed)
        self._row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)

    def _show_offer(self, offer: str) -> None:
        if offer and self._offer is None:
            self._offer = IconButton(offer, "refresh", self._theme, primary=True)
            self._offer.setObjectName("offered")
            self._add(self._offer, self.taken.emit)
        if self._offer is not None:
            self._offer.setVisible(bool(offer))
        if self._close is not None:
            self._close.setVisible(not offer)

    def _dismiss(self) -> None:
        self.show_line(Line())
        self.dismissed.emit()

    def _space(self) -> None:
        px = self._theme.px
        self._row.setContentsMargins(px(0.8), px(0.6), px(0.8), px(0.6))
        self._row.setSpacing(px(0.6))
