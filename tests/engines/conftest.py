import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from arena_desktop.domain.roster import ModelSpec
from arena_desktop.engines.catalogue import Catalogue
from arena_desktop.engines.deadlines import Deadlines
from arena_desktop.engines.host import SpeechHost
from arena_desktop.engines.placement import GB, Machine

ADAPTERS = Path(__file__).parents[1] / "helpers" / "adapters"
SMALL_MACHINE = Machine("Linux", "x86_64", 2, 8 * GB)
SHORT = Deadlines(speak=2.0, speak_per_character=0.0, speak_least=2.0)

MakeHost = Callable[..., SpeechHost]
MakeModel = Callable[..., ModelSpec]


def wait_for(happened: Callable[[], Any], what: str, within: float = 30.0) -> Any:
    """What ``happened`` returns once it is truthy."""
    end = time.monotonic() + within
    while time.monotonic() < end:
        result = happened()
        if result:
            return result
        time.sleep(0.005)
    raise AssertionError(f"never happened: {what}")


def open_files() -> int:
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


@pytest.fixture
def make_host(tmp_path: Path) -> Iterator[MakeHost]:
    """Makes hosts over the test adapters, closes them, and proves that nothing of them is left."""
    hosts: list[SpeechHost] = []
    threads = set(threading.enumerate())
    files = open_files()

    def make(**options: Any) -> SpeechHost:
        adapters = {path.stem: path for path in ADAPTERS.glob("*.py")}
        ours = {"deadlines": SHORT, "catalogue": Catalogue(adapters), "describe_machine": lambda: SMALL_MACHINE}
        chosen: dict[str, Any] = ours | options
        host = SpeechHost(tmp_path / "logs", tmp_path / "run", **chosen)
        hosts.append(host)
        return host

    yield make
    for host in hosts:
        host.close()
    assert set(threading.enumerate()) <= threads
    assert psutil.Process().children(recursive=True) == []
    assert open_files() <= files


@pytest.fixture
def host(make_host: MakeHost) -> SpeechHost:
    return make_host()


@pytest.fixture
def mark(tmp_path: Path) -> Path:
    """Where the acting engine leaves a process id when it has begun."""
    return tmp_path / "mark"


@pytest.fixture
def model(mark: Path) -> MakeModel:
    """Makes models of the acting engine: ``model("segfault")``."""

    def make(act: str = "tone", **settings: Any) -> ModelSpec:
        return ModelSpec(
            repo_id=f"test/{act}",
            name=f"Acting {act}",
            engine="acting",
            settings={"act": act, "mark": str(mark), **settings},
        )

    return make
