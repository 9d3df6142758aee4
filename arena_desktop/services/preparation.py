"""Battles prepared ahead, on a thread of their own, while the listener listens to the present one."""

import logging
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace

from arena_desktop.engines.types import FailureKind, SpeechFailure
from arena_desktop.errors import ArenaError
from arena_desktop.ratings.pairing import PairKnowledge
from arena_desktop.services.batch import Wish
from arena_desktop.services.battle_maker import BattleMaker, ClipReplaced, PreparedBattle, UnlikeClips
from arena_desktop.services.inbox import Inbox
from arena_desktop.services.pace import Pace
from arena_desktop.services.plan_queue import Context, new_seed
from arena_desktop.services.plan_shelf import NoShelf, Shelf
from arena_desktop.services.stock import Stock, Stocked

log = logging.getLogger(__name__)

AHEAD = 2
"""How many battles are kept ready beyond the one on screen."""
PATIENCE = 6
"""So many battles in a row that could not be prepared stop the attempt until something changes."""
RETRY_S = 10.0
"""Seconds after which, having stopped, it tries once more: what was wrong may have passed (a disk that was full)."""
REST_AFTER = 3
"""So many failures in a row take a model out of the draw until it is checked again."""


class Preparer:
    """Keeps up to ``ahead`` battles ready, and beside that speaks the clips of as many more as were asked for, model
    by model. All callbacks arrive through the inbox, on the services' thread.

    Plans are drawn before anything is rendered, and played in their order. A battle that can't be prepared is
    replaced by another draw; ``on_failure`` gets the failure for counting. When nothing works any more ``on_stuck``
    gets a sentence that names no model; :meth:`use` starts again. ``on_stocked`` is told how far preparing further
    battles has come, after each clip; ``on_replaced`` that a cloned clip is another than the roster's reader found.
    The next battle goes first: it waits for one clip in the making at most.
    """

    def __init__(
        self,
        maker: BattleMaker,
        inbox: Inbox,
        on_ready: Callable[[], None],
        on_failure: Callable[[SpeechFailure], None],
        on_stuck: Callable[[ArenaError], None],
        seeds: Callable[[], str] = new_seed,
        *,
        on_stocked: Callable[[Stocked], None] = lambda stocked: None,
        on_replaced: Callable[[], None] = lambda: None,
        shelf: Shelf | None = None,
        pace: Pace,
        ahead: int = AHEAD,
    ) -> None:
        self._maker = maker
        self._inbox = inbox
        self._on_ready = on_ready
        self._on_failure = on_failure
        self._on_stuck = on_stuck
        self._on_stocked = on_stocked
        self._on_replaced = on_replaced
        self._seeds = seeds
        self._shelf = shelf or NoShelf()
        self._pace = pace
        self._ahead = ahead
        self._changed = threading.Condition()
        self._context: Context | None = None
        self._generation = 0
        self._ready: deque[PreparedBattle] = deque()
        self._opened: deque[str] = deque()
        self._asked: int | None = None  # battles to be prepared, 0 to stop; None: nothing was asked since
        self._running = False
        self._stocked = Stocked()
        self._answered = 0  # wishes to prepare or to stop that were dealt with
        self._misses = 0  # clips in a row that could not be spoken ahead of time
        self._known: dict[str, PairKnowledge | None] = {}
        self._failed_in_a_row: dict[str, int] = {}
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name="preparer", daemon=True)
        self._thread.start()

    def use(self, context: Context | None) -> None:
        """Draw from ``context`` from now on; battles prepared from another are dropped, but for those that are kept
        for it. None: prepare nothing.
        """
        with self._changed:
            self._context = context
            self._generation += 1
            self._ready.clear()
            self._failed_in_a_row.clear()
            self._changed.notify_all()

    def know(self, arena: str, known: PairKnowledge | None) -> None:
        """The votes have changed: plans of ``arena`` that are not being prepared yet are drawn from this."""
        with self._changed:
            self._known[arena] = known

    def take(self) -> PreparedBattle | None:
        """The next battle, or None when none is ready yet."""
        with self._changed:
            if not self._ready:
                return None
            battle = self._ready.popleft()
            self._opened.append(battle.plan.seed)
            self._changed.notify_all()
            return battle

    def prepare(self, battles: int) -> None:
        """Have so many battles wait with their clips spoken; they are kept when the program ends."""
        self._ask(battles)

    def stop_preparing(self) -> None:
        """No more than the next battles from now on. What was drawn and spoken stays."""
        self._ask(0)

    def wait_s(self) -> float | None:
        """Seconds until the next battle is ready at the latest, as far as is known: that of the slowest pair after
        the slowest clip that may be in the making, so that it tells nothing of the pair that comes.
        """
        with self._changed:
            context, running = self._context, self._running
        if context is None:
            return None
        return self._pace.slowest([model.repo_id for model in context.models], 2 + running)

    def close(self, wait_s: float = 10.0) -> None:
        """End the thread. Close the speech host first, so that a clip in the making gives up at once."""
        with self._changed:
            self._stopping = True
            self._ready.clear()
            self._changed.notify_all()
        self._thread.join(wait_s)

    def _ask(self, battles: int) -> None:
        with self._changed:
            self._asked = battles
            self._changed.notify_all()

    # --- on the thread -----------------------------------------------------------------------------------------

    def _run(self) -> None:
        try:
            self._turns()
        finally:
            self._shelf.close()

    def _turns(self) -> None:
        tries, generation = 0, -1
        stock: Stock | None = None
        while True:
            turn = self._wait(tries, generation, stock)
            if stock is not None:
                for seed in turn.opened:
                    stock.opened(seed)
            if turn.ended:
                if stock is not None:
                    stock.settle()
                return
            tries = turn.tries
            if turn.generation != generation:
                generation, tries, self._misses = turn.generation, 0, 0
                if stock is not None:
                    stock.settle()
                stock, before = None if turn.context is None else self._stock_of(turn.context), stock
                if before is not None and stock is not None and turn.asked is None and before.is_like(stock):
                    turn = replace(turn, asked=before.goal or None)  # the models were checked again: it goes on
            if stock is not None and turn.context is not None:
                tries = self._work(turn, turn.context, stock, tries)
            if stock is not None and not self._is_due(tries):
                stock.settle()
            self._report(generation, stock)

    def _wait(self, tries: int, generation: int, stock: Stock | None) -> "_Turn":
        """Wait until there is something to do."""
        with self._changed:
            while not self._stopping and not self._opened and self._asked is None and self._generation == generation:
                if self._context is not None and (self._is_due(tries) or (stock is not None and stock.running)):
                    break
                idle = tries >= PATIENCE and self._context is not None and not self._ready
                if not self._changed.wait(RETRY_S if idle else None):
                    tries = PATIENCE - 1
            turn = _Turn(
                generation=self._generation,
                context=self._context,
                known=None if self._context is None else self._known.get(self._context.arena.id),
                resting=frozenset(one for one, failed in self._failed_in_a_row.items() if failed >= REST_AFTER),
                opened=tuple(self._opened),
                asked=self._asked,
                due=self._is_due(tries if self._generation == generation else 0),
                ended=self._stopping,
                tries=tries,
            )
            self._opened.clear()
            self._asked = None
            return turn

    def _is_due(self, tries: int) -> bool:
        """Whether the listener may soon wait for a battle."""
        return len(self._ready) < self._ahead and tries < PATIENCE

    def _work(self, turn: "_Turn", context: Context, stock: Stock, tries: int) -> int:
        """The next battle, or one clip ahead of time; returns how many tries in a row have failed."""
        try:
            stock.renew(turn.known, turn.resting)
            if turn.asked is not None:
                self._answered += 1
                self._begin(stock, turn.asked)
            if turn.due:
                return self._serve(turn, context, stock, tries)
            wish = stock.wish()
            if wish is not None:
                self._speak(turn, context, stock, wish)
        except ArenaError as error:
            return self._stuck(turn, stock, error)
        except Exception as error:
            log.exception("a battle could not be prepared")
            fault = f"The next battle could not be prepared ({type(error).__name__})."
            return self._stuck(turn, stock, ArenaError(fault, "See the log."))
        return tries

    def _serve(self, turn: "_Turn", context: Context, stock: Stock, tries: int) -> int:
        planned = stock.next()
        try:
            battle = self._maker.make(context, planned)
        except SpeechFailure as failure:
            if failure.kind is FailureKind.CANCELLED:
                stock.put_back(planned)
                return tries
            stock.lost(planned)
            return self._failed(failure, turn, stock, tries)
        except UnlikeClips as error:
            stock.lost(planned)
            if isinstance(error, ClipReplaced):
                self._tell(turn.generation, self._on_replaced)
                return self._missed(turn, stock, tries, error)
            return self._missed(turn, stock, tries)
        except ArenaError:
            stock.put_back(planned)
            raise
        except Exception:
            stock.lost(planned)
            raise
        for reading, fetched in zip(planned.readings, (battle.a, battle.b), strict=True):
            stock.spoken(reading, fetched.key)
        with self._changed:
            if turn.generation == self._generation and not self._stopping:
                self._ready.append(battle)
                self._failed_in_a_row.pop(planned.plan.a.repo_id, None)
                self._failed_in_a_row.pop(planned.plan.b.repo_id, None)
        self._tell(turn.generation, self._on_ready)
        return 0

    def _begin(self, stock: Stock, battles: int) -> None:
        if battles == 0:
            stock.stop()
            return
        self._misses = 0
        lacking = self._maker.lacking(2 * max(0, battles - stock.state().battles))
        if lacking is None:
            try:
                stock.want(battles)
            except ArenaError as error:
                lacking = error
        if lacking is not None:
            stock.stop(f"{lacking.message} {lacking.remedy}".strip())

    def _speak(self, turn: "_Turn", context: Context, stock: Stock, wish: Wish) -> None:
        lacking = self._maker.lacking(1)
        if lacking is not None:
            stock.stop(f"{lacking.message} {lacking.remedy}".strip())
            return
        try:
            key = self._maker.speak(context, wish)
        except SpeechFailure as failure:
            if failure.kind is FailureKind.CANCELLED:
                return
            stock.failed(wish.reading)
            self._count(failure, turn)
            self._misses += 1
            if self._misses >= PATIENCE:
                stock.stop(f"{self._misses} clips in a row could not be spoken. The Models page says why.")
            return
        self._misses = 0
        stock.spoken(wish.reading, key)
        with self._changed:
            if turn.generation == self._generation:
                self._failed_in_a_row.pop(wish.competitor.repo_id, None)

    def _count(self, failure: SpeechFailure, turn: "_Turn") -> bool:
        """Count a failure; False where it is about something that is over."""
        with self._changed:
            if turn.generation != self._generation or self._stopping:
                return False
            self._failed_in_a_row[failure.repo_id] = self._failed_in_a_row.get(failure.repo_id, 0) + 1
        self._tell(turn.generation, lambda: self._on_failure(failure))
        return True

    def _failed(self, failure: SpeechFailure, turn: "_Turn", stock: Stock, tries: int) -> int:
        if not self._count(failure, turn):
            return 0
        return self._missed(turn, stock, tries)

    def _missed(self, turn: "_Turn", stock: Stock, tries: int, why: ArenaError | None = None) -> int:
        tries += 1
        full = self._maker.room(0)
        if full is not None:
            return self._stuck(turn, stock, full)
        if tries >= PATIENCE:
            words = f"{tries} battles in a row could not be prepared."
            if why is not None:
                return self._stuck(turn, stock, ArenaError(f"{words} {why.message}", why.remedy))
            return self._stuck(turn, stock, ArenaError(words, "The Models page says which voices failed, and why."))
        return tries

    def _stuck(self, turn: "_Turn", stock: Stock, error: ArenaError) -> int:
        stock.stop()
        self._tell(turn.generation, lambda: self._on_stuck(error))
        return PATIENCE

    def _stock_of(self, context: Context) -> Stock:
        def key(wish: Wish) -> str | None:
            return self._maker.key(context, wish)

        return Stock(context, self._shelf, self._pace, self._seeds, key, self._maker.has)

    def _report(self, generation: int, stock: Stock | None) -> None:
        stocked = replace(Stocked() if stock is None else stock.state(), answered=self._answered)
        self._running = stocked.running
        if stocked != self._stocked:
            self._stocked = stocked
            self._tell(generation, lambda: self._on_stocked(stocked))

    def _tell(self, generation: int, callback: Callable[[], None]) -> None:
        def deliver() -> None:
            if generation == self._generation and not self._stopping:
                callback()

        self._inbox.post(deliver)


@dataclass(frozen=True)
class _Turn:
    """What the thread finds when it looks up: what holds now, and what was asked since."""

    generation: int
    context: Context | None
    known: PairKnowledge | None
    resting: frozenset[str]
    opened: tuple[str, ...]
    asked: int | None
    due: bool
    ended: bool
    tries: int
