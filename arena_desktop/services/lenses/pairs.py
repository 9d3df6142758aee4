"""Who met whom: the win matrix, the neighbours on the board, the circles."""

import itertools
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from arena_desktop.ratings import NotConverged
from arena_desktop.ratings.arrays import ELO_PER_LOGIT, FloatArray, logistic
from arena_desktop.ratings.cycles import Cycle, Cycles, cycles
from arena_desktop.ratings.meetings import Meetings
from arena_desktop.ratings.quantiles import normal_upper
from arena_desktop.ratings.standings import Standings
from arena_desktop.ratings.verdict import verdict
from arena_desktop.services.arena_votes import ArenaVotes
from arena_desktop.services.board_views import Neighbours, PairCell, PairsLens, PairsView
from arena_desktop.services.lenses.models import best_first, named
from arena_desktop.services.verdict_words import pair_sentence, told, voice_of

_FEW = 5  # meetings below which no residual is called large
_CONFIDENCE = 0.95


def look(votes: ArenaVotes, lens: PairsLens) -> PairsView:
    """The view of the pairs. Without a fit the counts alone."""
    try:
        standings = votes.standings
    except NotConverged as problem:
        models = tuple(named(model) for model in votes.models)
        cells = _cells(votes.met, range(len(models)), _Expected.nothing(len(models)))
        return PairsView(votes.arena.id, models, cells, (), notes=(str(problem),))
    order = best_first(standings, votes.models)
    expected = _Expected.of(standings, votes.met)
    names = [model.name for model in votes.models]
    return PairsView(
        arena=votes.arena.id,
        models=tuple(named(votes.models[position]) for position in order),
        cells=_cells(votes.met, order, expected),
        neighbours=_neighbours(votes, standings, order),
        cycles=_circles(cycles(votes.met.wins, expected.decided, design=_design(standings)), names),
        notes=_notes(votes.met, standings, expected, names),
    )


class _Expected:
    """What the ratings let expect, by position, shape (models, models): NaN where two were never compared.

    ``share`` is a model's score for each battle, ``decided`` the same for those that were decided, ``residual`` how
    many standard errors the score is above it, each vote counted for itself. ``odd``: it is further than the furthest
    of all pairs that met ``often`` would be by chance on one board in twenty (Šidák's bound).
    """

    def __init__(self, share: FloatArray, decided: FloatArray, residual: FloatArray, often: NDArray[np.bool_]) -> None:
        self.share, self.decided, self.residual = share, decided, residual
        known = often & np.isfinite(residual)
        self.pairs = int(np.count_nonzero(known)) // 2
        self.away = np.where(known, np.abs(residual), 0.0)
        limit = normal_upper(0.5 * (1.0 - _CONFIDENCE ** (1.0 / self.pairs))) if self.pairs else np.inf
        self.odd: NDArray[np.bool_] = self.away > limit

    @classmethod
    def nothing(cls, size: int) -> "_Expected":
        nothing = np.full((size, size), np.nan)
        return cls(nothing, nothing, nothing, np.zeros((size, size), np.bool_))

    @classmethod
    def of(cls, standings: Standings, met: Meetings) -> "_Expected":
        ratings = np.array([model.rating or np.nan for model in standings.models], np.float64)
        share = logistic((ratings[:, None] - ratings[None, :]) / ELO_PER_LOGIT)
        share[met.worth <= 0.0] = np.nan
        draws = met.draw_share
        with np.errstate(divide="ignore", invalid="ignore"):
            decided = np.clip(0.5 + (share - 0.5) / (1.0 - draws), 0.0, 1.0)
            # A share of draws makes a score vary less; it is counted with some decided votes more than there were.
            votes = met.games.sum() / 2.0
            drawn = draws * votes / (votes + 2.0 * len(share)) if votes else 0.0
            variance = met.games * np.maximum(share * (1.0 - share) - 0.25 * drawn, 0.0)
            residual = (_score(met) - met.games * share) / np.sqrt(variance)
        residual[~np.isfinite(residual)] = np.nan
        return cls(share, decided, residual, met.games >= _FEW)


def _score(met: Meetings) -> FloatArray:
    return met.wins + 0.5 * (met.ties + met.both_bad)


