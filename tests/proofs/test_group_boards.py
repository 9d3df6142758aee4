"""Proof: boards of parts of the votes are no further from the truth than the whole board or their own votes, their
intervals cover, and groups that are alike are not called different.
"""

from dataclasses import dataclass

import numpy as np
import pytest

from arena_desktop.ratings.arrays import ELO_PER_LOGIT, FloatArray, IntArray
from arena_desktop.ratings.intervals import CONFIDENCE
from arena_desktop.ratings.shrinkage import shrink
from arena_desktop.ratings.standings import rating_standings
from arena_desktop.ratings.vote_columns import VoteColumns
from arena_desktop.services.lenses.group_words import SURE_BELOW
from tests.helpers.evidence import evidence

TIE = 0.3
NEAR_EQUAL = 2.0 / (2.0 + TIE)
"""By how much ties as half wins draw a small lead in."""


@dataclass(frozen=True)
class Scenario:
    """``apart`` is the SD of a model's strength between groups, ``taste`` that between listeners, ``text`` that between
    the texts of one group; Elo points.
    """

    models: int
    votes: int
    groups: int
    apart: float
    listeners: int = 1
    taste: float = 0.0
    text: float = 0.0
    texts: int = 120


ALIKE = {
    "alike_one_listener": Scenario(6, 300, 4, 0.0),
    "alike_few_listeners": Scenario(6, 1000, 3, 0.0, listeners=8, taste=100.0),
    "alike_panel_and_texts": Scenario(12, 1000, 6, 0.0, listeners=40, taste=60.0, text=50.0),
}
APART = {
    "apart_one_listener": Scenario(6, 600, 4, 80.0),
    "apart_panel": Scenario(6, 1000, 6, 80.0, listeners=10, taste=60.0),
    "apart_larger_panel": Scenario(12, 2000, 6, 60.0, listeners=40, taste=60.0),
}


def drawn(rng: np.random.Generator, of: Scenario) -> tuple[VoteColumns, IntArray, FloatArray]:
    """Votes, each vote's group, and the true strengths by group, shape (groups, models)."""
    strengths = rng.normal(0, 100, of.models) + rng.normal(0, of.apart, (of.groups, of.models))
    tastes = rng.normal(0, of.taste, (of.listeners, of.models))
    texts = rng.normal(0, of.text, (of.texts, of.models))
    a = rng.integers(0, of.models, of.votes)
    b = (a + rng.integers(1, of.models, of.votes)) % of.models
    who, text = rng.integers(0, of.listeners, of.votes), rng.integers(0, of.texts, of.votes)
    group = text % of.groups
    liking = strengths[group] + tastes[who] + texts[text]
    each = np.arange(of.votes)
    lead = (liking[each, a] - liking[each, b]) / ELO_PER_LOGIT
    win, loss = np.exp(lead / 2), np.exp(-lead / 2)
    chance = rng.random(of.votes) * (win + loss + TIE)
    score = np.where(chance < win, 1.0, np.where(chance < win + loss, 0.0, 0.5))
    return VoteColumns(of.models, a, b, score, who, text), group, strengths


def outcome(of: Scenario, seed: int) -> tuple[float, ...]:
    """Whether called different (1 or 0); the share of intervals that cover; mean squared errors of the groups' boards,
    of the whole board, of the groups' own votes.
    """
    votes, group, strengths = drawn(np.random.default_rng(seed), of)
    overall = rating_standings(votes, best=False)
    doubt, prompt = overall.doubt, votes.prompt
    assert doubt is not None
    assert prompt is not None
    units = [votes.listener if overall.general else np.arange(of.votes), prompt]
    found = shrink(votes, group, of.groups, overall, units, least=doubt.error)
    truth = 1000 + NEAR_EQUAL * (strengths - strengths.mean(axis=1, keepdims=True))
    covered = np.abs(found.rating - truth) <= doubt.quantile(CONFIDENCE) * found.error
    whole = np.array([model.rating for model in overall.models], np.float64)
    errors = tuple(float(np.square(each - truth).mean()) for each in (found.rating, whole, found.raw))
    return (float(found.chance is not None and found.chance < SURE_BELOW), float(covered.mean()), *errors)


@pytest.mark.proof("group_boards")
def test_group_boards(full_counts: bool) -> None:
    boards = 600 if full_counts else 8
    figures: dict[str, float] = {"boards": boards}
    called, cover, nearer = [], [], []
    for place, (name, scenario) in enumerate((ALIKE | APART).items()):
        seen = np.array([outcome(scenario, 1_000 * place + board) for board in range(boards)])
        different, inside, own, whole, raw = seen.mean(axis=0)
        figures[f"{name}_called_different"] = round(float(different), 3)
        figures[f"{name}_coverage"] = round(float(inside), 3)
        for which, error in (("drawn", own), ("whole", whole), ("raw", raw)):
            figures[f"{name}_{which}_rmse_elo"] = round(float(np.sqrt(error)), 1)
        cover.append(inside)
        if name in ALIKE:
            called.append(different)
        else:
            nearer.append(own < min(whole, raw))
    slack = 2.0 * np.sqrt(0.05 * 0.95 / boards)
    holds = max(called) <= 0.05 + slack and min(cover) >= 0.90 - (0.0 if full_counts else 0.08) and all(nearer)
    claim = "Alike groups are called different in 5 % of boards at most; drawn ratings are nearer to the truth."
    evidence("group_boards", figures, holds=bool(holds), claim=claim)
