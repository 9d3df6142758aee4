"""What if: the board as it would be if only some of the votes counted. The log is never touched."""

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QHideEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from arena_desktop.services.board_views import Lens, LensView, Option, TieRule, WhatIfLens, WhatIfRow, WhatIfView
from arena_desktop.services.views import Line, Tone
from arena_desktop.ui import text
from arena_desktop.ui.lenses.panel import LensPanel
from arena_desktop.ui.models.sheet import Heading, SheetCell
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.buttons import IconButton, Words
from arena_desktop.ui.widgets.check_list import CheckList, Entry
from arena_desktop.ui.widgets.controls import Dropdown, Switch
from arena_desktop.ui.widgets.notice import Notice
from arena_desktop.ui.widgets.scrolled import Scrolled, let_shrink
from arena_desktop.ui.widgets.sheet_view import SheetView

NARROW_EM = 38
QWIDGETSIZE_MAX = 16_777_215
WAIT_MS = 150
"""After the last change, so that typing a date or a run through a list asks once."""
_TIES = {
    TieRule.HALF: "Half a win each",
    TieRule.DROP: "Left out",
    TieRule.DAVIDSON: "An outcome of their own (Davidson)",
}
_COLUMNS = (
    Heading("Rank", "The ranks that these votes allow, with 95 % confidence."),
    Heading("Model", "The name in the roster.", left=True),
    Heading("Rating", "The rating by these votes alone."),
    Heading("95 % interval", "Where that rating may well lie.", left=True),
    Heading("Change", "Against the whole board, in points."),
    Heading("Places", "Places gained or lost against the whole board."),
    Heading("Battles", "Votes in which this model took part."),
)


_WIDEST_EM = 20
"""Of a column: a longer name would push the ratings out of sight."""


