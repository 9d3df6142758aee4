"""What a test leaves behind fails it: threads, child processes, Qt timers and Qt threads, with where they came from.

What a fixture of a wider scope starts may live as long as that fixture; at the end of the run nothing may be left.
"""

import contextlib
import gc
import os
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import psutil
import pytest

from tests.helpers.guards import shares_out

GRACE_SECONDS = float(os.environ.get("ARENA_DESKTOP_TEST_GRACE", "2"))
"""How long something that is ending already may still take."""

_SESSION_MARK = "ARENA_DESKTOP_TEST_RUN"
_LEFT_BY_A_WORKER = "arena_left"
_KEPT_BY_LIBRARIES = ("pytest_timeout", "ThreadPoolExecutor-transformers")


class Leaks:
    """Compares what lives before and after each test."""

    def __init__(self, mark: str) -> None:
        self._mark = mark
        self._threads = weakref.WeakSet(threading.enumerate())
        self._children = set(psutil.Process().children(recursive=True))
        self._qt: weakref.WeakSet[Any] = weakref.WeakSet()
        self._origin: weakref.WeakKeyDictionary[threading.Thread, str] = weakref.WeakKeyDictionary()
        self._spawned_at: dict[int, str] = {}
        self._look_far = False

    # --- where things come from -----------------------------------------------------------------------------------

    def remember_origins(self, patch: pytest.MonkeyPatch) -> None:
        """From now on note for each thread and child where it was started."""
        start, popen_init = threading.Thread.start, subprocess.Popen.__init__
        leaks = self

        def noted_start(thread: threading.Thread) -> None:
            leaks._origin[thread] = _where()
            start(thread)

        def noted_init(process: subprocess.Popen[Any], *arguments: Any, **options: Any) -> None:
            popen_init(process, *arguments, **options)
            leaks._spawned_at[process.pid] = _where()
            leaks._look_far = True

        patch.setattr(threading.Thread, "start", noted_start)
        patch.setattr(subprocess.Popen, "__init__", noted_init)

    # --- when it is looked ------------------------------------------------------------------------------------------

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest) -> Iterator[Any]:
        result = yield
        if fixturedef.scope != "function":
            self._allow_present()
        return result

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> Iterator[None]:
        yield
        found = self._settle(_used_qt(item))
        if found:
            pytest.fail("the test left something behind:\n" + "\n".join(found), pytrace=False)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        left = [child for child in self._family() if _alive(child)]
        named = [_describe(child) for child in left]
        for child in left:
            _kill(child)
        output = getattr(session.config, "workeroutput", None)
        if output is None:
            _say_what_was_left(session, named)
        else:
            output[_LEFT_BY_A_WORKER] = named  # a worker's own exit status is read by nobody

    # --- looking --------------------------------------------------------------------------------------------------

    def _allow_present(self) -> None:
        self._threads.update(threading.enumerate())
        self._children |= set(self._family())
        self._qt.update(_running_qt())

    def _settle(self, qt: bool) -> list[str]:
        until = time.monotonic() + GRACE_SECONDS
        while True:
            threads, children = self._threads_left(), self._children_left()
            timers = self._qt_left() if qt else []
            if not (threads or children or timers):
                self._look_far = False
                return []
            if time.monotonic() > until:
                break
            gc.collect()  # what only waits to be collected is no leak
            time.sleep(0.02)
        found = [f"thread {t.name}, started at\n  {self._origin.get(t, 'unknown')}" for t in threads]
        found += [f"{kind}" for kind in timers]
        for child in children:
            found.append(f"process {_describe(child)}, started at\n  {self._spawned_at.get(child.pid, 'unknown')}")
            _kill(child)
        self._threads.update(threads)  # blame one test for it, not all that follow
        self._qt.update(_running_qt())
        return found

    def _threads_left(self) -> list[threading.Thread]:
        return [t for t in threading.enumerate() if t not in self._threads and not _library_thread(t)]

    def _family(self) -> list[psutil.Process]:
        """Children, their children, and what lost its parent on the way (known by a mark in its environment)."""
        family = {child.pid: child for child in psutil.Process().children(recursive=True)}
        if self._spawned_at and sys.platform == "linux":
            needle = f"{_SESSION_MARK}={self._mark}".encode()
            for pid in psutil.pids():
                if pid not in family and pid != os.getpid() and _marked(pid, needle):
                    with contextlib.suppress(psutil.NoSuchProcess):
                        family[pid] = psutil.Process(pid)
        return list(family.values())

    def _children_left(self) -> list[psutil.Process]:
        """Living children that nobody answers for. A test that started none is spared the look at all processes."""
        if not self._look_far and not _unknown_child({child.pid for child in self._children}):
            return []
        return [child for child in self._family() if child not in self._children and _alive(child)]

    def _qt_left(self) -> list[str]:
        return [_describe_qt(thing) for thing in _running_qt() if thing not in self._qt]


