"""Plans drawn ahead: who plays is settled before anything is rendered, and plans are rendered in the order drawn.

So a model that is slow to speak plays as often as any other. A plan that is still waiting is drawn again, from its own
seed and text, when more is known about the models; that depends on the votes alone, never on who is quick.
"""

import secrets
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from arena_desktop.domain.battle import Plan
from arena_desktop.domain.planning import can_speak, draw_plan
from arena_desktop.domain.prompts import Prompt
from arena_desktop.domain.roster import ArenaSpec, ModelSpec
from arena_desktop.errors import ArenaError
from arena_desktop.ratings.pairing import UNIFORM, PairKnowledge
from arena_desktop.services.pair_choice import chances_of

PLANNED = 8
"""So many battles are planned ahead of the one that is being rendered."""
TEXTS = 200
"""So many texts in a row that fewer than two voices can speak end the search for one."""


def new_seed() -> str:
    """A seed for a battle, as it is stored with the vote."""
    return secrets.token_hex(8)


class Deck(Protocol):
    """Where the next text comes from."""

    def draw(self, seed: str) -> Prompt:
        """The next prompt; the same text does not come back while others are left."""


@dataclass(frozen=True)
class Context:
    """What battles are drawn from. ``models`` are the ready, enabled members of ``arena`` (at least two).

    ``policy``: the pair choice, a name in :data:`arena_desktop.ratings.pairing.POLICIES`. ``fits`` says whether a text
    may be put before a model.
    """

    arena: ArenaSpec
    models: tuple[ModelSpec, ...]
    deck: Deck
    target_lufs: float
    policy: str = UNIFORM
    fits: Callable[[ModelSpec, Prompt], bool] = can_speak


@dataclass(frozen=True)
class Planned:
    """A plan with its text."""

    plan: Plan
    prompt: Prompt


class PlanQueue:
    """Keeps :data:`PLANNED` plans of one context. One thread at a time may use it.

    Before the first :meth:`renew` nothing is known of the models, and pairs are uniform.
    """

    def __init__(self, context: Context, new_seed: Callable[[], str] = new_seed) -> None:
        self._context = context
        self._new_seed = new_seed
        self._known: PairKnowledge | None = None
        self._resting: frozenset[str] = frozenset()
        self._plans: deque[Planned] = deque()

    def next(self) -> Planned:
        """The plan to be rendered next. Raises ArenaError when no text is left that two voices can speak."""
        self._fill()
        return self._plans.popleft()

    def waiting(self) -> tuple[Planned, ...]:
        """The plans that are drawn and not yet handed out."""
        return tuple(self._plans)

    def renew(self, known: PairKnowledge | None, resting: frozenset[str]) -> None:
        """From now on this is known of the arena's models (None: nothing), and these are left out. Waiting plans are
        drawn again, each from its own seed and text.
        """
        if known is self._known and resting == self._resting:
            return
        self._known, self._resting = known, resting
        drawn = [self._draw(planned.prompt, planned.plan.seed) for planned in self._plans]
        self._plans = deque(planned for planned in drawn if planned is not None)

    def _fill(self) -> None:
        if sum(model.repo_id not in self._resting for model in self._context.models) < 2:
            raise ArenaError(
                "Fewer than two voices of this arena can speak right now.",
                "The Models page says which failed, and why; «Check again» gives them another try.",
            )
        misses = 0
        while len(self._plans) <= PLANNED:
            seed = self._new_seed()
            planned = self._draw(self._context.deck.draw(seed), seed)
            if planned is not None:
                self._plans.append(planned)
                continue
            misses += 1
            if misses == TEXTS:
                if self._plans:
                    return
                raise ArenaError(
                    "No text was found that two voices of this arena can speak right now.",
                    "Choose other texts, or an arena for their language.",
                )

    def _draw(self, prompt: Prompt, seed: str) -> Planned | None:
        """None where fewer than two models can speak the text."""
        context = self._context
        models = [
            model for model in context.models if model.repo_id not in self._resting and context.fits(model, prompt)
        ]
        if len(models) < 2:
            return None
        policy, chances = chances_of(context.policy, self._known, models, prompt.id)
        return Planned(draw_plan(context.arena, models, prompt.id, seed, policy=policy, chances=chances), prompt)
