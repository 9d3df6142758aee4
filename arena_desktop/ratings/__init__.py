"""Ratings: pure arithmetic, on nothing heavier than numpy. No file, no clock, no chance.

Formulas, sources and limits: ``docs/ratings.md``.
"""

import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from arena_desktop.ratings.elo import expected, k_factor, prior_elo
from arena_desktop.ratings.faults import NotConverged, RatingError, RegistryError, StateError, VoteRefused

if TYPE_CHECKING:
    from arena_desktop.ratings.audit import audit
    from arena_desktop.ratings.bradley_terry import fit_bradley_terry
    from arena_desktop.ratings.elo_store import EloStore
    from arena_desktop.ratings.notebook import Fit, RankRange, RatingInterval, fit, intervals, rank_ranges, vote_table
    from arena_desktop.ratings.replay import ReplayReport
    from arena_desktop.ratings.simulate import simulate

__all__ = [
    "EloStore",
    "Fit",
    "NotConverged",
    "RankRange",
    "RatingError",
    "RatingInterval",
    "RegistryError",
    "ReplayReport",
    "StateError",
    "VoteRefused",
    "audit",
    "expected",
    "fit",
    "fit_bradley_terry",
    "intervals",
    "k_factor",
    "prior_elo",
    "rank_ranges",
    "simulate",
    "vote_table",
]

_LATER = {
    "EloStore": "elo_store",
    "ReplayReport": "replay",
    "fit_bradley_terry": "bradley_terry",
    "audit": "audit",
    "simulate": "simulate",
    **dict.fromkeys(
        ("Fit", "RankRange", "RatingInterval", "fit", "intervals", "rank_ranges", "vote_table"), "notebook"
    ),
}
"""What is imported when it is first asked for, and from which module: most programs need little of it."""


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_LATER[name]}"), name)


def __dir__() -> list[str]:
    return list(__all__)


class _Package(ModuleType):
    """Some functions are called like the module they are in. The import system would put the module in their place."""

    def __setattr__(self, name: str, value: object) -> None:
        if name not in _LATER:
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
