"""The table of a board, which finds out how wide its columns must be without asking for every cell."""

from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QTableView

from arena_desktop.ui.models.leaderboard_table import LeaderboardTable
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.column_header import CELL_MARGIN, CELL_PADDING

_MOST_KNOWN = 20_000


class BoardView(QTableView):
    """Qt asks the model and the style eight times a cell, which with 200 models takes seconds after every vote: here a
    column is as wide as its widest words, and words that were measured once aren't measured again.
    """

    def __init__(self, rows: LeaderboardTable, theme: Theme) -> None:
        super().__init__()
        self._rows, self._theme = rows, theme
        self._known: dict[str, int] = {}
        theme.changed.connect(self._known.clear)

    def sizeHintForColumn(self, column: int) -> int:  # noqa: N802
        if len(self._known) > _MOST_KNOWN:
            self._known.clear()
        metrics = self.fontMetrics()
        widest = max((self._width(words, metrics) for words in set(self._rows.words(column))), default=0)
        return widest + 2 * (self._theme.px(CELL_PADDING) + CELL_MARGIN) + 1

    def _width(self, words: str, metrics: QFontMetrics) -> int:
        known = self._known.get(words)
        if known is None:
            known = self._known[words] = metrics.horizontalAdvance(words)
        return known
