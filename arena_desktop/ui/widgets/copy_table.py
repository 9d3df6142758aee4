"""A table whose rows can be copied: the chosen ones with Ctrl+C, all of them with a button."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QHeaderView

from arena_desktop.ui.models.sheet import Heading, SheetCell
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.sheet_view import SheetView


class CopyTable(SheetView):
    """Words in columns; ``wide`` is the column that takes what room is left."""

    def __init__(self, name: str, theme: Theme, columns: Sequence[Heading], *, wide: int) -> None:
        super().__init__(name, theme, row_height=1.7, head_height=1.8)
        self._columns = tuple(columns)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setToolTip("Ctrl+C copies the chosen rows")
        self.show_words(())
        header = self.horizontalHeader()
        for place in range(len(self._columns)):
            mode = QHeaderView.ResizeMode.Stretch if place == wide else QHeaderView.ResizeMode.ResizeToContents
            header.setSectionResizeMode(place, mode)

    def show_words(self, rows: Sequence[Sequence[str]]) -> None:
        """Take over the rows, one text a column."""
        self.show_sheet(self._columns, [[SheetCell(words) for words in row] for row in rows])

    @property
    def text(self) -> str:
        """All rows, a line each, with tabs between the columns."""
        return self._lines(range(self.sheet.rowCount()))

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        if event.matches(QKeySequence.StandardKey.Copy):
            rows = sorted({index.row() for index in self.selectedIndexes()})
            QGuiApplication.clipboard().setText(self._lines(rows))
        else:
            super().keyPressEvent(event)

    def _lines(self, rows: Sequence[int]) -> str:
        count = range(self.sheet.columnCount())
        return "\n".join("\t".join(str(self.sheet.index(row, column).data()) for column in count) for row in rows)
