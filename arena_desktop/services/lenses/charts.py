"""The charts of one arena: ratings with tiers, rating against size and against speed, votes over time."""

from collections.abc import Sequence
from datetime import date, timedelta

import numpy as np

from arena_desktop.ratings.arrays import FloatArray, IntArray
from arena_desktop.ratings.fronts import dominated
from arena_desktop.ratings.vote_table import VoteTable
from arena_desktop.services.arena_votes import ArenaVotes
from arena_desktop.services.board_views import ChartsLens, ChartsView, Day, FrontPoint, Named, RatingBar
from arena_desktop.services.lenses.models import Orders, best_first, estimate, named, sure_orders

MOST_BARS = 400
"""Votes are counted by day; where that takes more bars than this, by the next longer span."""

FEWEST_MEASURED = 2
"""Fewer measured models are no chart."""

SPANS = (1, 7, 28, 364)
"""How many days one bar may stand for."""

_EPOCH = date(1970, 1, 1)
_DAY_US = 86_400_000_000
_SINCE_MONDAY = 3  # 1 January 1970 was a Thursday


def look(votes: ArenaVotes, lens: ChartsLens) -> ChartsView:
    """The view of the charts."""
    standings = votes.standings
    order = [position for position in best_first(standings, votes.models) if standings.models[position].rank]
    better = sure_orders(standings)
    size = np.array([model.params_m or np.nan for model in votes.models], np.float64)
    measured = _measured(votes, order)
    device, speed = measured or real_time_factors(votes.table)
    at = votes.table.at[votes.table.at >= 0]
    span, days = _days(at)
    return ChartsView(
        arena=votes.arena.id,
        title=votes.arena.title or votes.arena.id,
        ratings=tuple(
            RatingBar(named(votes.models[place]), estimate(standings.models[place]), standings.models[place].tier)
            for place in order
        ),
        size=_front(votes, order, size, better),
        speed=_front(votes, order, speed, better),
        days=days,
        no_size=_without(votes, order, size),
        no_speed=_without(votes, order, speed),
        undated=len(votes.table) - len(at),
        device=device,
        span=span,
        measured=measured is not None,
    )


def _measured(votes: ArenaVotes, order: Sequence[int]) -> tuple[str, FloatArray] | None:
    """The speeds that were measured apart from the votes, where at least two models of the board have one: all on one
    machine, in one way. None: the votes' own are better than nothing, and the two don't belong on one axis.
    """
    factors = np.array([votes.speeds.factors.get(model.repo_id, np.nan) for model in votes.models], np.float64)
    known = sum(bool(np.isfinite(factors[place])) for place in order)
    return (votes.speeds.device, factors) if known >= FEWEST_MEASURED else None


def real_time_factors(table: VoteTable) -> tuple[str, FloatArray]:
    """The class of device that spoke most of the clips whose speed is known, and each model's median real-time factor
    on it, NaN where there is none.
    """
    model = np.concatenate([table.a, table.b])
    device = np.concatenate([table.device_a, table.device_b])
    rtf = np.concatenate([table.rtf_a, table.rtf_b])
    known = np.isfinite(rtf) & (rtf > 0) & (device >= 0)
    median = np.full(len(table.models), np.nan)
    if not known.any():
        return "", median
    most = int(np.argmax(np.bincount(device[known])))
    here = known & (device == most)
    for place in np.unique(model[here]):
        median[place] = np.median(rtf[here & (model == place)])
    return table.devices[most], median


def _front(votes: ArenaVotes, order: Sequence[int], x: FloatArray, better: Orders) -> tuple[FrontPoint, ...]:
    beaten = dominated(x, better)
    return tuple(
        FrontPoint(
            named(votes.models[place]), float(x[place]), estimate(votes.standings.models[place]), bool(beaten[place])
        )
        for place in order
        if np.isfinite(x[place])
    )


def _without(votes: ArenaVotes, order: Sequence[int], x: FloatArray) -> tuple[Named, ...]:
    return tuple(named(votes.models[place]) for place in order if not np.isfinite(x[place]))


def _days(at: IntArray) -> tuple[int, tuple[Day, ...]]:
    """How many days a bar stands for, and the bars from the first vote to the last, empty ones too."""
    if not len(at):
        return 1, ()
    day = at // _DAY_US
    whole = int(day.max() - day.min()) + 1
    span = next((days for days in SPANS if whole <= days * MOST_BARS), SPANS[-1])
    shift = _SINCE_MONDAY if span > 1 else 0  # weeks begin on Mondays
    bar = (day + shift) // span
    first = int(bar.min())
    counts = np.bincount(bar - first)
    starts = [(first + place) * span - shift for place in range(len(counts))]
    return span, tuple(
        Day((_EPOCH + timedelta(days=start)).isoformat(), int(count))
        for start, count in zip(starts, counts, strict=True)
    )
