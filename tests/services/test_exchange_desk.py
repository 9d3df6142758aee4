"""Votes in and out through the window's services: what the views say, and what is left when one is stopped."""

import gzip
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from arena_desktop.domain.policy import Policy
from arena_desktop.domain.roster import ModelSpec, Roster
from arena_desktop.domain.settings import Settings
from arena_desktop.services.exchange_desk import REST_S, ExchangeDesk
from arena_desktop.services.exchange_views import ExchangeView, ExportWish, Step
from arena_desktop.services.exchange_work import ExchangeWork
from arena_desktop.services.inbox import Inbox
from arena_desktop.services.jobs import JobThread
from arena_desktop.services.preferences import Preferences
from arena_desktop.services.views import Tone
from arena_desktop.ui.exchange.progress import progress_words
from tests.helpers.vote_logs import ROSTER, draft, foreign_record, open_log, write_lines

WITH_MORE = Roster({**ROSTER.models, "y/unknown": ModelSpec("y/unknown", "Unknown")}, ROSTER.arenas)


class Keeper:
    def save(self, settings: Settings) -> None:
        pass


class Desk:
    """A desk on a log in ``folder``, and everything it showed."""

    def __init__(self, folder: Path, **settings: object) -> None:
        self.folder = folder
        self.views: list[ExchangeView] = []
        self.caught_up = 0
        self.held_back = False
        self.seconds = 0.0
        self.inbox = Inbox()
        self._woken = threading.Event()
        self.inbox.set_waker(self._woken.set)
        self.preferences = Preferences(Settings(**settings), Keeper())  # type: ignore[arg-type]
        self.added: list[object] = []
        self.rosters: list[Roster] = []
        work = ExchangeWork(
            open_log=lambda: open_log(folder),
            roster=ROSTER,
            policy=lambda: Policy(),
            silent=False,
            is_own=lambda path: path.name == "votes.sqlite",
            add_models=lambda found: [f"Added {len(found.models)} models."],
            load_roster=lambda: WITH_MORE,
        )
        self.desk = ExchangeDesk(
            thread=JobThread(self.inbox, "exchange"),
            post=self.inbox.post,
            work=work,
            preferences=self.preferences,
            show=self.views.append,
            caught_up=self._catch_up,
            use_roster=self.rosters.append,
            held_back=lambda: self.held_back,
            now=lambda: datetime(2026, 3, 1, 5, 31, tzinfo=UTC),
            clock=lambda: self.seconds,
        )

    @property
    def view(self) -> ExchangeView:
        return self.views[-1]

    def until(self, wanted: Callable[[], object]) -> None:
        while not wanted():
            assert self._woken.wait(20), f"nothing more came; the view is {self.views[-1:]}"
            self._woken.clear()
            self.inbox.drain()

    def until_step(self, step: Step) -> ExchangeView:
        self.until(lambda: self.views and self.view.step is step)
        return self.view

    def _catch_up(self, asked: bool) -> None:
        self.caught_up += 1


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path / "a")
    yield made
    made.desk.close()


def votes_file(folder: Path, count: int = 3) -> Path:
    records = [foreign_record(id=f"01900000-0000-7000-8000-{n:012d}", seq=n + 1) for n in range(count)]
    return write_lines(folder / "votes.jsonl", records)


def test_an_import_is_shown_before_it_is_done(tmp_path: Path, desk: Desk) -> None:
    desk.desk.read_files([str(votes_file(tmp_path))])
    preview = desk.until_step(Step.PREVIEW).preview
    assert preview is not None
    assert (preview.new, preview.already) == (3, 0)
    assert [(one.format, one.records) for one in preview.files] == [("records, one a line", 3)]
    with open_log(tmp_path / "a") as log:
        assert log.count() == 0
        desk.desk.store_files(add_models=False)
        assert desk.until_step(Step.DONE).line.text.startswith("3 new records imported")
        assert (log.count(), desk.caught_up) == (3, 1)


def test_a_preview_that_is_put_away_stores_nothing(tmp_path: Path, desk: Desk) -> None:
    desk.desk.read_files([str(votes_file(tmp_path))])
    desk.until_step(Step.PREVIEW)
    desk.desk.cancel()
    assert desk.view == ExchangeView()
    desk.desk.store_files(add_models=False)
    desk.desk.ask_share(ExportWish())
    share = desk.until_step(Step.PREVIEW).share
    assert share is not None
    assert share.records == 0


