"""Paints an entry that is switched on or off, and switches it wherever in its row it is pressed."""

from PySide6.QtCore import QAbstractItemModel, QEvent, QModelIndex, QPersistentModelIndex, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QKeyEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.icons import paint_icon

_STATE = Qt.ItemDataRole.CheckStateRole


class CheckDelegate(QStyledItemDelegate):
    """The box is drawn here because the style's own can't be seen on a dark ground."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        tokens, px = self._theme.tokens, self._theme.px
        row = QRectF(option.rect)
        on = _is_on(index)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if option.state & QStyle.StateFlag.State_Selected and option.state & QStyle.StateFlag.State_HasFocus:
            painter.fillRect(row, QColor(tokens.accent_soft))
        side = px(0.95)
        box = QRectF(row.left() + px(0.4), row.center().y() - side / 2, side, side)
        painter.setPen(QPen(QColor(tokens.accent if on else tokens.line_strong), 1))
        painter.setBrush(QColor(tokens.accent if on else tokens.surface))
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), px(0.15), px(0.15))
        if on:
            paint_icon(painter, "check", box, QColor(tokens.on_accent))
        left = box.right() + px(0.5)
        icon = index.data(Qt.ItemDataRole.DecorationRole)
        if isinstance(icon, QIcon):
            wide = px(1.6)
            icon.paint(painter, round(left), round(row.center().y() - px(0.5)), wide, px(1))
            left += wide + px(0.4)
        words = QRectF(left, row.top(), row.right() - left - px(0.2), row.height())
        shown = option.fontMetrics.elidedText(str(index.data()), Qt.TextElideMode.ElideRight, round(words.width()))
        painter.setPen(QColor(tokens.text if on else tokens.muted))
        painter.setFont(option.font)
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, shown)
        painter.restore()

    def editorEvent(  # noqa: N802
        self,
        event: QEvent,
        model: QAbstractItemModel,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> bool:
        pressed = isinstance(event, QMouseEvent) and event.type() == QEvent.Type.MouseButtonRelease
        typed = isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress
        if pressed and isinstance(event, QMouseEvent) and event.button() != Qt.MouseButton.LeftButton:
            return False
        if typed and isinstance(event, QKeyEvent) and event.key() not in (Qt.Key.Key_Space, Qt.Key.Key_Select):
            return False
        if not (pressed or typed):
            return False
        other = Qt.CheckState.Unchecked if _is_on(index) else Qt.CheckState.Checked
        return model.setData(index, other, _STATE)


def _is_on(index: QModelIndex | QPersistentModelIndex) -> bool:
    return Qt.CheckState(index.data(_STATE)) == Qt.CheckState.Checked
