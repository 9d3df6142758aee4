"""How often an audit cries wolf, and how often it finds what is there: simulated boards, clean and with one defect."""

from collections import Counter
from typing import Any

import pytest

from arena_desktop.ratings.audit import audit
from tests.helpers.audit_boards import STRENGTHS, board, clean_rows
from tests.helpers.evidence import evidence

HOME = [110.0, *(-40.0 * n for n in range(8))]
CLEAN: dict[str, dict[str, Any]] = {
    "panel_40x75": {"votes": 3000},
    "panel_10x200": {"votes": 2000, "listeners": 10, "taste_sd": 40.0},
    "crowd_400x4": {"votes": 1600, "listeners": 400},
    "texts_differ": {"votes": 3000, "text_sd": 60.0},
    "one_listener_300": {"votes": 300, "listeners": 1, "taste_sd": 0.0, "strengths": HOME},
    "one_listener_15": {"votes": 15, "listeners": 1, "taste_sd": 0.0, "strengths": HOME},
}
"""Clean boards: what the panel looks like. Twelve models unless said otherwise."""

PLANTED: dict[str, dict[str, Any]] = {
    "side": {"side_bias": 60.0},
    "first_played": {"first_bias": 60.0},
}
"""Defects of a size that must be found in 3,000 votes, by the check that finds them."""


@pytest.mark.proof("audit")
@pytest.mark.timeout(3600)
def test_clean_boards_fire_nothing_and_planted_ones_one_check(full_counts: bool) -> None:
    boards = 200 if full_counts else 4
    figures: dict[str, float] = {"boards_of_each_kind": boards}
    holds, spare = True, 0 if full_counts else 1
    for kind, options in CLEAN.items():
        fired: Counter[str] = Counter()
        clean = 0
        for seed in range(boards):
            found = _fired(seed, options)
            fired.update(found)
            clean += not found
        figures[f"{kind}_clean_share"] = clean / boards
        figures[f"{kind}_most_of_one_check"] = max(fired.values(), default=0) / boards
        holds = holds and clean + spare >= 0.95 * boards
    for check, options in PLANTED.items():
        each = [_fired(1000 + seed, options) for seed in range(boards)]
        figures[f"{check}_60_elo_found_share"] = sum(check in one for one in each) / boards
        figures[f"{check}_60_elo_alone_share"] = sum(one == {check} for one in each) / boards
        holds = holds and figures[f"{check}_60_elo_found_share"] >= 0.9
    evidence(
        "audit",
        figures,
        holds,
        claim="A clean board fires none of the audit's sixteen checks in at least 95 % of simulated boards of each "
        "kind, and an advantage of 60 Elo for side or order is found in at least 90 % of boards of 3,000 votes.",
    )


def _fired(seed: int, options: dict[str, Any]) -> set[str]:
    settings = {"votes": 3000, "strengths": STRENGTHS, **options}
    found = audit(board(clean_rows(seed, **settings)).votes, seed=seed)
    return {finding.check for finding in found if finding.severity.fires}
