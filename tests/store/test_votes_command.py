"""``votes`` on the command line: what it prints, what it leaves behind, and its exit status."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from arena_desktop.cli.main import build_parser
from arena_desktop.domain.policy import Policy
from arena_desktop.domain.roster import Roster
from arena_desktop.errors import ArenaError, UsageError
from arena_desktop.store.listeners import Listeners
from arena_desktop.store.vote_log import VoteLog
from tests.helpers.vote_logs import ROSTER, draft, foreign_record, open_log, write_lines

VOTE = {"arena": "english", "model_a": {"repo_id": "x/one"}, "model_b": {"repo_id": "gone"}, "vote": "a"}


class App:
    """What the commands ask of the program."""

    def __init__(self, log: VoteLog) -> None:
        self.log = log
        self.roster: Roster = ROSTER
        self.listener: str | None = "l-aaaaaaaaaaaaaaaa"
        self.station_key = log.key
        self.listeners = Listeners(log.database.path.with_name("listeners.json"))
        self.silent = False
        self.policy = Policy()


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    with open_log(tmp_path / "log") as log:
        yield App(log)


@pytest.fixture
def votes(app: App) -> Callable[..., int]:
    def run(*words: object) -> int:
        args = build_parser("votes").parse_args(["votes", *map(str, words)])
        status: int = args.func(args, app)
        return status

    return run


Run = Callable[..., int]
Output = pytest.CaptureFixture[str]


def test_export_then_import_elsewhere(app: App, votes: Run, tmp_path: Path, capsys: Output) -> None:
    app.log.append_vote(draft())
    assert votes("export", "-o", tmp_path / "out.jsonl.gz", "--format", "jsonl") == 0
    assert capsys.readouterr().out == f"Wrote 1 record to {tmp_path / 'out.jsonl.gz'}.\n"
    assert votes("export", "-o", tmp_path / "part", "--arena", "x", "--since", "2026-01-01", "--json") == 0
    assert json.loads(capsys.readouterr().out) == {
        "schema": 1,
        "file": str(tmp_path / "part"),
        "format": "jsonl",
        "records": 0,
        "filter": {"arena": "x", "since": "2026-01-01T00:00:00.000000Z"},
        "public": False,
        "left_out": {},
        "odd": {},
        "policy_hash": "",
        "policy": None,
    }
    assert votes("import", tmp_path / "out.jsonl.gz") == 0
    assert capsys.readouterr().out.startswith("Imported 0 new records; 1 already here.\n")


def test_import_reports_what_it_skipped(app: App, votes: Run, tmp_path: Path, capsys: Output) -> None:
    path = write_lines(tmp_path / "f", [VOTE, 5, {}, {}])
    assert votes("import", "--dry-run", "--json", path) == 0
    report = json.loads(capsys.readouterr().out)
    assert report.pop("findings")["arenas"] == [["english", 1]]
    assert report == {
        "schema": 1,
        "new": 1,
        "already": 0,
        "copies": 0,
        "skipped": [
            {"file": str(path), "line": 2, "reason": "not an object"},
            {"file": str(path), "line": 3, "reason": "missing fields"},
            {"file": str(path), "line": 4, "reason": "missing fields"},
        ],
        "conflicts": [],
        "unknown_models": ["gone"],
        "unknown_arenas": [],
    }
    assert app.log.count() == 0
    assert votes("import", path) == 0
    out = capsys.readouterr().out
    assert "Imported 1 new record; 0 already here." in out
    assert f"2 × missing fields: {path} line 3, {path} line 4" in out
    assert "gone" in out


def test_conflicts_are_carried_out_and_fail(votes: Run, tmp_path: Path, capsys: Output) -> None:
    path = write_lines(tmp_path / "f", [foreign_record(vote="a"), foreign_record(vote="b")])
    assert votes("import", path, "--json") == 1
    output = capsys.readouterr()
    (conflict,) = json.loads(output.out)["conflicts"]
    assert (conflict["files"], conflict["lines"]) == ([str(path)] * 2, [1, 2])
    assert output.err.count("\n") == 1
    assert "1 conflict" in output.err


def test_verify_the_log_and_a_file(app: App, votes: Run, tmp_path: Path, capsys: Output) -> None:
    app.log.append_vote(draft())
    record = app.log.append_vote(draft())
    assert votes("verify") == 0
    said = capsys.readouterr().out
    assert said == "Records of 1 station are not signed.\n2 records checked: no fault found.\n"
    votes("export", "-o", tmp_path / "f")
    capsys.readouterr()
    assert votes("verify", tmp_path / "f", "--json") == 0
    report = json.loads(capsys.readouterr().out)
    (station,) = report.pop("stations")
    assert report == {"schema": 1, "ok": True, "records": 2, "faults": []}
    assert (station["station_id"], station["signing"], station["unsigned"]) == (record["station_id"], "unsigned", 2)
    lines = (tmp_path / "f").read_bytes().replace(b'"seq":2', b'"seq":3')
    (tmp_path / "f").write_bytes(lines)
    assert votes("verify", tmp_path / "f", "--json") == 1
    output = capsys.readouterr()
    report = json.loads(output.out)
    assert not report["ok"]
    assert all(set(fault) == {"file", "line", "id", "station_id", "seq", "fault"} for fault in report["faults"])
    assert report["faults"][0]["id"] == record["id"]
    assert output.err.count("\n") == 1
    assert votes("verify", tmp_path / "f") == 1
    assert f"line 3: edited: the content does not match the hash [record {record['id']}" in capsys.readouterr().out


def test_retract(app: App, votes: Run, capsys: Output) -> None:
    record = app.log.append_vote(draft())
    assert votes("retract", record["id"], "--reason", "technical", "--note", "noise", "--json") == 0
    report = json.loads(capsys.readouterr().out)
    assert report == {"schema": 1, "retracted": record["id"], "id": report["id"], "reason": "technical"}
    stored = app.log.record(report["id"])
    assert stored is not None
    assert stored["private"]["note"] == "noise"
    with pytest.raises(ArenaError, match="already"):
        votes("retract", record["id"])


@pytest.mark.parametrize(
    "words",
    [
        ("export",),
        ("export", "-o", "f", "--format", "xlsx"),
        ("retract",),
        ("retract", "x", "--reason", "boredom"),
        ("import",),
        (),
        ("nonsense",),
    ],
)
def test_wrong_usage_is_two_and_one_line(votes: Run, capsys: Output, words: tuple[str, ...]) -> None:
    with pytest.raises(SystemExit) as end:
        votes(*words)
    assert end.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_dates_and_texts_that_are_none(votes: Run, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no date or time"):
        votes("export", "-o", tmp_path / "f", "--since", "yesterday")
    with pytest.raises(UsageError, match="UTF-8"):
        votes("import", "f", "--source", "\udcff")


def test_a_listener_is_exported_by_name(app: App, votes: Run, tmp_path: Path, capsys: Output) -> None:
    ada = app.listeners.add("Ada")
    mine = app.log.append_vote(draft(listener=ada.pseudonym))
    app.log.append_vote(draft())
    for who in ("Ada", " ada", ada.pseudonym):
        assert votes("export", "-o", tmp_path / "out", "--listener", who) == 0
        header, line = (tmp_path / "out").read_text(encoding="utf-8").splitlines()
        assert json.loads(header)["filter"] == {"listener": ada.pseudonym}
        assert json.loads(line)["id"] == mine["id"]
        assert capsys.readouterr().err == ""
    assert votes("export", "-o", tmp_path / "out", "--listener", "l-aaaaaaaaaaaaaaaa", "--json") == 0
    found = capsys.readouterr()
    assert (json.loads(found.out)["records"], found.err) == (1, "")


def test_an_export_of_nobody_or_nowhere_says_so(app: App, votes: Run, tmp_path: Path, capsys: Output) -> None:
    app.log.append_vote(draft())
    assert votes("export", "-o", tmp_path / "out", "--listener", "Bob", "--arena", "mars", "--json") == 0
    found = capsys.readouterr()
    assert json.loads(found.out)["records"] == 0
    assert found.err.splitlines() == [
        "arena-desktop: there is no vote in the log in an arena mars.",
        "arena-desktop: there is no vote in the log by a listener Bob.",
    ]


def test_retractions_without_effect_are_named_at_import(votes: Run, tmp_path: Path, capsys: Output) -> None:
    vote = foreign_record()
    ids = [f"01900000-0000-7000-8000-00000000cc{n:02}" for n in range(23)]
    place = {"type": "retraction", "station_id": "5c0cbb54-6d3c-4f43-9a4e-000000000009", "listener": "l-else"}
    idle = [foreign_record(**place, retracts=vote["id"], id=name, seq=n + 1) for n, name in enumerate(ids)]
    lost = foreign_record(**place, retracts=ids[0], id="01900000-0000-7000-8000-0000000000aa", seq=50)
    good = foreign_record(type="retraction", retracts=vote["id"], id="01900000-0000-7000-8000-0000000000bb", seq=2)
    path = write_lines(tmp_path / "f", [vote, good])
    assert votes("import", path) == 0
    assert "effect" not in capsys.readouterr().out
    assert votes("import", write_lines(tmp_path / "g", [*idle, lost])) == 0
    note = capsys.readouterr().out.splitlines()[-1]
    assert note.startswith(f"In this log 24 retractions have no effect: {lost['id']} (its vote is not here), ")
    assert f"{ids[0]} (another listener's vote on another station)" in note
    assert note.endswith(" and 4 more.")
    assert good["id"] not in note
    assert votes("import", path, "--json") == 0
    found = capsys.readouterr()
    assert "notes" not in json.loads(found.out)
    assert "24 retractions" in found.err
