"""One side of a battle as one large button: its letter, whether it plays, and how much of it was heard."""

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from arena_desktop.domain.votes import Side
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.icons import paint_icon
from arena_desktop.ui.widgets.press_button import PressButton

_ICON = 1.7
"""How large the icon is, in lines of text."""


@dataclass(frozen=True)
class _Shape:
    """Lengths in lines of text: of the button, of the box with its letter, of the margin around; the letter's size."""

    high: float
    box: float
    margin: float
    letter: float

    @property
    def left(self) -> float:
        """Where the words begin."""
        return 1 + self.box + 0.8


_ROOMY = _Shape(high=6.4, box=3.2, margin=1.0, letter=1.9)
_LOW = _Shape(high=4.4, box=2.4, margin=0.5, letter=1.5)


@dataclass(frozen=True)
class SampleState:
    """What the button shows. ``position``, ``heard`` are shares 0–1; ``current`` marks the side on hand."""

    enabled: bool = False
    current: bool = False
    playing: bool = False
    paused: bool = False
    position: float = 0.0
    heard: float = 0.0
    gate: float = 0.9

    @property
    def words(self) -> str:
        """The state in words; the same words for both sides."""
        if self.playing:
            return "Playing"
        if self.current and self.paused:
            return "Paused"
        if self.heard >= 0.999:
            return "Heard in full"
        if self.heard > 0:
            return f"{int(self.heard * 100 + 1e-9)} % heard"
        return "Not heard yet" if self.enabled else "Not ready"

    def coarse(self) -> "SampleState":
        """The state to the resolution of the screen, so that nothing is redrawn for a change that can't be seen."""
        return SampleState(
            self.enabled,
            self.current,
            self.playing,
            self.paused,
            round(self.position, 3),
            round(self.heard, 3),
            self.gate,
        )


class SampleButton(PressButton):
    """Plays its side from the start. The sides look alike but for the letter: colour must not speak for one of them."""

    def __init__(self, side: Side, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._letter = side.upper()
        self._theme = theme
        self._state = SampleState()
        self._shape = _ROOMY
        self.setProperty("drawn", True)
        self.setAccessibleName(f"Sample {self._letter}")
        self.setToolTip(f"Play sample {self._letter} from its start  ({self._letter})")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setEnabled(False)
        self._describe()
        theme.changed.connect(self._restyle)

    def show_state(self, state: SampleState) -> None:
        """Draw this state; does nothing when it looks like the one before."""
        state = state.coarse()
        if state == self._state:
            return
        words_before = self._state.words
        self._state = state
        if state.words != words_before:
            self._describe()
        self.update()

    def set_low(self, low: bool) -> None:
        """Be lower, in a window that is."""
        shape = _LOW if low else _ROOMY
        if shape is not self._shape:
            self._shape = shape
            self._restyle()

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(self._theme.px(19), self._theme.px(self._shape.high))

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        wide = QFontMetricsF(self._theme.font()).horizontalAdvance("Not heard yet")
        return QSize(round(wide + self._theme.px(self._shape.left + 1)), self._theme.px(self._shape.high))

    def _describe(self) -> None:
        self.setAccessibleDescription(f"{self._state.words}. Press {self._letter} to play it from its start.")

    def _restyle(self) -> None:
        self.updateGeometry()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_ground(painter)
        self._paint_letter(painter)
        self._paint_words(painter)
        self._paint_progress(painter)
        painter.end()

    def _lit(self) -> bool:
        return self._state.enabled and self._state.current and (self._state.playing or self._state.paused)

    def _paint_ground(self, painter: QPainter) -> None:
        tokens = self._theme.tokens
        ground, edge, width = tokens.surface, tokens.line, 1.0
        if self._lit():
            ground, edge, width = tokens.accent_soft, tokens.accent, 2.0
        elif self._state.enabled and self.underMouse():
            edge = tokens.line_strong
        if self.isDown():
            ground = tokens.sunken
        radius = self._theme.px(0.6)
        inset = width / 2
        painter.setPen(QPen(QColor(edge), width))
        painter.setBrush(QColor(ground))
        box = QRectF(self.rect()).adjusted(inset, inset, -inset, -inset)
        painter.drawRoundedRect(box, radius, radius)
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(tokens.focus), 2))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(4, 4, -4, -4), radius - 2, radius - 2)

    def _paint_letter(self, painter: QPainter) -> None:
        tokens, px = self._theme.tokens, self._theme.px
        size = px(self._shape.box)
        box = QRectF(px(1), px(self._shape.margin), size, size)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(tokens.accent if self._lit() else tokens.sunken))
        painter.drawRoundedRect(box, px(0.6), px(0.6))
        quiet = tokens.text if self._state.enabled else tokens.muted
        painter.setPen(QColor(tokens.on_accent if self._lit() else quiet))
        painter.setFont(self._theme.font(self._shape.letter, QFont.Weight.DemiBold))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, self._letter)

    def _paint_words(self, painter: QPainter) -> None:
        tokens, px = self._theme.tokens, self._theme.px
        roomy = self.width() > self.minimumSizeHint().width() + px(_ICON + 1)
        left, right = px(self._shape.left), px(_ICON + 2 if roomy else 1)
        top, high = px(self._shape.margin), px(self._shape.box)
        column = QRect(left, top, self.width() - left - right, high)
        half = column.height() // 2
        painter.setPen(QColor(tokens.text if self._state.enabled else tokens.muted))
        painter.setFont(self._theme.font(1.15, QFont.Weight.DemiBold))
        painter.drawText(column.adjusted(0, 0, 0, -half), Qt.AlignmentFlag.AlignBottom, f"Sample {self._letter}")
        painter.setPen(QColor(tokens.muted if not self._state.playing else tokens.text))
        painter.setFont(self._theme.font())
        painter.drawText(column.adjusted(0, half, 0, 0), Qt.AlignmentFlag.AlignVCenter, self._state.words)
        if not roomy:
            return
        icon = px(_ICON)
        box = QRectF(self.width() - px(1) - icon, top + (high - icon) / 2, icon, icon)
        name = "waves" if self._state.playing else "play"
        color = tokens.accent if self._state.enabled else tokens.line_strong
        paint_icon(painter, name, box, QColor(color))

    def _paint_progress(self, painter: QPainter) -> None:
        tokens, px, state = self._theme.tokens, self._theme.px, self._state
        height = px(0.4)
        track = QRectF(px(1), self.height() - px(self._shape.margin) - height, self.width() - 2 * px(1), height)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(tokens.line))
        painter.drawRoundedRect(track, height / 2, height / 2)
        if state.heard > 0:
            heard = QRectF(track)
            heard.setWidth(max(height, track.width() * min(1.0, state.heard)))
            painter.setBrush(QColor(tokens.accent))
            painter.drawRoundedRect(heard, height / 2, height / 2)
        if 0 < state.gate < 1 and state.heard < state.gate:
            x = track.left() + track.width() * state.gate
            painter.setPen(QPen(QColor(tokens.line_strong), max(1.0, px(0.12))))
            painter.drawLine(QPointF(x, track.top() - px(0.2)), QPointF(x, track.bottom() + px(0.2)))
        if state.enabled and state.current and (state.playing or state.paused):
            x = track.left() + track.width() * min(1.0, state.position)
            painter.setPen(QPen(QColor(tokens.surface), max(1.0, px(0.12))))
            painter.setBrush(QColor(tokens.accent))
            painter.drawEllipse(QPointF(x, track.center().y()), px(0.42), px(0.42))
