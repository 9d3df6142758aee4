"""What a model's card says, in words."""

from datetime import datetime

from arena_desktop.harmless import harmless
from arena_desktop.services.after_voting import sentence
from arena_desktop.services.measurements import Measured
from arena_desktop.services.views import Examined, ModelRow


def facts(row: ModelRow) -> str:
    """Who it is: id, engine, size, licence, device."""
    parts = [
        row.repo_id,
        row.engine,
        "" if row.params in ("", "unknown") else f"{row.params} parameters",
        row.license,
        f"on {row.device}" if row.device else "",
    ]
    return "  ·  ".join(part for part in parts if part)


def state(row: ModelRow) -> tuple[str, str]:
    """The word in the corner of the card, and its look."""
    if not row.ready:
        return ("Needs set-up", "plain") if row.set_up is not None else ("Not ready", "warning")
    if not row.enabled:
        return "Switched off", "plain"
    return "Ready", "good"


def failures(row: ModelRow) -> str:
    """What went wrong with it so far."""
    if not row.failures:
        return ""
    counts = ", ".join(f"{reason} {number}×" for reason, number in row.failures)
    when = f", on {_day(row.failed_when)}" if row.failed_when else ""
    last = f" Last{when}: {row.last_failure}" if row.last_failure else ""
    return f"Failed: {counts}.{last}"


def measured(row: ModelRow) -> str:
    """How fast it was here, a line a device."""
    return "\n".join(map(_line, row.measured))


def _line(one: Measured) -> str:
    parts = [
        f"{one.memory_mb:,.0f} MB" if one.memory_mb is not None else "",
        f"first sound after {_seconds(one.cold_s)} cold" if one.cold_s is not None else "",
        f"{_seconds(one.warm_s)} warm" if one.warm_s is not None else "",
        f"{_times(one.rtf)} × real time" if one.rtf is not None else "",
    ]
    told = ", ".join(part for part in parts if part)
    return f"{one.device}, {one.dtype}: {told}, measured here on {_day(one.when)}."


def examined(found: Examined | None) -> str:
    """What the fixed set of texts showed."""
    if found is None:
        return ""
    when = f" on {_day(found.when)}" if found.when else ""
    flags = ", ".join(found.flags) or ("nothing odd" if found.ok else "it could not speak")
    heard = (harmless(f"{sentence(test)}, on {_day(test.when)}.") for test in found.words)
    why = (f"No word error rate: {harmless(found.no_words)}",) if found.no_words else ()
    return "\n".join((f"Checked{when}: {flags}.", *heard, *why))


def _times(value: float) -> str:
    return f"{value:.2g}" if value < 1 else f"{value:.1f}"


def _seconds(value: float) -> str:
    return f"{value:.2f} s" if value < 10 else f"{value:.0f} s"


def _day(when: str) -> str:
    """The date of an ISO 8601 time, as this machine's people write it."""
    try:
        day = datetime.fromisoformat(when)
    except ValueError:
        return when
    return f"{day.day} {day:%B %Y}"
