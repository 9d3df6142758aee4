"""Plans drawn ahead: who plays is settled before anything is rendered, and plans are played in the order drawn.

So a model that is slow to speak plays as often as any other. A plan that is still waiting is drawn again, from its own
seed and text, when more is known about the models; that depends on the votes alone, never on who is quick. A plan that
somebody has begun to prepare stands fixed: it is played as it was drawn, or goes with all the others.
"""

import secrets
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Protocol

from arena_desktop.domain.battle import Plan
from arena_desktop.domain.like_voices import pairings
from arena_desktop.domain.planning import can_speak, draw_plan
from arena_desktop.domain.prompts import Prompt
from arena_desktop.domain.roster import ArenaSpec, ModelSpec
from arena_desktop.domain.takes import Reading, Takes
from arena_desktop.errors import ArenaError
from arena_desktop.ratings.pairing import UNIFORM, PairKnowledge
from arena_desktop.services.pair_choice import chances_of, votes_behind

PLANNED = 8
"""So many battles are planned ahead of the one that is being rendered."""
TEXTS = 200
"""So many texts in a row that fewer than two voices can speak end the search for one."""
FRESH_VOTES = 200
"""A fixed plan is stale once the arena has more than twice the votes it was drawn from, and so many more."""

_NO_TAKES: Mapping[str, int] = MappingProxyType({})
_NOTHING_HEARD: Mapping[Reading, int] = MappingProxyType({})


def new_seed() -> str:
    """A seed for a battle, as it is stored with the vote."""
    return secrets.token_hex(8)


class Deck(Protocol):
    """Where the next text comes from."""

    def draw(self, seed: str) -> Prompt:
        """The next prompt; the same text does not come back while others are left."""

    def count_as_used(self, prompt_ids: Iterable[str]) -> None:
        """These texts have been dealt before."""


@dataclass(frozen=True)
class Context:
    """What battles are drawn from. ``models`` are the ready, enabled members of ``arena`` (at least two).

    ``policy``: the pair choice, a name in :data:`arena_desktop.ratings.pairing.POLICIES`. ``fits`` says whether a text
    may be put before a model. ``takes``: how many readings of a text each model has (1 where it isn't named), and
    ``heard`` which of them this listener has heard. Fixed plans are kept under the name ``place`` and taken up again
    where ``key`` is the same; without a key they are not kept.
    """

    arena: ArenaSpec
    models: tuple[ModelSpec, ...]
    deck: Deck
    target_lufs: float
    policy: str = UNIFORM
    fits: Callable[[ModelSpec, Prompt], bool] = can_speak
    takes: Mapping[str, int] = field(default_factory=lambda: _NO_TAKES)
    heard: Mapping[Reading, int] = field(default_factory=lambda: _NOTHING_HEARD)
    place: str = ""
    key: str = ""

    def model(self, repo_id: str) -> ModelSpec:
        """One of the models."""
        return next(model for model in self.models if model.repo_id == repo_id)


@dataclass(frozen=True)
class Planned:
    """A plan with its text. ``evidence``: how many votes of the arena were known when it was drawn."""

    plan: Plan
    prompt: Prompt
    evidence: int = 0

    @property
    def readings(self) -> tuple[Reading, Reading]:
        """What has to be spoken for it."""
        plan = self.plan
        a, b = ((side.repo_id, side.voice, plan.prompt_id, side.take) for side in (plan.a, plan.b))
        return a, b

    def has(self, repo_ids: frozenset[str]) -> bool:
        """Whether one of these models plays."""
        return self.plan.a.repo_id in repo_ids or self.plan.b.repo_id in repo_ids


