"""``votes keys``, ``votes verify --policy`` and whose votes may be retracted, as typed."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from arena_desktop.app import Composition
from arena_desktop.cli.main import build_parser
from arena_desktop.errors import ArenaError
from arena_desktop.paths import app_paths
from arena_desktop.services.exchange import import_votes
from arena_desktop.store.station_key import StationKey
from tests.helpers.vote_logs import ROSTER, draft, foreign_record, write_lines

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
