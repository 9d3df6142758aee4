"""Fields of one width side by side, in as many columns as there is room for."""

from collections.abc import Sequence

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QWidget

from arena_desktop.ui.theme import Theme

LEAST_EM = 9.5


class FieldGrid(QWidget):
    """Fields that are hidden leave no hole. ``columns`` says how many stand side by side."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._fields: tuple[QWidget, ...] = ()
        self._placed: tuple[int, tuple[QWidget, ...]] = (0, ())
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.place)

    @property
    def columns(self) -> int:
        """How many fields stand side by side."""
        return max(1, (self.width() + self._gap) // (self._theme.px(LEAST_EM) + self._gap))

    def show_fields(self, fields: Sequence[QWidget]) -> None:
        """Show these fields, in this order; all others are hidden."""
        for gone in set(self._fields) - set(fields):
            gone.hide()
        self._fields = tuple(fields)
        self.place()

    def place(self) -> None:
        """Put every field where it belongs."""
        self._grid.setSpacing(self._gap)
        columns = self.columns
        if self._placed == (columns, self._fields):
            return
        self._placed = (columns, self._fields)
        while self._grid.takeAt(0) is not None:
            pass
        before: QWidget | None = None
        for place, field in enumerate(self._fields):
            self._grid.addWidget(field, place // columns, place % columns)
            field.show()
            if before is not None:
                QWidget.setTabOrder(before, field)
            before = field
        for column in range(max(columns, self._grid.columnCount())):
            self._grid.setColumnStretch(column, 1 if column < columns else 0)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return QSize(1, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self.place()

    @property
    def _gap(self) -> int:
        return self._theme.px(0.5)
