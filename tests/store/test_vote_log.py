"""What the log writes, in which order, and what it refuses."""

import hashlib
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena_desktop.domain.canonical import canonical_text, private_hash, record_hash
from arena_desktop.domain.reading import countable
from arena_desktop.domain.times import DAY_US, canonical_us, time_text
from arena_desktop.errors import ArenaError
from arena_desktop.services.board import Board
from arena_desktop.services.exchange import export_votes, import_votes, verify_log
from arena_desktop.store import stations
from arena_desktop.store.database import Database
from arena_desktop.store.vote_log import VoteLog
from tests.helpers.vote_logs import (
    ROSTER,
    START_US,
    Clock,
    counting_entropy,
    draft,
    foreign_record,
    open_log,
    unguard,
    write_lines,
)

GOLDEN = (
    '{"app_version":"0.1","arena":"english","at":"2026-05-28T20:26:41.000000Z","conditions":{"autoplay":null,'
    '"gate":0.9,"playback":null,"question":"Which?","reveal":"each","silent":false,"target_lufs":-23,'
    '"text_hidden":null},"hash":"HASH","id":"019e7044-8be8-7000-8000-000000000000","levels":{"gain_a_db":null,'
    '"gain_b_db":null},"listener":"l-aaaaaaaaaaaaaaaa","listening":{"first_played":"a","heard_a":0.9877,"heard_b":1,'
    '"opened_at":null,"plays_a":null,"plays_b":null,"rate":null,"reveals_before":0,"rt_ms":812,"switches":null,'
    '"underflows":null,"volume_db":null},"model_a":{"clip_sha256":"aa","device":"cpu","dtype":null,"engine":null,'
    '"engine_version":null,"name":"One","reference_sha256":null,"repo_id":"x/one","revision":null,"rtf":0.1235,'
    '"settings_hash":null,"take":0,"voice":null,"weights_hash":null},"model_b":{"clip_sha256":"bb","device":"cpu",'
    '"dtype":null,"engine":null,"engine_version":null,"name":"Two","reference_sha256":null,"repo_id":"x/two",'
    '"revision":null,"rtf":1,"settings_hash":null,"take":0,"voice":null,"weights_hash":null},"policy":{"pair":'
    '"uniform","probability":"3.33333333e-01","seed":"7"},"prev_hash":"","private":{"clip_a_sha256":null,'
    '"clip_b_sha256":null,"device":null,"note":null,"salt":"00000000000000000000000000000001","text":null,'
    '"text_sha256":null},"private_hash":"PRIVATE","prompt":{"category":"short","id":"en-short-001",'
    '"language":"en","sha256":"cc","text":"Good night."},"rules":"elo-1","seq":1,"session_id":'
    '"1b4e28ba-2fa1-41d2-883f-0016d3cca427","station_id":"STATION","study":null,"type":"vote","vote":"a"}'
)


@pytest.fixture
def log(tmp_path: Path) -> Iterator[VoteLog]:
    with open_log(tmp_path / "data") as opened:
        yield opened


def test_the_bytes_of_a_vote_are_these(tmp_path: Path) -> None:
    with VoteLog(Database(tmp_path / "v.sqlite"), here="x", clock=Clock(), entropy=counting_entropy()) as log:
        record = log.append_vote(draft())
        stored = [text.decode() for _, text in log.texts()]
    expected = GOLDEN.replace("HASH", record["hash"]).replace("PRIVATE", record["private_hash"])
    assert stored == [expected.replace("STATION", record["station_id"])]
    assert record["hash"] == record_hash(record)
    assert record["private_hash"] == private_hash(record["private"])


def test_votes_and_retractions_form_one_chain(log: VoteLog) -> None:
    first, second = log.append_vote(draft()), log.append_vote(draft(vote="tie"))
    third = log.append_retraction(first["id"], first["listener"], "mistake", "a slip")
    assert [record["seq"] for record in (first, second, third)] == [1, 2, 3]
    assert [record["prev_hash"] for record in (first, second, third)] == ["", first["hash"], second["hash"]]
    assert len({record["station_id"] for record in (first, second, third)}) == 1
    assert set(third) == {
        "type", "id", "station_id", "seq", "at", "listener", "retracts", "reason", "private_hash", "private",
        "prev_hash", "hash",
    }  # fmt: skip
    assert third["private"]["note"] == "a slip"
    assert list(log.records()) == [first, second, third]
    assert verify_log(log).ok


def test_own_text_leaves_the_public_part(log: VoteLog) -> None:
    record = log.append_vote(draft(prompt={"id": "own:0123456789ab", "text": "My secret.", "sha256": "dd"}))
    private = record.pop("private")
    assert (private["text"], private["text_sha256"]) == ("My secret.", "dd")
    assert (private["clip_a_sha256"], private["clip_b_sha256"]) == ("aa", "bb")
    public = canonical_text(record)
    assert not any(secret in public for secret in ("My secret.", '"dd"', '"aa"', '"bb"'))


