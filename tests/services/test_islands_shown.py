"""A board of two groups that never met: nothing that is shown or written says a number across them."""

import json
import re

import pytest

from arena_desktop.services.board import Board
from arena_desktop.services.board_views import (
    AuditLens,
    ChartsLens,
    ChartsView,
    GroupBy,
    GroupsLens,
    GroupsView,
    HistoryLens,
    HistoryView,
    Method,
    PairsLens,
    PairsView,
    TieRule,
    WhatIfLens,
    WhatIfView,
)
from arena_desktop.services.exports import FORMATS, board_export, board_report
from arena_desktop.services.lenses import look
from tests.helpers.boards import Records, roster_of, vote

FIVE = ("Ada", "Bob", "Cleo", "Dan", "Eve")
PAIRS = [("org/m-0", "org/m-1"), ("org/m-2", "org/m-3")] * 12
JOINING = ("org/m-1", "org/m-2")
NOTHING = re.compile(r"\bNone\b|\bnan\b|\binf\b")


def board(*, joined: bool = False) -> Board:
    pairs = [*PAIRS, JOINING] if joined else PAIRS
    return Board(roster_of(FIVE), Records([vote(place, *pair, "aab"[place % 3]) for place, pair in enumerate(pairs)]))


@pytest.mark.parametrize("method", ["rating", "bt", "davidson"])
def test_rows_have_ratings_and_open_ranks_and_nothing_else(method: str) -> None:
    rated = [row for row in board().leaderboard("", method)["rows"] if row["battles"]]
    assert len(rated) == 4
    for row in rated:
        assert row["rating"] is not None
        assert [row[key] for key in ("low", "high", "tier", "best")] == [None] * 4
        assert row["rank_high"] - row["rank_low"] >= 2
    for row in board(joined=True).leaderboard("", method)["rows"]:
        assert (row["low"] is None) == (row["tier"] is None) == (not row["battles"])


@pytest.mark.parametrize("method", ["rating", "bt", "davidson", "elo"])
def test_every_format_writes_it(method: str) -> None:
    report = board_report(board(), "", method)
    for form in FORMATS if method in ("rating", "elo") else [form for form in FORMATS if form != "html"]:
        found = board_export(report, form).decode("utf-8")
        assert not NOTHING.search(found), form
        assert "Ada" in found
        if form == "json" and method != "elo":
            assert {row["low"] for row in json.loads(found)["rows"]} == {None}
    if method != "elo":
        said = " ".join(board_export(report, "methods").decode("utf-8").split())
        assert "ratings have no intervals, there are no tiers" in said
        assert "Intervals of ratings are" not in said
        assert "have no intervals" not in board_export(board_report(board(joined=True)), "methods").decode("utf-8")


def test_the_page_and_every_lens_show_it() -> None:
    votes = board().votes("")
    charts, history = look(votes, ChartsLens()), look(votes, HistoryLens(Method.RATING))
    assert isinstance(charts, ChartsView)
    assert [(bar.rating.low, bar.rating.high, bar.tier) for bar in charts.ratings] == [(None, None, None)] * 4
    assert not any(point.rating.low or point.dominated for point in charts.size)
    assert isinstance(history, HistoryView)
    # After the first vote one pair is all there is; since the second there are two groups.
    later = [end for series in history.series for end in (*series.low[1:], *series.high[1:])]
    assert later
    assert set(later) == {None}
    for by in GroupBy:
        groups = look(votes, GroupsLens(by))
        assert isinstance(groups, GroupsView)
        assert all(row.rating.low is None for group in groups.groups for row in group.rows)
    for ties in TieRule:
        for prior in (True, False):
            filtered = look(votes, WhatIfLens(ties=ties, prior=prior))
            assert isinstance(filtered, WhatIfView)
            if prior:
                assert all(line.row.low is None and line.row.tier is None for line in filtered.rows)
    pairs = look(votes, PairsLens())
    assert isinstance(pairs, PairsView)
    assert any("nothing is known between them" in each.sentence for each in pairs.neighbours)
    look(votes, AuditLens())
