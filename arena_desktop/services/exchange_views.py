"""What the History page and the dialogs for export, import and synchronising draw: frozen values."""

from dataclasses import dataclass, field
from enum import StrEnum

from arena_desktop.services.views import Choice, Line

# --- history ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class HistoryFilter:
    """Which votes the History page lists; empty texts and None pick all.

    ``model`` and ``other`` are ``repo_id``: with both, the meetings of these two, whichever side. ``vote`` is one of
    the four votes' words. ``text`` is looked for in sentence, model names and notes. ``since`` inclusive and ``until``
    exclusive are canonical times. ``only`` picks votes that count, or those that were taken back, or those that count
    nowhere.
    """

    arena: str = ""
    model: str = ""
    other: str = ""
    listener: str = ""
    vote: str = ""
    category: str = ""
    text: str = ""
    since: str = ""
    until: str = ""
    only: str = ""


@dataclass(frozen=True)
class HistoryRow:
    """One vote. ``at`` is canonical UTC, "" where unknown. ``a``, ``b`` are the models' names as the roster calls them.

    ``state``: "" where it counts, else why not, in words ("taken back: mistake", "silent", …). ``can_listen``: both
    clips are still in the cache; ``can_retract``: a retraction from here would count. ``station`` is "this machine" or
    the station's short id; ``listener`` the name that this machine knows, else the pseudonym.
    """

    id: str
    at: str
    arena: str
    a: str
    b: str
    repo_a: str
    repo_b: str
    vote: str
    prompt: str
    category: str
    listener: str
    station: str
    state: str = ""
    can_listen: bool = False
    can_retract: bool = False


@dataclass(frozen=True)
class HistoryView:
    """The History page: the newest votes that fit the filter first.

    ``rows`` are the first ones of ``found``; more come when asked for. ``total`` counts all votes of the log that are
    shown at all (a set's votes are held back until its reveal, ``held_back`` counts them). ``playing`` is the id of the
    vote whose clips are being played, with the ``side`` that sounds ("a", "b" or "").
    """

    filter: HistoryFilter = HistoryFilter()
    rows: tuple[HistoryRow, ...] = ()
    found: int = 0
    total: int = 0
    held_back: int = 0
    loading: bool = False
    arenas: tuple[Choice, ...] = ()
    models: tuple[Choice, ...] = ()
    listeners: tuple[Choice, ...] = ()
    categories: tuple[Choice, ...] = ()
    playing: str = ""
    side: str = ""
    status: Line = field(default_factory=Line)


# --- export, share, import -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class VoteFormat:
    """A format in which votes can be written: its id, what it is, what it is for, and the ending of its files."""

    id: str
    title: str
    purpose: str
    ending: str


VOTE_FORMATS = (
    VoteFormat("jsonl", "Vote log", "Everything, for merging, checking and recomputing", "jsonl"),
    VoteFormat("csv", "Table", "One row a vote, for R, pandas and spreadsheets", "csv"),
    VoteFormat("pairs", "Pairs", "For BradleyTerry2, bpcs and choix", "csv"),
    VoteFormat("lmarena", "LMArena columns", "For arena-rank, arenakit and evalica", "jsonl"),
    VoteFormat("parquet", "Parquet", "Typed columns for large analyses", "parquet"),
    VoteFormat("state2", "Ratings store", "Live Elo as the web arena keeps it", "json"),
)


@dataclass(frozen=True)
class ExportWish:
    """What to write. Empty filters pick all. ``public`` leaves out everything private."""

    format: str = "jsonl"
    arena: str = ""
    listener: str = ""
    study: str = ""
    since: str = ""
    until: str = ""
    public: bool = True


@dataclass(frozen=True)
class ShareField:
    """One kind of thing in an export: what it is, whether it leaves the machine, in how many records, an example."""

    title: str
    leaves: bool
    records: int
    example: str = ""


@dataclass(frozen=True)
class ShareView:
    """Exactly what an export would hand over: counted over the very records that it would write."""

    wish: ExportWish
    records: int
    votes: int
    fields: tuple[ShareField, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class ImportFile:
    """A file of the preview: what format it was taken for, how many records it holds."""

    path: str
    format: str
    records: int


@dataclass(frozen=True)
class ImportPreview:
    """What an import would do, before anything is done.

    ``skipped`` are (file, line, reason), the first ones of ``skipped_total``, and ``differing`` (file, line, id of the
    record), the first places of the ``conflicts``; a file is named with as much of its folder as tells it from the
    others. ``no_votes``: nothing in the files looks like a vote. ``unknown_models`` and ``unknown_arenas`` are ids that
    the roster lacks. ``facts`` say what there is, ``notes`` what a person must read first: whole sentences.
    ``aliases`` are pairs of names that share a weights hash: (name, the name it may be another word for).
    ``legacy`` counts votes of other programs, which are told apart by the name of the log they come from;
    ``source`` is that name.
    """

    files: tuple[ImportFile, ...] = ()
    new: int = 0
    already: int = 0
    skipped_total: int = 0
    skipped: tuple[tuple[str, int, str], ...] = ()
    conflicts: int = 0
    differing: tuple[tuple[str, int, str], ...] = ()
    no_votes: bool = False
    unknown_models: tuple[str, ...] = ()
    unknown_arenas: tuple[str, ...] = ()
    aliases: tuple[tuple[str, str], ...] = ()
    legacy: int = 0
    source: str = ""
    facts: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class Step(StrEnum):
    """How far an exchange is."""

    IDLE = "idle"
    READING = "reading"
    PREVIEW = "preview"
    STORING = "storing"
    WRITING = "writing"
    SYNCING = "syncing"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True)
class SyncState:
    """The shared folder: "" none chosen. ``line`` says in one sentence how things stand."""

    folder: str = ""
    private: bool = False
    line: Line = field(default_factory=Line)
    problems: tuple[str, ...] = ()


@dataclass(frozen=True)
class ExchangeView:
    """The one exchange that is going on, if any.

    ``done`` of ``of`` units are done (``of`` 0: not known beforehand), ``unit`` names them ("records", "MB").
    ``can_cancel``: stopping now leaves everything as it was. ``line`` says what came of it, or why not.
    """

    step: Step = Step.IDLE
    done: int = 0
    of: int = 0
    unit: str = "records"
    can_cancel: bool = False
    preview: ImportPreview | None = None
    share: ShareView | None = None
    line: Line = field(default_factory=Line)
    sync: SyncState = field(default_factory=SyncState)
