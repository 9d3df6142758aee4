"""The replay: many votes in order, from the priors. The inner loop is lean because a log may hold a million votes."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from arena_desktop.ratings.ballot import JUNK, NOT_AN_OBJECT, SELF_BATTLE
from arena_desktop.ratings.elo import SCALE, SCORES, STEP_FIRST, STEP_HALF, STEP_LAST
from arena_desktop.ratings.tally import ArenaTally

_KINDS = tuple(SCORES)
_LISTED = 256


@dataclass(frozen=True)
class ReplayReport:
    """``applied`` votes moved the ratings; ``skipped`` are (position in the records from 0, reason)."""

    applied: int
    skipped: list[tuple[int, str]] = field(default_factory=list)


class _Seats:
    """One arena unpacked into flat lists, so that a vote costs a few index operations.

    ``cells`` counts votes by side A, side B and kind of vote, at ``(a * size + b) * 4 + kind``.
    """

    def __init__(self, tally: ArenaTally) -> None:
        self.tally = tally
        self.size = len(tally.models)
        self.index = {repo_id: position for position, repo_id in enumerate(tally.models)}
        self.elo = [model.elo for model in tally.models.values()]
        self.battles = [model.battles for model in tally.models.values()]
        # A list is twice as fast as a dict, but grows with the square of the arena.
        self.cells: Any = [0] * (4 * self.size**2) if self.size <= _LISTED else defaultdict(int)

    def fold(self) -> None:
        """Write ratings and counts back."""
        for model, elo in zip(self.tally.models.values(), self.elo, strict=True):
            model.elo = elo
        ids = list(self.index)
        for cell, times in enumerate(self.cells) if isinstance(self.cells, list) else self.cells.items():
            if times:
                sides, kind = divmod(cell, 4)
                a, b = divmod(sides, self.size)
                self.tally.count(ids[a], ids[b], _KINDS[kind], times)


def replay_votes(
    tallies: Mapping[str, ArenaTally], records: Iterable[object], fault: Callable[[object], str | None]
) -> ReplayReport:
    """Apply ``records`` in order to ``tallies``, which nobody else must be reading yet.

    ``fault`` words why a record can't be applied; it is asked only about records that the fast path stumbled over. Only
    what the iterable itself raises comes through.
    """
    seats = {arena: _Seats(tally) for arena, tally in tallies.items()}
    unpacked = {arena: (seat.index, seat.elo, seat.battles, seat.cells, seat.size) for arena, seat in seats.items()}
    skipped: list[tuple[int, str]] = []
    outcomes = {vote: (score, _KINDS.index(vote)) for vote, score in SCORES.items()}
    last, more, half, scale = STEP_LAST, (STEP_FIRST - STEP_LAST) * STEP_HALF, STEP_HALF, SCALE
    position = -1
    for position, record in enumerate(records):
        try:
            index, elo, battles, cells, size = unpacked[record["arena"]]  # type: ignore[index]  # junk is caught below
            a = index[record["model_a"]["repo_id"]]  # type: ignore[index]
            b = index[record["model_b"]["repo_id"]]  # type: ignore[index]
            score, kind = outcomes[record["vote"]]  # type: ignore[index]
        except JUNK:
            skipped.append((position, fault(record) or NOT_AN_OBJECT))
            continue
        if a == b:
            skipped.append((position, SELF_BATTLE))
            continue
        # As in elo.step, written out: two calls a vote would double the time.
        ra = elo[a]
        rb = elo[b]
        try:
            surprise = score - 1.0 / (1.0 + 10.0 ** ((rb - ra) / scale))
        except OverflowError:
            surprise = score
        played_a = battles[a]
        played_b = battles[b]
        elo[a] = ra + (last + more / (half + played_a)) * surprise
        elo[b] = rb - (last + more / (half + played_b)) * surprise
        battles[a] = played_a + 1
        battles[b] = played_b + 1
        cells[(a * size + b) * 4 + kind] += 1
    for seat in seats.values():
        seat.fold()
    return ReplayReport(position + 1 - len(skipped), skipped)
