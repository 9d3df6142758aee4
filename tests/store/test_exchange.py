"""Export and import: what is taken, what is skipped and why, what goes along with a picked vote."""

import hashlib
import json
import uuid
from pathlib import Path
from typing import Any

import pytest

from arena_desktop.domain.canonical import canonical, canonical_text, read_json, sha256_hex
from arena_desktop.domain.legacy import legacy_id
from arena_desktop.domain.reading import countable
from arena_desktop.domain.roster import ArenaSpec, ModelSpec, Roster
from arena_desktop.domain.times import iso_us, legacy_at, time_text
from arena_desktop.errors import ArenaError
from arena_desktop.services.exchange import (
    ImportReport,
    VoteFilter,
    export_votes,
    import_votes,
    read_votes,
    verify_files,
    verify_log,
)
from arena_desktop.store.vote_log import VoteLog
from tests.helpers.vote_logs import ROSTER, Clock, draft, foreign_record, open_log, vectors, write_lines

VOTE = {"arena": "english", "model_a": {"repo_id": "x/one"}, "model_b": {"repo_id": "x/two"}, "vote": "a"}


def _take(log: VoteLog, path: Path, records: list[Any], **options: Any) -> ImportReport:
    return import_votes(log, [write_lines(path, records)], **{"roster": ROSTER, **options})


@pytest.mark.parametrize("form", ["array", "lines", "lines with our header"])
def test_the_mixed_records(tmp_path: Path, form: str) -> None:
    mixed = vectors("mixed_import.json")
    path = tmp_path / "mixed"
    lines = [json.dumps(record) for record in mixed["records"]]
    header = '{"filter":null,"format":"arena-votes/1","records":12,"rules":"elo-1","stations":{}}'
    texts = {"array": json.dumps(mixed["records"]), "lines": "\n".join(lines)}
    path.write_text(texts.get(form, "\n".join([header, *lines])), encoding="utf-8")
    registry = mixed["registry"]
    roster = Roster(
        {model["repo_id"]: ModelSpec(model["repo_id"], model["name"]) for model in registry["models"]},
        {arena: ArenaSpec(arena, tuple(models)) for arena, models in registry["arenas"].items()},
    )
    with open_log(tmp_path / "log") as log:
        report = import_votes(log, [path], roster=roster)
        again = import_votes(log, [path], roster=roster)
        stored = list(log.records())
    offset = 2 if "header" in form else 1
    by_itself = {index: mixed["skipped"][str(index)] for index in (1, 2, 6, 7, 8, 9)}
    assert {skip.line - offset: skip.reason for skip in report.skipped} == by_itself
    assert (report.new, report.already, again.new, again.already) == (6, 0, 0, 6)
    assert (report.unknown_models, report.unknown_arenas) == (["gone/model"], ["attic"])
    assert [record["legacy_index"] for record in stored] == [0, 3, 4, 5, 10, 11]
    assert [record["original"] for record in stored] == [mixed["records"][index] for index in (0, 3, 4, 5, 10, 11)]
    reading = read_votes(path, silent=False)
    assert dict(reading.skipped) == by_itself
    assert reading.positions == [0, 3, 4, 5, 10, 11]


def test_a_legacy_record_is_kept_like_this(tmp_path: Path) -> None:
    original = {**VOTE, "cast_at": "2026-01-31T12:00:00.1234567+02:00", "note": "é"}
    with open_log(tmp_path) as log:
        _take(log, tmp_path / "f", [original], source="club")
        (record,) = log.records()
    content = {
        "type": "vote",
        "id": legacy_id("club", 0, canonical_text(original)),
        "at": "2026-01-31T10:00:00.123456Z",
        "arena": "english",
        "model_a": {"repo_id": "x/one"},
        "model_b": {"repo_id": "x/two"},
        "vote": "a",
    }
    assert record == {
        **content,
        "hash": sha256_hex(canonical(content)),
        "source": {"label": "club", "format": "jsonl"},
        "legacy_index": 0,
        "original": original,
    }


