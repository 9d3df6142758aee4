"""A listener withdraws: what was private is gone from every file here, does not come back, and the votes stay."""

import itertools
import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena_desktop.app import Composition
from arena_desktop.cli.main import build_parser
from arena_desktop.domain.canonical import canonical_text
from arena_desktop.domain.forgetting import is_forgotten, names_person
from arena_desktop.errors import ArenaError
from arena_desktop.paths import AppPaths, app_paths
from arena_desktop.services.exchange import export_votes, import_votes, verify_log
from arena_desktop.store.forgotten import erase
from arena_desktop.store.rows import COLUMNS, row_of
from arena_desktop.store.vote_log import VoteLog
from tests.helpers.vote_logs import ROSTER, draft, foreign_record, hashes, open_log, write_lines

SECRETS = ("planted own text", "planted note", "planted device", "Anna Planted")


@pytest.fixture
def paths(tmp_path: Path) -> AppPaths:
    return app_paths(tmp_path / "data")


@pytest.fixture
def open_app(paths: AppPaths) -> Iterator[Callable[[], Composition]]:
    opened: list[Composition] = []

    def start() -> Composition:
        while opened:
            opened.pop().close()
        opened.append(Composition(paths, backup_delay_s=1e9))
        return opened[-1]

    yield start
    while opened:
        opened.pop().close()


def _fill(app: Composition, votes: int = 40) -> str:
    anna = app.listeners.add("Anna Planted").pseudonym
    for number in range(votes):
        own = {"id": "own:aaaaaaaaaaaa", "text": "planted own text " * 40, "sha256": "cc"} if number % 2 else None
        private = {"note": "planted note", "device": "planted device"}
        vote = app.log.append_vote(draft(listener=anna, private=private, **({"prompt": own} if own else {})))
        app.log.append_vote(draft(private={"note": "of somebody else"}))
    app.log.append_retraction(vote["id"], anna, "mistake", "planted note")
    return anna


def _run(app: Composition, *words: str) -> int:
    args = build_parser("listeners").parse_args(["listeners", *words])
    status: int = args.func(args, app)
    return status


def _found(folder: Path) -> set[str]:
    """Which secrets still lie in which files, as bytes."""
    return {
        f"{secret} in {path.name}"
        for path in folder.rglob("*")
        if path.is_file()
        for secret in SECRETS
        if secret.encode() in path.read_bytes()
    }


def test_the_bytes_are_gone_while_the_program_runs_and_after(
    open_app: Callable[[], Composition], paths: AppPaths, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    app = open_app()
    anna = _fill(app)
    app.backups.take()
    export_votes(app.log, tmp_path / "before.jsonl")
    before = list(hashes(app.log))
    assert len(_found(paths.data)) > 4
    assert _run(app, "forget", "anna planted", "--yes", "--json") == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["listener"], report["private_deleted"], report["votes_kept"]) == (anna, 41, 40)
    assert (report["left"], report["troubles"]) == ([], [])
    assert list(paths.backups.glob("*.sqlite"))
    assert _found(paths.data) == set()
    assert list(hashes(app.log)) == before
    assert verify_log(app.log).ok
    import_votes(app.log, [tmp_path / "before.jsonl"], roster=ROSTER)
    app = open_app()
    assert _found(paths.data) == set()
    assert sum("private" in record for record in app.log.records()) == 40
    assert b"of somebody else" in paths.database.read_bytes()


def test_the_same_name_is_somebody_new_and_the_old_pseudonym_nobody(
    open_app: Callable[[], Composition], paths: AppPaths
) -> None:
    app = open_app()
    anna = _fill(app, 1)
    assert _run(app, "forget", anna, "--yes") == 0
    assert app.listeners.find("Anna Planted") is None
    assert app.listeners.ensure("Anna Planted").pseudonym != anna
    with (
        pytest.raises(ArenaError, match="was forgotten here"),
        Composition(paths, listener_name=anna, backup_delay_s=1e9) as again,
    ):
        assert again.listener


def test_a_vote_of_a_window_that_does_not_know_yet_is_kept_without_its_private_part(
    open_app: Callable[[], Composition], paths: AppPaths
) -> None:
    app = open_app()
    anna = _fill(app, 1)
    _run(app, "forget", anna, "--yes")
    vote = app.log.append_vote(draft(listener=anna, private={"note": "planted note"}))
    kept = app.log.record(vote["id"])
    assert kept is not None
    assert "private" not in kept
    assert verify_log(app.log).ok
    app.close()
    assert _found(paths.data) == set()


def test_an_older_copy_put_back_by_hand_is_cleared_at_the_next_start(
    open_app: Callable[[], Composition], paths: AppPaths, tmp_path: Path
) -> None:
    app = open_app()
    anna = _fill(app)
    app.close()
    shutil.copy(paths.database, tmp_path / "older.sqlite")
    _run(open_app(), "forget", anna, "--yes")
    app.close()
    open_app().close()
    for rest in paths.data.glob("votes.sqlite-*"):
        rest.unlink()
    shutil.copy(tmp_path / "older.sqlite", paths.database)
    told: list[str] = []
    with Composition(paths, tell=told.append, backup_delay_s=1e9) as again:
        assert again.log.forgotten() == {anna}
    assert any("forgotten here" in note for note in told)
    assert _found(paths.data) == set()


def test_a_new_log_does_not_take_back_what_was_forgotten(
    open_app: Callable[[], Composition], paths: AppPaths, tmp_path: Path
) -> None:
    app = open_app()
    anna = _fill(app)
    export_votes(app.log, tmp_path / "before.jsonl")
    _run(app, "forget", anna, "--yes")
    app.close()
    for path in (*paths.data.glob("votes.sqlite*"), *paths.backups.glob("*.sqlite")):
        if path.suffix != ".forgotten":
            path.unlink()
    app = open_app()
    assert import_votes(app.log, [tmp_path / "before.jsonl"], roster=ROSTER).new == 81
    app.close()
    assert _found(paths.data) == set()


