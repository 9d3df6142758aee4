"""A chart on a card: a title, the plot, a line that reads out the spot pointed at, and buttons that save a picture."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout

from arena_desktop.ui.charts.drawn import Drawn, Spot
from arena_desktop.ui.charts.saver import SaveButtons
from arena_desktop.ui.charts.saving import PNG_SCALE, write_picture
from arena_desktop.ui.charts.style import ChartStyle, style_of
from arena_desktop.ui.lenses.panel import AskPath
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.buttons import Words
from arena_desktop.ui.widgets.status_line import announce

Draw = Callable[[Any, Any, ChartStyle], Drawn]
"""Draws (pyqtgraph's PlotItem, the data, the style)."""

_REACH_EM = 1.6
_HINT = "Point at a mark, or step through them with the arrow keys, to read its numbers."
_KEYS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Down: 1}


class Chart(QFrame):
    """Redraws from its data alone, whenever that or the theme changes. Arrow keys step through the spots."""

    def __init__(self, title: str, theme: Theme, draw: Draw, ask_path: AskPath) -> None:
        from pyqtgraph import PlotWidget, ScatterPlotItem

        super().__init__()
        self._theme, self._draw, self._title = theme, draw, title
        self._data: object = None
        self._drawn = Drawn("")
        self._at: int | None = None
        self.setProperty("card", True)
        self.view = PlotWidget(background=None, enableMenu=False)
        self.view.setFrameShape(QFrame.Shape.NoFrame)
        self.view.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self.view.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.view.setAccessibleName(title)
        self.view.installEventFilter(self)
        self.plot = self.view.getPlotItem()
        self.plot.hideButtons()
        self.plot.getViewBox().setMouseEnabled(x=False, y=False)
        self._ring = ScatterPlotItem(pxMode=True, useCache=False)
        self._ring.setZValue(50)
        self.plot.addItem(self._ring)
        self._readout = Words(_HINT, theme, voice="muted", wrap=True)
        self._save = SaveButtons(title, theme, ask_path, self.save)
        self._lay_out()
        self.view.scene().sigMouseMoved.connect(self._pointed)
        theme.changed.connect(self._restyle)

    @property
    def description(self) -> str:
        """The data in words."""
        return self._drawn.description

    @property
    def spots(self) -> tuple[Spot, ...]:
        """What can be pointed at."""
        return self._drawn.spots

    @property
    def readout(self) -> str:
        """What is said of the spot pointed at."""
        return self._readout.text()

    def show_data(self, data: object) -> None:
        """Draw ``data``, if it is other than what is drawn."""
        if data != self._data:
            self._data = data
            self._redraw(self.devicePixelRatioF())

    def save(self, path: Path) -> None:
        """Write what is shown, title included, without the mark of the spot pointed at."""
        self._redraw(1.0 if path.suffix.lower() == ".svg" else PNG_SCALE)
        self._ring.hide()
        try:
            margin, head = self._around()
            size = self.view.size() + QSize(2 * margin, head + margin)
            write_picture(path, size, self._theme.tokens.surface, self._paint, self._title, self.description)
        finally:
            self._ring.show()
            self._redraw(self.devicePixelRatioF())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self.update()
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self._redraw(self.devicePixelRatioF())
        if event.type() == QEvent.Type.Leave:
            self._say(None)
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            return self._step(event)
        return False

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        super().paintEvent(event)
        if self.view.hasFocus():
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(self._theme.tokens.focus), 2))
            painter.drawRoundedRect(
                self.rect().toRectF().adjusted(1, 1, -1, -1), self._theme.px(0.5), self._theme.px(0.5)
            )
            painter.end()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(0, 0, 0, 0)
        self._head = Words(self._title, self._theme, strong=True, wrap=True)
        head.addWidget(self._head, 1)
        head.addWidget(self._save)
        self._column = QVBoxLayout(self)
        self._column.addLayout(head)
        self._column.addWidget(self.view, 1)
        self._column.addWidget(self._readout)
        self._space()

    def _space(self) -> None:
        px = self._theme.px
        self._column.setContentsMargins(px(0.9), px(0.4), px(0.9), px(0.5))
        self._column.setSpacing(px(0.3))
        self._readout.setMinimumHeight(px(1.2))
        self.view.setMinimumHeight(px(self._drawn.height))

    def _restyle(self) -> None:
        self._redraw(self.devicePixelRatioF())

    def _redraw(self, density: float) -> None:
        if self._data is None:
            return
        style = style_of(self._theme, density)
        self._at = None
        self.plot.clear()
        self.view.setBackground(style.tokens.surface)
        dress(self.plot, style)
        self._drawn = self._draw(self.plot, self._data, style)
        self._readout.say(_HINT if self._drawn.spots else self._drawn.description)
        self.plot.addItem(self._ring)
        self._mark(None)
        self.view.setAccessibleDescription(self._drawn.description)
        self._space()

    def _paint(self, painter: QPainter, box: QRectF) -> None:
        theme = self._theme
        painter.setFont(theme.font(1.0, QFont.Weight.DemiBold))
        painter.setPen(QColor(theme.tokens.text))
        margin, head = self._around()
        painter.drawText(QRectF(margin, 0, box.width() - 2 * margin, head), Qt.AlignmentFlag.AlignVCenter, self._title)
        seen = QRectF(self.view.rect())
        scene = self.view.scene()
        scene.prepareForPaint()
        scene.render(painter, seen.translated(margin, head), seen, Qt.AspectRatioMode.IgnoreAspectRatio)

    def _around(self) -> tuple[int, int]:
        """The margin of a saved picture, and the height of its title."""
        return self._theme.px(0.9), self._theme.px(2.4)

    # the spot pointed at

    def _pointed(self, where: QPointF) -> None:
        box = self.plot.getViewBox()
        nearest, best = None, float(self._theme.px(_REACH_EM))
        for place, spot in enumerate(self.spots):
            seen = box.mapViewToScene(QPointF(spot.x, spot.y))
            away = math.hypot(seen.x() - where.x(), seen.y() - where.y())
            if away < best:
                nearest, best = place, away
        self._say(nearest)

    def _step(self, event: QKeyEvent) -> bool:
        last = len(self.spots) - 1
        if last < 0:
            return False
        key = Qt.Key(event.key())
        if key in _KEYS:
            start = -1 if self._at is None and _KEYS[key] > 0 else (self._at if self._at is not None else last + 1)
            self._say(min(max(start + _KEYS[key], 0), last))
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self._say(0 if key == Qt.Key.Key_Home else last)
        elif key == Qt.Key.Key_Escape and self._at is not None:
            self._say(None)
        else:
            return False
        announce(self.view, self.readout)
        return True

    def _say(self, place: int | None) -> None:
        if place != self._at:
            self._at = place
            self._readout.say(_HINT if place is None else self.spots[place].words)
            self._mark(None if place is None else self.spots[place])

    def _mark(self, spot: Spot | None) -> None:
        from pyqtgraph import mkPen

        size = self._theme.px(1.1)
        pen = mkPen(self._theme.tokens.text, width=2)
        where = ([], []) if spot is None else ([spot.x], [spot.y])
        self._ring.setData(x=where[0], y=where[1], size=size, pen=pen, brush=None, symbol="o")


