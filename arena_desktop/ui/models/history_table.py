"""The votes of the History page as an item model: what came stays in place, what is new is put in where it belongs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor

from arena_desktop.services.exchange_views import HistoryRow
from arena_desktop.ui import text
from arena_desktop.ui.days import local_minute, local_second
from arena_desktop.ui.theme import Theme

_Index = QModelIndex | QPersistentModelIndex
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter

VOTES = {"a": "A is better", "b": "B is better", "tie": "Tie", "both_bad": "Both bad"}
"""The votes in words."""


def said(words: str) -> str:
    """Foreign words on one line, without marks that turn what stands around them."""
    return " ".join(text.undirected(words).split())


def vote_words(vote: str) -> str:
    """A vote in words; what is no vote as it stands."""
    return VOTES.get(vote, vote)


@dataclass(frozen=True)
class Column:
    """A column: heading, meaning, its words for a row, how wide it gets at most, in lines of text (0: what is left)."""

    title: str
    meaning: str
    words: Callable[[HistoryRow], str]
    most: float


COLUMNS = (
    Column("When", "When the vote was cast, in this machine's time", lambda r: local_minute(r.at) or text.DASH, 11),
    Column("Sample A", "The model that was sample A", lambda r: said(r.a), 11),
    Column("Sample B", "The model that was sample B", lambda r: said(r.b), 11),
    Column("Vote", "What was voted", lambda r: vote_words(r.vote), 8),
    Column("Sentence", "What was spoken", lambda r: said(r.prompt), 0),
    Column("Counts", "Whether the vote counts in the ratings, and why not", lambda r: r.state or "counts", 13),
    Column("Listener", "Who voted", lambda r: said(r.listener), 12),
    Column("Arena", "The arena it was cast in", lambda r: said(r.arena), 9),
    Column("Category", "The kind of sentence", lambda r: said(r.category), 9),
    Column("From", "The machine or program it was cast on", lambda r: said(r.station), 9),
)
SENTENCE = next(place for place, column in enumerate(COLUMNS) if not column.most)
SPARE = tuple(
    next(place for place, column in enumerate(COLUMNS) if column.title == title)
    for title in ("From", "Category", "Arena", "Listener")
)
"""What is left out first where there is no room for all columns."""
NAMES = tuple(place for place, column in enumerate(COLUMNS) if column.title.startswith("Sample"))
_WHEN = 0
_ARENA = next(place for place, column in enumerate(COLUMNS) if column.title == "Arena")


def row_words(row: HistoryRow) -> str:
    """The whole of a vote in one sentence, for a screen reader."""
    counts = row.state or "counts"
    return f"{said(row.a)} against {said(row.b)}: {vote_words(row.vote)}, {local_minute(row.at)}, {counts}"


class HistoryTable(QAbstractTableModel):
    """Newest first, in the order it is given. Read only."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._rows: tuple[HistoryRow, ...] = ()
        self._arenas: dict[str, str] = {}

    def name_arenas(self, titles: Mapping[str, str]) -> None:
        """What the arenas are called."""
        self._arenas = dict(titles)

    def show_rows(self, rows: Sequence[HistoryRow]) -> None:
        """Take over ``rows``. More of the same and newer ones on top are put in; another choice resets the model."""
        old, new = self._rows, tuple(rows)
        if old == new:
            return
        above = _put_on_top(old, new)
        kept = min(len(old), len(new) - above) if old else 0
        if not old or any(old[place].id != new[above + place].id for place in range(kept)):
            self.beginResetModel()
            self._rows = new
            self.endResetModel()
            return
        if above:
            self.beginInsertRows(QModelIndex(), 0, above - 1)
            self._rows = new[:above] + old
            self.endInsertRows()
        self._change_end(new)
        changed = [place for place in range(above, above + kept) if old[place - above] != new[place]]
        self._rows = new
        if changed:
            self.dataChanged.emit(self.index(changed[0], 0), self.index(changed[-1], len(COLUMNS) - 1))

    def _change_end(self, new: tuple[HistoryRow, ...]) -> None:
        have = len(self._rows)
        if len(new) > have:
            self.beginInsertRows(QModelIndex(), have, len(new) - 1)
            self._rows = self._rows + new[have:]
            self.endInsertRows()
        elif len(new) < have:
            self.beginRemoveRows(QModelIndex(), len(new), have - 1)
            self._rows = self._rows[: len(new)]
            self.endRemoveRows()

    def row(self, place: int) -> HistoryRow | None:
        """The vote at ``place``."""
        return self._rows[place] if 0 <= place < len(self._rows) else None

    def place(self, vote_id: str) -> int:
        """Where a vote stands, -1 if it isn't listed."""
        return next((place for place, row in enumerate(self._rows) if row.id == vote_id), -1)

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008, N802
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008, N802
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:  # noqa: N802
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return COLUMNS[section].title
        if role == Qt.ItemDataRole.ToolTipRole:
            return COLUMNS[section].meaning
        return _LEFT if role == Qt.ItemDataRole.TextAlignmentRole else None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        row, column = self._rows[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self._words(row, column)
        if role == Qt.ItemDataRole.ToolTipRole:
            return local_second(row.at) if column == _WHEN else text.tip(self._words(row, column))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return row_words(row) if column == _WHEN else self._words(row, column)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _LEFT
        if role == Qt.ItemDataRole.ForegroundRole and row.state:
            return QColor(self._theme.tokens.muted)
        return None

    def _words(self, row: HistoryRow, column: int) -> str:
        if column == _ARENA:
            return said(self._arenas.get(row.arena, row.arena))
        return COLUMNS[column].words(row)


def _put_on_top(old: tuple[HistoryRow, ...], new: tuple[HistoryRow, ...]) -> int:
    """How many of ``new`` stand above what was the first row."""
    first = old[0].id if old else ""
    return next((place for place, row in enumerate(new) if row.id == first), 0)
