"""Votes that other programs keep: LMArena battles, TTS Arena tables, tables of any make."""

import csv
import gzip
import io
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from arena_desktop.domain.foreign import read_mapping
from arena_desktop.errors import ArenaError, UsageError
from arena_desktop.services.vote_export import export_votes
from arena_desktop.services.vote_files import Found, found_records, read_votes
from arena_desktop.services.vote_import import import_votes
from arena_desktop.store.formats import table
from arena_desktop.store.formats.votes_file import open_votes
from tests.helpers.vote_logs import ROSTER, draft, foreign_record, open_log

BATTLE = {
    "question_id": "58210e39b3fd4441a2bd4a518bb44c2d",
    "model_a": "x/one",
    "model_b": "x/two",
    "winner": "model_b",
    "judge": "arena_user_973",
    "conversation_a": [{"content": "What?", "role": "user"}],
    "turn": 1,
    "anony": True,
    "language": "English",
    "tstamp": 1682351591.1322,
}


def _found(path: Path, *options: str, label: str = "") -> list[Found]:
    with open_votes(path, read_mapping(options)) as file:
        return list(found_records(file, label))


def _records(path: Path, *options: str, label: str = "") -> list[dict[str, Any]]:
    found = _found(path, *options, label=label)
    assert [(one.line, one.reason, one.detail) for one in found if one.record is None] == []
    return [one.record for one in found if one.record is not None]


