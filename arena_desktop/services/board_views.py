"""What the Leaderboard page shows beside the ranking itself: one frozen view a lens.

A lens is a way of looking at one arena's votes. The page asks for one (:data:`Lens`) and gets its view, again whenever
the votes have changed. Numbers are Elo points unless said otherwise; shares are 0–1; None where nothing is known.
"""

from dataclasses import dataclass, field
from enum import StrEnum

from arena_desktop.services.views import BoardRow, Choice


@dataclass(frozen=True)
class Named:
    """A model."""

    repo_id: str
    name: str


@dataclass(frozen=True)
class Estimate:
    """A number with its 95 % interval."""

    value: float | None = None
    low: float | None = None
    high: float | None = None


# --- pairs: who met whom ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PairsLens:
    """The win matrix, the neighbours, the cycles."""


@dataclass(frozen=True)
class PairCell:
    """What the model of the row did against the model of the column.

    ``share`` is its score (wins and half the draws) over ``games``, ``expected`` the share that the ratings predict,
    ``residual`` how many standard errors lie between them; ``odd``: more than chance explains, with so many pairs
    looked at. ``games`` 0: they never met.
    """

    games: int = 0
    wins: int = 0
    losses: int = 0
    ties: int = 0
    both_bad: int = 0
    share: float | None = None
    expected: float | None = None
    residual: float | None = None
    odd: bool = False


@dataclass(frozen=True)
class Neighbours:
    """Two models that follow each other on the board. ``sentence`` says how sure their order is and what would settle
    it; ``more_votes`` is about how many, None where they are told apart or no number would.
    """

    upper: Named
    lower: Named
    sentence: str
    more_votes: int | None = None


@dataclass(frozen=True)
class PairsView:
    """``models`` by rating, best first; ``cells[row][column]`` in that order, None on the diagonal. ``cycles`` and
    ``notes`` are whole sentences.
    """

    arena: str
    models: tuple[Named, ...]
    cells: tuple[tuple[PairCell | None, ...], ...]
    neighbours: tuple[Neighbours, ...]
    cycles: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


# --- groups: boards of a part of the votes ---------------------------------------------------------------------------


class GroupBy(StrEnum):
    """By what the votes are parted."""

    CATEGORY = "category"
    LANGUAGE = "language"
    LISTENER = "listener"
    LENGTH = "length"


@dataclass(frozen=True)
class GroupsLens:
    """A board for each category, language, listener or text length."""

    by: GroupBy = GroupBy.CATEGORY


@dataclass(frozen=True)
class GroupRow:
    """One model in one group. ``rating`` is shrunk towards the overall rating, ``raw`` is not; ``votes`` are its
    battles there. Without one nothing is known but ``model``.
    """

    model: Named
    rating: Estimate
    raw: float | None
    votes: int
    acceptable: Estimate


@dataclass(frozen=True)
class GroupBoard:
    """One group's board, models in the order of the overall board. ``pull`` 0–1: how far it was shrunk."""

    title: str
    votes: int
    rows: tuple[GroupRow, ...]
    pull: float | None = None
    note: str = ""


@dataclass(frozen=True)
class GroupsView:
    """All groups, those with most votes first. ``sentence`` says whether the groups differ at all."""

    arena: str
    by: GroupBy
    models: tuple[Named, ...]
    groups: tuple[GroupBoard, ...]
    sentence: str = ""


# --- history ---------------------------------------------------------------------------------------------------------


class Method(StrEnum):
    """How votes become ratings."""

    RATING = "rating"
    ELO = "elo"
    HEAD_START = "bt"
    DAVIDSON = "davidson"


@dataclass(frozen=True)
class HistoryLens:
    """The ratings as they were, by replay."""

    method: Method = Method.RATING


@dataclass(frozen=True)
class Series:
    """One model's ratings over time, one entry a moment of the view; None before its first game. Where votes are many
    ``low`` and ``high`` are known at fewer moments, always at the last; they are None at the others, and in Live Elo.
    """

    model: Named
    rating: tuple[float | None, ...]
    low: tuple[float | None, ...]
    high: tuple[float | None, ...]


@dataclass(frozen=True)
class Marker:
    """Something that happened after ``votes`` votes: a model joined, or what stands behind its name changed."""

    votes: int
    text: str


@dataclass(frozen=True)
class HistoryView:
    """``votes[k]`` counts the votes until moment k, ``times[k]`` is its date in seconds since 1970 (None unknown)."""

    arena: str
    method: Method
    votes: tuple[int, ...]
    times: tuple[float | None, ...]
    series: tuple[Series, ...]
    markers: tuple[Marker, ...] = ()


# --- what if ---------------------------------------------------------------------------------------------------------


class TieRule(StrEnum):
    """What a draw does to the ratings."""

    HALF = "half"
    DROP = "drop"
    DAVIDSON = "davidson"


