"""Votes under different conditions in one board."""

from dataclasses import dataclass

import numpy as np

from arena_desktop.ratings.audit.case import Case, fit, largest_move, table_of
from arena_desktop.ratings.audit.finding import Figures, Finding, Severity
from arena_desktop.ratings.vote_table import Condition

CHECK = "conditions"
_GRAVE = ("silent", "question", "text_hidden")


@dataclass(frozen=True)
class Mixed:
    """One condition: its ``values`` with the votes under each, the most frequent first (values in words). Without the
    votes under the others ``moved`` would move by ``moved_elo`` points; None where too few votes would be left.
    """

    condition: str
    values: tuple[tuple[str, int], ...]
    moved: str | None
    moved_elo: float


@dataclass(frozen=True)
class Conditions(Figures):
    """``mixed``: the conditions that were not the same in all votes. Votes that don't say are left out of account.
    ``silent_left_out``: how many votes of the log, of all arenas, are on no board because they were cast without sound;
    only who knows the log can tell.
    """

    mixed: tuple[Mixed, ...]
    silent_left_out: int = 0


def conditions(case: Case) -> Finding:
    """Whether all votes were cast under the same question, gate, reveal, playback, loudness, with or without the text,
    with or without sound. Question, text and sound change what was asked of the listener: they weigh more.
    """
    mixed = [found for name in Condition._fields if (found := _mixed(case, name)) is not None]
    if not mixed:
        return Finding(CHECK, Severity.OK if len(case.votes) else Severity.UNKNOWN, Conditions(()))
    grave = any(found.condition in _GRAVE for found in mixed)
    return Finding(CHECK, Severity.WARNING if grave else Severity.NOTICE, Conditions(tuple(mixed)))


def _mixed(case: Case, name: str) -> Mixed | None:
    votes = case.votes
    said = [getattr(condition, name) for condition in votes.conditions]
    known = [value for value in dict.fromkeys(said) if value is not None]
    numbers = np.array([known.index(value) if value is not None else -1 for value in said] + [-1])
    value = numbers[votes.condition]
    counts = np.bincount(value[value >= 0], minlength=len(known))
    if np.count_nonzero(counts) < 2:
        return None
    order = np.argsort(-counts, kind="stable")
    rest = votes.pick((value == order[0]) | (value < 0))
    table = table_of(rest)
    both = np.intersect1d(table.played, case.table.played)
    move, moved = largest_move(case.ratings, fit(table), both)
    values = tuple((str(known[place]), int(counts[place])) for place in order if counts[place])
    return Mixed(name, values, case.name(moved), move)
