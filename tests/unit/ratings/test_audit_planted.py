"""Each check finds its own defect and no other; a clean board fires none; little data claims nothing."""

from dataclasses import asdict
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena_desktop.ratings.audit import CHECKS, Finding, Severity, audit
from arena_desktop.ratings.vote_table import VoteRow, VoteTable
from tests.helpers.audit_boards import MODELS, PLANTED, board, clean_rows, table

HOME = [110.0, *(-40.0 * n for n in range(8))]


def fired(found: tuple[Finding, ...]) -> set[str]:
    return {finding.check for finding in found if finding.severity.fires}


def by_check(votes: VoteTable, retracted: VoteTable | None = None) -> dict[str, Finding]:
    return {finding.check: finding for finding in audit(votes, retracted=retracted, seed=1)}


@pytest.mark.parametrize("planted", PLANTED)
def test_a_planted_defect_is_found_and_nothing_else(planted: str) -> None:
    check, make = PLANTED[planted]
    made = make()
    assert fired(audit(made.votes, retracted=made.retracted, seed=1)) == {check}


def test_every_check_has_a_planted_defect() -> None:
    checks = {finding.check for finding in audit(board(clean_rows(100, 30)).votes)}
    assert checks == {check for check, _ in PLANTED.values()}
    assert len(checks) == len(CHECKS)


@pytest.mark.parametrize("seed", range(100, 108))
def test_a_clean_panel_fires_nothing(seed: int) -> None:
    found = audit(board(clean_rows(seed)).votes, seed=seed)
    assert fired(found) == set()
    assert {finding.check for finding in found if finding.severity is Severity.UNKNOWN} == set()


@pytest.mark.parametrize("seed", range(8))
def test_a_first_evening_of_one_listener_claims_nothing(seed: int) -> None:
    found = audit(board(clean_rows(seed, 15, strengths=HOME, listeners=1)).votes)
    assert {finding.severity for finding in found} <= {Severity.OK, Severity.UNKNOWN}
    told = {finding.check for finding in found if finding.severity is Severity.OK}
    assert told <= {"islands", "conditions", "makes"}  # what needs no statistics
    for finding in found:
        if finding.check in ("side", "first_played", "tie_rule", "leader", "order_wobble", "prior_share"):
            assert finding.needed is not None
            assert finding.needed > 15


@pytest.mark.parametrize("seed", range(4))
def test_a_month_of_one_listener_fires_nothing(seed: int) -> None:
    rows = clean_rows(seed + 200, 600, strengths=HOME, listeners=1, taste_sd=0.0)
    assert fired(audit(board(rows).votes)) == set()


def vote(a: str, b: str, outcome: str, **more: Any) -> VoteRow:
    return VoteRow(id=f"{a}{b}{outcome}", a=a, b=b, vote=outcome, listener=("",), **more)


EDGES: dict[str, list[VoteRow]] = {
    "no votes": [],
    "one vote": [vote("m/00", "m/01", "a")],
    "one tie": [vote("m/00", "m/01", "tie")],
    "only ties": [vote("m/00", "m/01", "tie"), vote("m/01", "m/02", "tie")] * 60,
    "all both bad": [vote("m/00", "m/01", "both_bad"), vote("m/02", "m/01", "both_bad")] * 60,
    "perfect record": [vote("m/00", "m/01", "a")] * 200,
    "all for A": [vote("m/00", "m/01", "a"), vote("m/01", "m/00", "a")] * 100,
    "islands": [vote("m/00", "m/01", "a"), vote("m/02", "m/03", "b")] * 100,
    "six listeners, one vote each": [vote("m/00", "m/01", "a")._replace(listener=f"l-{n}") for n in range(6)],
    "A always first": [vote("m/00", "m/01", "ab"[n % 2], first=0, reveals_before=n % 2) for n in range(300)],
}


@pytest.mark.parametrize("name", EDGES)
def test_odd_boards_are_audited_without_a_fault_and_all_numbers_are_numbers(name: str) -> None:
    found = audit(table(EDGES[name]), retracted=table(EDGES[name][:3]))
    assert len(found) == len(CHECKS)
    for finding in found:
        _finite(asdict(finding.figures))


def _finite(value: Any) -> None:
    """Plain values alone, so that they can be written as JSON."""
    if isinstance(value, dict):
        for one in value.values():
            _finite(one)
    elif isinstance(value, tuple):
        for one in value:
            _finite(one)
    else:
        assert value is None or type(value) in (bool, int, float, str), repr(value)
        assert not isinstance(value, float) or np.isfinite(value)


rows = st.lists(
    st.builds(
        lambda pair, outcome, listener, first, reveals: vote(
            f"m/{pair[0]:02d}", f"m/{pair[1]:02d}", outcome, first=first, reveals_before=reveals
        )._replace(listener=listener),
        st.permutations(range(4)),
        st.sampled_from(["a", "b", "tie", "both_bad"]),
        st.sampled_from(["l-a", "l-b", "l-c", "l-d", "l-e", "l-f", ("",)]),
        st.sampled_from([-1, 0, 1]),
        st.sampled_from([-1, 0, 3]),
    ),
    max_size=150,
)


@settings(max_examples=40, deadline=None)
@given(rows)
def test_any_board_is_audited(votes: list[VoteRow]) -> None:
    found = audit(table(votes, MODELS[:5]), retracted=table(votes[::3], MODELS[:5]))
    for finding in found:
        _finite(asdict(finding.figures))


@settings(max_examples=8, deadline=None)
@given(st.randoms(use_true_random=False))
def test_all_but_live_elo_is_the_same_in_any_order(chance: Any) -> None:
    votes = clean_rows(300, 400, strengths=HOME)
    mixed = list(votes)
    chance.shuffle(mixed)
    one, other = by_check(board(votes).votes), by_check(board(mixed).votes)
    for check in ("islands", "coverage", "cycles"):
        assert one[check] == other[check]
    for check in set(one) - {"order_wobble", "self_agreement", "leader"}:
        assert one[check].severity is other[check].severity


def test_the_same_seed_gives_the_same_findings() -> None:
    votes = board(clean_rows(301, 500)).votes
    assert audit(votes, seed=3) == audit(votes, seed=3)
    assert audit(votes, seed=3) != audit(votes, seed=4)
