"""Charts: the data in words, spots by mouse and keyboard, both themes, and pictures that show the same."""

import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import shiboken6
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QAccessible, QColor, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from arena_desktop.errors import ArenaError
from arena_desktop.services.board_views import Day, Estimate
from arena_desktop.ui.charts.chart import Chart, Draw
from arena_desktop.ui.charts.days import Calendar, draw_days
from arena_desktop.ui.charts.front import Front, draw_front
from arena_desktop.ui.charts.history import Course, draw_history
from arena_desktop.ui.charts.matrix import cell_words
from arena_desktop.ui.charts.ratings import draw_ratings
from arena_desktop.ui.charts.style import DARK_INKS, LIGHT_INKS, style_of
from arena_desktop.ui.charts.ticks import linear_ticks, log_ticks, nice_step
from arena_desktop.ui.lenses.pairs import PairsPanel
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.tokens import DARK, LIGHT
from tests.gui.test_gui_look import contrast
from tests.helpers import sample_lenses as lenses
from tests.helpers.sources import ROOT

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)

CHARTS: dict[str, tuple[Draw, Any]] = {
    "Ratings": (draw_ratings, lenses.charts().ratings),
    "Rating against size": (draw_front, Front(lenses.charts().size, "Millions of parameters", "{} million parameters")),
    "Votes per day": (draw_days, Calendar(lenses.charts().days)),
    "Ratings over time": (
        draw_history,
        Course(lenses.history(), frozenset(model.repo_id for model in lenses.SAMPLE[:3])),
    ),
}
EMPTY: dict[str, tuple[Draw, Any]] = {
    "Ratings": (draw_ratings, ()),
    "Rating against size": (draw_front, Front((), "", "")),
    "Votes per day": (draw_days, Calendar(())),
    "Ratings over time": (draw_history, Course(lenses.history((), moments=0), frozenset())),
}


@pytest.fixture
def chosen() -> list[str]:
    """Where the next file goes."""
    return [""]


def make(qtbot: QtBot, theme: Theme, title: str, chosen: list[str], data: Any = None) -> Chart:
    draw, sample = CHARTS[title]
    chart = Chart(title, theme, draw, lambda name, kinds: chosen[0])
    qtbot.addWidget(chart)
    chart.resize(760, 480)
    chart.show_data(sample if data is None else data)
    chart.show()
    qtbot.wait(5)
    return chart


@pytest.mark.parametrize(("unknown", "bands"), [((), 1), ((1, 3, 5, 7), 1), (tuple(range(4, 9)), 2)])
def test_a_band_spans_moments_without_intervals_but_no_stretch_of_them(
    qtbot: QtBot, theme: Theme, chosen: list[str], unknown: tuple[int, ...], bands: int
) -> None:
    from pyqtgraph import FillBetweenItem

    view = lenses.history()
    first = view.series[0]
    low, high = (
        tuple(None if place in unknown else end for place, end in enumerate(ends)) for ends in (first.low, first.high)
    )
    course = Course(replace(view, series=(replace(first, low=low, high=high),)), frozenset({first.model.repo_id}))
    chart = make(qtbot, theme, "Ratings over time", chosen, course)
    assert sum(isinstance(item, FillBetweenItem) for item in chart.plot.items) == bands


@pytest.mark.parametrize("title", CHARTS)
def test_a_chart_carries_its_data_in_words(qtbot: QtBot, theme: Theme, chosen: list[str], title: str) -> None:
    chart = make(qtbot, theme, title, chosen)
    interface = QAccessible.queryAccessibleInterface(chart.view)
    assert interface is not None
    assert interface.text(QAccessible.Text.Name) == title
    said = interface.text(QAccessible.Text.Description)
    assert said == chart.description
    if title == "Votes per day":
        assert "1 November 2026: 1 vote." in said
        assert "2 November 2026: 6 votes." in said
    else:
        assert "Kokoro, Heart" in said
        assert "95 % interval" in said


