"""The battles of one context that are prepared beyond the next ones: which are wanted, spoken, kept, and still owed."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from arena_desktop.domain.takes import Reading
from arena_desktop.ratings.pairing import PairKnowledge
from arena_desktop.services.batch import Batch, Wish
from arena_desktop.services.pace import Pace
from arena_desktop.services.plan_queue import Context, Planned, PlanQueue
from arena_desktop.services.plan_shelf import Shelf
from arena_desktop.services.waiting_words import Estimate

STALE = "{} prepared battles were drawn from far fewer votes than there are now, so they are drawn anew."
CHANGED = "{} prepared battles are gone: they were for other voices, texts or model files than these."


@dataclass(frozen=True)
class Stocked:
    """How far preparing has come. ``ready``: there is something to draw from. ``battles`` wait with both clips;
    ``running``: more are being spoken.

    ``done`` of ``total`` clips are there, of the battles that were asked for last (of all that are drawn where none
    were); ``left`` is what the others take. ``unspoken`` battles beyond those were drawn before and lack clips.
    ``a_battle``: what one battle takes on average. Either is None until something was measured. ``note`` is
    what the listener must know about it; ``answered`` counts the wishes that are reckoned with. Nothing here depends on
    which battle comes next.
    """

    ready: bool = False
    battles: int = 0
    running: bool = False
    done: int = 0
    total: int = 0
    unspoken: int = 0
    left: Estimate | None = None
    a_battle: Estimate | None = None
    note: str = ""
    answered: int = 0


class Stock:
    """Belongs to the thread that prepares. ``key`` gives the cache key of a reading, None where it can't be found out
    now; ``has`` says whether the cache has it.
    """

    def __init__(
        self,
        context: Context,
        shelf: Shelf,
        pace: Pace,
        seeds: Callable[[], str],
        key: Callable[[Wish], str | None],
        has: Callable[[str], bool],
    ) -> None:
        self._context = context
        self._shelf = shelf
        self._pace = pace
        self._batch = Batch()
        self._handed: list[Planned] = []  # fixed plans that are on their way to the listener
        self._wanted: int | None = None  # so many are to wait, or were to in the end; what is drawn beyond isn't spoken
        self._note = ""
        self._unsettled = False
        self.running = False
        kept = shelf.take_up(context)
        plans = kept.plans
        if plans and not self._take_up(plans, kept.clips, key, has):
            plans = ()
            self._note = CHANGED.format(len(kept.plans))
        elif kept.dropped:
            self._note = CHANGED.format(kept.dropped)
        self._plans = PlanQueue(context, seeds, plans)
        if len(plans) != len(kept.plans):
            self._unsettled = True

    def renew(self, known: PairKnowledge | None, resting: frozenset[str]) -> None:
        """What is known has changed. Fixed plans that are stale by now go all together; those of a model that can't
        speak can't be played.
        """
        self._plans.renew(known, resting)
        if any(self._plans.is_stale(planned) for planned in self._plans.fixed):
            gone = self._plans.drop(lambda planned: True)
            self._note = STALE.format(gone)
        else:
            gone = self._plans.drop(lambda planned: planned.has(resting))
        if gone:
            self._unsettled = True

    def want(self, battles: int) -> None:
        """Have so many battles prepared, those that are drawn already counted in: of more, the first ones. ArenaError
        where none can be drawn.
        """
        self._note = ""
        self._wanted = battles
        self.running = True
        self._draw()
        self._unsettled = True

    def stop(self, note: str = "") -> None:
        """No further clips ahead of time; what is drawn stays, and what is spoken of it."""
        self.running = False
        self._note = note or self._note

    def next(self) -> Planned:
        """The plan to be prepared for the listener now."""
        fixed = bool(self._plans.fixed)
        planned = self._plans.next()
        if fixed:
            self._handed.append(planned)
        return planned

    def wish(self) -> Wish | None:
        """The clip to be spoken next ahead of time, None when there is none."""
        if not self.running:
            return None
        self._draw()
        wish = self._batch.next(self._ahead)
        if wish is None:
            self.running = False
        return wish

    def spoken(self, reading: Reading, key: str) -> bool:
        """A clip lies in the cache; whether a battle waits for it."""
        waited_for = any(reading in planned.readings for planned in self._waiting)
        if waited_for and self._batch.spoken.get(reading) != key:
            self._batch.spoken[reading] = key
            self._unsettled = True
        return waited_for

    def failed(self, reading: Reading) -> None:
        """A clip can't be had: the plans that need it are replaced."""
        if self._plans.drop(lambda planned: reading in planned.readings):
            self._unsettled = True

    def opened(self, seed: str) -> None:
        """The listener has got the battle of this seed, and has read what was told of the stock before."""
        if not self.running:
            self._note = ""
        before = len(self._handed)
        self._handed = [planned for planned in self._handed if planned.plan.seed != seed]
        if len(self._handed) != before:
            self._wanted = self._wanted and self._wanted - 1
            self._unsettled = True

    def lost(self, planned: Planned) -> None:
        """The battle on its way could not be prepared: another takes its place."""
        if planned in self._handed:
            self._handed.remove(planned)
            self._unsettled = True

    def put_back(self, planned: Planned) -> None:
        """Nobody is to blame that the battle on its way could not be prepared: a fixed plan comes next again."""
        if planned in self._handed:
            self._handed.remove(planned)
            self._plans.put_back(planned)

    @property
    def goal(self) -> int:
        """How many battles are to wait in the end, 0 when nothing is going on."""
        return (self._wanted or 0) if self.running else 0

    def is_like(self, other: "Stock") -> bool:
        """Whether both hold the same battles."""
        return bool(self._context.key) and self._context.key == other._context.key

    def state(self) -> Stocked:
        """How it stands."""
        fixed = self._plans.fixed
        ahead = self._ahead
        done, total = self._batch.count((*self._handed, *ahead))
        members = [model.repo_id for model in self._context.models]
        in_all = self._pace.all(members)
        missing = self._batch.missing(ahead)
        return Stocked(
            ready=True,
            battles=len(self._handed) + sum(self._batch.is_whole(planned) for planned in fixed),
            running=self.running,
            done=done,
            total=total,
            unspoken=sum(not self._batch.is_whole(planned) for planned in fixed[len(ahead) :]),
            left=self._pace.all(missing) if missing else Estimate(0.0),
            a_battle=None if in_all is None else in_all.times(2 / len(members)),
            note=self._note,
        )

    @property
    def _waiting(self) -> tuple[Planned, ...]:
        return (*self._handed, *self._plans.fixed)

    @property
    def _ahead(self) -> tuple[Planned, ...]:
        """The fixed plans that were asked for, all of them before any were."""
        fixed = self._plans.fixed
        return fixed if self._wanted is None else fixed[: max(0, self._wanted - len(self._handed))]

    def _take_up(
        self,
        plans: Sequence[Planned],
        clips: Mapping[Reading, str],
        key: Callable[[Wish], str | None],
        has: Callable[[str], bool],
    ) -> bool:
        """Find the clips of plans that were kept. False if one of them would be spoken differently now: a plan alone
        can't be taken out on that account, for then its models would play less often than they were drawn.
        """
        batch = Batch()
        found: dict[Reading, str] = {}
        while (wish := batch.next(plans)) is not None:
            now = key(wish)
            if now is not None and clips.get(wish.reading, now) != now:
                return False
            batch.spoken[wish.reading] = now or ""
            if now is not None and has(now):
                found[wish.reading] = now
        self._batch.spoken.update(found)
        return True

    def _draw(self) -> None:
        for _ in range((self._wanted or 0) - len(self._waiting)):
            self._plans.fix()
            self._unsettled = True

    def settle(self) -> None:
        """Write down what has changed. The listener never waits for it: a battle that comes twice after a crash is the
        worst that comes of its being late.
        """
        if self._unsettled:
            self._unsettled = False
            self._note = self._shelf.keep(self._context, self._waiting, self._batch.spoken) or self._note
