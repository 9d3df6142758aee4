"""Groups: a board for each category, language, listener or length, models down and groups across."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QHeaderView, QLabel, QVBoxLayout

from arena_desktop.services.board_views import GroupBoard, GroupBy, GroupRow, GroupsLens, GroupsView, Lens, LensView
from arena_desktop.ui import text
from arena_desktop.ui.lenses.panel import LensPanel
from arena_desktop.ui.models.sheet import Heading, SheetCell
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.buttons import Words
from arena_desktop.ui.widgets.controls import Dropdown
from arena_desktop.ui.widgets.estimate_delegate import EstimateDelegate, TwoLines
from arena_desktop.ui.widgets.scrolled import let_shrink
from arena_desktop.ui.widgets.sheet_view import SheetView

_BY = {
    GroupBy.CATEGORY: "Category of the text",
    GroupBy.LANGUAGE: "Language",
    GroupBy.LISTENER: "Listener",
    GroupBy.LENGTH: "Length of the text",
}
_KEY = (
    "Rating, pulled towards the overall one where votes are few, and its 95 % interval. "
    "Below it the votes, and how many of them were acceptable: not voted “both bad”."
)


class GroupsPanel(LensPanel):
    """``wanted`` when another way of parting the votes is chosen."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._by = GroupBy.CATEGORY
        self._choice = Dropdown("Part the votes by", theme)
        self._choice.setObjectName("groupBy")
        self._choice.show_choices([(by.value, title) for by, title in _BY.items()], self._by.value)
        self._choice.picked.connect(self._choose)
        self._sentence = Words("", theme, wrap=True, selectable=True)
        self._sentence.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.table = SheetView("Boards of the groups", theme, by_row=False, row_height=2.9, head_height=3.2)
        self.table.setItemDelegate(EstimateDelegate(theme, self.table))
        self.table.horizontalHeader().setStretchLastSection(True)
        rows = self.table.verticalHeader()
        rows.setTextElideMode(Qt.TextElideMode.ElideRight)
        rows.setAccessibleName("Models")
        rows.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setSectionsClickable(False)
        rows.show()
        self._notes = Words("", theme, voice="muted", wrap=True)
        label = QLabel("&Part the votes by")
        label.setProperty("voice", "muted")
        label.setBuddy(self._choice)
        fields = QHBoxLayout()
        fields.setContentsMargins(0, 0, 0, 0)
        fields.addWidget(label)
        fields.addWidget(self._choice)
        fields.addStretch(1)
        self._fields = fields
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.addLayout(fields)
        self._column.addWidget(self._sentence)
        self._column.addWidget(self.table, 1)
        self._column.addWidget(Words(_KEY, theme, voice="muted", wrap=True))
        self._column.addWidget(self._notes)
        self._space()
        theme.changed.connect(self._space)

    @property
    def lens(self) -> Lens:
        return GroupsLens(self._by)

    def show_view(self, view: LensView) -> None:
        assert isinstance(view, GroupsView)
        names = [text.undirected(model.name) for model in view.models]
        found = [{row.model.repo_id: row for row in group.rows} for group in view.groups]
        cells = [
            [_cell(group, rows.get(model.repo_id)) for group, rows in zip(view.groups, found, strict=True)]
            for model in view.models
        ]
        columns = [
            Heading(f"{_title(group)}\n{text.counted(group.votes, 'vote')}", _meaning(group), left=True)
            for group in view.groups
        ]
        self.table.show_sheet(columns, cells, [Heading(name, name, left=True) for name in names])
        self._sentence.say(view.sentence or ("" if view.groups else "No vote can be parted in this way."))
        self._sentence.setVisible(bool(self._sentence.text()))
        notes = _notes(view)
        self._notes.say("\n".join(notes))
        self._notes.setVisible(bool(notes))

    def _choose(self, by: str) -> None:
        self._by = GroupBy(by)
        self.wanted.emit()

    def _space(self) -> None:
        px = self._theme.px
        self._column.setSpacing(px(0.5))
        self._fields.setSpacing(px(0.6))
        self._choice.setMinimumWidth(px(13))
        let_shrink(self.table, px(9))
        self.table.verticalHeader().setMaximumWidth(px(14))
        self.table.horizontalHeader().setMaximumSectionSize(px(16))


def _notes(view: GroupsView) -> list[str]:
    """Each note once, with the groups that it is on."""
    found: dict[str, list[str]] = {}
    for group in view.groups:
        if group.note:
            found.setdefault(group.note, []).append(_title(group))
    return [f"{', '.join(titles)}: {note}" for note, titles in found.items()]


def _title(group: GroupBoard) -> str:
    return text.undirected(group.title) or "Not known"


def _meaning(group: GroupBoard) -> str:
    pull = "" if group.pull is None else f" Pulled {text.percent(group.pull)} of the way to the overall ratings."
    return f"{_title(group)}: {text.counted(group.votes, 'vote')}.{pull}"


def _cell(group: GroupBoard, row: GroupRow | None) -> SheetCell:
    if row is None or row.rating.value is None:
        name = "This model" if row is None else row.model.name
        return SheetCell(text.DASH, f"{name} has no rating in {_title(group)}.", TwoLines(text.DASH, "", "no rating"))
    rating, acceptable = row.rating, row.acceptable
    number = text.number(rating.value)
    beside = below = ""
    told = f"{row.model.name} in {_title(group)}: rating {number}"
    if rating.low is not None and rating.high is not None:
        beside = f"{text.number(rating.low)}–{text.number(rating.high)}"
        told += f", 95 % interval {text.number(rating.low)} to {text.number(rating.high)}"
    if row.raw is not None:
        told += f"; by its votes alone {text.number(row.raw)}"
    below = text.counted(row.votes, "vote")
    told += f". {below}"
    if acceptable.value is not None:
        below += f" · {text.percent(acceptable.value)}"
        told += f", {text.percent(acceptable.value)} of them acceptable"
        if acceptable.low is not None and acceptable.high is not None:
            told += f" ({text.percent_span(acceptable.low, acceptable.high)})"
    return SheetCell(f"{number} ({beside})" if beside else number, f"{told}.", TwoLines(number, beside, below))
