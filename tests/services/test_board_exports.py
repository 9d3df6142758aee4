"""A board in every format: the same numbers, harmless names, where it comes from, nothing that isn't known."""

import csv
import io
import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena_desktop.errors import ArenaError, UsageError
from arena_desktop.services.actions import BOARD_FORMATS
from arena_desktop.services.board import Board
from arena_desktop.services.exports import (
    FORMATS,
    BoardReport,
    as_csv,
    as_latex,
    as_markdown,
    board_export,
    board_report,
    suggested_name,
)
from arena_desktop.services.exports.plain import one_line
from tests.helpers.boards import HOSTILE, Records, board_of, roster_of, vote

METHODS = ("rating", "elo", "bt", "davidson")
FIVE = ("Ada", "Bob", "Cleo", "Dan", "Eve")


def text(report: BoardReport, form: str) -> str:
    return board_export(report, form).decode("utf-8")


def csv_rows(report: BoardReport) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text(report, "csv"), newline=""), strict=True))


# The page replays the history of every method, which takes its time: elsewhere it is written by each.
WRITTEN = [(form, method) for method in METHODS for form in FORMATS if form != "html" or method == "rating"]


@pytest.mark.parametrize(("form", "method"), WRITTEN)
def test_every_format_says_where_the_board_comes_from(form: str, method: str) -> None:
    report = board_report(board_of(FIVE, 60), "", method)
    found = text(report, form)
    origin = report.provenance
    for needed in (origin.log_hash, origin.roster_hash, origin.rules, "Which?"):
        assert needed in found
    name = suggested_name(report, form)
    command = (
        "arena-desktop --roster models.yaml leaderboard"
        f" --arena english --method {method} --from votes.jsonl --format {form} -o {name}"
    )
    assert command in found
    assert form in ("json", "csv") or f"models.yaml is the whole roster, hash {origin.roster_hash[:12]}" in _bare(found)
    assert len(re.findall(r"\b60 votes\b|\"votes\"\"?: 60", found)) >= 1


def _bare(found: str) -> str:
    return re.sub(r"\\", "", found)


def test_a_board_with_silent_votes_is_made_again_with_silent_votes() -> None:
    report = board_report(board_of(FIVE, 10, silent=True))
    assert "arena-desktop --roster models.yaml --silent leaderboard" in text(report, "md")


@pytest.mark.parametrize("method", METHODS)
def test_json_and_csv_hold_the_same_rows(method: str) -> None:
    board = board_of(FIVE, 200)
    report = board_report(board, "", method)
    found = json.loads(text(report, "json"))
    assert list(found) == [
        "schema", "arena", "method", "rules", "log_hash", "roster_hash", "policy_hash", "policy", "conditions",
        "recompute", "rows",
    ]  # fmt: skip
    exact = board.leaderboard("", method)
    assert {key: found[key] for key in exact if key != "rows"} == {key: exact[key] for key in exact if key != "rows"}
    for row, known, cells in zip(found["rows"], exact["rows"], csv_rows(report), strict=True):
        assert list(row) == list(known)
        for key, value in _flat(row).items():
            known_value = _flat(known)[key]
            if isinstance(value, float):
                assert value == pytest.approx(known_value, abs=1e-4 if key == "best" else 1e-6)
                assert float(cells[key]) == pytest.approx(value, abs=1e-6)
            else:
                assert value == known_value
                assert cells[key] == ("" if value is None else str(value))
        assert cells["log_hash"] == found["log_hash"]
        assert json.loads(cells["conditions"]) == found["conditions"]


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in row.items():
        flat |= {f"{key}_{part}": item for part, item in value.items()} if isinstance(value, dict) else {key: value}
    return flat


def test_csv_is_rfc_4180() -> None:
    raw = board_export(board_report(board_of(HOSTILE, 80)), "csv")
    assert not raw.startswith(b"\xef\xbb\xbf")
    rows = list(csv.reader(io.StringIO(raw.decode("utf-8"), newline=""), strict=True))
    assert len({len(row) for row in rows}) == 1
    assert len(rows) == 1 + len(HOSTILE)
    assert raw.endswith(b"\r\n")


@pytest.mark.parametrize(
    "name", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", " =1", "＝1", "－1", "＋1", "＠x"]
)
def test_a_spreadsheet_takes_no_name_for_a_formula(name: str) -> None:
    rows = csv_rows(board_report(board_of((name, "plain"), 6)))
    cells = [cell for row in rows for cell in row.values()]
    assert not [cell for cell in cells if cell.strip().startswith(("=", "@", "+", "＝", "＋", "－", "＠"))]
    assert {row["name"] for row in rows} == {f"'{name}", "plain"}


