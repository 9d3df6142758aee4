"""Which build of torch this machine gets, how large it is, and its installation.

There is a CUDA build, for machines with an NVIDIA driver, and a CPU build. PyTorch publishes them on an index of its
own, which is asked once, for two seconds; where it does not answer, plain ``torch==VERSION`` is taken from wherever pip
is set up to look, and pip is asked beforehand what that would be.
"""

import http.client
import platform
import re
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from dataclasses import dataclass
from pathlib import Path

from pip_calls import Pip
from saying import Fault, say, size

VERSION = "2.13.0"
INDEX = "https://download.pytorch.org/whl"
PATIENCE_SECONDS = 2.0
KINDS = ("cpu", "cuda", "plain")
CUDA_LIBRARIES = 2.4e9
"""About what NVIDIA's libraries add to the download of a CUDA build on Linux (on Windows they are inside its file)."""

_CUDA_TAGS = ((13, 0, "cu130"), (12, 0, "cu126"))
"""Oldest CUDA version of the driver, and the build that it can run, newest first."""
_FIRST_CAPABILITY_OF_13 = (7, 5)
"""CUDA 13 dropped the cards before Turing; the CUDA 12 build still has them."""

_ASK_DRIVER = """
import ctypes, sys
cuda = ctypes.CDLL("nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1")
version, count, major, minor = (ctypes.c_int() for _ in range(4))
if cuda.cuInit(0) or cuda.cuDriverGetVersion(ctypes.byref(version)) or cuda.cuDeviceGetCount(ctypes.byref(count)):
    raise SystemExit(1)
oldest = (99, 0)
for index in range(count.value):
    device = ctypes.c_int()
    if cuda.cuDeviceGet(ctypes.byref(device), index):
        raise SystemExit(1)
    cuda.cuDeviceGetAttribute(ctypes.byref(major), 75, device)
    cuda.cuDeviceGetAttribute(ctypes.byref(minor), 76, device)
    oldest = min(oldest, (major.value, minor.value))
print(version.value // 1000, version.value % 1000 // 10, *oldest)
raise SystemExit(0 if count.value else 1)
"""


@dataclass(frozen=True)
class Driver:
    """An NVIDIA driver: the newest CUDA that it runs, and the oldest of its cards' compute capabilities."""

    cuda: tuple[int, int]
    capability: tuple[int, int]


@dataclass(frozen=True)
class Choice:
    """What to ask pip for, and how to say it."""

    requirement: str
    words: str
    index: str | None = None


def exists_here() -> bool:
    """Whether PyTorch publishes this version for this kind of machine at all."""
    return not (sys.platform == "darwin" and platform.machine() == "x86_64")


def install(pip: Pip, pins: Path, kind: str | None) -> str:
    """Install torch and what goes with it. ``kind`` (cpu, cuda, plain) overrides what the machine suggests.

    Gives the words for the build that was chosen. Raises Fault with the reason.
    """
    choice = choose(kind)
    arguments = [choice.requirement]
    if choice.index:
        arguments += ["--extra-index-url", choice.index]
    words = choice.words if choice.index else _what_plain_is(pip, choice)
    say(f"torch {VERSION}: {words}")
    pip.install([*arguments, "-r", str(pins)])
    return words


def choose(kind: str | None) -> Choice:
    """The build for this machine, by its driver and by whether PyTorch's own index answers."""
    plain = Choice(f"torch=={VERSION}", "the build that pip's own index offers")
    if kind == "plain" or sys.platform == "darwin":
        return plain
    driver = None if kind == "cpu" else nvidia_driver()
    if kind == "cuda" and driver is None:
        raise Fault("no NVIDIA driver answers here, so the CUDA build could not run. Install the driver first.")
    tag = build_tag(driver)
    found = _published(f"{INDEX}/{tag}")
    if found is None:
        say("torch: PyTorch's own index does not answer; taking what pip's index has.")
        return plain
    length = found
    what = "CPU build" if tag == "cpu" else f"CUDA build ({tag})"
    extra = CUDA_LIBRARIES if tag != "cpu" and sys.platform == "linux" else 0.0
    how_large = f"about {size(length + extra)} to download" if length else "size not told"
    return Choice(f"torch=={VERSION}+{tag}", f"{what}, {how_large}", f"{INDEX}/{tag}")


