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


def progress_words(view: ExchangeView) -> str:
    """How far the work is, in words."""
    verb = _VERBS.get(view.step, "")
    if not view.done and not view.of:
        return f"{verb}…"
    of = f" of {text.count(view.of)}" if view.of else ""
    return f"{verb}: {text.count(view.done)}{of} {view.unit}"
