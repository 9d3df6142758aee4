"""Finding models from the window: searches, listen tests, additions and removals, each in the background."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Event

from arena_desktop.domain.recipes import size_words
from arena_desktop.domain.roster import ModelSpec, Roster
from arena_desktop.engines.types import Missing
from arena_desktop.errors import ArenaError
from arena_desktop.services.adding import Adding, Written
from arena_desktop.services.cancelling import Cancelled
from arena_desktop.services.find_models import Finder, Findings, Found, FoundState
from arena_desktop.services.finders.languages import title_of
from arena_desktop.services.found_views import FoundRow, FoundView
from arena_desktop.services.jobs import JobThread
from arena_desktop.services.roster_adding import candidate
from arena_desktop.services.rosters import Rosters
from arena_desktop.services.sample_player import SamplePlayer
from arena_desktop.services.views import Choice, Line, Tone

MOST_ROWS = 300
"""So many finds are shown; a search that finds more says so."""
_TOLD_EVERY = 50
"""Folders."""


@dataclass
class _Item:
    """One find and what is known of it by now."""

    found: Found
    missing: tuple[Missing, ...] = ()
    known: ModelSpec | None = None
    checked: bool = False
    busy: str = ""
    heard: str = ""  # the voice that was heard, "-" for one without a name
    playing: bool = False
    told: Line = field(default_factory=Line)
    accepted: str = ""  # the voice of which it was said what is odd: the next press adds it all the same


class ModelSearch:
    """All calls come from the services' thread, and so do all calls of ``show``.

    ``search`` and ``trying`` are threads: a search may take long, and a model that speaks for the first time, too.
    ``places`` gives the folders where models usually lie; ``examine`` (on ``trying``) has a model speak before it is
    added, and gives what is odd about that, in words, or raises SpeechFailure.
    """

    def __init__(
        self,
        *,
        search: JobThread,
        trying: JobThread,
        post: Callable[[Callable[[], None]], None],
        finder: Callable[[], Finder],
        adding: Adding,
        places: Callable[[], Sequence[Path]],
        sample: SamplePlayer,
        rosters: Rosters,
        show: Callable[[FoundView], None],
        examine: Callable[[ModelSpec], tuple[str, ...]] = lambda spec: (),
    ) -> None:
        self._search_thread = search
        self._try_thread = trying
        self._post = post
        self._finder = finder
        self._adding = adding
        self._places = places
        self._sample = sample
        self._rosters = rosters
        self._show = show
        self._examine = examine
        self._items: dict[str, _Item] = {}
        self._view = FoundView()
        self._waiting_quiet = ""
        self._held = False
        self._cancel = Event()
        rosters.subscribe(self._roster_changed)

    # --- verbs ----------------------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Look which models are the user's own."""
        self._try_thread.ask(self._adding.own, lambda own: self._push(own=own))

    def look_quietly(self, done: Callable[[], None]) -> None:
        """Search the usual places, and say in one line what may be added; ``done`` is called when it is over."""
        self._look(self._places, quiet=done)

    def find(self, folders: Sequence[str]) -> None:
        """Search ``folders`` (files, too), else the usual places; a search under way ends."""
        self._look(lambda: [Path(folder) for folder in folders] or self._places())

    def stop_finding(self) -> None:
        """End a search; what was found before stays."""
        self._cancel.set()

    def try_found(self, found_id: str, voice: str) -> None:
        """Have a find speak a sentence."""
        item = self._items.get(found_id)
        if item is None or item.busy or item.known is not None:
            return
        self._silence()
        item.busy, item.told = "Speaking…", Line()
        self._draw()

        def prepare() -> ModelSpec:
            spec = candidate(item.found, voice=voice or None)
            self._adding.weigh(item.found, spec)  # a voice that is in the roster may be in the open battle
            return spec

        def started(spec: ModelSpec) -> None:
            item.busy, item.heard, item.playing = "", _heard(spec), self._sample.playing
            self._draw()

        def failed(error: ArenaError) -> None:
            item.busy, item.told = "", Line(error.message, Tone.WARNING, error.remedy)
            self._draw()

        self._sample.play(prepare, started, failed)

    def add(self, found_id: str, voice: str, arena: str) -> None:
        """Enter a find into the user's roster."""
        item = self._items.get(found_id)
        if item is None or item.busy:
            return
        self._silence()
        can_speak = item.found.state is FoundState.READY and not item.missing
        item.busy, item.told = "Checking it, then adding…" if can_speak else "Adding…", Line()
        self._draw()

        def work() -> tuple[Written, Roster, frozenset[str]]:
            spec = candidate(item.found, voice=voice or None)
            new = self._adding.propose(item.found, spec, arena=arena or None)
            self._adding.check_writable(new)
            if can_speak and item.accepted != _heard(spec):
                self._pass(item, new.spec)
            return self._adding.write(new), self._rosters.load(), self._adding.own()

        def done(result: tuple[Written, Roster, frozenset[str]]) -> None:
            written, roster, own = result
            item.busy, item.heard = "", ""
            item.told = Line(written.sentences[0], Tone.INFO)
            self._push(own=own, quiet="", told=Line(written.sentences[0], Tone.INFO, " ".join(written.sentences[1:])))
            self._rosters.use(roster)
            self._draw()

        def failed(error: Exception) -> None:
            item.busy = ""
            item.told = _fault(error)
            self._draw()

        self._try_thread.ask(work, done, failed)

    def forget(self, repo_id: str) -> None:
        """Take a model out of the user's roster."""
        self._silence()

        def work() -> tuple[Written, Roster, frozenset[str]]:
            written = self._adding.remove(repo_id)
            return written, self._rosters.load(), self._adding.own()

        def done(result: tuple[Written, Roster, frozenset[str]]) -> None:
            written, roster, own = result
            self._push(own=own, told=Line(written.sentences[0], Tone.INFO, " ".join(written.sentences[1:])))
            self._rosters.use(roster)

        self._try_thread.ask(work, done, lambda error: self._push(told=_fault(error)))

    def listen(self, repo_id: str) -> None:
        """Hear a roster's model; nothing while a battle is open, for it could be in it."""
        model = self._rosters.current.models.get(repo_id)
        self._silence()
        if model is None or self._held:
            return
        self._push(sample=repo_id, speaking=True, told=Line())

        def failed(error: ArenaError) -> None:
            self._push(sample="", speaking=False, told=Line(error.message, Tone.WARNING, error.remedy))

        self._sample.play(
            lambda: model,
            lambda spec: self._push(sample=repo_id if self._sample.playing else "", speaking=False),
            failed,
        )

    def stop_sample(self) -> None:
        """Stop what sounds."""
        self._silence()

    # --- called by others -----------------------------------------------------------------------------------------

    def poll(self) -> None:
        """Notice the end of a sample."""
        if self._sample.has_ended():
            self._silence()

    def hold(self) -> None:
        """A battle is open: none of its models may be heard by name, and nothing appears by itself."""
        self._held = True
        self._push(can_listen=False)

    def release(self) -> None:
        """The battle is over."""
        self._held = False
        quiet, self._waiting_quiet = self._waiting_quiet, ""
        self._push(can_listen=True, quiet=quiet or self._view.quiet)

    def votes_changed(self) -> None:
        """Nothing here hangs on votes."""

    def close(self) -> None:
        """End everything. Close the speech host first, so that what speaks gives up at once."""
        self._cancel.set()
        self._search_thread.close()
        self._try_thread.close()

    # --- inside ---------------------------------------------------------------------------------------------------

    def _look(self, places: Callable[[], Sequence[Path]], quiet: Callable[[], None] | None = None) -> None:
        self._cancel.set()
        self._cancel = cancel = Event()
        if quiet is None:
            self._push(searching=True, words="Searching…", notes=(), quiet="")

        def progress(folders: int) -> None:
            if cancel.is_set():
                raise Cancelled
            if quiet is None and folders % _TOLD_EVERY == 0:
                self._post(lambda: self._searched(cancel, folders))

        def work() -> Findings | None:
            try:
                return self._finder().find(places(), progress)
            except Cancelled:
                return None

        def done(findings: Findings | None) -> None:
            if findings is None or cancel.is_set():
                if cancel is self._cancel and quiet is None:
                    self._push(searching=False, words="The search was stopped.")
                return
            self._take(findings)
            self._push(searching=False, words=_came_of_it(findings, self._items), notes=findings.notes)
            self._check(cancel, quiet)

        self._search_thread.ask(work, done)

    def _searched(self, cancel: Event, folders: int) -> None:
        if cancel is self._cancel and self._view.searching:
            self._push(words=f"Searching… {folders:,} folders looked into")

    def _take(self, findings: Findings) -> None:
        self._silence()
        items = [_Item(found, known=self._adding.known(found)) for found in findings.found[:MOST_ROWS]]
        self._items = {str(number): item for number, item in enumerate(items)}
        self._draw()

    def _check(self, cancel: Event, quiet: Callable[[], None] | None) -> None:
        """Ask the engines of what may speak whether anything is missing."""
        waiting = [item for item in self._items.values() if item.found.state is FoundState.READY and item.known is None]

        def work() -> list[tuple[_Item, tuple[Missing, ...]]]:
            return [(item, self._lacks(item.found)) for item in waiting if not cancel.is_set()]

        def done(found: list[tuple[_Item, tuple[Missing, ...]]]) -> None:
            for item, missing in found:
                item.missing, item.checked = missing, True
            if quiet is not None:
                quiet()
                self._whisper(sum(not missing for _, missing in found))
            self._draw()

        self._search_thread.ask(work, done)

    def _pass(self, item: _Item, spec: ModelSpec) -> None:
        """Raise :class:`ArenaError` for a model that doesn't pass its examination; flags hold it up once."""
        flags = self._examine(spec)
        if flags:
            item.accepted = _heard(spec)
            raise ArenaError(
                f"It spoke, but: {', '.join(flags)}.",
                "Listen to it; add it once more to have it take part all the same.",
            )

    def _lacks(self, found: Found) -> tuple[Missing, ...]:
        try:
            return self._adding.lacks(found)
        except ArenaError as error:
            return (Missing(error.message, error.remedy),)

    def _whisper(self, count: int) -> None:
        if not count:
            return
        what = "One more voice was" if count == 1 else f"{count} more voices were"
        words = f"{what} found on this disk."
        if self._held:
            self._waiting_quiet = words
        else:
            self._push(quiet=words)

    def _silence(self) -> None:
        """Stop a sample, and draw that nothing sounds any more."""
        self._sample.stop()
        for item in self._items.values():
            item.playing = False
        self._push(sample="", speaking=False)
        self._draw()

    def _roster_changed(self, roster: Roster) -> None:
        for item in self._items.values():
            item.known = self._adding.known(item.found)
        self._draw()

    def _draw(self) -> None:
        self._push(rows=tuple(self._row(found_id, item) for found_id, item in self._items.items()))

    def _row(self, found_id: str, item: _Item) -> FoundRow:
        found = item.found
        state = FoundState.SET_UP if item.missing else found.state
        ready = found.state is FoundState.READY and item.checked and not item.missing
        checking = found.state is FoundState.READY and not item.checked and item.known is None
        arenas = self._rosters.current.arenas.values() if found.usable and not found.language else ()
        free = not item.busy and item.known is None
        return FoundRow(
            id=found_id,
            title=found.title,
            facts=tuple(_facts(found)),
            path=found.path,
            state=state,
            reason=f"In the roster as {item.known.name}." if item.known else _why(item),
            remedy="" if item.known or not item.missing else item.missing[0].remedy,
            voices=tuple(Choice(voice.id, voice.id) for voice in found.voices) if len(found.voices) > 1 else (),
            arenas=tuple(Choice(arena.id, arena.title or arena.id) for arena in arenas),
            in_roster=item.known is not None,
            busy=item.busy or ("Checking…" if checking else ""),
            heard=item.heard,
            playing=item.playing,
            can_listen=free and ready,
            can_add=free and ((ready and bool(item.heard)) or (found.usable and state is FoundState.SET_UP)),
            told=item.told,
        )

    def _push(self, **changes: object) -> None:
        view = replace(self._view, **changes)  # type: ignore[arg-type]
        if view != self._view:
            self._view = view
            self._show(view)


