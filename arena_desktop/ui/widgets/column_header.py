"""The head of a sortable table: each column says by a small arrow that it is the one sorted by."""

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QHeaderView, QWidget

from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.icons import paint_icon

_Orientation = Qt.Orientation
CELL_PADDING = 4 / 16
"""What the style sheet gives each side of a cell, in lines of text."""
CELL_MARGIN = 3
"""What Qt adds to the padding of a cell, in pixels."""


class ColumnHeader(QHeaderView):
    """Paints its sections itself, so that words, arrow and cells line up at every size."""

    def __init__(self, theme: Theme, parent: QWidget | None = None, *, lines: float = 2.2) -> None:
        """``lines``: its height in lines of text."""
        super().__init__(_Orientation.Horizontal, parent)
        self._theme, self._lines = theme, lines
        self.setSectionsClickable(True)
        self.setHighlightSections(False)
        theme.changed.connect(self._restyle)

    def sectionSizeFromContents(self, logicalIndex: int) -> QSize:  # noqa: N802, N803
        words = str(self.model().headerData(logicalIndex, _Orientation.Horizontal))
        metrics = QFontMetricsF(self._font())
        wide = max(metrics.horizontalAdvance(line) for line in words.split("\n"))
        return QSize(round(wide) + 2 * self._inset() + 2, self._theme.px(self._lines))

    def paintSection(self, painter: QPainter, rect: QRect, logicalIndex: int) -> None:  # noqa: N802, N803
        tokens, px = self._theme.tokens, self._theme.px
        sorted_by = self.isSortIndicatorShown() and self.sortIndicatorSection() == logicalIndex
        wish = self.model().headerData(logicalIndex, _Orientation.Horizontal, Qt.ItemDataRole.TextAlignmentRole)
        side = Qt.AlignmentFlag.AlignLeft
        for other in (Qt.AlignmentFlag.AlignRight, Qt.AlignmentFlag.AlignHCenter):
            if wish is not None and bool(wish & other):
                side = other
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(rect, QColor(tokens.surface))
        painter.setPen(QPen(QColor(tokens.line), 1))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        painter.setPen(QColor(tokens.text if sorted_by else tokens.muted))
        painter.setFont(self._font())
        inset = self._inset()
        box = QRectF(rect).adjusted(inset, 0, -inset, 0)
        words = str(self.model().headerData(logicalIndex, _Orientation.Horizontal))
        metrics, end = QFontMetricsF(self._font()), Qt.TextElideMode.ElideRight
        words = "\n".join(metrics.elidedText(line, end, box.width() + 1) for line in words.split("\n"))
        painter.drawText(box, side | Qt.AlignmentFlag.AlignVCenter, words)
        if sorted_by:
            size = px(0.7)  # above the words: beside them it would widen every column
            self._paint_arrow(painter, QRectF(box.center().x() - size / 2, box.top(), size, size))
        painter.restore()

    def _paint_arrow(self, painter: QPainter, box: QRectF) -> None:
        if self.sortIndicatorOrder() == Qt.SortOrder.AscendingOrder:
            painter.translate(box.center())
            painter.rotate(180)
            painter.translate(-box.center())
        paint_icon(painter, "chevron", box, QColor(self._theme.tokens.text))

    def _inset(self) -> int:
        return self._theme.px(CELL_PADDING) + CELL_MARGIN

    def _font(self) -> QFont:
        return self._theme.font(0.95, QFont.Weight.DemiBold)

    def _restyle(self) -> None:
        self.resizeSections()
        self.viewport().update()