def test_negative_numbers_stay_numbers() -> None:
    assert as_csv.cell(-12.5) == "-12.500000"
    assert as_csv.cell(-3) == "-3"
    assert as_csv.cell("-3") == '"\'-3"'
    assert as_csv.cell(None) == ""


@given(st.text())
def test_any_text_comes_back_from_a_cell(value: str) -> None:
    read = next(csv.reader(io.StringIO(as_csv.cell(value) + ',"end"\r\n', newline=""), strict=True))
    assert len(read) == 2
    assert not read[0].lstrip(" ").startswith(("=", "+", "-", "@", "\t", "\r", "\n"))
    if value.isprintable():
        assert read[0].removeprefix("'") == value


@given(st.text())
def test_markdown_takes_nothing_of_a_name_for_markup(name: str) -> None:
    found = as_markdown.escaped(name)
    assert "\n" not in found
    assert not re.search(r"(?<!\\)(?:\\\\)*[|`*_<\[]", found)
    assert re.sub(r"\\(.)", r"\1", found) == one_line(name)
    assert "\n" not in as_markdown.code(name)


@given(st.text())
def test_latex_takes_nothing_of_a_name_for_a_command(name: str) -> None:
    found = as_latex.escaped(name)
    plain = re.sub(r"\\[{}$&#%_]", "", found)
    assert not re.search(r"[$&#%_^~]", re.sub(r"\\[\^~]\{|\\otherscript\{[^}]*\}", "{", plain))
    assert plain.count("{") == plain.count("}")


def test_latex_sets_names_of_many_scripts() -> None:
    assert as_latex.escaped("Łódź Ærø ü–") == r"\L{}\'{o}d\'{z} \AE{}r\o{} \"{u}\textendash{}"
    assert as_latex.escaped("a_b 50% #1") == r"a\_b 50\% \#1"
    assert as_latex.escaped("声 x") == r"\otherscript{声}{U+58F0} x"
    found = text(board_report(board_of(("声", "plain"), 6)), "tex")
    assert r"\DeclareRobustCommand{\otherscript}" in found
    assert found.index(r"\toprule") < found.index(r"\midrule") < found.index(r"\bottomrule")


def test_markdown_has_one_table_of_equal_rows() -> None:
    lines = text(board_report(board_of(HOSTILE, 80)), "md").splitlines()
    table = [line for line in lines if line.startswith("|")]
    assert len(table) == 2 + len(HOSTILE)
    assert len({len(re.findall(r"(?<!\\)\|", line.replace("\\\\", ""))) for line in table}) == 1


@pytest.mark.parametrize("form", ["table", "md", "tex", "methods"])
def test_no_name_steers_a_terminal_or_turns_the_writing(form: str) -> None:
    found = text(board_report(board_of(HOSTILE, 80)), form)
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]", found)
    assert "[31mred" in found.replace(r"\[", "[")  # the name itself is there, without what would colour the terminal


def one_vote() -> Board:
    return Board(roster_of(FIVE), Records([vote(0, "org/m-0", "org/m-1", "a")]))


def islands() -> Board:
    pairs = [("org/m-0", "org/m-1"), ("org/m-2", "org/m-3")] * 6
    return Board(roster_of(FIVE), Records([vote(place, *pair, "a") for place, pair in enumerate(pairs)]))


def only(outcome: str) -> Callable[[], Board]:
    return lambda: Board(roster_of(FIVE), Records([vote(n, "org/m-0", "org/m-1", outcome) for n in range(9)]))


def bare() -> Board:
    """Votes of another program, which say nothing but who won."""
    nothing = {"listener": None, "prompt": None, "conditions": None, "listening": None, "policy": None, "at": None}
    records = [vote(n, "org/m-0", "org/m-1", "ab"[n % 2], **nothing) for n in range(4)]
    for record in records:
        for key in ("station_id", "seq", "prev_hash", "private", "private_hash"):
            record.pop(key)
        record |= {"source": {"label": "", "format": "x"}, "legacy_index": 0, "original": {}}
    return Board(roster_of(FIVE), Records(records))


def sixty() -> Board:
    return board_of([f"Voice {number}" for number in range(60)], 150)


EDGES: tuple[Callable[[], Board], ...] = (
    lambda: board_of(FIVE, 0), lambda: board_of(("Alone",), 0), one_vote, islands, only("tie"), only("both_bad"),
    only("a"), bare, sixty,
)  # fmt: skip
NAMES = ("no votes", "one model", "one vote", "islands", "ties", "both bad", "perfect", "bare", "sixty")