class PlanQueue:
    """Keeps :data:`PLANNED` plans of one context. One thread at a time may use it.

    Before the first :meth:`renew` nothing is known of the models, and pairs are uniform. ``fixed``: plans that stand
    already, in their order.
    """

    def __init__(self, context: Context, new_seed: Callable[[], str] = new_seed, fixed: Sequence[Planned] = ()) -> None:
        self._context = context
        self._new_seed = new_seed
        self._known: PairKnowledge | None = None
        self._resting: frozenset[str] = frozenset()
        self._fixed = deque(fixed)
        self._plans: deque[Planned] = deque()
        self._readings = Counter(context.heard)  # heard before, and planned since
        self._count(fixed)
        context.deck.count_as_used(planned.prompt.id for planned in fixed)

    def next(self) -> Planned:
        """The plan to be rendered next. Raises ArenaError when no text is left that two voices can speak."""
        if self._fixed:
            return self._fixed.popleft()
        self._fill()
        return self._plans.popleft()

    def waiting(self) -> tuple[Planned, ...]:
        """The plans that are drawn and not yet handed out."""
        return (*self._fixed, *self._plans)

    @property
    def fixed(self) -> tuple[Planned, ...]:
        """Those among them that stand, which come first."""
        return tuple(self._fixed)

    def fix(self) -> Planned:
        """One more plan stands from now on, the next one. Raises ArenaError like :meth:`next`."""
        self._fill()
        planned = self._plans.popleft()
        self._fixed.append(planned)
        return planned

    def put_back(self, planned: Planned) -> None:
        """A fixed plan that was handed out comes next again."""
        self._fixed.appendleft(planned)

    def drop(self, unwanted: Callable[[Planned], bool]) -> int:
        """Take out the fixed plans that are ``unwanted``; returns how many those were."""
        kept = [planned for planned in self._fixed if not unwanted(planned)]
        dropped = len(self._fixed) - len(kept)
        self._fixed = deque(kept)
        return dropped

    def is_stale(self, planned: Planned) -> bool:
        """Whether far more is known by now than when it was drawn, so that its pair may be settled long since."""
        if self._context.policy == UNIFORM or self._known is None:
            return False
        return votes_behind(self._known) > 2 * planned.evidence + FRESH_VOTES

    def renew(self, known: PairKnowledge | None, resting: frozenset[str]) -> None:
        """From now on this is known of the arena's models (None: nothing), and these are left out. Waiting plans are
        drawn again, each from its own seed and text; fixed ones stay.
        """
        if known is self._known and resting == self._resting:
            return
        self._known, self._resting = known, resting
        waiting, self._plans = self._plans, deque()
        for planned in waiting:
            self._readings.subtract(planned.readings)
        for planned in waiting:
            self._plan(planned.prompt, planned.plan.seed)

    def _fill(self) -> None:
        if sum(model.repo_id not in self._resting for model in self._context.models) < 2:
            raise ArenaError(
                "Fewer than two voices of this arena can speak right now.",
                "The Models page says which failed, and why; «Check again» gives them another try.",
            )
        misses = 0
        while len(self._plans) <= PLANNED:
            seed = self._new_seed()
            if self._plan(self._context.deck.draw(seed), seed):
                continue
            misses += 1
            if misses == TEXTS:
                if self._plans:
                    return
                raise ArenaError(
                    "No text was found that two voices of this arena can speak right now.",
                    "Choose other texts, or an arena for their language.",
                )

    def _plan(self, prompt: Prompt, seed: str) -> bool:
        """Draw one more plan; False where no two models that may meet can speak the text."""
        context = self._context
        models = [
            model for model in context.models if model.repo_id not in self._resting and context.fits(model, prompt)
        ]
        may_meet = pairings(context.arena, models)
        if not any(may_meet):
            return False
        policy, chances = chances_of(context.policy, self._known, models, prompt.id, may_meet)
        takes = Takes(context.takes, self._readings)
        plan = draw_plan(context.arena, models, prompt.id, seed, policy=policy, chances=chances, takes=takes)
        planned = Planned(plan, prompt, 0 if self._known is None else votes_behind(self._known))
        self._plans.append(planned)
        self._count((planned,))
        return True

    def _count(self, plans: Iterable[Planned]) -> None:
        for planned in plans:
            self._readings.update(planned.readings)
