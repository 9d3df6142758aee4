"""The replay: many votes in order, from the priors. The inner loop is lean because a log may hold a million votes."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from arena_desktop.ratings.ballot import NOT_AN_OBJECT, SELF_BATTLE
from arena_desktop.ratings.elo import SCALE, SCORES, STEP_FIRST, STEP_HALF, STEP_LAST
from arena_desktop.ratings.tally import ArenaTally

# What indexing an arbitrary object with text, or looking an arbitrary object up in a dict, can raise.
_JUNK = (LookupError, TypeError, ValueError, AttributeError, RuntimeError)

_FIRST_STEPS = (STEP_FIRST - STEP_LAST) * STEP_HALF


@dataclass(frozen=True)
class ReplayReport:
    """``applied`` votes moved the ratings; ``skipped`` are (position in the records from 0, reason)."""

    applied: int
    skipped: list[tuple[int, str]] = field(default_factory=list)


class _Seats:
    """One arena unpacked into lists, so that a vote costs a few index operations."""

    def __init__(self, tally: ArenaTally) -> None:
        self.tally = tally
        self.ids = list(tally.models)
        self.index = {repo_id: position for position, repo_id in enumerate(self.ids)}
        self.elo = [model.elo for model in tally.models.values()]
        self.battles = [model.battles for model in tally.models.values()]
        self.cells: defaultdict[tuple[int, int, str], int] = defaultdict(int)

    def fold(self) -> None:
        """Write ratings and counts back."""
        for model, elo in zip(self.tally.models.values(), self.elo, strict=True):
            model.elo = elo
        for (a, b, vote), times in self.cells.items():
            self.tally.count(self.ids[a], self.ids[b], vote, times)


def replay_votes(
    tallies: Mapping[str, ArenaTally], records: Iterable[object], fault: Callable[[object], str | None]
) -> ReplayReport:
    """Apply ``records`` in order to ``tallies``, which nobody else must be reading yet.

    ``fault`` words why a record can't be applied; it is asked only for records that the fast path stumbled over. Only
    what the iterable itself raises comes through.
    """
    seats = {arena: _Seats(tally) for arena, tally in tallies.items()}
    unpacked = {arena: (seat.index, seat.elo, seat.battles, seat.cells) for arena, seat in seats.items()}
    skipped: list[tuple[int, str]] = []
    scores = SCORES
    position = -1
    for position, record in enumerate(records):
        try:
            index, elo, battles, cells = unpacked[record["arena"]]  # type: ignore[index]  # junk is caught below
            a = index[record["model_a"]["repo_id"]]  # type: ignore[index]
            b = index[record["model_b"]["repo_id"]]  # type: ignore[index]
            vote = record["vote"]  # type: ignore[index]
            score = scores[vote]
        except _JUNK:
            skipped.append((position, fault(record) or NOT_AN_OBJECT))
            continue
        if a == b:
            skipped.append((position, SELF_BATTLE))
            continue
        ra = elo[a]
        rb = elo[b]
        try:
            surprise = score - 1.0 / (1.0 + 10.0 ** ((rb - ra) / SCALE))
        except OverflowError:
            surprise = score
        played = battles[a]
        battles[a] = played + 1
        elo[a] = ra + (STEP_LAST + _FIRST_STEPS / (STEP_HALF + played)) * surprise
        played = battles[b]
        battles[b] = played + 1
        elo[b] = rb - (STEP_LAST + _FIRST_STEPS / (STEP_HALF + played)) * surprise
        cells[a, b, vote] += 1
    for seat in seats.values():
        seat.fold()
    return ReplayReport(position + 1 - len(skipped), skipped)
