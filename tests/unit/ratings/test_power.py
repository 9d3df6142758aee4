"""How many votes a verdict takes."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena_desktop.ratings.power import MOST_VOTES, more_votes, votes_needed, votes_until

# The published table: the share among decided votes, the votes without ties, with a fifth of ties.
KNOWN = [
    (0.52, 4904, 6130),
    (0.55, 783, 979),
    (0.60, 194, 243),
    (0.65, 85, 107),
    (0.70, 47, 59),
    (0.75, 29, 37),
    (0.80, 20, 25),
]


@pytest.mark.parametrize(("share", "plain", "with_ties"), KNOWN)
def test_the_published_table(share: float, plain: int, with_ties: int) -> None:
    needed = votes_needed(share)
    assert math.ceil(needed) == plain
    assert math.ceil(votes_needed(1 - share)) == plain
    assert more_votes(needed, ties=0.2) == pytest.approx(with_ties, abs=1)


def test_what_is_there_is_taken_off_and_clustering_multiplies() -> None:
    needed = votes_needed(0.6)
    assert more_votes(needed, there=94) == 100
    assert more_votes(needed, design=2.8) == math.ceil(2.8 * needed)
    assert more_votes(needed, design=0.5) == 194, "listeners who repeat themselves never count for more than one vote"
    assert more_votes(needed, there=500) == 1


def test_no_number_is_named_where_none_would_do() -> None:
    assert votes_needed(0.5) == math.inf
    assert more_votes(votes_needed(0.5)) is None
    assert more_votes(votes_needed(0.501)) is None
    assert more_votes(10.0, ties=1.0) is None
    assert more_votes(float(MOST_VOTES) + 1.0) is None


@given(st.floats(0.0, 1.0), st.floats(0.0, 0.9), st.floats(1.0, 20.0))
def test_ties_and_clustering_never_save_votes(share: float, ties: float, design: float) -> None:
    needed = votes_needed(share)
    assert needed > 0
    plain, more = more_votes(needed), more_votes(needed, ties=ties, design=design)
    assert more is None or (plain is not None and more >= plain)


def test_a_criterion_that_grows_with_the_votes_is_met_where_it_is_found() -> None:
    found = votes_until(0.6, lambda votes: 2.0 + 0.1 * math.log(votes))
    assert found == pytest.approx(votes_needed(0.6, 2.0 + 0.1 * math.log(found)), rel=1e-3)
    assert votes_until(0.6, lambda votes: 1.959963984540054) == pytest.approx(votes_needed(0.6), abs=0.02)
    assert votes_until(0.5, lambda votes: 2.0) == math.inf
