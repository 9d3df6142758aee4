"""The Listen page's use case: open a battle, let it be heard, take the vote, reveal, go on."""

import uuid
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from arena_desktop.audio.types import Player, PlayerState
from arena_desktop.domain.battle import Battle, Refusal
from arena_desktop.domain.votes import Side, Vote
from arena_desktop.services import words
from arena_desktop.services.autoplay import Autoplay
from arena_desktop.services.ballot import Circumstances, vote_draft
from arena_desktop.services.ballots import Ballot, Ballots
from arena_desktop.services.battle_needs import Moves, Preferences, Surroundings, VoteStore
from arena_desktop.services.jobs import JobThread
from arena_desktop.services.listen_view import Table, draw
from arena_desktop.services.next_wait import NextWait
from arena_desktop.services.reveal_news import RevealNews
from arena_desktop.services.reveals import reveal_of
from arena_desktop.services.trace import Trace
from arena_desktop.services.views import (
    Choice,
    Line,
    ListenView,
    Phase,
    PromptSource,
    SetLine,
    Tone,
)

LATEST_CATCH_UP_MS = 300.0
"""So long the other pages wait for the reveal to be painted; a window that is not on screen paints nothing."""

SLOW_STORE_MS = 1000.0
"""A vote that takes longer to be stored waits for another writer, and the page says so."""

LOOK_AROUND_MS = 2000.0
"""So often it is asked, while no battle is open, whether another program wrote votes."""


