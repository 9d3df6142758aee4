"""Downloads as the window has them: told first, several at once, stopped at once, gone on with after a restart."""

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from arena_desktop.services.download_views import Download, DownloadState, DownloadsView
from arena_desktop.services.download_work import DownloadWork
from arena_desktop.services.downloads import Downloads
from arena_desktop.services.inbox import Inbox
from arena_desktop.store.hub.shipment import read_manifest
from arena_desktop.store.hub.wire import Patience
from tests.helpers.local_hub import Fault, LocalHub, Made

FILES: dict[str, bytes | Made] = {
    "config.json": b"{}",
    "model.safetensors": Made(2_000_000, seed=1),
    "pytorch_model.bin": Made(5_000, seed=2),
}
S = DownloadState


class Desk:
    """The service with its views, and the thread that owns it (this one)."""

    def __init__(self, folder: Path, endpoint: str, patience: Patience) -> None:
        self.inbox = Inbox()
        self.views: list[DownloadsView] = []
        self.arrived: list[Path] = []
        self.kept: list[str] = []
        self.downloads = Downloads(
            work=DownloadWork(folder / "models", patience=patience, keyring=lambda service, name: None),
            post=self.inbox.post,
            show=self.views.append,
            endpoint=lambda: endpoint,
            keep=self.kept.append,
            arrived=self.arrived.append,
        )

    @property
    def all(self) -> tuple[Download, ...]:
        return self.views[-1].downloads if self.views else ()

    def wait(self, reached: Callable[[], object]) -> None:
        until = time.monotonic() + 30
        while not reached():
            assert time.monotonic() < until, self.views[-1:]
            self.inbox.drain()
            time.sleep(0.003)

    def look(self, repo: str = "acme/voice", endpoint: str = "") -> Download:
        self.downloads.look(repo, "", endpoint)
        self.wait(lambda: self.all and self.all[-1].state is not S.LOOKING)
        return self.all[-1]

    def until(self, id_: int, *states: DownloadState) -> Download:
        self.wait(lambda: self.one(id_).state in states)
        return self.one(id_)

    def one(self, id_: int) -> Download:
        return next(download for download in self.all if download.id == id_)


@pytest.fixture
def hub(open_hub: Callable[..., LocalHub]) -> LocalHub:
    return open_hub(FILES)


@pytest.fixture
def open_desk(tmp_path: Path, hub: LocalHub, quick: Patience) -> Iterator[Callable[..., Desk]]:
    desks: list[Desk] = []

    def make(patience: Patience = quick) -> Desk:
        desks.append(Desk(tmp_path, hub.url, patience))
        return desks[-1]

    yield make
    for desk in desks:
        desk.downloads.close()


@pytest.fixture
def desk(open_desk: Callable[..., Desk]) -> Desk:
    return open_desk()


def test_opening_asks_nobody(desk: Desk, hub: LocalHub) -> None:
    desk.downloads.open()
    desk.wait(lambda: len(desk.views) > 1)
    assert desk.all == ()
    assert desk.views[-1].endpoint == hub.url
    assert hub.asked == []


def test_what_it_is_comes_before_anything_is_brought(desk: Desk, hub: LocalHub) -> None:
    offered = desk.look()
    assert offered.state is S.OFFERED
    assert offered.license == "apache-2.0"
    assert [(file.path, file.wanted) for file in offered.files] == [
        ("config.json", True),
        ("model.safetensors", True),
        ("pytorch_model.bin", False),
    ]
    assert (offered.here, offered.of) == (0, 2_000_002)
    assert hub.requests("model.safetensors") == []


def test_what_is_chosen_is_brought_and_checked(desk: Desk, hub: LocalHub) -> None:
    offered = desk.look()
    desk.downloads.choose(offered.id, "pytorch_model.bin", True)
    desk.downloads.choose(offered.id, "config.json", False)
    assert desk.all[-1].of == 2_005_000
    desk.downloads.start(offered.id)
    done = desk.until(offered.id, S.DONE)
    assert done.here == done.of
    assert desk.arrived == [Path(done.place)]
    manifest = read_manifest(Path(done.place))
    assert manifest is not None
    assert set(manifest.sha256) == {"model.safetensors", "pytorch_model.bin"}
    running = [one for view in desk.views for one in view.downloads if one.state is S.RUNNING]
    assert [one.here for one in running] == sorted(one.here for one in running)


def test_files_are_narrowed_by_name(desk: Desk) -> None:
    offered = desk.look()
    for pattern, wanted in (
        ("*.bin", ["pytorch_model.bin"]),
        ("con* *.bin", ["config.json", "pytorch_model.bin"]),
        ("nothing", []),
        ("", ["config.json", "model.safetensors"]),
    ):
        desk.downloads.narrow(offered.id, pattern)
        shown = desk.one(offered.id)
        assert [file.path for file in shown.files if file.wanted] == wanted
        assert shown.of == sum(file.size for file in shown.files if file.wanted)


def test_stopping_counts_at_once_and_it_goes_on_from_there(open_desk: Callable[..., Desk], hub: LocalHub) -> None:
    desk = open_desk(Patience(silence=60, first_wait=0.01))
    hub.fault("model.safetensors", Fault(after=800_000, stall=True))
    offered = desk.look()
    desk.downloads.start(offered.id)
    desk.wait(lambda: desk.one(offered.id).here >= 800_000)
    desk.downloads.cancel(offered.id)
    stopped = desk.one(offered.id)
    assert stopped.state is S.STOPPED
    assert "kept" in stopped.line.text
    desk.downloads.start(offered.id)
    desk.until(offered.id, S.DONE)
    assert hub.sent < 2_000_002 + 200_000


