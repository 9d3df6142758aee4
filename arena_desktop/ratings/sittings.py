"""When whom hears what: the order of a simulated panel's votes."""

import numpy as np

from arena_desktop.ratings.arrays import FloatArray, IntArray

START_US = 1_780_000_000_000_000
"""When the first vote is cast: microseconds since 1970, 28 May 2026."""

SITTING = 20
"""A listener casts so many votes in one sitting."""

_PAUSE_US = 30_000_000


def apportioned(share: FloatArray, votes: int) -> IntArray:
    """How many of the ``votes`` each listener casts, in proportion to ``share``, by largest remainders."""
    exact = share / share.sum() * votes
    whole: IntArray = np.floor(exact).astype(np.int64)
    left = votes - int(whole.sum())
    whole[np.argsort(whole - exact, kind="stable")[:left]] += 1
    return whole


def sittings(diligence: IntArray, order: np.random.Generator) -> tuple[IntArray, IntArray]:
    """Who casts each vote, and in which sitting: sittings of all listeners in a random order, each one's together."""
    count = -(-diligence // SITTING)
    who = np.repeat(np.arange(len(diligence)), count)
    place = np.arange(len(who)) - np.repeat(np.cumsum(count) - count, count)
    length = np.minimum(SITTING, diligence[who] - SITTING * place)
    shuffled = order.permutation(len(who))
    return np.repeat(who[shuffled], length[shuffled]), np.repeat(np.arange(len(who)), length[shuffled])


def dealt(texts: int, votes: int, order: np.random.Generator) -> IntArray:
    """Which text each vote is about: shuffled rounds of all of them."""
    rounds = np.tile(np.arange(texts, dtype=np.int64), (-(-votes // texts), 1))
    dealt: IntArray = order.permuted(rounds, axis=1).reshape(-1)[:votes]
    return dealt


def times(sitting: IntArray, days: float) -> IntArray:
    """Half a minute between two votes of a sitting, the rest of the days evenly between the sittings."""
    count = int(sitting[-1]) + 1 if len(sitting) else 1
    rest = max(_PAUSE_US, int((days * 86_400e6 - _PAUSE_US * len(sitting)) / count))
    return START_US + _PAUSE_US * np.arange(len(sitting)) + rest * sitting


def met_before(listener: IntArray, a: IntArray, b: IntArray, size: int) -> IntArray:
    """How many votes on the same two models the listener had cast before, names shown after each."""
    key = (listener * size + np.minimum(a, b)) * size + np.maximum(a, b)
    order = np.argsort(key, kind="stable")
    sorted_key = key[order]
    begins = np.concatenate([[True], sorted_key[1:] != sorted_key[:-1]]) if len(key) else np.zeros(0, np.bool_)
    begin = np.maximum.accumulate(np.where(begins, np.arange(len(key)), 0))
    before = np.empty(len(key), np.int64)
    before[order] = np.arange(len(key)) - begin
    return before
