"""A contributor's card in words, and the policy that leaves their votes out."""

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from arena_desktop.domain.policy import EXCLUSION_KEYS, Exclusion
from arena_desktop.domain.times import time_text
from arena_desktop.ratings.contributor_checks import FEWEST
from arena_desktop.services.contributors import FASTEST_PRESS_MS, Check, Contributor, Measured
from arena_desktop.services.trust import KeyState, Signing

_REASONS = {
    Check.SPEED: "votes faster than anybody listens",
    Check.UNHEARD: "votes on clips that were not heard",
    Check.SIDE: "votes for a side, not for a voice",
    Check.FIRST: "votes by what is played first",
    Check.ASTRAY: "votes do not follow what is heard",
    Check.CONTRARY: "contradicts own votes",
    Check.WEIGHTS: "other weights under a known name",
}
_DIGITS = 8


def who(card: Contributor, names: Mapping[str, str] | None = None) -> str:
    """What to call a contributor; ``names`` are those of the listeners that this machine knows."""
    if card.listener is None:
        if card.source:
            return f"Nobody named, from «{card.source}»"
        return "Nobody named" if card.station is None else f"Nobody named, at {card.station[:_DIGITS]}"
    name = (names or {}).get(card.listener)
    person = f"{name} ({card.listener})" if name else card.listener
    if card.station is None:
        return f"{person}, from «{card.source}»" if card.source else person
    return f"{person} at {card.station[:_DIGITS]}"


def findings(card: Contributor) -> list[str]:
    """What the votes are suspected of, a sentence each."""
    return [_FOUND[check](card) for check in card.checks]


def can_tell(card: Contributor) -> bool:
    """Whether there are enough votes to say anything."""
    return card.votes >= FEWEST


def in_short(card: Contributor) -> str:
    """What an unsuspected contributor did, in a sentence."""
    if not card.votes:
        return "No vote of theirs counts."
    told = "1 vote" if card.votes == 1 else f"{card.votes:,} votes"
    judged = "nothing speaks against them" if can_tell(card) else "too few to tell"
    return f"{told}, {_percent(card.share)} of the board: {judged}."


def figures(card: Contributor, key: KeyState | None = None) -> list[tuple[str, str]]:
    """All numbers of a card with their labels; what is not known is left out."""
    found = [("votes", f"{card.votes:,}, {_percent(card.share)} of the board")]
    if card.first is not None and card.last is not None:
        found.append(("from, until", f"{time_text(card.first)[:16]} … {time_text(card.last)[:16]} UTC"))
    if card.seconds is not None:
        found.append(("seconds a vote", f"{card.seconds:.1f}"))
    if card.rt_ms is not None:
        found.append(("decided within", f"{card.rt_ms / 1000:.2f} s, median"))
    if card.timed:
        found.append(("faster than can be heard", f"{card.impossible:,} of {card.timed:,}"))
    if card.heard is not None:
        unheard = f"; {card.unheard:,} of {card.heard_known:,} below what had to be" if card.unheard else ""
        found.append(("heard of each clip", f"{_percent(card.heard)}{unheard}"))
    if card.side is not None:
        found.append(("for sample A beyond the ratings", _span(card.side)))
    if card.order is not None:
        found.append(("for the first played beyond the ratings", _span(card.order)))
    if card.follows is not None:
        value, low, high = (f"{number:.2f}" for number in (card.follows.value, card.follows.low, card.follows.high))
        found.append(("follows the others' ratings (1: as expected, 0: not)", f"{value} ({low} to {high})"))
    if card.agree is not None and card.expected is not None:
        said = f"{_percent(card.agree)} of {card.repeats:,} repeats agree; {_percent(card.expected)} expected by chance"
        found.append(("the same pair again", said))
    found += [
        (f"weights of {other.repo_id}", f"{other.own[:_DIGITS]} in {other.votes:,} votes")
        for other in card.other_weights
    ]
    if key is not None:
        found.append(("key", key_words(key)))
    found += [("excluded by the policy", f"{number:,} ({reason})") for reason, number in card.excluded]
    return found


def key_words(key: KeyState) -> str:
    """Whether records are signed, and whether the key is known here."""
    if key.signing is Signing.UNSIGNED:
        return "unsigned"
    if key.signing is Signing.UNUSED:
        return "unsigned, though you trust a key for this station"
    if key.signing is Signing.UNCHECKED:
        return "signed, but no key to check it by"
    if key.signing is Signing.FORGED and key.pinned:
        return "forged: not by the key you trust for this station"
    return f"{key.signing}, key {'known' if key.known else 'new'}"


def exclusion(card: Contributor) -> Exclusion | None:
    """What leaves this contributor out of the board; None where nothing in the votes names them."""
    named = {"station": card.station, "listener": card.listener, "source": card.source or None}
    if not any(named.values()):
        return None
    return Exclusion("; ".join(_REASONS[check] for check in card.checks) or "left out by hand", **named)