@pytest.mark.parametrize(
    "changes",
    [
        {"vote": "draw"},
        {"arena": None},
        {"model_b": {"repo_id": "x/one"}},
        {"model_a": {}},
        {"surprise": 1},
        {"levels": {"gain": 1.0}},
        {"levels": {"gain_a_db": float("nan")}},
        {"levels": {"gain_a_db": 1e300}},
    ],
)
def test_a_draft_that_is_no_vote_is_a_bug_and_writes_nothing(log: VoteLog, changes: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"."):
        log.append_vote(draft(**changes))
    assert log.count() == 0
    assert log.append_vote(draft())["seq"] == 1


def test_a_vote_is_the_last_though_the_clock_went_back(tmp_path: Path) -> None:
    clock = Clock()
    with open_log(tmp_path, clock=clock) as log:
        first = log.append_vote(draft())
        clock.now -= 3_600_000_000
        second = log.append_vote(draft())
        assert second["at"] > first["at"]
        assert canonical_us(second["at"]) == (canonical_us(first["at"]) or 0) + 1
        assert (log.is_last(first), log.is_last(second)) == (False, True)


@pytest.mark.parametrize(("ahead_us", "last"), [(DAY_US - 60_000_000, True), (DAY_US + 60_000_000, False)])
def test_only_times_more_than_a_day_ahead_are_not_followed(tmp_path: Path, ahead_us: int, last: bool) -> None:
    clock = Clock()
    with open_log(tmp_path, clock=clock) as log:
        jumped = foreign_record(at=time_text(START_US + ahead_us))
        report = import_votes(log, [write_lines(tmp_path / "jump.jsonl", [jumped])], roster=ROSTER)
        vote = log.append_vote(draft())
        assert log.is_last(vote) is last
        assert any("clock" in note for note in report.notes) is not last


def test_odd_times_do_not_hold_the_clock(log: VoteLog, tmp_path: Path) -> None:
    odd = [
        foreign_record(at=at, id=f"01900000-0000-7000-8000-00000000010{n}", seq=n + 1)
        for n, at in enumerate(["2026-05-28T20:99:99.999999Z", "2026-05-28", 5, None, "zz"])
    ]
    assert import_votes(log, [write_lines(tmp_path / "odd.jsonl", odd)], roster=ROSTER).new == 5
    record = log.append_vote(draft())
    assert record["at"] < "2026-05-28T20:30"
    reading = countable(log.records(), silent=False)
    assert [vote["id"] for vote in reading.votes] == [record["id"]]
    assert {reason for _, reason in reading.skipped} == {"time is not canonical"}


def test_retracting_is_refused_where_it_would_not_count(log: VoteLog, tmp_path: Path) -> None:
    mine, theirs = log.append_vote(draft()), foreign_record()
    import_votes(log, [write_lines(tmp_path / "theirs.jsonl", [theirs])], roster=ROSTER)
    before = log.count()
    with pytest.raises(ArenaError, match="policy"):
        log.append_retraction(theirs["id"], "l-aaaaaaaaaaaaaaaa", "mistake")
    with pytest.raises(ArenaError, match=r"No vote .* is in this log"):
        log.append_retraction("no-such-id", None, "mistake")
    retraction = log.append_retraction(mine["id"], None, "undo")  # this very station's vote
    with pytest.raises(ArenaError, match="already"):
        log.append_retraction(mine["id"], mine["listener"], "undo")
    with pytest.raises(ArenaError, match="no vote but of type"):
        log.append_retraction(retraction["id"], None, "undo")
    assert log.count() == before + 1
    log.append_retraction(theirs["id"], theirs["listener"], "mistake")  # that very listener's vote
    assert not countable(log.records(), silent=False).votes


def test_reveals_before_counts_what_the_listener_saw(log: VoteLog) -> None:
    first = log.append_vote(draft())
    assert first["listening"]["reveals_before"] == 0
    swapped = draft(model_a={"repo_id": "x/two"}, model_b={"repo_id": "x/one"})
    second = log.append_vote(swapped)
    assert second["listening"]["reveals_before"] == 1
    log.append_retraction(second["id"], second["listener"], "undo")  # what was seen stays seen
    assert log.append_vote(draft(), held_back=[first["id"]])["listening"]["reveals_before"] == 1
    assert log.append_vote(draft(listener="l-other"))["listening"]["reveals_before"] == 0
    assert log.append_vote(draft(model_b={"repo_id": "x/three"}))["listening"]["reveals_before"] == 0
    assert log.append_vote(draft(listener=None))["listening"]["reveals_before"] is None


def test_another_connection_sees_every_vote_and_that_something_changed(tmp_path: Path) -> None:
    with open_log(tmp_path) as one, open_log(tmp_path) as two:
        record = one.append_vote(draft())
        before = two.data_version()
        assert two.record(record["id"]) == record
        one.append_vote(draft())
        assert two.data_version() != before
        own = two.data_version()
        assert two.data_version() == own
        two.append_vote(draft())
        assert two.data_version() != own
        assert [found["seq"] for found in one.records()] == [1, 2, 3]


