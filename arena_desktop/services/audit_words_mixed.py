"""The findings on what was mixed under one board or one name, in words."""

from typing import cast

from arena_desktop.ratings.audit.conditions import Conditions, Mixed
from arena_desktop.ratings.audit.finding import Finding
from arena_desktop.ratings.audit.makes import Changed, Makes
from arena_desktop.services.audit_words import Name, Words, listed, points, spread

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
_PART = {"weights_hash": "weights", "settings_hash": "settings", "voice": "voice"}


def conditions(finding: Finding, name: Name) -> Words:
    """Votes under several conditions."""
    found = cast(Conditions, finding.figures)
    title = "Conditions"
    if not found.mixed:
        return Words(title, "All votes were cast under the same conditions, as far as they say.")
    largest = max(found.mixed, key=lambda mixed: abs(mixed.moved_elo))
    effect = ""
    if largest.moved is not None:
        effect = (
            f"Without the votes under the rarer {_CONDITION[largest.condition]}, {name(largest.moved)} would move by "
            f"{points(largest.moved_elo)} Elo, the most of all."
        )
    return Words(
        title,
        f"Votes under different conditions are in one board: {listed([_values(mixed) for mixed in found.mixed])}.",
        effect,
        "Compare the parts with what-if filters; a report names each condition with its votes.",
        tuple((_CONDITION[mixed.condition], _counts(mixed.values)) for mixed in found.mixed),
    )


def _values(mixed: Mixed) -> str:
    return f"{_CONDITION[mixed.condition]} ({_counts(mixed.values)})"


def _counts(values: tuple[tuple[str, int], ...]) -> str:
    return ", ".join(f"{_YES_NO.get(value, value[:40])}: {number:,}" for value, number in values[:4])


def makes(finding: Finding, name: Name) -> Words:
    """Names that stood for several things."""
    found = cast(Makes, finding.figures)
    title = "One name, several models"
    if not found.changed:
        return Words(title, "Each name stood for the same weights, settings and voice, as far as votes say.")
    changes = [f"{name(changed.model)} ({_PART[changed.part]})" for changed in found.changed]
    largest = max(found.changed, key=lambda changed: abs(changed.apart.value))
    return Words(
        title,
        f"Not the same in all votes: {listed(changes)}.",
        f"Rated apart, the second {_PART[largest.part]} of {name(largest.model)} stands {spread(largest.apart)} Elo "
        "from the first.",
        "Give each its own name in the roster, or count the votes of one alone.",
        tuple((f"{name(changed.model)}, {_PART[changed.part]}", _makes(changed)) for changed in found.changed),
    )


def _makes(changed: Changed) -> str:
    return ", ".join(f"{value[:12]}: {number:,}" for value, number in changed.values[:4])
