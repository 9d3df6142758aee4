"""The Listen page's use case: open a battle, let it be heard, take the vote, reveal, go on."""

import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Protocol

from arena_desktop.audio.types import Player, PlayerState, PlayerStatus
from arena_desktop.domain.battle import Battle, Refusal
from arena_desktop.domain.settings import Settings
from arena_desktop.domain.votes import Side, Vote
from arena_desktop.errors import ArenaError
from arena_desktop.services import words
from arena_desktop.services.autoplay import Autoplay
from arena_desktop.services.ballot import Circumstances, vote_draft
from arena_desktop.services.jobs import StoreThread
from arena_desktop.services.preparation import PreparedBattle
from arena_desktop.services.trace import Trace
from arena_desktop.services.views import Choice, Line, ListenView, Phase, PromptSource, RevealedModel, RevealView, Tone

Moves = Mapping[str, tuple[float, float]]
"""Live Elo before and after a vote, by model."""


class VoteStore(Protocol):
    """What becomes of a vote; every call runs on the store's thread."""

    def cast(self, draft: dict[str, Any], held_back: frozenset[str]) -> tuple[dict[str, Any], Moves]:
        """Store the vote durably and rate it; returns the record and Live Elo before and after, by model.

        ``held_back``: ids of votes whose names the listener has not been shown yet.
        """

    def take_back(self, vote_id: str, listener: str) -> None:
        """Retract a vote."""


class Surroundings(Protocol):
    """What else a battle touches: the queue of prepared ones, and the other pages, which stand still while it is
    open.
    """

    def take(self) -> PreparedBattle | None: ...
    def battle_opened(self) -> None: ...
    def battle_closed(self) -> None: ...
    def vote_stored(self, prepared: PreparedBattle) -> None: ...
    def votes_changed(self, held_back: frozenset[str]) -> None: ...


class Preferences(Protocol):
    """The settings in force, and the way to change them."""

    @property
    def settings(self) -> Settings: ...
    def change(self, **values: object) -> None: ...


