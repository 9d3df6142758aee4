"""History: how the ratings came to be. Which models stand out is chosen in a list that is the legend too."""

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPen, QPixmap, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from arena_desktop.services.board_views import HistoryLens, HistoryView, Lens, LensView, Method, Series
from arena_desktop.ui.charts.chart import Chart
from arena_desktop.ui.charts.history import Course, draw_history
from arena_desktop.ui.charts.style import ChartStyle, style_of
from arena_desktop.ui.lenses.panel import AskPath, LensPanel
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.buttons import Words
from arena_desktop.ui.widgets.check_list import CheckList, Entry
from arena_desktop.ui.widgets.controls import Dropdown
from arena_desktop.ui.widgets.scrolled import let_shrink

_METHODS = {
    Method.RATING: "Rating",
    Method.ELO: "Live Elo",
    Method.HEAD_START: "Rating with head start",
    Method.DAVIDSON: "Davidson",
}
_BY = {"votes": "Votes", "date": "Date"}
NARROW_EM = 38
QWIDGETSIZE_MAX = 16_777_215
AT_FIRST = 5
"""How many models stand out before a person chooses: more lines than that can't be told apart."""


class HistoryPanel(LensPanel):
    """``wanted`` when another method is chosen; models and x are drawn from the view at hand."""

    def __init__(self, theme: Theme, ask_path: AskPath) -> None:
        super().__init__()
        self._theme = theme
        self._method, self._by_date = Method.RATING, False
        self._view: HistoryView | None = None
        self._chosen: frozenset[str] | None = None
        self._methods = Dropdown("Method", theme)
        self._methods.setObjectName("historyMethod")
        self._methods.show_choices([(m.value, title) for m, title in _METHODS.items()], self._method.value)
        self._methods.picked.connect(self._choose_method)
        self._by = Dropdown("Along", theme)
        self._by.setObjectName("historyBy")
        self._by.show_choices(list(_BY.items()), "votes")
        self._by.picked.connect(self._choose_by)
        self.chart = Chart("Ratings over time", theme, draw_history, ask_path)
        self.models = CheckList("Models that stand out", theme, most_lines=0)
        self.models.switched.connect(self._choose_models)
        side = QVBoxLayout()
        side.setContentsMargins(0, 0, 0, 0)
        side.addWidget(Words("Models", theme, strong=True))
        side.addWidget(self.models, 1)
        self._side = QWidget()
        self._side.setLayout(side)
        fields = QHBoxLayout()
        fields.setContentsMargins(0, 0, 0, 0)
        for words, field in (("&Method", self._methods), ("A&long", self._by)):
            label = QLabel(words)
            label.setProperty("voice", "muted")
            label.setBuddy(field)
            fields.addWidget(label)
            fields.addWidget(field)
        fields.addStretch(1)
        self._fields = fields
        body = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        body.setContentsMargins(0, 0, 0, 0)
        body.addWidget(self.chart, 1)
        body.addWidget(self._side, 0)
        self._body = body
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.addLayout(fields)
        self._column.addLayout(body, 1)
        self._space()
        theme.changed.connect(self._restyle)

    @property
    def lens(self) -> Lens:
        return HistoryLens(self._method)

    def show_view(self, view: LensView) -> None:
        assert isinstance(view, HistoryView)
        if self._view is not None and self._view.arena != view.arena:
            self._chosen = None
        self._view = view
        if self._chosen is None and view.series:
            self._chosen = frozenset(series.model.repo_id for series in _best_last(view)[:AT_FIRST])
        self._draw()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._reflow()

    def _reflow(self) -> None:
        """The models beside the chart, or below it where the window is narrow for its font."""
        narrow = self.width() < self._theme.em * NARROW_EM
        direction = QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight
        self._body.setDirection(direction)
        self._side.setMaximumWidth(QWIDGETSIZE_MAX if narrow else self._theme.px(13))
        self._side.setMinimumWidth(0 if narrow else self._theme.px(13))

    def _draw(self) -> None:
        if self._view is None:
            return
        style, chosen = style_of(self._theme), self._chosen or frozenset()
        self.models.show_entries(
            [
                Entry(s.model.repo_id, s.model.name, s.model.repo_id in chosen, "", _sign(place, style))
                for place, s in enumerate(self._view.series)
            ]
        )
        self.chart.show_data(Course(self._view, chosen, self._by_date))

    def _choose_method(self, method: str) -> None:
        self._method = Method(method)
        self.wanted.emit()

    def _choose_by(self, by: str) -> None:
        self._by_date = by == "date"
        self._draw()

    def _choose_models(self) -> None:
        self._chosen = frozenset(self.models.switched_on())
        self._draw()

    def _restyle(self) -> None:
        self._space()
        self._draw()

    def _space(self) -> None:
        px = self._theme.px
        self._column.setSpacing(px(0.5))
        self._fields.setSpacing(px(0.6))
        self._body.setSpacing(px(0.8))
        self._reflow()
        let_shrink(self.models, px(6))


def _best_last(view: HistoryView) -> list[Series]:
    """Series by their last rating, best first."""

    def last(series: Series) -> float:
        known = [rating for rating in series.rating if rating is not None]
        return -known[-1] if known else float("inf")

    return sorted(view.series, key=last)


def _sign(place: int, style: ChartStyle) -> QIcon:
    """The stroke of one model's line, as the legend shows it."""
    wide, high = style.px(1.6), style.px(1.0)
    pixmap = QPixmap(wide * 2, high * 2)
    pixmap.setDevicePixelRatio(2)
    pixmap.fill(Qt.GlobalColor.transparent)
    ink = style.ink(place)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(ink.color), style.px(0.16), ink.stroke))
    painter.drawLine(QPointF(0, high / 2), QPointF(wide, high / 2))
    painter.end()
    return QIcon(pixmap)
