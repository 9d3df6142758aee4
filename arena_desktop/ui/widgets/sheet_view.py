"""A table view in the program's look that keeps its place when its sheet is replaced."""

from collections.abc import Sequence

from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from arena_desktop.ui.models.sheet import Heading, Sheet, SheetCell
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.column_header import ColumnHeader


class SheetView(QTableView):
    """``by_row``: a whole row is chosen, else one cell. ``row_height`` and ``head_height`` in lines of text."""

    def __init__(
        self, name: str, theme: Theme, *, by_row: bool = True, row_height: float = 2.0, head_height: float = 2.2
    ) -> None:
        super().__init__()
        self._theme, self._row_height = theme, row_height
        self._by_row = by_row
        self.sheet = Sheet()
        self.setAccessibleName(name)
        self.setModel(self.sheet)
        behaviour = QAbstractItemView.SelectionBehavior
        self.setSelectionBehavior(behaviour.SelectRows if by_row else behaviour.SelectItems)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self.setWordWrap(False)
        self.verticalHeader().hide()
        header = ColumnHeader(theme, self, lines=head_height)
        header.setAccessibleName("Columns")
        header.setSectionsClickable(False)
        self.setHorizontalHeader(header)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self._space()
        theme.changed.connect(self._space)

    def show_sheet(
        self, columns: Sequence[Heading], cells: Sequence[Sequence[SheetCell]], rows: Sequence[Heading] = ()
    ) -> None:
        """Take over a table, staying where a reader is in it."""
        here, down, across = self.currentIndex(), self.verticalScrollBar().value(), self.horizontalScrollBar().value()
        row, column = here.row(), here.column()
        self.sheet.show_sheet(columns, cells, rows)
        if row >= 0 and not self.currentIndex().isValid() and row < len(cells) and column < len(columns):
            self.setCurrentIndex(self.sheet.index(row, column))
        self.verticalScrollBar().setValue(down)
        self.horizontalScrollBar().setValue(across)
        self._fit()

    def _space(self) -> None:
        high = self._theme.px(self._row_height)
        self.verticalHeader().setMinimumSectionSize(min(high, self._theme.px(1.4)))
        self.verticalHeader().setDefaultSectionSize(high)
        self._fit()

    def _fit(self) -> None:
        """The rows, or their height, changed."""