def _cells(met: Meetings, order: Sequence[int], expected: _Expected) -> tuple[tuple[PairCell | None, ...], ...]:
    games, score = met.games, _score(met)

    def cell(row: int, column: int) -> PairCell | None:
        if row == column:
            return None
        played = int(games[row, column])
        return PairCell(
            games=played,
            wins=int(met.wins[row, column]),
            losses=int(met.wins[column, row]),
            ties=int(met.ties[row, column]),
            both_bad=int(met.both_bad[row, column]),
            share=float(score[row, column]) / played if played else None,
            expected=_known(expected.share[row, column]),
            residual=_known(expected.residual[row, column]) if played else None,
            odd=bool(expected.odd[row, column]),
        )

    return tuple(tuple(cell(row, column) for column in order) for row in order)


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _neighbours(votes: ArenaVotes, standings: Standings, order: Sequence[int]) -> tuple[Neighbours, ...]:
    voice = voice_of(votes.table, standings, votes.you)
    names = [model.name for model in votes.models]
    ranked = [position for position in order if standings.models[position].rank is not None]
    found = []
    for upper, lower in itertools.pairwise(ranked):
        judged = verdict(standings, votes.met, (upper, lower))
        found.append(
            Neighbours(
                named(votes.models[upper]),
                named(votes.models[lower]),
                pair_sentence(judged, names, voice),
                judged.more,
            )
        )
    return tuple(found)


def _design(standings: Standings) -> float:
    """The design effect of the listeners, that of the middle pair."""
    doubt = standings.doubt
    if doubt is None or not doubt.general:
        return 1.0
    above = np.triu_indices(len(doubt.error), 1)
    by_vote = doubt.vote_difference[above]
    return float(np.median(np.square(doubt.difference[above][by_vote > 0] / by_vote[by_vote > 0])))


def _circles(found: Cycles, names: Sequence[str]) -> tuple[str, ...]:
    if not found.triples:
        return ()
    each = "each pair of which has a majority"
    if found.triples == 1:
        told_count = f"The only three models {each} {'go' if found.count else 'do not go'} round in a circle"
    else:
        verb = "goes" if found.count == 1 else "go"
        count = f"{found.count:,}" if found.count else "None"
        told_count = f"{count} of {found.triples:,} triples of models, {each}, {verb} round in a circle"
    chance = f"coin flips would make about {_about(found.by_coins)}, the ratings expect {_about(found.by_ratings)}"
    return (f"{told_count}; {chance}.", *(_circle(one, names) for one in found.listed))


def _about(number: float) -> str:
    return f"{number:,.0f}" if number >= 10 else f"{number:.1f}" if number >= 1 else f"{number:.2f}"


def _circle(circle: Cycle, names: Sequence[str]) -> str:
    links = [
        f"{told(names[better])} over {told(names[worse])} ({won:,} of {won + lost:,})"
        for better, worse, won, lost in zip(
            circle.models, circle.models[1:] + circle.models[:1], circle.wins, circle.losses, strict=True
        )
    ]
    meaning = (
        "chance makes such a circle on fewer than one board in twenty, so no one ranking fits these three"
        if circle.surprising
        else "no finding, chance makes such circles"
    )
    return f"{', '.join(links)}: {meaning}."


def _notes(met: Meetings, standings: Standings, expected: _Expected, names: Sequence[str]) -> tuple[str, ...]:
    size = len(names)
    pairs = size * (size - 1) // 2
    games = np.triu(met.games, 1)
    strangers = pairs - int(np.count_nonzero(games))
    notes = []
    if strangers and games.any():
        notes.append(f"{strangers:,} of {pairs:,} pairs never met.")
    if not expected.pairs:
        return tuple(notes)
    a, b = (int(place) for place in np.unravel_index(np.argmax(expected.away), expected.away.shape))
    if expected.residual[a, b] < 0:
        a, b = b, a
    if expected.odd[a, b]:
        score, played = _score(met)[a, b], int(met.games[a, b])
        notes.append(
            f"{told(names[a])} does better against {told(names[b])} than their ratings say: {score:g} of {played:,} "
            f"points, {played * expected.share[a, b]:.1f} expected ({expected.residual[a, b]:.1f} standard errors)."
        )
        if standings.general:
            notes.append("Standard errors here count each vote for itself; listeners' own tastes make them larger.")
    else:
        notes.append("No pair is further from what the ratings expect than chance explains.")
    return tuple(notes)
