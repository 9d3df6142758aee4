"""A vote: its key, its words, and a lock as long as the samples have not been heard."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.icons import paint_icon
from arena_desktop.ui.widgets.press_button import PressButton


def paint_key(painter: QPainter, theme: Theme, box: QRectF, key: str, ink: str) -> None:
    """Draw ``key`` as the cap of a key."""
    painter.setPen(QPen(QColor(theme.tokens.line_strong), 1))
    painter.setBrush(QColor(theme.tokens.surface))
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), theme.px(0.25), theme.px(0.25))
    painter.setPen(QColor(ink))
    painter.setFont(theme.font(0.95, QFont.Weight.DemiBold))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, key)


class VoteButton(PressButton):
    """Stays pressable while locked: the answer to a press then says what is still to be heard."""

    def __init__(self, words: str, key: str, name: str, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words, self._key, self._theme = words, key, theme
        self._locked = True
        self.setProperty("drawn", True)
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.setToolTip(f"{name}  ({key})")
        self._describe()
        theme.changed.connect(self._restyle)

    @property
    def locked(self) -> bool:
        """Whether the button shows its lock."""
        return self._locked

    def set_locked(self, locked: bool) -> None:
        """Show or drop the lock."""
        if locked != self._locked:
            self._locked = locked
            self.setCursor(Qt.CursorShape.ArrowCursor if locked else Qt.CursorShape.PointingHandCursor)
            self._describe()
            self.update()

    def sizeHint(self) -> QSize:  # noqa: N802
        wide = QFontMetricsF(self._theme.font(1.05, QFont.Weight.DemiBold)).horizontalAdvance(self._words)
        return QSize(round(wide) + self._theme.px(5.6), self._theme.px(2.9))

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return self.sizeHint()

    def _describe(self) -> None:
        state = "Locked until both samples have been heard. " if self._locked else ""
        self.setAccessibleDescription(f"{state}Key {self._key}.")

    def _restyle(self) -> None:
        self.updateGeometry()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        theme, tokens, px = self._theme, self._theme.tokens, self._theme.px
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        open_ = self.isEnabled() and not self._locked
        ground, edge, ink = (
            (tokens.surface, tokens.line_strong, tokens.text) if open_ else (tokens.window, tokens.line, tokens.muted)
        )
        if open_ and self.underMouse():
            ground, edge = tokens.accent_soft, tokens.accent
        if self.isDown():
            ground = tokens.sunken
        radius = px(0.5)
        painter.setPen(QPen(QColor(edge), 1))
        painter.setBrush(QColor(ground))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
        if self.hasFocus():
            painter.setPen(QPen(QColor(tokens.focus), 2))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), radius, radius)
        cap = px(1.5)
        middle = (self.height() - cap) / 2
        paint_key(painter, theme, QRectF(px(0.8), middle, cap, cap), self._key, ink)
        painter.setPen(QColor(ink))
        painter.setFont(theme.font(1.05, QFont.Weight.DemiBold))
        words = QRectF(px(2.8), 0, self.width() - px(5.6), self.height())
        painter.drawText(words, Qt.AlignmentFlag.AlignCenter, self._words)
        if self._locked and self.isEnabled():
            lock = px(1.1)
            box = QRectF(self.width() - px(0.9) - lock, (self.height() - lock) / 2, lock, lock)
            paint_icon(painter, "lock", box, QColor(tokens.muted))
        painter.end()
