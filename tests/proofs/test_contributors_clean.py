"""How often an honest listener is suspected: simulated boards without a fault."""

from collections import Counter
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from arena_desktop.ratings.simulate import simulate
from arena_desktop.services.arena_votes import ArenaVotes
from arena_desktop.services.contributors import contributors
from tests.helpers.evidence import evidence

CLEAN: dict[str, dict[str, Any]] = {
    "panel_50x60": {"votes": 3000, "listeners": 50},
    "panel_10x200": {"votes": 2000, "listeners": 10, "taste_sd": 100.0},
    "crowd_400x4": {"votes": 1600, "listeners": 400},
    "texts_differ": {"votes": 3000, "listeners": 20, "text_sd": 60.0},
    "models_alike": {"votes": 320, "listeners": 8, "strength_sd": 30.0, "taste_sd": 60.0},
    "one_diligent": {"votes": 3000, "listeners": [10.0] + [1.0] * 30, "taste_sd": 80.0},
    "panel_6x300": {"votes": 1800, "listeners": 6, "taste_sd": 80.0},
}


@pytest.mark.proof("contributors_clean")
@pytest.mark.timeout(1800)
def test_honest_listeners_are_left_alone(full_counts: bool) -> None:
    boards = 300 if full_counts else 4
    figures: dict[str, Any] = {"boards_of_each_kind": boards}
    suspected: Counter[str] = Counter()
    for kind, options in CLEAN.items():
        for seed in range(boards):
            panel = simulate(12, seed=seed, **options)
            votes = SimpleNamespace(table=panel.table(), priors=np.full(12, 1000.0), excluded={})
            suspected[kind] += any(card.checks for card in contributors(cast(ArenaVotes, votes)))
        figures[f"{kind}_boards_with_a_suspect"] = suspected[kind]
    share = suspected.total() / (boards * len(CLEAN))
    figures["share_of_all_boards"] = round(share, 5)
    spare = 0 if full_counts else 1
    evidence(
        "contributors_clean",
        figures,
        all(number <= 0.01 * boards + spare for number in suspected.values()),
        claim="On simulated boards of honest listeners `votes contributors` suspects nobody in at least 99 % of the"
        " boards of each kind.",
    )
