"""The figures behind the findings, against what was planted and against slow computations of the same thing."""

import math
from typing import TypeVar

import numpy as np
import pytest

from arena_desktop.ratings.audit import Case, Figures, Severity
from arena_desktop.ratings.audit.agreement import Agreement, self_agreement
from arena_desktop.ratings.audit.bias import Bias, first_played_bias, side_bias
from arena_desktop.ratings.audit.case import fit, table_of, without
from arena_desktop.ratings.audit.clustering import Clustering, clustering
from arena_desktop.ratings.audit.conditions import Conditions, conditions
from arena_desktop.ratings.audit.cycles import Cycles, cycles
from arena_desktop.ratings.audit.finding import Finding
from arena_desktop.ratings.audit.islands import Islands, islands
from arena_desktop.ratings.audit.leader import Leader, leader
from arena_desktop.ratings.audit.listener import OneListener, one_listener
from arena_desktop.ratings.audit.makes import Makes, makes
from arena_desktop.ratings.audit.names import NamesSeen, names_seen
from arena_desktop.ratings.audit.retractions import Retractions, retractions
from arena_desktop.ratings.audit.wobble import shuffled_elo
from arena_desktop.ratings.elo import step
from arena_desktop.ratings.vote_table import VoteTable
from tests.helpers import audit_boards
from tests.helpers.audit_boards import board, clean_rows, table

Kind = TypeVar("Kind", bound=Figures)


def case(votes: VoteTable, retracted: VoteTable | None = None) -> Case:
    return Case(votes, np.full(len(votes.models), 1000.0), retracted, 1)


def figures(finding: Finding, kind: type[Kind]) -> Kind:
    assert isinstance(finding.figures, kind)
    return finding.figures


def test_side_and_order_are_told_apart_and_measured() -> None:
    """30 points for A and 60 for what is heard first; ties of a sixth shrink both by about that."""
    votes = board(clean_rows(40, 20000, side_bias=30.0, first_bias=60.0, ties=0.15, taste_sd=0.0)).votes
    found = case(votes)
    side, first = (figures(check(found), Bias) for check in (side_bias, first_played_bias))
    assert side.elo is not None
    assert first.elo is not None
    assert side.elo.low < 30 * 0.87 < side.elo.high
    assert first.elo.low < 60 * 0.87 < first.elo.high
    assert side.elo.high < first.elo.low
    assert side.share is not None
    assert side.share.value == pytest.approx(1 / (1 + 10 ** (-side.elo.value / 400)) - 0.5)


def test_an_order_that_never_changes_is_not_told_from_the_side() -> None:
    rows = [row._replace(first=0) for row in clean_rows(41, side_bias=45.0)]
    found = case(board(rows).votes)
    assert first_played_bias(found).severity is Severity.UNKNOWN
    side = side_bias(found)
    assert side.severity.fires
    assert not figures(side, Bias).apart


def test_the_clustered_interval_of_an_advantage_covers_it() -> None:
    """Ten listeners, each with an advantage of their own for A (SD 60 points) around 0."""
    hits, boards = 0, 60
    for seed in range(boards):
        chance = np.random.default_rng(seed)
        rows = []
        for listener, own in enumerate(chance.normal(0, 60, 10)):
            rows += clean_rows(
                1000 * seed + listener,
                100,
                listeners=1,
                taste_sd=0.0,
                side_bias=float(own),
                first_listener=listener + 1,
            )
        side = figures(side_bias(case(table(rows))), Bias)
        assert side.elo is not None
        hits += side.elo.low < 0 < side.elo.high
    assert hits >= 0.88 * boards


def test_the_votes_named_do_hold_first_place_and_one_fewer_do_not() -> None:
    votes = audit_boards.leader().votes
    found = figures(leader(case(votes)), Leader)
    assert found.votes is not None
    places = [place for place in range(len(votes)) if votes.id(place) in found.ids]
    assert len(places) == found.votes
    whole, models = table_of(votes), np.arange(len(votes.models))
    assert votes.models[models[np.argmax(fit(whole))]] == found.leader
    rest = fit(without(whole, votes.pick(np.array(places))))
    assert votes.models[int(np.argmax(rest))] == found.successor != found.leader
    for spared in places[:3]:
        fewer = np.array([place for place in places if place != spared])
        assert votes.models[int(np.argmax(fit(without(whole, votes.pick(fewer)))))] == found.leader


