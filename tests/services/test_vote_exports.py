"""Votes in other programs' formats: what is in them, what counts, and that nothing private leaves with ``--public``."""

import csv
import gzip
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zstandard
from pyarrow import parquet

from arena_desktop.domain.policy import Exclusion, Policy, policy_json
from arena_desktop.domain.reading import countable
from arena_desktop.errors import ArenaError, UsageError
from arena_desktop.ratings import EloStore
from arena_desktop.services.board import Board
from arena_desktop.services.board_pool import elo_store
from arena_desktop.services.exchange import VoteFilter, export_votes, verify_files
from arena_desktop.services.vote_export import FORMATS, TABLES
from arena_desktop.services.vote_exports.dictionary import columns
from arena_desktop.store.vote_log import VoteLog
from tests.helpers.rich_logs import BOB, RICH_ROSTER, SECRETS, rich_log

TEXTS = [name for name in FORMATS if name != "parquet"]
WHY_NOT = {
    "retracted": 1,
    "silent": 1,
    "another question": 1,
    "model not in the roster": 3,
    "missing fields": 1,
    "conflict": 2,
    "time is not canonical": 1,
}


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Iterator[VoteLog]:
    with rich_log(tmp_path_factory.mktemp("rich")) as log:
        yield log


def _export(log: VoteLog, path: Path, form: str, **options: Any) -> Any:
    return export_votes(log, path, **{"form": form, "roster": RICH_ROSTER, **options})


def _rows(data: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(data.decode(), newline=""), strict=True))


def _content(path: Path) -> bytes:
    """All that a file says: unpacked, and of Parquet its values, too."""
    raw = path.read_bytes()
    if path.name.endswith(".gz"):
        return raw + gzip.decompress(raw)
    if path.name.endswith(".zst"):
        return raw + zstandard.ZstdDecompressor().decompressobj().decompress(raw)
    if path.name.endswith(".parquet"):
        return raw + repr(parquet.read_table(path).to_pylist()).encode()
    return raw


@pytest.mark.parametrize("name", [*TEXTS, "parquet.parquet", "jsonl.gz", "csv.zst", "jsonl.zst", "csv.gz"])
def test_nothing_private_leaves_with_a_public_export(log: VoteLog, tmp_path: Path, name: str) -> None:
    form = name.partition(".")[0]
    _export(log, tmp_path / f"whole.{name}", form, dictionary=tmp_path / "whole.json" if form in TABLES else None)
    _export(log, tmp_path / f"public.{name}", form, public=True)
    whole, public = _content(tmp_path / f"whole.{name}"), _content(tmp_path / f"public.{name}")
    there = [secret for secret in SECRETS if secret.encode() in whole]
    of_a_log, of_a_table = list(SECRETS), list(SECRETS[:6])
    assert there == (of_a_log if form == "jsonl" else of_a_table if form in TABLES else [])
    assert not [secret for secret in SECRETS if secret.encode() in public]
    assert b"own:0123456789ab" in public or form == "state2"
    if form == "jsonl":
        assert verify_files([tmp_path / f"public.{name}"]).ok
        assert verify_files([tmp_path / f"whole.{name}"]).ok


@pytest.mark.parametrize("form", FORMATS)
def test_the_same_votes_count_in_every_format(log: VoteLog, tmp_path: Path, form: str) -> None:
    report = _export(log, tmp_path / "out", form)
    if form == "jsonl":
        assert (report.records, report.left_out) == (log.count(), {})
        return
    assert report.left_out == WHY_NOT
    assert report.records == 8 + (sum(WHY_NOT.values()) if form in TABLES else 0)


