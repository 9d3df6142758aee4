"""Charts: the board in pictures, one at a time, each saved as PNG or SVG."""

from PySide6.QtWidgets import QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from arena_desktop.services.board_views import ChartsLens, ChartsView, Lens, LensView, Named
from arena_desktop.ui import text
from arena_desktop.ui.charts.chart import Chart
from arena_desktop.ui.charts.days import Calendar, draw_days
from arena_desktop.ui.charts.front import Front, draw_front
from arena_desktop.ui.charts.ratings import draw_ratings
from arena_desktop.ui.lenses.panel import AskPath, LensPanel
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.buttons import Words
from arena_desktop.ui.widgets.scrolled import Scrolled, let_shrink
from arena_desktop.ui.widgets.tabs import Tabs

_PARTS = (
    ("chartRatings", "Ratings", "Each model's rating with its interval, in tiers."),
    ("chartSize", "Size", "Rating against the number of parameters."),
    ("chartSpeed", "Speed", "Rating against the time it takes to speak."),
    ("chartDays", "Days", "Votes on each day."),
)
_GREYED = "Grey squares: another model is surely better and is no {}."
_DEVICES = {"cpu": ", on the processor", "cuda": ", on the graphics card", "mps": ", on the graphics chip"}


class ChartsPanel(LensPanel):
    """Which chart is seen is the reader's choice; all four are drawn from one view."""

    def __init__(self, theme: Theme, ask_path: AskPath) -> None:
        super().__init__()
        self._theme = theme
        self._parts = Tabs("Chart", _PARTS, theme)
        self._parts.choose(_PARTS[0][0])
        self._parts.chosen.connect(self._choose)
        self.ratings = Chart("Ratings", theme, draw_ratings, ask_path)
        self.size_ = Chart("Rating against size", theme, draw_front, ask_path)
        self.speed = Chart("Rating against speed", theme, draw_front, ask_path)
        self.days = Chart("Votes per day", theme, draw_days, ask_path)
        self._stack = QStackedWidget()
        self._said: list[Words] = []
        for chart in (self.ratings, self.size_, self.speed, self.days):
            said = Words("", theme, voice="muted", wrap=True)
            self._said.append(said)
            self._stack.addWidget(_with(chart, said))
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.addWidget(self._parts)
        self._column.addWidget(self._stack, 1)
        self._space()
        theme.changed.connect(self._space)

    @property
    def lens(self) -> Lens:
        return ChartsLens()

    def show_view(self, view: LensView) -> None:
        assert isinstance(view, ChartsView)
        self.ratings.show_data(view.ratings)
        self.size_.show_data(Front(view.size, "Millions of parameters", "{} million parameters"))
        where = ", measured here" if view.measured else ""
        axis = f"Seconds to speak one second of sound{_DEVICES.get(view.device, '')}{where}"
        self.speed.show_data(Front(view.speed, axis, "{} s for one second of sound"))
        self.days.show_data(Calendar(view.days, view.span))
        undated = f"{text.counted(view.undated, 'vote')} without a date not shown." if view.undated else ""
        said = (
            "",
            _also(view.size, view.no_size, "size", "larger"),
            _also(view.speed, view.no_speed, "speed", "slower"),
            undated,
        )
        for words, label in zip(said, self._said, strict=True):
            label.say(words)
            label.setVisible(bool(words))

    def _choose(self, part: str) -> None:
        self._stack.setCurrentIndex([id_ for id_, _, _ in _PARTS].index(part))

    def _space(self) -> None:
        self._column.setSpacing(self._theme.px(0.4))
        let_shrink(self._stack, self._theme.px(12))


def _also(points: tuple[object, ...], missing: tuple[Named, ...], what: str, worse: str) -> str:
    greyed = _GREYED.format(worse) if any(getattr(point, "dominated", False) for point in points) else ""
    names = ", ".join(text.undirected(model.name) for model in missing)
    return " ".join(part for part in (greyed, f"No {what} is known of {names}." if names else "") if part)


def _with(chart: Chart, said: Words) -> QScrollArea:
    """A chart with the words below it."""
    inside = QWidget()
    inside.setObjectName("scrolled")
    column = QVBoxLayout(inside)
    column.setContentsMargins(0, 0, 0, 0)
    column.addWidget(chart, 1)
    column.addWidget(said)
    return Scrolled(inside)
