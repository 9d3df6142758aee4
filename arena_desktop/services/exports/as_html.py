"""The board as one page that holds everything: tables, charts, methods. It loads nothing and runs nothing."""

import base64
import hashlib
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from arena_desktop.services.board_views import (
    ChartsLens,
    ChartsView,
    HistoryLens,
    HistoryView,
    Method,
    Named,
    PairsLens,
    PairsView,
    Severity,
)
from arena_desktop.services.exports import as_methods
from arena_desktop.services.exports.chart_front import front_chart
from arena_desktop.services.exports.chart_matrix import matrix_chart
from arena_desktop.services.exports.chart_ratings import interval_bar, ratings_chart
from arena_desktop.services.exports.chart_time import days_chart, history_chart
from arena_desktop.services.exports.checks import fired, titles
from arena_desktop.services.exports.columns import columns, legend, model_id, model_name
from arena_desktop.services.exports.markup import element, words
from arena_desktop.services.exports.origin import origin
from arena_desktop.services.exports.page_style import STYLE
from arena_desktop.services.exports.plain import whole_text
from arena_desktop.services.exports.report import BoardReport
from arena_desktop.services.lenses import look

_MARKERS = 20  # so many are named under the chart of history; all are drawn


def write(report: BoardReport, command: str) -> str:
    """The whole page."""
    digest = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
    head = element(
        "head",
        element("meta", charset="utf-8"),
        # Should a name ever get past the escaping, the reader's browser still loads and runs nothing.
        element(
            "meta", http_equiv="Content-Security-Policy", content=f"default-src 'none'; style-src 'sha256-{digest}'"
        ),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("title", words(report.heading)),
        element("style", STYLE),
    )
    body = element(
        "body",
        element("header", *_heading(report)),
        element("main", *_ranking(report), *_charts(report), *_checks(report), *_methods(report, command)),
        element("footer", element("h2", words("Where this comes from")), _origin(report, command)),
    )
    return f"<!DOCTYPE html>\n{element('html', head, body, lang='en')}\n"


def _heading(report: BoardReport) -> list[str]:
    return [
        element("h1", words(report.heading)),
        element("p", words(f"Question: {report.votes.arena.question}"), class_="soft"),
        element("p", element("strong", words(f"{report.title}.")), " ", words(report.sentence), class_="verdict"),
    ]


def _ranking(report: BoardReport) -> list[str]:
    shown = columns(report.method, report.rows)
    rated = [row for row in report.rows if row.get("low") is not None]
    ends = (min(row["low"] for row in rated), max(row["high"] for row in rated)) if rated else None
    titles = ["model", *(["interval"] if ends else []), *(column.title for column in shown)]
    head = element("tr", *(element("th", words(title), scope="col") for title in titles))
    before: list[Mapping[str, Any] | None] = [None, *report.rows]
    body = [
        _row(
            row, [column.cell(row) for column in shown], ends, last is not None and last.get("tier") != row.get("tier")
        )
        for last, row in pairwise(before)
        if row is not None
    ]
    caption = element("caption", words(f"{report.heading}, best first"))
    table = element("table", caption, element("thead", head), element("tbody", *body))
    meaning = element("p", words(legend(shown)), class_="soft")
    notes = element("ul", *(element("li", words(note)) for note in report.notes)) if report.notes else ""
    return [element("h2", words("The board")), element("div", table, class_="scroll"), meaning, notes]


def _row(row: Mapping[str, Any], cells: Sequence[str], ends: tuple[float, float] | None, new_tier: bool) -> str:
    name = element("bdi", words(model_name(row))) + element("code", words(model_id(row)))
    parts = [element("th", name, scope="row")]
    if ends:
        parts.append(element("td", interval_bar(row, *ends) if row["low"] is not None else ""))
    parts += [element("td", words(cell)) for cell in cells]
    return element("tr", *parts, class_="tier" if new_tier else None)


def _charts(report: BoardReport) -> list[str]:
    votes = report.votes
    pairs, charts, history = (
        look(votes, PairsLens()),
        look(votes, ChartsLens()),
        look(votes, HistoryLens(Method(report.method))),
    )
    assert isinstance(pairs, PairsView)
    assert isinstance(charts, ChartsView)
    assert isinstance(history, HistoryView)
    how = ", ".join(
        part for part in (charts.device, "measured apart from the votes" if charts.measured else "") if part
    )
    speed = f"seconds of synthesis per second of sound{f' ({how})' if how else ''}"
    drawn = [
        ("Ratings", ratings_chart(report.rows, "elo" if report.method == "elo" else "rating"), ""),
        ("Who beat whom", matrix_chart(pairs), "Percent that the row scored against the column; ties are half."),
        ("Ratings as they were", history_chart(history), _markers(history)),
        (
            "Rating and size",
            front_chart("size", "Rating and size", "millions of parameters", charts.size),
            _without(charts.no_size, "size"),
        ),
        (
            "Rating and speed",
            front_chart("speed", "Rating and speed", speed, charts.speed),
            _without(charts.no_speed, "speed"),
        ),
        ("Votes over time", days_chart(charts), f"{charts.undated} votes have no date." if charts.undated else ""),
    ]
    return [
        element("h2", words(title)) + element("figure", chart, element("figcaption", words(said)) if said else "")
        for title, chart, said in drawn
        if chart
    ]


def _markers(view: HistoryView) -> str:
    later = [f"after {marker.votes} votes: {marker.text}" for marker in view.markers if marker.votes > view.votes[0]]
    more = f" … and {len(later) - _MARKERS} more" if len(later) > _MARKERS else ""
    return f"Dashed lines: {'; '.join(later[:_MARKERS])}{more}." if later else ""


def _without(models: Sequence[Named], what: str) -> str:
    named = ", ".join(model.name for model in models)
    return f"The {what} of these models is not known: {named}." if named else ""


def _checks(report: BoardReport) -> list[str]:
    view = report.audit
    if not view.votes:
        return []
    rows = [
        element(
            "tr",
            element("th", words(line.title), scope="row"),
            *(element("td", words(text)) for text in (str(line.severity), line.found, line.effect, line.remedy)),
        )
        for line in fired(view)
    ]
    parts = [element("h2", words("What could be wrong")), element("p", words(view.sentence))]
    if rows:
        titled = ("check", "how bad", "what was found", "what it does", "what to do")
        head = element("thead", element("tr", *(element("th", words(title), scope="col") for title in titled)))
        parts.append(element("div", element("table", head, element("tbody", *rows), class_="prose"), class_="scroll"))
    for severity, said in ((Severity.OK, "Checked, and nothing found"), (Severity.UNKNOWN, "Not enough data to tell")):
        named = titles(view, severity)
        parts += [element("p", words(f"{said}: {named}."), class_="soft")] if named else []
    return parts


def _methods(report: BoardReport, command: str) -> list[str]:
    text = whole_text(as_methods.write(report, command))
    body = element("pre", "\n".join(words(line) for line in text.splitlines()), class_="methods")
    return [
        element("h2", words("Methods")),
        element("details", element("summary", words("Text for a paper")), body, open=""),
    ]


def _origin(report: BoardReport, command: str) -> str:
    facts = origin(report, command)
    return element(
        "dl", *(element("dt", words(what)) + element("dd", element("code", words(value))) for what, value in facts)
    )