class LeftByWorkers:
    """What workers found left at their end, said once they are all done."""

    def __init__(self) -> None:
        self._named: list[str] = []

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: object) -> None:
        self._named += getattr(node, "workeroutput", {}).get(_LEFT_BY_A_WORKER, [])

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        _say_what_was_left(session, self._named)


def pytest_configure(config: pytest.Config) -> None:
    if shares_out(config):
        config.pluginmanager.register(LeftByWorkers(), "arena-left-by-workers")
        return
    patch = pytest.MonkeyPatch()
    config.add_cleanup(patch.undo)
    mark = f"{os.getpid()}-{time.monotonic_ns()}"
    leaks = Leaks(mark)
    patch.setenv(_SESSION_MARK, mark)
    leaks.remember_origins(patch)
    config.pluginmanager.register(leaks, "arena-leaks")


def _say_what_was_left(session: pytest.Session, named: list[str]) -> None:
    for name in named:
        sys.stderr.write(f"\nleft at the end of the tests: process {name}\n")
    if named:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def _used_qt(item: pytest.Item) -> bool:
    return bool({"qapp", "qtbot"} & set(getattr(item, "fixturenames", ())))


def _running_qt() -> list[Any]:
    """Active timers and running threads of Qt that Python knows of."""
    core = sys.modules.get("PySide6.QtCore")
    shiboken = sys.modules.get("shiboken6")
    if core is None or shiboken is None:
        return []
    kinds = (core.QTimer, core.QThread)
    # By type, not isinstance: that asks the thing for its __class__, and a library's proxy (torch has some) then acts.
    present = [thing for thing in gc.get_objects() if issubclass(type(thing), kinds) and shiboken.isValid(thing)]
    own = core.QThread.currentThread()
    return [t for t in present if (t.isActive() if isinstance(t, core.QTimer) else t.isRunning() and t is not own)]


def _describe_qt(thing: Any) -> str:
    parent = thing.parent()
    owner = f", of {type(parent).__module__}.{type(parent).__qualname__}" if parent is not None else ", without parent"
    if hasattr(thing, "interval"):
        return f"a Qt timer that still runs (every {thing.interval()} ms{owner})"
    return f"a Qt thread that still runs ({type(thing).__qualname__}{owner})"


def _library_thread(thread: threading.Thread) -> bool:
    return thread is threading.main_thread() or thread.name.startswith(_KEPT_BY_LIBRARIES)


def _unknown_child(known: set[int]) -> bool:
    """Whether this process has a child that is not among ``known``; True where that can't be told quickly."""
    try:
        listed = [task.joinpath("children").read_text() for task in Path("/proc/self/task").iterdir()]
    except OSError:
        return True
    return not known.issuperset(int(pid) for pid in " ".join(listed).split())


def _alive(child: psutil.Process) -> bool:
    try:
        return bool(child.is_running() and child.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def _marked(pid: int, needle: bytes) -> bool:
    try:
        return needle in Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return False


def _describe(child: psutil.Process) -> str:
    try:
        return f"{child.pid}: {' '.join(child.cmdline())[:300]}"
    except psutil.Error:
        return str(child.pid)


def _kill(child: psutil.Process) -> None:
    try:
        child.kill()
        child.wait(5)
    except psutil.Error:
        return


def _where() -> str:
    """The calls that led here, innermost first, without the standard library's own."""
    frame: FrameType | None = sys._getframe(2)
    lines: list[str] = []
    while frame is not None and len(lines) < 6:
        name = frame.f_code.co_filename
        if (
            os.sep + "site-packages" + os.sep not in name
            and "/lib/python3" not in name
            and name not in (__file__, "<frozen runpy>")
        ):
            lines.append(f"{name}:{frame.f_lineno} {frame.f_code.co_name}")
        frame = frame.f_back
    return "\n  ".join(lines)
