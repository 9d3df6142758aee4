"""No test may use the network: neither itself nor through a Python child that it starts."""

import importlib.util
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from tests.helpers.guards import shares_out

_CHILD = Path(__file__).resolve().parent / "child"


def _guard() -> ModuleType:
    spec = importlib.util.spec_from_file_location("arena_network_guard", _CHILD / "arena_network_guard.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Network:
    """What was refused since the last look, here and in children."""

    def __init__(self, log: Path) -> None:
        self._here: list[tuple[str, str]] = []
        self._log = log
        _guard().watch(None, self._here)

    def take(self) -> list[str]:
        """Every refusal since the last call."""
        found = [f"{text}\n  {where}" for text, where in self._here]
        self._here.clear()
        if self._log.exists():
            found += self._log.read_text(encoding="utf-8").splitlines()
            self._log.unlink()
        return found

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> Iterator[None]:
        yield
        refused = self.take()
        if refused:
            pytest.fail("the network was asked for:\n" + "\n".join(refused), pytrace=False)


def pytest_configure(config: pytest.Config) -> None:
    if shares_out(config):
        return
    place = tempfile.TemporaryDirectory(prefix="arena-net-", ignore_cleanup_errors=True)
    config.add_cleanup(place.cleanup)
    log = Path(place.name) / "refused.txt"
    patch = pytest.MonkeyPatch()
    config.add_cleanup(patch.undo)
    patch.setenv("ARENA_DESKTOP_TEST_NETWORK_LOG", str(log))
    patch.setenv("PYTHONPATH", str(_CHILD), prepend=os.pathsep)
    config.pluginmanager.register(Network(log), "arena-network")
