"""Every sentence about two models, word by word."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena_desktop.ratings.standings import rating_standings
from arena_desktop.ratings.verdict import Strength, Verdict
from arena_desktop.ratings.vote_table import VoteRow
from arena_desktop.services.verdict_words import Voice, board_sentence, counted, pair_sentence, told, voice_of
from tests.helpers.snapshots import table_of, vote

X, Y, Z = "x/x", "x/y", "x/z"
NAMES = ("X", "Y", "Z")
BASE = Verdict(0, 1, wins=7, losses=2, difference=80.0, error=50.0, strength=Strength.LIKELY, more=41)


def says(voice: Voice = Voice.YOU, **changes: Any) -> str:
    return pair_sentence(replace(BASE, **changes), NAMES, voice)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({}, "You prefer X over Y 7 of 9 times: likely, not yet sure; about 41 more votes on this pair would tell."),
        (
            {"strength": Strength.LEANING, "wins": 3, "losses": 2, "more": 1234},
            (
                "You prefer X over Y 3 of 5 times: leaning that way, far from sure; "
                "about 1,200 more votes on this pair would tell."
            ),
        ),
        (
            {"strength": Strength.NONE, "wins": 5, "losses": 4, "more": None},
            "You prefer X over Y 5 of 9 times: too close to tell; if it stays so, no number of votes would tell.",
        ),
        (
            {"strength": Strength.SURE, "wins": 70, "losses": 20, "more": None},
            "You prefer X over Y 70 of 90 times: sure.",
        ),
        (
            {"ties": 1},
            (
                "You prefer X over Y 7 of 9 times, with 1 draw: likely, not yet sure; "
                "about 41 more votes on this pair would tell."
            ),
        ),
        (
            {"ties": 1, "both_bad": 2},
            (
                "You prefer X over Y 7 of 9 times, with 3 draws: likely, not yet sure; "
                "about 41 more votes on this pair would tell."
            ),
        ),
        (
            {"wins": 1, "losses": 0, "strength": Strength.LEANING, "early": True},
            "You preferred X over Y once: too early to tell.",
        ),
        (
            {"wins": 1, "losses": 0},
            (
                "You preferred X over Y once, and by all votes X stands higher: likely, "
                "not yet sure; about 41 more votes on this pair would tell."
            ),
        ),
        (
            {"wins": 23, "losses": 18, "strength": Strength.SURE, "more": None},
            "You prefer X over Y 23 of 41 times, and by all votes X stands higher: sure.",
        ),
        (
            {"wins": 20, "losses": 0, "strength": Strength.NONE, "more": None},
            (
                "You prefer X over Y 20 of 20 times, yet by all votes the two are close: too close to tell; "
                "if it stays so, no number of votes would tell."
            ),
        ),
        (
            {"wins": 2, "losses": 7},
            (
                "You prefer Y over X 7 of 9 times, yet by all votes X stands higher: likely, not yet sure; "
                "about 41 more votes on this pair would tell."
            ),
        ),
        (
            {"wins": 4, "losses": 5, "strength": Strength.NONE},
            (
                "You prefer Y over X 5 of 9 times, yet by all votes the two are close: too close to tell; "
                "about 41 more votes on this pair would tell."
            ),
        ),
        (
            {"wins": 4, "losses": 4},
            (
                "You preferred X and Y equally often (4 times each); by all votes X stands higher: likely, "
                "not yet sure; about 41 more votes on this pair would tell."
            ),
        ),
        (
            {"wins": 1, "losses": 1, "ties": 1, "strength": Strength.NONE, "early": True},
            "You preferred X and Y equally often (once each, with 1 draw): too early to tell.",
        ),
        (
            {"wins": 0, "losses": 0, "ties": 1, "strength": Strength.NONE, "early": True},
            "You found neither of X and Y better the one time they met: too early to tell.",
        ),
        (
            {"wins": 0, "losses": 0, "ties": 6, "both_bad": 3, "strength": Strength.NONE, "more": None},
            (
                "You found neither of X and Y better in 9 meetings: too close to tell; "
                "if it stays so, no number of votes would tell."
            ),
        ),
        (
            {"wins": 0, "losses": 0},
            (
                "X and Y never met; by the votes against others X stands higher: likely, not yet sure; "
                "about 41 more votes on this pair would tell."
            ),
        ),
        (
            {"wins": 0, "losses": 0, "strength": Strength.NONE, "early": True},
            "X and Y never met; by the votes against others they are close: too early to tell.",
        ),
        (
            {"wins": 0, "losses": 0, "difference": None, "error": None, "more": None},
            "X and Y never met, directly or through others: nothing is known between them.",
        ),
    ],
)
def test_to_the_listener_themselves(changes: dict[str, Any], sentence: str) -> None:
    assert says(**changes) == sentence


@pytest.mark.parametrize(
    ("voice", "sentence"),
    [
        (
            Voice.ONE,
            (
                "This listener prefers X over Y 7 of 9 times: likely, not yet sure; "
                "about 41 more votes on this pair would tell."
            ),
        ),
        (
            Voice.FEW,
            (
                "These listeners prefer X over Y 7 of 9 times: likely, not yet sure; "
                "about 41 more votes on this pair, by other listeners, would tell."
            ),
        ),
        (
            Voice.MANY,
            (
                "Listeners like these prefer X over Y 7 of 9 times: likely, not yet sure; "
                "about 41 more votes on this pair, by other listeners, would tell."
            ),
        ),
    ],
)
def test_about_others(voice: Voice, sentence: str) -> None:
    assert says(voice) == sentence
    assert says(voice, wins=1, losses=0, early=True) == f"{voice} preferred X over Y once: too early to tell."


@given(
    st.sampled_from(Voice),
    st.sampled_from(Strength),
    st.integers(0, 50),
    st.integers(0, 50),
    st.integers(0, 3),
    st.one_of(st.none(), st.integers(1, 100_000)),
    st.booleans(),
)
def test_no_sentence_says_more_than_its_verdict(
    voice: Voice, strength: Strength, wins: int, losses: int, ties: int, more: int | None, early: bool
) -> None:
    said = says(voice, strength=strength, wins=wins, losses=losses, ties=ties, more=more, early=early)
    assert said.endswith(": sure.") == (strength is Strength.SURE and not early)
    assert ("likely" in said) == (strength is Strength.LIKELY and not early)
    assert said.count(".") == 1
    assert "  " not in said
    assert said.startswith((str(voice), "X and Y never met"))
    if strength is Strength.NONE:
        assert "stands higher" not in said


def test_names_are_quoted_only_where_they_would_not_be_seen_as_one() -> None:
    assert told("Parler 1.1 mini") == "Parler 1.1 mini"
    assert told("Kokoro, Heart") == "“Kokoro, Heart”"
    assert told("Now and Then") == "“Now and Then”"
    assert told("Wow!") == "“Wow!”"
    assert told("No. 5") == "“No. 5”"
    assert told("42") == "“42”"
    assert told("") == "“”"
    assert told("two\n lines") == "two lines"


def test_about_so_many() -> None:
    assert [counted(n) for n in (1, 6, 41, 99, 128, 1234, 27_986, 99_999)] == [
        "1", "6", "41", "99", "130", "1,200", "28,000", "100,000",
    ]  # fmt: skip


def top(rows: list[VoteRow], models: tuple[str, ...] = (X, Y, Z), you: str = "l-one") -> str:
    table = table_of(rows, models)
    return board_sentence(rating_standings(table.columns()), table, NAMES[: len(models)], you=you)


def test_the_top_of_the_board() -> None:
    seven_of_nine = [vote(X, Y)] * 7 + [vote(X, Y, "b")] * 2
    told_of_two = top(seven_of_nine, (X, Y))
    assert told_of_two.startswith("You prefer X over Y 7 of 9 times: likely, not yet sure; about ")
    assert top(seven_of_nine) == told_of_two, "a model without a game leads nobody"
    assert top(seven_of_nine, (X, Y), "l-two") == told_of_two.replace("You prefer", "This listener prefers")
    assert top([*seven_of_nine, vote(Y, Z)]).startswith("X is first for now. You prefer X over Y 7 of 9 times: ")
    sure = top([vote(X, Y)] * 60 + [vote(Y, Z)] * 30 + [vote(X, Z)] * 30)
    assert sure.startswith("X leads. You prefer X over Y 60 of 60 times: sure")


def test_the_top_of_a_board_that_says_nothing_yet() -> None:
    assert top([]) == "No votes yet, so nothing is known."
    assert top([], (X,)) == "A verdict takes two models; this arena has one."
    assert top([], ()) == "A verdict takes two models; this arena has none."
    table = table_of([vote(X, Y)], (X, Y))
    assert board_sentence(None, table, NAMES) == "", "a fit that failed has its note"


def test_the_top_of_a_board_in_pieces() -> None:
    models = (X, Y, "x/p", "x/q")
    table = table_of([vote(X, Y)] * 2 + [vote("x/p", "x/q")] * 3, models)
    said = board_sentence(rating_standings(table.columns()), table, ("X", "Y", "P", "Q"), you="l-one")
    assert said == (
        "Not all models have met; in the group with most votes P is first for now. You prefer P over Q 3 of 3 times: "
        "too early to tell."
    )


def test_of_whom_a_sentence_speaks() -> None:
    def voice(rows: list[VoteRow], you: str = "l-one") -> Voice:
        table = table_of(rows, (X, Y))
        return voice_of(table, rating_standings(table.columns()), you)

    assert voice([vote(X, Y)] * 3) is Voice.YOU
    assert voice([vote(X, Y)] * 3, "") is Voice.ONE
    assert voice([vote(X, Y), vote(X, Y, listener="l-two")]) is Voice.FEW
    assert voice([vote(X, Y, listener=("a log",))]) is Voice.FEW, "votes that name nobody may be many people's"
    assert voice([vote(X, Y, "ab"[n % 2], listener=f"l-{n % 6}") for n in range(12)]) is Voice.MANY
    filtered = table_of([vote(X, Y), vote(X, Y, listener="l-two")], (X, Y)).pick([0])  # type: ignore[arg-type]
    assert voice_of(filtered, None, "l-one") is Voice.YOU
