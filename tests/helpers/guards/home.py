"""A throw-away home: nothing that runs in a test reads or writes the person's own files."""

import itertools
import os
import tempfile
from pathlib import Path

import pytest

from tests.helpers.guards import shares_out

_FOLDERS = {
    "HOME": "home",
    "USERPROFILE": "home",
    "XDG_CONFIG_HOME": "home/.config",
    "XDG_CACHE_HOME": "home/.cache",
    "XDG_DATA_HOME": "home/.local/share",
    "XDG_STATE_HOME": "home/.local/state",
    "APPDATA": "home/AppData/Roaming",
    "LOCALAPPDATA": "home/AppData/Local",
    "HF_HOME": "home/.cache/huggingface",
}
_NOT_INHERITED = ("DBUS_SESSION_BUS_ADDRESS", "WAYLAND_DISPLAY", "ARENA_DESKTOP_HOME")


class Home:
    """The throw-away folder of one test run, and a data directory in it for each test."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._numbers = itertools.count(1)

    @pytest.fixture(autouse=True)
    def _own_data_directory(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A data directory for this test alone; it is not there until something writes to it."""
        monkeypatch.setenv("ARENA_DESKTOP_HOME", str(self.root / f"data-{next(self._numbers)}"))


def pytest_configure(config: pytest.Config) -> None:
    if shares_out(config):
        return
    place = tempfile.TemporaryDirectory(prefix="arena-home-", ignore_cleanup_errors=True)
    config.add_cleanup(place.cleanup)
    root = Path(place.name)
    patch = pytest.MonkeyPatch()
    config.add_cleanup(patch.undo)
    for variable, folder in _FOLDERS.items():
        (root / folder).mkdir(parents=True, exist_ok=True)
        patch.setenv(variable, str(root / folder))
    for variable in _NOT_INHERITED:
        patch.delenv(variable, raising=False)
    if os.environ.get("ARENA_DESKTOP_TEST_DESKTOP") != "1":  # inside the checks' own desktop it holds the sockets
        (root / "run").mkdir(mode=0o700)
        patch.setenv("XDG_RUNTIME_DIR", str(root / "run"))
    config.pluginmanager.register(Home(root), "arena-home")
