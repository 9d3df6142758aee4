"""Drop-down list, switch and slider in the program's own look. Behaviour and accessibility stay Qt's own."""

from collections.abc import Collection, Sequence

from PySide6.QtCore import QEvent, QPointF, QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFontMetricsF,
    QHelpEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QWheelEvent,
)
from PySide6.QtWidgets import QCheckBox, QComboBox, QSizePolicy, QSlider, QSpinBox, QToolTip, QWidget

from arena_desktop.ui import text
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.icons import paint_icon


class Dropdown(QComboBox):
    """A list of (key, title); ``picked`` carries the key of what a person chose, never what the program set.

    Moving through the closed list by keys chooses at once, but for the keys in ``confirmed``: those, which open
    something, wait for Enter, and are dropped when the list is left without it.
    """

    picked = Signal(str)

    def __init__(
        self, name: str, theme: Theme, parent: QWidget | None = None, *, confirmed: Collection[str] = ()
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._confirmed = frozenset(confirmed)
        self._in_force: str | None = None
        self._moving = False
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(8)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.activated.connect(self._activated)
        theme.changed.connect(self.updateGeometry)

    def show_choices(self, choices: Sequence[tuple[str, str] | None], current: str) -> None:
        """Offer ``choices`` (None draws a line between) with ``current`` chosen."""
        blocker = QSignalBlocker(self)
        self.clear()
        for choice in choices:
            if choice is None:
                self.insertSeparator(self.count())
            else:
                self.addItem(choice[1], choice[0])
        blocker.unblock()
        self.choose(current)

    def choose(self, key: str) -> None:
        """Show ``key`` as chosen, without ``picked``."""
        self._in_force = key
        blocker = QSignalBlocker(self)
        self.setCurrentIndex(self.findData(key))
        blocker.unblock()
        self.update()

    def enter(self) -> None:
        """Enter: choose what waits for it, else open the list."""
        key = self.currentData()
        if isinstance(key, str) and key in self._confirmed and key != self._in_force:
            self._pick(key)
        else:
            self.showPopup()

    def _activated(self, index: int) -> None:
        key = self.itemData(index)
        if isinstance(key, str) and not (self._moving and key in self._confirmed):
            self._pick(key)

    def _pick(self, key: str) -> None:
        self._in_force = key
        self.picked.emit(key)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride and _moves(event):
            event.accept()  # the key is the list's, whatever it means on the page
            return True
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip and self._words_cut() != self._whole:
            parts = (text.tip(self._whole), self.toolTip())
            QToolTip.showText(event.globalPos(), "\n".join(filter(None, parts)), self)
            return True
        return super().event(event)

    @property
    def _whole(self) -> str:
        return text.undirected(self.currentText())

    def _words_cut(self) -> str:
        """What there is room for of the title that is chosen."""
        wide = self.width() - self._theme.px(2.4)
        return self.fontMetrics().elidedText(self._whole, Qt.TextElideMode.ElideRight, wide)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        self._moving = True
        try:
            super().keyPressEvent(event)
        finally:
            self._moving = False

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        super().focusOutEvent(event)
        kept = (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason)
        if event.reason() not in kept and self._in_force is not None and self.currentData() != self._in_force:
            self.choose(self._in_force)

    def sizeHint(self) -> QSize:  # noqa: N802
        wide = QFontMetricsF(self.font()).averageCharWidth() * 16
        return QSize(round(wide) + self._theme.px(3), self._theme.px(2.1))

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        wide = QFontMetricsF(self.font()).averageCharWidth() * 5
        return QSize(round(wide) + self._theme.px(2.4), self._theme.px(2.1))

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        event.ignore()  # a page that scrolls must not change a choice on its way

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        tokens, px = self._theme.tokens, self._theme.px
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        _field(painter, self, self._theme)
        painter.setPen(QColor(tokens.text if self.isEnabled() else tokens.muted))
        words = QRectF(px(0.6), 0, self.width() - px(2.4), self.height())
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, self._words_cut())
        icon = px(1.1)
        box = QRectF(self.width() - px(0.5) - icon, (self.height() - icon) / 2, icon, icon)
        paint_icon(painter, "chevron", box, QColor(tokens.muted))
        painter.end()


_MOVING_KEYS = frozenset(
    {
        *(Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown),
        *(Qt.Key.Key_Home, Qt.Key.Key_End),
    }
)


def _moves(event: QKeyEvent) -> bool:
    """Whether this key moves in a list or opens it: arrows and their like, and letters, which search. Not
    Space: on the Listen page that pauses wherever the focus is; Enter and Alt+Down open the list.
    """
    if event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.MetaModifier):
        return False
    if event.modifiers() & Qt.KeyboardModifier.AltModifier:
        return event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down)
    return event.key() in _MOVING_KEYS or event.text().isalpha()


