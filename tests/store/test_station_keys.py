"""A station that signs: its key, the record that announces it, and what verify makes of signatures that were meddled
with.
"""

import json
import os
import shutil
import stat
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from arena_desktop.domain.canonical import canonical, record_hash
from arena_desktop.domain.signing import SignatureCheck, announced_key, fingerprint, key_bytes
from arena_desktop.errors import ArenaError
from arena_desktop.services.exchange import (
    VerifyReport,
    VoteFilter,
    export_votes,
    import_votes,
    verify_files,
    verify_log,
)
from arena_desktop.services.trust import KeyState, Signing, announced_keys, key_states
from arena_desktop.store.station_key import StationKey
from arena_desktop.store.vote_log import VoteLog
from tests.helpers.vote_logs import ROSTER, draft, foreign_record, open_log, write_lines

Lines = list[bytes]


def _signing(folder: Path, before: int = 2, after: int = 4) -> VoteLog:
    log = open_log(folder)
    for _ in range(before):
        log.append_vote(draft())
    assert log.sign_from_now_on()
    for _ in range(after):
        log.append_vote(draft())
    return log


def _own_key(log: VoteLog) -> str:
    signer = log.key.signer()
    assert signer is not None
    return signer.public_key


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Lines:
    """A header, two votes without a signature, a key, four signed votes and a signed retraction."""
    folder = tmp_path_factory.mktemp("signed")
    with _signing(folder) as log:
        votes = list(log.records())
        log.append_retraction(votes[-1]["id"], votes[-1]["listener"], "undo")
        export_votes(log, folder / "out.jsonl")
    return (folder / "out.jsonl").read_bytes().splitlines(keepends=True)


def _verify(path: Path, lines: Iterable[bytes], trusted: dict[str, str] | None = None) -> VerifyReport:
    path.write_bytes(b"".join(lines))
    return verify_files([path], trusted)


def _only(report: VerifyReport) -> KeyState:
    (station,) = report.stations
    return station.keys


def test_without_a_key_nothing_is_signed_and_no_key_is_made(tmp_path: Path) -> None:
    with open_log(tmp_path) as log:
        record = log.append_vote(draft())
        assert "sig" not in record
        assert not log.key.path.exists()
        assert next(iter(key_states(log, {}).values())).signing is Signing.UNSIGNED


def test_a_key_is_announced_once_and_every_later_record_is_signed(tmp_path: Path) -> None:
    with _signing(tmp_path) as log:
        records = list(log.records())
        assert [record["type"] for record in records] == ["vote", "vote", "key", "vote", "vote", "vote", "vote"]
        key = announced_key(records[2])
        assert key == _own_key(log)
        check = SignatureCheck()
        assert [check.fits(key, record["hash"], record.get("sig")) for record in records] == [False] * 2 + [True] * 5
        assert not log.sign_from_now_on()
        assert log.count() == 7
        assert log.key.path.read_bytes().startswith(b"-----BEGIN PRIVATE KEY-----")
        assert os.name == "nt" or stat.S_IMODE(log.key.path.stat().st_mode) == 0o600
        (state,) = key_states(log, {"": key}).values()
        assert state == KeyState(key, known=True, signed=5, unsigned=2, since=3)
        assert state.signing is Signing.SIGNED
        assert verify_log(log).ok


def test_no_private_key_leaves_in_an_export(tmp_path: Path) -> None:
    with _signing(tmp_path) as log:
        export_votes(log, tmp_path / "out.jsonl")
        secret = b"".join(log.key.path.read_bytes().splitlines()[1:-1])
    assert secret not in (tmp_path / "out.jsonl").read_bytes()


def test_a_copied_data_directory_begins_a_station_and_announces_its_key_again(tmp_path: Path) -> None:
    with _signing(tmp_path / "one", after=1) as log:
        key, first = _own_key(log), log.station_id()
    shutil.copytree(tmp_path / "one", tmp_path / "two")
    with open_log(tmp_path / "two") as log:
        vote = log.append_vote(draft())
        assert vote["station_id"] != first
        assert (vote["seq"], announced_key(list(log.records())[-2])) == (2, key)
        states = key_states(log, {str(first): key})
        assert states[vote["station_id"]] == KeyState(key, known=True, signed=2, since=1)
        assert verify_log(log).ok