def test_another_preview_takes_the_place_of_the_first(tmp_path: Path, desk: Desk) -> None:
    desk.desk.read_files([str(votes_file(tmp_path))])
    desk.until_step(Step.PREVIEW)
    (tmp_path / "other").mkdir()
    desk.desk.read_files([str(votes_file(tmp_path / "other", 1))])
    desk.until(lambda: desk.view.preview is not None and desk.view.preview.new == 1)
    desk.desk.store_files(add_models=False)
    assert desk.until_step(Step.DONE).line.text.startswith("1 new record imported")


def test_unknown_models_are_added_when_that_is_wished(tmp_path: Path, desk: Desk) -> None:
    record = foreign_record(model_a={"repo_id": "y/unknown"})
    desk.desk.read_files([str(write_lines(tmp_path / "f.jsonl", [record]))])
    preview = desk.until_step(Step.PREVIEW).preview
    assert preview is not None
    assert preview.unknown_models == ("y/unknown",)
    desk.desk.store_files(add_models=True)
    assert "Added 1 models." in desk.until_step(Step.DONE).line.text
    assert desk.rosters == [WITH_MORE], "what is added counts at once"


def test_what_cannot_be_read_is_said(tmp_path: Path, desk: Desk) -> None:
    desk.desk.read_files([str(tmp_path / "none.jsonl")])
    view = desk.until_step(Step.FAILED)
    assert view.line.tone is Tone.ERROR
    assert "none.jsonl" in view.line.text


def test_a_stopped_import_leaves_the_log_as_it_was(tmp_path: Path, desk: Desk) -> None:
    desk.desk.read_files([str(votes_file(tmp_path, 3000))])
    desk.desk.cancel()
    assert desk.until_step(Step.IDLE).preview is None
    with open_log(tmp_path / "a") as log:
        assert log.count() == 0


def test_an_export_tells_where_it_is_and_what_it_wrote(tmp_path: Path, desk: Desk) -> None:
    with open_log(tmp_path / "a") as log:
        log.append_vote(draft())
    desk.desk.ask_share(ExportWish())
    share = desk.until_step(Step.PREVIEW).share
    assert share is not None
    assert share.records == 1
    desk.desk.export(ExportWish(), str(tmp_path / "out.jsonl"))
    assert desk.until_step(Step.DONE).line.text == f"1 record written to {tmp_path / 'out.jsonl'}."
    assert len((tmp_path / "out.jsonl").read_bytes().splitlines()) == 2
    desk.desk.export(ExportWish(), str(tmp_path / "a" / "votes.sqlite"))
    assert "keeps for itself" in desk.until_step(Step.FAILED).line.text


def test_no_example_shows_names_that_are_held_back(tmp_path: Path, desk: Desk) -> None:
    with open_log(tmp_path / "a") as log:
        log.append_vote(draft())
    desk.desk.ask_share(ExportWish())
    share = desk.until_step(Step.PREVIEW).share
    assert share is not None
    assert any(field.example for field in share.fields)
    desk.desk.cancel()
    desk.held_back = True
    desk.desk.ask_share(ExportWish())
    share = desk.until_step(Step.PREVIEW).share
    assert share is not None
    assert not any(field.example for field in share.fields)


def test_choosing_a_folder_synchronises(tmp_path: Path, desk: Desk) -> None:
    (tmp_path / "shared").mkdir()
    with open_log(tmp_path / "a") as log:
        log.append_vote(draft())
        desk.desk.choose_sync_folder(str(tmp_path / "shared"), private=False)
        view = desk.until_step(Step.DONE)
        assert view.sync.line.text == "Synchronised at 05:31: 0 new records from 0 other stations, 1 sent."
        assert desk.preferences.settings.sync_folder == str(tmp_path / "shared")
        assert (tmp_path / "shared" / str(log.station_id()) / "000000000001.jsonl").exists()


def test_a_folder_that_is_gone_is_said(tmp_path: Path, desk: Desk) -> None:
    (tmp_path / "shared").mkdir()
    desk.desk.choose_sync_folder(str(tmp_path / "shared"), private=False)
    assert desk.until_step(Step.DONE).sync.line.text.startswith("Synchronised")
    (tmp_path / "shared").rename(tmp_path / "away")
    desk.desk.sync()
    view = desk.until_step(Step.FAILED)
    assert "is not there" in view.line.text
    desk.desk.cancel()
    assert "is not there" in desk.view.sync.line.text, "the page says what the dialog said"
    assert desk.view.sync.line.remedy == view.line.remedy
    desk.desk.choose_sync_folder("", private=False)
    desk.desk.sync()
    assert desk.view.sync.folder == ""


