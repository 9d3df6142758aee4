"""What hands and eyes do with the widgets of a window."""

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QLabel, QPushButton, QTableView, QWidget

from arena_desktop.ui.widgets.controls import Dropdown


def child(parent: QWidget, kind: type[Any], name: str) -> Any:
    """The one below ``parent`` of this kind and objectName."""
    found = parent.findChild(kind, name)
    assert found is not None, name
    return found


def press(parent: QWidget, name: str) -> None:
    """Press a button that can be seen and pressed."""
    button = child(parent, QPushButton, name)
    assert button.isVisible(), name
    assert button.isEnabled(), name
    button.click()


def pick(parent: QWidget, name: str, key: str) -> None:
    """Choose an entry of a list, as a hand would: the list is open, the entry is clicked."""
    field = child(parent, Dropdown, name)
    place = field.findData(key)
    assert place >= 0, (name, key)
    field.setCurrentIndex(place)
    field.activated.emit(place)


def said(dialog: QWidget) -> str:
    """What can be read of it now."""
    return "\n".join(label.text() for label in dialog.findChildren(QLabel) if label.isVisible())


def cells(dialog: QWidget, name: str) -> list[tuple[str, ...]]:
    """What a table shows, row by row."""
    model = child(dialog, QTableView, name).model()
    return [
        tuple(str(model.index(row, column).data()) for column in range(model.columnCount()))
        for row in range(model.rowCount())
    ]


def assert_all_readable(table: QTableView) -> None:
    """No column is out of sight to the side, and every cell is as high as its words are long."""
    model, metrics = table.model(), QFontMetrics(table.font())
    anywhere = Qt.TextFlag.TextWrapAnywhere
    assert table.horizontalScrollBar().maximum() == 0
    for column in range(model.columnCount()):
        left, wide = table.columnViewportPosition(column), table.columnWidth(column)
        assert left >= 0, column
        assert left + wide <= table.viewport().width() + 1, column
        assert wide >= 3 * metrics.averageCharWidth(), column
        for row in range(model.rowCount()):
            words = str(model.index(row, column).data())
            need = metrics.boundingRect(0, 0, wide, 10_000, anywhere, words).height()
            assert table.rowHeight(row) >= need, (row, column, words)