def policy_text(exclusions: Iterable[Exclusion]) -> str:
    """The lines to write into ``policy.yaml``."""
    lines = []
    for one in exclusions:
        named = {key: value for key in (*EXCLUSION_KEYS, "reason") if (value := getattr(one, key)) is not None}
        # Text as JSON has it is text for YAML, too, whatever is in it.
        lines.append("  - {" + ", ".join(f"{key}: {json.dumps(value)}" for key, value in named.items()) + "}")
    return "\n".join(["exclusions:", *lines]) if lines else ""


def remedy(card: Contributor) -> str:
    """What to do about a suspect."""
    one = exclusion(card)
    if one is None:
        return "These votes name nobody: import their file again with --source NAME, then exclude that source."
    split = ""
    if card.other_weights:
        models = ", ".join(f"{other.repo_id}: [weights_hash]" for other in card.other_weights)
        split = f"Or tell the weights apart: split: {{{models}}}\n"
    return f"{split}Exclude with:\n{policy_text([one])}"


def sentence(cards: Iterable[Contributor]) -> str:
    """All cards in a sentence."""
    every = list(cards)
    suspects = sum(bool(card.checks) for card in every)
    if not every:
        return "Nobody has voted here yet."
    told = f"{len(every):,} contributors" if len(every) > 1 else "1 contributor"
    if not suspects:
        return f"{told}; nothing speaks against the votes of any of them."
    unlike = "the votes of one are" if suspects == 1 else f"the votes of {suspects:,} are"
    return f"{told}; {unlike} unlike those of a listener."


def card_json(card: Contributor, key: KeyState | None) -> dict[str, Any]:
    """A card as a JSON object."""
    one = exclusion(card) if card.checks else None
    return {
        "station_id": card.station,
        "listener": card.listener,
        "source": card.source,
        "votes": card.votes,
        "share": card.share,
        "first": None if card.first is None else time_text(card.first),
        "last": None if card.last is None else time_text(card.last),
        "seconds": card.seconds,
        "rt_ms": card.rt_ms,
        "impossible": card.impossible,
        "timed": card.timed,
        "heard": card.heard,
        "unheard": card.unheard,
        "heard_known": card.heard_known,
        "side": _interval(card.side),
        "first_played": _interval(card.order),
        "follows": _interval(card.follows),
        "repeats": card.repeats,
        "agree": card.agree,
        "agree_expected": card.expected,
        "other_weights": [
            {"repo_id": one.repo_id, "own": one.own, "usual": one.usual, "votes": one.votes}
            for one in card.other_weights
        ],
        "key": None
        if key is None
        else {"signing": key.signing.value, "known": key.known, "public_key": key.public_key},
        "excluded": [{"reason": reason, "votes": number} for reason, number in card.excluded],
        "checks": [check.value for check in card.checks],
        "found": findings(card),
        "exclude_with": None if one is None else policy_text([one]),
    }


def _interval(one: Measured | None) -> dict[str, float] | None:
    return None if one is None else {"value": one.value, "low": one.low, "high": one.high}


def _percent(share: float) -> str:
    return "< 1 %" if 0 < share < 0.01 else f"{100 * share:.0f} %"


def _span(one: Measured) -> str:
    value, low, high = (f"{100 * number:+.0f}".replace("-", "−") for number in (one.value, one.low, one.high))
    return f"{value} points of 100 ({low} to {high})"


def _speed(card: Contributor) -> str:
    if card.impossible:
        return (
            f"{card.impossible:,} of {card.timed:,} votes came before both clips could be heard: a script, or a clock"
            " that was set back."
        )
    return f"Half of the votes came within {FASTEST_PRESS_MS / 1000:g} s of the moment they could: nobody decides so."


def _unheard(card: Contributor) -> str:
    return f"In {card.unheard:,} of {card.heard_known:,} votes less was heard than the record says had to be."


def _lean(one: Measured | None, what: str) -> str:
    assert one is not None
    way = "more" if one.value > 0 else "less"
    return f"{what} gets {100 * abs(one.value):.0f} points of 100 {way} than the ratings expect, beyond chance."


def _astray(card: Contributor) -> str:
    assert card.follows is not None
    if card.follows.high < 0:
        return "The votes say the opposite of what the others hear: keys or cables the wrong way round?"
    return "The votes hardly follow what the others hear, less than tastes explain: as if drawn by lot."


def _contrary(card: Contributor) -> str:
    assert card.agree is not None
    assert card.expected is not None
    return (
        f"Only {_percent(card.agree)} of {card.repeats:,} repeated pairs were decided the same way again; votes drawn"
        f" anew would in {_percent(card.expected)}."
    )


def _weights(card: Contributor) -> str:
    told = ", ".join(
        f"{one.repo_id} ({one.own[:_DIGITS]}, others {one.usual[:_DIGITS]})" for one in card.other_weights[:4]
    )
    return f"Another model stood behind a name that others have, too: {told}."


_FOUND: Mapping[Check, Callable[[Contributor], str]] = {
    Check.SPEED: _speed,
    Check.UNHEARD: _unheard,
    Check.SIDE: lambda card: _lean(card.side, "Sample A"),
    Check.FIRST: lambda card: _lean(card.order, "The sample played first"),
    Check.ASTRAY: _astray,
    Check.CONTRARY: _contrary,
    Check.WEIGHTS: _weights,
}