def _write(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def _lines(records: Iterable[Any]) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


def _short(record: dict[str, Any]) -> tuple[str, str, str, str]:
    return (record["arena"], record["model_a"]["repo_id"], record["model_b"]["repo_id"], record["vote"])


# --- LMArena -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("array", [False, True])
def test_lmarena_battles(tmp_path: Path, array: bool) -> None:
    winners = ["model_a", "model_b", "tie", "tie (bothbad)", "both_bad", "tie (bothgood)"]
    battles = [{**BATTLE, "winner": winner} for winner in winners]
    path = _write(tmp_path / "f", json.dumps(battles) if array else _lines(battles))
    records = _records(path, "arena=:english", label="lm")
    assert [record["vote"] for record in records] == ["a", "b", "tie", "both_bad", "both_bad", "tie"]
    first = records[0]
    assert first["original"] == battles[0]
    assert first["source"] == {"format": "lmarena", "label": "lm"}
    assert first["at"] == "2023-04-24T15:53:11.132200Z"
    assert first["listener"].startswith("l-")
    assert len({record["listener"] for record in records}) == 1
    assert first["prompt"]["language"] == "English"
    assert [record["legacy_index"] for record in records] == list(range(6))


def test_one_of_three_columns_says_who_won(tmp_path: Path) -> None:
    text = "id,model_a,model_b,prompt,winner_model_a,winner_model_b,winner_tie\n"
    text += "1,x/one,x/two,Hi,1,0,0\n2,x/one,x/two,Hi,0,1,0\n3,x/one,x/two,Hi,0,0,1\n4,x/one,x/two,Hi,1,0,1\n"
    found = _found(_write(tmp_path / "f", text), "arena=:english")
    assert [one.record and one.record["vote"] for one in found] == ["a", "b", "tie", None]
    assert found[3].reason == "unknown vote"


def test_a_file_that_names_no_arena_is_refused_with_the_way_out(tmp_path: Path) -> None:
    path = _write(tmp_path / "f", _lines([BATTLE]))
    with open_log(tmp_path) as log, pytest.raises(ArenaError, match="--map arena=:NAME"):
        import_votes(log, [path], roster=ROSTER)


def test_battles_among_other_votes_are_recognised_one_by_one(tmp_path: Path) -> None:
    plain = {"arena": "english", "model_a": {"repo_id": "x/one"}, "model_b": {"repo_id": "x/two"}, "vote": "a"}
    path = _write(tmp_path / "f", _lines([plain, {**BATTLE, "arena": "english"}, BATTLE, 7]))
    found = _found(path)
    assert [one.record and one.record["source"]["format"] for one in found] == ["jsonl", "lmarena", None, None]
    assert [one.reason for one in found] == ["", "", "missing fields", "not an object"]


def test_the_original_arenas_records_are_never_taken_for_others(tmp_path: Path) -> None:
    odd = {"arena": "english", "model_a": "x/one", "model_b": "x/two", "vote": "a", "winner": "model_a"}
    assert [one.reason for one in _found(_write(tmp_path / "f", _lines([odd])))] == ["model is not an object"]
    extra = {
        "arena": "english", "model_a": {"repo_id": "x/one", "voice": "v"}, "model_b": {"repo_id": "x/two"},
        "vote": "a", "listener": "Anna", "prompt": "Hello",
    }  # fmt: skip
    (record,) = _records(_write(tmp_path / "f", _lines([extra])))
    assert set(record) == {
        "type", "id", "at", "arena", "model_a", "model_b", "vote", "hash", "source", "legacy_index", "original",
    }  # fmt: skip
    assert record["model_a"] == {"repo_id": "x/one"}


def test_our_own_records_are_left_alone_by_a_mapping(tmp_path: Path) -> None:
    own = foreign_record()
    assert _records(_write(tmp_path / "f", _lines([own])), "arena=:other") == [own]


# --- TTS Arena -----------------------------------------------------------------------------------------------------

FIRST = "id\tusername\tchosen\trejected\ttimestamp\n1\tu1\tx/one\tx/two\t2024-02-27 10:00:00\n"
SECOND = {
    "id": 1, "user_id": 3, "text": "Hello there.", "vote_date": "2025-04-22 18:10:25.701836", "model_chosen": "x/one",
    "model_rejected": "x/two", "model_type": "tts", "counts_for_public_leaderboard": 1,
}  # fmt: skip
THIRD = {
    "id": 2, "userId": 3, "text": "Hello there.", "createdAt": "2026-04-22T18:10:25.701Z", "chosenModelId": "x/one",
    "rejectedModelId": "x/two", "modelType": "tts", "chosenVoice": "sky", "rejectedVoice": "sun",
}  # fmt: skip
NESTED = {"chosen": {"id": "x/one", "name": "One"}, "rejected": {"id": "x/two", "name": "Two"}, "arena": "tts"}


@pytest.mark.parametrize("content", [FIRST, _lines([SECOND]), _lines([THIRD]), json.dumps([NESTED])])
def test_the_chosen_one_won(tmp_path: Path, content: str) -> None:
    (record,) = _records(_write(tmp_path / "f", content), *(["arena=:tts"] if content == FIRST else []))
    assert record["source"]["format"] == "tts-arena"
    winner = record["model_a"] if record["vote"] == "a" else record["model_b"]
    assert winner["repo_id"] == "x/one"
    assert record["arena"] == "tts"


def test_times_voices_texts_and_people_of_tts_arena(tmp_path: Path) -> None:
    (second,) = _records(_write(tmp_path / "f", _lines([SECOND])))
    (third,) = _records(_write(tmp_path / "f", _lines([THIRD])))
    assert second["at"] == "2025-04-22T18:10:25.701836Z"
    assert third["at"] == "2026-04-22T18:10:25.701000Z"
    voices = {side["repo_id"]: side["voice"] for side in (third["model_a"], third["model_b"])}
    assert voices == {"x/one": "sky", "x/two": "sun"}
    assert second["prompt"]["id"] == third["prompt"]["id"] == "text:" + second["prompt"]["id"][5:]
    assert "Hello" not in json.dumps({key: value for key, value in second.items() if key != "original"})
    assert second["listener"] == third["listener"]


def test_sides_that_nobody_kept_are_a_fair_coin(tmp_path: Path) -> None:
    records = _records(_write(tmp_path / "f", _lines({**SECOND, "id": number} for number in range(400))))
    assert 150 < sum(record["vote"] == "a" for record in records) < 250
    again = _records(_write(tmp_path / "f", _lines({**SECOND, "id": number} for number in range(400))))
    assert records == again


def test_a_table_of_counts_is_no_table_of_votes(tmp_path: Path) -> None:
    path = _write(tmp_path / "f", "spokentext\tchosen\trejected\ttimes\tlastvote\nHi\tx\ty\t14\t2024-10-14 20:20:18\n")
    with pytest.raises(ArenaError, match="is a summary"):
        _found(path, "arena=:tts")


# --- tables --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("pack", [bytes, gzip.compress, zstandard.compress])
def test_tables_of_any_make(tmp_path: Path, delimiter: str, mark: bytes, end: str, pack: Any) -> None:
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter=delimiter, lineterminator=end)
    writer.writerow(["Arena", "System A", "System B", "Winner", "note"])
    writer.writerow(["english", "x/one", "x/two", "Left", 'she said "so; then, | or\tnot"\nand left'])
    writer.writerow(["english", "x/two", "x/one", " B ", ""])
    path = _write(tmp_path / "f", pack(mark + stream.getvalue().encode()))
    first, second = _found(path)
    assert (first.line, second.line) == (2, 4)
    assert first.record is not None
    assert second.record is not None
    assert _short(first.record) == ("english", "x/one", "x/two", "a")
    assert _short(second.record) == ("english", "x/two", "x/one", "b")
    assert first.record["original"]["note"].replace("\r", "") == 'she said "so; then, | or\tnot"\nand left'
    assert first.record["source"]["format"] == "csv"


