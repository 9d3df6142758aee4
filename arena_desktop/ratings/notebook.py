"""Ratings from plain Python: votes in whatever form they are at hand, answers by the models' names.

    from arena_desktop.ratings import fit, intervals, rank_ranges
    votes = [("x/one", "x/two", "a", "ann", "hello"), ("x/two", "x/three", "tie", "ben", "hello")]
    fit(votes).ratings

Nothing here reads a file; ``arena_desktop.services.vote_tables.read_vote_table`` does.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from arena_desktop.ratings.arrays import FloatArray
from arena_desktop.ratings.ballot import vote_fault
from arena_desktop.ratings.elo import ANCHOR, SCORES, step
from arena_desktop.ratings.faults import RatingError, VoteRefused, shown
from arena_desktop.ratings.intervals import CONFIDENCE
from arena_desktop.ratings.panel import SimulatedPanel
from arena_desktop.ratings.ranks import ranks, verdicts
from arena_desktop.ratings.standings import (
    Standings,
    davidson_standings,
    head_start_standings,
    rating_standings,
)
from arena_desktop.ratings.table_builder import TableBuilder
from arena_desktop.ratings.vote_table import OUTCOMES, UNKNOWN, VoteRow, VoteTable
from arena_desktop.ratings.without_prior import free_standings

METHODS = ("rating", "elo", "bt", "davidson")
_FORMS = "Give a list of (a, b, vote, listener, prompt) or of records, a vote table, or a simulated panel."
_NOBODY = ("",)
_FARTHEST = 1e6

Votes = VoteTable | SimulatedPanel | Iterable[Any]
"""A vote table, a simulated panel, or votes one by one: see :func:`vote_table`."""


class RatingInterval(NamedTuple):
    """Elo points. No bounds where games don't connect all models: distances are the prior's doing then."""

    rating: float
    low: float | None
    high: float | None


class RankRange(NamedTuple):
    """Ranks from 1: by rating, and the range that the votes leave open. ``best`` is the probability 0–1 of being the
    best; it and ``tier`` are None where games don't connect all models.
    """

    rank: int
    low: int
    high: int
    tier: int | None
    best: float | None


@dataclass(frozen=True, eq=False)
class Fit:
    """Ratings by ``method`` of the ``models``, in Elo points, highest first; None where there is none: ``unrated`` says
    why. ``standings`` holds all that is known, by position in ``models``; None for Live Elo, which knows no doubt.
    """

    method: str
    models: tuple[str, ...]
    ratings: dict[str, float | None]
    unrated: dict[str, str]
    standings: Standings | None


def vote_table(votes: Votes, models: Sequence[str] | None = None) -> VoteTable:
    """The votes as a table, which every function here takes too.

    A vote is a sequence ``(a, b, vote)``, ``(a, b, vote, listener)`` or ``(a, b, vote, listener, prompt)``, or a record
    with ``model_a`` and ``model_b`` (a name, or an object with ``repo_id``), ``vote``, and optionally ``listener``,
    ``prompt`` (a name, or an object with ``id``, ``category``, ``language``) and ``id``. ``vote`` is ``a``, ``b``,
    ``tie`` or ``both_bad``. Votes without a listener count as one person's; those without a prompt each have their own.
    ``models``: all there are, in order (default: those of the votes, as they come). Raises :class:`VoteRefused`, which
    names the vote, and :class:`RatingError` for what holds no votes.
    """
    if isinstance(votes, VoteTable):
        return votes
    if isinstance(votes, SimulatedPanel):
        return votes.table()
    if isinstance(votes, str | bytes | Mapping) or not isinstance(votes, Iterable):
        raise RatingError(f"These are no votes: {shown(votes)}.", _FORMS)
    if models is not None and (isinstance(models, str | bytes | Mapping) or not isinstance(models, Iterable)):
        raise RatingError(f"These are no models: {shown(models)}.", "Give their names, in order.")
    rows = [_row(vote, place) for place, vote in enumerate(votes)]
    named = tuple(dict.fromkeys(name for row in rows for name in (row.a, row.b))) if models is None else tuple(models)
    known = set(named)
    builder = TableBuilder(named)
    for place, row in enumerate(rows):
        if row.a not in known or row.b not in known:
            stranger = row.b if row.a in known else row.a
            raise VoteRefused("model not in this arena", f"Vote {place} names {shown(stranger)}.", "List every model.")
        builder.add(row)
    return builder.table()


def fit(
    votes: Votes,
    method: str = "rating",
    *,
    models: Sequence[str] | None = None,
    prior: float | Mapping[str, float] | None = ANCHOR,
    start: "Fit | None" = None,
) -> Fit:
    """The ratings of ``votes`` (see :func:`vote_table`) by ``rating``, ``davidson``, ``bt`` or ``elo``.

    ``prior``: for ``rating`` and ``davidson`` a number, the same for all (it changes nothing, for they are centred at
    1000), or None for a fit by the votes alone, which names in ``unrated`` the models that those can't place. For
    ``bt`` and ``elo`` each model's own prior in Elo points, 1000 where the mapping has none. ``start``: an earlier fit
    of nearly the same votes by the same method, models in the same order; it saves steps and changes no result.
    Raises :class:`RatingError` for arguments that make no fit, :class:`NotConverged` where a fit does not converge.
    """
    if method not in METHODS:
        raise RatingError(f"There is no fit by {shown(method)}.", f"Methods: {', '.join(METHODS)}.")
    table = vote_table(votes, models)
    if method in ("bt", "elo"):
        own = _priors(table.models, prior, method)
        if method == "elo":
            return _named(method, table, _live_elo(table, own), {}, None)
        found = head_start_standings(table.columns(), own, start=None if start is None else start.standings)
        return _of_standings(method, table, found, {})
    if isinstance(prior, Mapping):
        raise RatingError(f"The fit by {method!r} has one prior for all.", "Use method 'bt' for priors of their own.")
    if prior is None:
        free = free_standings(table.columns(), method)
        return _of_standings(
            method, table, free.standings, {table.models[place]: str(why) for place, why in free.unrated.items()}
        )
    make = rating_standings if method == "rating" else davidson_standings
    found = make(table.columns(), start=None if start is None else start.standings)
    return _of_standings(method, table, found, {})


def intervals(
    votes: Votes | Fit,
    method: str = "rating",
    *,
    confidence: float = CONFIDENCE,
    prior: float | Mapping[str, float] | None = ANCHOR,
) -> dict[str, RatingInterval]:
    """The rating of each model with its interval, highest first; models without one are left out.

    ``votes`` may be a :class:`Fit`, whose method then counts. With fewer than five effective listeners the intervals
    are about these listeners alone. Raises as :func:`fit`, and :class:`RatingError` for ``elo``.
    """
    _check_confidence(confidence)
    found, known = _doubted(votes, method, prior)
    doubt = known.doubt
    if doubt is None:
        return {}
    reach = doubt.quantile(confidence)
    half = {
        found.models[position]: reach * float(error) for position, error in zip(known.played, doubt.error, strict=True)
    }
    connected = len(known.islands) == 1
    return {
        name: RatingInterval(rating, rating - half[name], rating + half[name])
        if connected
        else RatingInterval(rating, None, None)
        for name, rating in found.ratings.items()
        if rating is not None and name in half
    }


def rank_ranges(
    votes: Votes | Fit,
    method: str = "rating",
    *,
    confidence: float = CONFIDENCE,
    prior: float | Mapping[str, float] | None = ANCHOR,
) -> dict[str, RankRange]:
    """The rank of each rated model with the range that all pairs' verdicts together leave open, best first.

    Arguments and errors as of :func:`intervals`.
    """
    _check_confidence(confidence)
    found, known = _doubted(votes, method, prior)
    doubt = known.doubt
    if doubt is None:
        return {}
    island = np.zeros(len(found.models), np.int64)
    for number, members in enumerate(known.islands):
        island[list(members)] = number
    names = [found.models[position] for position in known.played]
    ratings = np.array([found.ratings[name] for name in names], np.float64)
    better = verdicts(ratings, doubt.difference, doubt.verdict_quantile(confidence), island[known.played])
    order = ranks(ratings, better)
    ranges = {
        name: RankRange(
            int(order.rank[place]),
            int(order.low[place]),
            int(order.high[place]),
            int(order.tier[place]) if len(known.islands) == 1 else None,
            known.models[int(known.played[place])].best,
        )
        for place, name in enumerate(names)
    }
    return {name: ranges[name] for name in found.ratings if name in ranges}


def _doubted(votes: Votes | Fit, method: str, prior: float | Mapping[str, float] | None) -> tuple[Fit, Standings]:
    found = votes if isinstance(votes, Fit) else fit(votes, method, prior=prior)
    if found.standings is None:
        raise RatingError("Live Elo has no interval.", "Use rating, bt or davidson.")
    return found, found.standings


def _check_confidence(confidence: float) -> None:
    if isinstance(confidence, bool) or not isinstance(confidence, int | float) or not 0 < confidence < 1:
        raise RatingError(f"The confidence is {shown(confidence)}.", "Give a share between 0 and 1, such as 0.95.")


def _of_standings(method: str, table: VoteTable, found: Standings, unrated: dict[str, str]) -> Fit:
    values = [model.rating for model in found.models]
    without = {name: "it has no vote yet" for name, value in zip(table.models, values, strict=True) if value is None}
    return _named(method, table, values, without | unrated, found)


def _named(
    method: str, table: VoteTable, values: Sequence[float | None], unrated: dict[str, str], found: Standings | None
) -> Fit:
    pairs = zip(table.models, values, strict=True)
    ordered = sorted(pairs, key=lambda pair: (pair[1] is None, -(pair[1] or 0.0), pair[0]))
    return Fit(method, table.models, dict(ordered), unrated, found)


def _priors(models: Sequence[str], prior: float | Mapping[str, float] | None, method: str) -> FloatArray:
    if prior is None:
        raise RatingError(f"There is no fit by {method!r} without a prior.", "Use rating or davidson.")
    values = [prior.get(name, ANCHOR) if isinstance(prior, Mapping) else prior for name in models]
    for name, value in zip(models, values, strict=True):
        if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= _FARTHEST:
            raise RatingError(f"The prior of {shown(name)} is {shown(value)}.", "Give Elo points, at most a million.")
    return np.array(values, np.float64)


def _live_elo(table: VoteTable, prior: FloatArray) -> list[float]:
    """One step a vote, in the order of the table."""
    ratings, battles = prior.tolist(), [0] * len(prior)
    scores = [SCORES[vote] for vote in OUTCOMES]
    for a, b, outcome in zip(table.a.tolist(), table.b.tolist(), table.outcome.tolist(), strict=True):
        ratings[a], ratings[b] = step(ratings[a], ratings[b], battles[a], battles[b], scores[outcome])
        battles[a] += 1
        battles[b] += 1
    return list(ratings)


def _row(vote: Any, place: int) -> VoteRow:
    fields = _of_record(vote) if isinstance(vote, Mapping) else _of_sequence(vote)
    if fields is None:
        raise VoteRefused(
            "not an object",
            f"Vote {place} is {shown(vote)}, not a vote.",
            "Give (a, b, vote, listener, prompt), or a record with model_a, model_b and vote.",
        )
    a, b, result, listener, prompt, record = fields
    reason = vote_fault(a, b, result)
    if reason is not None:
        raise VoteRefused(reason, f"Vote {place} can't count: {reason}.", f"Votes are {', '.join(SCORES)}.")
    category, language = (_text(_get(prompt, key)) for key in ("category", "language"))
    return VoteRow(
        id=str(record.get("id", place)),
        a=a,
        b=b,
        vote=result,
        listener=listener if isinstance(listener, str | int) else _NOBODY,
        prompt=_text(_get(prompt, "id") if isinstance(prompt, Mapping) else prompt),
        category=category,
        language=language,
        length=UNKNOWN,
    )


_Fields = tuple[Any, Any, Any, Hashable, Any, Mapping[str, Any]]


def _of_record(record: Mapping[str, Any]) -> _Fields:
    a, b = (_get(record.get(side), "repo_id", record.get(side)) for side in ("model_a", "model_b"))
    return a, b, record.get("vote"), record.get("listener"), record.get("prompt"), record


def _of_sequence(vote: Any) -> _Fields | None:
    if isinstance(vote, str | bytes) or not isinstance(vote, Sequence) or not 3 <= len(vote) <= 5:
        return None
    listener, prompt = (*vote[3:], None, None)[:2]
    return vote[0], vote[1], vote[2], listener, prompt, {}


def _get(value: Any, key: str, otherwise: Any = None) -> Any:
    return value.get(key) if isinstance(value, Mapping) else otherwise


def _text(value: Any) -> str | None:
    return None if value is None or isinstance(value, Mapping) else str(value)
