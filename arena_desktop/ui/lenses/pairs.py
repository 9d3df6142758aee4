"""Pairs: who met whom and how it went, as a heat map; how sure the order of neighbours is; who beats whom in a ring."""

from pathlib import Path

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QHeaderView, QStackedWidget, QVBoxLayout

from arena_desktop.services.board_views import Lens, LensView, PairsLens, PairsView
from arena_desktop.ui import text
from arena_desktop.ui.charts.matrix import CELL_EM, KEY, cell_words, matrix_size, paint_matrix
from arena_desktop.ui.charts.saver import SaveButtons
from arena_desktop.ui.charts.saving import write_picture
from arena_desktop.ui.charts.style import style_of
from arena_desktop.ui.lenses.panel import AskPath, LensPanel
from arena_desktop.ui.models.sheet import DRAWN_ROLE, Heading, SheetCell
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.buttons import Words
from arena_desktop.ui.widgets.heat_delegate import HeatDelegate
from arena_desktop.ui.widgets.scrolled import let_shrink
from arena_desktop.ui.widgets.sentences import Sentences
from arena_desktop.ui.widgets.sheet_view import SheetView
from arena_desktop.ui.widgets.tabs import Tabs

MATRIX, NEIGHBOURS, CYCLES = "pairsMatrix", "pairsNeighbours", "pairsCycles"
QWIDGETSIZE_MAX = 16_777_215
_TITLE = "Pairs"
_WAY = "Enter or a double click lists the votes."
_NO_CYCLE = "No three models beat each other in a ring."


