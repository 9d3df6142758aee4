"""The ranking: one row a model, sortable by every column, the columns chosen by whoever looks."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QMenu,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from arena_desktop.services.views import BoardRow
from arena_desktop.ui.models.leaderboard_table import (
    COLUMNS,
    INTERVAL_COLUMN,
    MODEL_COLUMN,
    RANK_COLUMN,
    RATING_COLUMN,
    BoardSorter,
    LeaderboardTable,
)
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.board_view import BoardView
from arena_desktop.ui.widgets.buttons import IconButton
from arena_desktop.ui.widgets.column_header import ColumnHeader
from arena_desktop.ui.widgets.controls import Dropdown
from arena_desktop.ui.widgets.interval_delegate import IntervalDelegate
from arena_desktop.ui.widgets.tier_delegate import TierDelegate

_ALWAYS = (RANK_COLUMN, MODEL_COLUMN, RATING_COLUMN, INTERVAL_COLUMN)
"""A rating is never shown without its interval, nor a place without its range."""


class RankingTable(QWidget):
    """Keeps sort, selection, scroll position and columns when rows arrive."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._rows = LeaderboardTable(self)
        self._sorter = BoardSorter(self._rows, self)
        self.order = Dropdown("Sort by", theme)
        self.order.setObjectName("boardOrder")
        self.order.show_choices([(str(n), column.title) for n, column in enumerate(COLUMNS)], str(RATING_COLUMN))
        self.columns = ColumnChoice(theme)
        self.table: QTableView = BoardView(self._rows, theme)
        self._prepare_table()
        self._lay_out()
        self.order.picked.connect(self._sort_by)
        self.columns.switched.connect(self._switch)
        theme.changed.connect(self._space)

    def show_rows(self, rows: Sequence[BoardRow]) -> None:
        """Take over ``rows``."""
        self._rows.show_rows(rows)

    def _prepare_table(self) -> None:
        table = self.table
        table.setObjectName("leaderboard")
        table.setAccessibleName("Leaderboard")
        table.setModel(self._sorter)
        table.setItemDelegate(TierDelegate(self._theme, self._by_rating, table))
        table.setItemDelegateForColumn(INTERVAL_COLUMN, IntervalDelegate(self._theme, self._by_rating, table))
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        table.setShowGrid(False)
        table.setTabKeyNavigation(False)
        table.setCornerButtonEnabled(False)
        table.setWordWrap(False)
        table.verticalHeader().hide()
        header = ColumnHeader(self._theme, table)
        header.setAccessibleName("Columns")
        table.setHorizontalHeader(header)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(INTERVAL_COLUMN, QHeaderView.ResizeMode.Fixed)
        header.setSortIndicator(RATING_COLUMN, Qt.SortOrder.DescendingOrder)
        table.setSortingEnabled(True)
        header.sortIndicatorChanged.connect(lambda column, _: self.order.choose(str(column)))
        for place, column in enumerate(COLUMNS):
            table.setColumnHidden(place, not column.at_first)
        # Queued: while the header is giving out widths, it takes no other.
        header.sectionResized.connect(self._resized, Qt.ConnectionType.QueuedConnection)
        table.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() == QEvent.Type.Resize:
            self._widen()
        return super().eventFilter(watched, event)

    def _resized(self, place: int) -> None:
        if place != INTERVAL_COLUMN:
            self._widen()

    def _widen(self) -> None:
        """Give the intervals what width the other columns leave."""
        header = self.table.horizontalHeader()
        others = sum(header.sectionSize(place) for place in range(len(COLUMNS)) if place != INTERVAL_COLUMN)
        wide = max(self._theme.px(7.6), self.table.viewport().width() - others)
        self.table.setColumnWidth(INTERVAL_COLUMN, wide)

    def _lay_out(self) -> None:
        fields = QHBoxLayout()
        fields.setContentsMargins(0, 0, 0, 0)
        label = QLabel("&Sort by")
        label.setProperty("voice", "muted")
        label.setBuddy(self.order)
        fields.addWidget(label)
        fields.addWidget(self.order)
        fields.addWidget(self.columns)
        fields.addStretch(1)
        self._fields = fields
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.addLayout(fields)
        self._column.addWidget(self.table, 1)
        self._space()

    def _space(self) -> None:
        px = self._theme.px
        self._column.setSpacing(px(0.6))
        self._fields.setSpacing(px(0.6))
        self.table.verticalHeader().setDefaultSectionSize(px(2.2))
        self._widen()

    def _by_rating(self) -> bool:
        return self._sorter.sortColumn() in (RANK_COLUMN, RATING_COLUMN)

    def _sort_by(self, column: str) -> None:
        place = int(column)
        first_is_best = place in (RANK_COLUMN, MODEL_COLUMN) or COLUMNS[place].title == "Tier"
        self.columns.switch_on(place)
        self.table.sortByColumn(place, Qt.SortOrder.AscendingOrder if first_is_best else Qt.SortOrder.DescendingOrder)

    def _switch(self, place: int, on: bool) -> None:
        self.table.setColumnHidden(place, not on)
        self._widen()


class ColumnChoice(IconButton):
    """A button with a menu of the columns. ``switched``: (place, whether it is to be seen)."""

    switched = Signal(int, bool)

    def __init__(self, theme: Theme) -> None:
        super().__init__("Columns", "chevron", theme, tip="Which columns are shown")
        self.setObjectName("boardColumns")
        self.menu_of_columns = QMenu(self)
        self.menu_of_columns.setToolTipsVisible(True)
        self._actions: dict[int, QAction] = {}
        for place, column in enumerate(COLUMNS):
            if place in _ALWAYS:
                continue
            action = self.menu_of_columns.addAction(column.title)
            action.setToolTip(column.meaning)
            action.setCheckable(True)
            action.setChecked(column.at_first)
            action.toggled.connect(lambda on, place=place: self.switched.emit(place, on))
            self._actions[place] = action
        self.clicked.connect(self._open)

    def switch_on(self, place: int) -> None:
        """Have a column seen."""
        if place in self._actions:
            self._actions[place].setChecked(True)

    def _open(self) -> None:
        self.menu_of_columns.popup(self.mapToGlobal(self.rect().bottomLeft()))
