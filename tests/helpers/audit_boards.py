"""Boards for audits: a clean one, and one for each defect with that defect planted and no other."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from arena_desktop.ratings.simulate import simulate
from arena_desktop.ratings.table_builder import TableBuilder
from arena_desktop.ratings.vote_table import VoteRow, VoteTable

MODELS = tuple(f"m/{n:02d}" for n in range(12))
STRENGTHS = [110.0, *(-40.0 * n for n in range(11))]
"""A clear leader, then even steps."""


@dataclass(frozen=True, eq=False)
class PlantedBoard:
    """Votes, those taken back, and what is to be found."""

    votes: VoteTable
    retracted: VoteTable


def clean_rows(
    seed: int, votes: int = 3000, *, strengths: list[float] | None = None, first_listener: int = 0, **options: object
) -> list[VoteRow]:
    """Votes of a panel without a defect. ``first_listener`` is added to the listeners' numbers."""
    strengths = strengths or STRENGTHS
    models = tuple(f"m/{n:02d}" for n in range(len(strengths)))
    rows = simulate(models, votes, strengths=strengths, seed=seed, **options).rows()  # type: ignore[arg-type]
    if first_listener:
        rows = [
            row._replace(id=f"{row.id}-{first_listener}", listener=f"{row.listener}{first_listener}") for row in rows
        ]
    return rows


def table(rows: Iterable[VoteRow], models: tuple[str, ...] = MODELS) -> VoteTable:
    """The rows as a table."""
    builder = TableBuilder(models)
    for row in rows:
        builder.add(row)
    return builder.table()


def board(rows: list[VoteRow], retracted: Iterable[VoteRow] = ()) -> PlantedBoard:
    """The rows as a board of as many models as they name."""
    models = tuple(sorted({model for row in rows for model in (row.a, row.b)}))
    return PlantedBoard(table(rows, models), table(retracted, models))


def won(row: VoteRow, winner: str) -> VoteRow:
    """The vote with this winner."""
    return row._replace(vote="a" if row.a == winner else "b")


def number(model: str) -> int:
    """The model's place in the order of strength."""
    return int(model[2:])


def islands() -> PlantedBoard:
    return board([row for row in clean_rows(1, 6000) if (number(row.a) < 6) == (number(row.b) < 6)])


def never_met() -> PlantedBoard:
    return board([row for row in clean_rows(2, 12000) if abs(number(row.a) - number(row.b)) <= 3])


def few_games() -> PlantedBoard:
    rows, kept = clean_rows(3), []
    for place, row in enumerate(rows):
        if "m/06" not in (row.a, row.b) or place % 12 == 0:
            kept.append(row)
    return board(kept)


def side() -> PlantedBoard:
    return board(clean_rows(4, side_bias=45.0))


def first_played() -> PlantedBoard:
    return board(clean_rows(5, first_bias=45.0))


def tie_rule() -> PlantedBoard:
    """m/06 ties with whomever it does not lose to; of half a win each it lives well, of decided votes not."""
    chance = np.random.default_rng(6)
    rows = []
    for row in clean_rows(6, 6000):
        if "m/06" in (row.a, row.b):
            other = row.b if row.a == "m/06" else row.a
            row = row._replace(vote="tie") if chance.random() < 0.8 else won(row, other)
        rows.append(row)
    return board(rows)


def cycles() -> PlantedBoard:
    chance, beats = np.random.default_rng(7), {"m/04": "m/05", "m/05": "m/06", "m/06": "m/04"}
    rows = []
    for row in clean_rows(7, 6000):
        for winner, loser in beats.items():
            if {row.a, row.b} == {winner, loser}:
                row = won(row, winner if chance.random() < 0.85 else loser)
        rows.append(row)
    return board(rows)


def alike() -> PlantedBoard:
    strengths = [500.0, *(-40.0 * n for n in range(11))]
    return board(clean_rows(8, 6000, strengths=strengths, listeners=20, taste_sd=250.0))


def one_voice() -> PlantedBoard:
    return board(clean_rows(9, 4000, listeners=[30.0] + [1.0] * 39))


