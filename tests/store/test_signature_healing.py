"""A log into which somebody slipped signatures that nobody made: a good copy heals it, whichever way it comes."""

import json
import sqlite3
from pathlib import Path

import pytest

from arena_desktop.domain.canonical import canonical
from arena_desktop.services.exchange import export_votes, import_votes, merge_files, verify_files, verify_log
from arena_desktop.services.sync import sync_folder
from arena_desktop.services.trust import Signing
from arena_desktop.store.vote_log import VoteLog
from tests.helpers.signers import JUNK
from tests.helpers.vote_logs import ROSTER, draft, foreign_record, open_log, write_lines

SMALL, LARGE = JUNK


@pytest.fixture
def good(tmp_path: Path) -> Path:
    """An export: a header, a vote without a signature, a key, three signed votes."""
    with open_log(tmp_path / "theirs") as log:
        log.append_vote(draft())
        log.sign_from_now_on()
        for _ in range(3):
            log.append_vote(draft())
        export_votes(log, tmp_path / "good")
    return tmp_path / "good"


def _spoilt(good: Path, junk: str = SMALL, *, with_key: bool = True) -> Path:
    """The same records, each true signature replaced."""
    header, *lines = map(json.loads, good.read_bytes().splitlines())
    kept = [line for line in lines if with_key or line["type"] != "key"]
    spoilt = [{**line, "sig": junk} if "sig" in line else line for line in kept]
    return write_lines(good.with_name("spoilt"), [header, *spoilt] if with_key else spoilt)


def _signing(log: VoteLog) -> Signing:
    (station,) = verify_log(log).stations
    return station.keys.signing


def _bytes(log: VoteLog, path: Path) -> bytes:
    export_votes(log, path)
    return path.read_bytes()


@pytest.mark.parametrize("junk", JUNK)
def test_importing_a_good_copy_heals(tmp_path: Path, good: Path, junk: str) -> None:
    spoilt = _spoilt(good, junk)
    with open_log(tmp_path / "log") as log:
        import_votes(log, [spoilt], roster=ROSTER)
        assert _signing(log) is Signing.FORGED
        for path in (good, spoilt):
            import_votes(log, [path], roster=ROSTER)
            assert _signing(log) is Signing.SIGNED
            assert _bytes(log, tmp_path / "out") == good.read_bytes()


def test_junk_never_gets_into_a_good_log(tmp_path: Path, good: Path) -> None:
    with open_log(tmp_path / "theirs") as log:
        import_votes(log, [_spoilt(good, with_key=False)], roster=ROSTER)
        assert verify_log(log).ok
        assert _bytes(log, tmp_path / "out") == good.read_bytes()


def test_merging_files_keeps_the_true_signature(tmp_path: Path, good: Path) -> None:
    spoilt = _spoilt(good, with_key=False)
    for number, files in enumerate(([good, spoilt], [spoilt, good], [spoilt, good, spoilt])):
        merge_files(files, tmp_path / str(number))
        assert (tmp_path / str(number)).read_bytes() == good.read_bytes()
        assert verify_files([tmp_path / str(number)]).ok


def test_synchronising_heals_whoever_has_junk(tmp_path: Path, good: Path) -> None:
    (tmp_path / "shared").mkdir()
    with open_log(tmp_path / "theirs") as theirs, open_log(tmp_path / "log") as log:
        import_votes(log, [_spoilt(good)], roster=ROSTER)
        for each in (log, theirs, log, theirs):
            sync_folder(each, tmp_path / "shared", roster=ROSTER)
        assert _signing(log) is _signing(theirs) is Signing.SIGNED
        lines = good.read_bytes().splitlines()[1:]
        assert _bytes(log, tmp_path / "a").splitlines()[1:] == _bytes(theirs, tmp_path / "b").splitlines()[1:]
        shown = [json.loads(line).get("sig") for line in (tmp_path / "b").read_bytes().splitlines()[1:]]
        assert shown == [json.loads(line).get("sig") for line in lines]
        for each in (log, theirs):  # and nobody goes on writing
            report = sync_folder(each, tmp_path / "shared", roster=ROSTER)
            assert report.exported == 0


