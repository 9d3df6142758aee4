"""The battle's rules: one vote, only after both sides were heard, never after the end."""

from hypothesis import given
from hypothesis import strategies as st

from arena_desktop.domain.battle import Battle, Refusal, Stage
from arena_desktop.domain.votes import Side, Vote

shares = st.floats(0, 1)


def heard() -> Battle:
    return Battle(gate=0.9).heard(0.95, 0.5, 10).heard(0.95, 0.92, 20)


def test_a_vote_before_the_gate_is_refused_and_names_the_side() -> None:
    battle = Battle(gate=0.9)
    assert battle.voted(Vote.A, 0) == Refusal("not heard yet", Side.A)
    assert battle.heard(0.9, 0.2, 5).voted(Vote.A, 6) == Refusal("not heard yet", Side.B)


def test_the_gate_opens_at_the_share_and_remembers_when() -> None:
    battle = heard()
    assert battle.gate_open
    assert battle.gate_opened_ms == 20
    assert battle.heard(1, 1, 99).gate_opened_ms == 20


def test_reaction_time_runs_from_the_opening_of_the_gate() -> None:
    battle = heard().voted(Vote.TIE, 1520)
    assert isinstance(battle, Battle)
    assert (battle.vote, battle.rt_ms, battle.stage) == (Vote.TIE, 1500, Stage.VOTED)


def test_there_is_no_second_vote() -> None:
    battle = heard().voted(Vote.A, 30)
    assert isinstance(battle, Battle)
    assert isinstance(battle.voted(Vote.B, 40), Refusal)
    assert isinstance(battle.closed().voted(Vote.B, 50), Refusal)


def test_a_vote_that_could_not_be_stored_can_be_cast_again() -> None:
    battle = heard().voted(Vote.A, 30)
    assert isinstance(battle, Battle)
    again = battle.unvoted().voted(Vote.B, 40)
    assert isinstance(again, Battle)
    assert again.vote is Vote.B


def test_a_repeated_trial_starts_from_nothing_but_a_cast_vote_stands() -> None:
    assert heard().repeated() == Battle(gate=0.9)
    voted = heard().voted(Vote.A, 30)
    assert isinstance(voted, Battle)
    assert voted.repeated() is voted


@given(st.lists(st.tuples(shares, shares), max_size=20), shares)
def test_no_order_of_listening_opens_the_gate_early(steps: list[tuple[float, float]], gate: float) -> None:
    battle = Battle(gate=gate)
    for time, (a, b) in enumerate(steps):
        battle = battle.heard(a, b, time)
    most_a = max((a for a, _ in steps), default=0)
    most_b = max((b for _, b in steps), default=0)
    reached = bool(steps) and most_a >= gate and most_b >= gate
    assert battle.gate_open == reached
    assert isinstance(battle.voted(Vote.A, 100), Battle) == reached
