"""The board of a real vote log: always what a replay of the log gives, and nothing counted in silence."""

import random
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena_desktop.domain.canonical import canonical, sha256_hex
from arena_desktop.domain.roster import ArenaSpec, ModelSpec, Roster, roster_json
from arena_desktop.domain.vote_filter import VoteFilter
from arena_desktop.errors import ArenaError, UsageError
from arena_desktop.ratings import NotConverged, fit_bradley_terry
from arena_desktop.services import arena_votes, board_rows
from arena_desktop.services.board import Board
from arena_desktop.services.exchange import export_votes
from arena_desktop.services.file_board import board_of_file
from arena_desktop.store.vote_log import VoteLog
from tests.helpers.vote_logs import draft, foreign_record, hashes, open_log

QUESTION = "Which voice sounds more natural?"
IDS = ("x/one", "x/two", "x/three", "x/four")
ROSTER = Roster(
    {repo_id: ModelSpec(repo_id, repo_id.upper(), "82M", 82, 80.0 + place) for place, repo_id in enumerate(IDS)},
    {
        "english": ArenaSpec("english", IDS, "English", question=QUESTION),
        "other": ArenaSpec("other", IDS[:2], question="Which is funnier?"),
    },
)


def cast(log: VoteLog, a: str, b: str, vote: str = "a", **changes: Any) -> dict[str, Any]:
    changes.setdefault("conditions", {"question": QUESTION, "silent": False})
    return log.append_vote(
        draft(model_a={"repo_id": a}, model_b={"repo_id": b}, vote=vote, **changes),
    )


def casting(log: VoteLog, number: int, seed: int = 1, listeners: int = 1) -> Iterator[dict[str, Any]]:
    """Votes on the first three models, one cast at each step."""
    chance = random.Random(seed)
    for n in range(number):
        a, b = chance.sample(IDS[:3], 2)
        yield cast(log, a, b, chance.choice(["a", "b", "tie", "both_bad"]), listener=f"l-{n % listeners:016d}")


def cast_some(log: VoteLog, number: int, listeners: int = 1) -> list[dict[str, Any]]:
    return list(casting(log, number, listeners=listeners))


@pytest.fixture
def log(tmp_path: Path) -> Iterator[VoteLog]:
    with open_log(tmp_path) as opened:
        yield opened


def everything(board: Board) -> list[Any]:
    """All that a board says, to the last digit."""
    return [
        [board.leaderboard(arena, method) for arena in ROSTER.arenas for method in ("elo", "rating", "bt")],
        [board.view(arena) for arena in ROSTER.arenas],
    ]


def test_a_live_board_is_to_the_last_digit_a_replayed_one(log: VoteLog) -> None:
    live = Board(ROSTER, log)
    live.refresh()
    for record in casting(log, 60, listeners=7):
        moves = live.apply(record)
        assert moves is not None
        assert set(moves) == {record["model_a"]["repo_id"], record["model_b"]["repo_id"]}
        if int(record["seq"]) % 20 == 0:
            assert everything(live) == everything(Board(ROSTER, log))
    row = {row.repo_id: row for row in live.view("english").rows}
    assert moves is not None
    assert {repo_id: after for repo_id, (_, after) in moves.items()} == {id_: row[id_].elo for id_ in moves}


def test_the_rows_of_a_board(log: VoteLog) -> None:
    cast_some(log, 40)
    board = Board(ROSTER, log)
    found = board.leaderboard("english", "rating")
    assert list(found) == [
        "schema", "arena", "method", "rules", "log_hash", "roster_hash", "policy_hash", "policy", "conditions", "rows",
    ]  # fmt: skip
    assert (found["schema"], found["arena"], found["rules"], found["policy_hash"]) == (1, "english", "elo-1", "")
    assert found["log_hash"] == sha256_hex("\n".join(hashes(log)).encode())
    assert found["roster_hash"] == sha256_hex(canonical(roster_json(ROSTER)))
    assert found["conditions"] == [{"question": QUESTION, "silent": False, "votes": 40}]
    rated, unplayed = found["rows"][:3], found["rows"][3]
    assert sum(row["rating"] for row in rated) / 3 == pytest.approx(1000)
    assert [row["rating"] for row in rated] == sorted((row["rating"] for row in rated), reverse=True)
    assert unplayed["repo_id"] == "x/four"
    nothing = ("rating", "low", "high", "rank", "rank_low", "rank_high", "tier")
    assert all(unplayed[key] is None for key in nothing)
    assert unplayed["acceptable"] == {"share": None, "low": None, "high": None}
    for row in rated:
        assert list(row)[:15] == [
            "repo_id", "name", "rating", "low", "high", "rank", "rank_low", "rank_high", "tier",
            "battles", "wins", "losses", "ties", "both_bad", "acceptable",
        ]  # fmt: skip
        assert row["low"] < row["rating"] < row["high"]
        assert row["acceptable"]["share"] == 1 - row["both_bad"] / row["battles"]
    assert board.leaderboard() == found


