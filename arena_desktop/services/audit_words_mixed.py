"""The findings on what was mixed under one board or one name, in words."""

from typing import cast

from arena_desktop.domain.policy_rules import split_from
from arena_desktop.ratings.audit.conditions import Conditions, Mixed
from arena_desktop.ratings.audit.finding import Finding
from arena_desktop.ratings.audit.makes import Changed, Makes
from arena_desktop.services.audit_words import Name, Words, listed, points, spread, times

_CONDITION = {
    "question": "question",
    "silent": "sound off (--silent)",
    "reveal": "when names are shown",
    "playback": "playback",
    "text_hidden": "hidden text",
    "gate": "how much must be heard",
    "target_lufs": "loudness",
}
_YES_NO = {"True": "yes", "False": "no"}
_MOST = 4
_PART = {"weights_hash": "weights", "settings_hash": "settings", "voice": "voice"}


def conditions(finding: Finding, name: Name) -> Words:
    """Votes under several conditions."""
    found = cast(Conditions, finding.figures)
    title = "Conditions"
    silent = found.silent_left_out
    left_out = ""
    figures: tuple[tuple[str, str], ...] = ()
    if silent:
        left_out = (
            f" {times(silent, 'vote')} of the log, cast without sound, {'is' if silent == 1 else 'are'} left out."
        )
        figures = (("left out, cast without sound", f"{silent:,}"),)
    if not found.mixed:
        said = "All votes that count were cast" if silent else "All votes were cast"
        return Words(
            title,
            f"{said} under the same conditions, as far as they say.{left_out}",
            "The boards stand on fewer votes than the log holds." if silent else "",
            "Vote with sound: what was cast without it tests the program and is no listening." if silent else "",
            figures,
        )
    largest = max(found.mixed, key=lambda mixed: abs(mixed.moved_elo))
    effect = ""
    if largest.moved is not None:
        effect = (
            f"Without the votes under the rarer {_CONDITION[largest.condition]}, {name(largest.moved)} would move by "
            f"{points(largest.moved_elo)} Elo, the most of all."
        )
    return Words(
        title,
        f"Votes under different conditions are in one board: {listed([_values(mixed) for mixed in found.mixed])}."
        + left_out,
        effect,
        "Compare the parts with what-if filters; a report names each condition with its votes.",
        tuple((_CONDITION[mixed.condition], _counts(mixed.values)) for mixed in found.mixed) + figures,
    )


def _values(mixed: Mixed) -> str:
    return f"{_CONDITION[mixed.condition]} ({_counts(mixed.values)})"


def _counts(values: tuple[tuple[str, int], ...]) -> str:
    return ", ".join(f"{_YES_NO.get(value, value[:40])}: {number:,}" for value, number in values[:4])


def makes(finding: Finding, name: Name) -> Words:
    """Names that stood for several things."""
    found = cast(Makes, finding.figures)
    title = "What each name stood for"
    if not found.changed:
        return Words(title, "Each name stood for the same weights, settings and voice, as far as votes say.")
    changes = [f"{name(changed.model)} ({_PART[changed.part]})" for changed in found.changed]
    largest = max(found.changed, key=lambda changed: abs(changed.apart.value))
    stand = "stands" if largest.part == "voice" else "stand"
    return Words(
        title,
        f"Not the same in all votes: {listed(changes)}.",
        f"Rated apart, the second {_PART[largest.part]} of {name(largest.model)} {stand} {spread(largest.apart)} Elo "
        "from the first.",
        "Tell the votes apart: write into policy.yaml in the data directory "
        f"split: {{{', '.join(_split(found.changed))}}}. Or exclude those of one.",
        tuple((f"{name(changed.model)}, {_PART[changed.part]}", _makes(changed)) for changed in found.changed),
    )


def _split(changes: tuple[Changed, ...]) -> list[str]:
    """What to write under ``split``, one model an item."""
    parts: dict[str, list[str]] = {}
    for changed in changes:
        # A model that is split already goes by a longer name than the one to write.
        base, before = split_from(changed.model)
        parts.setdefault(base, list(before)).append(changed.part)
    return [f"{model}: [{', '.join(dict.fromkeys(found))}]" for model, found in list(parts.items())[:_MOST]]


def _makes(changed: Changed) -> str:
    return ", ".join(f"{value[:12]}: {number:,}" for value, number in changed.values[:4])
