"""The verdict joins the reveal and stands at the top of the board; votes from elsewhere are told."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arena_desktop.domain.votes import Vote
from arena_desktop.services import jobs
from arena_desktop.services.board import Board
from arena_desktop.services.exchange import import_votes
from arena_desktop.services.rated_log import RatedLog
from arena_desktop.services.views import Phase
from arena_desktop.store.vote_log import VoteLog
from tests.helpers.driver import NAMES, Driver
from tests.helpers.vote_logs import ROSTER, draft, foreign_record, write_lines

ME = "l-aaaaaaaaaaaaaaaa"
VOTE = draft(conditions={"question": None, "silent": False, "reveal": "each"})


@pytest.fixture
def log(tmp_path: Path) -> Iterator[VoteLog]:
    with VoteLog.open(tmp_path / "votes.sqlite") as log:
        yield log


def cast(rated: RatedLog, vote: str = "a", **changes: Any) -> dict[str, Any]:
    record, _ = rated.cast({**VOTE, "vote": vote, **changes}, frozenset())
    return record


def sentence(rated: RatedLog, record: dict[str, Any], of_set: bool = False) -> str:
    return rated.sentence(record, of_set=of_set)


def test_reveal_and_board_say_the_same(log: VoteLog) -> None:
    rated = RatedLog(log, Board(ROSTER, log), lambda: ME)
    assert rated.view("english").sentence == "No votes yet, so nothing is known."
    assert sentence(rated, cast(rated)) == "You preferred x/one over x/two once: too early to tell."
    for vote in "aaaabb":
        cast(rated, vote)
    last = cast(rated)
    said = sentence(rated, last)
    assert said.startswith("You prefer x/one over x/two 6 of 8 times: likely, not yet sure; about ")
    assert rated.view("english").sentence == said == sentence(rated, last, of_set=True)


def test_a_vote_that_counts_on_no_board_gets_no_verdict(log: VoteLog) -> None:
    rated = RatedLog(log, Board(ROSTER, log), lambda: ME)
    silent = cast(rated, conditions={"question": None, "silent": True, "reveal": "each"})
    assert sentence(rated, silent) == ""
    stranger = cast(rated, model_b={"repo_id": "x/none"})
    assert sentence(rated, stranger) == ""
    held = cast(rated, conditions={"question": None, "silent": False, "reveal": "set"})
    assert sentence(rated, held) == "", "names are held back"


def test_somebody_elses_votes_are_not_yours(log: VoteLog) -> None:
    reader = [ME]
    rated = RatedLog(log, Board(ROSTER, log), lambda: reader[0])
    record = cast(rated)
    assert sentence(rated, record).startswith("You preferred")
    assert rated.view("english").title == "Ratings for you"
    reader[0] = "l-bbbbbbbbbbbbbbbb"
    assert sentence(rated, record).startswith("This listener preferred")
    assert rated.view("english").title == "Ratings for one listener"
    assert sentence(rated, cast(rated, listener=reader[0])).startswith("These listeners prefer")


def test_an_import_beside_the_window_is_told_until_the_next_vote(log: VoteLog, tmp_path: Path) -> None:
    rated = RatedLog(log, Board(ROSTER, log), lambda: ME)
    cast(rated)
    cast(rated)
    assert rated.view("english").news == ""
    file = write_lines(tmp_path / "old.jsonl", [foreign_record()])
    assert not rated.changed_elsewhere()
    with VoteLog.open(tmp_path / "votes.sqlite") as other:
        import_votes(other, [file], roster=ROSTER)
    assert rated.changed_elsewhere()
    news = rated.view("english").news
    assert news.startswith("1 older vote came in by import: both ratings changed, most of all that of x/")
    assert news.endswith("Live Elo was replayed because it comes before newer votes.")
    assert not rated.changed_elsewhere()
    assert rated.view("english").news == news, "it stays to be read"
    cast(rated)
    assert rated.view("english").news == ""


def test_an_import_just_before_a_vote_is_told_with_it(log: VoteLog, tmp_path: Path) -> None:
    rated = RatedLog(log, Board(ROSTER, log), lambda: ME)
    cast(rated)
    rated.view("english")
    with VoteLog.open(tmp_path / "votes.sqlite") as other:
        import_votes(other, [write_lines(tmp_path / "old.jsonl", [foreign_record()])], roster=ROSTER)
    cast(rated)
    assert rated.view("english").news.startswith("1 older vote came in by import: ")


def test_another_windows_vote_and_its_retraction_are_told(log: VoteLog, tmp_path: Path) -> None:
    rated = RatedLog(log, Board(ROSTER, log), lambda: ME)
    mine = cast(rated)
    before = {row.repo_id: row.rating or 0.0 for row in rated.view("english").rows}
    with VoteLog.open(tmp_path / "votes.sqlite") as other:
        theirs = other.append_vote({**VOTE, "vote": "b"})
        after = {row.repo_id: row.rating or 0.0 for row in rated.view("english").rows}
        moved = round(before["x/one"] - after["x/one"])
        assert moved > 10
        assert rated.view("english").news == (
            f"1 newer vote came in from elsewhere: both ratings changed, most of all that of x/one (−{moved})."
        )
        cast(rated)
        rated.view("english")
        other.append_retraction(theirs["id"], ME, "undo")
    assert rated.view("english").news.startswith("1 vote no longer counts: both ratings changed")
    rated.take_back(mine["id"], ME)
    assert rated.view("english").news == "", "what one does oneself is no news"


def test_ones_own_set_is_no_news_when_it_is_shown(log: VoteLog, tmp_path: Path) -> None:
    rated = RatedLog(log, Board(ROSTER, log), lambda: ME)
    cast(rated)
    rated.view("english")
    in_set = {"question": None, "silent": False, "reveal": "set"}
    held = cast(rated, conditions=in_set)
    with VoteLog.open(tmp_path / "votes.sqlite") as other:
        other.append_vote(VOTE)
    rated.cast({**VOTE, "conditions": in_set}, frozenset({held["id"]}))
    rated.hold_back(frozenset())
    view = rated.view("english")
    assert view.votes == 4
    assert view.news.startswith("1 newer vote came in from elsewhere: ")


# --- in the window ---------------------------------------------------------------------------------------------------


@pytest.fixture
def driver(tmp_path: Path) -> Iterator[Driver]:
    driver = Driver(tmp_path / "data")
    yield driver
    driver.close()


def vote(driver: Driver, number: int, vote: Vote) -> None:
    driver.until(lambda: driver.view.battle == number and driver.view.phase is Phase.READY, f"battle {number}")
    driver.until(lambda: driver.view.can_vote, "the gate")
    driver.services.listen.vote(vote)
    driver.until(lambda: driver.view.votes_cast == number, "the vote in the log")


def sentences(driver: Driver) -> tuple[str, ...]:
    reveal = driver.view.reveal
    return () if reveal is None else reveal.sentences


def test_the_reveal_comes_first_and_the_verdict_follows_by_itself(driver: Driver) -> None:
    vote(driver, 1, Vote.A)
    assert len(sentences(driver)) == 1, "the reveal waits for no fit"
    driver.services.listen.painted(driver.view)
    driver.until(lambda: len(sentences(driver)) == 2, "the verdict")
    reveal = driver.view.reveal
    assert reveal is not None
    assert reveal.sentences[1] == f"You preferred {reveal.a.name} over {reveal.b.name} once: too early to tell."
    driver.until(lambda: driver.boards[-1].votes == 1, "the board")
    assert driver.boards[-1].sentence == reveal.sentences[1]


def test_the_reading_of_the_log_stands_still_from_the_vote_until_its_reveal_is_seen(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "_STANDING_S", 60)
    driver.until(lambda: driver.view.can_vote, "the gate")
    store = driver.services._store
    reached: list[str] = []

    def read() -> None:
        while "go on" not in reached:
            store.let_urgent_through()
            reached.append("read")

    go_on = store.go_on
    store.go_on = lambda: reached.append("go on") or go_on()  # type: ignore[method-assign,func-returns-value]
    driver.services.listen.vote(Vote.A)
    store.ask(read)
    driver.until(lambda: driver.view.reveal is not None, "the reveal")
    assert reached == []
    driver.services.listen.painted(driver.view)
    store.run(lambda: None)
    assert reached == ["go on", "read"]


def test_no_verdict_reaches_the_next_battle_or_a_vote_taken_back(driver: Driver) -> None:
    vote(driver, 1, Vote.A)
    driver.services.listen.next()
    vote(driver, 2, Vote.B)
    first = next(v for v in driver.listen_views if v.battle == 2 and v.reveal is not None)
    assert first.reveal is not None
    assert len(first.reveal.sentences) == 1
    driver.services.listen.undo()
    driver.until(lambda: driver.view.reveal is not None and driver.view.reveal.taken_back, "the retraction")
    for _ in range(60):
        driver.turn()
    assert len(sentences(driver)) == 1
    for view in driver.listen_views:
        if view.reveal is None:
            assert not [name for name in NAMES if name in repr(view)]


def test_a_set_ends_with_where_the_votes_stand(driver: Driver) -> None:
    driver.services.settings.change(reveal="set", reveal_set=2)
    driver.services.listen.choose_arena("two")
    driver.until(lambda: driver.view.question == "Which is clearer?", "the other arena")
    number = driver.view.battle
    for cast_vote in (Vote.A, Vote.A):
        driver.until(lambda: driver.view.can_vote, "the gate")
        driver.services.listen.vote(cast_vote)
        driver.until(lambda: not driver.view.can_vote, "the vote")
        if driver.view.votes_cast == 1:
            assert driver.view.reveal is None
    assert driver.view.battle > number
    driver.until(lambda: len(sentences(driver)) == 2, "the verdict")
    said = sentences(driver)[1]
    assert "Alder" in said
    assert "Birch" in said
    assert said.endswith("too early to tell.")
    driver.services.listen.next()
    driver.until(lambda: driver.view.reveal is None, "the next battle")


def test_an_import_is_noticed_while_no_battle_is_open(driver: Driver, tmp_path: Path) -> None:
    vote(driver, 1, Vote.A)
    driver.until(lambda: any(board.votes == 1 for board in driver.boards), "the board with the vote")
    reveal = driver.view.reveal
    assert reveal is not None
    records = [{"arena": "english", "model_a": {"repo_id": reveal.a.repo_id}, "model_b": {"repo_id": reveal.b.repo_id},
                "vote": "b", "conditions": {"silent": True}, "n": n} for n in range(3)]  # fmt: skip
    with VoteLog.open(driver.folder / "votes.sqlite") as other:
        import_votes(other, [write_lines(tmp_path / "old.jsonl", records)], roster=ROSTER)
    driver.until(lambda: driver.boards[-1].votes == 4, "the board with the import")
    assert driver.boards[-1].news.startswith("3 older votes came in by import: both ratings changed, most of all ")


def test_while_a_battle_is_open_every_look_sees_the_same_votes(log: VoteLog, tmp_path: Path) -> None:
    rated = RatedLog(log, Board(ROSTER, log), lambda: ME)
    cast(rated)
    rated.view("english")
    rated.stand_still(True)
    with VoteLog.open(tmp_path / "votes.sqlite") as other:
        import_votes(other, [write_lines(tmp_path / "old.jsonl", [foreign_record()])], roster=ROSTER)
    assert rated.view("english").votes == len(rated.votes("english").table) == 1
    rated.stand_still(False)
    assert rated.view("english").votes == len(rated.votes("english").table) == 2