def test_a_table_marks_what_does_not_count(log: VoteLog, tmp_path: Path) -> None:
    _export(log, tmp_path / "out.csv", "csv")
    rows = _rows((tmp_path / "out.csv").read_bytes())
    assert [row["counts"] for row in rows].count("TRUE") == 8
    for reason, number in WHY_NOT.items():
        found = [row for row in rows if row["why_not"] == reason]
        assert len(found) == number
        assert all(row["counts"] == "FALSE" for row in found)
    (gone,) = (row for row in rows if row["why_not"] == "retracted")
    assert gone["retraction_reason"] == "mistake"
    assert gone["retracted_at"] > gone["at"]
    assert {row["retracted_at"] for row in rows if row is not gone} == {""}
    by_id = {record["id"]: record for record in log.records()}
    for row in rows:
        record = by_id[row["vote_id"]]
        assert row["listener"] == (record.get("listener") or "")
        winner = {"a": row["model_a"], "b": row["model_b"]}.get(row["vote"], "")
        assert row["winner"] == winner
        assert row["score_a"] == {"a": "1", "b": "0", "tie": "0.5", "both_bad": "0.5"}[row["vote"]]
    (study,) = (row for row in rows if row["study_id"] == "pilot" and row["counts"] == "TRUE")
    assert (study["study_trial"], study["study_kind"], study["listener"]) == ("4", "test", BOB)
    (legacy,) = (row for row in rows if row["source_label"] == "club")
    assert (legacy["source_label"], legacy["source_index"], legacy["station_id"]) == ("club", "0", "")


def test_values_of_another_type_are_counted_and_left_empty(log: VoteLog, tmp_path: Path) -> None:
    report = _export(log, tmp_path / "out.csv", "csv")
    assert report.odd == {"at": 1, "rt_ms": 1, "heard_a": 1}


def test_no_cell_is_a_formula_and_every_text_can_be_had_back(log: VoteLog, tmp_path: Path) -> None:
    _export(log, tmp_path / "out.csv", "csv")
    rows = _rows((tmp_path / "out.csv").read_bytes())
    texts = {column.name for column in columns(public=False) if column.type in ("text", "factor", "time")}
    cells = [cell for row in rows for key, cell in row.items() if key in texts]
    assert not [cell for cell in cells if cell.lstrip().startswith(("=", "+", "-", "@"))]
    (hostile,) = (row for row in rows if row["model_a"].startswith("'="))
    assert hostile["model_a"].removeprefix("'") == "=cmd|'/c calc'!A0"
    assert hostile["prompt_text"].removeprefix("'") == '-5 °C,\n"so" he said\r\n\''


def test_parquet_is_the_same_table_with_types(log: VoteLog, tmp_path: Path) -> None:
    report = _export(log, tmp_path / "out.parquet", "parquet")
    _export(log, tmp_path / "out.csv", "csv")
    table = parquet.read_table(tmp_path / "out.parquet")
    rows = _rows((tmp_path / "out.csv").read_bytes())
    assert table.num_rows == len(rows) == report.records
    assert table.column_names == list(rows[0])
    types = {field.name: str(field.type) for field in table.schema}
    assert types["at"] == "timestamp[us, tz=UTC]"
    assert types["model_a"].startswith("dictionary<values=string")
    assert (types["counts"], types["rt_ms"], types["heard_a"], types["prompt_text"]) == (
        "bool", "int64", "double", "string",
    )  # fmt: skip
    for typed, row in zip(table.to_pylist(), rows, strict=True):
        for key, value in typed.items():
            cell = row[key]
            if value is None:
                assert cell == ""
            elif isinstance(value, bool):
                assert cell == str(value).upper()
            elif isinstance(value, (int, float)):
                assert float(cell) == value
            elif isinstance(value, str):
                assert cell.removeprefix("'") == value.removeprefix("'")
            else:
                assert cell == value.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def test_a_fit_from_the_pairs_is_our_rating(log: VoteLog, tmp_path: Path) -> None:
    _export(log, tmp_path / "pairs.csv", "pairs")
    pairs = [row for row in _rows((tmp_path / "pairs.csv").read_bytes()) if row["arena"] == "english"]
    assert list(pairs[0]) == [
        "player1", "player2", "win1", "tie", "win2", "first", "listener", "item", "arena", "both_bad",
    ]  # fmt: skip
    assert all(int(row["win1"]) + int(row["tie"]) + int(row["win2"]) == 1 for row in pairs)
    assert [(row["tie"], row["both_bad"]) for row in pairs].count(("1", "1")) == 1
    rows = Board(RICH_ROSTER, log, silent=False).leaderboard("english", "rating")["rows"]
    ours = {row["repo_id"]: row["rating"] for row in rows}
    # As any program does it: a logistic fit, with one more player that each has met in four draws.
    names = [*sorted(ours), "anchor"]
    games = [(row["player1"], row["player2"], float(row["win1"]) + float(row["tie"]) / 2) for row in pairs]
    games += [(name, "anchor", 0.5) for name in ours for _ in range(4)]
    design = np.zeros((len(games), len(names)))
    for place, (one, other, _) in enumerate(games):
        design[place, names.index(one)], design[place, names.index(other)] = 1.0, -1.0
    design, score = design[:, :-1], np.array([score for _, _, score in games])
    strength = np.zeros(len(ours))
    for _ in range(50):
        expected = 1.0 / (1.0 + np.exp(-design @ strength))
        weight = expected * (1.0 - expected)
        strength += np.linalg.solve(design.T @ (design * weight[:, None]), design.T @ (score - expected))
    ratings = strength * 400.0 / np.log(10.0)
    ratings += 1000.0 - ratings.mean()
    assert ratings.tolist() == pytest.approx([ours[name] for name in names[:-1]], abs=1e-6)


