"""The filter of the History page: what is picked goes out at once, what is typed once the hands rest."""

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from arena_desktop.services.exchange_views import HistoryFilter, HistoryView
from arena_desktop.services.views import Choice
from arena_desktop.ui.days import Span
from arena_desktop.ui.models.history_table import VOTES, said
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.buttons import IconButton
from arena_desktop.ui.widgets.controls import Dropdown
from arena_desktop.ui.widgets.day_span import DaySpan
from arena_desktop.ui.widgets.field_grid import FieldGrid

TYPING_MS = 300
"""So long the hands must rest before what was typed is looked for."""
_LEAST_COLUMNS = 4
"""With fewer columns the fields that are needed less often wait behind a button."""
_ONLY = (
    ("", "Counted or not"),
    ("counts", "Only those that count"),
    ("taken back", "Only those taken back"),
    ("not counted", "Only those not counted"),
)


class HistoryFilters(QWidget):
    """``chosen`` carries the whole filter after each change by a person."""

    chosen = Signal(HistoryFilter)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._filter = HistoryFilter()
        self._more: bool | None = None  # None: as the room allows
        self.search = QLineEdit(self)
        self.search.setObjectName("historySearch")
        self.search.setAccessibleName("Search in sentences, models and notes")
        self.search.setToolTip("Search in sentences, models and notes (Ctrl+F)")
        self.search.setPlaceholderText("Search")
        self._lists = {
            "model": self._list("model", "Model", "Votes with this model"),
            "other": self._list("other", "Second model", "Votes in which it met this one"),
            "arena": self._list("arena", "Arena", "Votes of this arena"),
            "listener": self._list("listener", "Listener", "Votes of this listener"),
            "vote": self._list("vote", "Vote", "Votes for this side"),
            "category": self._list("category", "Category", "Votes on this kind of sentence"),
            "only": self._list("only", "Counts", "Whether they count in the ratings"),
        }
        self._time = DaySpan(theme, "historyTime", self)
        self.more = IconButton("More filters", "chevron", theme, tip="Show or hide the other filters", parent=self)
        self.more.setObjectName("historyMoreFilters")
        self.clear = IconButton("Clear filters", "close", theme, tip="List all votes again", parent=self)
        self.clear.setObjectName("historyClear")
        for later in (*self._lists.values(), self._time.choice, self.more, self.clear):
            later.hide()
        self._grid = FieldGrid(theme, self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._grid)
        self._typing = QTimer(self)
        self._typing.setSingleShot(True)
        self._typing.setInterval(TYPING_MS)
        self._typing.timeout.connect(self._typed)
        self.search.textEdited.connect(lambda _: self._typing.start())
        self.search.returnPressed.connect(self._typed)
        self._time.changed.connect(self._picked)
        self.more.clicked.connect(self._toggle)
        self.clear.clicked.connect(self.show_all)
        self.show_view(HistoryView())
        self._space()
        theme.changed.connect(self._space)

    def show_view(self, view: HistoryView) -> None:
        """Offer what the log holds, with the view's filter chosen. What is being typed is left alone."""
        chosen = view.filter
        offered: dict[str, Sequence[tuple[str, str] | None]] = {
            "model": _choices("Any model", view.models, chosen.model),
            "other": _choices("Against any", view.models, chosen.other),
            "arena": _choices("All arenas", view.arenas, chosen.arena),
            "listener": _choices("All listeners", view.listeners, chosen.listener),
            "vote": [("", "Any vote"), *VOTES.items()],
            "category": _choices("All categories", view.categories, chosen.category),
            "only": _ONLY,
        }
        for name, field in self._lists.items():
            field.show_choices(offered[name], getattr(chosen, name))
        self._time.show_span(Span(chosen.since, chosen.until))
        if not self._typing.isActive() and self.search.text().strip() != chosen.text:
            self.search.setText(chosen.text)
        self._filter = chosen
        self._arrange()

    def show_all(self) -> None:
        """Forget every filter."""
        self._typing.stop()
        self.search.clear()
        self._go(HistoryFilter())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._arrange()

    def _list(self, name: str, title: str, tip: str) -> Dropdown:
        field = Dropdown(title, self._theme, self)
        field.setObjectName(f"history{name.capitalize()}")
        field.setToolTip(tip)
        field.picked.connect(lambda _: self._picked())
        return field

    def _picked(self) -> None:
        span = self._time.span
        values = {name: str(field.currentData() or "") for name, field in self._lists.items()}
        self._typing.stop()
        self._go(HistoryFilter(text=self.search.text().strip(), since=span.since, until=span.until, **values))

    def _typed(self) -> None:
        self._typing.stop()
        self._go(replace(self._filter, text=self.search.text().strip()))

    def _go(self, chosen: HistoryFilter) -> None:
        if chosen != self._filter:
            self._filter = chosen
            self.chosen.emit(chosen)
        self._arrange()

    def _space(self) -> None:
        self.search.setFixedHeight(self._theme.px(2.1))

    def _toggle(self) -> None:
        self._more = not self._shows_more()
        self._arrange()

    def _shows_more(self) -> bool:
        return self._grid.columns >= _LEAST_COLUMNS if self._more is None else self._more

    def _arrange(self) -> None:
        first = (self._lists["model"], self._lists["other"])
        rest = tuple(self._lists[name] for name in ("arena", "listener", "vote", "category", "only"))
        more = self._shows_more()
        others = (*rest, *self._time.fields)
        hidden = sum(getattr(self._filter, name) != "" for name in ("arena", "listener", "vote", "category", "only"))
        hidden += bool(self._filter.since or self._filter.until)
        buttons: list[QWidget] = [self.more] if not more or self._more is not None else []
        if self._filter != HistoryFilter():
            buttons.append(self.clear)
        words = "Fewer filters" if more else f"More filters ({hidden})" if hidden else "More filters"
        self.more.setText(words)
        self.more.setAccessibleName(words)
        for field in self._time.fields[1:] if not more else ():
            field.hide()
        self._grid.show_fields((self.search, *first, *(others if more else ()), *buttons))


def _choices(everything: str, known: Sequence[Choice], chosen: str) -> list[tuple[str, str] | None]:
    """All, then what the log holds; one that is chosen is offered even if the log doesn't hold it."""
    offered: list[tuple[str, str] | None] = [("", everything)]
    offered += [(one.id, said(one.title)) for one in known]
    if chosen and all(one.id != chosen for one in known):
        offered.append((chosen, said(chosen)))
    return offered
