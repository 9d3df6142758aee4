"""How far an exchange of votes is, in words."""

from arena_desktop.services.exchange_views import ExchangeView, Step
from arena_desktop.ui import text

RUNNING = frozenset({Step.READING, Step.STORING, Step.WRITING, Step.SYNCING})
"""Steps at which something is going on."""
_VERBS = {
    Step.READING: "Reading",
    Step.STORING: "Importing",
    Step.WRITING: "Writing",
    Step.SYNCING: "Synchronising",
}
_LAST = {
    Step.READING: "All is read; it is looked through…",
    Step.STORING: "Writing to the disk…",
}
"""What is still done when the bar is full."""


def progress_words(view: ExchangeView) -> str:
    """How far the work is, in words."""
    verb = _VERBS.get(view.step, "")
    if not view.done and not view.of:
        return f"{verb}…"
    if view.done >= view.of > 0 and view.step in _LAST:
        return _LAST[view.step]
    of = f" of {text.count(view.of)}" if view.of else ""
    return f"{verb}: {text.count(view.done)}{of} {view.unit}"
