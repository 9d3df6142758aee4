"""Everything a window says to an eye, a screen reader or a curious tool: for proving that it does not say who plays."""

import contextlib
from collections.abc import Iterator

from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QModelIndex, QObject, Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface, QAction, QShortcut
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QGroupBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QTabBar,
    QWidget,
)

_ROLES = (
    Qt.ItemDataRole.DisplayRole,
    Qt.ItemDataRole.ToolTipRole,
    Qt.ItemDataRole.StatusTipRole,
    Qt.ItemDataRole.WhatsThisRole,
    Qt.ItemDataRole.AccessibleTextRole,
    Qt.ItemDataRole.AccessibleDescriptionRole,
    Qt.ItemDataRole.UserRole,
)


def visible_texts(window: QWidget, *, skip_pages: tuple[str, ...] = ()) -> list[str]:
    """All texts of ``window`` and what hangs below it, shown or hidden, each once, in order of finding.

    Widgets' texts, placeholders, titles, accessible names and descriptions, tool tips, what's-this, status tips, icon
    texts, object names, text properties, actions, shortcuts, every cell and heading of every item model; and the tree
    that assistive technology sees.
    Pages named in ``skip_pages`` (objectName) are left out with all below them.
    """
    found: dict[str, None] = {}
    for text in _walk(window, set(skip_pages)):
        if text:
            found[text] = None
    return list(found)


def _walk(widget: QWidget, skip: set[str]) -> Iterator[str]:
    if widget.objectName() in skip:
        return
    yield from _own_texts(widget)
    for child in widget.children():
        if isinstance(child, QWidget):
            yield from _walk(child, skip)
        else:
            yield from _object_texts(child)
    interface = QAccessible.queryAccessibleInterface(widget)
    if interface is not None:
        yield from _accessible_texts(interface)
    if widget.isWindow():
        yield QApplication.applicationDisplayName()
        yield QApplication.applicationName()


def _own_texts(widget: QWidget) -> Iterator[str]:
    yield widget.objectName()
    yield widget.windowTitle()
    yield widget.windowIconText()
    yield widget.windowFilePath()
    yield widget.accessibleName()
    yield widget.accessibleDescription()
    yield widget.toolTip()
    yield widget.whatsThis()
    yield widget.statusTip()
    yield from _properties(widget)
    if isinstance(widget, QLabel | QAbstractButton | QLineEdit):
        yield widget.text()
    if isinstance(widget, QLineEdit | QPlainTextEdit):
        yield widget.placeholderText()
    if isinstance(widget, QPlainTextEdit):
        yield widget.toPlainText()
    if isinstance(widget, QGroupBox):
        yield widget.title()
    if isinstance(widget, QTabBar):
        yield from (widget.tabText(tab) for tab in range(widget.count()))
    if isinstance(widget, QComboBox):
        yield widget.currentText()
        yield from _model_texts(widget.model())
    if isinstance(widget, QAbstractItemView):
        yield from _model_texts(widget.model())


def _object_texts(thing: QObject) -> Iterator[str]:
    yield thing.objectName()
    yield from _properties(thing)
    if isinstance(thing, QAction):
        yield from (thing.text(), thing.toolTip(), thing.statusTip(), thing.whatsThis(), thing.iconText())
    if isinstance(thing, QShortcut):
        yield thing.whatsThis()
    if isinstance(thing, QAbstractItemModel):
        yield from _model_texts(thing)
    for child in thing.children():
        if not isinstance(child, QWidget):
            yield from _object_texts(child)


def _properties(thing: QObject) -> Iterator[str]:
    for name in thing.dynamicPropertyNames():
        key = bytes(name.data()).decode()
        if not key.startswith("_q_"):
            yield key
            with contextlib.suppress(RuntimeError):  # a type of Qt's own that Python can't see is no text
                yield _text(thing.property(key))


def _model_texts(model: QAbstractItemModel | None) -> Iterator[str]:
    if model is None:
        return
    for orientation in (Qt.Orientation.Horizontal, Qt.Orientation.Vertical):
        count = _columns(model) if orientation is Qt.Orientation.Horizontal else model.rowCount()
        for section in range(count):
            for role in _ROLES:
                yield _text(model.headerData(section, orientation, role))
    for row in range(model.rowCount()):
        for column in range(_columns(model)):
            index: QModelIndex = model.index(row, column)
            for role in _ROLES:
                yield _text(model.data(index, role))


def _accessible_texts(interface: QAccessibleInterface) -> Iterator[str]:
    for kind in (QAccessible.Text.Name, QAccessible.Text.Description, QAccessible.Text.Value, QAccessible.Text.Help):
        yield interface.text(kind)
    for child in range(interface.childCount()):
        below = interface.child(child)
        # Widgets are asked on their own; what is left are parts of widgets, such as cells.
        if below is not None and not isinstance(below.object(), QWidget):
            yield from _accessible_texts(below)


def _columns(model: QAbstractItemModel) -> int:
    return 1 if isinstance(model, QAbstractListModel) else model.columnCount()


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
