"""Composition of the window: what is built after the first paint, how it is joined, and in which order it ends."""

import contextlib
import sys
import time
from collections.abc import Callable, Iterable

from arena_desktop.app import GIGABYTE, Composition
from arena_desktop.audio.clip_file import read_clip
from arena_desktop.audio.devices import list_devices
from arena_desktop.audio.levels import prepare_pair
from arena_desktop.audio.reference import read_reference, with_reference
from arena_desktop.audio.types import Player
from arena_desktop.domain.roster import Roster
from arena_desktop.domain.settings import Settings
from arena_desktop.engines.types import FailureKind
from arena_desktop.errors import ArenaError
from arena_desktop.file_lock import FileLock
from arena_desktop.logs import LogFile
from arena_desktop.services.abilities import abilities_of
from arena_desktop.services.actions import Screen
from arena_desktop.services.after_voting import VotedModels
from arena_desktop.services.arena_votes import Speeds
from arena_desktop.services.battle_maker import BattleMaker
from arena_desktop.services.battles import Battles
from arena_desktop.services.board_file import BoardFiles
from arena_desktop.services.choices import Choices
from arena_desktop.services.exports import BoardReport, board_report
from arena_desktop.services.inbox import Inbox
from arena_desktop.services.jobs import JobThread
from arena_desktop.services.lenses import look
from arena_desktop.services.listen import Listen
from arena_desktop.services.looking import Looking
from arena_desktop.services.memory import give_back_large_blocks, leave_what_stays_alone
from arena_desktop.services.models import Models
from arena_desktop.services.models_page import ModelsPage
from arena_desktop.services.named_snapshots import NamedSnapshots
from arena_desktop.services.pages import Pages
from arena_desktop.services.pair_choice import PairNews
from arena_desktop.services.preparation import Preparer
from arena_desktop.services.preparing import Preparing
from arena_desktop.services.prompt_shelf import PromptShelf
from arena_desktop.services.rated_log import RatedLog
from arena_desktop.services.references import References
from arena_desktop.services.roster_reading import RosterReading
from arena_desktop.services.set_up import SetUps
from arena_desktop.services.settings_page import SettingsPage
from arena_desktop.services.trace import Trace
from arena_desktop.services.views import Line, Tone
from arena_desktop.store.heard import heard_readings, voted_models
from arena_desktop.window_exchange import exchange_of
from arena_desktop.window_history import history_of
from arena_desktop.window_models import downloads_of, examiner_of, measuring_of, search_of

Post = Callable[[Callable[[], None]], None]
_SWITCH_S = 0.001
"""A thread that reads a long log hands the interpreter over after this time; Python's usual 5 ms, some twenty times in
one repaint, would be seen.
"""


TWO_WINDOWS = (
    "Another window of Arena Desktop is open on the same data. Votes cast in either count; a change of settings or"
    " models in one is seen by the other after its next start, and the last to change a setting wins."
)


