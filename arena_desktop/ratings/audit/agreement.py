"""Do listeners say the same again? Pairs of meetings of the same two models before the same listener."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena_desktop.ratings.acceptability import acceptable
from arena_desktop.ratings.arrays import FloatArray, IntArray
from arena_desktop.ratings.audit.case import ERROR_RATE, Case
from arena_desktop.ratings.audit.finding import Figures, Finding, Interval, Severity, listener_name
from arena_desktop.ratings.quantiles import normal_upper

CHECK = "self_agreement"
_FEWEST = 20  # repeats


@dataclass(frozen=True)
class Agreement(Figures):
    """``repeats``: how often a listener decided on the same pair twice; ``same_text`` of them on the same text.
    ``share`` of them that agree, and what is ``expected`` of listeners who vote anew each time with the chances that
    the ratings give. ``contrary`` are the listeners who contradict themselves more than that, with their share.
    """

    repeats: int
    same_text: int
    share: Interval | None
    expected: float | None
    contrary: tuple[tuple[str, float], ...]


def self_agreement(case: Case) -> Finding:
    """Whether listeners contradict themselves more often than independent votes would.

    Tastes and memory can only make agreement likelier than that, so less of it means confused keys, or answers at
    random on pairs that others tell apart. Decided votes of one listener on one pair are taken two by two, each once,
    those on the same text first. Tested for all together and, Šidák, for each listener.
    """
    first, second, same_text = repeats(case)
    if len(first) < _FEWEST:
        figures = Agreement(len(first), same_text, None, None, ())
        return Finding(CHECK, Severity.UNKNOWN, figures, _needed(len(case.votes), len(first)))
    votes = case.votes
    agree = winner(case, first) == winner(case, second)
    chance = case.expected[first] ** 2 + (1.0 - case.expected[first]) ** 2
    share = acceptable(len(agree), int((~agree).sum()))
    listeners = np.unique(votes.listener[first])
    tail = 0.5 * ERROR_RATE
    alone = 1.0 - (1.0 - tail) ** (1.0 / len(listeners))
    contrary = []
    for listener in listeners:
        mine = votes.listener[first] == listener
        if mine.sum() >= _FEWEST and below(agree[mine], chance[mine], alone):
            contrary.append((listener_name(votes.listeners[listener]), float(agree[mine].mean())))
    assert share.share is not None
    assert share.low is not None
    assert share.high is not None
    figures = Agreement(
        len(first), same_text, Interval(share.share, share.low, share.high), float(chance.mean()), tuple(contrary)
    )
    if below(agree, chance, tail):
        return Finding(CHECK, Severity.SERIOUS, figures)
    return Finding(CHECK, Severity.WARNING if contrary else Severity.OK, figures)


def _needed(votes: int, repeats: int) -> int | None:
    """Extrapolated; before the first repeat what it takes at least, and None where none came among so many."""
    least = 2 * _FEWEST
    if repeats:
        return max(least, math.ceil(votes * _FEWEST / repeats))
    return least if votes < least else None


def below(agree: NDArray[np.bool_], chance: FloatArray, tail: float) -> bool:
    """Whether fewer agree than chance explains (upper ``tail``), continuity corrected."""
    gap = float(chance.sum() - agree.sum()) - 0.5
    return gap > normal_upper(tail) * math.sqrt(float((chance * (1.0 - chance)).sum()))


def winner(case: Case, places: IntArray) -> IntArray:
    """The models that won these votes, which must be decided."""
    votes = case.votes
    won: IntArray = np.where(votes.score[places] > 0.5, votes.a[places], votes.b[places])
    return won


def repeats(case: Case) -> tuple[IntArray, IntArray, int]:
    """Positions of the first and the second vote of each repeat, and how many of them were on the same text."""
    votes = case.votes
    decided = np.flatnonzero(votes.score != 0.5)
    low, high = np.minimum(votes.a, votes.b)[decided], np.maximum(votes.a, votes.b)[decided]
    pair = (votes.listener[decided] * case.size + low) * case.size + high
    text = votes.prompt[decided]
    _, group = np.unique(np.stack([pair, text]), axis=1, return_inverse=True)
    known = np.flatnonzero(text >= 0)
    first, second = _two_by_two(group.ravel()[known])
    first, second = known[first], known[second]
    same_text = len(first)
    left = np.setdiff1d(np.arange(len(decided)), np.concatenate([first, second]))
    other_first, other_second = _two_by_two(pair[left])
    return (
        decided[np.concatenate([first, left[other_first]])],
        decided[np.concatenate([second, left[other_second]])],
        same_text,
    )


def _two_by_two(group: IntArray) -> tuple[IntArray, IntArray]:
    """Positions of the members of each group, first with second, third with fourth, and so on."""
    order = np.argsort(group, kind="stable")
    ordered = group[order]
    begins = np.concatenate([[True], ordered[1:] != ordered[:-1]]) if len(ordered) else np.zeros(0, bool)
    start = np.maximum.accumulate(np.where(begins, np.arange(len(ordered)), 0))
    odd = (np.arange(len(ordered)) - start) % 2 == 1
    later = np.flatnonzero(odd)
    return order[later - 1].astype(np.int64), order[later].astype(np.int64)
