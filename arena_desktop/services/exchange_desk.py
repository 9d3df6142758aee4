"""Votes in and out, as the window asks for it: one exchange at a time, told about as it goes on, stopped when asked."""

import contextlib
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TypeVar

from arena_desktop.domain.roster import Roster
from arena_desktop.errors import ArenaError
from arena_desktop.services.cancelling import Cancelled
from arena_desktop.services.exchange_views import ExchangeView, ExportWish, ImportPreview, ShareView, Step, SyncState
from arena_desktop.services.exchange_words import problems_of, synced_line
from arena_desktop.services.exchange_work import ExchangeWork
from arena_desktop.services.jobs import JobThread
from arena_desktop.services.preferences import Preferences
from arena_desktop.services.sync import SyncReport
from arena_desktop.services.views import Line, Tone

T = TypeVar("T")
_PAUSE_S = 0.1
"""Progress is told at most so often."""
REST_S = 60.0
"""The log is synchronised by itself at most so often."""
LAST_S = 2.0
"""How long the last synchronisation may take, when the window closes."""


class _Job:
    """One exchange. Called on its thread with the number of records done."""

    def __init__(self, step: Step, told: Callable[["_Job", int], None], clock: Callable[[], float]) -> None:
        self.step = step
        self.of = 0
        self.unit = "records"
        self.by_itself = False
        self._told = told
        self._clock = clock
        self._stopped = threading.Event()
        self._until = float("inf")
        self._next = 0.0

    def stop(self) -> None:
        """End it at the next word of progress."""
        self._stopped.set()

    def limit(self, seconds: float) -> None:
        """End it after so long."""
        self._until = self._clock() + seconds

    def __call__(self, done: int) -> None:
        now = self._clock()
        if self._stopped.is_set() or now > self._until:
            raise Cancelled
        if now >= self._next or done >= self.of > 0:  # that the end is reached is not to be missed
            self._next = now + _PAUSE_S
            self._told(self, done)


