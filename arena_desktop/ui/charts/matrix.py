"""The heat map of pairs: how one cell is painted, on screen and in a saved picture, and the picture as a whole."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QPolygonF

from arena_desktop.services.board_views import PairCell, PairsView
from arena_desktop.ui import text
from arena_desktop.ui.charts.style import ChartStyle

CELL_EM = (3.3, 2.1)
_WON, _LOST = ("#0072b2", "#4ea3e0"), ("#d55e00", "#ff9a4d")
_DEEPEST = 0.55


def paint_cell(painter: QPainter, box: QRectF, cell: PairCell | None, style: ChartStyle) -> None:
    """Share on a ground from orange (lost all) to blue (won all), the number of battles below it."""
    tokens = style.tokens
    inner = box.adjusted(0.5, 0.5, -0.5, -0.5)
    if cell is None:
        painter.fillRect(inner, QColor(tokens.sunken))
        return
    if cell.games == 0 or cell.share is None:
        painter.setPen(QColor(tokens.muted))
        painter.setFont(_font(style, 0.78))
        painter.drawText(inner, Qt.AlignmentFlag.AlignCenter, "never\nmet")
        return
    inks = _WON if cell.share >= 0.5 else _LOST
    strength = abs(cell.share - 0.5) * 2 * _DEEPEST
    painter.fillRect(inner, QColor(tokens.surface))
    painter.fillRect(inner, style.clear(inks[style.dark], strength))
    upper = QRectF(inner.left(), inner.top() + inner.height() * 0.06, inner.width(), inner.height() * 0.52)
    lower = QRectF(inner.left(), inner.top() + inner.height() * 0.52, inner.width(), inner.height() * 0.42)
    painter.setPen(QColor(tokens.text))
    painter.setFont(_font(style, 0.95))
    painter.drawText(upper, Qt.AlignmentFlag.AlignCenter, text.percent(cell.share))
    painter.setFont(_font(style, 0.75))
    painter.drawText(lower, Qt.AlignmentFlag.AlignCenter, f"of {text.count(cell.games)}")
    if cell.odd:
        size = style.px(0.55)
        corner = inner.topRight()
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(tokens.text))
        painter.drawPolygon(QPolygonF([corner, corner - QPointF(size, 0), corner + QPointF(0, size)]))
        painter.setBrush(Qt.BrushStyle.NoBrush)


def cell_words(row: str, column: str, cell: PairCell | None) -> str:
    """The whole of a cell in words."""
    if cell is None:
        return row
    if cell.games == 0 or cell.share is None:
        return f"{row} and {column} never met."
    counts = [f"{cell.wins:,} won", f"{cell.losses:,} lost", f"{cell.ties:,} tied", f"{cell.both_bad:,} both bad"]
    words = [f"{row} against {column}: {text.counted(cell.games, 'battle')}, {', '.join(counts)}."]
    words.append(f"Score {text.percent(cell.share)}")
    if cell.expected is not None:
        words[-1] += f", the ratings predict {text.percent(cell.expected)}"
    words[-1] += "."
    if cell.odd and cell.residual is not None:
        side = "better" if cell.residual > 0 else "worse"
        words.append(f"That is {abs(cell.residual):.1f} standard errors {side} than predicted.")
    return " ".join(words)


def matrix_size(view: PairsView, style: ChartStyle) -> QSize:
    """The size of the picture of the whole matrix."""
    count = len(view.models)
    wide = _names_width(view, style) + count * style.px(CELL_EM[0]) + 2 * style.px(1)
    return QSize(round(max(wide, style.px(24))), round(count * style.px(CELL_EM[1]) + style.px(6)))


def paint_matrix(painter: QPainter, box: QRectF, view: PairsView, title: str, style: ChartStyle) -> None:
    """The whole matrix with its title, names and key."""
    margin, names = style.px(1), _names_width(view, style)
    wide, high = style.px(CELL_EM[0]), style.px(CELL_EM[1])
    painter.setPen(QColor(style.tokens.text))
    painter.setFont(_font(style, 1.05, QFont.Weight.DemiBold))
    painter.drawText(QRectF(margin, style.px(0.4), box.width(), style.px(1.6)), Qt.AlignmentFlag.AlignVCenter, title)
    top = style.px(3.4)
    middle = Qt.AlignmentFlag.AlignVCenter
    for row, model in enumerate(view.models):
        y = top + row * high
        painter.setPen(QColor(style.tokens.text))
        painter.setFont(_font(style, 0.9))
        painter.drawText(QRectF(margin, y, names, high), middle, f"{row + 1}  {_short(model.name, style)}")
        above = QRectF(margin + names + row * wide, top - style.px(1.4), wide, style.px(1.4))
        painter.drawText(above, Qt.AlignmentFlag.AlignCenter, str(row + 1))
        for column, cell in enumerate(view.cells[row]):
            paint_cell(painter, QRectF(margin + names + column * wide, y, wide, high), cell, style)
    painter.setPen(QPen(QColor(style.tokens.muted)))
    painter.setFont(_font(style, 0.85))
    below = QRectF(margin, top + len(view.models) * high + style.px(0.4), box.width() - 2 * margin, style.px(1.6))
    painter.drawText(below, middle, KEY)


KEY = "The row's score against the column. Marked corner: further from what the ratings expect than chance explains."


def _short(name: str, style: ChartStyle) -> str:
    metrics = QFontMetricsF(_font(style, 0.9))
    return metrics.elidedText(text.undirected(name), Qt.TextElideMode.ElideRight, style.px(12))


def _names_width(view: PairsView, style: ChartStyle) -> float:
    metrics = QFontMetricsF(_font(style, 0.9))
    names = [f"{row + 1}  {_short(model.name, style)}" for row, model in enumerate(view.models)]
    return max((metrics.horizontalAdvance(name) for name in names), default=0) + style.px(0.8)


def _font(style: ChartStyle, scale: float, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
    font = QFont(style.font)
    font.setPointSizeF(style.font.pointSizeF() * scale)
    font.setWeight(weight)
    return font