class WindowServices:
    """Implements :class:`arena_desktop.services.actions.Services`. Built on a background thread; everything it
    delivers to ``screen`` goes through ``post`` to the window's thread.
    """

    def __init__(self, composition: Composition, screen: Screen, post: Post, trace: Trace, speed: float) -> None:
        with contextlib.ExitStack() as undo:  # what a start that fails has opened is closed: it may be tried again
            votes = self._open(composition, screen, post, speed, undo)
            undo.pop_all()
        self._build(votes, trace)

    def _open(
        self, composition: Composition, screen: Screen, post: Post, speed: float, undo: contextlib.ExitStack
    ) -> RatedLog:
        """Everything that can fail for a reason that a person can mend."""
        give_back_large_blocks()
        sys.setswitchinterval(_SWITCH_S)
        self._log = LogFile(composition.paths)
        undo.callback(self._log.close)
        self._composition = composition
        self._screen = screen
        self._inbox = inbox = Inbox()
        inbox.set_waker(lambda: post(self._drain))
        self._notes: list[str] = []
        composition.tell = self._notes.append  # until there is a page to show them on
        preferences = composition.preferences
        _ = composition.roster  # may have to be mended: read before anything is started
        preferences.change(listener=composition.listener)
        composition.rosters.subscribe(lambda _: self._read_policy())  # the first: what others do hangs on it
        self._window_lock = _lock_window(composition, self._notes.append)
        undo.callback(self._window_lock.release)
        self._host = composition.host
        undo.callback(self._host.close)
        self._host.start()
        self._player = _player(composition, speed)
        undo.callback(self._player.close)
        self._player.start()
        self._store = store = JobThread(inbox, "store")
        undo.callback(store.close)
        undo.callback(lambda: store.run(composition.close))
        return store.run(
            lambda: RatedLog(
                composition.log,
                composition.board,
                you=lambda: preferences.settings.listener,
                breathe=store.let_urgent_through,
            )
        )

    def _build(self, votes: RatedLog, trace: Trace) -> None:
        """The pages' services, and how they are joined."""
        composition, screen, inbox = self._composition, self._screen, self._inbox
        roster, preferences = composition.roster, composition.preferences
        player, store = self._player, self._store
        self._set_ups = set_ups = SetUps(
            composition.environments,
            inbox,
            models=lambda: composition.roster.models.values(),
            changed=lambda: self._models.refresh(),
            made=self._environment_made,
            faults=lambda repo_id: self._host.failures(repo_id).counts.get(FailureKind.ENVIRONMENT, 0),
        )
        self._failures = composition.failure_book(lambda: store.ask(self._save_failures))
        self._voted = VotedModels(self._ask_voted, lambda: self._models.refresh())
        self._models = Models(
            roster,
            self._host,
            inbox,
            disabled=preferences.settings.disabled_models,
            save=lambda disabled: preferences.change(disabled_models=disabled),
            changed=screen.show_models,
            looked=lambda: self._choices.looked(),
            checked=self._models_checked,
            arena=lambda: preferences.settings.arena,
            heard=composition.measurements.heard,
            set_up=set_ups.offer,
            measured=composition.measurements.of,
            examined=composition.examinations.of,
            offers=frozenset({"examine", "measure"}),
            voted=lambda: self._voted.known,
            failures=self._failures,
        )
        self._measuring = measuring_of(
            composition, inbox=inbox, models=self._models, count=self._host.count, note=screen.show_note
        )
        self._examiner = examiner_of(
            composition, inbox=inbox, models=self._models, count=self._host.count, note=screen.show_note
        )
        self._votes, self._known_arenas = votes, frozenset(roster.arenas)
        self._preparer = preparer = Preparer(
            BattleMaker(
                composition.clips,
                prepare_pair,
                read_clip,
                composition.pace,
                composition.room,
                References(read_reference, with_reference),
            ),
            inbox,
            on_ready=lambda: self._battles.unblock(),
            on_failure=lambda failure: self._models.refresh(),
            on_stuck=lambda error: self._battles.block(_line(error.message, error.remedy)),
            on_stocked=lambda stocked: self._preparing.stocked(stocked),
            on_replaced=lambda: self._reading.read(),
            shelf=composition.plan_shelf,
            pace=composition.pace,
        )
        self._preparing = Preparing(preparer, screen.show_preparing)
        aside = JobThread(inbox, "looking")
        self._reading = reading = RosterReading(
            composition.rosters,
            aside,
            lambda error: screen.show_note(
                f"{str(error).rstrip('.')}. The roster as it was read before stays in force."
            ),
        )
        self._looking = looking = Looking(
            store=store,
            thread=aside,
            snapshot=NamedSnapshots(
                votes.votes, composition.listeners.all, lambda: Speeds(*composition.measurements.speeds())
            ),
            look=look,
            show=screen.show_lens,
        )
        self._news = news = PairNews(store, votes, preparer.know)

        def report(arena: str) -> BoardReport:
            votes.votes(arena)  # so that what others wrote to the log is in it
            return board_report(composition.board, arena)

        files = BoardFiles(store=store, thread=aside, report=report, written=screen.show_exported)
        self._pages = pages = Pages(
            store=store,
            boards=votes,
            models=self._models,
            take=preparer.take,
            voted=composition.clips.mark_voted,
            looking=looking,
            show=screen.show_board,
            write=files.write,
            votes_differ=lambda: news.tell(preferences.settings.arena),
            arena=preferences.settings.arena,
        )
        self._battles = Battles(
            preferences=preferences,
            player=player,
            surroundings=pages,
            store=store,
            votes=votes,
            trace=trace,
            show=screen.show_listen,
            clock=lambda: time.monotonic() * 1000,
            silent=composition.silent,
            longest_wait=preparer.wait_s,
        )
        self.history = history_of(
            composition,
            store=store,
            inbox=inbox,
            votes=votes,
            player=player,
            battles=self._battles,
            show=screen.show_history,
        )
        pages.stand_beside(self.history)
        self.exchange = exchange_of(
            composition,
            inbox=inbox,
            show=screen.show_exchange,
            caught_up=self._votes_came_in,
            held_back=lambda: bool(pages.held_back),
        )
        pages.stand_beside(self.exchange)
        pages.stand_beside(self._preparing)
        pages.stand_beside(reading)
        pages.stand_beside(self._voted)
        self._search = search = search_of(
            composition, inbox=inbox, player=player, lender=self._battles, show=screen.show_found
        )
        pages.stand_beside(search)
        self.downloads = downloads_of(composition, inbox=inbox, show=screen.show_downloads)
        self._choices = Choices(
            roster=roster,
            preferences=preferences,
            listeners=composition.listeners,
            models=self._models,
            shelf=PromptShelf(composition.text_key),
            preparer=preparer,
            battles=self._battles,
            arena_shown=self._arena_chosen,
            abilities=lambda models: abilities_of(models, self._host),
            heard=lambda listener, models, done: store.ask(
                lambda: heard_readings(composition.log, listener, models), done
            ),
        )
        self._settings_page = SettingsPage(
            preferences=preferences,
            list_devices=lambda: list_devices(composition.paths.runtime),
            show_devices=screen.show_devices,
            say=self._battles.say,
            inbox=inbox,
            clock=time.monotonic,
        )
        preferences.subscribe(self._settings_changed)
        composition.rosters.subscribe(self._roster_changed)
        self.listen = Listen(self._battles, self._choices, self._settings_page, self._preparing, also=self._poll_beside)
        self.board = pages
        self.models = ModelsPage(self._models, self._search, set_ups, self._measuring, self._examiner, self._look_anew)
        self.settings = self._settings_page
        self._closed = False
        inbox.post(self._begin)

    def close(self) -> None:
        """End all background work. Nothing is delivered any more."""
        if self._closed:
            return
        self._closed = True
        self._inbox.close()
        self._settings_page.close()
        self._end_children()
        self._preparer.close()
        self._models.close()
        self._measuring.close()
        self._examiner.close()
        self._set_ups.close()
        self._looking.close()
        self._search.close()
        self.downloads.close()
        self.history.close()
        self._store.run(lambda: None)  # votes on their way are in the log when it is synchronised for the last time
        self.exchange.close()
        # What was asked of the store before is done first: a vote on its way still reaches the log.
        self._store.run(self._composition.close)
        self._store.close()
        self._log.close()
        self._window_lock.release()

    def _end_children(self) -> None:
        self._host.close()
        self._player.close()

    def _drain(self) -> None:
        self._inbox.drain()

    def _begin(self) -> None:
        self._voted.votes_changed()
        settings = self._composition.settings
        self._player.set_volume(settings.volume_db)
        self._player.set_options(same_position=settings.playback == "same_position", loop=settings.loop)
        # First: an offer to set a model up could not come of itself while a battle is open.
        self._set_ups.look(self._models.check_again)
        self._choices.start()
        chosen = self._composition.preferences.settings.arena
        leave_what_stays_alone()  # the program itself, before the log is read
        self._pages.show_arena(chosen)
        self._store.ask(leave_what_stays_alone)  # done when that has read the log
        for arena in sorted(self._composition.roster.arenas, key=lambda arena: arena != chosen):
            self._news.tell(arena)
        self._settings_page.refresh_devices()
        self._search.begin()
        self.exchange.begin()
        self._composition.tell = lambda note: self._inbox.post(lambda: self._screen.show_note(note))
        notes = (*self._composition.settings_file.notes, *self._composition.listeners.notes, *self._notes)
        if notes:
            self._screen.show_note("\n".join(notes))

    def _save_failures(self) -> None:
        # A file that can't be written is no reason to disturb a battle: they are only counts.
        with contextlib.suppress(ArenaError):
            self._failures.save()

    def _poll_beside(self) -> None:
        self.history.poll()
        self._search.poll()

    def _models_checked(self) -> None:
        self._choices.retry()
        self._set_ups.look()
        preferences = self._composition.preferences
        if not preferences.settings.looked_for_models:
            # Once and for all, and not before the first battles can be prepared.
            self.models.first_look(lambda: preferences.change(looked_for_models=True))

    def _environment_made(self, repo_ids: Iterable[str]) -> None:
        """What could not be examined when it was added, because it could not speak, is examined now."""
        names = tuple(repo_ids)
        self._models.look_again(names)
        for repo_id in names:
            self._examiner.examine(repo_id)

    def _read_policy(self) -> None:
        """Whatever changed the roster may have written other names of models, too."""
        try:
            self._composition.read_policy()
        except ArenaError as error:
            self._screen.show_note(str(error))

    def _roster_changed(self, roster: Roster) -> None:
        before = self._known_arenas
        self._known_arenas = frozenset(roster.arenas)
        self._choices.keep_to(roster)
        self._models.use_roster(roster)
        self._set_ups.look()
        policy, chosen = self._composition.policy, self._composition.preferences.settings.arena
        self._pages.roster_changed(lambda: self._votes.use_roster(roster, policy), roster.arenas, chosen)
        self._choices.use_roster(roster)
        for arena in self._known_arenas - before:
            self._news.tell(arena)

    def _look_anew(self) -> None:
        self._reading.read()
        self._composition.examinations.look_anew()
        self._composition.measurements.look_anew()

    def _ask_voted(self, done: Callable[[frozenset[str]], None]) -> None:
        listener, held_back = self._composition.preferences.settings.listener, self._pages.held_back
        self._store.ask(lambda: voted_models(self._composition.log, listener, held_back), done)

    def _votes_came_in(self, asked: bool) -> None:
        """``asked``: a person at this window has brought them in, and sees at once what may be seen of it."""
        if asked:
            self.history.brought_in()
            self._pages.brought_in()
        else:
            self._pages.look_around()

    def _arena_chosen(self, arena: str) -> None:
        self._pages.show_arena(arena)
        self._news.tell(arena)

    def _settings_changed(self, before: Settings, after: Settings) -> None:
        if after.output_device != before.output_device:
            self._player.set_device(after.output_device)
        if after.latency != before.latency:
            self._player.set_latency(after.latency)
            self._battles.repeat_trial()
        if (after.playback, after.loop) != (before.playback, before.loop):
            self._player.set_options(same_position=after.playback == "same_position", loop=after.loop)
        if after.cache_gb != before.cache_gb:
            self._composition.cache.set_limit(int(after.cache_gb * GIGABYTE))
        if after.device != before.device:
            self._host.set_device(after.device)
        if after.listener != before.listener:
            self._voted.votes_changed()
        if (after.target_lufs, after.disabled_models, after.pair_choice) != (
            before.target_lufs,
            before.disabled_models,
            before.pair_choice,
        ):
            self._choices.refresh()


def _line(text: str, remedy: str = "") -> Line:
    return Line(text, Tone.WARNING, remedy)


def _lock_window(composition: Composition, tell: Callable[[str], None]) -> FileLock:
    """What shows other windows on the same data that this one is open, and ``tell`` whether there was one already."""
    database = composition.paths.database
    lock = FileLock(database.with_name(f"{database.name}.window-lock"))
    if not lock.try_alone() and not lock.share(0.0):  # a disk without locks would share
        tell(TWO_WINDOWS)
    return lock


def _player(composition: Composition, speed: float) -> Player:
    if composition.silent:
        from arena_desktop.audio.silent import SilentPlayer

        return SilentPlayer(speed)
    from arena_desktop.audio.host import ProcessPlayer

    settings = composition.settings
    return ProcessPlayer(composition.paths.runtime, composition.paths.logs, settings.latency, settings.output_device)
