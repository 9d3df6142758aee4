"""Where the program keeps its files. Nothing is created by asking."""

import os
from dataclasses import dataclass
from pathlib import Path

from arena_desktop.errors import ArenaError

HOME_VARIABLE = "ARENA_DESKTOP_HOME"


@dataclass(frozen=True)
class AppPaths:
    """Every place the program writes to. All of them lie below one data directory when ``--data-dir`` is given."""

    data: Path
    cache: Path
    logs: Path

    def is_own(self, path: Path) -> bool:
        """Whether ``path`` (links followed) is a file that the program keeps for itself: nothing else may write
        there.
        """
        place, data = Path(os.path.realpath(path)), Path(os.path.realpath(self.data))
        own = [self.database, self.settings, self.listeners, self.roster, self.text_key, self.station_key]
        own += [self.policy, self.aliases, self.measurements, self.examinations, self.failures]
        if place.parent == data and place.name.startswith(tuple(file.name for file in own)):
            return True
        folders = (self.clips, self.runtime, self.backups, self.prepared, self.environments)
        return any(Path(os.path.realpath(folder)) in place.parents for folder in folders)

    @property
    def database(self) -> Path:
        """The vote log (SQLite)."""
        return self.data / "votes.sqlite"

    @property
    def backups(self) -> Path:
        """Copies of the vote log, taken now and then."""
        return self.data / "backups"

    @property
    def settings(self) -> Path:
        """The settings file (JSON)."""
        return self.data / "settings.json"

    @property
    def listeners(self) -> Path:
        """The names that stand behind listeners' pseudonyms (JSON); they never enter the log."""
        return self.data / "listeners.json"

    @property
    def roster(self) -> Path:
        """The user's own roster, beside the shipped one."""
        return self.data / "models.yaml"

    @property
    def policy(self) -> Path:
        """Under what names votes are read, which count and how much; not there until somebody writes it."""
        return self.data / "policy.yaml"

    @property
    def aliases(self) -> Path:
        """Other names of models, beside the policy."""
        return self.data / "aliases.yaml"

    @property
    def measurements(self) -> Path:
        """How fast models were on this machine (JSON)."""
        return self.data / "measurements.json"

    @property
    def failures(self) -> Path:
        """How often models failed, machine by machine."""
        return self.data / "failures.json"

    @property
    def examinations(self) -> Path:
        """What models made of the fixed set of texts on this machine (JSON)."""
        return self.data / "examinations.json"

    @property
    def models(self) -> Path:
        """Model files that the user or the program put on this disk."""
        return self.data / "models"

    @property
    def environments(self) -> Path:
        """The Python environments that were made for engines."""
        return self.data / "environments"

    @property
    def recipes(self) -> Path:
        """The user's own recipes for such environments, beside the shipped ones."""
        return self.data / "recipes"

    @property
    def text_key(self) -> Path:
        """The random key behind the ids of own texts (32 bytes)."""
        return self.data / "own-text.key"

    @property
    def station_key(self) -> Path:
        """The private key by which this station signs its records (PEM); not there until somebody wants signatures."""
        return self.data / "station-key.pem"

    @property
    def prepared(self) -> Path:
        """Battles that were prepared and not played yet, sealed."""
        return self.data / "prepared"

    @property
    def clips(self) -> Path:
        """The clip cache."""
        return self.cache / "clips"

    @property
    def runtime(self) -> Path:
        """Short-lived files: prepared pairs for the player, the worker's hand-overs."""
        return self.cache / "runtime"


def from_home(path: str | Path) -> Path:
    """``path`` with the home directory in the place of a leading ``~`` or ``~USER``. Where there is none it stays as it
    is, and names nothing that is there (:meth:`~pathlib.Path.expanduser` fails then).
    """
    return Path(os.path.expanduser(path))  # noqa: PTH111


def app_paths(data_dir: Path | None = None) -> AppPaths:
    """The paths for ``data_dir``, else for ``$ARENA_DESKTOP_HOME``, else where the platform keeps a user's data."""
    chosen = data_dir
    if chosen is None and os.environ.get(HOME_VARIABLE):
        chosen = Path(os.environ[HOME_VARIABLE])
    if chosen is not None:
        root = from_home(chosen).absolute()
        if str(chosen).startswith("~") and from_home(chosen) == chosen:
            nobody = chosen.parts[0].removeprefix("~")
            raise ArenaError(f"{chosen} names no folder: nobody here is called {nobody}.", "Write it in full.")
        return AppPaths(data=root, cache=root / "cache", logs=root / "logs")
    import platformdirs  # only when nothing was named: keeps it off the start-up path of tests and panels

    dirs = platformdirs.PlatformDirs("arena-desktop", appauthor=False)
    return AppPaths(data=Path(dirs.user_data_dir), cache=Path(dirs.user_cache_dir), logs=Path(dirs.user_log_dir))


def set_up_command(word: str) -> str | None:
    """The command of the project's own set-up (``run``, ``torch``, …), None where the program was installed without it.

    What it installs is pinned; a bare ``pip install`` beside it would not be.
    """
    script = Path(__file__).resolve().parent.parent / "packaging" / "bootstrap.py"
    if not script.is_file():
        return None
    python = "py" if os.name == "nt" else "python3"
    return f'{python} "{script}" {word}'
