"""Votes in and out, as it is done on a thread of its own: with a connection of its own to the log, as another process
would, so that no vote waits for it longer than for another process.
"""

import logging
from collections.abc import Callable, Collection
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path

from arena_desktop.domain.policy import Policy
from arena_desktop.domain.roster import Roster
from arena_desktop.errors import ArenaError
from arena_desktop.services.exchange_views import ExportWish, ImportPreview, ShareView
from arena_desktop.services.exchange_words import exported_line, imported_line, not_in, preview_of
from arena_desktop.services.rating_only import Plan, namesake_sentences, namesakes, plan
from arena_desktop.services.share import filter_of, share_view
from arena_desktop.services.sync import SyncReport, sync_folder
from arena_desktop.services.views import Line
from arena_desktop.services.vote_export import export_votes
from arena_desktop.services.vote_import import PreparedImport, prepared_import
from arena_desktop.store.vote_log import VoteLog

log = logging.getLogger(__name__)

Progress = Callable[[int], None]


class ExchangeWork:
    """``open_log`` opens the log anew; ``is_own`` tells files that must not be written over; ``add_models`` enters
    models into the user's roster and says what it did; ``load_roster`` reads the one in force
    anew. To be used by one thread alone.
    """

    def __init__(
        self,
        *,
        open_log: Callable[[], VoteLog],
        roster: Roster,
        policy: Callable[[], Policy],
        silent: bool,
        is_own: Callable[[Path], bool],
        add_models: Callable[[Plan], Collection[str]],
        load_roster: Callable[[], Roster],
    ) -> None:
        self._open_log = open_log
        self._roster = roster
        self._policy = policy
        self._silent = silent
        self._is_own = is_own
        self._add_models = add_models
        self._load_roster = load_roster
        self._log: VoteLog | None = None
        self._held = ExitStack()
        self._prepared: PreparedImport | None = None

    def use_roster(self, roster: Roster) -> None:
        """From now on compare votes with another roster."""
        self._roster = roster

    def count(self) -> int:
        """How many records the log has."""
        return self._opened().count()

    def size(self, paths: Collection[str]) -> int:
        """How many bytes these files have; what can't be looked at has none, and reading it says why."""
        found = 0
        for path in paths:
            with suppress(OSError, ValueError):
                found += Path(path).stat().st_size
        return found

    def read(self, paths: Collection[str], source: str, progress: Progress) -> ImportPreview:
        """Read files and keep them ready for :meth:`store`. ``progress`` is told how many bytes of them are read."""
        self.drop()
        log = self._opened()
        self._prepared = self._held.enter_context(
            prepared_import(
                log,
                [Path(path) for path in paths],
                roster=self._roster,
                source=source,
                forgotten=log.forgotten(),
                bytes_read=progress,
            )
        )
        report = self._prepared.preview()
        unknown = not_in(report.unknown_models, self._roster.models, self._policy().aliases)
        report.notes += namesake_sentences(namesakes(self._roster, unknown))
        return preview_of(report, unknown, source)

    def store(self, add_models: bool, progress: Progress) -> Line:
        """Import what was read."""
        if self._prepared is None:
            raise ArenaError("Nothing is ready to be imported.", "Choose the files again.")
        report = self._prepared.store(progress)
        self.drop()
        added: Collection[str] = ()
        if add_models:
            found = plan(self._roster, report.findings, self._policy().aliases)
            added = found.left()
            added += [] if found.is_empty else self._add_models(found)
        return imported_line(report, added)

    def roster_now(self) -> Roster | None:
        """The roster as its files have it by now, None where they can't be read."""
        try:
            return self._load_roster()
        except ArenaError:
            log.exception("the roster can't be read any more")
            return None

    def share(self, wish: ExportWish, held_back: bool, progress: Progress) -> ShareView:
        """What an export would hand over. ``held_back``: names of some votes must not be shown yet."""
        self.drop()
        view = share_view(
            self._opened(), wish, roster=self._roster, policy=self._policy(), silent=self._silent, progress=progress
        )
        return replace(view, fields=tuple(replace(one, example="") for one in view.fields)) if held_back else view

    def export(self, wish: ExportWish, path: str, progress: Progress) -> Line:
        """Write votes to a file."""
        self.drop()
        if self._is_own(Path(path)):
            raise ArenaError(f"{path} is a file that the program keeps for itself.", "Write to another place.")
        return exported_line(
            export_votes(
                self._opened(),
                Path(path),
                filter_of(wish),
                public=wish.public,
                form=wish.format,
                roster=self._roster,
                policy=self._policy(),
                silent=self._silent,
                progress=progress,
            )
        )

    def sync(self, folder: str, private: bool, progress: Progress) -> SyncReport:
        """Synchronise with a folder."""
        self.drop()
        return sync_folder(self._opened(), Path(folder), roster=self._roster, private=private, progress=progress)

    def drop(self) -> None:
        """Let go of what was read for an import."""
        self._prepared = None
        held, self._held = self._held, ExitStack()
        held.close()

    def close(self) -> None:
        """Let go of everything."""
        self.drop()
        if self._log is not None:
            self._log.close()
            self._log = None

    def _opened(self) -> VoteLog:
        if self._log is None:
            self._log = self._open_log()
        return self._log