def with_votes(folder: Path, shared: Path) -> None:
    """Another machine's votes in the folder."""
    from arena_desktop.services.sync import sync_folder

    with open_log(folder) as log:
        log.append_vote(draft())
        sync_folder(log, shared, roster=ROSTER)


def test_a_synchronisation_by_itself_waits_for_the_end_of_the_battle_to_be_shown(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    with_votes(tmp_path / "b", shared)
    made = Desk(tmp_path / "a", sync_folder=str(shared))
    try:
        made.desk.hold()
        made.desk.begin()
        shown = len(made.views)
        made.until(lambda: made.caught_up)
        assert len(made.views) == shown, "while a battle is open nothing changes by itself"
        made.desk.release()
        assert made.view.sync.line.text.startswith("Synchronised at 05:31: 1 new record")
        assert made.view.step is Step.IDLE
    finally:
        made.desk.close()


def test_votes_are_sent_between_battles_and_not_at_each(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    made = Desk(tmp_path / "a", sync_folder=str(shared))
    try:
        made.desk.begin()
        made.until(lambda: made.view.sync.line.text)
        with open_log(tmp_path / "a") as log:
            log.append_vote(draft())
        made.desk.votes_changed()
        made.desk.release()
        assert not list(shared.iterdir())
        made.seconds += REST_S
        made.desk.release()
        made.until(lambda: "1 sent" in made.view.sync.line.text)
    finally:
        made.desk.close()


def test_votes_that_wait_go_when_the_window_closes(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    made = Desk(tmp_path / "a", sync_folder=str(shared))
    made.desk.begin()
    made.until(lambda: made.view.sync.line.text)
    with open_log(tmp_path / "a") as log:
        log.append_vote(draft())
    made.desk.votes_changed()
    made.desk.close()
    assert len(list(shared.glob("*/*.jsonl"))) == 1


@pytest.mark.parametrize("asked", [False, True])
def test_a_vote_stored_while_a_synchronisation_ends_goes_when_the_window_closes(tmp_path: Path, asked: bool) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    made = Desk(tmp_path / "a", sync_folder=str(shared))
    (made.desk.sync if asked else made.desk.begin)()
    done = threading.Event()
    made.desk._thread.ask(done.set)
    assert done.wait(60), "the folder is as it was before the vote, and nobody has been told so yet"
    with open_log(tmp_path / "a") as log:
        log.append_vote(draft())
    made.desk.votes_changed()
    made.until(lambda: made.view.sync.line.text)
    made.desk.close()
    assert len(list(shared.glob("*/*.jsonl"))) == 1


@pytest.mark.parametrize("packed", [False, True])
def test_reading_tells_how_much_of_the_file_is_read(tmp_path: Path, desk: Desk, packed: bool) -> None:
    file = votes_file(tmp_path, 2000)
    if packed:
        file.write_bytes(gzip.compress(file.read_bytes()))
    desk.desk._clock = lambda: float(len(desk.views))  # every word of progress is told
    desk.desk.read_files([str(file)])
    desk.until_step(Step.PREVIEW)
    told = [view for view in desk.views if view.step is Step.READING and view.of]
    kilobytes = -(-file.stat().st_size // 1000)
    assert {(view.of, view.unit) for view in told} == {(kilobytes, "kB")}
    done = [view.done for view in told]
    assert done == sorted(done)
    assert done[-1] == kilobytes
    assert any(0 < some < kilobytes for some in done)


def test_once_the_last_record_is_taken_over_nothing_promises_that_it_can_be_cancelled(
    tmp_path: Path, desk: Desk
) -> None:
    desk.desk.read_files([str(votes_file(tmp_path))])
    desk.until_step(Step.PREVIEW)
    desk.desk.store_files(add_models=False)
    desk.until_step(Step.DONE)
    storing = [view for view in desk.views if view.step is Step.STORING]
    assert storing[0].can_cancel
    assert (storing[-1].done, storing[-1].can_cancel) == (3, False)
    assert progress_words(storing[-1]) == "Writing to the disk…"
