"""The table of a board, which finds out how wide its columns must be without asking for every cell."""

from PySide6.QtCore import QEvent
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QTableView

from arena_desktop.ui.models.leaderboard_table import LeaderboardTable
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.column_header import CELL_MARGIN, CELL_PADDING

_MOST_KNOWN = 20_000
_WIDEST_EM = 24
"""Of words in a cell: a longer name would push the ratings out of sight."""


class BoardView(QTableView):
    """Qt asks the model and the style eight times a cell, which with 200 models takes seconds after every vote: here a
    column is as wide as its widest words, and neither words that were measured once nor columns whose rows are the same
    are measured again (a page that opens asks for every column five times).
    """

    def __init__(self, rows: LeaderboardTable, theme: Theme) -> None:
        super().__init__()
        self._rows, self._theme = rows, theme
        self._known: dict[str, int] = {}
        self._wide: dict[int, int] = {}
        theme.changed.connect(self._forget_sizes)
        for changed in (rows.dataChanged, rows.rowsInserted, rows.rowsRemoved):  # before a header hears of it
            changed.connect(self._forget_widths)

    def sizeHintForColumn(self, column: int) -> int:  # noqa: N802
        if column not in self._wide:
            if len(self._known) > _MOST_KNOWN:
                self._known.clear()
            metrics = self.fontMetrics()
            widest = max((self._width(words, metrics) for words in set(self._rows.words(column))), default=0)
            self._wide[column] = (
                min(widest, self._theme.px(_WIDEST_EM)) + 2 * (self._theme.px(CELL_PADDING) + CELL_MARGIN) + 1
            )
        return self._wide[column]

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._forget_sizes()
        super().changeEvent(event)

    def _width(self, words: str, metrics: QFontMetrics) -> int:
        known = self._known.get(words)
        if known is None:
            known = self._known[words] = metrics.horizontalAdvance(words)
        return known

    def _forget_widths(self) -> None:
        self._wide.clear()

    def _forget_sizes(self) -> None:
        self._wide.clear()
        self._known.clear()
