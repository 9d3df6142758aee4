"""What a filter leaves out and what that does to the board, in sentences."""

from collections.abc import Mapping, Sequence

import numpy as np

from arena_desktop.ratings.standings import Standings
from arena_desktop.ratings.without_prior import Unrated
from arena_desktop.services.arena_votes import ArenaVotes
from arena_desktop.services.board_views import TieRule, WhatIfLens
from arena_desktop.services.lenses.models import Orders, sure_orders
from arena_desktop.services.lenses.vote_mask import Field
from arena_desktop.services.verdict_words import told

_SINGULAR = {"listeners": "listener", "prompts": "prompt", "categories": "category", "conditions": "condition"}
_TIES = {TieRule.DROP: "with draws left out", TieRule.DAVIDSON: "with Davidson's rule for draws"}
_NAMED = 3  # so many orders are told one by one


def what_is_filtered(fields: Mapping[str, Field], lens: WhatIfLens) -> str:
    """What differs from the whole board, as the beginning of a sentence that a colon ends."""
    parts = [words for name, field in fields.items() if (words := _left_out(name, field, lens))]
    if lens.since.strip():
        parts.append(f"from {lens.since.strip()} on")
    if lens.until.strip():
        parts.append(f"until {lens.until.strip()}")
    if lens.ties in _TIES:
        parts.append(_TIES[lens.ties])
    if not lens.prior:
        parts.append("without any prior")
    if not parts:
        return "The whole board, nothing left out."
    words = ", ".join(parts)
    return f"{words[0].upper()}{words[1:]}:"


def what_changed(
    votes: ArenaVotes, lens: WhatIfLens, kept: int, now: Standings, unrated: Mapping[int, Unrated]
) -> tuple[str, ...]:
    """What became of the leader, of the orders that were sure, and of models without a rating, with ``kept`` votes."""
    before, names = votes.standings, [told(model.name) for model in votes.models]
    if lens == WhatIfLens():
        return ()
    if not len(now.played):
        return ("the votes alone give no model a rating." if kept and not lens.prior else "no vote is left.",)
    found = [_leader(before, now, names), _orders(before, now, names)]
    missing = [position for position in before.played.tolist() if now.models[position].rank is None]
    if missing and not unrated:
        found.append(f"No vote is left on {_list([names[position] for position in missing])}.")
    if missing and unrated:
        found += [f"{names[position]} has no rating: {unrated[position]}." for position in missing]
    if lens.ties is TieRule.DAVIDSON:
        found.append("Its points are on a scale of their own, so only ranks are compared.")
    return tuple(sentence for sentence in found if sentence)


def _left_out(name: str, field: Field, lens: WhatIfLens) -> str:
    wanted = getattr(lens, f"without_{name}")
    titles = [title for own, title in zip(field.ids, field.titles, strict=True) if own in wanted]
    if not titles:
        return ""
    if len(titles) == 1:
        return f"without {_SINGULAR[name]} {told(titles[0])}"
    return f"without {len(titles)} {name}"


def _leader(before: Standings, now: Standings, names: Sequence[str]) -> str:
    old, new = _leaders(before), _leaders(now)
    if not old:
        return ""
    was, is_now = _list([names[position] for position in old]), _list([names[position] for position in new])
    return f"{is_now} still leads." if old == new else f"the leader changes from {was} to {is_now}."


def _leaders(standings: Standings) -> list[int]:
    return [position for position, model in enumerate(standings.models) if model.rank == 1]


def _orders(before: Standings, now: Standings, names: Sequence[str]) -> str:
    """What became of the orders that were sure, between models that still have a rating."""
    rating = np.array([np.nan if model.rating is None else model.rating for model in now.models], np.float64)
    rated = np.array([model.rank is not None for model in now.models])
    sure = sure_orders(before) & rated[:, None] & rated[None, :]
    sure_now = sure_orders(now)
    gap = rating[:, None] - rating[None, :]
    turned = sure & (gap < 0)
    if turned.any():
        surely = " surely" if (turned & sure_now.T).any() else ""
        return f"{_count(turned)} that {_was(turned)} sure {_turns(turned)} round{surely}: {_told(turned, names)}."
    lost, won = sure & ~sure_now, sure_now & ~sure_orders(before)
    if lost.any():
        return f"No order that was sure turns round; {int(lost.sum())} of {int(sure.sum())} are no longer sure."
    if won.any():
        more = f"{_count(won)} {'becomes' if won.sum() == 1 else 'become'} sure"
        return f"No order that was sure changes; {more}."
    return "No order that was sure changes." if sure.any() else "No order was sure, and none becomes sure."


def _count(orders: Orders) -> str:
    number = int(orders.sum())
    return "One order" if number == 1 else f"{number} orders"


def _was(orders: Orders) -> str:
    return "was" if orders.sum() == 1 else "were"


def _turns(orders: Orders) -> str:
    return "turns" if orders.sum() == 1 else "turn"


def _told(orders: Orders, names: Sequence[str]) -> str:
    pairs = [f"{names[i]} over {names[j]}" for i, j in np.argwhere(orders)[:_NAMED].tolist()]
    more = int(orders.sum()) - len(pairs)
    return ", ".join(pairs) + (f" and {more} more" if more > 0 else "")


def _list(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
