"""Simulated panels with known truth: what intervals claim to cover."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena_desktop.ratings.arrays import ELO_PER_LOGIT
from arena_desktop.ratings.bradley_terry import fit_table
from arena_desktop.ratings.davidson import fit_davidson
from arena_desktop.ratings.pair_table import pair_table
from arena_desktop.ratings.vote_columns import VoteColumns

TIES = 0.35
"""Davidson's tie parameter: about 15 % ties among equals."""


@dataclass(frozen=True)
class Scenario:
    """``diligence``: how many votes each listener casts. Each listener has a taste of their own for each model, each of
    ``prompts`` texts (None: not recorded, no effect) suits each model differently; normal, with these standard
    deviations in Elo points, like the strengths themselves.
    """

    diligence: Sequence[int]
    taste: float
    models: int = 12
    prompts: int | None = None
    prompt_effect: float = 0.0
    spread: float = 100.0

    def draw(self, seed: int) -> tuple[NDArray[np.float64], VoteColumns]:
        """Strengths in Elo points, and the votes."""
        chance = np.random.default_rng(seed)
        strength = chance.normal(0, self.spread, self.models)
        taste = chance.normal(0, self.taste, (len(self.diligence), self.models))
        listener = np.repeat(np.arange(len(self.diligence)), self.diligence)
        number = len(listener)
        a = chance.integers(0, self.models, number)
        b = (a + chance.integers(1, self.models, number)) % self.models
        own = strength + taste
        lead = own[listener, a] - own[listener, b]
        prompt = None
        if self.prompts is not None:
            prompt = chance.integers(0, self.prompts, number)
            suits = chance.normal(0, self.prompt_effect, (self.prompts, self.models))
            lead = lead + suits[prompt, a] - suits[prompt, b]
        win, lose = np.exp(lead / ELO_PER_LOGIT / 2), np.exp(-lead / ELO_PER_LOGIT / 2)
        drawn = chance.random(number) * (win + lose + TIES)
        score = np.where(drawn < win, 1.0, np.where(drawn < win + lose, 0.0, 0.5))
        return strength, VoteColumns(self.models, a, b, score, listener, prompt)

    def truth(self, strength: NDArray[np.float64], method: str = "rating") -> NDArray[np.float64]:
        """Where the board of infinitely many votes of infinitely many listeners on infinitely many texts would stand,
        centred at 1000.
        """
        i, j = np.triu_indices(self.models, 1)
        # The difference of two tastes is normal; a quadrature over it replaces the listeners and the texts.
        nodes, weights = np.polynomial.hermite_e.hermegauss(40)
        weights = weights / weights.sum()
        wobble = math.sqrt(2) * math.hypot(self.taste, self.prompt_effect)
        lead = ((strength[i] - strength[j])[:, None] + wobble * nodes) / ELO_PER_LOGIT
        win, lose = np.exp(lead / 2), np.exp(-lead / 2)
        whole = win + lose + TIES
        games = np.full(len(i), 1e7)
        table = pair_table(self.models, i, j, games, games * ((win + TIES / 2) / whole @ weights))
        flat = np.full(self.models, 1000.0)
        if method == "davidson":
            fit = fit_davidson(table, games * (TIES / whole @ weights), flat).ratings
        else:
            fit = fit_table(table, flat)
        centred: NDArray[np.float64] = fit - fit.mean() + 1000
        return centred
