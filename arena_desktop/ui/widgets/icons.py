"""Icons, drawn as lines in a box of 24 × 24 so that they are sharp at every scale and need no font."""

from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPainterPath, QPen, QPixmap


def _lines(*strokes: tuple[tuple[float, float], ...]) -> QPainterPath:
    path = QPainterPath()
    for stroke in strokes:
        path.moveTo(*stroke[0])
        for point in stroke[1:]:
            path.lineTo(*point)
    return path


def _play() -> QPainterPath:
    path = _lines(((8, 5.5), (18.5, 12), (8, 18.5)))
    path.closeSubpath()
    return path


def _pause() -> QPainterPath:
    return _lines(((9, 6), (9, 18)), ((15, 6), (15, 18)))


def _waves() -> QPainterPath:
    return _lines(((5, 10), (5, 14)), ((9.7, 6), (9.7, 18)), ((14.3, 8.5), (14.3, 15.5)), ((19, 10.5), (19, 13.5)))


def _next() -> QPainterPath:
    return _lines(((4.5, 12), (19, 12)), ((13, 6), (19, 12), (13, 18)))


def _skip() -> QPainterPath:
    path = _lines(((6, 6), (14.5, 12), (6, 18)))
    path.closeSubpath()
    path.addPath(_lines(((18, 6), (18, 18))))
    return path


def _undo() -> QPainterPath:
    path = _lines(((9, 5), (4.5, 9.5), (9, 14)))
    path.moveTo(4.5, 9.5)
    path.lineTo(14.5, 9.5)
    path.arcTo(QRectF(10, 9.5, 9, 9), 90, -180)
    path.lineTo(11, 18.5)
    return path


def _listen() -> QPainterPath:
    path = QPainterPath()
    path.moveTo(4.5, 15)
    path.arcTo(QRectF(4.5, 4.5, 15, 15), 180, -180)
    path.lineTo(19.5, 15)
    path.addRoundedRect(QRectF(3.5, 13, 4, 6.5), 1.5, 1.5)
    path.addRoundedRect(QRectF(16.5, 13, 4, 6.5), 1.5, 1.5)
    return path


def _board() -> QPainterPath:
    return _lines(((4.5, 6.5), (19.5, 6.5)), ((4.5, 12), (15, 12)), ((4.5, 17.5), (10, 17.5)))


def _history() -> QPainterPath:
    return _circled(((12, 7), (12, 12.5), (15.5, 14.5)))


def _import() -> QPainterPath:
    return _lines(((12, 4), (12, 14.5)), ((7.5, 10), (12, 14.5), (16.5, 10)), ((5, 19.5), (19, 19.5)))


def _export() -> QPainterPath:
    return _lines(((12, 15), (12, 4.5)), ((7.5, 9), (12, 4.5), (16.5, 9)), ((5, 19.5), (19, 19.5)))


def _folder() -> QPainterPath:
    path = _lines(((3.5, 18.5), (3.5, 5.5), (9.5, 5.5), (11.5, 8), (20.5, 8), (20.5, 18.5)))
    path.closeSubpath()
    return path


def _models() -> QPainterPath:
    path = _lines(((12, 3.5), (20, 8), (12, 12.5), (4, 8)))
    path.closeSubpath()
    path.addPath(_lines(((4, 12), (12, 16.5), (20, 12)), ((4, 16), (12, 20.5), (20, 16))))
    return path


def _settings() -> QPainterPath:
    path = _lines(((4, 7), (12, 7)), ((18, 7), (20, 7)), ((4, 17), (6, 17)), ((12, 17), (20, 17)))
    path.addEllipse(QPointF(15, 7), 3, 3)
    path.addEllipse(QPointF(9, 17), 3, 3)
    return path


def _check() -> QPainterPath:
    return _lines(((5, 12.5), (10, 17.5), (19, 7)))


def _warning() -> QPainterPath:
    path = _lines(((12, 4), (21, 19.5), (3, 19.5)))
    path.closeSubpath()
    path.addPath(_lines(((12, 10), (12, 14.2)), ((12, 16.9), (12, 17))))
    return path


def _circled(*strokes: tuple[tuple[float, float], ...]) -> QPainterPath:
    path = QPainterPath()
    path.addEllipse(QPointF(12, 12), 8.5, 8.5)
    path.addPath(_lines(*strokes))
    return path


def _info() -> QPainterPath:
    return _circled(((12, 11.2), (12, 16)), ((12, 8), (12, 8.1)))


def _error() -> QPainterPath:
    return _circled(((12, 7.5), (12, 13)), ((12, 16), (12, 16.1)))