def test_the_log_can_be_read_while_it_grows(tmp_path: Path) -> None:
    with open_log(tmp_path) as one, open_log(tmp_path) as two:
        one.database.run("PRAGMA synchronous = OFF")  # what is durable is not the point here
        for _ in range(1100):
            one.append_vote(draft())
        reader = two.records()
        first = next(reader)
        late = one.append_vote(draft())
        assert [first, *reader][-1] == late


def test_log_hash_is_that_of_the_hashes_in_order(log: VoteLog) -> None:
    assert log.log_hash() == hashlib.sha256(b"").hexdigest()
    records = [log.append_vote(draft()) for _ in range(3)]
    joined = "\n".join(record["hash"] for record in records)
    assert log.log_hash() == hashlib.sha256(joined.encode()).hexdigest()


def test_a_copied_folder_writes_under_a_new_station(tmp_path: Path) -> None:
    with VoteLog.open(tmp_path / "here" / "votes.sqlite") as log:
        first = log.append_vote(draft())
        assert log.append_vote(draft())["station_id"] == first["station_id"]
    shutil.copytree(tmp_path / "here", tmp_path / "there")
    with VoteLog.open(tmp_path / "there" / "votes.sqlite") as log:
        moved = log.append_vote(draft())
        assert moved["station_id"] != first["station_id"]
        assert (moved["seq"], moved["prev_hash"]) == (1, "")
        assert verify_log(log).ok
    with VoteLog.open(tmp_path / "here" / "votes.sqlite") as log:
        again = log.append_vote(draft())
        assert (again["station_id"], again["seq"]) == (first["station_id"], 3)


def test_the_fingerprint_knows_machine_and_folder_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stations, "machine_id", lambda: "one")
    before = stations.fingerprint(tmp_path / "a")
    monkeypatch.setattr("socket.gethostname", lambda: "renamed")
    assert stations.fingerprint(tmp_path / "b" / ".." / "a") == before
    assert stations.fingerprint(tmp_path / "b") != before
    monkeypatch.setattr(stations, "machine_id", lambda: "two")
    assert stations.fingerprint(tmp_path / "a") != before


def test_records_of_this_station_from_elsewhere_end_its_chain(tmp_path: Path) -> None:
    """A backup was put back, and then an export made after it is imported: the numbers must not be used twice."""
    with open_log(tmp_path / "a") as log:
        first = log.append_vote(draft())
        log.database.run("PRAGMA wal_checkpoint(TRUNCATE)")
        shutil.copy(tmp_path / "a" / "votes.sqlite", tmp_path / "backup")
        lost = log.append_vote(draft())
    (tmp_path / "b").mkdir()
    shutil.copy(tmp_path / "backup", tmp_path / "b" / "votes.sqlite")
    with open_log(tmp_path / "b", here=str(tmp_path / "a")) as log:
        assert log.station_id() == first["station_id"]
        report = import_votes(log, [write_lines(tmp_path / "lost.jsonl", [lost])], roster=ROSTER)
        assert report.new == 1
        assert any("new station" in note for note in report.notes)
        assert log.append_vote(draft())["station_id"] != first["station_id"]
        assert verify_log(log).ok


def test_a_new_station_can_be_asked_for(log: VoteLog) -> None:
    first = log.append_vote(draft())
    log.begin_station()
    second = log.append_vote(draft())
    assert second["station_id"] != first["station_id"]
    assert second["seq"] == 1


DAMAGE = {
    "cut off": "UPDATE records SET record = substr(record, 1, 200) WHERE position = 2",
    "no text": "UPDATE records SET record = X'C3FF00' WHERE position = 2",
    "no UTF-8": "UPDATE records SET record = CAST(X'C3FF22' AS TEXT) WHERE position = 2",
    "another record": "UPDATE records SET record = (SELECT record FROM records WHERE position = 1) WHERE position = 2",
    "no record": "UPDATE records SET record = '5' WHERE position = 2",
}


@pytest.mark.parametrize("sql", DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_record_is_named_and_nothing_is_made_of_it(log: VoteLog, tmp_path: Path, sql: str) -> None:
    records = [log.append_vote(draft()) for _ in range(3)]
    unguard(log)
    log.database.run(sql)
    said = rf"position 2 .*{records[1]['id']}.* damaged(.|\n)*votes verify"
    with pytest.raises(ArenaError, match=said):
        export_votes(log, tmp_path / "out.jsonl")
    assert not (tmp_path / "out.jsonl").exists()
    with pytest.raises(ArenaError, match=said):
        Board(ROSTER, log).leaderboard("english")
    with pytest.raises(ArenaError, match=said):
        log.append_retraction(records[1]["id"], None, "undo")
    report = verify_log(log)
    assert records[1]["id"] in {fault.id for fault in report.faults}