def one_listener() -> PlantedBoard:
    of_a_fan = [110.0, 600.0, *STRENGTHS[2:]]
    fan = clean_rows(10, 900, strengths=of_a_fan, listeners=1, taste_sd=0.0, first_listener=7)
    return board([*clean_rows(11, 2100), *fan])


def leader() -> PlantedBoard:
    return board(clean_rows(LEVEL_SEED, strengths=[110.0, 110.0, *STRENGTHS[2:]]))


LEVEL_SEED = 32


def order_wobble() -> PlantedBoard:
    return board(clean_rows(13, 20000, strengths=[18.0, 0.0, -90.0, -180.0], taste_sd=0.0))


def perfect_record() -> PlantedBoard:
    rows = clean_rows(14)
    return board([won(row, "m/00") if "m/00" in (row.a, row.b) else row for row in rows])


def contradictions() -> PlantedBoard:
    """Among the weaker ten a listener's second verdict on a pair is the opposite of the first; no names were shown."""
    last: dict[tuple[object, frozenset[str]], str] = {}
    rows = []
    for shown in clean_rows(15):
        row = shown._replace(reveals_before=0)
        pair = (row.listener, frozenset((row.a, row.b)))
        if number(row.a) > 1 and number(row.b) > 1 and row.vote in "ab":
            if pair in last:
                row = won(row, row.b if last.pop(pair) == row.a else row.a)
            else:
                last[pair] = row.a if row.vote == "a" else row.b
        rows.append(row)
    return board(rows)


def names_seen() -> PlantedBoard:
    chance = np.random.default_rng(16)
    rows = []
    for row in clean_rows(16, 6000):
        if "m/06" in (row.a, row.b) and row.reveals_before > 0 and chance.random() < 0.35:
            row = won(row, row.b if row.a == "m/06" else row.a)
        rows.append(row)
    return board(rows)


def retracted_wins() -> PlantedBoard:
    """Of 60 votes taken back most are m/06's wins, which is about one in fifty of all."""
    rows = clean_rows(17)
    wins = [row for row in rows if (row.vote, "m/06") in (("a", row.a), ("b", row.b))][:40]
    taken = {row.id for row in wins}
    return board([row for row in rows if row.id not in taken], wins)


def many_retractions() -> PlantedBoard:
    rows = clean_rows(18)
    return board([row for n, row in enumerate(rows) if n % 10], rows[::10])


def conditions() -> PlantedBoard:
    rows = clean_rows(19)
    return board(
        [
            row._replace(condition=row.condition._replace(text_hidden=True)) if n % 3 == 0 else row
            for n, row in enumerate(rows)
        ]
    )


def makes() -> PlantedBoard:
    rows = []
    for n, row in enumerate(clean_rows(20)):
        if n > 1500 and row.a == "m/05":
            row = row._replace(make_a=row.make_a._replace(weights_hash="f" * 64))
        if n > 1500 and row.b == "m/05":
            row = row._replace(make_b=row.make_b._replace(weights_hash="f" * 64))
        rows.append(row)
    return board(rows)


PLANTED: dict[str, tuple[str, Callable[[], PlantedBoard]]] = {
    "two groups that never met": ("islands", islands),
    "pairs that never met": ("coverage", never_met),
    "a model with few games": ("coverage", few_games),
    "A is preferred": ("side", side),
    "what is heard first is preferred": ("first_played", first_played),
    "a model that mostly ties": ("tie_rule", tie_rule),
    "a circle": ("cycles", cycles),
    "tastes far apart": ("clustering", alike),
    "one listener casts nearly half": ("clustering", one_voice),
    "one listener's favourite": ("one_listener", one_listener),
    "two level leaders": ("leader", leader),
    "a small sure lead": ("order_wobble", order_wobble),
    "a model that never loses": ("prior_share", perfect_record),
    "listeners who contradict themselves": ("self_agreement", contradictions),
    "a name that costs votes": ("names_seen", names_seen),
    "a model whose wins are taken back": ("retractions", retracted_wins),
    "every tenth vote taken back": ("retractions", many_retractions),
    "the text hidden in a third": ("conditions", conditions),
    "new weights under an old name": ("makes", makes),
}
"""What is planted: the check that must find it and no other, and the board."""