def test_whoever_is_unknown_or_was_forgotten_already(
    open_app: Callable[[], Composition], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    app = open_app()
    anna = _fill(app, 1)
    for who in ("Nobody", "l-zzzzzzzzzzzzzzzz"):
        with pytest.raises(ArenaError, match="Nobody here is called"):
            _run(app, "forget", who, "--yes")
    with pytest.raises(ArenaError, match="nobody is here to ask"):
        _run(app, "forget", anna)
    assert app.listeners.find(anna) is not None
    assert _run(app, "forget", anna, "--yes") == 0
    assert "can't be called back" in capsys.readouterr().out
    assert _run(app, "forget", anna, "--yes") == 0
    assert _run(app, "forget", "l-aaaaaaaaaaaaaaaa", "--yes") == 0  # known by the log alone
    assert _run(app, "list") == 0
    assert capsys.readouterr().out.count("(forgotten)") == 2


class _Terminal:
    def __init__(self, answer: str) -> None:
        self._answer = answer

    def isatty(self) -> bool:
        return True

    def readline(self) -> str:
        return self._answer


@pytest.mark.parametrize(("answer", "gone"), [("yes\n", True), ("y\n", False), ("", False)])
def test_somebody_at_a_terminal_is_asked(
    open_app: Callable[[], Composition], monkeypatch: pytest.MonkeyPatch, answer: str, gone: bool
) -> None:
    app = open_app()
    anna = _fill(app, 1)
    monkeypatch.setattr("sys.stdin", _Terminal(answer))
    assert _run(app, "forget", anna) == (0 if gone else 1)
    assert (app.listeners.find(anna) is None) is gone


def test_another_programs_record_that_names_the_listener_loses_its_original(tmp_path: Path) -> None:
    vote = {"arena": "english", "model_a": {"repo_id": "x/one"}, "model_b": {"repo_id": "x/two"}, "vote": "a"}
    rest = [{**vote, "user": "anna  PLANTED"}, {**vote, "rater": "l-aaaaaaaaaaaaaaaa"}, {**vote, "user": "Bert"}]
    with open_log(tmp_path) as log:
        import_votes(log, [write_lines(tmp_path / "f", rest)], roster=ROSTER)
        found = erase(log.database, "l-aaaaaaaaaaaaaaaa", "Anna Planted")
        assert found.originals == 2
        assert ["original" in record for record in log.records()] == [False, False, True]
        assert import_votes(log, [tmp_path / "f"], roster=ROSTER).already == 3
        assert ["original" in record for record in log.records()] == [False, False, True]
        assert verify_log(log).ok


def test_a_name_is_looked_for_only_where_people_are_named() -> None:
    assert names_person({"meta": [{"Judge": "ANNA"}]}, "l-bbbbbbbbbbbbbbbb", "anna")
    assert not names_person({"vote": "a", "model": "anna"}, "l-bbbbbbbbbbbbbbbb", "anna")
    assert not names_person({"user": ""}, "l-bbbbbbbbbbbbbbbb", "")
    assert names_person({"comment": "by l-bbbbbbbbbbbbbbbb"}, "l-bbbbbbbbbbbbbbbb", "")
    assert not is_forgotten({"listener": ["l-bbbbbbbbbbbbbbbb"], "id": 5}, {"l-bbbbbbbbbbbbbbbb"})


def test_the_guards_let_nothing_else_through(tmp_path: Path) -> None:
    import sqlite3

    with open_log(tmp_path) as log:
        log.append_vote(draft(private={"note": "mine"}))
        bare = "UPDATE records SET record = json_remove(record, '$.private')"
        with pytest.raises(sqlite3.IntegrityError, match="only completed"):
            log.database.run(bare)
        erase(log.database, "l-bbbbbbbbbbbbbbbb")
        with pytest.raises(sqlite3.IntegrityError, match="only completed"):
            log.database.run(bare)
        with pytest.raises(sqlite3.IntegrityError, match="stays forgotten"):
            log.database.run("DELETE FROM forgotten")
        erase(log.database, "l-aaaaaaaaaaaaaaaa")
        with pytest.raises(sqlite3.IntegrityError, match="only completed"):
            log.database.run("UPDATE records SET record = json_set(record, '$.private', json('{}'))")
        assert verify_log(log).ok


_texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.floats(-1e300, 1e300) | _texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_texts, inner, max_size=3),
    max_leaves=8,
)


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[VoteLog]:
    """A log that has forgotten the listener of :func:`foreign_record`."""
    with open_log(tmp_path_factory.mktemp("guard")) as log:
        erase(log.database, "l-bbbbbbbbbbbbbbbb")
        log.database.run("PRAGMA synchronous = OFF")
        yield log


_numbers = itertools.count()


@settings(max_examples=100)
@given(extra=st.dictionaries(_texts, _values, max_size=4), note=_texts)
def test_what_comes_in_by_any_way_is_kept_in_canonical_form(guarded: VoteLog, extra: dict[str, Any], note: str) -> None:
    """The database itself takes the private part away, should nobody before it have done so."""
    name = f"01900000-0000-7000-8000-{next(_numbers):012x}"
    record = foreign_record(note=note, id=name, **{f"x{key}": value for key, value in extra.items()})
    guarded.insert(record)
    kept = guarded.database.row(f"SELECT {', '.join(COLUMNS)} FROM records WHERE id = ?", (name,))
    del record["private"]
    assert kept == row_of(record)
    assert kept[0] == canonical_text(record)