@pytest.mark.parametrize("make", EDGES, ids=NAMES)
def test_every_format_of_every_board(make: Callable[[], Board]) -> None:
    board = make()
    for method in METHODS if make is not sixty else ("rating",):
        report = board_report(board, "", method)
        for form in FORMATS:
            if form == "html" and method == "davidson":
                continue
            found = text(report, form)
            if form != "json":
                assert not re.search(r"\bNone\b|\bnan\b|\binf\b|\bnull\b", found.replace('""question"": null', "")), (
                    form
                )
            for row in report.rows:
                assert str(row["repo_id"]) in found.replace("-{}", "-")


@pytest.mark.parametrize("make", EDGES, ids=NAMES)
def test_a_rank_never_stands_without_its_range(make: Callable[[], Board]) -> None:
    report = board_report(make())
    ranges = ["–" if row["rank"] is None else _range(row) for row in report.rows]
    lines = text(report, "md").splitlines()
    head = next(line for line in lines if line.startswith("| model"))
    place = head.split(" | ").index("rank range")
    rows = [line for line in lines if line.startswith("|")][2:]
    assert [row.split(" | ")[place] for row in rows] == ranges
    for row in csv_rows(report):
        assert (row["rank"] == "") == (row["rank_low"] == "") == (row["rank_high"] == "")


def _range(row: Any) -> str:
    return f"{row['rank_low']}" if row["rank_low"] == row["rank_high"] else f"{row['rank_low']}–{row['rank_high']}"


@pytest.mark.parametrize(("form", "method"), [pair for pair in WRITTEN if pair[0] not in ("json", "html")])
def test_a_verdict_beside_another_method_says_that_it_is_that_of_rating(form: str, method: str) -> None:
    report = board_report(board_of(FIVE, 60), "", method)
    assert report.sentence.startswith("By Rating: ") == (method != "rating")
    assert ("By Rating: " in text(report, form).replace("-{}", "-")) == (method != "rating")


def test_a_range_of_one_is_named_and_told_from_a_verdict() -> None:
    one = {"listener": "l-aaaaaaaaaaaaaaaa"}
    often = [vote(place, "org/m-0", "org/m-1", "ab"[place % 4 == 0], **one) for place in range(24)]
    report = board_report(Board(roster_of(("Ada", "Bob")), Records(often)))
    assert (report.rows[0]["rank_low"], report.rows[0]["rank_high"]) == (1, 1)
    assert "not yet sure" in report.sentence
    for form in ("table", "md", "html", "tex", "methods"):
        assert "one look at the finished board" in text(report, form), form
        assert form == "methods" or "one number is a range of one" in text(report, form), form
    always = [vote(place, "org/m-0", "org/m-1", "a", **one) for place in range(99)]
    sure = board_report(Board(roster_of(("Ada", "Bob")), Records(always)))
    assert sure.sentence.endswith(": sure.")
    assert not [note for note in sure.notes if "one look" in note]


def test_live_elo_has_no_rank() -> None:
    report = board_report(board_of(FIVE, 50), "", "elo")
    for form in ("table", "md", "csv", "json"):
        assert not re.search(r"\brank\b", text(report, form))


def test_files_are_named_for_arena_and_method() -> None:
    report = board_report(board_of(FIVE, 5), "", "bt")
    assert suggested_name(report, "html") == "leaderboard-english-bt.html"
    assert suggested_name(report, "methods") == "methods-english-bt.txt"


def test_the_window_offers_what_there_is() -> None:
    assert {form.id: form.ending for form in BOARD_FORMATS} == {form: ending for form, (_, ending) in FORMATS.items()}


def test_an_unknown_format_is_wrong_usage() -> None:
    with pytest.raises(UsageError, match="xlsx"):
        board_export(board_report(board_of(FIVE, 5)), "xlsx")


def test_no_board_is_written_while_its_votes_are_held_back() -> None:
    board = board_of(FIVE, 5)
    board.hold_back(frozenset({"01900000-0000-7000-8000-000000000001"}))
    with pytest.raises(ArenaError, match="held back"):
        board_report(board)
    board.hold_back(frozenset())
    assert board_report(board).rows


def test_an_export_is_the_same_whoever_looks() -> None:
    board = board_of(FIVE, 0)
    records = [vote(n, "org/m-0", "org/m-1", "a", listener="l-aaaaaaaaaaaaaaaa") for n in range(9)]
    boards = [Board(board._roster, Records(records)) for _ in range(2)]
    boards[1].look_as("l-aaaaaaaaaaaaaaaa")
    texts = [[board_export(board_report(one), form) for form in FORMATS] for one in boards]
    assert texts[0] == texts[1]
    assert b"Ratings for one listener" in texts[0][0]