@pytest.mark.parametrize(
    ("word", "vote"),
    [
        ("A", "a"), ("model_a", "a"), ("1", "a"), ("left", "a"), ("Right", "b"), ("2", "b"), ("option_b", "b"),
        ("draw", "tie"), ("Both Good", "tie"), ("both-bad", "both_bad"), ("tie (bothbad)", "both_bad"),
    ],
)  # fmt: skip
def test_words_of_votes(tmp_path: Path, word: str, vote: str) -> None:
    (record,) = _records(_write(tmp_path / "f", f"arena,model_a,model_b,vote\nenglish,x/one,x/two,{word}\n"))
    assert record["vote"] == vote


@pytest.mark.parametrize("word", ["-1", "0", "3", "yes", "not a", "ä", "x/one"])
def test_words_that_are_no_vote_are_counted_and_not_guessed(tmp_path: Path, word: str) -> None:
    (found,) = _found(_write(tmp_path / "f", f"arena,model_a,model_b,vote\nenglish,x/one,x/two,{word}\n"))
    assert found.reason == "unknown vote"


def test_rows_that_are_none_are_skipped_with_the_reason(tmp_path: Path) -> None:
    text = b"arena,model_a,model_b,vote\nenglish,x/one,x/two,a\n\nenglish,x/one\nenglish,x/one,x/two,a,b\n"
    text += b"english,\xff,x/two,a\nenglish,,x/two,a\n,x/one,x/two,a\nenglish,x/one,x/one,a\nenglish,x/one,x/two,tie"
    found = _found(_write(tmp_path / "f", text))
    assert [(one.line, one.position, one.reason) for one in found] == [
        (2, 0, ""), (4, 1, "not an object"), (5, 2, "not an object"), (6, 3, "not an object"),
        (7, 4, "missing fields"), (8, 5, "missing fields"), (9, 6, "model against itself"), (10, 7, ""),
    ]  # fmt: skip
    assert found[1].detail == "has 2 cells where the heading has 4"
    assert found[3].detail.startswith("not UTF-8")


def test_an_open_quotation_mark_costs_a_bounded_number_of_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "MAX_ROW", 200)
    row = "english,x/one,x/two,a\n"
    path = _write(tmp_path / "f", "arena,model_a,model_b,vote\n" + row + '"' + row * 20)
    found = _found(path)
    assert "quotation mark" in found[1].detail
    assert sum(one.record is not None for one in found) == 1 + 20 - 10


def test_columns_by_hand(tmp_path: Path) -> None:
    text = "when;who;one;two;which;what\n2026-01-02 03:04;Anna;x/one;x/two;a;Good night.\n"
    path = _write(tmp_path / "f", text)
    options = ["arena=:english", "model_a=one", "model_b=TWO", "vote=which", "at=when", "listener=who", "prompt=what"]
    (record,) = _records(path, *options)
    assert _short(record) == ("english", "x/one", "x/two", "a")
    assert record["at"] == "2026-01-02T03:04:00.000000Z"
    assert "Anna" not in json.dumps({key: value for key, value in record.items() if key != "original"})
    with pytest.raises(ArenaError, match="none of its columns is known to hold model_a, model_b"):
        _found(path, "arena=:english")
    with pytest.raises(ArenaError, match=r"has no column three .* It has: when, who"):
        _found(path, "arena=:english", "model_a=three")


def test_keys_inside_objects_by_hand(tmp_path: Path) -> None:
    record = {"pair": {"left": "x/one", "right": "x/two"}, "answer": {"choice": "right"}, "set": "english"}
    options = ["arena=set", "model_a=pair.left", "model_b=pair.right", "vote=answer.choice"]
    assert _short(_records(_write(tmp_path / "f", _lines([record])), *options)[0])[3] == "b"