def test_the_id_of_a_legacy_record_is_made_by_the_rule() -> None:
    name = 'arena-votes/1|club|1|{"a":1}'
    digest = bytearray(hashlib.sha1(uuid.NAMESPACE_URL.bytes + name.encode()).digest()[:16])  # RFC 9562, version 5
    digest[6] = digest[6] & 0x0F | 0x50
    digest[8] = digest[8] & 0x3F | 0x80
    assert (
        legacy_id("club", 1, '{"a":1}') == str(uuid.UUID(bytes=bytes(digest))) == "96fbcd99-b949-50ce-b60b-c53c70cc9d9d"
    )


def test_same_votes_under_another_name_are_other_votes(tmp_path: Path) -> None:
    with open_log(tmp_path) as log:
        assert _take(log, tmp_path / "f", [VOTE, VOTE, VOTE]).new == 3
        preview = _take(log, tmp_path / "f", [VOTE, VOTE, VOTE, VOTE], dry_run=True)
        assert (preview.new, preview.already, log.count()) == (1, 3, 3)
        assert "--source" in " ".join(preview.notes)
        assert _take(log, tmp_path / "f", [VOTE], source="other").new == 1


def test_a_dry_run_leaves_no_trace(tmp_path: Path) -> None:
    with open_log(tmp_path) as log:
        log.append_vote(draft())
        before = (log.log_hash(), log.station_id(), log.database.rows("SELECT * FROM meta"))
        _take(log, tmp_path / "f", [VOTE, foreign_record(station_id=log.station_id())], dry_run=True)
        assert (log.log_hash(), log.station_id(), log.database.rows("SELECT * FROM meta")) == before


def test_one_unreadable_file_stops_all(tmp_path: Path) -> None:
    with open_log(tmp_path) as log:
        good = write_lines(tmp_path / "good", [VOTE])
        with pytest.raises(ArenaError, match="absent"):
            import_votes(log, [good, tmp_path / "absent"], roster=ROSTER)
        assert log.count() == 0


def test_a_wrong_hash_is_never_stored_a_right_one_always(tmp_path: Path) -> None:
    odd = foreign_record(
        vote=["?"], arena=7, seq="x", station_id={"a": 1}, model_a=None, id="A" * 8 + "-0000" * 3 + "-" + "b" * 12
    )
    wrong = {**foreign_record(), "vote": "a"}
    with open_log(tmp_path) as log:
        report = _take(log, tmp_path / "f", [odd, wrong, {**odd, "type": "changed"}])
        assert report.new == 1
        assert [(skip.line, skip.reason) for skip in report.skipped] == [
            (2, "hash does not match"),
            (3, "hash does not match"),
        ]
        assert list(log.records()) == [odd]
        assert not countable(log.records(), silent=False).votes


def test_conflicts_are_kept_exported_and_never_applied(tmp_path: Path) -> None:
    one, other = foreign_record(vote="a"), foreign_record(vote="b")
    with open_log(tmp_path) as log:
        assert not _take(log, tmp_path / "one", [one, VOTE]).conflicts
        report = import_votes(log, [write_lines(tmp_path / "two", [VOTE, other, one])], roster=ROSTER)
        (conflict,) = report.conflicts
        assert (conflict.id, conflict.files, conflict.lines) == (one["id"], [str(tmp_path / "two")] * 2, [2, 3])
        assert [record["hash"] for record in log.copies(one["id"])] == sorted([one["hash"], other["hash"]])
        reading = countable(log.records(), silent=False)
        assert [reason for _, reason in reading.skipped] == ["conflict", "conflict"]
        export_votes(log, tmp_path / "out")
        assert not _take(log, tmp_path / "three", [VOTE]).conflicts
        with pytest.raises(ArenaError, match="share the id"):
            log.append_retraction(one["id"], None, "other")
    faults = verify_files([tmp_path / "out"]).faults
    assert {fault.fault.partition(":")[0] for fault in faults} == {"fork"}


