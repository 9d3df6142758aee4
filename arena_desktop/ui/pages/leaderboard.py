"""The Leaderboard page: one arena's models, sortable, kept in place while votes come in."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout, QHeaderView, QLabel, QTableView, QVBoxLayout, QWidget

from arena_desktop.services.actions import BoardActions
from arena_desktop.services.board_views import LensView
from arena_desktop.services.views import BoardView, Line, Tone
from arena_desktop.ui import text
from arena_desktop.ui.binder import Binder
from arena_desktop.ui.models.leaderboard_table import (
    COLUMNS,
    INTERVAL_COLUMN,
    RATING_COLUMN,
    BoardSorter,
    LeaderboardTable,
)
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.buttons import Words
from arena_desktop.ui.widgets.column_header import ColumnHeader
from arena_desktop.ui.widgets.controls import Dropdown
from arena_desktop.ui.widgets.interval_delegate import IntervalDelegate
from arena_desktop.ui.widgets.notice import Notice

_NOTHING_YET = "No votes in this arena yet. Every model starts equal; the first votes will spread them."


class LeaderboardPage(QWidget):
    """Keeps sort, selection and scroll position when a view arrives."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("leaderboardPage")
        self._theme = theme
        self._actions: BoardActions | None = None
        self.lens: LensView | None = None
        self._rows = LeaderboardTable(self)
        self._sorter = BoardSorter(self._rows, self)
        self._title = Words("Leaderboard", theme, scale=1.5, strong=True, wrap=True)
        self._votes = Words("", theme, voice="muted", wrap=True)
        self._arena = Dropdown("Arena", theme)
        self._arena.setObjectName("boardArena")
        self._order = Dropdown("Sort by", theme)
        self._order.setObjectName("boardOrder")
        self._order.show_choices([(str(n), column.title) for n, column in enumerate(COLUMNS)], str(RATING_COLUMN))
        self._note = Notice(theme)
        self.table = QTableView()
        self._prepare_table()
        self._lay_out()
        self._arena.picked.connect(self._show_arena)
        self._order.picked.connect(self._sort_by)
        self._binder: Binder[BoardView] = Binder()
        self._binder.bind(lambda v: v.title, lambda v: self._title.say(v.title or "Leaderboard"))
        self._binder.bind(lambda v: (v.votes, bool(v.rows)), self._draw_votes)
        self._binder.bind(lambda v: (v.arenas, v.arena), self._draw_arenas)
        self._binder.bind(lambda v: v.notes, self._draw_notes)
        self._binder.bind(lambda v: v.rows, lambda v: self._rows.show_rows(v.rows))
        theme.changed.connect(self._space)

    def attach(self, actions: BoardActions) -> None:
        """From now on, forward to ``actions``."""
        self._actions = actions

    def show_view(self, view: BoardView) -> None:
        """Draw ``view``."""
        self._binder.show(view)

    def show_lens(self, view: LensView) -> None:
        """Draw what stands beside the ranking."""
        self.lens = view

    def _prepare_table(self) -> None:
        table = self.table
        table.setObjectName("leaderboard")
        table.setAccessibleName("Leaderboard")
        table.setModel(self._sorter)
        table.setItemDelegateForColumn(INTERVAL_COLUMN, IntervalDelegate(self._theme, table))
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
        header.sortIndicatorChanged.connect(lambda column, _: self._order.choose(str(column)))

    def _lay_out(self) -> None:
        fields = QHBoxLayout()
        fields.setContentsMargins(0, 0, 0, 0)
        for words, field in (("&Arena", self._arena), ("&Sort by", self._order)):
            label = QLabel(words)
            label.setProperty("voice", "muted")
            label.setBuddy(field)
            fields.addWidget(label)
            fields.addWidget(field)
        fields.addStretch(1)
        self._fields = fields
        self._column = QVBoxLayout(self)
        self._column.addWidget(self._title)
        self._column.addWidget(self._votes)
        self._column.addLayout(fields)
        self._column.addWidget(self._note)
        self._column.addWidget(self.table, 1)
        self._space()

    def _space(self) -> None:
        px = self._theme.px
        self._column.setContentsMargins(px(1.5), px(1.2), px(1.5), px(1.2))
        self._column.setSpacing(px(0.6))
        self._fields.setSpacing(px(0.6))
        self.table.verticalHeader().setDefaultSectionSize(px(2.2))
        self.table.setColumnWidth(INTERVAL_COLUMN, px(7.6))

    def _draw_arenas(self, view: BoardView) -> None:
        self._arena.show_choices([(choice.id, choice.title) for choice in view.arenas], view.arena)

    def _draw_votes(self, view: BoardView) -> None:
        self._votes.say(text.counted(view.votes, "vote") if view.votes or not view.rows else _NOTHING_YET)

    def _draw_notes(self, view: BoardView) -> None:
        first, rest = (view.notes[0], "\n".join(view.notes[1:])) if view.notes else ("", "")
        self._note.show_line(Line(first, Tone.WARNING, rest))

    def _show_arena(self, arena: str) -> None:
        if self._actions:
            self._actions.show_arena(arena)

    def _sort_by(self, column: str) -> None:
        names = int(column) == 1
        order = Qt.SortOrder.AscendingOrder if names or column == "0" else Qt.SortOrder.DescendingOrder
        self.table.sortByColumn(int(column), order)