@pytest.mark.parametrize("title", EMPTY)
def test_a_chart_of_nothing_says_so(qtbot: QtBot, theme: Theme, chosen: list[str], title: str) -> None:
    chart = make(qtbot, theme, title, chosen, EMPTY[title][1])
    assert chart.description.startswith(("No ", "There is no"))
    assert chart.readout == chart.description
    assert chart.spots == ()


def test_ratings_without_bounds_are_drawn_without_intervals_and_tiers(
    qtbot: QtBot, theme: Theme, chosen: list[str]
) -> None:
    bare = [replace(bar, rating=Estimate(bar.rating.value), tier=None) for bar in lenses.charts().ratings]
    chart = make(qtbot, theme, "Ratings", chosen, bare)
    assert len(chart.spots) == len(bare)
    assert "Kokoro, Heart: rating" in chart.description
    assert not re.search("tier|interval|None", chart.description)
    front = tuple(replace(point, rating=Estimate(point.rating.value)) for point in lenses.charts().size)
    sized = make(qtbot, theme, "Rating against size", chosen, Front(front, "", "{} million parameters"))
    assert len(sized.spots) == len(front)
    assert not re.search("interval|None", sized.description)


def test_a_history_with_gaps_in_its_intervals_is_drawn(qtbot: QtBot, theme: Theme, chosen: list[str]) -> None:
    view = lenses.history()

    def gaps(ends: tuple[float | None, ...]) -> tuple[float | None, ...]:
        return tuple(None if place % 5 in (0, 2) else end for place, end in enumerate(ends))

    for cut in (gaps, lambda ends: (None,) * len(ends)):
        cut_series = tuple(replace(one, low=cut(one.low), high=cut(one.high)) for one in view.series)
        course = Course(replace(view, series=cut_series), frozenset(model.repo_id for model in lenses.SAMPLE[:3]))
        chart = make(qtbot, theme, "Ratings over time", chosen, course)
        assert chart.spots
        assert not re.search("None|nan", chart.description)


@pytest.mark.parametrize("title", CHARTS)
def test_spots_are_stepped_through_by_keys_and_pointed_at(
    qtbot: QtBot, theme: Theme, chosen: list[str], title: str
) -> None:
    chart = make(qtbot, theme, title, chosen)
    spots = chart.spots
    QTest.keyClick(chart.view, Qt.Key.Key_Right)
    assert chart.readout == spots[0].words
    QTest.keyClick(chart.view, Qt.Key.Key_Down)
    assert chart.readout == spots[1].words
    QTest.keyClick(chart.view, Qt.Key.Key_End)
    assert chart.readout == spots[-1].words
    QTest.keyClick(chart.view, Qt.Key.Key_Escape)
    assert chart.readout not in {spot.words for spot in spots}
    where = chart.plot.getViewBox().mapViewToScene(QPointF(spots[0].x, spots[0].y))
    chart.view.scene().sigMouseMoved.emit(where)
    assert chart.readout in {spot.words for spot in spots if (spot.x, spot.y) == (spots[0].x, spots[0].y)}
    chart.view.scene().sigMouseMoved.emit(QPointF(-500, -500))
    assert chart.readout not in {spot.words for spot in spots}


