"""``votes keys``, ``votes verify --policy`` and whose votes may be retracted, as typed."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from arena_desktop.app import Composition
from arena_desktop.cli.main import build_parser
from arena_desktop.domain.signing import fingerprint
from arena_desktop.errors import ArenaError
from arena_desktop.paths import app_paths
from arena_desktop.services.contributor_words import key_words
from arena_desktop.services.exchange import export_votes, import_votes
from arena_desktop.services.file_board import FilesOfVotes
from arena_desktop.services.trust import key_states
from arena_desktop.store.station_key import StationKey
from tests.helpers.signers import JUNK, FixedSigner
from tests.helpers.vote_logs import ROSTER, draft, foreign_record, unguard, write_lines

Run = Callable[..., int]
Output = pytest.CaptureFixture[str]


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Composition]:
    with Composition(app_paths(tmp_path / "data"), backup_delay_s=1e9) as found:
        yield found


@pytest.fixture
def votes(app: Composition) -> Run:
    def run(*words: object) -> int:
        args = build_parser("votes").parse_args(["votes", *map(str, words)])
        status: int = args.func(args, app)
        return status

    return run


def test_a_station_signs_from_the_command_on(app: Composition, votes: Run, capsys: Output) -> None:
    assert votes("keys") == 0
    assert "does not sign" in capsys.readouterr().out
    assert votes("keys", "create") == 0
    said = capsys.readouterr().out
    assert "From now on this station signs" in said
    assert f"  {app.log.station_id()}: " in said
    assert votes("keys", "create", "--json") == 0
    again = json.loads(capsys.readouterr().out)
    assert not again["created"]
    assert "sig" in app.log.append_vote(draft())
    assert votes("keys", "list", "--json") == 0
    report = json.loads(capsys.readouterr().out)
    assert report["own"] == {"public_key": again["public_key"], "fingerprint": again["fingerprint"]}
    (key,) = report["keys"]
    assert (key["station_id"], key["known"], key["own"], key["since"]) == (app.log.station_id(), True, True, 1)
    assert votes("verify") == 0
    assert "signed (2 records)" in capsys.readouterr().out
    assert votes("keys") == 0
    assert "this data directory's own" in capsys.readouterr().out


def test_nobody_overwrites_the_key(app: Composition, tmp_path: Path) -> None:
    app.log.sign_from_now_on()
    assert app.paths.is_own(app.station_key.path)
    assert app.station_key.path == app.log.key.path == app.paths.station_key


def test_a_key_of_another_station_is_new_until_a_policy_trusts_it(
    app: Composition, votes: Run, tmp_path: Path, capsys: Output
) -> None:
    with Composition(app_paths(tmp_path / "other"), backup_delay_s=1e9) as other:
        other.log.append_vote(draft())
        args = build_parser("votes").parse_args(["votes", "keys", "create", "--json"])
        assert args.func(args, other) == 0
        key = json.loads(capsys.readouterr().out)["public_key"]
        other.log.append_vote(draft())
        args = build_parser("votes").parse_args(["votes", "export", "-o", str(tmp_path / "f")])
        assert args.func(args, other) == 0
        station = other.log.station_id()
    votes("import", tmp_path / "f")
    capsys.readouterr()
    assert votes("keys") == 0
    assert ", new" in capsys.readouterr().out
    assert votes("verify", tmp_path / "f", "--json") == 0
    assert not json.loads(capsys.readouterr().out)["stations"][0]["known"]
    policy = tmp_path / "policy.yaml"
    policy.write_text(f"schema: 1\ntrusted_keys:\n  {station}: {key}\n", encoding="utf-8")
    assert votes("verify", tmp_path / "f", "--policy", policy, "--json") == 0
    assert json.loads(capsys.readouterr().out)["stations"][0]["known"]
    StationKey(tmp_path / "stranger").create()
    stranger = StationKey(tmp_path / "stranger").signer()
    assert stranger is not None
    policy.write_text(f"schema: 1\ntrusted_keys:\n  {station}: {stranger.public_key}\n", encoding="utf-8")
    assert votes("verify", tmp_path / "f", "--policy", policy) == 1
    assert "FORGED: 2 records" in capsys.readouterr().out


def test_a_trusted_key_that_is_not_used_is_told_and_no_fault(
    app: Composition, votes: Run, tmp_path: Path, capsys: Output
) -> None:
    record = foreign_record()
    station, key = record["station_id"], FixedSigner(1).public_key
    app.paths.policy.parent.mkdir(parents=True, exist_ok=True)
    app.paths.policy.write_text(f"schema: 1\ntrusted_keys:\n  {station}: {key}\n", encoding="utf-8")
    import_votes(app.log, [write_lines(tmp_path / "f", [record])], roster=ROSTER)
    export_votes(app.log, tmp_path / "export")
    for words in ((), (tmp_path / "export",)):
        assert votes("verify", *words) == 0
        said = capsys.readouterr().out
        assert f"Station {station}: NOT SIGNED: you trust a key for it, but its one record is not signed by it" in said
        assert fingerprint(key) in said
        assert "are not signed" not in said
        assert votes("verify", *words, "--json") == 0
        (found,) = json.loads(capsys.readouterr().out)["stations"]
        assert (found["signing"], found["public_key"], found["known"]) == ("trusted key unused", key, False)
    assert votes("keys") == 0
    assert f"you trust the key {fingerprint(key)}, but not one of its records here is signed" in capsys.readouterr().out
    assert votes("keys", "--json") == 0
    unused = json.loads(capsys.readouterr().out)["unused"]
    assert unused == [{"station_id": station, "public_key": key, "fingerprint": fingerprint(key)}]
    (state,) = key_states(app.log, {station: key}).values()
    assert key_words(state) == "unsigned, though you trust a key for this station"
    write_lines(tmp_path / "signed", [{**record, "sig": FixedSigner(1).sign(record["hash"])}])
    assert votes("import", tmp_path / "signed") == 0
    capsys.readouterr()
    assert votes("keys", "--json") == 0
    assert json.loads(capsys.readouterr().out)["unused"] == []
    assert votes("verify") == 0
    assert "signed (1 record)" in capsys.readouterr().out


def _chain(*parts: dict[str, Any], signer: FixedSigner | None = None) -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = []
    for seq, part in enumerate(parts, 1):
        previous = made[-1]["hash"] if made else ""
        name = f"01900000-0000-7000-8000-{seq:012}"
        at = f"2026-03-01T10:00:0{seq}.000000Z"
        record = foreign_record(id=name, seq=seq, at=at, prev_hash=previous, **part)
        made.append(record if signer is None else {**record, "sig": signer.sign(record["hash"])})
    return made


def test_a_trusted_key_is_never_shown_as_if_the_file_held_it(votes: Run, tmp_path: Path, capsys: Output) -> None:
    mine, other = FixedSigner(1), FixedSigner(2)
    signed = _chain({"type": "key", "public_key": mine.public_key}, {}, {}, signer=mine)
    bare = [{key: value for key, value in record.items() if key != "sig"} for record in signed]
    policy, path = tmp_path / "policy.yaml", tmp_path / "f"
    trusted = f"schema: 1\ntrusted_keys:\n  {signed[0]['station_id']}: {mine.public_key}\n"
    policy.write_text(trusted, encoding="utf-8")

    def said(records: list[dict[str, Any]]) -> str:
        write_lines(path, records)
        votes("verify", path, "--policy", policy)
        (line,) = (one for one in capsys.readouterr().out.splitlines() if one.startswith("Station "))
        return line

    for records in (bare, bare[1:], _chain({}, {}), _chain({"type": "key", "public_key": mine.public_key}, {})):
        line = said(records)
        assert "NOT SIGNED: you trust a key for it" in line
        assert line.endswith(f"; that key is {fingerprint(mine.public_key)}.")
    for records in (
        _chain({"type": "key", "public_key": other.public_key}, {}, signer=other),
        _chain({}, signer=other),
    ):
        line = said(records)
        assert "FORGED" in line
        assert line.endswith(f"; the key you trust for it is {fingerprint(mine.public_key)}.")
        (state,) = key_states(records, {records[0]["station_id"]: mine.public_key}).values()
        assert key_words(state) == "forged: not by the key you trust for this station"
    assert "partly signed: 1 is, 1 after the key is not" in said([signed[1], bare[2]])  # the key's record is not here
    assert "signed (1 record)" in said([bare[1], signed[2]])
    policy.write_text("schema: 1\n", encoding="utf-8")
    assert said(bare).endswith(f"not signed, though it announces the key {fingerprint(mine.public_key)}.")


def test_of_several_files_the_true_signature_is_looked_at(tmp_path: Path) -> None:
    signer = FixedSigner(1)
    key = foreign_record(type="key", public_key=signer.public_key)
    vote = foreign_record(seq=2, id="01900000-0000-7000-8000-000000000002")
    true = write_lines(tmp_path / "true", [{**one, "sig": signer.sign(one["hash"])} for one in (key, vote)])
    junk = write_lines(tmp_path / "junk", [{**vote, "sig": JUNK[0]}])
    for files in ((junk, true), (true, junk)):
        (state,) = key_states(FilesOfVotes(files).records(), {}).values()
        assert key_words(state) == "signed, key new"


def test_verify_points_from_a_changed_database_to_recovery(app: Composition, votes: Run, capsys: Output) -> None:
    app.log.append_vote(draft())
    assert votes("verify") == 0
    unguard(app.log)
    app.log.database.run('UPDATE records SET record = replace(record, \'"vote":"a"\', \'"vote":"b"\')')
    assert votes("verify") == 1
    assert "votes recover" in capsys.readouterr().err
    assert votes("verify", "--json") == 1
    assert "votes recover" in capsys.readouterr().err


def test_an_unusable_key_is_said_and_the_check_goes_on(app: Composition, votes: Run, capsys: Output) -> None:
    app.log.append_vote(draft())
    app.station_key.path.write_bytes(b"rubbish")
    assert votes("verify") == 0
    output = capsys.readouterr()
    assert "can't be used" in output.err
    assert "1 record checked" in output.out
    with pytest.raises(ArenaError, match="can't be used"):
        votes("keys", "create")


def test_anothers_vote_can_not_be_retracted_a_legacy_one_can(
    app: Composition, votes: Run, tmp_path: Path, capsys: Output
) -> None:
    old = {"arena": "english", "model_a": {"repo_id": "x/one"}, "model_b": {"repo_id": "x/two"}, "vote": "a"}
    import_votes(app.log, [write_lines(tmp_path / "f", [foreign_record(), old])], roster=ROSTER)
    legacy, theirs = (record["id"] for record in app.log.records())
    before = app.log.count()
    with pytest.raises(ArenaError, match="another listener on another machine") as refused:
        votes("retract", theirs)
    assert "policy" in str(refused.value)
    assert app.log.count() == before
    assert votes("retract", legacy, "--reason", "mistake", "--note", "not mine", "--json") == 0
    assert json.loads(capsys.readouterr().out)["retracted"] == legacy
    with pytest.raises(ArenaError, match="taken back already"):
        votes("retract", legacy)