@dataclass(frozen=True)
class WhatIfLens:
    """The board if only some of the votes counted. Never touches the log.

    ``without_*`` are ids that are left out (see the view's choices); ``since`` inclusive and ``until`` exclusive are
    ISO dates, "" for no limit. Without ``prior`` only votes decide: models that they don't connect have no rating.
    """

    without_listeners: tuple[str, ...] = ()
    without_prompts: tuple[str, ...] = ()
    without_categories: tuple[str, ...] = ()
    without_conditions: tuple[str, ...] = ()
    since: str = ""
    until: str = ""
    ties: TieRule = TieRule.HALF
    prior: bool = True


@dataclass(frozen=True)
class WhatIfRow:
    """One model: ``row`` under the filter, and how far rating and rank moved against the whole board (positive: up).
    ``reason``: why it has no rating where there is no prior, as the end of a sentence.
    """

    row: BoardRow
    rating_change: float | None = None
    rank_change: int | None = None
    reason: str = ""


@dataclass(frozen=True)
class Option:
    """Something that can be left out, and how many votes it has."""

    choice: Choice
    votes: int


@dataclass(frozen=True)
class WhatIfView:
    """The filtered board, best first. ``kept`` of ``total`` votes count in its ratings; ``sentence`` says what was left
    out and what that changes. ``problem`` replaces the rows where the filter itself is wrong.
    """

    arena: str
    lens: WhatIfLens
    listeners: tuple[Option, ...]
    prompts: tuple[Option, ...]
    categories: tuple[Option, ...]
    conditions: tuple[Option, ...]
    kept: int
    total: int
    rows: tuple[WhatIfRow, ...]
    sentence: str = ""
    problem: str = ""


# --- charts ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ChartsLens:
    """Ratings with intervals and tiers; rating against size and against speed; votes per day."""


@dataclass(frozen=True)
class RatingBar:
    """One model with a game, best first. No tier and no bounds where games don't connect all models."""

    model: Named
    rating: Estimate
    tier: int | None


@dataclass(frozen=True)
class FrontPoint:
    """One model: ``x`` is millions of parameters or the real-time factor. ``dominated``: another is surely better and
    is no larger, or no slower.
    """

    model: Named
    x: float
    rating: Estimate
    dominated: bool


@dataclass(frozen=True)
class Day:
    """The votes from the UTC day ``date`` (ISO) until the next entry's."""

    date: str
    votes: int


@dataclass(frozen=True)
class ChartsView:
    """``no_size`` and ``no_speed`` name the models that a chart lacks, because their number isn't known. ``speed`` is
    measured on one ``device`` ("cpu", "cuda"; "" unknown): the one most clips were spoken on, or, where it was
    ``measured`` apart from the votes, the one most models were measured on. ``days`` has an entry for
    every ``span`` days from the first vote to the last; ``undated`` votes are in none.
    """

    arena: str
    title: str
    ratings: tuple[RatingBar, ...]
    size: tuple[FrontPoint, ...]
    speed: tuple[FrontPoint, ...]
    days: tuple[Day, ...]
    no_size: tuple[Named, ...] = ()
    no_speed: tuple[Named, ...] = ()
    undated: int = 0
    device: str = ""
    span: int = 1
    measured: bool = False


# --- audit -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class AuditLens:
    """What could be wrong with this board."""


class Severity(StrEnum):
    """How bad a finding is. ``OK``: looked for and not found. ``UNKNOWN``: too little data to tell."""

    OK = "ok"
    UNKNOWN = "unknown"
    NOTICE = "notice"
    WARNING = "warning"
    SERIOUS = "serious"


@dataclass(frozen=True)
class AuditLine:
    """One check: what was found, how bad it is, what to do. ``figures`` are the numbers behind it, in words."""

    check: str
    title: str
    severity: Severity
    found: str
    effect: str = ""
    remedy: str = ""
    figures: tuple[tuple[str, str], ...] = field(default=())


@dataclass(frozen=True)
class AuditView:
    """All checks, the worst first. ``sentence`` sums them up."""

    arena: str
    votes: int
    sentence: str
    lines: tuple[AuditLine, ...]


# --- contributors: who the votes came from ---------------------------------------------------------------------------


@dataclass(frozen=True)
class ContributorsLens:
    """A card for each station and listener."""


@dataclass(frozen=True)
class ContributorsView:
    """A line for each contributor, suspects first; its ``check`` names the contributor. ``sentence`` sums them up."""

    arena: str
    votes: int
    sentence: str
    lines: tuple[AuditLine, ...]


Lens = PairsLens | GroupsLens | HistoryLens | WhatIfLens | ChartsLens | AuditLens | ContributorsLens
LensView = PairsView | GroupsView | HistoryView | WhatIfView | ChartsView | AuditView | ContributorsView