class NumberField(QSpinBox):
    """A whole number. ``moved`` carries what a person set, once typing is done."""

    moved = Signal(int)

    def __init__(self, name: str, low: int, high: int, suffix: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setRange(low, high)
        self.setSuffix(suffix)
        self.setAccessibleName(name)
        self.setKeyboardTracking(False)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.valueChanged.connect(self.moved)

    def show_value(self, value: int) -> None:
        """Show ``value`` without ``moved``."""
        blocker = QSignalBlocker(self)
        self.setValue(value)
        blocker.unblock()

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        event.ignore()


class Switch(QCheckBox):
    """On or off; ``toggled`` is what a person did. Set it from the program with :meth:`show_state`."""

    def __init__(self, name: str, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setAccessibleName(name)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.updateGeometry)

    def show_state(self, on: bool) -> None:
        """Show ``on`` without ``toggled``."""
        blocker = QSignalBlocker(self)
        self.setChecked(on)
        blocker.unblock()
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(self._theme.px(2.5), self._theme.px(1.5))

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return self.sizeHint()

    def hitButton(self, pos: object) -> bool:  # noqa: N802
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.toggle()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        tokens, px = self._theme.tokens, self._theme.px
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        high, wide = px(1.2), px(2.2)
        track = QRectF((self.width() - wide) / 2, (self.height() - high) / 2, wide, high)
        on = self.isChecked()
        edge = tokens.accent if on else tokens.line_strong
        painter.setPen(QPen(QColor(edge), 1))
        painter.setBrush(QColor(tokens.accent if on else tokens.surface))
        painter.drawRoundedRect(track, high / 2, high / 2)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(tokens.on_accent if on else tokens.line_strong))
        x = track.right() - high / 2 if on else track.left() + high / 2
        painter.drawEllipse(QPointF(x, track.center().y()), high * 0.32, high * 0.32)
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(tokens.focus), 2))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), high * 0.6, high * 0.6)
        painter.end()


class Slider(QSlider):
    """A horizontal slider. ``moved`` is what a person did. Set it from the program with :meth:`show_value`."""

    moved = Signal(int)

    def __init__(self, name: str, low: int, high: int, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._theme = theme
        self.setRange(low, high)
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.valueChanged.connect(self.moved)
        theme.changed.connect(self.updateGeometry)

    def show_value(self, value: int) -> None:
        """Show ``value`` without ``moved``; a hand on the slider goes first."""
        if self.isSliderDown() or value == self.value():
            return
        blocker = QSignalBlocker(self)
        self.setValue(value)
        blocker.unblock()
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(self._theme.px(8), self._theme.px(1.6))

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return QSize(self._theme.px(5), self._theme.px(1.6))

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        event.ignore()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        tokens, px = self._theme.tokens, self._theme.px
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        high, knob = px(0.25), px(0.5)
        track = QRectF(knob, (self.height() - high) / 2, self.width() - 2 * knob, high)
        share = (self.value() - self.minimum()) / max(1, self.maximum() - self.minimum())
        x = track.left() + share * track.width()
        ink = tokens.accent if self.isEnabled() else tokens.line_strong
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(tokens.line))
        painter.drawRoundedRect(track, high / 2, high / 2)
        painter.setBrush(QColor(ink))
        painter.drawRoundedRect(QRectF(track.left(), track.top(), x - track.left(), high), high / 2, high / 2)
        if self.minimum() < 0 < self.maximum():
            zero = track.left() + track.width() * -self.minimum() / (self.maximum() - self.minimum())
            painter.setPen(QPen(QColor(tokens.line_strong), 1))
            painter.drawLine(QPointF(zero, track.top() - px(0.3)), QPointF(zero, track.bottom() + px(0.3)))
        painter.setPen(QPen(QColor(tokens.surface), 2))
        painter.setBrush(QColor(ink))
        painter.drawEllipse(QPointF(x, track.center().y()), knob, knob)
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(tokens.focus), 2))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), px(0.4), px(0.4))
        painter.end()


def _field(painter: QPainter, widget: QWidget, theme: Theme) -> None:
    tokens = theme.tokens
    edge = tokens.line_strong if widget.isEnabled() else tokens.line
    ground = tokens.sunken if widget.isEnabled() and widget.underMouse() else tokens.surface
    width = 1.0
    if widget.hasFocus():
        edge, width = tokens.focus, 2.0
    painter.setPen(QPen(QColor(edge), width))
    painter.setBrush(QColor(ground))
    inset = width / 2
    painter.drawRoundedRect(
        QRectF(widget.rect()).adjusted(inset, inset, -inset, -inset), theme.px(0.25), theme.px(0.25)
    )