def test_lmarena_rows_say_what_three_programs_read(log: VoteLog, tmp_path: Path) -> None:
    _export(log, tmp_path / "out.jsonl", "lmarena")
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()]
    assert {row["winner"] for row in rows} == {"model_a", "model_b", "tie"}
    (bad,) = (row for row in rows if row["both_bad"])
    assert (bad["winner"], bad["judge"], bad["voter_id"]) == ("tie", BOB, BOB)
    assert all(isinstance(row["tstamp"], (int, float)) for row in rows)
    by_id = {record["id"]: record for record in log.records()}
    for row in rows:
        record = by_id[row["question_id"]]
        assert (row["model_a"], row["model_b"]) == (record["model_a"]["repo_id"], record["model_b"]["repo_id"])
        assert row["arena"] == record["arena"]


def test_the_state_is_live_elo_and_loads_again(log: VoteLog, tmp_path: Path) -> None:
    _export(log, tmp_path / "state.json", "state2")
    state = json.loads((tmp_path / "state.json").read_text(encoding="utf-8"))
    models = [
        {
            "repo_id": spec.repo_id,
            "name": spec.name,
            "params": spec.params,
            "params_m": spec.params_m,
            "tts_index": spec.tts_index,
        }
        for spec in RICH_ROSTER.models.values()
    ]
    loaded = EloStore.from_dict(state, models, {arena.id: arena.models for arena in RICH_ROSTER.arenas.values()})
    board = Board(RICH_ROSTER, log, silent=False)
    replayed = elo_store(RICH_ROSTER)
    reading = countable(log.records(), silent=False)
    replayed.replay(
        vote for vote in reading.votes if (vote.get("conditions") or {}).get("question") != "Which is cuter?"
    )
    for arena in RICH_ROSTER.arenas:
        assert loaded.rows(arena) == board.leaderboard(arena, "elo")["rows"] == replayed.rows(arena)
        assert loaded.pairs(arena) == replayed.pairs(arena)


@pytest.mark.parametrize("form", FORMATS)
def test_a_filter_holds_in_every_format(log: VoteLog, tmp_path: Path, form: str) -> None:
    chosen = VoteFilter(arena="german")
    report = _export(log, tmp_path / "out", form, chosen=chosen)
    assert report.records == 2
    assert report.filter == {"arena": "german"}
    assert report.left_out == {}
    if form == "state2":
        state = json.loads((tmp_path / "out").read_bytes())
        assert not any(model["battles"] for model in state["arenas"]["english"]["models"].values())


def test_silent_votes_count_where_they_are_asked_for(log: VoteLog, tmp_path: Path) -> None:
    assert _export(log, tmp_path / "out", "pairs", silent=True).records == 9


POLICY = Policy(
    aliases={"x/gone": "x/three"},
    split={"x/two": ("voice",)},
    exclusions=(Exclusion("a script", listener=BOB, arena="english"),),
    listener_cap=3,
)