@pytest.mark.parametrize(("won", "lost", "fewest"), [(33, 31, 3), (40, 10, 31), (32, 32, None)])
def test_two_models_change_places_once_the_leader_has_fewer_wins_left(won: int, lost: int, fewest: int | None) -> None:
    """Far from level the first guess is wrong; the refits find the number."""
    rows = clean_rows(42, won + lost, strengths=[0.0, 0.0], listeners=1)
    votes = [audit_boards.won(row, "m/00" if n < won else "m/01") for n, row in enumerate(rows)]
    found = figures(leader(case(board(votes).votes)), Leader)
    if fewest is not None:
        assert (found.leader, found.votes) == ("m/00", fewest)
    else:
        assert found.votes == 1


def test_a_table_less_some_votes_is_the_table_of_the_others() -> None:
    votes = board(clean_rows(43, 300)).votes
    gone = np.arange(len(votes)) % 3 == 0
    one, other = without(table_of(votes), votes.pick(gone)), table_of(votes.pick(~gone))
    for name in ("i", "j", "games", "score"):
        assert np.array_equal(getattr(one, name), getattr(other, name))


def test_the_listener_named_is_the_one_who_changes_the_board() -> None:
    votes = audit_boards.one_listener().votes
    found = figures(one_listener(case(votes)), OneListener)
    name = next(listener for listener in votes.listeners if listener == found.who)
    rest = votes.pick(votes.listener != votes.listeners.index(name))
    assert found.who.endswith("7")
    assert found.votes == pytest.approx(0.3)
    assert votes.models[int(np.argmax(fit(table_of(votes))))] == found.leader == "m/01"
    assert votes.models[int(np.argmax(fit(table_of(rest))))] == found.leader_without == "m/00"


def test_live_elo_of_a_short_log_is_replayed_exactly() -> None:
    votes = board(clean_rows(44, 300)).votes
    found = shuffled_elo(case(votes), 2)
    order = np.random.default_rng(1).permutation(len(votes))
    elo, battles = [1000.0] * len(votes.models), [0] * len(votes.models)
    for place in order:
        a, b = int(votes.a[place]), int(votes.b[place])
        elo[a], elo[b] = step(elo[a], elo[b], battles[a], battles[b], float(votes.score[place]))
        battles[a], battles[b] = battles[a] + 1, battles[b] + 1
    assert found[0] == pytest.approx(elo, abs=1e-9)


def test_the_wobble_of_a_long_log_is_that_of_its_whole() -> None:
    """The last 300 battles a model wobble as much as all 2,500 do."""
    votes = board(clean_rows(45, 5000, strengths=[60.0, 0.0, -60.0, -120.0])).votes
    short = shuffled_elo(case(votes), 60).std(axis=0, ddof=1).mean()
    chance, finals = np.random.default_rng(5), []
    for _ in range(60):
        elo, battles = [1000.0] * 4, [0] * 4
        for place in chance.permutation(len(votes)):
            a, b = int(votes.a[place]), int(votes.b[place])
            elo[a], elo[b] = step(elo[a], elo[b], battles[a], battles[b], float(votes.score[place]))
            battles[a], battles[b] = battles[a] + 1, battles[b] + 1
        finals.append(elo)
    assert short == pytest.approx(np.std(finals, axis=0, ddof=1).mean(), rel=0.2)


def test_self_agreement_counts_each_vote_once_and_the_same_text_first() -> None:
    base = clean_rows(46, 1, strengths=[0.0, 0.0])[0]._replace(a="m/00", b="m/01", listener="l-a")
    verdicts = [("t1", "a"), ("t2", "b"), ("t1", "b"), ("t3", "a"), ("t2", "b"), ("t4", "tie")]
    rows = [base._replace(id=str(n), prompt=text, vote=said) for n, (text, said) in enumerate(verdicts)]
    few = figures(self_agreement(case(board(rows).votes)), Agreement)
    assert (few.repeats, few.same_text) == (2, 2)
    many = figures(self_agreement(case(board(rows * 12).votes)), Agreement)
    # 12 of each text; t1 alternates a, b and never agrees, t2 and t3 always do.
    assert many.repeats == 12 + 12 + 6
    assert many.share is not None
    assert many.share.value == pytest.approx((12 + 6) / 30)


