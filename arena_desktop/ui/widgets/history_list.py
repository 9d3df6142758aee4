"""The table of votes on the History page, or what to say where there is none."""

import math
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QPalette
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStackedWidget,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from arena_desktop.services.exchange_views import HistoryRow
from arena_desktop.ui.models.history_table import COLUMNS, NAMES, SENTENCE, SPARE, HistoryTable
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.buttons import IconButton, Words
from arena_desktop.ui.widgets.column_header import CELL_MARGIN, CELL_PADDING, ColumnHeader

_SENTENCE_EM = 6
_NAME_EM = 7
_MEASURED = 400
_NEAR_PAGES = 2


class HistoryList(QStackedWidget):
    """``selected`` when another vote is chosen, ``moved`` when it was a person who did, ``near_end`` whenever little is
    left below what is seen, ``all_wanted`` when a person wants the filter gone.
    """

    selected = Signal()
    moved = Signal()
    near_end = Signal()
    all_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._renewing = False
        self._widths = [1] * len(COLUMNS)
        self.rows = HistoryTable(theme, self)
        self.table = QTableView()
        self._prepare_table()
        self._told = Words("", theme, scale=1.2, strong=True, wrap=True)
        self._told.setObjectName("historyEmpty")
        self._remedy = Words("", theme, voice="muted", wrap=True)
        self.everything = IconButton("List all votes", "refresh", theme, tip="Clear the filters")
        self.everything.setObjectName("historyAll")
        self.everything.clicked.connect(self.all_wanted)
        self.addWidget(self.table)
        self.addWidget(self._lay_out_empty())
        self._space()
        theme.changed.connect(self._space)

    @property
    def current(self) -> HistoryRow | None:
        """The vote that is chosen."""
        index = self.table.currentIndex()
        return self.rows.row(index.row()) if index.isValid() else None

    def show_rows(self, rows: Sequence[HistoryRow]) -> None:
        """Take over ``rows``, staying at the chosen vote where it is still listed."""
        here = self.current
        self._renewing = True
        self.rows.show_rows(rows)
        now = self.current
        if here is not None and (now is None or now.id != here.id):
            place = self.rows.place(here.id)
            if place >= 0:
                self.table.selectRow(place)
        self._renewing = False
        self._size_columns()
        self.selected.emit()

    def enter(self, *, first: bool = False) -> None:
        """Focus the table, with a vote chosen and in sight: the ``first``, or the one that is chosen."""
        if self.rows.rowCount() and (first or not self.table.currentIndex().isValid()):
            self.table.selectRow(0)
        self.table.scrollTo(self.table.currentIndex())
        self.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_words(self, words: str, remedy: str, *, can_clear: bool = False) -> None:
        """Instead of the table say ``words``; "" shows the table."""
        self._told.say(words)
        self._remedy.say(remedy)
        self.everything.setVisible(can_clear)
        self.setCurrentIndex(1 if words else 0)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() == QEvent.Type.Resize:
            self._widen()
            self.look_for_end()
        return super().eventFilter(watched, event)

    def look_for_end(self) -> None:
        """Tell if little is left below."""
        seen = self.table.viewport().height()
        whole = self.rows.rowCount() * self.table.verticalHeader().defaultSectionSize()
        below = whole - self.table.verticalScrollBar().value() - seen
        if self.table.isVisible() and below <= _NEAR_PAGES * seen:
            self.near_end.emit()

    def _prepare_table(self) -> None:
        table = self.table
        table.setObjectName("historyTable")
        table.setAccessibleName("Votes, the newest first")
        table.setModel(self.rows)
        table.setItemDelegate(_Rows(table))
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        table.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        table.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        table.setShowGrid(False)
        table.setTabKeyNavigation(False)
        table.setCornerButtonEnabled(False)
        table.setWordWrap(False)
        table.setTextElideMode(Qt.TextElideMode.ElideRight)
        rows = table.verticalHeader()
        rows.hide()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)  # never measured: there may be 100,000
        header = ColumnHeader(self._theme, table, lines=1.9)
        header.setAccessibleName("Columns")
        header.setSectionsClickable(False)
        table.setHorizontalHeader(header)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        table.selectionModel().currentRowChanged.connect(self._chosen)
        table.verticalScrollBar().valueChanged.connect(lambda _: self.look_for_end())
        table.viewport().installEventFilter(self)

    def _chosen(self, now: QModelIndex | QPersistentModelIndex, before: QModelIndex | QPersistentModelIndex) -> None:
        if not self._renewing:
            self.moved.emit()
        self.selected.emit()

    def _lay_out_empty(self) -> QWidget:
        empty = QWidget()
        column = QVBoxLayout(empty)
        column.addStretch(1)
        for part in (self._told, self._remedy):
            part.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            column.addWidget(part)
        column.addWidget(self.everything, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(2)
        self._empty = column
        return empty

    def _space(self) -> None:
        px = self._theme.px
        rows = self.table.verticalHeader()
        rows.setMinimumSectionSize(px(1.4))
        rows.setDefaultSectionSize(px(1.8))
        self._empty.setSpacing(px(0.6))
        self._size_columns()

    def _size_columns(self) -> None:
        """Each column as wide as its words, up to what it may have; the sentence gets what they leave."""
        header, metrics = self.table.horizontalHeader(), QFontMetricsF(self._theme.font())
        room = self._theme.px(2 * CELL_PADDING) + 2 * CELL_MARGIN + 2
        measured = range(min(_MEASURED, self.rows.rowCount()))
        for place, column in enumerate(COLUMNS):
            if column.most:
                words = {str(self.rows.index(row, place).data()) for row in measured}
                wide = max((metrics.horizontalAdvance(one) for one in words), default=0.0)
                wide = min(math.ceil(wide) + room, self._theme.px(column.most))
                self._widths[place] = max(wide, header.sectionSizeHint(place))
        self._widen()

    def _widen(self) -> None:
        """What there is no room for is left to the details below; the sentence takes the rest."""
        px, room = self._theme.px, self.table.viewport().width()
        widths = list(self._widths)
        widths[SENTENCE] = px(_SENTENCE_EM)
        for place in SPARE[:-1]:
            widths[place] = 0 if sum(widths) > room else widths[place]
        missing = -(-max(0, sum(widths) - room) // len(NAMES))
        for place in NAMES:  # names can be told from their beginning, and stand whole below
            widths[place] = min(widths[place], max(px(_NAME_EM), widths[place] - missing))
        if sum(widths) > room:
            widths[SPARE[-1]] = 0
        widths[SENTENCE] += max(0, room - sum(widths))
        for place, wide in enumerate(widths):
            self.table.setColumnHidden(place, not wide)
            if wide:
                self.table.setColumnWidth(place, wide)


class _Rows(QStyledItemDelegate):
    """What is muted stays so while it is selected."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:  # noqa: N802
        super().initStyleOption(option, index)
        ink = index.data(Qt.ItemDataRole.ForegroundRole)
        option.state &= ~QStyle.StateFlag.State_HasFocus  # the whole row is chosen, no cell of it
        if ink is not None:
            option.palette.setColor(QPalette.ColorRole.HighlightedText, ink)
