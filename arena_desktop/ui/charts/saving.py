"""Writes a picture as PNG or SVG: one function draws it, the file's ending decides what it is drawn into."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, QRect, QRectF, QSize
from PySide6.QtGui import QColor, QImage, QPainter

from arena_desktop.errors import ArenaError

PNG_SCALE = 2
"""Pixels of a PNG for each pixel on the screen: sharp in print and on dense screens."""

Paint = Callable[[QPainter, QRectF], None]


def png_bytes(size: QSize, ground: str, paint: Paint) -> bytes:
    """The picture as PNG."""
    image = QImage(size * PNG_SCALE, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(PNG_SCALE)
    image.fill(QColor(ground))
    painter = QPainter(image)
    painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
    paint(painter, QRectF(0, 0, size.width(), size.height()))
    painter.end()
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload]  # the stubs want bytes
    return bytes(buffer.data().data())


def svg_bytes(size: QSize, ground: str, paint: Paint, title: str, description: str) -> bytes:
    """The picture as SVG, with its data in words as description."""
    from PySide6.QtSvg import QSvgGenerator  # late: a window without a saved picture needs none of it

    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setResolution(96)
    generator.setSize(size)
    generator.setViewBox(QRect(0, 0, size.width(), size.height()))
    generator.setTitle(title)
    generator.setDescription(description)
    painter = QPainter(generator)
    painter.fillRect(QRectF(0, 0, size.width(), size.height()), QColor(ground))
    paint(painter, QRectF(0, 0, size.width(), size.height()))
    painter.end()
    return bytes(buffer.data().data())


def write_picture(path: Path, size: QSize, ground: str, paint: Paint, title: str, description: str) -> None:
    """Write the picture to ``path``, as its ending says. Raises :class:`ArenaError` where that can't be done."""
    if path.suffix.lower() == ".svg":
        content = svg_bytes(size, ground, paint, title, description)
    else:
        content = png_bytes(size, ground, paint)
    try:
        path.write_bytes(content)
    except OSError as error:
        raise ArenaError(
            f"The picture can't be written to {path} ({error.strerror or error}).", "Choose another folder."
        ) from error
