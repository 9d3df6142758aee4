"""Paints a number with what stands behind it: the number large, its interval beside it, a quiet line below."""

from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from arena_desktop.ui.models.sheet import DRAWN_ROLE
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.column_header import CELL_MARGIN, CELL_PADDING


@dataclass(frozen=True)
class TwoLines:
    """What one cell shows."""

    number: str
    beside: str
    below: str


class EstimateDelegate(QStyledItemDelegate):
    """The cell's words stay what assistive technology reads."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:  # noqa: N802
        found, px = index.data(DRAWN_ROLE), self._theme.px
        if not isinstance(found, TwoLines):
            return super().sizeHint(option, index)
        large, small = (QFontMetricsF(font) for font in self._fonts())
        upper = large.horizontalAdvance(found.number) + small.horizontalAdvance(found.beside) + px(0.4)
        return QSize(round(max(upper, small.horizontalAdvance(found.below))) + px(0.8), px(2.9))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        found, tokens, px = index.data(DRAWN_ROLE), self._theme.tokens, self._theme.px
        if not isinstance(found, TwoLines):
            super().paint(painter, option, index)
            return
        painter.save()
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(option.rect, QColor(tokens.accent_soft))
        box = QRectF(option.rect).adjusted(px(CELL_PADDING) + CELL_MARGIN, px(0.25), -px(0.3), -px(0.25))
        upper = QRectF(box.left(), box.top(), box.width(), box.height() / 2)
        large, small = self._fonts()
        painter.setFont(large)
        painter.setPen(QColor(tokens.text))
        painter.drawText(upper, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, found.number)
        wide = QFontMetricsF(large).horizontalAdvance(found.number) + px(0.4)
        painter.setFont(small)
        painter.setPen(QColor(tokens.muted))
        beside = upper.adjusted(wide, 0, 0, 0)
        painter.drawText(beside, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, found.beside)
        lower = QRectF(box.left(), box.center().y(), box.width(), box.height() / 2)
        painter.drawText(lower, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, found.below)
        painter.restore()

    def _fonts(self) -> tuple[QFont, QFont]:
        return self._theme.font(1.0, QFont.Weight.DemiBold), self._theme.font(0.82)