def test_records_that_came_before_their_key_heal_when_a_good_copy_comes_again(tmp_path: Path, good: Path) -> None:
    lines = good.read_bytes().splitlines(keepends=True)
    bare, key = tmp_path / "bare", tmp_path / "key"
    bare.write_bytes(b"".join(line for line in lines[1:] if b'"type":"key"' not in line))
    key.write_bytes(b"".join(line for line in lines[1:] if b'"type":"key"' in line))
    spoilt = _spoilt(good, with_key=False)
    with open_log(tmp_path / "log") as log:
        for path in (bare, spoilt):
            import_votes(log, [path], roster=ROSTER)
        assert _signing(log) is Signing.UNCHECKED  # without the key the smaller text stays
        import_votes(log, [key], roster=ROSTER)
        assert _signing(log) is Signing.FORGED
        import_votes(log, [bare], roster=ROSTER)
        assert _signing(log) is Signing.SIGNED
        assert _bytes(log, tmp_path / "out") == good.read_bytes()


def test_the_key_may_stand_behind_its_records_in_a_long_file(tmp_path: Path, good: Path) -> None:
    _, vote, key, *signed = good.read_bytes().splitlines(keepends=True)
    spoilt = _spoilt(good, with_key=False)
    more = [
        canonical(foreign_record(id=f"01900000-0000-7000-8000-00000000{n:04}", seq=n)) + b"\n" for n in range(1, 1500)
    ]
    (tmp_path / "long").write_bytes(b"".join([vote, *signed, *more, key]))
    with open_log(tmp_path / "log") as log:
        import_votes(log, [spoilt], roster=ROSTER)
        assert import_votes(log, [tmp_path / "long"], roster=ROSTER).new == 1500
        found = {station.keys.signing for station in verify_log(log).stations}
        assert found == {Signing.SIGNED, Signing.UNSIGNED}


def _set_signature(log: VoteLog, signature: str | None) -> None:
    sql = "UPDATE records SET record = json_set(record, '$.sig', ?) WHERE type = 'vote' AND seq = 4"
    log.database.run(sql, (signature,))


@pytest.mark.parametrize("with_key", [True, False])
def test_the_database_lets_nothing_else_through(tmp_path: Path, good: Path, with_key: bool) -> None:
    spoilt = _spoilt(good, SMALL, with_key=with_key)
    with open_log(tmp_path / "log") as log:
        import_votes(log, [spoilt], roster=ROSTER)
        for refused in (None, "", "x", "A" * 85 + "B=="):
            with pytest.raises(sqlite3.IntegrityError, match="only completed"):
                _set_signature(log, refused)
        if with_key:
            _set_signature(log, LARGE)
        else:
            with pytest.raises(sqlite3.IntegrityError, match="only completed"):
                _set_signature(log, LARGE)


@pytest.mark.parametrize("way", ["log", "files"])
def test_many_announcements_of_a_station_do_not_hold_up(tmp_path: Path, good: Path, way: str) -> None:
    """Anybody can write keys for a station; the first ones count, and no signature is held against a thousand."""
    station = json.loads(good.read_bytes().splitlines()[1])["station_id"]
    keys = [
        foreign_record(type="key", station_id=station, seq=n, public_key="A" * 40 + f"{n:03}=",
                       id=f"01900000-0000-7000-8000-00000000{n:04}")
        for n in range(100, 900)
    ]  # fmt: skip
    crowd = write_lines(tmp_path / "crowd", keys)
    spoilt = _spoilt(good)
    if way == "files":
        merge_files([crowd, spoilt, good], tmp_path / "out")
    else:
        with open_log(tmp_path / "log") as log:
            for path in (crowd, spoilt, good):
                import_votes(log, [path], roster=ROSTER)
            export_votes(log, tmp_path / "out")
    kept = [json.loads(line) for line in (tmp_path / "out").read_bytes().splitlines()[1:]]
    wanted = {json.loads(line).get("sig") for line in good.read_bytes().splitlines()[1:]}
    assert {record.get("sig") for record in kept} == wanted