@pytest.mark.parametrize("title", CHARTS)
def test_a_chart_follows_the_theme_at_once(qtbot: QtBot, theme: Theme, chosen: list[str], title: str) -> None:
    chart = make(qtbot, theme, title, chosen)
    said = chart.description
    for mode, tokens in (("dark", DARK), ("light", LIGHT)):
        theme.set_mode(mode)
        qtbot.wait(5)
        image = chart.view.grab().toImage()
        assert image.pixelColor(image.width() - 2, 1) == QColor(tokens.surface)
        assert chart.description == said


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("title", CHARTS)
def test_a_picture_is_saved_as_png_and_as_svg(
    qtbot: QtBot, theme: Theme, chosen: list[str], title: str, mode: str, tmp_path: Path
) -> None:
    theme.set_mode(mode)
    chart = make(qtbot, theme, title, chosen)
    QTest.keyClick(chart.view, Qt.Key.Key_Right)
    for ending in ("png", "svg"):
        chosen[0] = str(tmp_path / f"chart.{ending}")
        button = next(b for b in chart.findChildren(QPushButton) if b.accessibleName().endswith(ending.upper()))
        button.click()
    image = QImage(str(tmp_path / "chart.png"))
    drawing = ET.parse(tmp_path / "chart.svg").getroot()
    assert not image.isNull()
    assert (image.width(), image.height()) == tuple(2 * int(n) for n in drawing.attrib["viewBox"].split()[2:])
    ground = DARK.surface if mode == "dark" else LIGHT.surface
    assert image.pixelColor(2, 2) == QColor(ground)
    space = "{http://www.w3.org/2000/svg}"
    assert drawing.findtext(f"{space}title") == title
    assert drawing.findtext(f"{space}desc") == chart.description
    written = " ".join("".join(text.itertext()) for text in drawing.iter(f"{space}text"))
    assert title in written
    assert ("Kokoro" in written) or title == "Votes per day"
    assert not list(drawing.iter(f"{space}image")), "everything is drawn as shapes"


def rendered(path: Path, width: int, height: int, ground: str) -> QImage:
    from PySide6.QtGui import QPainter
    from PySide6.QtSvg import QSvgRenderer

    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(QColor(ground))
    painter = QPainter(image)
    assert QSvgRenderer(str(path)).isValid()
    QSvgRenderer(str(path)).render(painter)
    painter.end()
    return image


@pytest.mark.parametrize("title", CHARTS)
def test_both_pictures_show_the_same(qtbot: QtBot, theme: Theme, chosen: list[str], title: str, tmp_path: Path) -> None:
    chart = make(qtbot, theme, title, chosen)
    chart.save(tmp_path / "chart.png")
    chart.save(tmp_path / "chart.svg")
    png = QImage(str(tmp_path / "chart.png"))
    svg = rendered(tmp_path / "chart.svg", png.width(), png.height(), LIGHT.surface)
    step = 16
    differing = places = 0
    for x in range(0, png.width() - step, step):
        for y in range(0, png.height() - step, step):
            places += 1
            shades = [mean_shade(image, x, y, step) for image in (png, svg)]
            differing += abs(shades[0] - shades[1]) > 40
    assert differing < 0.02 * places


def mean_shade(image: QImage, x: int, y: int, step: int) -> float:
    some = [image.pixelColor(x + dx, y + dy).lightness() for dx in range(0, step, 4) for dy in range(0, step, 4)]
    return sum(some) / len(some)


