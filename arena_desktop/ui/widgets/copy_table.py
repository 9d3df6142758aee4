"""A table whose words can all be read and whose rows can be copied: the chosen ones with Ctrl+C, all with a button."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QSizePolicy

from arena_desktop.ui.models.sheet import Heading, SheetCell
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.sheet_view import SheetView
from arena_desktop.ui.widgets.wrapped_cells import WrappedCells

_ROW, _HEAD = 1.7, 1.8


class CopyTable(SheetView):
    """Words in columns. ``wide``: the columns that share what the others leave; their words go over several lines.
    As high as all rows need, but not above ``most`` lines of text: then it scrolls by itself.
    """

    def __init__(
        self, name: str, theme: Theme, columns: Sequence[Heading], *, wide: tuple[int, ...], most: float | None = None
    ) -> None:
        super().__init__(name, theme, row_height=_ROW, head_height=_HEAD)
        self._columns, self._wide, self._most = tuple(columns), wide, most
        self._cells = WrappedCells(theme, self)
        self.setItemDelegate(self._cells)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setToolTip("Ctrl+C copies the chosen rows")
        self.show_words(())
        header = self.horizontalHeader()
        header.setMinimumSectionSize(1)
        for place in range(len(self._columns)):
            mode = QHeaderView.ResizeMode.Stretch if place in wide else QHeaderView.ResizeMode.ResizeToContents
            header.setSectionResizeMode(place, mode)
        self._soon = QTimer(self)  # once widths are settled: a scroll bar that comes makes columns narrower
        self._soon.setSingleShot(True)
        self._soon.setInterval(0)
        self._soon.timeout.connect(self._fit)
        header.sectionResized.connect(lambda *_: self._soon.start())
        self._fit()

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

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._soon.start()

    def _fit(self) -> None:
        if not hasattr(self, "_soon"):
            return  # still being made
        self._cells.fit(self._theme.px(_ROW))
        count = self.sheet.rowCount()
        rows = sum(self.rowHeight(row) for row in range(count)) if count else self._theme.px(_ROW)
        high = self.horizontalHeader().sizeHint().height() + rows + 2 * self.frameWidth() + 4
        most = high if self._most is None else self._theme.px(self._most)
        never, needed = Qt.ScrollBarPolicy.ScrollBarAlwaysOff, Qt.ScrollBarPolicy.ScrollBarAsNeeded
        self.setVerticalScrollBarPolicy(needed if high > most else never)
        if self.minimumHeight() != min(high, most) or self.maximumHeight() != min(high, most):
            self.setFixedHeight(min(high, most))

    def _lines(self, rows: Sequence[int]) -> str:
        count = range(self.sheet.columnCount())
        return "\n".join("\t".join(str(self.sheet.index(row, column).data()) for column in count) for row in rows)
