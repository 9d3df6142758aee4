"""The one place where objects are built and handed to each other. Each is built when it is first asked for."""

import logging
import os
import shutil
import sys
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from arena_desktop.domain.settings import Settings
from arena_desktop.errors import ArenaError, UsageError
from arena_desktop.paths import AppPaths

if TYPE_CHECKING:
    from arena_desktop.domain.policy import Policy
    from arena_desktop.domain.roster import Roster
    from arena_desktop.engines.hearing import Hearing
    from arena_desktop.engines.host import SpeechHost
    from arena_desktop.services.adding import Adding
    from arena_desktop.services.board import Board
    from arena_desktop.services.clips import Clips
    from arena_desktop.services.download_work import DownloadWork
    from arena_desktop.services.environments import Environments
    from arena_desktop.services.examinations import Examinations
    from arena_desktop.services.failure_book import FailureBook
    from arena_desktop.services.find_models import Finder
    from arena_desktop.services.measurements import Measurements
    from arena_desktop.services.models import Models
    from arena_desktop.services.pace import Pace
    from arena_desktop.services.plan_shelf import PlanShelf
    from arena_desktop.services.preferences import Preferences
    from arena_desktop.services.rosters import Rosters
    from arena_desktop.services.withdrawal import Withdrawal
    from arena_desktop.store.backups import Backups
    from arena_desktop.store.cache import ClipCache
    from arena_desktop.store.forgotten import ForgottenFile
    from arena_desktop.store.listeners import Listeners
    from arena_desktop.store.opening import OpenedLog
    from arena_desktop.store.settings_file import SettingsFile
    from arena_desktop.store.station_key import StationKey

GIGABYTE = 1_000_000_000
LEAST_ROOM = 20_000_000
"""Bytes: a clip of a long text, prepared twice over."""


