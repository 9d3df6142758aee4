"""The leaderboard as an item model that is updated in place, and a proxy that sorts it with the unknown always last."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, QSortFilterProxyModel, Qt

from arena_desktop.services.views import BoardRow
from arena_desktop.ui import text

SORT_ROLE = Qt.ItemDataRole.UserRole
INTERVAL_ROLE = Qt.ItemDataRole.UserRole + 1
TIER_ROLE = Qt.ItemDataRole.UserRole + 2
CELL_ROLE = Qt.ItemDataRole.UserRole + 3
"""All that a cell's painter needs at once: its words, their side, its row's tier."""
_ANSWERED = frozenset(
    {
        *(Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.TextAlignmentRole),
        *(SORT_ROLE, INTERVAL_ROLE, TIER_ROLE, CELL_ROLE),
    }
)

_Index = QModelIndex | QPersistentModelIndex
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter

NOT_CONNECTED = "No chain of games connects all models: between the groups there is no interval, tier or order."


@dataclass(frozen=True)
class Column:
    """One column: its heading, what it means, what is shown and by what it is sorted (None: unknown).

    ``at_first``: whether it is seen before a person chooses columns.
    """

    title: str
    meaning: str
    shown: Callable[[BoardRow], str]
    key: Callable[[BoardRow], float | str | None]
    left: bool = False
    at_first: bool = True


def _interval(row: BoardRow) -> str:
    if row.low is None or row.high is None:
        return text.DASH
    return f"{text.number(row.low)} to {text.number(row.high)}"


def _width(row: BoardRow) -> float | None:
    return None if row.low is None or row.high is None else row.high - row.low


def _size(row: BoardRow) -> str:
    return row.params if row.params_m > 0 else text.DASH


def _acceptable(row: BoardRow) -> str:
    share = text.percent(row.acceptable)
    if row.acceptable_low is None or row.acceptable_high is None:
        return share
    return f"{share} ({text.percent_span(row.acceptable_low, row.acceptable_high)})"


def _best(row: BoardRow) -> str:
    return text.DASH if row.best is None else text.chance(row.best)


COLUMNS = (
    Column(
        "Rank",
        "The ranks that the votes allow, with 95 % confidence. 2–4: not better than second, not worse than fourth."
        " One number is a range of one. They hold for one look; “sure” in words holds however often you look.",
        lambda row: text.span(row.rank_low, row.rank_high),
        lambda row: row.rank,
    ),
    Column(
        "Model",
        "The name in the roster.",
        lambda row: text.undirected(row.name),
        lambda row: row.name.casefold(),
        left=True,
    ),
    Column(
        "Rating",
        "Bradley–Terry rating, centred at 1000. All start equal and order does not matter: only the votes speak.",
        lambda row: text.number(row.rating),
        lambda row: row.rating,
    ),
    Column(
        "95 % interval",
        "Where the rating may well lie. Where two intervals overlap, the votes do not yet decide. Sorted by width.",
        _interval,
        _width,
        left=True,
    ),
    Column(
        "Tier",
        "Models of one tier are not told apart by the votes. A line is drawn between tiers.",
        lambda row: text.DASH if row.tier is None else str(row.tier),
        lambda row: row.tier,
    ),
    Column(
        "P(best)",
        "The probability that it is the best of this board, by the votes so far.",
        _best,
        lambda row: row.best,
    ),
    Column(
        "Acceptable",
        "Share of its battles that were not voted “both bad”, and the range in which it lies with 95 % confidence.",
        _acceptable,
        lambda row: row.acceptable,
    ),
    Column(
        "Live Elo",
        "Moves after every vote, and starts from the benchmark score. Depends on the order of the votes.",
        lambda row: text.number(row.elo),
        lambda row: row.elo,
    ),
    Column(
        "Battles", "Votes in which this model took part.", lambda row: text.count(row.battles), lambda row: row.battles
    ),
    Column("Won", "Battles won.", lambda row: text.count(row.wins), lambda row: row.wins, at_first=False),
    Column("Lost", "Battles lost.", lambda row: text.count(row.losses), lambda row: row.losses, at_first=False),
    Column("Tied", "Battles voted a tie.", lambda row: text.count(row.ties), lambda row: row.ties, at_first=False),
    Column(
        "Both bad",
        "Battles in which both were voted bad. They count as a draw in the ratings.",
        lambda row: text.count(row.both_bad),
        lambda row: row.both_bad,
        at_first=False,
    ),
    Column(
        "Head start",
        "The rating when each model starts from its benchmark score, as four drawn games against it.",
        lambda row: text.number(row.head_start),
        lambda row: row.head_start,
        at_first=False,
    ),
    Column(
        "Davidson",
        "The rating of a fit that gives ties a parameter of their own, instead of counting each as half a win.",
        lambda row: text.number(row.davidson),
        lambda row: row.davidson,
        at_first=False,
    ),
    Column(
        "Prior share",
        "How much of the evidence behind the rating is not votes, but the equal start that every model is given.",
        lambda row: text.percent(row.prior_share),
        lambda row: row.prior_share,
    ),
    Column("Size", "Number of parameters.", _size, lambda row: row.params_m if row.params_m > 0 else None),
)
RANK_COLUMN, MODEL_COLUMN, RATING_COLUMN, INTERVAL_COLUMN = 0, 1, 2, 3


class LeaderboardTable(QAbstractTableModel):
    """Rows in the order in which models were first seen; sorting is the proxy's. A row keeps its place while its model
    is there.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[BoardRow] = []
        self._span = (0.0, 1.0)

    def show_rows(self, rows: Sequence[BoardRow]) -> None:
        """Take over ``rows``: models gone are removed, new ones added, changed ones updated in place."""
        wanted = {row.repo_id: row for row in rows}
        for place in range(len(self._rows) - 1, -1, -1):
            if self._rows[place].repo_id not in wanted:
                self.beginRemoveRows(QModelIndex(), place, place)
                del self._rows[place]
                self.endRemoveRows()
        span = _span(rows)
        rescaled, self._span = span != self._span, span
        changed = []
        for place, old in enumerate(self._rows):
            new = wanted.pop(old.repo_id)
            if new != old or rescaled:
                self._rows[place] = new
                changed.append(place)
        if changed:  # told at once: whoever sorts sorts once
            self.dataChanged.emit(self.index(changed[0], 0), self.index(changed[-1], len(COLUMNS) - 1))
        if wanted:
            first = len(self._rows)
            self.beginInsertRows(QModelIndex(), first, first + len(wanted) - 1)
            self._rows += wanted.values()
            self.endInsertRows()

    def row(self, place: int) -> BoardRow:
        """The row at ``place`` of this model (not of a proxy)."""
        return self._rows[place]

    def words(self, column: int) -> Iterator[str]:
        """What stands in the cells of a column."""
        return map(COLUMNS[column].shown, self._rows)

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008, N802
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008, N802
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:  # noqa: N802
        if orientation is not Qt.Orientation.Horizontal:
            return None
        column = COLUMNS[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.title
        if role == Qt.ItemDataRole.ToolTipRole:
            return column.meaning
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _LEFT if column.left else _RIGHT
        return None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role not in _ANSWERED or not index.isValid():  # a view asks eight times a cell
            return None
        row, column = self._rows[index.row()], COLUMNS[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.shown(row)
        if role == Qt.ItemDataRole.ToolTipRole:
            return _tip(row, index.column())
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _LEFT if column.left else _RIGHT
        if role == CELL_ROLE:
            return column.shown(row), _LEFT if column.left else _RIGHT, row.tier
        if role == SORT_ROLE:
            return column.key(row)
        if role == TIER_ROLE:
            return row.tier
        if role == INTERVAL_ROLE and index.column() == INTERVAL_COLUMN and row.rating is not None:
            if row.low is None or row.high is None:
                return None
            return (row.low, row.rating, row.high, *self._span)
        return None


class BoardSorter(QSortFilterProxyModel):
    """Sorts by a column's key. What is unknown stays last in both directions; equal keys go by rating, then by name."""

    def __init__(self, table: LeaderboardTable, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._table = table
        self.setSourceModel(table)
        self.setDynamicSortFilter(True)
        self.sort(RATING_COLUMN, Qt.SortOrder.DescendingOrder)

    def lessThan(self, left: _Index, right: _Index) -> bool:  # noqa: N802
        key = COLUMNS[left.column()].key
        a, b = self._table.row(left.row()), self._table.row(right.row())
        key_a, key_b = key(a), key(b)
        descending = self.sortOrder() is Qt.SortOrder.DescendingOrder
        if key_a is None or key_b is None:
            if (key_a is None) == (key_b is None):
                return _tie_break(a, b, descending)
            return (key_b is None) != descending
        if key_a == key_b:
            return _tie_break(a, b, descending)
        return bool(key_a < key_b)  # type: ignore[operator]


def _tie_break(a: BoardRow, b: BoardRow, descending: bool) -> bool:
    first = (-(a.rating or -1e9), a.name.casefold(), a.repo_id) < (-(b.rating or -1e9), b.name.casefold(), b.repo_id)
    return first != descending


def _span(rows: Sequence[BoardRow]) -> tuple[float, float]:
    lows = [row.low for row in rows if row.low is not None]
    highs = [row.high for row in rows if row.high is not None]
    if not lows or not highs or min(lows) >= max(highs):
        return (0.0, 1.0)
    return (min(lows), max(highs))


def _tip(row: BoardRow, column: int) -> str:
    if column == INTERVAL_COLUMN and row.rank is not None and row.low is None:
        return NOT_CONNECTED
    if column == RANK_COLUMN and row.rank is not None:
        if row.tier is None:
            return NOT_CONNECTED
        tier = f" Tier {row.tier}: models of one tier are not told apart by the votes." if row.tier is not None else ""
        return f"Best estimate: rank {row.rank}.{tier}"
    if column == MODEL_COLUMN:
        return text.tip(row.repo_id)
    if column in (RATING_COLUMN, INTERVAL_COLUMN) and row.low is not None and row.high is not None:
        return f"{text.number(row.rating, 1)}, 95 % interval {text.number(row.low, 1)} to {text.number(row.high, 1)}"
    return COLUMNS[column].meaning
