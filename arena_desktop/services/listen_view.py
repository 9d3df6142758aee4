"""From the state of the Listen page to the one frozen view that the window draws."""

from dataclasses import dataclass, field
from typing import Any

from arena_desktop.audio.types import PlayerState, PlayerStatus
from arena_desktop.domain.battle import Battle
from arena_desktop.domain.prompts import CATEGORIES, OWN
from arena_desktop.domain.settings import Settings
from arena_desktop.services import words
from arena_desktop.services.battle_maker import PreparedBattle
from arena_desktop.services.views import Line, ListenView, Phase, ReferenceView, RevealView, Tone


@dataclass
class Table:
    """What lies on the table: the battle, sealed, and everything about it that the page may come to show.

    ``generation`` is the player's count of the loaded pair; a status of another generation is about an older one.
    ``line`` goes before the standing words of the phase; ``blocked`` says why no battle can open. ``storing``: a vote
    (or its retraction) is on its way to the log, ``storing_since`` by the clock in milliseconds.
    ``cloned``: the arenas whose battles have a reference.
    """

    phase: Phase = Phase.STARTING
    number: int = 0
    prepared: PreparedBattle | None = None
    battle: Battle | None = None
    generation: int = 0
    reveal: RevealView | None = None
    line: Line = field(default_factory=lambda: Line("Starting…"))
    blocked: Line | None = None
    storing: bool = False
    storing_since: float = 0.0
    lists: dict[str, Any] = field(default_factory=dict)
    cloned: frozenset[str] = frozenset()

    def clear(self) -> None:
        """Put the battle away."""
        self.prepared = None
        self.battle = None
        self.reveal = None
        self.line = Line()
        self.phase = Phase.PREPARING if self.blocked is None else Phase.BLOCKED


def draw(
    table: Table,
    status: PlayerStatus,
    settings: Settings,
    *,
    silent: bool,
    votes_cast: int,
    taken_back: int,
    can_undo: bool,
    in_set: int,
    wait: str = "",
) -> ListenView:
    """The view. Identities come in through ``table.reveal`` alone. ``wait``: what is said of the wait for a battle."""
    prepared, battle = table.prepared, table.battle
    present = prepared is not None and status.generation == table.generation
    problem = words.sound_problem(status)
    is_open = table.phase is Phase.READY and battle is not None and not table.storing
    return ListenView(
        phase=table.phase,
        battle=table.number,
        question=prepared.plan.question if prepared else "",
        prompt_text=prepared.prompt.text if prepared else "",
        prompt_category=_category(prepared) if prepared else "",
        playing=status.side if present and status.state is PlayerState.PLAYING else None,
        paused=present and status.state is PlayerState.PAUSED,
        side=status.side if present else None,
        position=round(status.position, 3) if present else 0.0,
        heard_a=round(battle.heard_a, 3) if battle else 0.0,
        heard_b=round(battle.heard_b, 3) if battle else 0.0,
        gate=battle.gate if battle else settings.gate,
        gate_open=battle is not None and battle.gate_open,
        can_play=prepared is not None and problem is None,
        can_vote=is_open and problem is None and battle is not None and battle.gate_open,
        can_skip=is_open,
        can_undo=can_undo and not table.storing,
        can_next=table.phase is Phase.REVEALED,
        status=_status_line(table, problem, wait),
        reveal=table.reveal,
        held_back=(in_set, settings.reveal_set) if settings.reveal == "set" else None,
        silent=silent,
        votes_cast=votes_cast,
        taken_back=taken_back,
        volume_db=settings.volume_db,
        arena=settings.arena,
        listener=settings.listener,
        reference=_reference(table, status, settings, well=present and problem is None),
        **table.lists,
    )


def _reference(table: Table, status: PlayerStatus, settings: Settings, *, well: bool) -> ReferenceView:
    prepared = table.prepared
    if prepared is None:
        return ReferenceView(offered=settings.arena in table.cloned)
    if prepared.reference is None:
        return ReferenceView()
    return ReferenceView(
        offered=True,
        can_play=well and not prepared.reference,
        playing=well and status.reference and status.state is PlayerState.PLAYING,
        paused=well and status.reference and status.state is PlayerState.PAUSED,
        why=prepared.reference,
    )


def _status_line(table: Table, problem: Line | None, wait: str) -> Line:
    if problem is not None and (problem.tone is Tone.ERROR or table.phase is not Phase.BLOCKED):
        return problem
    if table.line.text:
        return table.line
    if table.blocked is not None and table.phase is not Phase.READY:
        return table.blocked
    if table.phase is Phase.READY and table.battle is not None:
        return words.listening(table.battle.gate_open, table.battle.unheard)
    return Line("Preparing the next battle…" if table.number else "Preparing the first battle…", remedy=wait)


def _category(prepared: PreparedBattle) -> str:
    category = prepared.prompt.category
    return "Own text" if category == OWN else CATEGORIES.get(category, category)
