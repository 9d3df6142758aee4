"""What votes from elsewhere did to a board, in words."""

from collections.abc import Collection, Sequence

from arena_desktop.services.verdict_words import told
from arena_desktop.services.views import BoardRow, BoardView

_LEAST = 0.5  # Elo points: less is no change that the board shows


def board_news(
    before: BoardView, after: BoardView, ids_before: Sequence[str], ids_after: Sequence[str], own: Collection[str]
) -> str:
    """What came in, or was taken back, between two views of one arena, and how many ratings it changed.

    ``ids_*`` are the votes that each stands on, in canonical order; ``own`` those that this window cast or took back
    itself in between, which are no news. Empty if nothing came from elsewhere.
    """
    known, present = set(ids_before), set(ids_after)
    came = [place for place, vote in enumerate(ids_after) if vote not in known and vote not in own]
    last = max((place for place, vote in enumerate(ids_after) if vote in known), default=-1)
    older = sum(place < last for place in came)
    gone = sum(vote not in present and vote not in own for vote in ids_before)
    happened = []
    if older:
        happened.append(f"{_votes(older, 'older ')} came in by import")
    if len(came) > older:
        happened.append(f"{_votes(len(came) - older, 'newer ' if known else '')} came in from elsewhere")
        if len(came) == len(ids_after):
            return f"{happened[0]}, the first on this board{_first_rated(after.rows)}."
    if gone:
        happened.append(f"{_votes(gone)} no longer {'counts' if gone == 1 else 'count'}")
    if not happened:
        return ""
    return f"{' and '.join(happened)}: {_changes(before.rows, after.rows)}.{_replayed(older, gone)}"


def _first_rated(rows: Sequence[BoardRow]) -> str:
    rated = sum(row.rating is not None for row in rows)
    return f": {rated:,} {'model is' if rated == 1 else 'models are'} rated now" if rated else ""


def _changes(before: Sequence[BoardRow], after: Sequence[BoardRow]) -> str:
    """How many ratings changed, and which the most."""
    old = {row.repo_id: row.rating for row in before}
    rated = [row for row in after if row.rating is not None or old.get(row.repo_id) is not None]
    moves = [(_move(old.get(row.repo_id), row.rating), row.name) for row in rated]
    changed = [(move, name) for move, name in moves if move is None or abs(move) >= _LEAST]
    if not changed:
        return "no rating changed"
    count = f"{len(changed):,} of {len(rated):,} ratings changed"
    if len(changed) == len(rated) > 1:
        count = "both ratings changed" if len(rated) == 2 else f"all {len(rated):,} ratings changed"
    known = [(move, name) for move, name in changed if move is not None]
    if not known:
        return count
    move, name = max(known, key=lambda entry: abs(entry[0]))
    size = f"{abs(move):,.0f}"
    most = "" if len(changed) == 1 else "most of all "
    return f"{count}, {most}that of {told(name)} ({'+' if move > 0 else '−'}{size})"


def _move(before: float | None, after: float | None) -> float | None:
    """None where a rating came into being, or ceased to be."""
    return None if before is None or after is None else after - before


def _replayed(older: int, gone: int) -> str:
    if older and gone:
        return " Live Elo was replayed: votes count in the order of their time."
    if older:
        which = "it comes" if older == 1 else "they come"
        return f" Live Elo was replayed because {which} before newer votes."
    return f" Live Elo was replayed without {'it' if gone == 1 else 'them'}." if gone else ""


def _votes(number: int, kind: str = "") -> str:
    return f"{number:,} {kind}{'vote' if number == 1 else 'votes'}"
