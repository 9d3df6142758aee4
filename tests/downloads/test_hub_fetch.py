"""One file from a hub that misbehaves in every way it can: it arrives whole and checked, or is refused in words."""

import hashlib
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from arena_desktop.domain.hub import HubModel
from arena_desktop.store.hub.faults import HubError, Stopped
from arena_desktop.store.hub.fetch import Fetch
from arena_desktop.store.hub.listing import describe
from arena_desktop.store.hub.stopper import Stopper
from arena_desktop.store.hub.wire import Patience, Wire
from tests.helpers.local_hub import Fault, Held, LocalHub, Made

NAME = "model.safetensors"
SIZE = 2_000_000
DATA = Made(SIZE, seed=3)


class Try:
    """One file, brought from ``hub`` into ``folder``."""

    def __init__(self, hub: LocalHub, folder: Path, patience: Patience, token: str = "") -> None:
        self.hub, self.path, self.patience, self.token = hub, folder / "x.part", patience, token
        self.stopper = Stopper()
        self.said: list[str] = []
        self.here: list[int] = []

    def run(self, model: HubModel | None = None) -> str:
        with Wire(self.hub.url, self.token, self.patience) as wire:
            model = model or describe(wire, self.hub.repo, "main", self.stopper)
            file = next(one for one in model.files if one.path == NAME)
            return Fetch(wire, model, file, self.path, self.stopper, self.here.append, self.said.append).run()

    @property
    def ranges(self) -> list[str]:
        return [one.range for one in self.hub.requests(NAME)]


@pytest.fixture
def brought(open_hub: Callable[..., LocalHub], tmp_path: Path, quick: Patience) -> Callable[..., Try]:
    """Brings the file past these faults, and looks that it is right."""

    def bring(*faults: Fault, patience: Patience = quick) -> Try:
        hub = open_hub({NAME: DATA, "config.json": b"{}"})
        hub.fault(NAME, *faults)
        one = Try(hub, tmp_path, patience)
        assert one.run() == DATA.hashes()[0]
        assert one.path.read_bytes() == DATA.whole()
        assert one.here[-1] == SIZE
        return one

    return bring


@pytest.fixture
def refused(open_hub: Callable[..., LocalHub], tmp_path: Path, quick: Patience) -> Callable[..., HubError]:
    """Fails to bring the file because of these faults; the error."""

    def fail(*faults: Fault, patience: Patience = quick) -> HubError:
        hub = open_hub({NAME: DATA})
        hub.fault(NAME, *faults)
        with pytest.raises(HubError) as caught:
            Try(hub, tmp_path, patience).run()
        return caught.value

    return fail


def test_a_dropped_connection_is_gone_on_with_where_it_broke(brought: Callable[..., Try]) -> None:
    one = brought(Fault(after=300_000), Fault(after=1), Fault(after=700_001))
    assert one.ranges == ["", "bytes=300000-", "bytes=300001-", "bytes=1000002-"]
    assert one.hub.sent == SIZE
    assert any("broke off" in words for words in one.said)


def test_silence_is_noticed_and_gone_on_with(brought: Callable[..., Try]) -> None:
    one = brought(Fault(after=500_000, stall=True), Fault(silent=True), patience=Patience(silence=0.2, first_wait=0.01))
    assert one.ranges == ["", "bytes=500000-", "bytes=500000-"]
    assert any("fallen silent" in words for words in one.said)


def test_a_body_that_crawls_is_left(brought: Callable[..., Try]) -> None:
    patience = Patience(silence=1.0, first_wait=0.01, least=1000, least_in=0.3)
    one = brought(Fault(after=500_000, crawl=0.02), patience=patience)
    assert any("next to nothing" in words for words in one.said)


def test_headers_that_crawl_have_an_end(refused: Callable[..., HubError]) -> None:
    faults = [Fault(silent=True)] * 2
    error = refused(*faults, patience=Patience(silence=30, headers=0.2, tries=2, first_wait=0.01))
    assert "doesn't answer" in error.message


@pytest.mark.parametrize("status", [500, 502, 503, 504, 408, 429])
def test_what_passes_is_tried_again(brought: Callable[..., Try], status: int) -> None:
    one = brought(Fault(status=status), Fault(after=100), Fault(status=status))
    assert len(one.ranges) == 4


