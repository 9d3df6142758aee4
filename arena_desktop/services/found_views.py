"""What the Models page shows beside its models: what was found on the disk, what is being heard, what was done."""

from dataclasses import dataclass, field

from arena_desktop.harmless import harmless
from arena_desktop.services.finders.found import FoundState
from arena_desktop.services.views import Choice, Line


@dataclass(frozen=True)
class FoundRow:
    """One thing that was found. ``facts`` say what it is: kind, language, licence, size.

    ``reason``: why it can't speak, what it lacks, or how it is called in the roster. ``voices`` to choose from, empty
    where there is no choice; ``arenas`` likewise, where nothing tells its language. ``busy`` says what goes on with
    it. ``heard``: the voice in which it has spoken its sentence, ``-`` for its only one, "" for none. ``playing``:
    that sounds now. ``told``: what became of the last press. ``can_add``: it may be added, if it has one to be heard
    in that voice.
    """

    id: str
    title: str
    facts: tuple[str, ...]
    path: str
    state: FoundState
    reason: str = ""
    remedy: str = ""
    voices: tuple[Choice, ...] = ()
    arenas: tuple[Choice, ...] = ()
    in_roster: bool = False
    busy: str = ""
    heard: str = ""
    playing: bool = False
    can_listen: bool = False
    can_add: bool = False
    told: Line = field(default_factory=Line)

    def __post_init__(self) -> None:
        for name in ("title", "path", "reason"):
            object.__setattr__(self, name, harmless(getattr(self, name)))
        object.__setattr__(self, "facts", tuple(map(harmless, self.facts)))


@dataclass(frozen=True)
class FoundView:
    """``searching``: a search goes on, ``words`` say how far it is or what came of it, ``notes`` what was left out.
    ``quiet``: one sentence for somebody who did not ask, "" for none.

    ``sample`` is the repo_id of the roster's model that is being heard, "" for none; ``speaking``: it still has to
    speak. ``can_listen``: no battle is open, so a roster's model may be heard by name. ``own``: repo_ids that can be
    removed. ``told``: what was done with the roster.
    """

    searching: bool = False
    words: str = ""
    notes: tuple[str, ...] = ()
    rows: tuple[FoundRow, ...] = ()
    quiet: str = ""
    sample: str = ""
    speaking: bool = False
    can_listen: bool = True
    own: frozenset[str] = frozenset()
    told: Line = field(default_factory=Line)
