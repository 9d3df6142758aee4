"""Which build of torch a machine gets, and what is said of it beforehand."""

import socket
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

import torch_build
from saying import Fault
from torch_build import Driver

PYTHON = f"cp{sys.version_info[0]}{sys.version_info[1]}"
WHEEL = f"torch-{torch_build.VERSION}%2Bcpu-{PYTHON}-{PYTHON}-manylinux_2_28_x86_64.whl"
PAGE = f"""<!DOCTYPE html><body>
<a href="/whl/cpu/torch-{torch_build.VERSION}%2Bcpu-{PYTHON}-{PYTHON}-win_amd64.whl#sha256=1">win</a>
<a href="/whl/cpu/torch-2.0.0%2Bcpu-{PYTHON}-{PYTHON}-manylinux_2_28_x86_64.whl#sha256=2">old</a>
<a href="/whl/cpu/torch-{torch_build.VERSION}%2Bcpu-cp27-cp27-manylinux_2_28_x86_64.whl#sha256=3">ancient Python</a>
<a href="/whl/cpu/{WHEEL}#sha256=4">this</a>
</body>"""


@pytest.mark.parametrize(
    ("driver", "tag"),
    [
        (None, "cpu"),
        (Driver((13, 2), (9, 0)), "cu130"),
        (Driver((13, 0), (7, 5)), "cu130"),
        (Driver((13, 0), (6, 1)), "cu126"),  # CUDA 13 has dropped this card
        (Driver((12, 4), (8, 6)), "cu126"),
        (Driver((11, 8), (8, 6)), "cpu"),  # a driver too old for every published build
    ],
)
def test_build_fits_the_driver(driver: Driver | None, tag: str) -> None:
    assert torch_build.build_tag(driver) == tag


def _machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr("platform.machine", lambda: "x86_64")


def test_the_file_for_this_python_and_machine_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    _machine(monkeypatch)
    found = torch_build.file_for_here(PAGE, "https://host.example/whl/cpu")
    assert found == f"https://host.example/whl/cpu/{WHEEL}"
    assert torch_build.file_for_here("<html>nothing</html>", "https://host.example/whl/cpu") is None


class _Index(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(PAGE.encode())

    def do_HEAD(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "191800000")
        self.end_headers()

    def log_message(self, *_: Any) -> None: ...


@pytest.fixture
def index(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Index)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    address = f"http://127.0.0.1:{server.server_address[1]}/whl"
    monkeypatch.setattr(torch_build, "INDEX", address)
    yield address
    server.shutdown()
    server.server_close()
    thread.join()


def test_own_index_gives_build_and_size(index: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _machine(monkeypatch)
    monkeypatch.setattr(torch_build, "nvidia_driver", lambda: None)
    choice = torch_build.choose(None)
    assert choice.requirement == f"torch=={torch_build.VERSION}+cpu"
    assert choice.index == f"{index}/cpu"
    assert choice.words == "CPU build, about 191.8 MB to download"


def test_silent_index_is_asked_for_two_seconds_then_plain_torch_is_taken(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _machine(monkeypatch)
    monkeypatch.setattr(torch_build, "nvidia_driver", lambda: None)
    with socket.create_server(("127.0.0.1", 0)) as deaf:  # takes connections and never says a word
        monkeypatch.setattr(torch_build, "INDEX", f"http://127.0.0.1:{deaf.getsockname()[1]}/whl")
        monkeypatch.setattr(torch_build, "PATIENCE_SECONDS", 0.3)
        begun = time.monotonic()
        choice = torch_build.choose(None)
        assert time.monotonic() - begun < 60
    assert choice == torch_build.Choice(f"torch=={torch_build.VERSION}", "the build that pip's own index offers")
    assert "does not answer" in capsys.readouterr().out


class _Pip:
    """Stands in for pip: says which file it would take, and keeps what it was asked to install."""

    def __init__(self, url: str, needs: list[str]) -> None:
        self.asked: list[str] = []
        self._found = {"download_info": {"url": url}, "metadata": {"requires_dist": needs}}

    def would_take(self, _: list[str]) -> dict[str, Any]:
        return self._found

    def install(self, arguments: list[str]) -> None:
        self.asked = arguments


@pytest.mark.parametrize(
    ("name", "needs", "words"),
    [
        ("torch-2.13.0+cpu-x.whl", ["filelock"], "CPU build, 5 kB, from a file on this machine"),
        (
            "torch-2.13.0-x.whl",
            ["nvidia-cudnn; platform_system == 'Linux'"],
            "CUDA build, 5 kB, from a file on this machine",
        ),
    ],
)
def test_plain_torch_is_named_by_what_pip_would_take(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    name: str,
    needs: list[str],
    words: str,
) -> None:
    _machine(monkeypatch)
    (tmp_path / name).write_bytes(b"12345" * 1000)
    pip = _Pip((tmp_path / name).as_uri(), needs)
    assert torch_build.install(pip, tmp_path / "torch.txt", "plain") == words  # type: ignore[arg-type]
    assert pip.asked == ["torch==2.13.0", "-r", str(tmp_path / "torch.txt")]
    assert f"torch 2.13.0: {words}" in capsys.readouterr().out


def test_no_driver_here_is_no_driver() -> None:
    """Asks this machine's driver for real, in a child; without one the answer is None, with one it is sensible."""
    driver = torch_build.nvidia_driver()
    assert driver is None or driver.cuda >= (9, 0)


def test_cuda_without_a_driver_is_refused_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    _machine(monkeypatch)
    monkeypatch.setattr(torch_build, "nvidia_driver", lambda: None)
    with pytest.raises(Fault, match="no NVIDIA driver answers"):
        torch_build.choose("cuda")
