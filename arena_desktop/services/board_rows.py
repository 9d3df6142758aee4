"""What a board shows of an arena: the rows of the page and those of the JSON leaderboard."""

import math
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from arena_desktop.domain.roster import ArenaSpec, Roster
from arena_desktop.errors import UsageError
from arena_desktop.ratings.acceptability import acceptable
from arena_desktop.ratings.arrays import FloatArray
from arena_desktop.ratings.standings import (
    Standing,
    Standings,
    davidson_standings,
    head_start_standings,
    rating_standings,
)
from arena_desktop.services.board_fits import Rated
from arena_desktop.services.board_pool import ArenaPool, BoardPool
from arena_desktop.services.views import BoardRow, BoardView, Choice

_KEYS = ("rating", "low", "high", "rank", "rank_low", "rank_high", "tier")
COUNTS = ("battles", "wins", "losses", "ties", "both_bad")


def _by_rating(arena: ArenaSpec, pool: BoardPool) -> Standings:
    return rating_standings(pool.arenas[arena.id].table().columns())


def _by_head_start(arena: ArenaSpec, pool: BoardPool) -> Standings:
    prior = np.array(list(pool.store.priors(arena.id).values()), np.float64)
    return head_start_standings(pool.arenas[arena.id].table().columns(), prior)


def _by_davidson(arena: ArenaSpec, pool: BoardPool) -> Standings:
    return davidson_standings(pool.arenas[arena.id].table().columns())


_METHODS = {"rating": _by_rating, "bt": _by_head_start, "davidson": _by_davidson}
METHODS = ("elo", *_METHODS)
"""The ways to make a board."""


def leaderboard_rows(roster: Roster, arena: ArenaSpec, pool: BoardPool, method: str) -> list[dict[str, Any]]:
    """The rows of the JSON leaderboard: by Elo those of the rating rules, else one object a model, best first.

    :class:`UsageError` for an unknown method, :class:`NotConverged` where a fit failed.
    """
    if method == "elo":
        return pool.store.rows(arena.id)
    if method not in _METHODS:
        raise UsageError(f"This version makes no leaderboard by {method!r}.", f"Methods: {', '.join(METHODS)}.")
    standings = _METHODS[method](arena, pool)
    tallies = pool.store.tallies(arena.id)
    rows = []
    for standing, repo_id in _ordered(standings.models, arena.models):
        counts = _counts(tallies[repo_id])
        share = acceptable(counts["battles"], counts["both_bad"])
        rows.append(
            {
                "repo_id": repo_id,
                "name": roster.models[repo_id].name,
                **{key: getattr(standing, key) for key in _KEYS},
                **counts,
                "acceptable": asdict(share),
                "best": standing.best,
                "prior_share": standing.prior_share,
            }
        )
    return rows


def board_view(
    roster: Roster,
    arena: ArenaSpec,
    pool: BoardPool,
    found: Rated,
    notes: tuple[str, ...],
    *,
    left_out: bool = False,
) -> BoardView:
    """The arena's board as the page draws it, highest rating first, models without a game last."""
    ratings = found.rating.models if found.rating else (Standing(),) * len(arena.models)
    head_start, davidson = _by_model(arena, found.head_start), _by_model(arena, found.davidson_centred)
    tallies = pool.store.tallies(arena.id)
    rows = []
    for standing, repo_id in _ordered(ratings, arena.models):
        model, counts = roster.models[repo_id], _counts(tallies[repo_id])
        head, share = head_start.get(repo_id), acceptable(counts["battles"], counts["both_bad"])
        rows.append(
            BoardRow(
                repo_id=repo_id,
                name=model.name,
                params=model.params,
                params_m=model.params_m,
                **asdict(standing),
                elo=tallies[repo_id]["elo"],
                head_start=pool.store.priors(arena.id)[repo_id] if head is None else head,
                **counts,
                acceptable=share.share,
                acceptable_low=share.low,
                acceptable_high=share.high,
                davidson=davidson.get(repo_id),
            )
        )
    return BoardView(
        arena=arena.id,
        arenas=tuple(Choice(spec.id, spec.title or spec.id) for spec in roster.arenas.values()),
        title=board_title(pool.arenas[arena.id], found.rating, left_out=left_out),
        votes=len(pool.arenas[arena.id].votes),
        rows=tuple(rows),
        notes=notes,
    )


def _by_model(arena: ArenaSpec, ratings: FloatArray | None) -> dict[str, float]:
    if ratings is None:
        return {}
    named = zip(arena.models, ratings.tolist(), strict=True)
    return {repo_id: rating for repo_id, rating in named if not math.isnan(rating)}


def board_title(pool: ArenaPool, standings: Standings | None, *, left_out: bool = False) -> str:
    """For whom the ratings speak. ``left_out``: the log has votes that count on no board."""
    if not len(pool.votes):
        return "No vote counts here" if left_out else "No votes yet"
    if standings is not None and standings.general:
        return "Ratings for listeners like these"
    alone = pool.votes.listeners == 1 and not pool.unnamed
    return "Ratings for you" if alone else "Ratings for these listeners"


def _ordered(standings: tuple[Standing, ...], models: tuple[str, ...]) -> list[tuple[Standing, str]]:
    """Best first; models without a rank after them, in the roster's order."""
    return sorted(
        zip(standings, models, strict=True),
        key=lambda pair: (pair[0].rank is None, pair[0].rank or 0, pair[1] if pair[0].rank is not None else ""),
    )


def _counts(tally: Mapping[str, Any]) -> dict[str, int]:
    return {kind: tally[kind] for kind in COUNTS}