def test_the_head_start_column_is_the_anchored_fit(log: VoteLog) -> None:
    cast_some(log, 40)
    board = Board(ROSTER, log)
    rows = {row["repo_id"]: row["rating"] for row in board.leaderboard("english", "bt")["rows"]}
    games: dict[tuple[str, str], list[float]] = {}
    for record in log.records():
        sides = (record["model_a"]["repo_id"], record["model_b"]["repo_id"])
        pair = games.setdefault(sides, [0.0, 0.0])
        pair[0] += 1
        pair[1] += {"a": 1.0, "b": 0.0}.get(record["vote"], 0.5)
    priors = {repo_id: 1000 + 8 * (80 + place - 82) for place, repo_id in enumerate(IDS)}
    assert rows == pytest.approx(fit_bradley_terry([[*key, *pair] for key, pair in games.items()], priors))
    view = board.view("english")
    assert {row.repo_id: row.head_start for row in view.rows} == rows
    assert [row.rating for row in view.rows] == [row["rating"] for row in board.leaderboard("english")["rows"]]


def test_a_retracted_vote_is_as_if_never_cast(log: VoteLog, tmp_path: Path) -> None:
    records = cast_some(log, 12)
    log.append_retraction(records[5]["id"], records[5]["listener"], "undo")
    with open_log(tmp_path / "without") as other:
        cast_some(other, 5)
        for record in records[6:]:
            cast(other, record["model_a"]["repo_id"], record["model_b"]["repo_id"], record["vote"])
        without = Board(ROSTER, other)
        board = Board(ROSTER, log)
        for method in ("elo", "rating", "bt"):
            assert board.leaderboard(method=method)["rows"] == without.leaderboard(method=method)["rows"]
    assert board.view("english").notes == ("Left out of all boards: 1 vote taken back.",)


def test_silent_votes_are_apart(log: VoteLog) -> None:
    normal, silent = Board(ROSTER, log), Board(ROSTER, log, silent=True)
    normal.refresh()
    record = cast(log, "x/one", "x/two", conditions={"question": QUESTION, "silent": True})
    assert normal.apply(record) == {}
    silent.refresh()
    assert (normal.view("english").votes, silent.view("english").votes) == (0, 1)
    assert normal.view("english").notes == ("Left out of all boards: 1 vote cast without sound (--silent).",)
    assert everything(normal) == everything(Board(ROSTER, log))
    another = cast(log, "x/one", "x/two", conditions={"question": QUESTION, "silent": True})
    moves = silent.apply(another)
    assert moves is not None
    assert moves["x/one"][0] > 984.0
    assert everything(silent) == everything(Board(ROSTER, log, silent=True))
    assert "without sound" in silent.view("english").notes[0]
    assert silent.leaderboard()["conditions"] == [{"question": QUESTION, "silent": True, "votes": 2}]


def test_votes_under_another_question_are_not_pooled(log: VoteLog) -> None:
    board = Board(ROSTER, log)
    board.refresh()
    kept = [
        cast(log, "x/one", "x/two"),
        cast(log, "x/one", "x/two", conditions={"silent": False}),
        cast(log, "x/one", "x/two", arena="other", conditions={"question": "Which is funnier?", "silent": False}),
    ]
    left = cast(log, "x/one", "x/two", conditions={"question": "Which is louder?", "silent": False})
    assert all(board.apply(record) for record in kept)
    assert board.apply(left) == {}
    assert everything(board) == everything(Board(ROSTER, log))
    assert board.leaderboard()["conditions"] == [
        {"question": None, "silent": False, "votes": 1},
        {"question": QUESTION, "silent": False, "votes": 1},
    ]
    assert board.view("english").notes == ("Left out of all boards: 1 vote under another question.",)


def test_votes_on_strangers_wait_until_the_roster_names_them(log: VoteLog) -> None:
    board = Board(ROSTER, log)
    board.refresh()
    for record in (
        cast(log, "x/one", "x/unknown"),
        cast(log, "x/one", "x/two", arena="attic"),
        cast(log, "x/one", "x/three", arena="other", conditions={"question": None}),
        cast(log, "x/one", "x/two"),
    ):
        board.apply(record)
    assert everything(board) == everything(Board(ROSTER, log))
    assert board.view("english").votes == 1
    assert board.view("english").notes == (
        (
            "1 vote is left out of all boards: it names a model that is not in the roster (x/unknown)."
            " Give the roster that has it with --roster."
        ),
        (
            "1 vote is left out of all boards: it names an arena that is not in the roster (attic)."
            " Give the roster that has it with --roster."
        ),
        "Left out of all boards: 1 vote with a model that is not in its arena.",
    )
    wider = Roster(
        {**ROSTER.models, "x/unknown": ModelSpec("x/unknown", "New")},
        {
            **ROSTER.arenas,
            "english": replace(ROSTER.arenas["english"], models=(*IDS, "x/unknown")),
        },
    )
    assert Board(wider, log).view("english").votes == 2