def test_swapped_sides_are_the_same_verdict() -> None:
    base = clean_rows(47, 1, strengths=[0.0, 0.0])[0]._replace(listener="l-a")
    rows = [audit_boards.won(base._replace(id=str(n), a=f"m/0{n % 2}", b=f"m/0{1 - n % 2}"), "m/00") for n in range(60)]
    found = figures(self_agreement(case(board(rows).votes)), Agreement)
    assert found.share is not None
    assert (found.repeats, found.share.value) == (30, 1.0)


def test_the_model_whose_name_costs_votes_is_named_with_its_loss() -> None:
    finding = names_seen(case(audit_boards.names_seen().votes))
    found = figures(finding, NamesSeen)
    assert found.shifted == ("m/06",)
    assert found.shifts[0].model == "m/06"
    assert found.shifts[0].elo.high < 0
    assert finding.severity is Severity.WARNING


def test_the_favoured_model_is_named_with_what_was_taken_back() -> None:
    made = audit_boards.retracted_wins()
    found = figures(retractions(case(made.votes, made.retracted)), Retractions)
    assert [favour.model for favour in found.favours] == ["m/06"]
    assert found.favours[0].score == 40 > found.favours[0].expected
    assert found.moved == "m/06"
    assert found.moved_elo > 0
    assert found.cast == 3000


def test_votes_taken_back_before_any_name_was_shown_are_no_finding() -> None:
    made = audit_boards.many_retractions()
    rows = clean_rows(18)
    held_back = [row._replace(condition=row.condition._replace(reveal="set")) for row in rows[::10]]
    found = retractions(case(made.votes, table(held_back)))
    assert found.severity is Severity.OK
    assert figures(found, Retractions).retracted == 0


def test_a_circle_is_named_in_its_order() -> None:
    found = figures(cycles(case(audit_boards.cycles().votes)), Cycles)
    assert found.cycles == (("m/04", "m/05", "m/06"),)


def test_a_longer_circle_is_found_too() -> None:
    ring = ["m/00", "m/01", "m/02", "m/03"]
    base = clean_rows(48, 1)[0]
    rows = [
        audit_boards.won(base._replace(id=f"{n}{k}", a=ring[k], b=ring[(k + 1) % 4], listener=f"l-{n}"), ring[k])
        for n in range(60)
        for k in range(4)
    ]
    assert figures(cycles(case(board(rows).votes)), Cycles).cycles == (tuple(ring),)


def test_the_design_effect_grows_with_taste_and_is_one_without() -> None:
    alike, apart = (
        figures(clustering(case(board(clean_rows(49, 4000, taste_sd=sd, listeners=20)).votes)), Clustering)
        for sd in (0.0, 200.0)
    )
    assert alike.design_effect is not None
    assert apart.design_effect is not None
    assert alike.design_effect < 1.6 < 3.0 < apart.design_effect
    assert alike.effective == pytest.approx(20, rel=0.01)


def test_islands_are_listed_and_unplayed_models_are_none() -> None:
    rows = [
        row for row in clean_rows(50, 2000) if {row.a, row.b} <= {"m/00", "m/01"} or {row.a, row.b} <= {"m/02", "m/03"}
    ]
    found = figures(islands(case(table(rows))), Islands)
    assert found.groups == (("m/00", "m/01"), ("m/02", "m/03"))
    assert found.unplayed == tuple(f"m/{n:02d}" for n in range(4, 12))


def test_conditions_name_what_differs_with_its_votes() -> None:
    found = figures(conditions(case(audit_boards.conditions().votes)), Conditions)
    assert [(mixed.condition, mixed.values) for mixed in found.mixed] == [
        ("text_hidden", (("False", 2000), ("True", 1000)))
    ]


def test_new_weights_are_rated_apart() -> None:
    """The new weights lose every battle: they stand far below the old ones."""
    rows = []
    for n, row in enumerate(clean_rows(51)):
        late = n > 2000
        if late and row.a == "m/05":
            row = row._replace(make_a=row.make_a._replace(weights_hash="f" * 64), vote="b")
        if late and row.b == "m/05":
            row = row._replace(make_b=row.make_b._replace(weights_hash="f" * 64), vote="a")
        rows.append(row)
    found = figures(makes(case(board(rows).votes)), Makes)
    assert [(changed.model, changed.part) for changed in found.changed] == [("m/05", "weights_hash")]
    assert found.changed[0].apart.high < -200
    assert math.isfinite(found.changed[0].apart.low)
