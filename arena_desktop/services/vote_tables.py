"""The votes of a file as a table, for whoever wants to compute with them outside the program."""

from pathlib import Path

from arena_desktop.errors import ArenaError
from arena_desktop.ratings.ballot import record_fault
from arena_desktop.ratings.faults import shown
from arena_desktop.ratings.table_builder import TableBuilder
from arena_desktop.ratings.vote_table import VoteTable
from arena_desktop.services.counted_votes import counted_vote
from arena_desktop.services.vote_files import read_votes


def read_vote_table(path: str | Path, arena: str = "", *, silent: bool = False) -> VoteTable:
    """The votes of one arena of a file that the program exported or can import; no roster is asked.

    Every model that the arena's votes name takes part. ``arena`` may stay away if the file holds one only. Retracted,
    damaged and silent votes (these unless ``silent``) are left out as on the board. :class:`ArenaError` if the file
    can't be read, or doesn't say which arena is meant.
    """
    reading = read_votes(Path(path), silent=silent)
    votes = [counted_vote(record) for record in reading.votes if record_fault(record) is None]
    arenas = tuple(dict.fromkeys(vote.arena for vote in votes))
    if not arena and len(arenas) > 1:
        raise ArenaError(f"{path} holds votes of {len(arenas)} arenas.", f"Name one: {', '.join(arenas)}.")
    wanted = arena or (arenas[0] if arenas else "")
    if arena and arena not in arenas:
        raise ArenaError(f"{path} holds no vote of {shown(arena)}.", f"Arenas there: {', '.join(arenas) or 'none'}.")
    rows = [vote.row for vote in votes if vote.arena == wanted]
    builder = TableBuilder(tuple(sorted({name for row in rows for name in (row.a, row.b)})))
    for row in rows:
        builder.add(row)
    return builder.table()
