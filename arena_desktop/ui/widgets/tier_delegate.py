"""Paints a cell of the board, with a line between two tiers where the rows stand by rating."""

from collections.abc import Callable

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from arena_desktop.ui.models.leaderboard_table import CELL_ROLE, TIER_ROLE
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.column_header import CELL_MARGIN, CELL_PADDING


class TierDelegate(QStyledItemDelegate):
    """``by_rating`` tells whether rows stand in an order in which tiers follow each other."""

    def __init__(self, theme: Theme, by_rating: Callable[[], bool], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._by_rating = theme, by_rating

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        words, side, tier = index.data(CELL_ROLE)
        self.paint_cell(painter, option, index, words, side)
        if index.row() == 0 or not self._by_rating():
            return
        above = index.model().index(index.row() - 1, index.column()).data(TIER_ROLE)
        if above is not None and above != tier:
            painter.setPen(QPen(QColor(self._theme.tokens.line_strong), 1))
            painter.drawLine(option.rect.topLeft(), option.rect.topRight())

    def paint_cell(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
        words: str,
        side: Qt.AlignmentFlag,
    ) -> None:
        """The cell itself. Qt's own way asks the model and the style eight times a cell: a tenth of a millisecond."""
        tokens, inset = self._theme.tokens, self._theme.px(CELL_PADDING) + CELL_MARGIN
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(option.rect, QColor(tokens.accent_soft))
        box = option.rect.adjusted(inset, 0, -inset, 0)
        painter.setFont(option.font)
        painter.setPen(QColor(tokens.text))
        shown = option.fontMetrics.elidedText(words, Qt.TextElideMode.ElideRight, box.width())
        painter.drawText(QRectF(box), side, shown)