class Composition:
    """Everything the program is made of, by name. :meth:`close` ends what was built, in the right order.

    ``log`` and ``board`` belong to the thread that first asks for them.
    """

    def __init__(
        self,
        paths: AppPaths,
        *,
        roster_file: Path | None = None,
        listener_name: str | None = None,
        silent: bool = False,
        tell: Callable[[str], None] | None = None,
        backup_delay_s: float = 0.0,
    ) -> None:
        self.paths = paths
        self.roster_file = roster_file
        self.listener_name = listener_name
        self.silent = silent
        self.tell = tell or (lambda note: logging.getLogger(__name__).info("%s", note))
        """Is told what the user must know and no answer has a place for; from any thread."""
        self._backup_delay_s = backup_delay_s
        self._policy: Policy | None = None
        self._closers: list[Callable[[], None]] = []

    @property
    def roster(self) -> "Roster":
        """The effective roster."""
        return self.rosters.current

    @cached_property
    def rosters(self) -> "Rosters":
        """Whoever holds the effective roster and tells when it changes."""
        from arena_desktop.services.rosters import Rosters
        from arena_desktop.store.roster_file import load_roster

        return Rosters(lambda: load_roster(self.paths.roster, self.roster_file))

    @cached_property
    def finder(self) -> "Finder":
        """Whoever looks for models on this disk."""
        from arena_desktop.services.find_models import Finder

        return Finder(self.environments.recipes().values(), self.environments.made)

    @cached_property
    def environments(self) -> "Environments":
        """The Python environments of engines that need one of their own."""
        from arena_desktop.services.environments import Environments
        from arena_desktop.store.recipe_reader import load_recipes

        return Environments(
            self.paths.environments,
            lambda: load_recipes(self.paths.recipes),
            self.paths.logs,
            has_gpu=lambda: bool(self.host.machine.gpus),
            changed=lambda name: self.host.renew(f"env:{name}"),
        )

    @cached_property
    def adding(self) -> "Adding":
        """Whoever enters models into the user's own roster."""
        from arena_desktop.services.adding import Adding
        from arena_desktop.store.roster_file import shipped_roster

        return Adding(
            self.host,
            roster=lambda: self.roster,
            shipped=shipped_roster,
            file=self.paths.roster,
            override=self.roster_file,
        )

    @property
    def policy(self) -> "Policy":
        """The policy of the data directory, as it was when it was last read."""
        if self._policy is None:
            self.read_policy()
            assert self._policy is not None
        return self._policy

    def read_policy(self) -> None:
        """Read the policy of the data directory (again): an import may have written other names into it.

        Raises :class:`ArenaError` if it is faulty; the one in force stays.
        """
        from arena_desktop.store.policy_file import data_policy

        self._policy = data_policy(self.paths.policy, self.paths.aliases)

    @cached_property
    def settings_file(self) -> "SettingsFile":
        """Where settings are kept."""
        from arena_desktop.store.settings_file import SettingsFile

        return SettingsFile(self.paths.settings)

    @cached_property
    def preferences(self) -> "Preferences":
        """The settings in force."""
        from arena_desktop.services.preferences import Preferences

        return Preferences(self.settings_file.load(), self.settings_file)

    @property
    def settings(self) -> Settings:
        """The settings in force."""
        return self.preferences.settings

    @property
    def file_notes(self) -> tuple[str, ...]:
        """What was odd about the settings and the names of listeners, as far as they were read."""
        read = vars(self)  # nothing is read for this
        return tuple(note for name in ("settings_file", "listeners") if name in read for note in read[name].notes)

    @cached_property
    def listeners(self) -> "Listeners":
        """The people on this machine."""
        from arena_desktop.store.listeners import Listeners

        self._make_data_dir()
        return Listeners(self.paths.listeners)

    @cached_property
    def listener(self) -> str:
        """The pseudonym of whoever listens: named on the command line, else who listened last, else the first."""
        from arena_desktop.store.listeners import is_pseudonym

        if self.listener_name:
            if self.listener_name.startswith("l-") and not is_pseudonym(self.listener_name):
                raise UsageError(
                    f"{self.listener_name} is no pseudonym: that is l- and 16 letters a–z or digits 2–7.",
                    "Give a name, or a pseudonym from `listeners.json` in the data directory.",
                )
            if self.listener_name in self.forgotten.all():
                raise ArenaError(
                    f"{self.listener_name} was forgotten here.", "Give a name; it gets a pseudonym of its own."
                )
            return self.listeners.ensure(self.listener_name).pseudonym
        last = self.listeners.find(self.settings.listener) if self.settings.listener else None
        return (last or self.listeners.default()).pseudonym

    @cached_property
    def log(self) -> "OpenedLog":
        """The vote log, opened; what the user must know about it is told. A copy is taken beside, when one is due."""
        from arena_desktop.store.backup_thread import BackupThread
        from arena_desktop.store.forgotten import catch_up
        from arena_desktop.store.opening import open_log

        self._make_data_dir()
        log = open_log(self.paths.database, backups=self.paths.backups, forgotten=self.forgotten.all)
        self._closers.append(log.close)
        for note in log.notes:
            self.tell(note)
        if log.database.refusal is not None:  # a full disk, say: nothing can be written now
            return log
        for note in catch_up(log.database, self.forgotten):
            self.tell(note)
        self._closers.append(BackupThread(self.backups, lambda note: self.tell(note), self._backup_delay_s).close)
        return log

    @cached_property
    def backups(self) -> "Backups":
        """The copies of the log."""
        from arena_desktop.store.backups import Backups

        return Backups(self.paths.database, self.paths.backups)

    @cached_property
    def forgotten(self) -> "ForgottenFile":
        """The listeners who withdrew."""
        from arena_desktop.store.forgotten import ForgottenFile

        return ForgottenFile(self.paths.database)

    @cached_property
    def withdrawal(self) -> "Withdrawal":
        """Forgets listeners."""
        from arena_desktop.services.withdrawal import Withdrawal

        return Withdrawal(self.log, self.listeners, self.forgotten, self.backups, self.cache)

    @cached_property
    def station_key(self) -> "StationKey":
        """The key by which this data directory signs, if it was made."""
        from arena_desktop.store.station_key import StationKey

        return StationKey(self.paths.station_key)

    @cached_property
    def board(self) -> "Board":
        """The ratings of this log under this roster."""
        from arena_desktop.services.board import Board

        return Board(self.roster, self.log, silent=self.silent, policy=self.policy)

    @cached_property
    def host(self) -> "SpeechHost":
        """Whoever has speech made."""
        host = self.new_host()
        self._closers.append(host.close)
        return host

    def new_host(self, device: str = "") -> "SpeechHost":
        """Another one, for whoever wants processes of its own and closes it; ``device`` "": the one in the settings."""
        from arena_desktop.engines.host import SpeechHost
        from arena_desktop.services.prompt_ids import PromptIds

        self._make_data_dir()
        return SpeechHost(
            self.paths.logs,
            self.paths.runtime,
            [self.paths.models, Path(sys.prefix) / "share" / "arena-desktop"],
            device=device or self.settings.device,
            hashes=self.paths.cache / "weight-hashes.json",
            environment_of=lambda name: self.environments.interpreter(name),
            prompt_id=PromptIds(self.text_key),
        )

    def new_ear(self, recogniser: str) -> "Hearing":
        """A recogniser of speech, for whoever closes it: ``pocketsphinx``, or the folder of a Whisper checkpoint."""
        from arena_desktop.engines.hearing import Hearing

        self._make_data_dir()
        return Hearing(recogniser, self.paths.logs, self.paths.runtime, self.paths.cache / "weight-hashes.json")

    @cached_property
    def voted(self) -> frozenset[str]:
        """The models that the listener has voted on, for a command: those of a set that may not be full don't count."""
        from arena_desktop.store.heard import maybe_held_back, voted_models

        if not self.paths.database.exists():
            return frozenset()
        # Also where sets have been switched off: the one that was begun is held back until the next vote.
        held_back = maybe_held_back(self.log, self.listener, self.settings.reveal_set)
        return voted_models(self.log, self.listener, held_back)

    @cached_property
    def cache(self) -> "ClipCache":
        """The clips on disk."""
        from arena_desktop.store.cache import ClipCache

        return ClipCache(self.paths.clips, int(self.settings.cache_gb * GIGABYTE))

    @cached_property
    def clips(self) -> "Clips":
        """Clips: from the cache, else spoken."""
        from arena_desktop.services.clips import Clips

        return Clips(self.host, self.cache, spoken=self.measurements.note)

    @cached_property
    def measurements(self) -> "Measurements":
        """How fast models were on this machine."""
        from arena_desktop.services.measurements import Measurements
        from arena_desktop.store.measurements import MeasurementsFile

        kept = Measurements(MeasurementsFile(self.paths.measurements), lambda: self.host.machine)
        self._closers.append(kept.close)
        return kept

    @cached_property
    def examinations(self) -> "Examinations":
        """What models made of the fixed set of texts here."""
        from arena_desktop.services.examinations import Examinations
        from arena_desktop.store.measurements import MeasurementsFile

        file = MeasurementsFile(self.paths.examinations)
        return Examinations(file, lambda: self.host, lambda: self.host.machine)

    def failure_book(self, changed: Callable[[], None]) -> "FailureBook":
        """How often models failed, over all runs; ``changed``: there is something to save."""
        from arena_desktop.services.failure_book import FailureBook, Shelf
        from arena_desktop.store.measurements import MeasurementsFile

        shelf = Shelf(MeasurementsFile(self.paths.failures), lambda: self.host.machine)
        book = FailureBook(lambda repo_id: self.host.failures(repo_id), shelf, changed=changed)
        book.open()
        return book

    @cached_property
    def pace(self) -> "Pace":
        """How long clips take here."""
        from arena_desktop.services.pace import Pace

        return Pace(self.measurements.clip_seconds)

    @cached_property
    def plan_shelf(self) -> "PlanShelf":
        """Where prepared battles wait between two runs of the program."""
        from arena_desktop.services.plan_shelf import PlanShelf
        from arena_desktop.store.plan_files import PlanFiles

        return PlanShelf(PlanFiles(self.paths.prepared, self.text_key), self.clips)

    @cached_property
    def models(self) -> "Models":
        """Which models can speak here."""
        from arena_desktop.services.inbox import Inbox
        from arena_desktop.services.models import Models

        return Models(
            self.roster,
            self.host,
            Inbox(),
            disabled=self.settings.disabled_models,
            examined=self.examinations.of,
            voted=lambda: self.voted,
        )

    def room(self, size: int = 0) -> ArenaError | None:
        """Whether the disk is too full for ``size`` more bytes of clips, in words; None if there is room or it can't be
        told.
        """
        try:
            free = shutil.disk_usage(self.paths.cache).free
        except OSError:
            return None
        if free >= LEAST_ROOM + size:
            return None
        if size:
            return ArenaError(
                f"The disk with {self.paths.cache} has {free // 1_000_000} MB free,"
                f" and {(LEAST_ROOM + size) // 1_000_000} MB are needed.",
                "Make room on it, or prepare fewer battles.",
            )
        return ArenaError(
            f"The disk with {self.paths.cache} is full ({free // 1_000_000} MB free).",
            "Make room on it; battles then go on by themselves.",
        )

    @cached_property
    def downloads(self) -> "DownloadWork":
        """Brings models from a hub."""
        from arena_desktop.services.download_work import DownloadWork

        return DownloadWork(self.paths.models)

    def text_key(self) -> bytes:
        """The key behind the ids of own texts; made when there is none."""
        from arena_desktop.store.text_key import TextKey

        self._make_data_dir()
        return TextKey(self.paths.text_key).key()

    def close(self) -> None:
        """End what was built, last first."""
        while self._closers:
            self._closers.pop()()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _make_data_dir(self) -> None:
        for folder in (self.paths.data, self.paths.cache, self.paths.logs, self.paths.runtime):
            try:
                folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise ArenaError(
                    f"The folder {folder} can't be made ({error.strerror}).",
                    "Name another data directory with --data-dir.",
                ) from error
            if not os.access(folder, os.W_OK):
                raise ArenaError(
                    f"The folder {folder} can't be written to.",
                    "Change its permissions, or name another data directory with --data-dir.",
                )