class WhatIfPanel(LensPanel):
    """What is switched off is left out. ``wanted`` a moment after the last change."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._asked = WhatIfLens()
        self._ties = TieRule.HALF
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(WAIT_MS)
        self._timer.timeout.connect(self.wanted)
        self.reset = IconButton("Count all votes again", "undo", theme, name="Count all votes again")
        self.reset.setObjectName("whatIfReset")
        self.reset.clicked.connect(self._reset)
        self.ties = Dropdown("Ties", theme)
        self.ties.setObjectName("whatIfTies")
        self.ties.show_choices([(rule.value, title) for rule, title in _TIES.items()], TieRule.HALF.value)
        self.ties.picked.connect(self._choose_ties)
        self.prior = Switch("Equal start for every model", theme)
        self.prior.setObjectName("whatIfPrior")
        self.prior.show_state(True)
        self.prior.toggled.connect(self._changed)
        self.since, self.until = QLineEdit(), QLineEdit()
        for field, name in ((self.since, "From this day on"), (self.until, "Before this day")):
            field.setAccessibleName(name)
            field.setPlaceholderText("year-month-day")
            field.textEdited.connect(self._changed)
        self.since.setObjectName("whatIfSince")
        self.until.setObjectName("whatIfUntil")
        names = ("Listeners", "Categories", "Conditions", "Prompts")
        self.listeners, self.categories, self.conditions, self.prompts = (CheckList(name, theme) for name in names)
        self._lists = (self.listeners, self.categories, self.conditions, self.prompts)
        self._headings = [Words(name, theme, strong=True) for name in names]
        for checks in self._lists:
            checks.switched.connect(self._changed)
        self._sentence = Words("", theme, wrap=True, selectable=True)
        self._sentence.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._counted = Words("", theme, voice="muted", wrap=True)
        self._problem = Notice(theme)
        self.table = SheetView("The board under this filter", theme)
        self._lay_out()
        self._space()
        theme.changed.connect(self._space)

    @property
    def lens(self) -> Lens:
        return self._asked

    def show_view(self, view: LensView) -> None:
        assert isinstance(view, WhatIfView)
        options = (view.listeners, view.categories, view.conditions, view.prompts)
        without = (
            self._asked.without_listeners,
            self._asked.without_categories,
            self._asked.without_conditions,
            self._asked.without_prompts,
        )
        for checks, heading, some, off in zip(self._lists, self._headings, options, without, strict=True):
            checks.show_entries([_entry(option, off) for option in some])
            for widget in (checks, heading):
                widget.setVisible(len(some) > 0)
        self._problem.show_line(Line(view.problem, Tone.WARNING))
        self._sentence.say(view.sentence)
        self._sentence.setVisible(bool(view.sentence))
        self._counted.say(f"{view.kept:,} of {text.counted(view.total, 'vote')} counted.")
        self.table.show_sheet(_COLUMNS, [_cells(row) for row in view.rows])
        self.reset.setEnabled(self._asked != WhatIfLens())

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802
        super().hideEvent(event)
        self._timer.stop()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._reflow()

    def _reflow(self) -> None:
        """The filters beside the board, or above it where the window is narrow for its font."""
        narrow = self.width() < self._theme.em * NARROW_EM
        self._row.setDirection(QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight)
        self._row.setStretch(0, 1 if narrow else 0)
        self.area.setMaximumWidth(QWIDGETSIZE_MAX if narrow else self._theme.px(17))
        self.area.setMinimumWidth(0 if narrow else self._theme.px(17))

    def _choose_ties(self, rule: str) -> None:
        self._ties = TieRule(rule)
        self._changed()

    def _changed(self, *_: object) -> None:
        self._asked = WhatIfLens(
            without_listeners=self.listeners.switched_off(),
            without_prompts=self.prompts.switched_off(),
            without_categories=self.categories.switched_off(),
            without_conditions=self.conditions.switched_off(),
            since=self.since.text().strip(),
            until=self.until.text().strip(),
            ties=self._ties,
            prior=self.prior.isChecked(),
        )
        self.reset.setEnabled(self._asked != WhatIfLens())
        self._timer.start()

    def _reset(self) -> None:
        self._asked, self._ties = WhatIfLens(), TieRule.HALF
        self.ties.choose(TieRule.HALF.value)
        self.prior.show_state(True)
        self.since.clear()
        self.until.clear()
        self.reset.setEnabled(False)
        self._timer.stop()
        self.wanted.emit()

    def _lay_out(self) -> None:
        inside = QWidget()
        inside.setObjectName("scrolled")
        self._filters = QVBoxLayout(inside)
        self._filters.addWidget(self.reset)
        self._filters.addWidget(_label("&Ties count as", self.ties))
        self._filters.addWidget(self.ties)
        self._prior_row = QHBoxLayout()
        self._prior_row.addWidget(Words("Equal start", self._theme, voice="muted", wrap=True), 1)
        self._prior_row.addWidget(self.prior)
        self._filters.addLayout(self._prior_row)
        self._filters.addWidget(_label("&From this day on", self.since))
        self._filters.addWidget(self.since)
        self._filters.addWidget(_label("&Before this day", self.until))
        self._filters.addWidget(self.until)
        for heading, checks in zip(self._headings, self._lists, strict=True):
            self._filters.addWidget(heading)
            self._filters.addWidget(checks)
        self._filters.addStretch(1)
        self.area = Scrolled(inside)
        self._results = QVBoxLayout()
        self._results.addWidget(self._problem)
        self._results.addWidget(self._sentence)
        self._results.addWidget(self._counted)
        self._results.addWidget(self.table, 1)
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.addWidget(self.area)
        self._row.addLayout(self._results, 1)

    def _space(self) -> None:
        px = self._theme.px
        self.table.horizontalHeader().setMaximumSectionSize(px(_WIDEST_EM))
        self._row.setSpacing(px(0.8))
        self._results.setSpacing(px(0.4))
        self._filters.setContentsMargins(0, 0, px(0.6), 0)
        self._filters.setSpacing(px(0.35))
        self._reflow()
        let_shrink(self.area, px(10))
        let_shrink(self.table, px(8))


def _label(words: str, field: QWidget) -> QLabel:
    label = QLabel(words)
    label.setProperty("voice", "muted")
    label.setBuddy(field)
    return label


def _entry(option: Option, off: tuple[str, ...]) -> Entry:
    title = option.choice.title or "Not known"
    told = f"{title}, {text.counted(option.votes, 'vote')}"
    return Entry(option.choice.id, f"{title}  ({text.count(option.votes)})", option.choice.id not in off, told)


def _cells(what: WhatIfRow) -> list[SheetCell]:
    row = what.row
    interval = text.DASH
    if row.low is not None and row.high is not None:
        interval = f"{text.number(row.low)} to {text.number(row.high)}"
    change = text.DASH if what.rating_change is None else text.signed(what.rating_change)
    places = text.DASH if what.rank_change is None else (text.signed(what.rank_change) if what.rank_change else "0")
    return [
        SheetCell(text.span(row.rank_low, row.rank_high)),
        SheetCell(text.undirected(row.name), f"{row.repo_id}: {what.reason}" if what.reason else row.repo_id),
        SheetCell(text.number(row.rating)),
        SheetCell(interval),
        SheetCell(change),
        SheetCell(places),
        SheetCell(text.count(row.battles)),
    ]
