"""Who met whom, and what chains of games are worth."""

import numpy as np
import pytest

from arena_desktop.ratings.meetings import meetings
from tests.helpers.snapshots import table_of, vote

A, B, C, D, E = models = ("x/a", "x/b", "x/c", "x/d", "x/e")


def test_counts_are_the_same_whichever_side_a_model_was_on() -> None:
    met = meetings(
        table_of([vote(A, B, "a"), vote(B, A, "b"), vote(A, B, "b"), vote(A, B, "tie"), vote(B, A, "both_bad")], models)
    )
    assert (met.wins[0, 1], met.wins[1, 0]) == (2, 1)
    assert met.ties[0, 1] == met.ties[1, 0] == met.both_bad[0, 1] == met.both_bad[1, 0] == 1
    assert met.games[0, 1] == 5
    assert met.draw_share == pytest.approx(0.4)


def test_a_chain_is_worth_what_wires_in_a_row_carry() -> None:
    met = meetings(table_of([vote(A, B)] * 6 + [vote(B, C)] * 3 + [vote(D, E)] * 2, models))
    assert met.worth[0, 1] == pytest.approx(6)
    assert met.worth[0, 2] == pytest.approx(2), "1 / (1/6 + 1/3)"
    assert met.worth[3, 4] == pytest.approx(2)
    assert met.worth[0, 3] == 0
    direct = meetings(table_of([vote(A, B)] * 6 + [vote(B, C)] * 3 + [vote(A, C)] * 4, models))
    assert direct.worth[0, 2] == pytest.approx(6), "direct games and the way round add up"


def test_without_votes_nothing_is_worth_anything() -> None:
    met = meetings(table_of([], models))
    assert not met.games.any()
    assert met.draw_share == 0
    assert not met.worth[~np.eye(5, dtype=bool)].any()
