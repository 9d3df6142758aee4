"""Paints a cell of the matrix of pairs, with a frame around the one that the keyboard is at."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from arena_desktop.services.board_views import PairCell
from arena_desktop.ui.charts.matrix import CELL_EM, paint_cell
from arena_desktop.ui.charts.style import style_of
from arena_desktop.ui.models.sheet import DRAWN_ROLE
from arena_desktop.ui.theme import Theme


class HeatDelegate(QStyledItemDelegate):
    """The cell's words stay what assistive technology reads."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:  # noqa: N802
        return QSize(self._theme.px(CELL_EM[0]), self._theme.px(CELL_EM[1]))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        found = index.data(DRAWN_ROLE)
        box = QRectF(option.rect)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_cell(painter, box, found if isinstance(found, PairCell) else None, style_of(self._theme))
        if option.state & QStyle.StateFlag.State_Selected:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(self._theme.tokens.focus), 2))
            painter.drawRect(box.adjusted(1, 1, -1, -1))
        painter.restore()