class ExchangeDesk:
    """Implements :class:`arena_desktop.services.actions.ExchangeActions`. Owns ``thread``, and ``work`` on it.

    ``show`` draws a view, ``caught_up`` is called when votes came in, with whether a person asked for them.
    ``use_roster`` is given the roster into which models were entered. ``held_back`` tells whether the names of some
    votes must not be shown yet. ``now`` gives local time, ``clock`` seconds that never run back.

    While a battle is open what a person asked for is shown as it goes on; what happens by itself is shown when the
    battle is closed.
    """

    def __init__(
        self,
        *,
        thread: JobThread,
        post: Callable[[Callable[[], None]], None],
        work: ExchangeWork,
        preferences: Preferences,
        show: Callable[[ExchangeView], None],
        caught_up: Callable[[bool], None],
        use_roster: Callable[[Roster], object],
        held_back: Callable[[], bool],
        now: Callable[[], datetime],
        clock: Callable[[], float],
    ) -> None:
        self._thread = thread
        self._post = post
        self._work = work
        self._preferences = preferences
        self._show = show
        self._caught_up = caught_up
        self._use_roster = use_roster
        self._held_back = held_back
        self._now = now
        self._clock = clock
        settings = preferences.settings
        self._view = ExchangeView(sync=SyncState(settings.sync_folder, settings.sync_private))
        self._job: _Job | None = None
        self._still = False
        self._late = False
        self._unsent = False
        self._reached = False
        self._rested = 0.0

    # --- what the window asks ----------------------------------------------------------------------------------------

    def begin(self) -> None:
        """The window is there: show how things stand, and synchronise if a folder is set."""
        self._show(self._view)
        self._sync_by_itself()

    def read_files(self, paths: Sequence[str], source: str = "") -> None:
        """Read files and show what an import of them would do."""

        def shown(preview: ImportPreview) -> None:
            self._set(step=Step.PREVIEW, preview=preview)

        def work(job: _Job) -> ImportPreview:
            size = self._work.size(paths)
            piece, job.unit = (1_000_000, "MB") if size >= 10_000_000 else (1000, "kB")
            job.of = -(-size // piece)
            return self._work.read(paths, source, lambda read: job(min(job.of, -(-read // piece))))

        self._start(Step.READING, work, shown)

    def store_files(self, add_models: bool) -> None:
        """Import what the preview showed."""
        preview = self._view.preview
        if self._view.step is not Step.PREVIEW or preview is None:
            return

        def stored(done: tuple[Line, Roster | None]) -> None:
            line, roster = done
            if roster is not None:
                self._use_roster(roster)
            self._set(step=Step.DONE, line=line)
            self._caught_up(True)

        def work(job: _Job) -> tuple[Line, Roster | None]:
            job.of = preview.new + preview.already
            line = self._work.store(add_models, job)
            return line, self._work.roster_now() if add_models else None

        self._start(Step.STORING, work, stored, preview=preview)

    def ask_share(self, wish: ExportWish) -> None:
        """Show exactly what this export would hand over."""
        held_back = self._held_back()

        def shown(share: ShareView) -> None:
            self._set(step=Step.PREVIEW, share=share)

        def work(job: _Job) -> ShareView:
            job.of = self._work.count()
            return self._work.share(wish, held_back, job)

        self._start(Step.READING, work, shown)

    def export(self, wish: ExportWish, path: str) -> None:
        """Write votes to a file."""

        def work(job: _Job) -> Line:
            job.of = self._work.count()
            return self._work.export(wish, path, job)

        self._start(Step.WRITING, work, lambda line: self._set(step=Step.DONE, line=line), share=self._view.share)

    def cancel(self) -> None:
        """Stop what is going on; a preview or a result is put away."""
        if self._job is not None and not self._job.by_itself:
            self._job.stop()
            return
        self._thread.ask(self._work.drop)
        self._set(step=Step.IDLE)

    def choose_sync_folder(self, folder: str, private: bool) -> None:
        """Synchronise with this folder from now on; "" with none."""
        self._preferences.change(sync_folder=folder, sync_private=private)
        self._reached = False
        self._set_sync(SyncState(folder, private), asked=True)
        if self._job is not None and self._job.step is Step.SYNCING:
            self._job.stop()  # it is for the old folder
            self._job = None
        if folder:
            self.sync()

    def sync(self) -> None:
        """Synchronise now."""
        folder, private = self._view.sync.folder, self._view.sync.private
        if folder:
            self._start(Step.SYNCING, lambda job: self._work.sync(folder, private, job), self._synced)

    # --- beside the battles ------------------------------------------------------------------------------------------

    def hold(self) -> None:
        """A battle is open: from now on nothing is shown that nobody asked for."""
        self._still = True

    def release(self) -> None:
        """The battle is closed: show what has happened since, and see whether votes wait to be sent."""
        self._still = False
        if self._late:
            self._late = False
            self._show(self._view)
        if self._unsent and self._clock() - self._rested >= REST_S:
            self._sync_by_itself()

    def votes_changed(self) -> None:
        """There may be votes to send."""
        self._unsent = True

    def close(self) -> None:
        """End what is going on. Votes that wait to be sent still go, if the folder was within reach, and quickly."""
        if self._job is not None:
            self._job.stop()
        sync = self._view.sync
        if sync.folder and self._unsent and self._reached:
            last = _Job(Step.SYNCING, lambda job, done: None, self._clock)
            last.limit(LAST_S)
            self._thread.ask(lambda: self._last(sync, last))
        self._thread.ask(self._work.close)
        self._thread.close()

    # --- inside ------------------------------------------------------------------------------------------------------

    def _last(self, sync: SyncState, job: _Job) -> None:
        with contextlib.suppress(ArenaError, Cancelled):  # the next start tries again, and then says what is wrong
            self._work.sync(sync.folder, sync.private, job)

    def _start(
        self,
        step: Step,
        work: Callable[[_Job], T],
        done: Callable[[T], None],
        *,
        preview: ImportPreview | None = None,
        share: ShareView | None = None,
    ) -> None:
        """Begin an exchange that somebody asked for. One that goes on by itself gives way."""
        if self._job is not None and not self._job.by_itself:
            return
        if self._job is not None:
            self._job.stop()
        job = self._job = _Job(step, self._tell, self._clock)
        if step is Step.SYNCING:
            self._unsent = False  # what is stored from now on may miss it
        self._set(step=step, can_cancel=True, preview=preview, share=share)

        def finished(result: T) -> None:
            if self._job is job:
                self._job = None
                done(result)

        def failed(error: Exception) -> None:
            if self._job is job:
                self._job = None
                self._failed(error, step)

        self._thread.ask(lambda: work(job), finished, failed)

    def _failed(self, error: Exception, step: Step) -> None:
        self._thread.ask(self._work.drop)
        self._unsent = self._unsent or step is Step.SYNCING
        if step is Step.SYNCING and isinstance(error, ArenaError):
            self._view = replace(self._view, sync=replace(self._view.sync, line=_not_synced(error)))
        if isinstance(error, Cancelled):
            self._set(step=Step.IDLE)
        elif isinstance(error, ArenaError):
            self._set(step=Step.FAILED, line=Line(error.message, Tone.ERROR, error.remedy))
        else:
            self._set(step=Step.FAILED, line=Line("Something went wrong inside the program.", Tone.ERROR))
            raise error  # a bug, which the window reports

    def _synced(self, report: SyncReport) -> None:
        self._take_note(report, asked=True)
        self._set(step=Step.DONE, line=self._view.sync.line)

    def _sync_by_itself(self) -> None:
        sync = self._view.sync
        if not sync.folder or self._job is not None or self._view.step in (Step.PREVIEW, Step.STORING):
            return
        job = self._job = _Job(Step.SYNCING, lambda job, done: None, self._clock)
        job.by_itself = True
        self._unsent = False

        def finished(report: SyncReport) -> None:
            if self._job is job:
                self._job = None
                self._take_note(report, asked=False)

        def failed(error: Exception) -> None:
            self._unsent = True
            if self._job is job:
                self._job = None
                self._rested = self._clock()
            if isinstance(error, ArenaError):
                self._set_sync(replace(self._view.sync, line=_not_synced(error)), asked=False)
            elif not isinstance(error, Cancelled):
                raise error

        self._thread.ask(lambda: self._work.sync(sync.folder, sync.private, job), finished, failed)

    def _take_note(self, report: SyncReport, *, asked: bool) -> None:
        self._rested = self._clock()
        self._reached = not report.unfinished
        self._unsent = self._unsent or bool(report.unfinished)
        line, problems = synced_line(report, self._now()), problems_of(report)
        self._set_sync(replace(self._view.sync, line=line, problems=problems), asked=asked)
        if report.imported.new or report.imported.already:
            self._caught_up(asked)

    def _tell(self, job: _Job, done: int) -> None:
        """On the exchange's thread: how far it is."""

        def deliver() -> None:
            if self._job is job:
                # The last record is taken over: what is left is to write it all, which nothing stops.
                ending = job.step is Step.STORING and done >= job.of > 0
                can_cancel = self._view.can_cancel and not ending
                self._view = replace(self._view, done=done, of=job.of, unit=job.unit, can_cancel=can_cancel)
                self._show(self._view)

        self._post(deliver)

    def _set(
        self,
        *,
        step: Step,
        can_cancel: bool = False,
        preview: ImportPreview | None = None,
        share: ShareView | None = None,
        line: Line | None = None,
    ) -> None:
        """Where the exchange that somebody asked for is now."""
        self._view = ExchangeView(step, 0, 0, "records", can_cancel, preview, share, line or Line(), self._view.sync)
        self._show(self._view)

    def _set_sync(self, sync: SyncState, *, asked: bool) -> None:
        self._view = replace(self._view, sync=sync)
        if self._still and not asked:
            self._late = True
        else:
            self._show(self._view)


def _not_synced(error: ArenaError) -> Line:
    return Line(f"Not synchronised: {error.message}", Tone.WARNING, error.remedy)
