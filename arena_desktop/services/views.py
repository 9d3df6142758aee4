"""What the screens show. Each view is frozen and complete: a page draws it and asks nothing back.

Before a vote no view carries anything that tells which models play: :class:`ListenView` has no identity outside
``reveal``.
"""

from dataclasses import dataclass
from enum import StrEnum

from arena_desktop.domain.votes import Side, Vote
from arena_desktop.domain.word_errors import WordTest
from arena_desktop.harmless import harmless, several_lines
from arena_desktop.services.measurements import Measured


class Phase(StrEnum):
    """Where the Listen page stands."""

    STARTING = "starting"
    PREPARING = "preparing"
    READY = "ready"
    REVEALED = "revealed"
    BLOCKED = "blocked"


class Tone(StrEnum):
    """How a line of words is meant."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True)
class Line:
    """One sentence for the status line, and what to do about it (may be empty)."""

    text: str = ""
    tone: Tone = Tone.INFO
    remedy: str = ""

    def __post_init__(self) -> None:
        # What files say stands in it, too.
        object.__setattr__(self, "text", harmless(self.text))
        object.__setattr__(self, "remedy", several_lines(self.remedy))


@dataclass(frozen=True)
class Choice:
    """One entry of a drop-down list."""

    id: str
    title: str


@dataclass(frozen=True)
class PromptSource:
    """Where prompts come from: ``builtin`` (with ``category`` or all), ``own`` (``text`` typed by the listener) or
    ``file`` (``path``).
    """

    kind: str = "builtin"
    category: str | None = None
    text: str = ""
    path: str = ""


@dataclass(frozen=True)
class RevealedModel:
    """One side after the vote. Ratings are Live Elo around this vote; None for a silent or unrated vote, and where it
    ``follows``, since the log is still being read. Then ``after`` comes alone: the step itself isn't known.
    """

    repo_id: str
    name: str
    voice: str | None
    params: str
    before: float | None
    after: float | None
    follows: bool = False


@dataclass(frozen=True)
class SetLine:
    """One battle of a set, told after the set: the sentence spoken, the two models by side, and the vote."""

    prompt: str
    a: str
    b: str
    vote: Vote


@dataclass(frozen=True)
class RevealView:
    """Who played, what was voted and what it did.

    ``sentences`` are whole sentences about this battle, most important first. ``set_lines``: every battle of the set
    that this vote completed, oldest first, this one included (empty without sets). ``taken_back``: the vote was undone
    and no longer counts.
    """

    vote: Vote
    a: RevealedModel
    b: RevealedModel
    sentences: tuple[str, ...] = ()
    set_lines: tuple[SetLine, ...] = ()
    taken_back: bool = False


@dataclass(frozen=True)
class ReferenceView:
    """The clip that both sides clone. ``offered``: the arena is one of clones. ``why``: why this battle's can't be
    heard, "" if it can.
    """

    offered: bool = False
    can_play: bool = False
    playing: bool = False
    paused: bool = False
    why: str = ""


@dataclass(frozen=True)
class ListenView:
    """Everything the Listen page draws.

    ``battle`` counts battles from 1 in this run of the program, 0 before the first. ``heard_*`` and ``position`` are
    shares 0–1. ``locked_side``: the side still to be heard before a vote counts, None when the gate is open. ``reveal``
    is None before the vote, and while names are held back (then ``held_back`` = (votes in this set so far, size of the
    set)). Of the ``votes_cast`` in this run so many were ``taken_back``.
    """

    phase: Phase = Phase.STARTING
    battle: int = 0
    question: str = ""
    prompt_text: str = ""
    prompt_category: str = ""
    playing: Side | None = None
    paused: bool = False
    side: Side | None = None
    position: float = 0.0
    heard_a: float = 0.0
    heard_b: float = 0.0
    gate: float = 0.9
    gate_open: bool = False
    can_play: bool = False
    can_vote: bool = False
    can_skip: bool = False
    can_undo: bool = False
    can_next: bool = False
    status: Line = Line()
    reveal: RevealView | None = None
    held_back: tuple[int, int] | None = None
    silent: bool = False
    votes_cast: int = 0
    taken_back: int = 0
    volume_db: float = 0.0
    arenas: tuple[Choice, ...] = ()
    arena: str = ""
    listeners: tuple[Choice, ...] = ()
    listener: str = ""
    categories: tuple[Choice, ...] = ()
    prompts: PromptSource = PromptSource()
    prompts_note: str = ""
    """What came of a file of sentences: how many there are, and which lines were left out."""
    reference: ReferenceView = ReferenceView()


@dataclass(frozen=True)
class PreparingView:
    """What the Listen page offers and tells about preparing many battles at once.

    ``offer``: the words of the button. ``can_stop``: it is going on. ``share``: how much of it is done, 0–1, None where
    that isn't shown.
    """

    offer: str = "Prepare 50 battles"
    can_prepare: bool = False
    can_stop: bool = False
    line: Line = Line()
    share: float | None = None


@dataclass(frozen=True)
class BoardRow:
    """One model on the board. ``rating``, bounds, ranks, ``best`` and ``prior_share`` are None without a game.

    ``best`` is the probability 0–1 that it is the best of the board; ``prior_share`` how much of the evidence behind
    its rating is the prior's, 0–1. ``davidson``: the rating of the fit that gives ties a parameter of their own.
    """

    repo_id: str
    name: str
    params: str
    params_m: float
    rating: float | None
    low: float | None
    high: float | None
    rank: int | None
    rank_low: int | None
    rank_high: int | None
    tier: int | None
    elo: float
    head_start: float
    battles: int
    wins: int
    losses: int
    ties: int
    both_bad: int
    acceptable: float | None
    acceptable_low: float | None = None
    acceptable_high: float | None = None
    best: float | None = None
    prior_share: float | None = None
    davidson: float | None = None


@dataclass(frozen=True)
class BoardView:
    """The leaderboard of one arena. ``title`` says for whom it speaks, ``sentence`` the verdict in words; ``notes`` are
    lines a reader must not miss; ``news`` is one that may be closed, such as what an import did to the ratings.
    ``waiting`` says what has happened to the votes and is not shown yet, since a battle is open; empty if nothing.
    """

    arena: str
    arenas: tuple[Choice, ...]
    title: str
    votes: int
    rows: tuple[BoardRow, ...]
    notes: tuple[str, ...] = ()
    sentence: str = ""
    news: str = ""
    waiting: str = ""


class SetUpState(StrEnum):
    """Where the making of an environment stands."""

    IDLE = "idle"
    RUNNING = "running"
    FAILED = "failed"


@dataclass(frozen=True)
class SetUpOffer:
    """What is offered to a model whose engine needs a Python environment of its own: "Set up (2.4 GB)".

    ``licence`` is a sentence that is shown before anything is fetched; ``needs_consent``: it must be accepted first.
    While it runs, ``done`` of ``total`` bytes are there (about) and ``words`` say what goes on; after a failure they
    say why, and what to do.
    """

    recipe: str
    title: str
    size: str
    licence: str
    needs_consent: bool = False
    state: SetUpState = SetUpState.IDLE
    done: int = 0
    total: int = 0
    words: str = ""

    def __post_init__(self) -> None:
        for name in ("title", "licence", "words"):
            object.__setattr__(self, name, harmless(getattr(self, name)))


@dataclass(frozen=True)
class Examined:
    """What a model made of the fixed set of texts: ``ok`` without a flag that keeps it out; ``flags`` in words;
    ``when`` in UTC, ISO 8601. ``words``: what recognisers made of it; only shown to those who have voted on the model.
    ``no_words``: why the one that was to listen just now made nothing of it.
    """

    ok: bool
    flags: tuple[str, ...] = ()
    when: str = ""
    words: tuple[WordTest, ...] = ()
    no_words: str = ""


@dataclass(frozen=True)
class ModelRow:
    """One roster model on this machine. ``missing`` are (what, how to get it). ``failures`` counts by reason
    over all runs, ``failed_when`` is the time of the last one in UTC, ISO 8601.
    ``measured``: one entry a device. ``examined``: None until it was. ``warning``: what a person must know before it is
    used, "" for nothing. ``busy`` says what goes on with it, such as a measurement; ``stoppable``:
    that is an examination, which can be stopped.
    """

    repo_id: str
    name: str
    engine: str
    params: str
    license: str
    arenas: tuple[str, ...]
    ready: bool
    enabled: bool
    missing: tuple[tuple[str, str], ...] = ()
    failures: tuple[tuple[str, int], ...] = ()
    last_failure: str = ""
    failed_when: str = ""
    device: str = ""
    set_up: SetUpOffer | None = None
    measured: tuple[Measured, ...] = ()
    examined: Examined | None = None
    warning: str = ""
    busy: str = ""
    stoppable: bool = False


@dataclass(frozen=True)
class ModelsView:
    """The Models page. ``notices`` are machine-wide lines, e.g. that a GPU is there which this torch can't use.
    ``offers``: what may be asked for any model that is ready, ``examine`` and ``measure``.
    """

    rows: tuple[ModelRow, ...]
    notices: tuple[Line, ...] = ()
    checking: bool = False
    offers: frozenset[str] = frozenset()


@dataclass(frozen=True)
class DeviceChoice:
    """An output device, remembered by ``name`` (None: the system's default)."""

    name: str | None
    title: str
    present: bool = True
