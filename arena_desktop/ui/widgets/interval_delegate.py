"""Draws a rating's interval as a bar on the axis that all rows of the table share."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem

from arena_desktop.ui.models.leaderboard_table import INTERVAL_ROLE
from arena_desktop.ui.widgets.tier_delegate import TierDelegate


class IntervalDelegate(TierDelegate):
    """The cell's text stays what assistive technology reads; on screen it is a bar with a dot at the rating."""

    def paint_cell(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
        words: str,
        side: Qt.AlignmentFlag,
    ) -> None:
        found = index.data(INTERVAL_ROLE)
        if found is None:
            super().paint_cell(painter, option, index, words, side)
            return
        low, rating, high, left, right = found
        tokens, px = self._theme.tokens, self._theme.px
        rect = QRectF(option.rect)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, QColor(tokens.accent_soft))
        axis = rect.adjusted(px(0.8), 0, -px(0.8), 0)

        def x(value: float) -> float:
            return float(axis.left() + axis.width() * (value - left) / (right - left))

        middle = axis.center().y()
        painter.setPen(QPen(QColor(tokens.line), 1))
        painter.drawLine(QPointF(axis.left(), middle), QPointF(axis.right(), middle))
        bar = QPen(QColor(tokens.accent), px(0.28), Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap)
        color = QColor(tokens.accent)
        color.setAlphaF(0.45)
        bar.setColor(color)
        painter.setPen(bar)
        painter.drawLine(QPointF(x(low), middle), QPointF(x(high), middle))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(tokens.accent))
        painter.drawEllipse(QPointF(x(rating), middle), px(0.3), px(0.3))
        painter.restore()
