"""Ratings: pure arithmetic, on nothing heavier than numpy. No file, no clock, no chance."""

from arena_desktop.ratings.bradley_terry import fit_bradley_terry
from arena_desktop.ratings.elo import expected, k_factor, prior_elo
from arena_desktop.ratings.elo_store import EloStore
from arena_desktop.ratings.faults import NotConverged, RatingError, RegistryError, StateError, VoteRefused
from arena_desktop.ratings.replay import ReplayReport

__all__ = [
    "EloStore",
    "NotConverged",
    "RatingError",
    "RegistryError",
    "ReplayReport",
    "StateError",
    "VoteRefused",
    "expected",
    "fit_bradley_terry",
    "k_factor",
    "prior_elo",
]