def test_copies_complete_each_other(tmp_path: Path) -> None:
    full = foreign_record()
    bare = {key: value for key, value in full.items() if key != "private"}
    with open_log(tmp_path) as log:
        _take(log, tmp_path / "f", [{**bare, "sig": "b"}])
        report = _take(log, tmp_path / "f", [{**bare, "private": {"salt": "forged"}}, {**bare, "sig": "a"}, full])
        assert (report.new, report.already) == (0, 3)
        assert any("Private parts" in note and note.endswith(": 1.") for note in report.notes)
        assert list(log.records()) == [{**full, "sig": "a"}]
        _take(log, tmp_path / "f", [{**bare, "sig": "c"}])
        assert list(log.records()) == [{**full, "sig": "a"}]


def test_nothing_private_is_taken_of_who_was_forgotten(tmp_path: Path) -> None:
    full = foreign_record()
    with open_log(tmp_path) as log:
        _take(log, tmp_path / "f", [full], forgotten={full["listener"]})
        assert [("private" in record) for record in log.records()] == [False]
        assert verify_log(log).ok


def test_a_file_shorter_than_its_header_says_is_noted(tmp_path: Path) -> None:
    with open_log(tmp_path) as log:
        for _ in range(3):
            log.append_vote(draft())
        export_votes(log, tmp_path / "out")
    lines = (tmp_path / "out").read_bytes().splitlines(keepends=True)
    (tmp_path / "short").write_bytes(b"".join(lines[:-1]))
    with open_log(tmp_path / "other") as log:
        assert "should hold 3 records" in import_votes(log, [tmp_path / "short"], roster=ROSTER).notes[0]


# --- export --------------------------------------------------------------------------------------------------------


@pytest.fixture
def rich(tmp_path: Path) -> VoteLog:
    """Votes in two arenas by two listeners, a study, retractions, and a record of a type yet to come."""
    log = open_log(tmp_path / "rich", clock=Clock())
    votes = [
        log.append_vote(draft()),
        log.append_vote(draft(arena="other", listener="l-two")),
        log.append_vote(draft(study={"id": "s1", "plan_hash": "x", "trial": 1, "kind": "main"})),
        log.append_vote(draft(arena="other")),
    ]
    log.append_retraction(votes[1]["id"], "l-two", "mistake")
    log.append_retraction(votes[0]["id"], None, "undo")
    reveal = foreign_record(type="reveal", study="s1", id="01900000-0000-7000-8000-00000000aaaa", seq=7)
    note = foreign_record(type="annotation", about=[votes[3]["id"]], id="01900000-0000-7000-8000-00000000bbbb", seq=9)
    _take(log, tmp_path / "more", [reveal, note])
    return log


@pytest.mark.parametrize(
    ("chosen", "votes", "others"),
    [
        (VoteFilter(arena="english"), [1, 3], {"retraction": 1, "reveal": 1}),
        (VoteFilter(arena="other"), [2, 4], {"retraction": 1, "annotation": 1}),
        (VoteFilter(listener="l-two"), [2], {"retraction": 1}),
        (VoteFilter(study="s1"), [3], {"reveal": 1}),
        (VoteFilter(since="2026-05-28T20:26:43.000000Z"), [3, 4], {"reveal": 1, "annotation": 1}),
        (VoteFilter(until="2026-05-28T20:26:43.000000Z"), [1, 2], {"retraction": 2}),
        (VoteFilter(arena="none"), [], {}),
    ],
)
def test_a_filter_picks_votes_and_what_speaks_of_them(
    rich: VoteLog, tmp_path: Path, chosen: VoteFilter, votes: list[int], others: dict[str, int]
) -> None:
    with rich:
        report = export_votes(rich, tmp_path / "out", chosen)
    header, *records = map(json.loads, (tmp_path / "out").read_bytes().splitlines())
    assert [record["seq"] for record in records if record["type"] == "vote"] == votes
    counts: dict[str, int] = {}
    for record in records:
        if record["type"] != "vote":
            counts[record["type"]] = counts.get(record["type"], 0) + 1
    assert counts == others
    assert header["filter"] == chosen.options()
    assert header["records"] == report.records == len(records)
    assert verify_files([tmp_path / "out"]).ok


