"""What votes from elsewhere did to a board, word by word."""

from dataclasses import replace

from arena_desktop.services.board_news import board_news
from arena_desktop.services.views import BoardRow, BoardView

ROW = BoardRow("", "", "", 0, 1000.0, None, None, 1, 1, 1, 1, 1000, 1000, 1, 0, 0, 0, 0, None)


def board(**ratings: float | None) -> BoardView:
    rows = tuple(
        replace(ROW, repo_id=name, name=name.replace("_", " "), rating=rating) for name, rating in ratings.items()
    )
    return BoardView("one", (), "", 0, rows)


BEFORE = board(Alder=1000.0, Kokoro_Heart=1000.0, Cedar=None)
AFTER = board(Alder=977.4, Kokoro_Heart=1022.6, Cedar=None)


def news(ids_before: str, ids_after: str, own: str = "", before: BoardView = BEFORE, after: BoardView = AFTER) -> str:
    return board_news(before, after, ids_before.split(), ids_after.split(), own.split())


def test_older_votes() -> None:
    assert news("k l", "a k b l") == (
        "2 older votes came in by import: both ratings changed, most of all that of Alder (−23). "
        "Live Elo was replayed because they come before newer votes."
    )
    assert news("k", "a k").endswith("because it comes before newer votes.")


def test_newer_votes_replay_nothing() -> None:
    after = board(Alder=1000.2, Kokoro_Heart=1022.6, Cedar=977.0)
    assert news("k", "k y", after=after) == (
        "1 newer vote came in from elsewhere: 2 of 3 ratings changed, most of all that of Kokoro Heart (+23)."
    )


def test_into_an_empty_board() -> None:
    assert news("", "a b", before=board(Alder=None, Cedar=None), after=board(Alder=1010.0, Cedar=990.0)) == (
        "2 votes came in from elsewhere, the first on this board: 2 models are rated now."
    )


def test_votes_that_no_longer_count() -> None:
    assert news("k l m", "k m", after=BEFORE) == (
        "1 vote no longer counts: no rating changed. Live Elo was replayed without it."
    )
    assert news("k l m", "k").endswith("2 votes no longer count: both ratings changed, most of all that of Alder "
                                       "(−23). Live Elo was replayed without them.")  # fmt: skip
    assert news("k l", "a l").startswith("1 older vote came in by import and 1 vote no longer counts: ")


def test_what_this_window_did_is_no_news() -> None:
    assert news("k", "k mine", "mine") == ""
    assert news("k mine", "k", "mine") == ""
    assert news("k", "k") == ""
    assert news("k", "k y mine", "mine").startswith("1 newer vote"), "newer than what was shown"
