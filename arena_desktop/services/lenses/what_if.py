"""The board if only some of the votes counted, or ties counted otherwise, or there were no prior."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field

import numpy as np
from numpy.typing import NDArray

from arena_desktop.domain.roster import ModelSpec
from arena_desktop.errors import ArenaError
from arena_desktop.ratings.array_replay import replay_elo
from arena_desktop.ratings.arrays import FloatArray
from arena_desktop.ratings.bradley_terry import fit_table
from arena_desktop.ratings.pair_table import pair_table
from arena_desktop.ratings.standings import Standings, davidson_standings, rating_standings
from arena_desktop.ratings.vote_columns import VoteColumns
from arena_desktop.ratings.without_prior import Unrated, free_standings
from arena_desktop.services.arena_votes import ArenaVotes
from arena_desktop.services.board_views import TieRule, WhatIfLens, WhatIfRow, WhatIfView
from arena_desktop.services.lenses.models import Tallies, best_first, tallies
from arena_desktop.services.lenses.vote_mask import FIELDS, Field, kept
from arena_desktop.services.lenses.what_changed import what_changed, what_is_filtered
from arena_desktop.services.views import BoardRow


@dataclass(frozen=True)
class _Board:
    """A board under a filter. ``unrated``: why models have no rating, by position, where there is no prior."""

    standings: Standings
    unrated: Mapping[int, Unrated] = field(default_factory=dict)


def look(votes: ArenaVotes, lens: WhatIfLens) -> WhatIfView:
    """The view of the filtered board. The log is never touched: the votes are a snapshot of it."""
    fields = {name: make(votes.table, votes.names) for name, make in FIELDS.items()}
    try:
        mask = kept(votes.table, fields, lens)
        columns = _counting(votes, mask, lens.ties)
        whole = len(columns) == len(votes.table) and (lens.ties, lens.prior) == (TieRule.HALF, True)
        board = _Board(votes.standings) if whole else _board(columns, lens)
    except ArenaError as error:
        return _view(votes, lens, fields, 0, (), problem=f"{error.message} {error.remedy}".strip())
    rows = _rows(votes, lens, mask, columns, board)
    changed = what_changed(votes, lens, len(columns), board.standings, board.unrated)
    sentence = " ".join((what_is_filtered(fields, lens), *changed))
    return _view(votes, lens, fields, len(columns), rows, sentence=sentence)


def _view(
    votes: ArenaVotes,
    lens: WhatIfLens,
    fields: Mapping[str, Field],
    count: int,
    rows: tuple[WhatIfRow, ...],
    *,
    sentence: str = "",
    problem: str = "",
) -> WhatIfView:
    options = {name: one.options() for name, one in fields.items()}
    return WhatIfView(
        arena=votes.arena.id,
        lens=lens,
        **options,
        kept=count,
        total=len(votes.table),
        rows=rows,
        sentence=sentence,
        problem=problem,
    )


def _counting(votes: ArenaVotes, mask: NDArray[np.bool_], ties: TieRule) -> VoteColumns:
    """The votes that the ratings see."""
    columns = votes.table.columns()
    if ties is TieRule.DROP:
        mask = mask & (columns.score != 0.5)
    return columns if mask.all() else columns.pick(np.flatnonzero(mask))


def _half(columns: VoteColumns) -> _Board:
    return _Board(rating_standings(columns))


def _davidson(columns: VoteColumns) -> _Board:
    return _Board(davidson_standings(columns))


def _half_alone(columns: VoteColumns) -> _Board:
    found = free_standings(columns, "rating")
    return _Board(found.standings, found.unrated)


def _davidson_alone(columns: VoteColumns) -> _Board:
    found = free_standings(columns, "davidson")
    return _Board(found.standings, found.unrated)


_WITH_PRIOR: Mapping[TieRule, Callable[[VoteColumns], _Board]] = {
    TieRule.HALF: _half,
    TieRule.DROP: _half,
    TieRule.DAVIDSON: _davidson,
}
_WITHOUT: Mapping[TieRule, Callable[[VoteColumns], _Board]] = {
    TieRule.HALF: _half_alone,
    TieRule.DROP: _half_alone,
    TieRule.DAVIDSON: _davidson_alone,
}


def _board(columns: VoteColumns, lens: WhatIfLens) -> _Board:
    return (_WITH_PRIOR if lens.prior else _WITHOUT)[lens.ties](columns)


def _rows(
    votes: ArenaVotes, lens: WhatIfLens, mask: NDArray[np.bool_], columns: VoteColumns, board: _Board
) -> tuple[WhatIfRow, ...]:
    table = votes.table
    counts = tallies(len(votes.models), table.a[mask], table.b[mask], table.outcome[mask])
    elo = _live_elo(votes.priors, columns)
    met = pair_table(columns.size, columns.a, columns.b, columns.counts, columns.counts * columns.score)
    head_start = fit_table(met, votes.priors)
    return tuple(
        _row(votes, lens, board, position, _board_row(votes.models, board, position, elo, head_start, counts))
        for position in best_first(board.standings, votes.models)
    )


def _live_elo(prior: FloatArray, columns: VoteColumns) -> FloatArray:
    """After these votes alone; models without a game have their prior."""
    elo = prior.copy()
    replay_elo(elo, columns.a, columns.b, columns.score)
    return elo


def _board_row(
    models: Sequence[ModelSpec],
    board: _Board,
    position: int,
    elo: FloatArray,
    head_start: FloatArray,
    counts: Tallies,
) -> BoardRow:
    model, share = models[position], counts.acceptable(position)
    return BoardRow(
        repo_id=model.repo_id,
        name=model.name,
        params=model.params,
        params_m=model.params_m,
        **asdict(board.standings.models[position]),
        elo=float(elo[position]),
        head_start=float(head_start[position]),
        **{kind: int(column[position]) for kind, column in vars(counts).items()},
        acceptable=share.value,
        acceptable_low=share.low,
        acceptable_high=share.high,
    )


def _row(votes: ArenaVotes, lens: WhatIfLens, board: _Board, position: int, row: BoardRow) -> WhatIfRow:
    """Davidson's points are on a scale of their own, so that no difference to the whole board's is shown."""
    before, now = votes.standings.models[position], board.standings.models[position]
    moved = ranked = None
    if lens.ties is not TieRule.DAVIDSON and now.rating is not None and before.rating is not None:
        moved = now.rating - before.rating
    if now.rank is not None and before.rank is not None:
        ranked = before.rank - now.rank
    reason = board.unrated.get(position)
    return WhatIfRow(row, moved, ranked, "" if reason is None else str(reason))
