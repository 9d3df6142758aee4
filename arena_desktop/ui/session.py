"""One run of the window, from QApplication to its end."""

import logging
import signal
import sys
import threading
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication

from arena_desktop.domain.settings import Settings
from arena_desktop.errors import ArenaError
from arena_desktop.paths import AppPaths
from arena_desktop.ui.bridge import Bridge
from arena_desktop.ui.main_window import MainWindow

if TYPE_CHECKING:
    from arena_desktop.services.actions import Screen, Services
    from arena_desktop.ui.problems import BugDialog
    from arena_desktop.ui.theme import Theme

_log = logging.getLogger(__name__)
_LATEST_START_MS = 2000
_Hook = Callable[[type[BaseException], BaseException, TracebackType | None], None]


class Session:
    """Builds the window, starts the services after the first paint, takes both down in order."""

    def __init__(
        self,
        paths: AppPaths,
        start_services: "Callable[[Screen, Callable[[Callable[[], None]], None]], Services]",
        settings: Settings,
        on_first_paint: Callable[[], None] | None,
        on_quit: Callable[[], None] | None,
    ) -> None:
        self._paths, self._start_services = paths, start_services
        self._on_first_paint, self._on_quit = on_first_paint, on_quit
        self._services: Services | None = None
        self._thread: threading.Thread | None = None
        self._bug: BugDialog | None = None
        self._ended = False
        running = QApplication.instance()
        self._app = running if isinstance(running, QApplication) else QApplication(sys.argv[:1])
        self._app.setApplicationName("arena-desktop")
        self._app.setApplicationDisplayName("Arena Desktop")
        self._app.setDesktopFileName("arena-desktop")
        self._app.setQuitOnLastWindowClosed(False)
        self._app.setStyle("Fusion")
        self._settings = settings
        self._theme: Theme | None = None
        self._bridge = Bridge()
        self._window = MainWindow(settings)
        self._window.first_painted.connect(self._painted)
        self._window.closing.connect(self._end)
        self._window.start_wanted.connect(self._start_thread)

    def run(self) -> int:
        """Show, run the event loop, clean up; returns the exit status."""
        hook, sys.excepthook = sys.excepthook, self._caught
        handlers = {number: signal.signal(number, self._signalled) for number in (signal.SIGINT, signal.SIGTERM)}
        # Python sees a signal only while it runs: the poll timer serves later, this one until then.
        heartbeat = QTimer()
        heartbeat.timeout.connect(lambda: None)
        heartbeat.start(200)
        latest = QTimer()  # a window that starts minimised is never painted
        latest.setSingleShot(True)
        latest.timeout.connect(self._begin)
        latest.start(_LATEST_START_MS)
        try:
            self._window.show()
            return int(self._app.exec())
        finally:
            heartbeat.stop()
            latest.stop()
            self._take_down()
            for number, handler in handlers.items():
                signal.signal(number, handler)
            sys.excepthook = hook

    def _painted(self) -> None:
        if self._on_first_paint is not None:
            self._on_first_paint()
        self._begin()

    def _begin(self) -> None:
        if self._thread is None and not self._ended:
            from arena_desktop.ui.theme import Theme

            self._theme = Theme(self._app, self._settings.theme)
            self._window.build(self._theme)
            self._start_thread()

    def _start_thread(self) -> None:
        if self._thread is not None:
            self._thread.join()  # it has told that it failed, and is at its end
        self._thread = threading.Thread(target=self._start, name="start-services")
        self._thread.start()

    def _start(self) -> None:
        try:
            services = self._start_services(self._window, self._bridge.post)
        except BaseException as error:
            failure = error
            self._bridge.post(lambda: self._failed(failure))
            return
        self._services = services
        self._bridge.post(self._attach)

    def _attach(self) -> None:
        if self._services is not None:
            self._window.attach(self._services)

    def _failed(self, error: BaseException) -> None:
        if isinstance(error, ArenaError):
            self._window.show_failed_start(error)
            return
        self._caught(type(error), error, error.__traceback__)

    def _caught(self, kind: type[BaseException], error: BaseException, tb: TracebackType | None) -> None:
        if isinstance(error, ArenaError):
            self._window.show_error(error)
        elif isinstance(error, KeyboardInterrupt):
            self._window.close()
        else:
            _log.error("A fault in the program", exc_info=(kind, error, tb))
            self._window.show_fault()
            if self._bug is None and self._theme is not None and not self._ended:
                from arena_desktop.ui.problems import BugDialog, bug_report

                self._bug = BugDialog(bug_report(kind, tb), self._paths.logs, self._theme, self._window)
                self._bug.finished.connect(self._bug_closed)
                self._bug.show()

    def _bug_closed(self) -> None:
        if self._bug is not None:
            self._bug.deleteLater()
            self._bug = None

    def _signalled(self, number: int, frame: FrameType | None) -> None:
        self._window.close()

    def _end(self) -> None:
        if not self._ended:
            self._ended = True
            self._window.hide()
            self._app.quit()

    def _take_down(self) -> None:
        """Nothing is delivered any more, then the services end their work, then the window goes."""
        self._ended = True
        self._window.detach()
        self._bridge.close()
        if self._thread is not None:
            self._thread.join()
        if self._services is not None:
            self._services.close()
        if self._on_quit is not None:
            self._on_quit()
        for owned in (self._window, self._bridge, self._theme):
            if owned is not None:
                _delete_now(owned)


def _delete_now(thing: QObject) -> None:
    thing.deleteLater()
    QApplication.sendPostedEvents(thing, 52)  # QEvent.DeferredDelete: after the loop nobody else would