def test_the_matrix_is_saved_whole(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    panel = PairsPanel(theme, lambda name, kinds: "")
    qtbot.addWidget(panel)
    panel.show_view(lenses.pairs(lenses.names(20), island=3))
    panel.save(tmp_path / "pairs.svg")
    panel.save(tmp_path / "pairs.png")
    drawing = ET.parse(tmp_path / "pairs.svg").getroot()
    written = ["".join(text.itertext()) for text in drawing.iter("{http://www.w3.org/2000/svg}text")]
    assert any("Voice 19" in text for text in written)
    assert written.count("never") >= 2 * 17 * 3 or sum("never" in text for text in written) >= 2 * 17 * 3
    said = drawing.findtext("{http://www.w3.org/2000/svg}desc") or ""
    assert "Voice 3 against Voice 4:" in said
    assert not QImage(str(tmp_path / "pairs.png")).isNull()


def test_a_picture_that_cannot_be_written_is_told(
    qtbot: QtBot, theme: Theme, chosen: list[str], tmp_path: Path
) -> None:
    chart = make(qtbot, theme, "Ratings", chosen)
    with pytest.raises(ArenaError, match="can't be written"):
        chart.save(tmp_path / "missing" / "chart.png")


def test_never_mind_writes_nothing_and_a_forgotten_ending_is_added(
    qtbot: QtBot, theme: Theme, chosen: list[str], tmp_path: Path
) -> None:
    chart = make(qtbot, theme, "Ratings", chosen)
    svg = next(b for b in chart.findChildren(QPushButton) if b.accessibleName() == "Save Ratings as SVG")
    svg.click()
    assert list(tmp_path.iterdir()) == []
    chosen[0] = str(tmp_path / "my chart")
    svg.click()
    assert [path.name for path in tmp_path.iterdir()] == ["my chart.svg"]


def test_bars_of_many_days_say_how_many(qtbot: QtBot, theme: Theme, chosen: list[str]) -> None:
    weeks = Calendar((Day("2024-01-01", 40), Day("2024-01-08", 1)), 7)
    chart = make(qtbot, theme, "Votes per day", chosen, weeks)
    assert chart.description == "7 days from 1 January 2024: 40 votes. 7 days from 8 January 2024: 1 vote."


def test_dominated_models_are_greyed_and_told(qtbot: QtBot, theme: Theme, chosen: list[str]) -> None:
    chart = make(qtbot, theme, "Rating against size", chosen)
    told = {spot.words.split(":")[0]: "surely better and costs no more" in spot.words for spot in chart.spots}
    assert told["Kokoro, Emma"]
    assert not told["Kokoro, Heart"]


def test_inks_can_be_told_from_the_ground_and_from_each_other(theme: Theme) -> None:
    for inks, ground in ((LIGHT_INKS, LIGHT.surface), (DARK_INKS, DARK.surface)):
        assert min(contrast(ink, ground) for ink in inks) >= 3
    style = style_of(theme)
    assert len({style.ink(place) for place in range(32)}) == 32


@pytest.mark.parametrize(
    ("ticks", "shown"),
    [
        (linear_ticks(-12, 52, 8), ["−10", "0", "10", "20", "30", "40", "50"]),
        (linear_ticks(0, 1.1, 6, whole=True), ["0", "1"]),
        (linear_ticks(0.1, 0.32, 5), ["0.10", "0.15", "0.20", "0.25", "0.30"]),
        (log_ticks(5, 700, 8), ["5", "10", "20", "50", "100", "200", "500"]),
        (log_ticks(1, 100_000, 8), ["1", "10", "100", "1000", "10000", "100000"]),
    ],
)
def test_axes_are_marked_at_round_numbers(ticks: list[tuple[float, str]], shown: list[str]) -> None:
    assert [words for _, words in ticks] == shown


def test_a_span_of_nothing_has_a_step() -> None:
    assert nice_step(0, 5) == 1


def test_a_cell_in_words_is_whole() -> None:
    pairs = lenses.pairs()
    assert cell_words("X", "Y", pairs.cells[0][2]) == (
        "X against Y: 17 battles, 9 won, 6 lost, 1 tied, 1 both bad. Score 59 %, the ratings predict 50 %."
    )


ONLY_THE_RANKING = """
import sys
from PySide6.QtWidgets import QApplication
from arena_desktop.domain.settings import Settings
from arena_desktop.ui.main_window import MainWindow
from arena_desktop.ui.theme import Theme
from tests.helpers import sample_views as sample
app = QApplication(["window", "-platform", "offscreen"])
window = MainWindow(Settings())
window.build(Theme(app, "light"))
window.show_board(sample.BOARD)
window.show()
window.show_page("leaderboardPage")
app.processEvents()
print("pyqtgraph" in sys.modules)
"""


def test_the_ranking_opens_without_the_library_of_the_charts() -> None:
    done = subprocess.run(
        [sys.executable, "-c", ONLY_THE_RANKING], cwd=ROOT, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "False"


def test_a_chart_leaves_nothing_behind(qtbot: QtBot, theme: Theme) -> None:
    draw, data = CHARTS["Ratings over time"]
    chart = Chart("Ratings over time", theme, draw, lambda name, kinds: "")
    chart.show_data(data)
    chart.show()
    qtbot.wait(5)
    view = chart.view
    QTest.mouseMove(view.viewport(), QPoint(200, 200))
    shiboken6.delete(chart)
    theme.set_mode("dark")
    QApplication.processEvents()
    assert not shiboken6.isValid(view)