def test_the_header_has_exactly_these_keys(rich: VoteLog, tmp_path: Path) -> None:
    with rich:
        export_votes(rich, tmp_path / "out")
        station = rich.station_id()
    first = (tmp_path / "out").read_bytes().split(b"\n")[0]
    header = json.loads(first)
    assert first == canonical(header)
    assert set(header) == {"filter", "format", "records", "rules", "stations"}
    assert (header["format"], header["rules"], header["filter"], header["records"]) == (
        "arena-votes/1",
        "elo-1",
        None,
        8,
    )
    assert header["stations"][station]["missing"] == []
    assert set(header["stations"][station]) == {"first_seq", "last_hash", "last_seq", "missing"}
    assert header["stations"]["5c0cbb54-6d3c-4f43-9a4e-000000000001"] == {
        "first_seq": 7,
        "last_hash": header["stations"]["5c0cbb54-6d3c-4f43-9a4e-000000000001"]["last_hash"],
        "last_seq": 9,
        "missing": [[1, 6], [8, 8]],
    }


def test_a_public_export_holds_nothing_private_and_verifies(tmp_path: Path) -> None:
    with open_log(tmp_path / "log") as log:
        log.append_vote(draft(prompt={"id": "own:0123456789ab", "text": "My secret.", "sha256": "dd"}))
        _take(log, tmp_path / "old", [{**VOTE, "user": "Jo"}])
        export_votes(log, tmp_path / "out", public=True)
        export_votes(log, tmp_path / "whole")
        written = (tmp_path / "out").read_text(encoding="utf-8")
        assert "My secret" not in written
        assert "Jo" not in written
        assert verify_files([tmp_path / "out"]).ok
        assert import_votes(log, [tmp_path / "out"], roster=ROSTER).already == 2
        export_votes(log, tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "whole").read_bytes()


def test_an_export_never_writes_over_the_log(tmp_path: Path) -> None:
    with open_log(tmp_path) as log, pytest.raises(ArenaError, match="the vote log itself"):
        export_votes(log, tmp_path / "votes.sqlite")


# --- reading a file without a log ------------------------------------------------------------------------------------


def test_a_file_with_our_header_reads_like_the_log(rich: VoteLog, tmp_path: Path) -> None:
    with rich:
        export_votes(rich, tmp_path / "out")
        expected = countable(rich.records(), silent=False)
    lines = (tmp_path / "out").read_bytes().splitlines(keepends=True)
    (tmp_path / "mixed up").write_bytes(b"".join([lines[0], *reversed(lines[1:]), lines[3]]))
    reading = read_votes(tmp_path / "mixed up", silent=False)
    assert reading.votes == expected.votes
    assert reading.other_records == expected.other_records == {"retraction": 2, "reveal": 1, "annotation": 1}
    assert [reason for _, reason in reading.skipped] == ["retracted", "retracted"]
    size = len(lines) - 2
    assert reading.positions == [size - place for place in expected.positions]
    assert reading.repeated == 1


def test_a_file_without_header_is_read_as_it_stands(tmp_path: Path) -> None:
    with open_log(tmp_path / "log") as log:
        first, second = log.append_vote(draft()), log.append_vote(draft(conditions={"silent": True}))
        taken = log.append_retraction(first["id"], None, "undo")
    odd = foreign_record(at=None)
    path = write_lines(tmp_path / "f", [second, taken, first, first, VOTE, VOTE, {**first, "vote": "b"}, odd])
    reading = read_votes(path, silent=False)
    assert reading.positions == [2, 3, 4, 5, 7]
    assert reading.skipped == [(0, "silent"), (6, "hash does not match")]
    assert reading.other_records == {"retraction": 1}
    assert read_votes(path, silent=True).positions == [0, 2, 3, 4, 5, 7]