@pytest.mark.parametrize("option", ["", "arena", "arena=", "arena=:", "=x", "colour=x"])
def test_a_mapping_that_is_none(option: str) -> None:
    with pytest.raises(UsageError):
        read_mapping([option])
    with pytest.raises(UsageError, match="given twice"):
        read_mapping(["vote=a", "vote=b"])


def test_other_kinds_of_files_are_named(tmp_path: Path) -> None:
    for start, what in ((b"PAR1....", "Parquet"), (b"PK\x03\x04....", "ZIP archive or a spreadsheet")):
        with pytest.raises(ArenaError, match=what):
            _found(_write(tmp_path / "f", start))


# --- what becomes of them ------------------------------------------------------------------------------------------


def test_twice_is_once_and_another_mapping_is_a_conflict(tmp_path: Path) -> None:
    path = _write(tmp_path / "f", _lines([BATTLE, BATTLE]))
    with open_log(tmp_path / "log") as log:
        mapping = read_mapping(["arena=:english"])
        assert import_votes(log, [path], roster=ROSTER, mapping=mapping).new == 2
        again = import_votes(log, [path], roster=ROSTER, mapping=mapping)
        assert (again.new, again.already) == (0, 2)
        other = import_votes(log, [path], roster=ROSTER, mapping=read_mapping(["arena=:german"]), dry_run=True)
        assert len(other.conflicts) == 2


def test_people_of_one_name_in_two_logs_are_two(tmp_path: Path) -> None:
    path = _write(tmp_path / "f", _lines([BATTLE]))
    one, other = (_records(path, "arena=:english", label=label)[0] for label in ("x", "y"))
    assert one["listener"] != other["listener"]
    assert one["id"] != other["id"]


def test_boards_and_replays_read_them_as_well(tmp_path: Path) -> None:
    path = _write(tmp_path / "f", _lines([{**BATTLE, "arena": "english"}] * 3))
    reading = read_votes(path, silent=False)
    assert [vote["vote"] for vote in reading.votes] == ["b", "b", "b"]


_cells = st.text(st.characters(codec="utf-8", exclude_characters="\0\r"), max_size=8)


@settings(max_examples=150)
@given(rows=st.lists(st.lists(_cells, min_size=6, max_size=6), max_size=5), delimiter=st.sampled_from(",;\t|"))
def test_any_row_gives_its_cells_back(
    tmp_path_factory: pytest.TempPathFactory, rows: list[list[str]], delimiter: str
) -> None:
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter=delimiter, lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writerow(["arena", "model_a", "model_b", "vote", "listener", "text"])
    writer.writerows(rows)
    path = tmp_path_factory.getbasetemp() / "any-row"
    path.write_bytes(stream.getvalue().encode())
    with open_votes(path) as file:
        assert [list((entry.original or {}).values()) for entry in file.entries()] == rows


# --- what we export ourselves --------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["csv", "pairs", "lmarena"])
def test_our_own_tables_come_back_as_the_votes_that_counted(tmp_path: Path, form: str) -> None:
    with open_log(tmp_path / "log") as log:
        for vote in ("a", "b", "tie", "both_bad", "a"):
            asked = {**draft()["conditions"], "question": ROSTER.arenas["english"].question}
            last = log.append_vote(draft(vote=vote, conditions=asked))
        log.append_retraction(last["id"], last["listener"], "mistake", None)
        export_votes(log, tmp_path / "table", form=form, roster=ROSTER)
        sent = [_short(record) for record in log.records() if record["type"] == "vote"][:4]
        times = [record["at"] for record in log.records()][:4]
    found = _found(tmp_path / "table")
    back = [one.record for one in found if one.record is not None]
    assert [_short(record) for record in back] == sent
    assert {record["listener"] for record in back} == {"l-aaaaaaaaaaaaaaaa"}
    assert {record["prompt"]["id"] for record in back} == {"en-short-001"}
    if form != "pairs":
        assert [record["at"] for record in back] == times
    if form == "csv":
        assert ["retracted" in one.detail for one in found] == [False] * 4 + [True]
        with open_votes(tmp_path / "table") as file:
            assert "votes export" in file.note
