"""The volume: a slider from −20 to +6 dB with its value in words. It is the same for both samples."""

from PySide6.QtCore import QRectF, QSize, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from arena_desktop.ui import text
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.buttons import Words
from arena_desktop.ui.widgets.controls import Slider
from arena_desktop.ui.widgets.icons import paint_icon

QUIETEST, LOUDEST = -20, 6


class _Speaker(QWidget):
    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(self._theme.px(1.3), self._theme.px(1.3))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        painter = QPainter(self)
        paint_icon(painter, "volume", QRectF(self.rect()), QColor(self._theme.tokens.muted))
        painter.end()


class VolumeControl(QWidget):
    """``moved`` carries whole dB that a person chose."""

    moved = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._narrow = False
        self.slider = Slider("Volume", QUIETEST, LOUDEST, theme)
        self.slider.setObjectName("volume")
        self.slider.setToolTip("Volume of both samples  (↑ and ↓)")
        self._value = Words("0 dB", theme, voice="muted")
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.addWidget(_Speaker(theme))
        self._row.addWidget(self.slider)
        self._row.addWidget(self._value)
        self.slider.moved.connect(self._moved)
        self._space()
        theme.changed.connect(self._space)

    def show_db(self, db: float) -> None:
        """Show the volume in force."""
        self.slider.show_value(round(db))
        self._say(self.slider.value())

    def set_narrow(self, narrow: bool) -> None:
        """A shorter slider, where the window has little room for its font."""
        self._narrow = narrow
        self._space()

    def step(self, steps: int) -> None:
        """Move by whole dB, as a person would."""
        self.slider.setValue(self.slider.value() + steps)

    def _moved(self, db: int) -> None:
        self._say(db)
        self.moved.emit(db)

    def _say(self, db: int) -> None:
        self._value.say(text.decibels(db))
        self.slider.setAccessibleDescription(text.decibels(db))

    def _space(self) -> None:
        self._row.setSpacing(self._theme.px(0.4))
        self.slider.setFixedWidth(self._theme.px(5 if self._narrow else 9))
        self._value.setMinimumWidth(round(QFontMetricsF(self._theme.font()).horizontalAdvance("−20 dB")))
