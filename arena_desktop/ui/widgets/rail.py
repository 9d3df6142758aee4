"""The navigation at the left: one button a page. Narrow windows get icons alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.icons import paint_icon
from arena_desktop.ui.widgets.press_button import PressButton


@dataclass(frozen=True)
class Place:
    """A page as the rail knows it. ``key`` is the digit that goes with Ctrl."""

    id: str
    title: str
    icon: str
    key: str


class RailButton(PressButton):
    """Checked while its page is shown."""

    def __init__(self, place: Place, theme: Theme) -> None:
        super().__init__(place.title)
        self._place, self._theme = place, theme
        self._narrow = False
        self.setCheckable(True)
        self.setAccessibleName(place.title)
        self.setToolTip(f"{place.title}  (Ctrl+{place.key})")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setProperty("enterIsMine", True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.updateGeometry)

    def set_narrow(self, narrow: bool) -> None:
        """Icon alone, or icon and title."""
        if narrow != self._narrow:
            self._narrow = narrow
            self.updateGeometry()
            self.update()

    def sizeHint(self) -> QSize:  # noqa: N802
        px = self._theme.px
        if self._narrow:
            return QSize(px(2.6), px(2.5))
        words = QFontMetricsF(self._theme.font(1.0, QFont.Weight.DemiBold)).horizontalAdvance(self._place.title)
        return QSize(round(words) + px(3.8), px(2.5))

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        tokens, px = self._theme.tokens, self._theme.px
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect())
        painter.setPen(Qt.PenStyle.NoPen)
        if self.isChecked() or self.underMouse():
            painter.setBrush(QColor(tokens.surface if self.isChecked() else tokens.sunken))
            painter.drawRoundedRect(box, px(0.5), px(0.5))
        ink = QColor(tokens.accent if self.isChecked() else tokens.muted)
        icon = px(1.3)
        paint_icon(painter, self._place.icon, QRectF(px(0.65), (box.height() - icon) / 2, icon, icon), ink)
        if not self._narrow:
            painter.setFont(self._theme.font(1.0, QFont.Weight.DemiBold if self.isChecked() else QFont.Weight.Normal))
            painter.setPen(QColor(tokens.text if self.isChecked() else tokens.muted))
            painter.drawText(box.adjusted(px(2.6), 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, self._place.title)
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(tokens.focus), 2))
            painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), px(0.5), px(0.5))
        painter.end()


class Rail(QWidget):
    """``wanted`` carries the id of the page that was asked for."""

    wanted = Signal(str)

    def __init__(self, places: Sequence[Place], theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("rail")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme = theme
        self._current = ""
        self._buttons: dict[str, RailButton] = {}
        self._column = QVBoxLayout(self)
        for place in places:
            button = RailButton(place, theme)
            # toggled, not clicked: assistive technology toggles a checkable button without a click
            button.toggled.connect(partial(self._toggled, place.id))
            self._buttons[place.id] = button
            self._column.addWidget(button)
        self._column.addStretch(1)
        self._space()
        theme.changed.connect(self._space)

    def show_place(self, place: str) -> None:
        """Mark ``place`` as the one shown."""
        self._current = place
        for one, button in self._buttons.items():
            button.setChecked(one == place)

    def set_narrow(self, narrow: bool) -> None:
        """Icons alone, or icons and titles."""
        for button in self._buttons.values():
            button.set_narrow(narrow)

    def _toggled(self, place: str, on: bool) -> None:
        if on and place != self._current:
            self.wanted.emit(place)
        elif not on and place == self._current:
            self._buttons[place].setChecked(True)  # the page shown can't be switched off, only left for another

    def _space(self) -> None:
        px = self._theme.px
        self._column.setContentsMargins(px(0.6), px(1), px(0.6), px(1))
        self._column.setSpacing(px(0.25))
