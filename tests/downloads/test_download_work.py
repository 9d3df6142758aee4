"""A whole model from a hub: in its place at once and whole, or not at all; gone on with by whoever asks next."""

import hashlib
import json
import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from arena_desktop.domain.hub import HubFile, HubModel
from arena_desktop.domain.hub_selection import pick
from arena_desktop.errors import ArenaError
from arena_desktop.services.download_work import DownloadWork, chosen_endpoint
from arena_desktop.store.hub import shipment as shipment_module
from arena_desktop.store.hub.faults import Stopped
from arena_desktop.store.hub.shipment import Shipment, read_manifest
from arena_desktop.store.hub.stopper import Stopper
from arena_desktop.store.hub.wire import Patience
from tests.helpers.local_hub import COMMIT, Fault, LocalHub, Made

FILES: dict[str, bytes | Made] = {
    "config.json": b'{"model_type": "vits"}',
    "model.safetensors": Made(3_000_000, seed=1),
    "voices/heart.bin": Made(500_000, seed=2),
    "voices/empty.json": b"",
    "code.py": b"import os",
}
Progress = tuple[int, float, str]


@pytest.fixture
def hub(open_hub: Callable[..., LocalHub]) -> LocalHub:
    return open_hub(FILES)


@pytest.fixture
def work(tmp_path: Path, quick: Patience) -> DownloadWork:
    return DownloadWork(tmp_path / "models", patience=quick)


def _look(work: DownloadWork, hub: LocalHub) -> tuple[HubModel, list[HubFile]]:
    model = work.look("acme/voice", "main", hub.url, Stopper())
    return model, [one.file for one in pick(model.files) if one.wanted]


def _bring(work: DownloadWork, hub: LocalHub, told: list[Progress] | None = None) -> Path:
    model, files = _look(work, hub)
    return work.bring(model, files, Stopper(), lambda *one: None if told is None else told.append(one))


def test_a_model_arrives_whole_with_what_the_roster_needs(work: DownloadWork, hub: LocalHub, tmp_path: Path) -> None:
    told: list[Progress] = []
    place = _bring(work, hub, told)
    assert place == tmp_path / "models" / "acme--voice" / COMMIT[:12]
    there = {str(path.relative_to(place)) for path in place.rglob("*") if path.is_file()}
    assert there == {
        ".arena-download.json",
        "config.json",
        "model.safetensors",
        "voices/heart.bin",
        "voices/empty.json",
    }
    manifest = read_manifest(place)
    assert manifest is not None
    assert manifest.license == "apache-2.0"
    assert manifest.roster_files() == {
        "hub": "acme/voice",
        "revision": COMMIT,
        "sha256": {
            name: hashlib.sha256((place / name).read_bytes()).hexdigest() for name in sorted(there) if name[0] != "."
        },
    }
    assert told[-1][0] == 3_500_022
    assert list((tmp_path / "models").iterdir()) == [place.parent]


def test_nothing_stands_in_the_model_s_place_before_all_is_right(
    work: DownloadWork, hub: LocalHub, tmp_path: Path
) -> None:
    hub.fault("model.safetensors", *[Fault(flip=5)] * 9)
    with pytest.raises(ArenaError, match="hash differs"):
        _bring(work, hub)
    assert not (tmp_path / "models" / "acme--voice").exists()
    hub.faults.clear()
    place = _bring(work, hub)
    assert len(hub.requests("voices/heart.bin")) == 1  # what was right before was not brought again
    assert (place / "model.safetensors").stat().st_size == 3_000_000


def test_a_model_that_is_here_is_not_brought_again(work: DownloadWork, hub: LocalHub) -> None:
    place = _bring(work, hub)
    asked = len(hub.requests("model.safetensors"))
    assert _bring(work, hub) == place
    assert len(hub.requests("model.safetensors")) == asked


def test_more_files_of_the_same_commit_join_those_that_are_here(work: DownloadWork, hub: LocalHub) -> None:
    model, files = _look(work, hub)
    place = work.bring(model, files[:1], Stopper(), lambda *_: None)
    (place / "mine.txt").write_text("mine", encoding="utf-8")
    assert work.bring(model, files, Stopper(), lambda *_: None) == place
    manifest = read_manifest(place)
    assert manifest is not None
    assert set(manifest.sha256) == {file.path for file in files}
    assert (place / "mine.txt").exists()


def test_a_link_in_the_model_s_place_leads_nothing_out_of_it(work: DownloadWork, hub: LocalHub, tmp_path: Path) -> None:
    model, files = _look(work, hub)
    place = work.bring(model, files[:1], Stopper(), lambda *_: None)
    (tmp_path / "elsewhere").mkdir()
    (place / "voices").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ArenaError, match="leads out"):
        work.bring(model, files, Stopper(), lambda *_: None)
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_stopped_it_says_so_and_goes_on_later(work: DownloadWork, hub: LocalHub, tmp_path: Path) -> None:
    model, files = _look(work, hub)
    stopper = Stopper()

    def told(here: int, rate: float, words: str) -> None:
        if here > 1_000_000:
            stopper.stop()

    hub.fault("model.safetensors", Fault(after=2_000_000, stall=True))
    with pytest.raises(Stopped):
        work.bring(model, files, stopper, told)
    (waiting,) = work.waiting()
    assert waiting.model.repo == "acme/voice"
    assert 1_000_000 < waiting.here < waiting.of == 3_500_022
    assert waiting.model.license == "apache-2.0"
    before = hub.sent
    work.bring(waiting.model, waiting.model.files, Stopper(), lambda *_: None)
    assert hub.sent - before < 3_000_000
    assert work.waiting() == ()


