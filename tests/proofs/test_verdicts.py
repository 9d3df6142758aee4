"""Proof: *sure* is kept, however often people look, and *about N more* is about right."""

from collections.abc import Callable

import numpy as np
import pytest

from arena_desktop.ratings.meetings import meetings
from arena_desktop.ratings.standings import rating_standings
from arena_desktop.ratings.table_builder import TableBuilder
from arena_desktop.ratings.verdict import Strength, verdict
from arena_desktop.ratings.vote_table import VoteRow, VoteTable
from tests.helpers.evidence import evidence

TIES = 0.15
SCALE = 400.0 / np.log(10.0)


class Panel:
    """A board that grows vote by vote. ``tastes`` are the strengths that each listener hears, in Elo points."""

    def __init__(self, tastes: np.ndarray, generator: np.random.Generator) -> None:
        self._tastes, self._generator = tastes, generator
        self._builder = TableBuilder(tuple(f"x/m{model}" for model in range(tastes.shape[1])))

    def cast(self, votes: int) -> None:
        """That many votes on random pairs by random listeners."""
        listeners, models = self._tastes.shape
        for _ in range(votes):
            who = int(self._generator.integers(listeners))
            a, b = (int(model) for model in self._generator.choice(models, 2, replace=False))
            odds = 1.0 / (1.0 + np.exp(-(self._tastes[who, a] - self._tastes[who, b]) / SCALE))
            tie = self._generator.random() < TIES
            vote = "tie" if tie else "a" if self._generator.random() < odds else "b"
            self._builder.add(VoteRow(str(len(self._builder)), f"x/m{a}", f"x/m{b}", vote, f"l-{who}"))

    @property
    def table(self) -> VoteTable:
        return self._builder.table()


def says_sure(panel: Panel) -> bool:
    """Whether any pair is called sure."""
    table = panel.table
    standings, met = rating_standings(table.columns(), best=False), meetings(table)
    pairs = [(a, b) for b in range(len(table.models)) for a in range(b)]
    return any(verdict(standings, met, pair).strength is Strength.SURE for pair in pairs)


def ever_sure(panel: Panel, votes: int, every: int) -> bool:
    """Whether anybody who looks at all pairs after ``every`` few votes is ever told *sure*."""
    for _ in range(0, votes, every):
        panel.cast(every)
        if says_sure(panel):
            return True
    return False


def share_of(boards: int, seed: int, hit: Callable[[np.random.Generator], bool]) -> float:
    return sum(hit(np.random.default_rng([seed, board])) for board in range(boards)) / boards


def told_by(generator: np.random.Generator, elo: float, first: int) -> bool | None:
    """Two models ``elo`` apart: after ``first`` votes and those that the verdict asked for, is it sure?"""
    panel = Panel(np.array([[elo, 0.0]]), generator)
    panel.cast(first)
    found = verdict(rating_standings(panel.table.columns(), best=False), meetings(panel.table), (0, 1))
    if found.more is None or found.more > 2000:
        return None
    panel.cast(found.more)
    return says_sure(panel)


@pytest.mark.proof("verdicts")
def test_sure_is_kept_and_more_votes_tell(full_counts: bool) -> None:
    boards, votes = (100, 300) if full_counts else (2, 60)
    alone = share_of(boards, 1, lambda g: ever_sure(Panel(np.zeros((1, 2)), g), votes, 1))
    several = share_of(boards, 2, lambda g: ever_sure(Panel(np.zeros((1, 5)), g), votes, 1))
    tastes = share_of(boards, 3, lambda g: ever_sure(Panel(g.normal(0.0, 100.0, (10, 4)), g), 2 * votes, 10))
    answers = [told_by(np.random.default_rng([4, n]), 110.0, 100) for n in range(10 * boards)]
    asked = [answer for answer in answers if answer is not None]
    told = sum(asked) / len(asked)
    limit = 0.05 if full_counts else 0.0
    evidence(
        "verdicts",
        {
            "boards_each": boards,
            "votes_each": votes,
            "ever_wrongly_sure_2_models": alone,
            "ever_wrongly_sure_5_models_any_pair": several,
            "ever_wrongly_sure_10_listeners_with_tastes_any_pair": tastes,
            "asked_for_more_votes": len(asked),
            "sure_after_the_votes_asked_for": told,
        },
        max(alone, several, tastes) <= limit and 0.3 <= told <= 0.95,
        claim="Looking after every vote, people are told 'sure' of a difference that is none on at most one board in "
        "twenty; after 'about N more votes' the verdict is there about as often as not, or more.",
    )
