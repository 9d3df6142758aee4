"""Chooses a time: a span up to today, or two days. The fields for the days exist only once they are asked for."""

from datetime import date, datetime

from PySide6.QtCore import QDate, QObject, Qt, Signal
from PySide6.QtWidgets import QDateEdit, QWidget

from arena_desktop.ui.days import ANY, BETWEEN, SPANS, Span, days_between, local_day, span_of
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.controls import Dropdown


class DayField(QDateEdit):
    """A day. ``moved`` is what a person did."""

    moved = Signal()

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setToolTip(name)
        self.setDisplayFormat("yyyy-MM-dd")
        self.setCalendarPopup(True)
        self.setKeyboardTracking(False)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setDate(QDate.currentDate())
        self.dateChanged.connect(lambda _: self.moved.emit())

    @property
    def day(self) -> date:
        """The day that is set."""
        shown = self.date()
        return date(shown.year(), shown.month(), shown.day())

    def show_day(self, day: date) -> None:
        """Show ``day`` without ``moved``."""
        self.blockSignals(True)
        self.setDate(QDate(day.year, day.month, day.day))
        self.blockSignals(False)


def _today() -> date:
    return datetime.now().astimezone().date()


class DaySpan(QObject):
    """``choice`` is the list of spans; ``fields`` are all fields to show now. ``changed`` is what a person did."""

    changed = Signal()

    def __init__(self, theme: Theme, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._parent, self._name = parent, name
        self.choice = Dropdown("Time", theme, parent)
        self.choice.setObjectName(name)
        self.choice.setToolTip("When the votes were cast")
        self.choice.show_choices(SPANS, ANY)
        self.choice.picked.connect(self._picked)
        self._days: tuple[DayField, DayField] | None = None

    @property
    def fields(self) -> tuple[QWidget, ...]:
        """The list, and the two days while they are what counts."""
        between = self.choice.currentData() == BETWEEN
        return (self.choice, *self._both()) if between else (self.choice,)

    @property
    def span(self) -> Span:
        """What is chosen."""
        if self.choice.currentData() == BETWEEN:
            first, last = self._both()
            return days_between(first.day, last.day)
        return span_of(str(self.choice.currentData() or ANY), _today())

    def show_span(self, span: Span) -> None:
        """Show ``span`` without ``changed``; one that is chosen already stays as it was put."""
        if span == self.span:
            return
        today = _today()
        known = next((key for key, _ in SPANS if key != BETWEEN and span_of(key, today) == span), BETWEEN)
        self.choice.choose(known)
        if known == BETWEEN:
            first, last = self._both()
            first.show_day(local_day(span.since) or date(2000, 1, 1))
            last.show_day(local_day(span.until) or today)

    def _both(self) -> tuple[DayField, DayField]:
        if self._days is None:
            first, last = DayField("From this day on", self._parent), DayField("Up to this day", self._parent)
            first.setObjectName(f"{self._name}First")
            last.setObjectName(f"{self._name}Last")
            for field in (first, last):
                field.moved.connect(self.changed)
            self._days = (first, last)
        return self._days

    def _picked(self, key: str) -> None:
        if key == BETWEEN:
            self._both()
        self.changed.emit()