def build_tag(driver: Driver | None) -> str:
    """``cpu``, or the CUDA build that a driver can run."""
    if driver is None:
        return "cpu"
    for major, minor, tag in _CUDA_TAGS:
        too_old = tag == "cu130" and driver.capability < _FIRST_CAPABILITY_OF_13
        if driver.cuda >= (major, minor) and not too_old:
            return tag
    return "cpu"


def nvidia_driver() -> Driver | None:
    """The NVIDIA driver of this machine, asked in a child process: a broken driver may hang or crash who asks."""
    try:
        answer = subprocess.run(
            [sys.executable, "-c", _ASK_DRIVER], capture_output=True, text=True, timeout=15, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    if answer.returncode:
        return None
    numbers = [int(part) for part in answer.stdout.split()]
    return Driver((numbers[0], numbers[1]), (numbers[2], numbers[3]))


def _published(index: str) -> int | None:
    """Bytes of this version's file on an index (0 = not told), or None if the index doesn't answer in time."""
    until = time.monotonic() + PATIENCE_SECONDS
    try:
        with urllib.request.urlopen(f"{index}/torch/", timeout=PATIENCE_SECONDS) as answer:
            page = answer.read().decode("utf-8", "replace")
    except (OSError, ValueError, http.client.HTTPException):
        return None
    address = file_for_here(page, index)
    if address is None:
        return None
    left = until - time.monotonic()
    return _length(address, left) if left > 0 else 0


def file_for_here(page: str, index: str) -> str | None:
    """The address of the wheel of this version, for this Python and machine, on an index page."""
    tag = f"cp{sys.version_info[0]}{sys.version_info[1]}"
    machine = {"AMD64": "amd64", "arm64": "arm64"}.get(platform.machine(), platform.machine())
    system = {"linux": "linux", "win32": "win"}.get(sys.platform, sys.platform)
    links: list[str] = re.findall(r'href="([^"#]+)', page)
    for link in links:
        name = urllib.parse.unquote(link.rpartition("/")[2])
        parts = name.removesuffix(".whl").split("-")
        if len(parts) < 5 or parts[0] != "torch" or parts[1].split("+")[0] != VERSION or parts[-3:-1] != [tag, tag]:
            continue
        if system in parts[-1] and machine in parts[-1]:
            return urllib.parse.urljoin(f"{index}/torch/", link)
    return None


def _what_plain_is(pip: Pip, choice: Choice) -> str:
    """Which build and how large, by asking pip which file it would take."""
    found = pip.would_take([choice.requirement])
    if found is None:
        return f"{choice.words}, size not told"
    url = str(found["download_info"]["url"])
    needs = " ".join(found["metadata"].get("requires_dist") or ())
    cuda = sys.platform == "linux" and ("nvidia-" in needs or "cuda-" in needs) and "+cpu" not in url
    length = _length(url)
    what = "CUDA build" if cuda else "CPU build"
    if sys.platform == "darwin":
        what = "macOS build"
    if url.startswith("file:"):
        return f"{what}, {size(length)}, from a file on this machine"
    return f"{what}, about {size(length + (CUDA_LIBRARIES if cuda else 0.0))} to download" if length else what


def _length(url: str, patience: float = PATIENCE_SECONDS) -> int:
    if url.startswith("file:"):
        return Path(urllib.request.url2pathname(urllib.parse.urlparse(url).path)).stat().st_size
    try:
        request = urllib.request.Request(url, method="HEAD")
        with urllib.request.urlopen(request, timeout=patience) as answer:
            return int(answer.headers.get("Content-Length") or 0)
    except (OSError, ValueError, http.client.HTTPException):
        return 0