def test_a_stopped_look_leaves_nothing(open_desk: Callable[..., Desk], hub: LocalHub) -> None:
    desk = open_desk(Patience(headers=60, silence=60))
    hub.answers["/api/models/acme/voice/revision/main"] = (429, {"Retry-After": "60"}, b"")
    desk.downloads.look("acme/voice")
    desk.wait(lambda: hub.asked)
    desk.downloads.cancel(desk.all[-1].id)
    assert desk.all == ()


def test_what_ends_after_it_was_stopped_does_not_count_as_done(desk: Desk, tmp_path: Path) -> None:
    offered = desk.look()
    desk.downloads.start(offered.id)
    while not list((tmp_path / "models").glob("acme--voice/*")):
        time.sleep(0.005)
    desk.downloads.cancel(offered.id)
    for thread in [one for one in threading.enumerate() if one.name.startswith("download")]:
        thread.join()
    desk.inbox.drain()
    assert desk.one(offered.id).state is S.STOPPED
    assert desk.arrived == []
    desk.downloads.start(offered.id)
    desk.until(offered.id, S.DONE)


def test_a_hub_that_was_named_and_has_answered_is_kept(
    desk: Desk, hub: LocalHub, open_hub: Callable[..., LocalHub]
) -> None:
    desk.look()
    assert desk.kept == []
    other = open_hub(FILES, repo="acme/other")
    desk.look("acme/other", other.url + "/")
    assert desk.kept == [other.url]
    desk.look("acme/other", "http://127.0.0.1:9")
    assert desk.kept == [other.url]


def test_several_at_once_and_the_others_wait(desk: Desk, open_hub: Callable[..., LocalHub], tmp_path: Path) -> None:
    gate = threading.Event()
    hubs = [open_hub({"model.safetensors": Made(100_000, seed=n)}, repo=f"acme/v{n}") for n in range(4)]
    for one in hubs:
        one.before_piece = lambda path, at: (gate.wait(20), None)[1]
    ids = [desk.look(f"acme/v{n}", one.url).id for n, one in enumerate(hubs)]
    for id_ in ids:
        desk.downloads.start(id_)
    assert [desk.one(id_).state for id_ in ids] == [S.RUNNING, S.RUNNING, S.WAITING, S.WAITING]
    desk.downloads.cancel(ids[2])
    gate.set()
    for id_ in (ids[0], ids[1], ids[3]):
        desk.until(id_, S.DONE)
    assert desk.one(ids[2]).state is S.STOPPED


def test_after_a_restart_it_is_offered_to_go_on(open_desk: Callable[..., Desk], hub: LocalHub, tmp_path: Path) -> None:
    desk = open_desk(Patience(silence=60))
    hub.fault("model.safetensors", Fault(after=900_000, stall=True))
    offered = desk.look()
    desk.downloads.start(offered.id)
    desk.wait(lambda: desk.one(offered.id).here >= 900_000)
    desk.downloads.close()
    again = open_desk()
    again.downloads.open()
    again.wait(lambda: again.all)
    (waiting,) = again.all
    assert waiting.state is S.STOPPED
    assert waiting.here >= 900_000
    assert waiting.license == "apache-2.0"
    asked = len(hub.asked)
    again.downloads.open()
    again.wait(lambda: len(again.views) > 3)
    assert len(again.all) == 1
    assert len(hub.asked) == asked
    again.downloads.start(waiting.id)
    again.until(waiting.id, S.DONE)
    assert not (tmp_path / "models" / ".downloads").exists()


def test_what_fails_says_why_and_can_be_tried_again(desk: Desk, hub: LocalHub) -> None:
    hub.fault("model.safetensors", Fault(status=403))
    offered = desk.look()
    desk.downloads.start(offered.id)
    failed = desk.until(offered.id, S.FAILED)
    assert "doesn't let you read" in failed.line.text
    assert "HF_TOKEN" in failed.line.remedy
    desk.downloads.start(offered.id)
    desk.until(offered.id, S.DONE)


def test_a_model_that_is_not_there_says_so(desk: Desk) -> None:
    failed = desk.look("acme/nothing")
    assert failed.state is S.FAILED
    assert failed.line.text
    desk.downloads.start(failed.id)
    assert desk.one(failed.id).state is S.FAILED
    desk.downloads.forget(failed.id)
    assert desk.all == ()


def test_put_away_removes_what_had_arrived(open_desk: Callable[..., Desk], hub: LocalHub, tmp_path: Path) -> None:
    desk = open_desk(Patience(silence=60))
    hub.fault("model.safetensors", Fault(after=900_000, stall=True))
    offered = desk.look()
    desk.downloads.start(offered.id)
    desk.wait(lambda: desk.one(offered.id).here >= 900_000)
    desk.downloads.cancel(offered.id)
    desk.downloads.forget(offered.id)
    assert desk.all == ()
    desk.wait(lambda: not (tmp_path / "models" / ".downloads").exists())


def test_put_away_leaves_what_is_here(desk: Desk) -> None:
    offered = desk.look()
    desk.downloads.start(offered.id)
    done = desk.until(offered.id, S.DONE)
    desk.downloads.forget(offered.id)
    assert Path(done.place, "model.safetensors").exists()


def test_a_model_looked_at_twice_stands_there_once(desk: Desk) -> None:
    desk.look()
    desk.downloads.look("acme/voice")
    desk.wait(lambda: [one.state for one in desk.all] == [S.OFFERED])


def test_verbs_for_what_is_gone_do_nothing(desk: Desk) -> None:
    for verb in (desk.downloads.start, desk.downloads.cancel, desk.downloads.forget):
        verb(99)
    desk.downloads.choose(99, "x", True)