class Battles:
    """One battle at a time, on the services' thread. Every change ends in one new :class:`ListenView` handed to
    ``show``.
    """

    def __init__(
        self,
        *,
        preferences: Preferences,
        player: Player,
        surroundings: Surroundings,
        store: StoreThread,
        votes: VoteStore,
        trace: Trace,
        show: Callable[[ListenView], None],
        clock: Callable[[], float],
        silent: bool,
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
        self._phase = Phase.STARTING
        self._number = 0
        self._prepared: PreparedBattle | None = None
        self._battle: Battle | None = None
        self._held = Circumstances("", self._session, "", preferences.settings, silent)
        self._generation = 0
        self._autoplay: Autoplay | None = None
        self._reveal: RevealView | None = None
        self._line = Line("Starting…")
        self._blocked: Line | None = None
        self._cast: list[tuple[str, str]] = []
        self._set: list[tuple[str, str]] = []
        self._next_pressed = False
        self._to_paint: tuple[int, int] | None = None
        self._storing = False
        self._sound_lost = False
        self._status = player.status()
        self._lists: dict[str, Any] = {}
        self._view = ListenView(silent=silent)

    # --- the listener's verbs -----------------------------------------------------------------------------------

    def poll(self) -> None:
        """Look at the player: what was heard, whether the gate opened, whether sound was lost or came back."""
        self._status = status = self._player.status()
        problem = words.sound_problem(status)
        if problem is not None and problem.tone is Tone.ERROR:
            self._sound_lost = True
        elif problem is None and self._sound_lost:
            self._sound_lost = False
            self._sound_is_back()
        if self._battle is not None and status.generation == self._generation and problem is None:
            was_open = self._battle.gate_open
            self._battle = self._battle.heard(status.heard_a, status.heard_b, self._clock())
            if self._battle.gate_open and not was_open:
                self._trace.event("heard_all", self._number)
                self._line = Line()
            side = self._autoplay.due(status) if self._autoplay is not None else None
            if side is not None:
                self._start(side)
        if self._phase is Phase.PREPARING and problem is None:
            self._advance()
        self._push()

    def play(self, side: Side) -> None:
        """Play a side from its start; allowed after the reveal too."""
        if self._prepared is None or words.sound_problem(self._status) is not None:
            return
        self._take_over()
        self._start(side)
        self._push()

    def toggle_pause(self) -> None:
        """Pause, or go on."""
        if self._prepared is None:
            return
        self._take_over()
        if self._player.status().state is PlayerState.PAUSED:
            self._player.resume()
        else:
            self._player.pause()
        self.poll()

    def vote(self, vote: Vote) -> None:
        """Take the vote if the gate is open, store it, and only then move on."""
        if self._phase is not Phase.READY or self._battle is None or self._prepared is None or self._storing:
            return
        self._trace.event("vote_key", self._number)
        self.poll()
        if words.sound_problem(self._status) is not None or self._status.generation != self._generation:
            return
        voted = self._battle.voted(vote, self._clock())
        if isinstance(voted, Refusal):
            self._line = words.still_locked(voted.side)
            self._push()
            return
        self._take_over()
        self._player.pause()
        self._battle = voted
        self._storing = True
        volume = self._preferences.settings.volume_db
        held = replace(self._held, settings=replace(self._held.settings, volume_db=volume))
        draft = vote_draft(self._prepared, voted, self._status, held)
        number, held_back = self._number, self.held_back

        def cast() -> tuple[dict[str, Any], Moves]:
            result = self._votes.cast(draft, held_back)
            self._trace.event("vote_durable", number)
            return result

        self._store.ask(cast, lambda result: self._stored(*result), self._not_stored)
        self._push()

    def next(self) -> None:
        """Go on to the next battle, after the vote."""
        if self._phase is not Phase.REVEALED:
            return
        self._trace.event("next_key", self._number)
        self._next_pressed = True
        self._leave()

    def skip(self, reason: str = "") -> None:
        """Leave this battle without a vote."""
        if self._phase is Phase.READY and not self._storing:
            self._close_battle()
            self._leave()

    def undo(self) -> None:
        """Take the last vote of this session back: a retraction in the log. The battle is not opened again."""
        if not self._cast or self._storing:
            self._line = Line("There is no vote to take back in this session.", Tone.WARNING)
            self._push()
            return
        vote_id, listener = self._cast[-1]
        self._storing = True
        self._store.ask(
            lambda: self._votes.take_back(vote_id, listener),
            lambda _: self._taken_back(vote_id),
            self._not_taken_back,
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

    # --- what happens around the battle ---------------------------------------------------------------------------

    def block(self, line: Line) -> None:
        """No battle can open, for this reason. An open one goes on."""
        self._blocked = line
        if self._phase is not Phase.READY and self._phase is not Phase.REVEALED:
            self._phase = Phase.BLOCKED
        self._push()

    def unblock(self) -> None:
        """Battles can be prepared (again)."""
        self._blocked = None
        if self._phase in (Phase.STARTING, Phase.BLOCKED):
            self._phase = Phase.PREPARING
        self._advance()
        self._push()

    def start_over(self) -> None:
        """Listener, arena or prompts changed: leave the open battle without a vote and draw anew."""
        if self._storing:
            return
        if self._phase is Phase.READY:
            self._close_battle()
        if self._phase in (Phase.READY, Phase.REVEALED, Phase.PREPARING):
            self._leave()

    def battle_is_ready(self) -> None:
        """The queue has one more."""
        if self._phase is Phase.PREPARING:
            self._advance()
            self._push()

    def say(self, line: Line) -> None:
        """Show one line in the status."""
        self._line = line
        self._push()

    def offer(
        self, arenas: Sequence[Choice], listeners: Sequence[Choice], categories: Sequence[Choice], prompts: PromptSource
    ) -> None:
        """The lists to choose from."""
        self._lists = {
            "arenas": tuple(arenas),
            "listeners": tuple(listeners),
            "categories": tuple(categories),
            "prompts": prompts,
        }
        self._push()

    @property
    def held_back(self) -> frozenset[str]:
        """Ids of the votes whose names are not shown yet."""
        return frozenset(vote_id for vote_id, _ in self._set)

    # --- inside -------------------------------------------------------------------------------------------------

    def _leave(self) -> None:
        self._prepared = None
        self._battle = None
        self._autoplay = None
        self._reveal = None
        self._player.unload()
        self._phase = Phase.PREPARING
        if self._blocked is not None:
            self._phase = Phase.BLOCKED
        self._line = Line()
        self._advance()
        self._push()

    def _advance(self) -> None:
        if self._phase is not Phase.PREPARING or words.sound_problem(self._player.status()) is not None:
            return
        prepared = self._around.take()
        if prepared is None:
            return
        settings = self._preferences.settings
        self._prepared = prepared
        self._battle = Battle(gate=settings.gate)
        self._number += 1
        self._held = Circumstances(
            settings.listener, self._session, f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%S.%fZ}", settings, self._silent
        )
        self._around.battle_opened()
        self._generation = self._player.load(prepared.pair)
        self._autoplay = Autoplay(prepared.plan.first) if settings.autoplay else None
        self._phase = Phase.READY
        self._line = Line()
        self._trace.event("battle_ready", self._number)
        if self._next_pressed:
            self._trace.event("next_ready", self._number)
            self._next_pressed = False

    def _start(self, side: Side) -> None:
        self._player.play(side)
        self._trace.event("play", self._number, side=str(side))

    def _take_over(self) -> None:
        if self._autoplay is not None:
            self._autoplay.stop()

    def _close_battle(self) -> None:
        if self._battle is not None:
            self._battle = self._battle.closed()
        self._around.battle_closed()

    def _sound_is_back(self) -> None:
        if self._prepared is None or self._battle is None or self._phase is not Phase.READY or self._storing:
            return
        self._battle = self._battle.repeated()
        self._generation = self._player.load(self._prepared.pair)
        self._autoplay = None
        self._line = Line("Sound is back. This battle starts over: press A or B.")

    def _stored(self, record: dict[str, Any], moves: Moves) -> None:
        assert self._prepared is not None
        assert self._battle is not None
        assert self._battle.vote is not None
        self._storing = False
        vote_id = str(record["id"])
        self._around.vote_stored(self._prepared)
        self._cast.append((vote_id, str(record["listener"])))
        reveal = self._reveal_of(self._prepared, self._battle.vote, moves)
        self._to_paint = (self._number, len(self._cast))
        settings = self._preferences.settings
        if settings.reveal == "set":
            self._set.append((vote_id, " ".join(reveal.sentences[:1])))
            if len(self._set) < settings.reveal_set:
                self._close_battle()
                self._around.votes_changed(self.held_back)
                self._leave()
                return
        if self._set:
            reveal = replace(reveal, sentences=tuple(sentence for _, sentence in self._set))
            self._set = []
        self._close_battle()
        self._reveal = reveal
        self._phase = Phase.REVEALED
        self._line = Line("Counted. N for the next battle.")
        self._around.votes_changed(self.held_back)
        self._push()

    def _reveal_of(self, prepared: PreparedBattle, vote: Vote, moves: Moves) -> RevealView:
        def side(side: Side) -> RevealedModel:
            competitor = prepared.plan.competitor(side)
            model = prepared.model_a if side is Side.A else prepared.model_b
            before, after = moves.get(competitor.repo_id, (None, None))
            return RevealedModel(model.repo_id, model.name, competitor.voice, model.params, before, after)

        a, b = side(Side.A), side(Side.B)
        return RevealView(vote, a, b, words.reveal_sentences(vote, a, b))

    def _not_stored(self, error: Exception) -> None:
        self._storing = False
        if self._battle is not None:
            self._battle = self._battle.unvoted()
        self._line = _trouble("Your vote could not be stored", error)
        self._push()

    def _taken_back(self, vote_id: str) -> None:
        self._storing = False
        self._cast = [cast for cast in self._cast if cast[0] != vote_id]
        self._set = [held for held in self._set if held[0] != vote_id]
        self._line = Line("Your last vote was taken back; it no longer counts.")
        self._around.votes_changed(self.held_back)
        self._push()

    def _not_taken_back(self, error: Exception) -> None:
        self._storing = False
        self._line = _trouble("Your last vote could not be taken back", error)
        self._push()

    def _push(self) -> None:
        view = self._draw()
        if view != self._view:
            self._view = view
            self._show(view)

    def _draw(self) -> ListenView:
        status, battle, settings = self._status, self._battle, self._preferences.settings
        present = self._prepared is not None and status.generation == self._generation
        problem = words.sound_problem(status)
        open_battle = self._phase is Phase.READY and battle is not None and not self._storing
        return ListenView(
            phase=self._phase,
            battle=self._number,
            question=self._prepared.plan.question if self._prepared else "",
            prompt_text=self._prepared.prompt.text if self._prepared else "",
            prompt_category=self._prepared.prompt.category or "" if self._prepared else "",
            playing=status.side if present and status.state is PlayerState.PLAYING else None,
            paused=present and status.state is PlayerState.PAUSED,
            side=status.side if present else None,
            position=round(status.position, 3) if present else 0.0,
            heard_a=round(battle.heard_a, 3) if battle else 0.0,
            heard_b=round(battle.heard_b, 3) if battle else 0.0,
            gate=battle.gate if battle else settings.gate,
            gate_open=battle.gate_open if battle else False,
            can_play=self._prepared is not None and problem is None,
            can_vote=open_battle and problem is None and battle is not None and battle.gate_open,
            can_skip=open_battle,
            can_undo=bool(self._cast) and not self._storing,
            can_next=self._phase is Phase.REVEALED,
            status=self._status_line(problem, status),
            reveal=self._reveal,
            held_back=(len(self._set), settings.reveal_set) if settings.reveal == "set" else None,
            silent=self._silent,
            votes_cast=len(self._cast),
            volume_db=settings.volume_db,
            arena=settings.arena,
            listener=settings.listener,
            **self._lists,
        )

    def _status_line(self, problem: Line | None, status: PlayerStatus) -> Line:
        if problem is not None and self._phase is not Phase.REVEALED:
            return problem
        if self._line.text:
            return self._line
        if self._blocked is not None and self._phase is not Phase.READY:
            return self._blocked
        if self._phase is Phase.READY and self._battle is not None:
            return words.listening(self._battle.gate_open, self._battle.locked_side)
        return Line("Preparing the next battle…" if self._number else "Preparing the first battle…")


def _trouble(what: str, error: Exception) -> Line:
    if isinstance(error, ArenaError):
        return Line(f"{what}: {error.message}", Tone.ERROR, error.remedy)
    return Line(f"{what} ({type(error).__name__}: {error}).", Tone.ERROR, "The log file has the details.")