def _lock() -> QPainterPath:
    path = QPainterPath()
    path.addRoundedRect(QRectF(5.5, 11, 13, 9), 2, 2)
    path.moveTo(8.2, 11)
    path.lineTo(8.2, 8.3)
    path.arcTo(QRectF(8.2, 4.5, 7.6, 7.6), 180, -180)
    path.lineTo(15.8, 11)
    return path


def _copy() -> QPainterPath:
    path = QPainterPath()
    path.addRoundedRect(QRectF(8.5, 8.5, 11, 11), 2, 2)
    path.addPath(_lines(((15.5, 4.5), (6.5, 4.5), (4.5, 6.5), (4.5, 15.5))))
    return path


def _refresh() -> QPainterPath:
    path = QPainterPath()
    box = QRectF(4.5, 4.5, 15, 15)
    path.arcMoveTo(box, 30)
    path.arcTo(box, 30, 300)
    path.addPath(_lines(((19.2, 3.5), (19, 8.4), (14.2, 8.2))))
    return path


def _plus() -> QPainterPath:
    return _lines(((12, 5), (12, 19)), ((5, 12), (19, 12)))


def _file() -> QPainterPath:
    path = _lines(((13.5, 3.5), (6, 3.5), (6, 20.5), (18, 20.5), (18, 8)))
    path.closeSubpath()
    path.addPath(_lines(((9, 12.5), (15, 12.5)), ((9, 16), (13, 16))))
    return path


def _volume() -> QPainterPath:
    path = _lines(((4, 9.5), (7.5, 9.5), (12, 5.5), (12, 18.5), (7.5, 14.5), (4, 14.5)))
    path.closeSubpath()
    box = QRectF(9.5, 7.5, 9, 9)
    path.arcMoveTo(box, 50)
    path.arcTo(box, 50, -100)
    return path


def _close() -> QPainterPath:
    return _lines(((6.5, 6.5), (17.5, 17.5)), ((17.5, 6.5), (6.5, 17.5)))


def _chevron() -> QPainterPath:
    return _lines(((7, 10), (12, 15), (17, 10)))


_DRAWN: dict[str, Callable[[], QPainterPath]] = {
    "play": _play,
    "pause": _pause,
    "waves": _waves,
    "next": _next,
    "skip": _skip,
    "undo": _undo,
    "listen": _listen,
    "board": _board,
    "history": _history,
    "import": _import,
    "export": _export,
    "folder": _folder,
    "models": _models,
    "settings": _settings,
    "check": _check,
    "warning": _warning,
    "info": _info,
    "error": _error,
    "lock": _lock,
    "copy": _copy,
    "refresh": _refresh,
    "plus": _plus,
    "file": _file,
    "volume": _volume,
    "close": _close,
    "chevron": _chevron,
}


def paint_icon(painter: QPainter, name: str, box: QRectF, color: QColor) -> None:
    """Draw the icon ``name`` into ``box`` (square) in one colour."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(box.topLeft())
    painter.scale(box.width() / 24, box.height() / 24)
    pen = QPen(color, 1.9, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    path = _DRAWN[name]()
    if name in ("play", "skip"):
        painter.setBrush(color)
    painter.drawPath(path)
    painter.restore()


def make_icon(name: str, size: int, color: QColor, disabled: QColor, gap: float = 0.0) -> QIcon:
    """The icon ``name`` for a button, ``size`` pixels high, paler when disabled; ``gap``: share of room after it."""
    icon = QIcon()
    for scale in (1, 2):
        icon.addPixmap(_pixmap(name, size * scale, gap, color))
        icon.addPixmap(_pixmap(name, size * scale, gap, disabled), QIcon.Mode.Disabled)
    return icon


def app_icon() -> QIcon:
    """The program's own icon: two samples side by side, a line between."""
    icon = QIcon()
    for size in (16, 24, 32, 48, 64, 128, 256):
        pixmap = QPixmap(QSize(size, size))
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(size / 64, size / 64)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor("#1b5e94"))
        painter.drawRoundedRect(QRectF(2, 2, 60, 60), 15, 15)
        painter.setBrush(QColor("#ffffff"))
        for x, height in ((11, 12), (19, 28), (27, 16), (37, 16), (45, 28), (53, 12)):
            painter.drawRoundedRect(QRectF(x - 2.2, 32 - height / 2, 4.4, height), 2.2, 2.2)
        painter.end()
        icon.addPixmap(pixmap)
    return icon


def _pixmap(name: str, size: int, gap: float, color: QColor) -> QPixmap:
    pixmap = QPixmap(QSize(round(size * (1 + gap)), size))
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    paint_icon(painter, name, QRectF(0, 0, size, size), color)
    painter.end()
    return pixmap
