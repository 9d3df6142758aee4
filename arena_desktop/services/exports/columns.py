"""The columns of a board for people: which there are, and what stands in them. A rank is only ever shown as a range."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from arena_desktop.services.exports.plain import (
    DASH,
    bounds,
    chance,
    one_line,
    percent,
    percent_with_bounds,
    points,
    rank_range,
)

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Column:
    """``cell`` makes a row's text. ``needs``: the column is left out where rows don't have that key. ``meaning``
    explains it in a sentence. ``narrow``: it has a place in a table that must be narrow.
    """

    title: str
    cell: Callable[[Row], str]
    meaning: str = ""
    needs: str = ""
    narrow: bool = True


def _count(key: str) -> Callable[[Row], str]:
    return lambda row: str(row[key])


_BATTLES = Column("battles", _count("battles"))
_OUTCOMES = (
    Column("won", _count("wins"), narrow=False),
    Column("lost", _count("losses"), narrow=False),
    Column("tied", _count("ties"), narrow=False),
    Column(
        "both bad",
        _count("both_bad"),
        "battles in which neither voice was acceptable (they rate as ties)",
        narrow=False,
    ),
)
_RATED = (
    Column(
        "rank range",
        lambda row: rank_range(row["rank_low"], row["rank_high"]),
        "the ranks that the votes leave open (one number is a range of one)",
    ),
    Column("rating", lambda row: points(row["rating"])),
    Column("95 %", lambda row: bounds(row["low"], row["high"]), "95 % interval of the rating"),
    Column(
        "tier",
        lambda row: DASH if row["tier"] is None else str(row["tier"]),
        "models of one tier are not surely worse than the best of it",
    ),
    Column("P(best)", lambda row: chance(row["best"]), "probability of being the best of the board", "best"),
    _BATTLES,
    *_OUTCOMES,
    Column(
        "acceptable",
        lambda row: percent_with_bounds(*(row["acceptable"][key] for key in ("share", "low", "high"))),
        "share of battles that were not voted both bad, with its 95 % interval",
    ),
    Column(
        "prior",
        lambda row: percent(row["prior_share"]),
        "how much of what is known of the rating is the prior's, not the votes'",
        "prior_share",
        narrow=False,
    ),
)
_ELO = (
    Column("Elo", lambda row: points(row["elo"]), "sequential, depends on the order of votes"),
    _BATTLES,
    *_OUTCOMES,
)


def columns(method: str, rows: Sequence[Row], *, narrow: bool = False) -> tuple[Column, ...]:
    """What to show of a board by ``method``, without the model itself; with ``narrow`` the most important of it."""
    every = _ELO if method == "elo" else _RATED
    return tuple(
        column
        for column in every
        if (column.narrow or not narrow) and (not column.needs or any(column.needs in row for row in rows))
    )


def model_name(row: Row) -> str:
    """What the model is called, in one line."""
    return one_line(str(row["model"] if "model" in row else row["name"]))


def model_id(row: Row) -> str:
    """The competitor's id, in one line."""
    return one_line(str(row["repo_id"]))


def meanings(shown: Sequence[Column]) -> list[str]:
    """What the columns mean, a column a line."""
    return [f"{column.title}: {column.meaning}" for column in shown if column.meaning]


def legend(shown: Sequence[Column]) -> str:
    """What the columns mean, in one line."""
    return "; ".join(meanings(shown)) + "."