def test_an_asked_wait_is_kept(brought: Callable[..., Try]) -> None:
    one = brought(Fault(status=429, headers={"Retry-After": "1"}))
    assert any("tried again in 1 s" in words and "asked too much" in words for words in one.said)


def test_a_very_long_wait_is_told(refused: Callable[..., HubError]) -> None:
    error = refused(Fault(status=429, headers={"Retry-After": "7200"}))
    assert "120 minutes" in error.message
    assert "kept" in error.remedy


def test_a_hub_that_never_gets_well_is_given_up_with_what_has_arrived_kept(
    open_hub: Callable[..., LocalHub], tmp_path: Path, quick: Patience
) -> None:
    hub = open_hub({NAME: DATA})
    hub.fault(NAME, Fault(after=900_000), *[Fault(status=503)] * 9)
    one = Try(hub, tmp_path, quick)
    with pytest.raises(HubError, match="tried 4 times"):
        one.run()
    assert one.path.stat().st_size == 900_000
    hub.faults.clear()
    again = Try(hub, tmp_path, quick)
    assert again.run() == DATA.hashes()[0]
    assert again.ranges[-1] == "bytes=900000-"


def test_a_server_that_knows_no_ranges_is_listened_to_until_the_new_begins(brought: Callable[..., Try]) -> None:
    one = brought(Fault(after=800_000), Fault(whole=True, after=1_200_000), Fault(whole=True))
    assert min(one.here[one.here.index(800_000) :]) == 800_000


def test_a_file_that_changes_between_parts_starts_over(brought: Callable[..., Try]) -> None:
    other = Made(SIZE, seed=4)
    one = brought(Fault(after=800_000), Fault(content=other, after=300_000))
    assert one.ranges[1:3] == ["bytes=800000-", "bytes=300000-"]
    assert 'If-Range "' in f"If-Range {one.hub.requests(NAME)[1].if_range}"


@pytest.mark.parametrize(
    "fault",
    [
        pytest.param(Fault(flip=1_500_000), id="one bit"),
        pytest.param(Fault(content=Made(SIZE, seed=9)), id="another content of the same length"),
        pytest.param(Fault(shift=5, after=1), id="not at the start"),
    ],
)
def test_what_arrives_otherwise_than_it_was_told_is_brought_again(brought: Callable[..., Try], fault: Fault) -> None:
    brought(fault)


def test_a_part_from_another_place_than_asked_is_not_taken(brought: Callable[..., Try]) -> None:
    one = brought(Fault(after=500_000), Fault(shift=7))
    assert any("another part" in words for words in one.said)


def test_a_content_that_stays_wrong_is_refused_and_not_kept(refused: Callable[..., HubError], tmp_path: Path) -> None:
    error = refused(*[Fault(flip=10)] * 5)
    assert "hash differs" in error.message
    assert (tmp_path / "x.part").stat().st_size == 0


@pytest.mark.parametrize("length", [SIZE - 5, SIZE + 5, 10**15])
def test_a_length_that_is_not_the_file_s_is_refused(refused: Callable[..., HubError], length: int) -> None:
    error = refused(*[Fault(length=length)] * 9)
    assert "not the 2,000,000 that it told of" in error.message


def test_a_body_without_an_end_is_read_no_further_than_the_file(brought: Callable[..., Try]) -> None:
    brought(Fault(endless=True))


def test_a_packed_body_is_refused(refused: Callable[..., HubError]) -> None:
    assert "packs" in refused(Fault(packed=True)).message


def test_416_starts_the_file_over(open_hub: Callable[..., LocalHub], tmp_path: Path, quick: Patience) -> None:
    hub = open_hub({NAME: DATA})
    hub.fault(NAME, Fault(after=600_000), Fault(content=Held(DATA.whole()[:500])))
    one = Try(hub, tmp_path, quick)
    assert one.run() == DATA.hashes()[0]
    assert one.ranges == ["", "bytes=600000-", ""]


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (Fault(status=401, headers={"X-Error-Code": "GatedRepo"}), "gated"),
        (Fault(status=403, headers={"X-Error-Code": "GatedRepo"}), "gated"),
        (Fault(status=401), "everybody may read"),
        (Fault(status=403), "doesn't let you read"),
        (Fault(status=404), "has no"),
        (Fault(status=404, headers={"X-Error-Code": "EntryNotFound"}), "no such file"),
        (Fault(status=451), "legal reasons"),
        (Fault(status=418), "answered 418"),
        (Fault(status=302, headers={"Location": "ftp://127.0.0.1/x"}), "without encryption"),
        (Fault(status=302, headers={"Location": "http://[::1"}), "redirects"),
        (Fault(status=302), "circles"),
    ],
)
def test_what_no_second_try_would_change_is_told_at_once(
    refused: Callable[..., HubError], fault: Fault, words: str
) -> None:
    error = refused(*[fault] * 9)
    assert words in error.message
    assert "\n" not in str(error)