def _why(item: _Item) -> str:
    return item.found.reason if not item.missing else f"Missing: {item.missing[0].what}"


def _heard(spec: ModelSpec) -> str:
    return spec.voices[0].id if spec.voices else "-"


def _facts(found: Found) -> list[str]:
    languages = [title_of(code) for code in found.language[:4]]
    more = f" and {len(found.language) - 4} more" if len(found.language) > 4 else ""
    parts = [
        found.kind,
        f"{', '.join(languages)}{more}" if languages else "",
        f"{len(found.voices)} voices" if len(found.voices) > 1 else "",
        f"played by {found.engine}" if found.engine and found.usable else "",
        size_words(found.size_bytes),
        (found.license or "licence unknown") if found.speech else found.license,
    ]
    return [part for part in parts if part]


def _came_of_it(findings: Findings, items: dict[str, _Item]) -> str:
    if not findings.places:
        return "There is no Hugging Face cache and no models folder on this machine: choose a folder."
    count = len(findings.found)
    if not count:
        places = ", ".join(map(str, findings.places))
        return f"No speech model was found in {places}. (Vote logs are imported on the History page.)"
    shown = "" if count <= len(items) else f" The first {len(items)} are listed."
    usable = sum(found.usable for found in findings.found)
    return f"{count} found, {usable} of them speech models that this program knows.{shown}"


def _fault(error: Exception) -> Line:
    if not isinstance(error, ArenaError):
        raise error
    return Line(error.message, Tone.WARNING, error.remedy)
