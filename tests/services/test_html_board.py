"""The board as a page: it loads nothing, runs nothing, is well formed, and reads well without eyes."""

import base64
import hashlib
import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from arena_desktop.domain.votes import Vote
from arena_desktop.services.board import Board
from arena_desktop.services.exports import board_export, board_report
from arena_desktop.services.exports.markup import element, number, words
from arena_desktop.services.exports.plain import one_line
from arena_desktop.services.exports.svg import short, spanning, ticks, wide
from tests.helpers.boards import HOSTILE, Records, board_of, roster_of, vote

LOADING = ("src", "href", "srcset", "action", "data", "poster", "background", "xlink:href", "style")
VOID = ("meta", "br", "col", "link", "img")


class Page(HTMLParser):
    """Every element of a page with its attributes, and its text; tags must match."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def page(board: Board, method: str = "rating") -> str:
    return board_export(board_report(board, "", method), "html").decode("utf-8")


@pytest.fixture(scope="module")
def hostile() -> str:
    return page(board_of(HOSTILE, 50))


def test_the_page_loads_and_runs_nothing(hostile: str) -> None:
    found = hostile
    parsed = Page(found)
    assert not {"script", "img", "iframe", "object", "embed", "link", "base", "form", "image", "use"} & {
        tag for tag, _ in parsed.found
    }
    for tag, attributes in parsed.found:
        assert not [name for name in attributes if name in LOADING or name.startswith("on")], (tag, attributes)
    (style,) = re.findall("<style>(.*?)</style>", found, re.DOTALL)
    assert not re.search(r"url\(|@import|expression", style)
    policy = next(attributes["content"] for tag, attributes in parsed.found if "http-equiv" in attributes)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert policy == f"default-src 'none'; style-src 'sha256-{digest}'"


def test_every_name_stands_there_as_text(hostile: str) -> None:
    parsed = Page(hostile)
    said = "\n".join(parsed.texts)
    for name in HOSTILE:
        assert one_line(name) in said


@pytest.mark.parametrize("method", ["rating", "elo", "bt", "davidson"])
def test_every_chart_is_well_formed_and_described(method: str) -> None:
    found = page(board_of(HOSTILE, 30), method)
    charts = [ElementTree.fromstring(chart) for chart in re.findall(r"<svg[^>]* role=.*?</svg>", found)]
    assert len(charts) == 6
    space = "{http://www.w3.org/2000/svg}"
    for chart in charts:
        title, description = chart.findtext(f"{space}title"), chart.findtext(f"{space}desc")
        assert title
        assert description
        width, height = float(chart.attrib["width"]), float(chart.attrib["height"])
        for mark in chart.iter():
            for key in ("x", "x1", "x2", "cx"):
                assert -1 <= float(mark.attrib.get(key, 0)) <= width + 1, (title, mark.attrib)
            for key in ("y", "y1", "y2", "cy"):
                assert -1 <= float(mark.attrib.get(key, 0)) <= height + 1, (title, mark.attrib)
    ids = re.findall(r' id="([^"]*)"', found)
    assert len(ids) == len(set(ids))


def test_the_table_is_one_for_a_screen_reader() -> None:
    parsed = Page(page(board_of(("Ada", "Bob", "Cleo"), 60)))
    heads = [attributes.get("scope") for tag, attributes in parsed.found if tag == "th"]
    assert heads.count("row") == 3
    assert set(heads) == {"row", "col"}
    tags = [tag for tag, _ in parsed.found]
    for needed in ("caption", "main", "header", "footer", "h1"):
        assert tags.count(needed) == 1
    assert dict(parsed.found)["html"]["lang"] == "en"


def test_the_page_has_the_colours_of_day_night_and_paper() -> None:
    (style,) = re.findall("<style>(.*?)</style>", page(board_of(("Ada", "Bob"), 3)), re.DOTALL)
    assert "prefers-color-scheme:dark" in style
    assert "@media print" in style
    used = set(re.findall(r"var\((--\w+)\)", style))
    for theme in re.findall(r"\{[^{}]*--paper:[^{}]*\}", style):
        assert used <= set(re.findall(r"(--\w+):", theme))


def test_charts_without_data_are_left_out() -> None:
    found = page(board_of(("Ada", "Bob"), 0))
    assert not re.findall(r"<svg[^>]* role=", found)
    assert "No votes yet" in found


def test_marks_of_the_matrix_name_pair_and_score() -> None:
    records = [vote(n, "org/m-0", "org/m-1", str(Vote.A if n < 3 else Vote.B)) for n in range(4)]
    found = page(Board(roster_of(("Ada", "Bob", "Cleo")), Records(records)))
    assert "Ada against Bob: 75 % of 4" in found
    assert "Bob against Ada: 25 % of 4" in found
    assert "never met" in found


def test_markup_escapes_everything() -> None:
    assert words("<a href='x'>&\"") == "&lt;a href=&#x27;x&#x27;&gt;&amp;&quot;"
    assert element("p", words("<"), class_='a"b', title=None, x=1.25) == '<p class="a&quot;b" x="1.3">&lt;</p>'
    assert [number(value) for value in (0.0, -0.04, -0.05, 12.349, -3.0)] == ["0", "0", "0", "12.3", "-3"]


def test_scales_and_ticks() -> None:
    scale = spanning([800.0, 1200.0], 0, 100)
    assert scale(800.0) == pytest.approx(3.7, abs=0.1)
    assert ticks(scale) == [800.0, 900.0, 1000.0, 1100.0, 1200.0]
    assert ticks(spanning([1000.0], 0, 100)) == pytest.approx([999.0, 999.5, 1000.0, 1000.5, 1001.0])
    assert ticks(spanning([10.0, 1000.0], 0, 100, log=True)) == [10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0]
    assert ticks(spanning([1.0, 1e6], 0, 100, log=True)) == [10.0**power for power in range(7)]
    assert ticks(spanning([1], 0, 100, zero=True), whole=True) == [0.0, 1.0, 2.0]
    assert wide("日本") == 4
    assert short("日本語の声です", 8) == "日本語…"