def test_redirects_are_followed_without_the_token(
    open_hub: Callable[..., LocalHub], tmp_path: Path, quick: Patience
) -> None:
    hub = open_hub({NAME: DATA}, token="hf_secret")
    elsewhere = open_hub({NAME: DATA})
    hub.fault(NAME, *[Fault(redirect=elsewhere.url)] * 2)
    elsewhere.fault(NAME, Fault(after=700_000))
    one = Try(hub, tmp_path, quick, token="hf_secret")
    assert one.run() == DATA.hashes()[0]
    assert all(asked.authorization == "Bearer hf_secret" for asked in hub.asked)
    assert [asked.range for asked in elsewhere.asked] == ["", "bytes=700000-"]
    assert all(asked.authorization == "" for asked in elsewhere.asked)
    assert {asked.agent for asked in hub.asked} == {"arena-desktop"}


def test_redirects_in_a_circle_have_an_end(open_hub: Callable[..., LocalHub], tmp_path: Path, quick: Patience) -> None:
    hub = open_hub({NAME: DATA})
    hub.fault(NAME, *[Fault(redirect=hub.url)] * 99)
    with pytest.raises(HubError, match="in circles"):
        Try(hub, tmp_path, quick).run()
    assert len(hub.requests(NAME)) < 10


@pytest.mark.parametrize("where", ["body", "headers", "pause"])
def test_stopping_ends_every_wait_at_once_and_keeps_what_has_arrived(
    open_hub: Callable[..., LocalHub], tmp_path: Path, where: str
) -> None:
    hub = open_hub({NAME: DATA})
    waiting = {"body": Fault(after=10_000, stall=True), "headers": Fault(silent=True), "pause": Fault(status=503)}
    hub.fault(NAME, Fault(after=600_000), waiting[where])
    one = Try(hub, tmp_path, Patience(silence=60, headers=60, first_wait=60 if where == "pause" else 0.01))
    ended: list[BaseException] = []

    def run() -> None:
        try:
            one.run()
        except BaseException as error:
            ended.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    reached: dict[str, Callable[[], bool]] = {
        "body": lambda: one.here[-1:] == [610_000],
        "headers": lambda: len(hub.requests(NAME)) == 2,
        "pause": lambda: any("tried again" in words for words in one.said),
    }
    while not reached[where]():
        time.sleep(0.005)
    one.stopper.stop()
    thread.join(20)
    assert isinstance(ended[0], Stopped)
    assert one.path.stat().st_size >= 600_000
    hub.faults.clear()
    again = Try(hub, tmp_path, Patience())
    assert again.run() == DATA.hashes()[0]


def test_a_hub_that_is_gone_is_told_in_words(
    open_hub: Callable[..., LocalHub], tmp_path: Path, quick: Patience
) -> None:
    hub = open_hub({NAME: DATA})
    with Wire(hub.url, patience=quick) as wire:
        model = describe(wire, hub.repo, "main", Stopper())
    hub.close()
    with pytest.raises(HubError, match=r"can't be reached.*connected"):
        Try(hub, tmp_path, quick).run(model)


def test_an_empty_file_needs_no_request(open_hub: Callable[..., LocalHub], tmp_path: Path, quick: Patience) -> None:
    hub = open_hub({NAME: b""})
    one = Try(hub, tmp_path, quick)
    assert one.run() == hashlib.sha256(b"").hexdigest()
    assert one.ranges == []


def test_odd_names_are_asked_for_as_they_are(
    open_hub: Callable[..., LocalHub], tmp_path: Path, quick: Patience
) -> None:
    name = "voices/ü 100%#?.json".replace("?", "")
    hub = open_hub({name: b"abc"})
    with Wire(hub.url, patience=quick) as wire:
        model = describe(wire, hub.repo, "main", Stopper())
        (file,) = model.files
        Fetch(wire, replace(model), file, tmp_path / "n.part", Stopper()).run()
    assert (tmp_path / "n.part").read_bytes() == b"abc"