def test_a_board_says_for_whom_it_speaks(log: VoteLog) -> None:
    def title() -> str:
        return Board(ROSTER, log).view("english").title

    assert title() == "No votes yet"
    cast_some(log, 3, listeners=1)
    assert title() == "Ratings for you"
    cast_some(log, 8, listeners=4)
    assert title() == "Ratings for these listeners"
    cast_some(log, 70, listeners=7)
    assert title() == "Ratings for listeners like these"


def test_a_competitor_that_changed_is_pointed_out(log: VoteLog) -> None:
    for weights, voice in (("aa", "v"), ("aa", None), ("bb", "v")):
        log.append_vote(
            draft(
                model_a={"repo_id": "x/one", "weights_hash": weights, "voice": voice},
                model_b={"repo_id": "x/two", "weights_hash": "cc", "voice": voice},
                conditions={"question": QUESTION},
            )
        )
    assert Board(ROSTER, log).view("english").notes == (
        "X/ONE was not the same in all votes: its weights changed; the audit says how to tell its votes apart.",
    )


def test_groups_that_never_met_are_pointed_out(log: VoteLog) -> None:
    cast(log, "x/one", "x/two")
    cast(log, "x/three", "x/four")
    notes = Board(ROSTER, log).view("english").notes
    assert notes == ("These groups never met, so nothing is known between them: X/ONE, X/TWO | X/THREE, X/FOUR.",)


def test_a_fit_that_fails_leaves_the_counts_and_says_so(log: VoteLog, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise NotConverged("The fit of 3 models did not reach its optimum.")

    cast_some(log, 9)
    monkeypatch.setattr(board_rows, "rating_standings", fail)
    monkeypatch.setattr(arena_votes, "rating_standings", fail)
    board = Board(ROSTER, log)
    view = board.view("english")
    assert view.notes == ("The fit of 3 models did not reach its optimum.",)
    assert all(row.rating is None and row.low is None for row in view.rows)
    assert sum(row.battles for row in view.rows) == 18
    with pytest.raises(NotConverged):
        board.leaderboard("english", "rating")
    assert board.leaderboard("english", "elo")["rows"]


def test_a_refresh_that_fails_changes_nothing(log: VoteLog) -> None:
    class Failing:
        broken = False

        def records(self) -> Iterator[dict[str, Any]]:
            yield from log.records()
            if self.broken:
                raise OSError("the disk is gone")

        def retractions(self) -> Iterator[dict[str, Any]]:
            return log.retractions()

        def conflicts(self) -> set[str]:
            return log.conflicts()

        def moment(self) -> "AbstractContextManager[Failing]":
            return nullcontext(self)

        def log_hash(self) -> str:
            return log.log_hash()

    cast_some(log, 9)
    source = Failing()
    board = Board(ROSTER, source)
    before = everything(board)
    source.broken = True
    with pytest.raises(OSError, match="the disk is gone"):
        board.refresh()
    assert everything(board) == before


def test_what_cannot_be_shown_is_refused_by_name(log: VoteLog) -> None:
    board = Board(ROSTER, log)
    with pytest.raises(ArenaError, match=r"'attic'.*english, other"):
        board.view("attic")
    with pytest.raises(UsageError, match=r"glicko.*rating"):
        board.leaderboard("english", "glicko")
    with pytest.raises(ArenaError, match="no arena"):
        Board(Roster({}, {}), log).view("")


def test_an_exported_log_gives_the_same_leaderboards(log: VoteLog, tmp_path: Path) -> None:
    records = cast_some(log, 30, listeners=6)
    log.append_retraction(records[3]["id"], records[3]["listener"], "mistake")
    file = tmp_path / "votes.jsonl.gz"
    export_votes(log, file, VoteFilter(), public=True)
    assert everything(board_of_file(ROSTER, file, silent=False)) == everything(Board(ROSTER, log))


def test_the_order_of_lines_in_a_file_of_ours_does_not_matter(log: VoteLog, tmp_path: Path) -> None:
    cast_some(log, 12, listeners=3)
    file = tmp_path / "votes.jsonl"
    export_votes(log, file, VoteFilter(), public=False)
    header, *lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(header + b"".join(reversed(lines)) + lines[4])
    assert everything(board_of_file(ROSTER, file, silent=False)) == everything(Board(ROSTER, log))


def test_votes_without_a_listener_count_as_one_persons(log: VoteLog) -> None:
    for _ in range(30):
        cast(log, "x/one", "x/two", listener=None)
    view = Board(ROSTER, log).view("english")
    assert view.title == "Ratings for these listeners"
    assert view.notes == ("30 votes here name no listener; those of one source count as one person's.",)


def test_two_records_under_one_id_count_for_none(log: VoteLog) -> None:
    for record in (foreign_record(vote="a"), foreign_record(vote="b")):
        log.insert_or_merge(record)
    board = Board(ROSTER, log)
    assert board.view("english").votes == 0
    assert board.view("english").notes == ("Left out of all boards: 2 votes that share their id with another record.",)