# --- what counts -----------------------------------------------------------------------------------------------------


def test_a_retraction_counts_by_station_listener_or_for_legacy_votes(tmp_path: Path) -> None:
    vote = foreign_record()

    def retraction(**changes: Any) -> dict[str, Any]:
        place = {"station_id": "5c0cbb54-6d3c-4f43-9a4e-000000000009", "listener": "l-else", "seq": 5}
        return foreign_record(
            type="retraction", retracts=vote["id"], id="01900000-0000-7000-8000-00000000cccc", **{**place, **changes}
        )

    def counts(*records: dict[str, Any]) -> bool:
        return bool(countable(records, silent=False).votes)

    for step in (1, -1):
        assert counts(*[vote, retraction()][::step])
        assert not counts(*[vote, retraction(station_id=vote["station_id"])][::step])
        assert not counts(*[vote, retraction(listener=vote["listener"])][::step])
    assert counts(foreign_record(listener=None), retraction(listener=None))
    with open_log(tmp_path) as log:
        _take(log, tmp_path / "f", [VOTE])
        (old,) = log.records()
    assert not counts(old, {**retraction(), "retracts": old["id"]})
    assert countable([retraction(), vote], silent=False).not_honoured == [
        (0, "another listener's vote on another station")
    ]
    assert countable([retraction()], silent=False).not_honoured == [(0, "its vote is not here")]


def test_silent_and_sealed_votes_are_kept_apart() -> None:
    silent = foreign_record(conditions={"silent": True})
    sealed = foreign_record(
        model_a={"handle": "h1"}, model_b={"handle": "h2"}, id="01900000-0000-7000-8000-00000000dddd"
    )
    reading = countable([silent, sealed], silent=False)
    assert (reading.votes, reading.skipped, reading.sealed) == ([], [(0, "silent"), (1, "missing fields")], 1)
    assert countable([silent, sealed], silent=True).votes == [silent]


@pytest.mark.parametrize(
    "junk", [None, 3, "x", [], {}, {"type": "vote"}, {"id": [], "type": {}, "hash": 1}, {"arena": []}]
)
def test_junk_is_skipped_with_a_reason(junk: Any) -> None:
    reading = countable([junk, VOTE], silent=False, check_hashes=True)
    assert reading.positions == [1]
    assert len(reading.skipped) == 1


# --- times -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("record", "at"),
    [
        ({"at": "2026-01-31T12:00:00Z"}, "2026-01-31T12:00:00.000000Z"),
        ({"at": "2026-01-31T12:00:00"}, "2026-01-31T12:00:00.000000Z"),
        ({"at": "2026-01-31 12:00"}, "2026-01-31T12:00:00.000000Z"),
        ({"at": "2026-01-31"}, "2026-01-31T00:00:00.000000Z"),
        ({"at": "20260131T120000,5"}, "2026-01-31T12:00:00.500000Z"),
        ({"at": "2026-01-31T00:30:00+01:00"}, "2026-01-30T23:30:00.000000Z"),
        ({"at": "2026-01-31T00:30:00-0130"}, "2026-01-31T02:00:00.000000Z"),
        ({"at": "2026-01-31T12:00:00.1234569Z"}, "2026-01-31T12:00:00.123456Z"),
        ({"timestamp": 1769860800}, "2026-01-31T12:00:00.000000Z"),
        ({"timestamp": 1769860800.1234567}, "2026-01-31T12:00:00.123456Z"),
        ({"timestamp": "1769860800.5"}, "2026-01-31T12:00:00.500000Z"),
        ({"created_at": -1.5}, "1969-12-31T23:59:58.500000Z"),
        ({"at": None, "cast_at": "x", "timestamp": 0}, "1970-01-01T00:00:00.000000Z"),
        ({"at": 1, "created_at": 2}, "1970-01-01T00:00:01.000000Z"),
        ({"at": "2026-02-30"}, None),
        ({"at": "2026-01-31T24:00:00Z"}, None),
        ({"at": "2026-01-31T12:00:00+99:00"}, None),
        ({"at": "2026-01-31T12:00:00+01:77"}, None),
        ({"at": "0001-01-01T00:00:00+01:00"}, None),
        ({"at": "yesterday"}, None),
        ({"at": True}, None),
        ({"at": [1]}, None),
        ({"at": 1769860800000}, None),
        ({"at": 1e300}, None),
        ({"at": "٢٠٢٦-٠١-٣١"}, None),
        ({}, None),
    ],
)
def test_when_a_foreign_vote_was_cast(record: dict[str, Any], at: str | None) -> None:
    assert legacy_at(record) == at


