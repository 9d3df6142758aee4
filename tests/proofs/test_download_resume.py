"""A large file over a bad line: dropped, stalled, killed and spoiled again and again, it arrives whole and checked."""

import hashlib
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from tests.helpers.evidence import evidence
from tests.helpers.local_hub import Fault, LocalHub, Made

BRING = """
import sys
from pathlib import Path
from arena_desktop.domain.hub_selection import pick
from arena_desktop.services.download_work import DownloadWork
from arena_desktop.store.hub.stopper import Stopper
from arena_desktop.store.hub.wire import Patience

work = DownloadWork(Path(sys.argv[1]), patience=Patience(silence=0.5, first_wait=0.05, tries=4))
model = work.look("acme/voice", "main", sys.argv[2], Stopper())
files = [one.file for one in pick(model.files) if one.wanted]
print(work.bring(model, files, Stopper(), lambda here, rate, words: None))
"""
NAME = "model.safetensors"


class Downloader:
    """The child that downloads, started again whenever it is killed."""

    def __init__(self, folder: Path, hub: LocalHub) -> None:
        self._folder, self._hub = folder, hub
        self.killed = self.peak = 0
        self._process = _start(folder, hub)

    def kill(self) -> None:
        """Called by the hub in the middle of an answer."""
        self.killed += 1
        self._process.kill()
        self._process.wait()

    def run(self) -> Path:
        """Until it is done; the folder that it says."""
        while True:
            self.peak = max(self.peak, _rss(self._process))
            status = self._process.poll()
            if status == -signal.SIGKILL:
                self._process.communicate()
                self._process = _start(self._folder, self._hub)
            elif status is not None:
                out, error = self._process.communicate()
                assert status == 0, error
                return Path(out.strip())
            time.sleep(0.01)


@pytest.mark.proof("download_resume")
@pytest.mark.timeout(1800)
def test_it_arrives_whole_and_checked(tmp_path: Path, full_counts: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    size, interruptions = (1_000_000_000, 20) if full_counts else (8_000_000, 5)
    content = Made(size, seed=7)
    content.hashes()
    step = size // (interruptions + 1)
    with LocalHub({"config.json": b"{}", NAME: content}) as hub:
        began = time.monotonic()
        downloader = Downloader(tmp_path, hub)
        kinds = (
            Fault(after=step),
            Fault(after=step, then=downloader.kill),
            Fault(after=step, stall=True),
            Fault(after=step, flip=step * 7 // 2),
            Fault(status=503),
        )
        hub.fault(NAME, *(kinds[number % len(kinds)] for number in range(interruptions)))
        place = downloader.run()
        seconds = time.monotonic() - began
        sent, requests = hub.sent, len(hub.requests(NAME))
    found = _sha256(place / NAME)
    whole = found == content.hashes()[0] and (place / NAME).stat().st_size == size
    evidence(
        "download_resume",
        {
            "size_mb": size // 1_000_000,
            "interruptions": interruptions,
            "of_them_killed": downloader.killed,
            "requests": requests,
            "sent_by_the_hub_times_its_size": round(sent / size, 3),
            "whole_and_checked": whole,
            "peak_memory_mb": round(downloader.peak / 1e6, 1),
            "seconds": round(seconds, 1),
        },
        holds=whole and downloader.killed == interruptions // 5 and downloader.peak < 120e6 and sent < 2.2 * size,
        claim="A file whose download is dropped, killed, silent, spoiled and refused in turn arrives whole, "
        "checked and in bounded memory. What was spoiled is found at its end, and brought a second time.",
    )


def _start(folder: Path, hub: LocalHub) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", BRING, str(folder / "models"), hub.url],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(1 << 20):
            digest.update(piece)
    return digest.hexdigest()


def _rss(process: "subprocess.Popen[str]") -> int:
    try:
        return int(psutil.Process(process.pid).memory_info().rss)
    except psutil.Error:
        return 0
