"""Draws a line between two tiers of the board, where the rows stand by rating."""

from collections.abc import Callable

from PySide6.QtCore import QModelIndex, QPersistentModelIndex
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QWidget

from arena_desktop.ui.models.leaderboard_table import TIER_ROLE
from arena_desktop.ui.theme import Theme


class TierDelegate(QStyledItemDelegate):
    """``by_rating`` tells whether rows stand in an order in which tiers follow each other."""

    def __init__(self, theme: Theme, by_rating: Callable[[], bool], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._by_rating = theme, by_rating

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        self.paint_cell(painter, option, index)
        if index.row() == 0 or not self._by_rating():
            return
        above = index.model().index(index.row() - 1, index.column()).data(TIER_ROLE)
        if above is not None and above != index.data(TIER_ROLE):
            painter.save()
            painter.setPen(QPen(QColor(self._theme.tokens.line_strong), 1))
            painter.drawLine(option.rect.topLeft(), option.rect.topRight())
            painter.restore()

    def paint_cell(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """The cell itself."""
        super().paint(painter, option, index)