class PairsPanel(LensPanel):
    """The matrix is a table: arrows move in it, each cell says itself in words."""

    def __init__(self, theme: Theme, ask_path: AskPath) -> None:
        super().__init__()
        self._theme = theme
        self._view: PairsView | None = None
        parts = (
            (MATRIX, "Matrix", "The score of each model against each other."),
            (NEIGHBOURS, "Neighbours", "How sure the order of two that follow each other is."),
            (CYCLES, "Cycles", "Models that beat each other in a ring."),
        )
        self._parts = Tabs("Part", parts, theme)
        self._parts.choose(MATRIX)
        self._parts.chosen.connect(self._choose)
        self._save = SaveButtons("Matrix of pairs", theme, ask_path, self.save)
        self._notes = Words("", theme, voice="muted", wrap=True)
        self._key = Words("", theme, voice="muted", wrap=True)
        self.matrix = SheetView("Matrix of pairs", theme, by_row=False, row_height=CELL_EM[1])
        self.matrix.setItemDelegate(HeatDelegate(theme, self.matrix))
        rows = self.matrix.verticalHeader()
        rows.setTextElideMode(Qt.TextElideMode.ElideRight)
        rows.setAccessibleName("Models")
        rows.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setSectionsClickable(False)
        rows.show()
        self.matrix.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.matrix.selectionModel().currentChanged.connect(lambda *_: self._say())
        self.matrix.activated.connect(self._list_votes)
        self.neighbours = Sentences("Neighbours", theme)
        self.cycles = Sentences("Cycles", theme)
        self._stack = QStackedWidget()
        for part in (self.matrix, self.neighbours, self.cycles):
            self._stack.addWidget(part)
        head = QHBoxLayout()
        head.setContentsMargins(0, 0, 0, 0)
        head.addWidget(self._parts, 1)
        head.addWidget(self._save)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.addLayout(head)
        self._column.addWidget(self._stack, 1)
        self._column.addWidget(self._key)
        self._column.addWidget(self._notes)
        self._space()
        theme.changed.connect(self._space)

    @property
    def lens(self) -> Lens:
        return PairsLens()

    def show_view(self, view: LensView) -> None:
        assert isinstance(view, PairsView)
        self._view = view
        names = [text.undirected(model.name) for model in view.models]
        cells = [
            [SheetCell(_shown(cell), cell_words(names[r], names[c], cell), cell) for c, cell in enumerate(row)]
            for r, row in enumerate(view.cells)
        ]
        columns = [Heading(str(n + 1), name, middle=True) for n, name in enumerate(names)]
        rows = [Heading(f"{n + 1}  {name}", name, left=True) for n, name in enumerate(names)]
        self.matrix.show_sheet(columns, cells, rows)
        self.neighbours.show_sentences(
            [
                (f"{n + 1}  {pair.upper.name}  –  {pair.lower.name}", pair.sentence)
                for n, pair in enumerate(view.neighbours)
            ]
            or [("", "There are no two models with a rating yet.")]
        )
        self.cycles.show_sentences([("", cycle) for cycle in view.cycles] or [("", _NO_CYCLE)])
        self._notes.say(" ".join(view.notes))
        self._notes.setVisible(bool(view.notes))
        self._space()
        self._say()

    def save(self, path: Path) -> None:
        """Write a picture of the whole matrix."""
        view = self._view
        if view is None:
            return
        style = style_of(self._theme)
        told = [cell.told for row in self._told() for cell in row]
        write_picture(
            path,
            matrix_size(view, style),
            style.tokens.surface,
            lambda painter, box: paint_matrix(painter, box, view, _TITLE, style),
            _TITLE,
            " ".join(told),
        )

    def _told(self) -> list[list[SheetCell]]:
        if self._view is None:
            return []
        names = [model.name for model in self._view.models]
        return [
            [SheetCell("", cell_words(names[r], names[c], cell)) for c, cell in enumerate(row) if c > r]
            for r, row in enumerate(self._view.cells)
        ]

    def _choose(self, part: str) -> None:
        self._stack.setCurrentIndex((MATRIX, NEIGHBOURS, CYCLES).index(part))
        self._save.setVisible(part == MATRIX)
        self._say()

    def _list_votes(self, index: QModelIndex) -> None:
        """A cell was entered or clicked twice: its votes are on the History page."""
        view = self._view
        if view is not None and index.isValid():
            cell = view.cells[index.row()][index.column()]
            if cell is not None and cell.games:
                self.meetings_wanted.emit(view.models[index.row()].repo_id, view.models[index.column()].repo_id)

    def _say(self) -> None:
        here = self.matrix.currentIndex()
        told = here.data(Qt.ItemDataRole.AccessibleTextRole) if here.isValid() else None
        cell = here.data(DRAWN_ROLE) if here.isValid() else None
        way = f" {_WAY}" if getattr(cell, "games", 0) else ""
        self._key.say(f"{told}{way}" if isinstance(told, str) and told else KEY)
        self._key.setVisible(self._parts.current == MATRIX)

    def _space(self) -> None:
        px = self._theme.px
        self._column.setSpacing(px(0.4))
        let_shrink(self._stack, px(9))
        self._key.setMinimumHeight(px(2.4))
        self._key.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.matrix.verticalHeader().setMaximumWidth(px(14))
        self._widen()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._widen()

    def _widen(self) -> None:
        """Cells share the width there is, up to half as wide again; then the box ends where they do."""
        px, count = self._theme.px, self.matrix.sheet.columnCount()
        rows, bar = self.matrix.verticalHeader(), self.matrix.verticalScrollBar().sizeHint().width()
        around = min(rows.sizeHint().width(), rows.maximumWidth()) + bar + 2 * self.matrix.frameWidth()
        least = px(CELL_EM[0])
        cell = min(max(least, (self.width() - around) // max(1, count)), least * 3 // 2)
        for column in range(count):
            self.matrix.setColumnWidth(column, cell)
        self.matrix.setMaximumWidth(around + cell * count if count else QWIDGETSIZE_MAX)


def _shown(cell: object) -> str:
    share, games = getattr(cell, "share", None), getattr(cell, "games", 0)
    if cell is None:
        return ""
    return "never met" if not games else f"{text.percent(share)} of {text.count(games)}"