def test_two_at_once_do_not_spoil_each_other(
    work: DownloadWork, hub: LocalHub, tmp_path: Path, quick: Patience
) -> None:
    model, files = _look(work, hub)
    begun, go_on = threading.Event(), threading.Event()

    def pause(path: str, at: int) -> None:
        begun.set()
        go_on.wait(10)

    hub.before_piece = pause
    thread = threading.Thread(target=lambda: work.bring(model, files, Stopper(), lambda *_: None))
    thread.start()
    begun.wait(10)
    with pytest.raises(ArenaError, match="being downloaded already"):
        DownloadWork(tmp_path / "models", patience=quick).bring(model, files, Stopper(), lambda *_: None)
    go_on.set()
    thread.join()
    assert read_manifest(tmp_path / "models" / "acme--voice" / COMMIT[:12]) is not None


def test_the_disk_is_looked_at_before_anything_is_brought(
    work: DownloadWork, hub: LocalHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shipment_module, "SPARE", 10**18)
    with pytest.raises(ArenaError, match=r"too little room: 4 MB are to come"):
        _bring(work, hub)
    assert hub.sent == 0


def test_a_disk_that_refuses_is_told_and_what_has_arrived_is_kept(
    work: DownloadWork, hub: LocalHub, tmp_path: Path
) -> None:
    (tmp_path / "models").write_text("a file", encoding="utf-8")
    with pytest.raises(ArenaError, match=r"can't be written"):
        _bring(work, hub)


def test_a_full_disk_in_the_middle_is_told_and_gone_on_from(
    work: DownloadWork, hub: LocalHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    from arena_desktop.store.hub import part as part_module

    written = part_module.Part.write

    def full(self: part_module.Part, data: bytes) -> int:
        if self.here > 1_000_000:
            raise OSError(28, "No space left on device")
        return written(self, data)

    monkeypatch.setattr(part_module.Part, "write", full)
    with pytest.raises(ArenaError, match="No space left") as caught:
        _bring(work, hub)
    assert "kept" in caught.value.remedy
    monkeypatch.undo()
    before = hub.sent
    _bring(work, hub)
    assert hub.sent - before < 2_500_000


def test_plans_and_manifests_of_somebody_else_are_no_help_and_no_harm(work: DownloadWork, tmp_path: Path) -> None:
    room = tmp_path / "models" / ".downloads" / "x@y"
    room.mkdir(parents=True)
    junk: list[object] = [
        {},
        [],
        {"hub": "../x", "revision": COMMIT, "files": []},
        {
            "hub": "a/b",
            "revision": COMMIT,
            "endpoint": "",
            "license": "",
            "license_url": "",
            "files": [["../x", 1, "", ""]],
        },
        {"hub": "a/b", "revision": COMMIT, "endpoint": "", "license": "", "license_url": "", "files": 5},
        {"hub": "a/b", "revision": 5, "files": None},
    ]
    for value in junk:
        (room / "plan.json").write_text(json.dumps(value), encoding="utf-8")
        (room / ".arena-download.json").write_text(json.dumps(value), encoding="utf-8")
        assert work.waiting() == ()
        assert read_manifest(room) is None


def test_a_file_that_was_changed_after_it_arrived_counts_by_its_size_at_least(
    work: DownloadWork, hub: LocalHub
) -> None:
    place = _bring(work, hub)
    with (place / "config.json").open("ab") as file:
        file.write(b" ")
    model, files = _look(work, hub)
    already = {file.path for file in Shipment(place.parent.parent, model, files).already()}
    assert "config.json" not in already
    assert "model.safetensors" in already


def test_the_hub_that_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    assert chosen_endpoint() == "https://huggingface.co"
    assert chosen_endpoint("https://mirror.example/") == "https://mirror.example"
    monkeypatch.setenv("HF_ENDPOINT", "https://other.example")
    assert chosen_endpoint("https://mirror.example") == "https://other.example"


def test_the_token_reaches_the_hub_and_no_file(
    tmp_path: Path, open_hub: Callable[..., LocalHub], quick: Patience, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub = open_hub(FILES, token="hf_secret")
    work = DownloadWork(tmp_path / "models", patience=quick, keyring=lambda service, name: None)
    with pytest.raises(ArenaError, match="accepted its terms"):
        _bring(work, hub)
    monkeypatch.setenv("HF_ENDPOINT", hub.url)
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    _bring(work, hub)
    for folder, _, names in os.walk(tmp_path):
        assert not [name for name in names if b"hf_secret" in (Path(folder) / name).read_bytes()]