def test_times_are_written_with_all_their_digits() -> None:
    assert time_text(0) == "1970-01-01T00:00:00.000000Z"
    assert time_text(-62_135_596_800_000_000) == "0001-01-01T00:00:00.000000Z"
    assert iso_us(time_text(1_234_567_890_123_456)) == 1_234_567_890_123_456
    with pytest.raises(ValueError, match="range"):
        time_text(10**20)


# --- numbers that are no integers everywhere ------------------------------------------------------------------------

LARGE = (1234567890123456789, 2**60, -(2**53), 10**19)


@pytest.mark.parametrize("number", LARGE)
def test_a_legacy_record_with_a_large_number_can_be_imported_again(tmp_path: Path, number: int) -> None:
    old = {"arena": "english", "model_a": {"repo_id": "x/one"}, "model_b": {"repo_id": "x/two"}, "vote": "a"}
    path = tmp_path / "old.jsonl"
    path.write_text(json.dumps({"vote_id": number, **old, "more": [[number], {"n": number}]}) + "\n", encoding="utf-8")
    with open_log(tmp_path / "log") as log:
        assert import_votes(log, [path], roster=ROSTER).new == 1
        again = import_votes(log, [path], roster=ROSTER)
        assert (again.new, again.already, again.skipped) == (0, 1, [])
        export_votes(log, tmp_path / "whole.jsonl")
        (record,) = log.records()
        assert record == log.record(record["id"]) == read_json(canonical(record))
        with open_log(tmp_path / "other") as other:
            assert import_votes(other, [tmp_path / "whole.jsonl"], roster=ROSTER).new == 1
            assert list(other.records()) == [record]


@pytest.mark.parametrize("number", LARGE)
def test_a_record_of_ours_with_a_large_number_is_exported_and_completed(tmp_path: Path, number: int) -> None:
    record = foreign_record(extra=float(number))
    bare = {key: value for key, value in record.items() if key != "private"}
    note = foreign_record(
        type="annotation",
        seq=2,
        id="01900000-0000-7000-8000-000000000002",
        about=record["id"],
        prev_hash=record["hash"],
        extra=float(number),
    )
    with open_log(tmp_path / "log") as log:
        import_votes(log, [write_lines(tmp_path / "a.jsonl", [bare, note])], roster=ROSTER)
        assert import_votes(log, [write_lines(tmp_path / "b.jsonl", [record])], roster=ROSTER).already == 1
        assert log.record(record["id"]) == record
        assert verify_log(log).ok
        export_votes(log, tmp_path / "public.jsonl", VoteFilter(arena="english"), public=True)
    lines = (tmp_path / "public.jsonl").read_bytes().splitlines()[1:]
    assert lines == [
        canonical({key: value for key, value in one.items() if key != "private"}) for one in (record, note)
    ]