class Battles:
    """One battle at a time, on the services' thread. Every change ends in one new :class:`ListenView` for ``show``.

    ``clock`` gives milliseconds of a steadily rising clock; ``longest_wait`` the seconds within which any battle of the
    arena is ready, as far as is known.
    """

    def __init__(
        self,
        *,
        preferences: Preferences,
        player: Player,
        surroundings: Surroundings,
        store: JobThread,
        votes: VoteStore,
        trace: Trace,
        show: Callable[[ListenView], None],
        clock: Callable[[], float],
        silent: bool,
        longest_wait: Callable[[], float | None] = lambda: None,
    ) -> None:
        self._preferences = preferences
        self._player = player
        self._around = surroundings
        self._store = store
        self._votes = votes
        self._trace = trace
        self._show = show
        self._clock = clock
        self._silent = silent
        self._session = str(uuid.uuid4())
        self._table = Table()
        self._ballots = Ballots()
        self._held = Circumstances("", self._session, "", preferences.settings, silent)
        self._autoplay: Autoplay | None = None
        self._status = player.status()
        self._sound_lost = False
        self._lent = False
        self._next_pressed = False
        self._to_paint: tuple[int, int] | None = None
        self._news = RevealNews(self._table, store, votes, self._push)
        self._catch_up_at: float | None = None
        self._look_around_at = 0.0
        self._next_wait = NextWait(longest_wait)
        self._view = ListenView(silent=silent)

    # --- the listener's verbs ----------------------------------------------------------------------------------

    def poll(self) -> None:
        """Look at the player: what was heard, whether the gate opened, whether sound was lost or came back."""
        if not self._lent:
            self._look_at_player()
        self._catch_up_if_due()
        self._look_around_if_due()
        self._say_if_waiting()
        self._push()

    def play(self, side: Side) -> None:
        """Play a side from its start; allowed after the reveal too."""
        if not self._lent and self._table.prepared is not None and words.sound_problem(self._status) is None:
            self._take_over()
            self._start(side)
            self._push()

    def play_reference(self) -> None:
        """Play the clip that both sides clone, from its start; where it can't be heard, say why."""
        table = self._table
        if self._lent or table.prepared is None or words.sound_problem(self._status) is not None:
            return
        if table.prepared.reference:
            table.line = Line(table.prepared.reference, Tone.WARNING, words.NO_REFERENCE)
        elif table.prepared.reference is not None:
            self._take_over()
            self._player.play_reference()
        self._push()

    def toggle_pause(self) -> None:
        """Pause, or go on."""
        if self._lent or self._table.prepared is None:
            return
        self._take_over()
        if self._player.status().state is PlayerState.PAUSED:
            self._player.resume()
        else:
            self._player.pause()
        self.poll()

    def vote(self, vote: Vote) -> None:
        """Take the vote if the gate is open, store it, and only then move on."""
        table = self._table
        if self._lent or table.phase is not Phase.READY or table.storing:
            return
        self._trace.event("vote_key", table.number)
        self.poll()
        if table.battle is None or table.prepared is None or self._status.generation != table.generation:
            return
        if words.sound_problem(self._status) is not None:
            return
        voted = table.battle.voted(vote, self._clock())
        if isinstance(voted, Refusal):
            playing = self._status.side if self._status.state is PlayerState.PLAYING else None
            table.line = words.still_locked(voted.side, playing)
            self._push()
            return
        self._take_over()
        self._player.pause()
        table.battle = voted
        self._begin_storing()
        volume = self._preferences.settings.volume_db
        held = replace(self._held, settings=replace(self._held.settings, volume_db=volume))
        draft = vote_draft(table.prepared, voted, self._status, held)
        number, held_back = table.number, self._ballots.held_back

        def cast() -> tuple[dict[str, Any], Moves | None]:
            result = self._votes.cast(draft, held_back)
            self._trace.event("vote_durable", number)
            return result

        self._store.stand_still()
        self._store.ask(cast, lambda result: self._stored(*result), self._not_stored, urgent=True)
        self._push()

    def next(self) -> None:
        """Go on to the next battle, after the vote."""
        if self._table.phase is Phase.REVEALED:
            self._trace.event("next_key", self._table.number)
            self._news.end()
            self._catch_up_if_due(now=True)
            self._next_pressed = True
            self._leave()
            self._store.ask(self._votes.tidy)

    def skip(self, reason: str = "") -> None:
        """Leave this battle without a vote."""
        if self._table.phase is Phase.READY and not self._table.storing:
            self._close_battle()
            self._leave()

    def undo(self) -> None:
        """Take the last vote of this session back: a retraction in the log. The battle is not opened again."""
        last = self._ballots.last()
        if last is None or self._table.storing:
            self.say(Line("There is no vote to take back in this session.", Tone.WARNING))
            return
        self._begin_storing()
        self._store.ask(
            lambda: self._votes.take_back(last.vote_id, last.listener),
            lambda _: self._taken_back(last),
            self._not_taken_back,
            urgent=True,
        )

    def set_volume(self, db: float) -> None:
        """Volume in dB, −20…+6."""
        self._preferences.change(volume_db=min(6.0, max(-20.0, db)))
        self._player.set_volume(self._preferences.settings.volume_db)
        self._push()

    def painted(self, view: ListenView) -> None:
        """The window has painted ``view``."""
        if self._to_paint is not None and view.votes_cast >= self._to_paint[1]:
            self._trace.event("reveal_painted", self._to_paint[0])
            self._to_paint = None
            self._store.go_on()
            self._catch_up_if_due(now=True)

    # --- what happens around the battle ------------------------------------------------------------------------

    def block(self, line: Line) -> None:
        """No battle can open, for this reason. An open one goes on."""
        self._table.blocked = line
        if self._table.phase not in (Phase.READY, Phase.REVEALED):
            self._table.phase = Phase.BLOCKED
            self._table.line = Line()
        self._push()

    def unblock(self) -> None:
        """Battles can be prepared (again)."""
        self._table.blocked = None
        if self._table.phase in (Phase.STARTING, Phase.BLOCKED):
            self._table.phase = Phase.PREPARING
            self._table.line = Line()
        self._advance()
        self._push()

    def lend_player(self) -> None:
        """Somebody else plays something for a while; no battle opens meanwhile."""
        self._take_over()
        self._lent = True

    def give_back_player(self) -> None:
        """Go on: an open battle starts over."""
        if not self._lent:
            return
        self._lent = False
        table = self._table
        if table.phase is Phase.REVEALED and table.prepared is not None:
            table.generation = self._player.load(table.prepared.pair)
        self.repeat_trial("You heard other clips meanwhile, so this battle starts over: press A or B.")
        self.poll()

    def taken_back(self, vote_id: str) -> None:
        """A vote was retracted on another page."""
        self._ballots.remove(vote_id)
        self._news.taken_back(vote_id)
        self._around.votes_changed(self._ballots.held_back)
        self._push()

    def start_over(self) -> None:
        """Listener, arena or prompts changed: leave the open battle without a vote and draw anew."""
        if self._table.storing:
            return
        self._catch_up_if_due(now=True)
        if self._table.phase is Phase.READY:
            self._close_battle()
        if self._table.phase is not Phase.STARTING:
            self._leave()

    def battle_is_ready(self) -> None:
        """The queue has one more."""
        self._advance()
        self._push()

    def repeat_trial(self, why: str = "This battle starts over: press A or B.") -> None:
        """What was heard of the open battle no longer counts: the sound was interrupted."""
        table = self._table
        if table.phase is Phase.READY and table.prepared is not None and table.battle is not None and not table.storing:
            table.battle = table.battle.repeated()
            table.generation = self._player.load(table.prepared.pair)
            table.line = Line(why)
            self._autoplay = None
            self._push()

    def say(self, line: Line) -> None:
        """Show one line in the status."""
        self._table.line = line
        self._push()

    def offer(
        self,
        arenas: Sequence[Choice],
        listeners: Sequence[Choice],
        categories: Sequence[Choice],
        prompts: PromptSource,
        note: str = "",
        cloned: frozenset[str] = frozenset(),
    ) -> None:
        """The lists to choose from; ``note`` says what came of the chosen texts, ``cloned`` are arenas of clones."""
        self._table.cloned = cloned
        self._table.lists = {
            "arenas": tuple(arenas),
            "listeners": tuple(listeners),
            "categories": tuple(categories),
            "prompts": prompts,
            "prompts_note": note,
        }
        self._push()

    # --- inside ------------------------------------------------------------------------------------------------

    def _look_at_player(self) -> None:
        self._status = self._player.status()
        problem = words.sound_problem(self._status)
        if problem is not None and problem.tone is Tone.ERROR:
            self._sound_lost = True
        elif problem is None:
            if self._sound_lost:
                self._sound_lost = False
                self.repeat_trial("Sound is back. This battle starts over: press A or B.")
            self._follow()
            self._advance()

    def _follow(self) -> None:
        table, status = self._table, self._status
        if table.battle is None or status.generation != table.generation:
            return
        was_open = table.battle.gate_open
        table.battle = table.battle.heard(status.heard_a, status.heard_b, self._clock())
        if table.battle.gate_open and not was_open:
            self._trace.event("heard_all", table.number)
            table.line = Line()
        side = self._autoplay.due(status) if self._autoplay is not None else None
        if side is not None:
            self._start(side)

    def _leave(self) -> None:
        self._autoplay = None
        self._news.end()
        self._table.clear()
        if not self._lent:
            self._player.unload()
        self._advance()
        self._push()

    def _advance(self) -> None:
        table = self._table
        if self._lent or table.phase is not Phase.PREPARING or words.sound_problem(self._player.status()) is not None:
            return
        prepared = self._around.take()
        if prepared is None:
            return
        settings = self._preferences.settings
        opened_at = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%S.%fZ}"
        self._held = Circumstances(settings.listener, self._session, opened_at, settings, self._silent)
        self._around.battle_opened()
        table.prepared = prepared
        table.battle = Battle(gate=settings.gate)
        table.number += 1
        table.phase = Phase.READY
        if table.line.tone is Tone.INFO:  # what went wrong stays to be read
            table.line = Line()
        table.generation = self._player.load(prepared.pair)
        self._autoplay = Autoplay(prepared.plan.first) if settings.autoplay else None
        self._trace.event("battle_ready", table.number)
        if self._next_pressed:
            self._trace.event("next_ready", table.number)
            self._next_pressed = False

    def _start(self, side: Side) -> None:
        self._player.play(side)
        self._trace.event("play", self._table.number, side=str(side))

    def _take_over(self) -> None:
        if self._autoplay is not None:
            self._autoplay.stop()

    def _catch_up_if_due(self, now: bool = False) -> None:
        """The other pages follow once the reveal is painted: nothing they do may delay it."""
        if self._catch_up_at is not None and (now or self._clock() >= self._catch_up_at):
            self._catch_up()

    def _catch_up(self) -> None:
        self._catch_up_at = None
        self._around.battle_closed()
        self._around.votes_changed(self._ballots.held_back)
        self._news.ask()

    def _look_around_if_due(self) -> None:
        if self._table.phase is not Phase.READY and self._clock() >= self._look_around_at:
            self._look_around_at = self._clock() + LOOK_AROUND_MS
            self._around.look_around()

    def _begin_storing(self) -> None:
        self._table.storing = True
        self._table.storing_since = self._clock()

    def _say_if_waiting(self) -> None:
        table = self._table
        if table.storing and self._clock() - table.storing_since > SLOW_STORE_MS:
            table.line = words.WAITS_TO_BE_STORED

    def _close_battle(self) -> None:
        if self._table.battle is not None:
            self._table.battle = self._table.battle.closed()
        self._around.battle_closed()

    def _stored(self, record: dict[str, Any], moves: Moves | None) -> None:
        table, settings = self._table, self._preferences.settings
        assert table.prepared is not None
        assert table.battle is not None
        assert table.battle.vote is not None
        table.storing = False
        self._around.vote_stored(table.prepared)
        reveal = reveal_of(table.prepared, table.battle.vote, moves)
        line = SetLine(table.prepared.prompt.text, reveal.a.name, reveal.b.name, reveal.vote)
        set_size = settings.reveal_set if settings.reveal == "set" else None
        shown = self._ballots.add(Ballot(str(record["id"]), str(record["listener"]), reveal, line), set_size)
        self._to_paint = (table.number, self._ballots.total)
        table.battle = table.battle.closed()
        if shown is None:
            self._catch_up()
            self._leave()
            return
        self._catch_up_at = self._clock() + LATEST_CATCH_UP_MS
        table.reveal = shown
        self._news.begin(record)
        table.phase = Phase.REVEALED
        table.line = Line(f"{'Stored as a silent vote' if self._silent else 'Counted'}. N for the next battle.")
        self._push()

    def _not_stored(self, error: Exception) -> None:
        self._table.storing = False
        if self._table.battle is not None:
            self._table.battle = self._table.battle.unvoted()
        self.say(words.trouble("Your vote could not be stored", error))

    def _taken_back(self, ballot: Ballot) -> None:
        self._table.storing = False
        self._ballots.remove(ballot.vote_id)
        self._news.taken_back(ballot.vote_id)
        self._around.votes_changed(self._ballots.held_back)
        self.say(words.taken_back(ballot.line, ballot.held_back))

    def _not_taken_back(self, error: Exception) -> None:
        self._table.storing = False
        self.say(words.trouble("Your last vote could not be taken back", error))

    def _push(self) -> None:
        view = draw(
            self._table,
            self._status,
            self._preferences.settings,
            silent=self._silent,
            votes_cast=self._ballots.total,
            taken_back=self._ballots.total - len(self._ballots),
            can_undo=len(self._ballots) > 0,
            in_set=self._ballots.in_set,
            wait=self._next_wait.words(self._table.phase is Phase.PREPARING, self._clock()),
        )
        if view != self._view:
            self._view = view
            self._show(view)
