"""Ways of looking at one arena's votes. Each module here makes one lens's view from a snapshot, as a pure function."""

import importlib

from arena_desktop.services.arena_votes import ArenaVotes
from arena_desktop.services.board_views import (
    AuditLens,
    ChartsLens,
    ContributorsLens,
    GroupsLens,
    HistoryLens,
    Lens,
    LensView,
    PairsLens,
    WhatIfLens,
)

_MODULES: dict[type[Lens], str] = {
    PairsLens: "pairs",
    GroupsLens: "groups",
    HistoryLens: "history",
    WhatIfLens: "what_if",
    ChartsLens: "charts",
    AuditLens: "audit",
    ContributorsLens: "contributors",
}


def look(votes: ArenaVotes, lens: Lens) -> LensView:
    """The view of ``lens``. What it needs is imported when it is first used."""
    module = importlib.import_module(f"arena_desktop.services.lenses.{_MODULES[type(lens)]}")
    view: LensView = module.look(votes, lens)
    return view
