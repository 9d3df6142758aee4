"""One battle, from its opening to its end: what it allows, and when.

The values are frozen; each step returns the next state. Who plays stands in :class:`Plan`, which the window never sees.
"""

from dataclasses import dataclass, replace
from enum import StrEnum

from arena_desktop.domain.votes import Side, Vote


class Stage(StrEnum):
    """Where a battle stands. Only an open one takes a vote, and only once."""

    OPEN = "open"
    VOTED = "voted"
    CLOSED = "closed"


@dataclass(frozen=True)
class Competitor:
    """One side of a plan: which model speaks, with which voice (None: the engine's own), and which take."""

    repo_id: str
    voice: str | None = None
    take: int = 0


@dataclass(frozen=True)
class Plan:
    """A sealed battle: sides, order and text are fixed before anything is rendered.

    ``first`` is the side that autoplay starts with. ``probability`` is the chance that this unordered pair was drawn
    under ``policy``; ``seed`` (text) reproduces the draw.
    """

    arena: str
    question: str
    a: Competitor
    b: Competitor
    prompt_id: str
    first: Side
    policy: str
    probability: float
    seed: str

    def competitor(self, side: Side) -> Competitor:
        """Who plays on ``side``."""
        return self.a if side is Side.A else self.b


@dataclass(frozen=True)
class Refusal:
    """Why a step was not taken; ``side`` is the one still to be heard, where that is the reason."""

    reason: str
    side: Side | None = None


@dataclass(frozen=True)
class Battle:
    """The state of one battle. Times are milliseconds of any steadily rising clock.

    ``gate``: share 0–1 of each side's distinct frames that must have been delivered before a vote counts.
    """

    gate: float
    stage: Stage = Stage.OPEN
    heard_a: float = 0.0
    heard_b: float = 0.0
    gate_opened_ms: float | None = None
    vote: Vote | None = None
    rt_ms: float | None = None

    @property
    def gate_open(self) -> bool:
        """Whether both sides were heard far enough."""
        return self.gate_opened_ms is not None

    @property
    def unheard(self) -> tuple[Side, ...]:
        """The sides not yet heard far enough."""
        heard = ((Side.A, self.heard_a), (Side.B, self.heard_b))
        return tuple(side for side, share in heard if share < self.gate)

    @property
    def locked_side(self) -> Side | None:
        """The side still to be heard, None when there is none."""
        return self.unheard[0] if self.unheard else None

    def heard(self, a: float, b: float, now_ms: float) -> "Battle":
        """Shares delivered so far. The gate, once open, stays open."""
        if self.stage is not Stage.OPEN:
            return self
        state = replace(self, heard_a=max(self.heard_a, a), heard_b=max(self.heard_b, b))
        if state.gate_opened_ms is None and state.locked_side is None:
            return replace(state, gate_opened_ms=now_ms)
        return state

    def repeated(self) -> "Battle":
        """The trial starts over (the sound device was lost); a vote already cast stands."""
        if self.stage is not Stage.OPEN:
            return self
        return Battle(gate=self.gate)

    def voted(self, vote: Vote, now_ms: float) -> "Battle | Refusal":
        """Take the vote; refused a second time, after the end, and while the gate is locked."""
        if self.stage is not Stage.OPEN:
            return Refusal("this battle already has its vote")
        if self.gate_opened_ms is None:
            return Refusal("not heard yet", self.locked_side)
        return replace(self, stage=Stage.VOTED, vote=vote, rt_ms=max(0.0, now_ms - self.gate_opened_ms))

    def unvoted(self) -> "Battle":
        """The vote could not be stored: the battle is open again, as it was."""
        if self.stage is not Stage.VOTED:
            return self
        return replace(self, stage=Stage.OPEN, vote=None, rt_ms=None)

    def closed(self) -> "Battle":
        """The end: the vote is in the log, or the battle was skipped."""
        return replace(self, stage=Stage.CLOSED)