def test_another_key_file_begins_another_station(tmp_path: Path) -> None:
    with _signing(tmp_path, after=1) as log:
        first, old = log.station_id(), _own_key(log)
        log.key.path.unlink()
        assert "sig" not in log.append_vote(draft())
        assert StationKey(log.key.path).create()
        vote = log.append_vote(draft())
        assert vote["station_id"] != first
        assert [key.public_key for key in announced_keys(log, {}) if key.station_id != first] == [_own_key(log)]
        assert _own_key(log) != old
        report = verify_log(log)
        assert report.ok
        states = {station.station_id: station.keys.signing for station in report.stations}
        assert states == {first: Signing.PARTLY, vote["station_id"]: Signing.SIGNED}


@pytest.mark.parametrize(
    "content", [b"", b"rubbish", b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"]
)
def test_a_damaged_key_never_costs_a_vote(tmp_path: Path, content: bytes, expect_log: Callable[..., None]) -> None:
    expect_log("written unsigned", logger="arena_desktop.store.own_chain")
    with _signing(tmp_path, after=1) as log:
        log.key.path.write_bytes(content)
        assert "sig" not in log.append_vote(draft())
        with pytest.raises(ArenaError, match="can't be used"):
            log.sign_from_now_on()
        assert log.key.path.read_bytes() == content
        assert verify_log(log).ok
        assert log.count() == 5


def test_a_key_of_another_kind_is_refused(tmp_path: Path) -> None:
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    path = tmp_path / "key.pem"
    path.write_bytes(X25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    with pytest.raises(ArenaError, match="no Ed25519 key"):
        StationKey(path).signer()


def test_verify_says_signed_and_whether_the_key_is_known(tmp_path: Path, exported: Lines) -> None:
    key = json.loads(exported[3])["public_key"]
    unknown = _only(_verify(tmp_path / "f", exported))
    assert (unknown.signing, unknown.known, unknown.signed, unknown.unsigned) == (Signing.SIGNED, False, 6, 2)
    report = _verify(tmp_path / "f", exported, {"another station": key})
    assert report.ok
    assert _only(report).known
    assert report.as_json()["stations"][0]["fingerprint"] == fingerprint(key)


def _stripped(line: bytes) -> bytes:
    record = json.loads(line)
    record.pop("sig", None)
    return canonical(record) + b"\n"


def test_stripped_signatures_are_no_fault_but_told(tmp_path: Path, exported: Lines) -> None:
    report = _verify(tmp_path / "f", [*exported[:-2], *map(_stripped, exported[-2:])])
    assert report.ok
    assert (_only(report).signing, _only(report).bare) == (Signing.PARTLY, 2)
    report = _verify(tmp_path / "f", [exported[0], *map(_stripped, exported[1:])])
    assert report.ok
    assert (_only(report).signing, _only(report).known) == (Signing.UNSIGNED, False)


def test_a_stripped_copy_gets_its_signatures_back(tmp_path: Path, exported: Lines) -> None:
    (tmp_path / "bare").write_bytes(b"".join([exported[0], *map(_stripped, exported[1:])]))
    (tmp_path / "whole").write_bytes(b"".join(exported))
    with open_log(tmp_path / "log") as log:
        for name in ("bare", "whole", "bare"):
            import_votes(log, [tmp_path / name], roster=ROSTER)
        (state,) = key_states(log, {}).values()
        assert state.signing is Signing.SIGNED
        export_votes(log, tmp_path / "out")
    assert (tmp_path / "out").read_bytes() == b"".join(exported)


def test_a_forged_signature_is_a_fault_that_names_the_record(tmp_path: Path, exported: Lines) -> None:
    one, other = json.loads(exported[4]), json.loads(exported[5])
    one["sig"] = other["sig"]
    report = _verify(tmp_path / "f", [*exported[:4], canonical(one) + b"\n", *exported[5:]])
    (fault,) = report.faults
    assert (fault.line, fault.id, fault.seq) == (5, one["id"], 4)
    assert "forged" in fault.fault
    assert _only(report).signing is Signing.FORGED


def _rechained(lines: Lines, change: Callable[[dict[str, Any]], None], sign: Callable[[str], str] | None) -> Lines:
    """All records of one station made anew after ``change``, as anybody can who has the file; without a header."""
    previous, made = "", []
    for line in lines[1:]:
        record = json.loads(line)
        record.pop("sig", None)
        change(record)
        record["prev_hash"] = previous
        record["hash"] = previous = record_hash(record)
        if sign is not None and record["seq"] > 2:
            record["sig"] = sign(record["hash"])
        made.append(record)
    stations = json.loads(lines[0])
    (station,) = stations["stations"].values()
    station["last_hash"] = previous
    return [canonical(value) + b"\n" for value in (stations, *made)]


def test_who_makes_the_chain_anew_under_another_key_is_found_by_whoever_trusts_the_old_one(
    tmp_path: Path, exported: Lines
) -> None:
    assert StationKey(tmp_path / "mallory.pem").create()
    mallory = StationKey(tmp_path / "mallory.pem").signer()
    assert mallory is not None
    rightful, station = json.loads(exported[3])["public_key"], json.loads(exported[1])["station_id"]

    def change(record: dict[str, Any]) -> None:
        record.update({"vote": "b"} if record["type"] == "vote" else {})
        record.update({"public_key": mallory.public_key} if record["type"] == "key" else {})

    lines = _rechained(exported, change, mallory.sign)
    assert _verify(tmp_path / "f", lines).ok  # nothing in the file itself tells
    assert not _only(_verify(tmp_path / "f", lines, {"elsewhere": rightful})).known
    report = _verify(tmp_path / "f", lines, {station: rightful})
    assert not report.ok
    assert _only(report).forged == 6
    assert any("you trust another" in fault.fault for fault in report.faults)
    with open_log(tmp_path / "log") as log:  # nor can it be slipped under the true one
        (tmp_path / "true").write_bytes(b"".join(exported))
        found = import_votes(log, [tmp_path / "true", tmp_path / "f"], roster=ROSTER)
        assert found.conflicts
        assert any("fork" in fault.fault for fault in verify_log(log).faults)


def test_who_makes_the_chain_anew_but_keeps_the_key_can_not_sign(tmp_path: Path, exported: Lines) -> None:
    def change(record: dict[str, Any]) -> None:
        record.update({"vote": "b"} if record["type"] == "vote" else {})

    report = _verify(tmp_path / "f", _rechained(exported, change, None))
    assert report.ok
    assert (_only(report).signing, _only(report).known) == (Signing.UNSIGNED, False)
    old = [json.loads(line).get("sig") for line in exported[1:]]
    remade = []
    for line, signature in zip(_rechained(exported, change, None)[1:], old, strict=True):
        record = json.loads(line)
        remade.append(canonical(record if signature is None else {**record, "sig": signature}) + b"\n")
    lines = [_rechained(exported, change, None)[0], *remade]
    assert sum("forged" in fault.fault for fault in _verify(tmp_path / "f", lines).faults) == 6


def test_a_second_key_in_a_chain_is_a_fault(tmp_path: Path) -> None:
    keys = []
    for name in ("a", "b"):
        StationKey(tmp_path / name).create()
        signer = StationKey(tmp_path / name).signer()
        assert signer is not None
        keys.append(signer)
    records: list[dict[str, Any]] = []
    for seq, signer in enumerate((keys[0], keys[0], keys[1], keys[1]), 1):
        kind = {"type": "key", "public_key": signer.public_key} if seq in (1, 3) else {}
        record = foreign_record(
            seq=seq,
            id=f"01900000-0000-7000-8000-00000000000{seq}",
            at=f"2026-03-01T10:00:0{seq}.000000Z",
            prev_hash=records[-1]["hash"] if records else "",
            **kind,
        )
        records.append({**record, "sig": signer.sign(record["hash"])})
    for ordered in (records, records[::-1]):
        report = verify_files([write_lines(tmp_path / "f", ordered)])
        assert [fault.seq for fault in report.faults if "had announced another" in fault.fault] == [3]
        state = _only(report)
        assert (state.public_key, state.signed, state.forged) == (keys[0].public_key, 2, 2)


def test_a_filtered_export_carries_the_key(tmp_path: Path) -> None:
    with _signing(tmp_path, after=1) as log:
        log.append_vote(draft(arena="other"))
        import_votes(log, [write_lines(tmp_path / "more", [foreign_record(type="key", public_key=_own_key(log))])],
                     roster=ROSTER)  # fmt: skip
        export_votes(log, tmp_path / "out", VoteFilter(arena="other"))
    assert b'"type":"key"' in (tmp_path / "more").read_bytes()
    report = verify_files([tmp_path / "out"])
    assert report.ok
    assert report.records == 2
    assert (_only(report).signing, _only(report).signed) == (Signing.SIGNED, 2)


def test_signatures_without_a_key_can_not_be_checked(tmp_path: Path, exported: Lines) -> None:
    report = _verify(tmp_path / "f", [*exported[1:3], *exported[4:]])
    assert (_only(report).signing, _only(report).unchecked) == (Signing.UNCHECKED, 5)
    assert not any("forged" in fault.fault for fault in report.faults)


@pytest.mark.parametrize("text", [None, 5, "", "AAAA", "é" * 44, "A" * 43 + "=\n", "A" * 42 + "B="])
def test_what_is_no_key(text: Any) -> None:
    assert key_bytes(text) is None
    assert not SignatureCheck().fits(str(text), "0" * 64, "A" * 86 + "==")
