"""What the window's preview of an import says about files: their names, their conflicts, and what holds no votes."""

import json
from collections.abc import Sequence
from pathlib import Path
from types import MappingProxyType

from arena_desktop.domain.policy import Policy
from arena_desktop.services.exchange_views import ImportPreview
from arena_desktop.services.exchange_words import short_names
from arena_desktop.services.exchange_work import ExchangeWork
from tests.helpers.vote_logs import ROSTER, draft, foreign_record, open_log, write_lines

OTHER = "01900000-0000-7000-8000-000000000002"


def preview(folder: Path, paths: Sequence[Path]) -> ImportPreview:
    work = ExchangeWork(
        open_log=lambda: open_log(folder / "log"),
        roster=ROSTER,
        policy=lambda: Policy(),
        silent=False,
        is_own=lambda path: False,
        add_models=lambda found: [],
        load_roster=lambda: ROSTER,
    )
    try:
        return work.read([str(path) for path in paths], "", lambda done: None)
    finally:
        work.close()


def test_files_of_one_name_are_told_apart_by_their_folders() -> None:
    assert short_names(["/a/one/votes.jsonl", "/a/two/votes.jsonl", "/b/two/votes.jsonl", "/c/other.csv"]) == {
        "/a/one/votes.jsonl": "one/votes.jsonl",
        "/a/two/votes.jsonl": "a/two/votes.jsonl",
        "/b/two/votes.jsonl": "b/two/votes.jsonl",
        "/c/other.csv": "other.csv",
    }
    assert short_names(["votes.jsonl"]) == MappingProxyType({"votes.jsonl": "votes.jsonl"})


def test_skipped_lines_name_the_folder_where_names_are_alike(tmp_path: Path) -> None:
    good, files = foreign_record(), []
    for name in ("left", "right"):
        (tmp_path / name).mkdir()
        files.append(tmp_path / name / "votes.jsonl")
        write_lines(files[-1], [good, []])
    assert [skip[0] for skip in preview(tmp_path, files).skipped] == ["left/votes.jsonl", "right/votes.jsonl"]


def test_a_conflict_is_named_with_file_line_and_id(tmp_path: Path) -> None:
    one = write_lines(tmp_path / "one.jsonl", [foreign_record(vote="a")])
    two = write_lines(tmp_path / "two.jsonl", [foreign_record(id=OTHER, seq=2), foreign_record(vote="b")])
    seen = preview(tmp_path, [one, two])
    assert seen.conflicts == 1
    assert set(seen.differing) == {("one.jsonl", 1, foreign_record()["id"]), ("two.jsonl", 2, foreign_record()["id"])}


def test_a_file_without_any_vote_is_known_as_such(tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear Anna,\n\n{}\nYours\n", "utf-8")
    assert preview(tmp_path, [letter]).no_votes
    letter.write_text(f"Dear Anna,\n{json.dumps(foreign_record())}\n", "utf-8")
    assert not preview(tmp_path, [letter]).no_votes


def test_a_vote_that_was_changed_is_no_letter(tmp_path: Path) -> None:
    seen = preview(tmp_path, [write_lines(tmp_path / "edited.jsonl", [{**foreign_record(), "vote": "a"}])])
    assert seen.skipped_total == 1
    assert not seen.no_votes


def test_what_there_is_is_no_warning(tmp_path: Path) -> None:
    with open_log(tmp_path / "a") as log:
        log.append_vote(draft())
        seen = preview(tmp_path, [write_lines(tmp_path / "one.jsonl", log.records())])
    assert seen.facts[0].startswith("1 vote in ")
    assert not seen.notes
