"""Seeded simulations: the intervals cover what they claim, and hardly any verdict is wrong."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import pytest

from arena_desktop.ratings.ranks import verdicts
from arena_desktop.ratings.standings import Standings, davidson_standings, rating_standings
from arena_desktop.ratings.vote_columns import VoteColumns
from tests.helpers.evidence import Figure, evidence
from tests.helpers.panels import Scenario

FULL_REPLICATES = 600
REDUCED_REPLICATES = 24
SEED = 20_261_202

PANEL = Scenario([200] * 10, 100.0)
PROMPTS = Scenario([50] * 40, 60.0, prompts=20, prompt_effect=80.0)

Fit = Callable[[VoteColumns], Standings]


@dataclass
class Count:
    """``covered`` of ``intervals``; ``wrong``: boards with a wrong verdict on some pair, ``ranges``: with every rank
    inside its range.
    """

    boards: int = 0
    intervals: int = 0
    covered: int = 0
    wrong: int = 0
    ranges: int = 0

    def add(self, board: Standings, truth: np.ndarray) -> None:
        """One simulated board against the truth."""
        doubt = board.doubt
        assert doubt is not None
        models = board.models
        self.boards += 1
        self.intervals += len(models)
        self.covered += sum(
            bool((m.low or 0) <= value <= (m.high or 0)) for m, value in zip(models, truth, strict=True)
        )
        ratings = np.array([model.rating for model in models], np.float64)
        better = verdicts(ratings, doubt.difference, doubt.verdict_quantile(), np.zeros(len(models), np.int64))
        self.wrong += bool((better & (truth[:, None] < truth[None, :])).any())
        place = (-truth).argsort().argsort() + 1
        self.ranges += all(
            (m.rank_low or 0) <= rank <= (m.rank_high or 0) for m, rank in zip(models, place, strict=True)
        )

    @property
    def coverage(self) -> float:
        """Percent of intervals that hold the truth."""
        return 100.0 * self.covered / self.intervals

    @property
    def wrong_boards(self) -> float:
        """Percent of boards with any wrong verdict."""
        return 100.0 * self.wrong / self.boards


def by_rating(votes: VoteColumns) -> Standings:
    return rating_standings(votes, best=False)


def listeners_alone(votes: VoteColumns) -> Standings:
    return rating_standings(replace(votes, prompt=None), best=False)


def votes_alone(votes: VoteColumns) -> Standings:
    """What independent votes would give: one listener's rule for all."""
    return rating_standings(replace(votes, prompt=None, listener=np.zeros_like(votes.listener)), best=False)


def by_davidson(votes: VoteColumns) -> Standings:
    return davidson_standings(votes, best=False)


def simulated(scenario: Scenario, replicates: int, fits: dict[str, tuple[Fit, str]]) -> dict[str, Count]:
    counts = {name: Count() for name in fits}
    for replicate in range(replicates):
        strength, votes = scenario.draw(SEED + replicate)
        truths = {method: scenario.truth(strength, method) for method in {method for _, method in fits.values()}}
        for name, (fit, method) in fits.items():
            counts[name].add(fit(votes), truths[method])
    return counts


@pytest.mark.proof("coverage")
@pytest.mark.timeout(1800)
def test_intervals_cover_and_verdicts_are_right(full_counts: bool) -> None:
    replicates = FULL_REPLICATES if full_counts else REDUCED_REPLICATES
    panel = simulated(
        PANEL,
        replicates,
        {"board": (by_rating, "rating"), "davidson": (by_davidson, "davidson"), "votes": (votes_alone, "rating")},
    )
    prompts = simulated(PROMPTS, replicates, {"board": (by_rating, "rating"), "listeners": (listeners_alone, "rating")})
    figures: dict[str, Figure] = {
        "replicates": replicates,
        "panel_coverage_percent": panel["board"].coverage,
        "panel_boards_with_a_wrong_verdict_percent": panel["board"].wrong_boards,
        "panel_boards_with_all_ranks_in_range_percent": 100.0 * panel["board"].ranges / replicates,
        "panel_davidson_coverage_percent": panel["davidson"].coverage,
        "panel_davidson_boards_with_a_wrong_verdict_percent": panel["davidson"].wrong_boards,
        "panel_votes_as_units_coverage_percent": panel["votes"].coverage,
        "panel_votes_as_units_boards_with_a_wrong_verdict_percent": panel["votes"].wrong_boards,
        "prompts_coverage_percent": prompts["board"].coverage,
        "prompts_boards_with_a_wrong_verdict_percent": prompts["board"].wrong_boards,
        "prompts_listeners_alone_coverage_percent": prompts["listeners"].coverage,
    }
    covered = (panel["board"].coverage, panel["davidson"].coverage, prompts["board"].coverage)
    wrong = (panel["board"].wrong_boards, panel["davidson"].wrong_boards, prompts["board"].wrong_boards)
    slack = 0.0 if full_counts else 2.0  # boards are few then, and the intervals of one board err together
    evidence(
        "coverage",
        figures,
        holds=all(92.0 - slack <= share <= 98.0 + slack for share in covered)
        and max(wrong) <= 2.0 + 1.5 * slack
        and panel["votes"].coverage < 85.0,
        claim=(
            "95 % intervals cover the truth in 92–98 % of cases and at most 2 % of boards have any wrong verdict: 12 "
            "models of strengths SD 100 Elo, 10 listeners × 200 votes with tastes of SD 100 (panel), and 40 × 50 votes "
            "with tastes of SD 60 on 20 texts of effect SD 80 (prompts), about 15 % ties. Votes as units would not do."
        ),
    )