def dress(plot: Any, style: ChartStyle) -> None:
    """Give the axes of a plot the style's inks and fonts, and no ranges or ticks of an earlier drawing."""
    from pyqtgraph import mkPen

    for side in ("left", "bottom"):
        axis = plot.getAxis(side)
        axis.setPen(mkPen(style.tokens.line_strong, width=style.stroke(0.06)))
        axis.setTextPen(mkPen(style.tokens.muted))
        axis.setTickPen(mkPen(style.tokens.line, width=style.stroke(0.06)))
        axis.setStyle(tickFont=style.small, tickLength=style.px(0.2), tickTextOffset=style.px(0.35))
        axis.setTicks(None)
        axis.enableAutoSIPrefix(False)
        axis.showLabel(False)
        axis.setWidth(None) if side == "left" else axis.setHeight(None)
    plot.showGrid(x=False, y=False)
    plot.setContentsMargins(0, style.px(0.3), style.px(0.6), 0)


def name_axis(plot: Any, side: str, words: str, style: ChartStyle) -> None:
    """Say what an axis measures."""
    size = f"{style.small.pointSizeF():g}pt"
    plot.setLabel(side, words, **{"color": style.tokens.muted, "font-size": size})


def keep_arranged(box: Any, arrange: Callable[[], None]) -> None:
    """Have what lies in a plot by pixels placed now and at every new size; an earlier drawing's wish is dropped."""
    before = getattr(box, "arranged_by", None)
    if before is not None:
        box.sigResized.disconnect(before)
    box.arranged_by = lambda _box: arrange()
    box.sigResized.connect(box.arranged_by)
    arrange()
