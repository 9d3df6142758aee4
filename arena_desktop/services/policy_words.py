"""A policy in words: what it says, and what it does to a log."""

from collections import Counter
from collections.abc import Mapping

from arena_desktop.domain.policy import Exclusion, Policy, policy_hash
from arena_desktop.harmless import shortened

_PARTS = {"weights_hash": "weights", "voice": "voice", "settings_hash": "settings"}
_NAMED = 5
_LONGEST = 80


def policy_lines(policy: Policy) -> tuple[str, ...]:
    """What the policy says, a clause each; nothing for no policy."""
    lines = list(_exclusions(policy.exclusions))
    if policy.aliases:
        pairs = [f"{_short(name)} is read as {_short(base)}" for name, base in sorted(policy.aliases.items())]
        lines.append(_listed(pairs))
    lines += [
        f"{name} is told apart by {_and([_PARTS[part] for part in parts])}"
        for name, parts in sorted(policy.split.items())
    ]
    if policy.listener_cap is not None:
        cap = _counted(policy.listener_cap, "vote")
        lines.append(f"a listener counts for {cap} at most in the fits of an arena; Live Elo takes every vote whole")
    if not policy.own_text:
        lines.append("votes on texts that listeners brought along don't count")
    if not policy.silent:
        lines.append("votes cast without sound (--silent) never count")
    if policy.trusted_keys:
        lines.append(f"{_counted(len(policy.trusted_keys), 'key')} trusted")
    return tuple(lines)


def policy_notes(policy: Policy, excluded: Mapping[str, int]) -> tuple[str, ...]:
    """What a reader of a board under ``policy`` must not miss. ``excluded`` counts votes of the whole log by the
    policy's own words for leaving them out.
    """
    said = f"A policy is in force ({policy_hash(policy)[:12]}): {'; '.join(policy_lines(policy))}."
    ordered = sorted(excluded.items(), key=lambda item: (-item[1], item[0]))
    named = [f"{number:,} ({_short(reason)})" for reason, number in ordered if number]
    total = sum(excluded.values())
    if not total:
        return (said, "The policy leaves out no vote of this log.")
    return (said, f"The policy leaves out {_counted(total, 'vote')} of this log: {_listed(named)}.")


def _exclusions(exclusions: tuple[Exclusion, ...]) -> list[str]:
    """Each reason once, with how many of what it excludes."""
    groups = Counter((_what(one), _where(one), one.reason) for one in exclusions)
    return [
        f"{_counted(number, what) if what != 'all votes' else what}{where} excluded: {_short(reason)}"
        for (what, where, reason), number in groups.items()
    ]


def _what(one: Exclusion) -> str:
    if one.vote is not None:
        return "vote"
    if one.listener is not None:
        return "listener"
    if one.station is not None:
        return "station"
    if one.source is not None:
        return "source"
    return "model" if one.model is not None else "all votes"


def _where(one: Exclusion) -> str:
    parts = []
    if one.listener is not None and one.station is not None:
        parts.append("at one station")
    if one.model is not None and _what(one) != "model":
        parts.append(f"on {_short(one.model)}")
    if one.arena is not None:
        parts.append(f"in the arena {_short(one.arena)}")
    if one.since is not None:
        parts.append(f"from {_day(one.since)}")
    if one.until is not None:
        parts.append(f"until {_day(one.until)}")
    return "".join(f" {part}" for part in parts)


def _day(at: str) -> str:
    """A canonical time, without what is all zeros."""
    return at[:10] if at[10:] == "T00:00:00.000000Z" else at


def _listed(items: list[str]) -> str:
    rest = len(items) - _NAMED
    return ", ".join(items[:_NAMED]) + (f" and {rest:,} more" if rest > 0 else "")


def _and(items: list[str]) -> str:
    return " and ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items)


def _counted(number: int, one: str) -> str:
    return f"1 {one}" if number == 1 else f"{number:,} {one}s"


def _short(text: str) -> str:
    return shortened(text, _LONGEST)
