"""Downloads as the window asks for them: looked at first, then brought, several at once, stopped when asked."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from arena_desktop.domain.hub import HubFile, HubModel, read_address
from arena_desktop.domain.hub_selection import Picked, pick
from arena_desktop.errors import ArenaError
from arena_desktop.services.download_views import Download, DownloadState, DownloadsView, OfferedFile
from arena_desktop.services.download_work import DownloadWork
from arena_desktop.services.views import Line, Tone
from arena_desktop.store.hub.faults import Stopped
from arena_desktop.store.hub.stopper import Stopper

T = TypeVar("T")
AT_ONCE = 2
"""Models that are brought at the same time; the others wait."""
LAST_S = 1.0
"""How long what is under way may take to end, when the window closes."""

_CHOOSABLE = (DownloadState.OFFERED, DownloadState.STOPPED, DownloadState.FAILED)


@dataclass
class _Job:
    """One download, as it is known here."""

    shown: Download
    model: HubModel | None = None
    picked: tuple[Picked, ...] = ()
    here: dict[str, int] = field(default_factory=dict)
    stopper: Stopper | None = None
    thread: threading.Thread | None = None
    threads: list[threading.Thread] = field(default_factory=list)

    @property
    def files(self) -> tuple[HubFile, ...]:
        """The wanted ones."""
        return tuple(one.file for one in self.picked if one.wanted)


class Downloads:
    """Implements :class:`arena_desktop.services.actions.DownloadActions`.

    All calls come from the services' thread, and so do all calls of ``show`` and of ``arrived``, which is handed the
    folder of a model that is whole. ``endpoint`` tells which hub is asked when none is named, ``keep`` is told of a hub
    that was named and has answered. No connection is opened before :meth:`look` or :meth:`start`.
    """

    def __init__(
        self,
        *,
        work: DownloadWork,
        post: Callable[[Callable[[], None]], None],
        show: Callable[[DownloadsView], None],
        endpoint: Callable[[], str],
        keep: Callable[[str], None] = lambda endpoint: None,
        arrived: Callable[[Path], None] = lambda place: None,
    ) -> None:
        self._work, self._post, self._show = work, post, show
        self._endpoint, self._keep, self._arrived = endpoint, keep, arrived
        self._jobs: dict[int, _Job] = {}
        self._count = 0
        self._opening = False
        self._closed = False

    # --- what the window asks ----------------------------------------------------------------------------------------

    def open(self) -> None:
        """The dialog is looked at: show what there is, also what was begun before and not ended."""
        self._tell()
        if not self._opening:
            self._opening = True
            threading.Thread(target=self._look_around, name="download-look", daemon=True).start()

    def look(self, repo: str, revision: str = "", endpoint: str = "") -> None:
        """Ask the hub what there is of ``repo``. Nothing is brought."""
        repo, its_revision, its_hub = read_address(repo)
        revision = revision.strip() or its_revision
        job = self._new(repo, (endpoint.strip() or its_hub or self._endpoint()).strip().rstrip("/"))
        job.stopper = Stopper()
        self._tell()

        def work(stopper: Stopper) -> tuple[HubModel, dict[str, int]]:
            model = self._work.look(repo, revision, job.shown.endpoint, stopper)
            return model, self._work.here(model)

        def done(found: tuple[HubModel, dict[str, int]]) -> None:
            model, job.here = found
            if endpoint.strip():
                self._keep(model.endpoint)
            self._offer(job, model, pick(model.files))
            self._drop_twins(job)

        self._run(job, work, done)

    def choose(self, id_: int, path: str, wanted: bool) -> None:
        """Want a file, or leave it out."""
        job = self._jobs.get(id_)
        if job is not None and job.shown.state in _CHOOSABLE:
            job.picked = tuple(replace(one, wanted=wanted) if one.file.path == path else one for one in job.picked)
            self._draw_files(job)
            self._tell()

    def narrow(self, id_: int, pattern: str) -> None:
        """Want the files whose names are like ``pattern`` alone; "" wants what is usually needed."""
        job = self._jobs.get(id_)
        if job is not None and job.model is not None and job.shown.state in _CHOOSABLE:
            job.picked = pick(job.model.files, pattern.split())
            self._draw_files(job)
            self._tell()

    def start(self, id_: int) -> None:
        """Bring what is wanted, or go on with it."""
        job = self._jobs.get(id_)
        if job is not None and job.shown.state in _CHOOSABLE and job.model is not None:
            self._set(job, state=DownloadState.WAITING, line=Line("Waits until another download is done."), rate=0.0)
            self._start_next()
            self._tell()

    def cancel(self, id_: int) -> None:
        """Stop it; what has arrived is kept. It counts as stopped at once, whatever still winds up."""
        job = self._jobs.get(id_)
        if job is None:
            return
        stopper, job.stopper = job.stopper, None
        if stopper is not None:
            stopper.stop()
        if job.shown.state is DownloadState.LOOKING:
            self._jobs.pop(id_, None)
        elif job.shown.state in (DownloadState.WAITING, DownloadState.RUNNING):
            line = Line("Stopped. What has arrived is kept.")
            self._set(job, state=DownloadState.STOPPED, rate=0.0, line=line)
        self._start_next()
        self._tell()

    def forget(self, id_: int) -> None:
        """Put it away. What has arrived of an unfinished one is removed."""
        job = self._jobs.get(id_)
        if job is None:
            return
        self.cancel(id_)
        self._jobs.pop(id_, None)
        if job.model is not None and job.shown.state is not DownloadState.DONE:
            model = job.model

            def drop() -> None:
                for thread in job.threads:
                    thread.join()
                self._work.drop(model)

            thread = threading.Thread(target=lambda: self._quietly(drop), name="download-drop", daemon=True)
            thread.start()
        self._tell()

    def close(self) -> None:
        """End what is under way; what has arrived is kept."""
        self._closed = True
        for job in self._jobs.values():
            if job.stopper is not None:
                job.stopper.stop()
        for job in self._jobs.values():
            for thread in job.threads:
                thread.join(LAST_S)

    # --- inside ------------------------------------------------------------------------------------------------------

    def _new(self, repo: str, endpoint: str) -> _Job:
        self._count += 1
        job = _Job(Download(self._count, repo, DownloadState.LOOKING, endpoint=endpoint))
        self._jobs[self._count] = job
        return job

    def _look_around(self) -> None:
        """On a thread of its own: what waits on the disk."""
        try:
            found = [(waiting.model, self._work.here(waiting.model)) for waiting in self._work.waiting()]
        except OSError:
            found = []  # a disk that can't be read has nothing to go on with
        self._post(lambda: self._take_up(found))

    def _take_up(self, found: Sequence[tuple[HubModel, dict[str, int]]]) -> None:
        self._opening = False
        known = {(job.shown.repo, job.shown.revision) for job in self._jobs.values()}
        for model, here in found:
            if (model.repo, model.revision) not in known:
                job = self._new(model.repo, model.endpoint)
                job.here = here
                self._offer(job, model, tuple(Picked(file, wanted=True) for file in model.files))
                line = Line("Begun before and not ended. What has arrived is kept.")
                self._set(job, state=DownloadState.STOPPED, line=line)
        self._tell()

    def _offer(self, job: _Job, model: HubModel, picked: tuple[Picked, ...]) -> None:
        job.model, job.picked = model, picked
        job.shown = replace(
            job.shown,
            repo=model.repo,
            state=DownloadState.OFFERED,
            revision=model.revision,
            endpoint=model.endpoint,
            license=model.license,
            license_url=model.license_url,
            gated=model.gated,
            refused=model.refused,
            line=Line(),
        )
        self._draw_files(job)

    def _draw_files(self, job: _Job) -> None:
        files = tuple(OfferedFile(one.file.path, one.file.size, one.wanted, one.why, one.pickle) for one in job.picked)
        of = sum(one.size for one in files if one.wanted)
        here = sum(job.here.get(one.path, 0) for one in files if one.wanted)
        job.shown = replace(job.shown, files=files, of=of, here=here)

    def _drop_twins(self, job: _Job) -> None:
        """A model that is looked at again stands in the list once."""
        for id_, other in list(self._jobs.items()):
            same = (other.shown.repo, other.shown.revision) == (job.shown.repo, job.shown.revision)
            if other is job or not same:
                continue
            if other.stopper is None:
                del self._jobs[id_]
            else:  # it is under way: the older one stays
                del self._jobs[job.shown.id]
                return

    def _start_next(self) -> None:
        """Begin what waits, as far as there is room beside what is under way."""
        running = sum(job.shown.state is DownloadState.RUNNING for job in self._jobs.values())
        for job in self._jobs.values():
            if running < AT_ONCE and job.shown.state is DownloadState.WAITING and job.model is not None:
                self._begin(job, job.model)
                running += 1

    def _begin(self, job: _Job, model: HubModel) -> None:
        job.stopper = stopper = Stopper()
        self._set(job, state=DownloadState.RUNNING, line=Line())
        before = list(job.threads)
        files = job.files

        def progress(here: int, rate: float, words: str) -> None:
            def deliver() -> None:
                if job.stopper is stopper:
                    self._set(job, here=here, rate=rate, line=Line(words, Tone.WARNING if words else Tone.INFO))
                    self._tell()

            self._post(deliver)

        def work(stopper: Stopper) -> Path:
            for thread in before:  # what was stopped a moment ago may still be winding up
                thread.join()
            return self._work.bring(model, files, stopper, progress)

        def done(place: Path) -> None:
            self._set(
                job,
                state=DownloadState.DONE,
                here=job.shown.of,
                rate=0.0,
                place=str(place),
                line=Line("Whole and checked."),
            )
            self._arrived(place)

        self._run(job, work, done)

    def _run(self, job: _Job, work: Callable[[Stopper], T], done: Callable[[T], None]) -> None:
        """Do ``work`` on a thread of its own. What comes of it counts unless it was stopped before."""
        stopper = job.stopper
        assert stopper is not None

        def settle(then: Callable[[], None]) -> None:
            if job.stopper is stopper and not self._closed:
                job.stopper = None
                then()
                self._start_next()
                self._tell()

        def body() -> None:
            try:
                result = work(stopper)
            except Stopped:
                return  # whoever stopped it has said so
            except ArenaError as error:
                line = Line(error.message, Tone.ERROR, error.remedy)
                self._post(lambda: settle(lambda: self._set(job, state=DownloadState.FAILED, rate=0.0, line=line)))
            except Exception as error:
                bug = error
                self._post(lambda: settle(lambda: self._fail(job, bug)))
            else:
                self._post(lambda: settle(lambda: done(result)))

        thread = threading.Thread(target=body, name=f"download {job.shown.id}", daemon=True)
        job.threads = [one for one in job.threads if one.is_alive()] + [thread]
        thread.start()

    def _fail(self, job: _Job, bug: Exception) -> None:
        line = Line("Something went wrong inside the program.", Tone.ERROR)
        self._set(job, state=DownloadState.FAILED, rate=0.0, line=line)
        self._tell()
        raise bug  # which the window reports

    def _quietly(self, work: Callable[[], None]) -> None:
        """What can't be removed now is offered again as unfinished the next time."""
        try:
            work()
        except (ArenaError, OSError):
            return

    def _set(self, job: _Job, **changes: object) -> None:
        job.shown = replace(job.shown, **changes)  # type: ignore[arg-type]

    def _tell(self) -> None:
        if not self._closed:
            self._show(DownloadsView(self._endpoint(), tuple(job.shown for job in self._jobs.values())))