def test_a_policy_is_read_as_the_boards_read_it(log: VoteLog, tmp_path: Path) -> None:
    board = Board(RICH_ROSTER, log, silent=False, policy=POLICY)
    report = _export(log, tmp_path / "state.json", "state2", policy=POLICY)
    state = json.loads((tmp_path / "state.json").read_text(encoding="utf-8"))["arenas"]
    for arena in RICH_ROSTER.arenas:
        elo = {row["repo_id"]: row["elo"] for row in board.leaderboard(arena, "elo")["rows"]}
        assert {name: model["elo"] for name, model in state[arena]["models"].items()} == elo
    assert report.left_out["excluded by policy"] == 2
    assert report.as_json()["policy"] == policy_json(POLICY)
    _export(log, tmp_path / "out.csv", "csv", policy=POLICY)
    rows = _rows((tmp_path / "out.csv").read_bytes())
    out = [(row["why_not"], row["exclusion"], row["listener"]) for row in rows if row["exclusion"]]
    assert out == [("excluded by policy", "a script", BOB)] * 2
    renamed = [row for row in rows if row["model_a"] == "x/gone" and row["counts"] == "TRUE"]
    assert {(row["competitor_a"], row["winner"]) for row in renamed} == {("x/three", "x/three")}
    assert len(renamed) == 2
    pairs = _export(log, tmp_path / "pairs.csv", "pairs", policy=POLICY)
    assert pairs.records == report.records == sum(row["counts"] == "TRUE" for row in rows)
    assert "x/gone" not in (tmp_path / "pairs.csv").read_text(encoding="utf-8")
    assert "cap on each listener is not in this file" in pairs.notes[0]
    whole = _export(log, tmp_path / "log.jsonl", "jsonl", policy=POLICY)
    assert (whole.records, whole.as_json()["policy"]) == (log.count(), None)


@pytest.mark.parametrize("form", FORMATS)
def test_whoever_stops_an_export_finds_the_old_file(log: VoteLog, tmp_path: Path, form: str) -> None:
    class Enough(Exception):
        pass

    def stop(done: int) -> None:
        raise Enough

    (tmp_path / "out").write_text("old", encoding="utf-8")
    with pytest.raises(Enough):
        _export(log, tmp_path / "out", form, progress=stop)
    assert [(path.name, path.read_text(encoding="utf-8")) for path in tmp_path.iterdir()] == [("out", "old")]


def test_what_can_not_be_asked_for(log: VoteLog, tmp_path: Path) -> None:
    with pytest.raises(ArenaError, match="packs itself"):
        _export(log, tmp_path / "out.parquet.gz", "parquet")
    with pytest.raises(UsageError, match="no columns"):
        _export(log, tmp_path / "out", "jsonl", dictionary=tmp_path / "d")
    with pytest.raises(UsageError, match="both"):
        _export(log, tmp_path / "out", "csv", dictionary=tmp_path / "out")
    with pytest.raises(ArenaError, match="the vote log itself"):
        _export(log, tmp_path / "out", "csv", dictionary=log.database.path)
    assert list(tmp_path.iterdir()) == []


def test_without_pyarrow_it_says_how_to_get_it(log: VoteLog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(ArenaError, match=r"pip install 'arena-desktop\[parquet\]'"):
        _export(log, tmp_path / "out", "parquet")
    assert list(tmp_path.iterdir()) == []


def test_a_dictionary_describes_its_table(log: VoteLog, tmp_path: Path) -> None:
    _export(log, tmp_path / "out.csv", "csv", public=True, dictionary=tmp_path / "d.json")
    said = json.loads((tmp_path / "d.json").read_bytes())
    header = next(csv.reader(io.StringIO((tmp_path / "out.csv").read_text(encoding="utf-8"), newline="")))
    assert [column["name"] for column in said["columns"]] == header
    assert (said["export"]["file"], said["export"]["log_hash"]) == ("out.csv", log.log_hash())
    assert said["export"]["left_out"] == WHY_NOT
