"""The place of one child: who speaks for one interpreter, one request at a time, replaced when it falls."""

import hashlib
import os
import signal
import threading
import time
from pathlib import Path
from typing import Any

from arena_desktop.engines.environments.looking import Look, look
from arena_desktop.engines.interpreter import Interpreter
from arena_desktop.engines.memory_watch import MemoryWatch
from arena_desktop.engines.placement import threads_for
from arena_desktop.engines.process import Child, ChildDied, ChildHung
from arena_desktop.engines.types import FailureKind
from arena_desktop.errors import ArenaError

LAST_WORDS = 2048
STARTED_AGAIN = "It was started again; the log of the speech process has the details."
HUNG_S = 60.0
"""So long a Python that gave no answer isn't asked again: its models are looked at one after the other."""
SPARE_MEMORY = "Close other programs, or use a smaller model."


class Fault(ArenaError):
    """A request that failed, not yet tied to a model."""

    def __init__(self, kind: FailureKind, message: str, remedy: str = "") -> None:
        super().__init__(message, remedy)
        self.kind = kind


class Slot:
    """One child at a time for ``interpreter``. Thread-safe; requests wait for each other. A child that crashed, hung or
    ran out of memory is replaced at once, so that the next request finds one that is up.
    """

    def __init__(self, interpreter: Interpreter, log_dir: Path, runtime_dir: Path, start_s: float) -> None:
        self._interpreter = interpreter
        tail = "" if interpreter.path is None else "-" + hashlib.sha256(interpreter.path.encode()).hexdigest()[:8]
        self._log_file = log_dir / f"speech{tail}.log"
        self._runtime_dir = runtime_dir
        self._start_s = start_s
        self._turn = threading.Lock()
        self._state = threading.Lock()
        self._child: Child | None = None
        self._greeted = False
        self._closed = False
        # What a roster calls a Python may be any program, and `rm` would take the file that it is to run.
        self._is_python = False
        self._hung: tuple[float, Look] | None = None

    def start(self) -> None:
        """Start a child if there is none; doesn't wait until it is up. What prevents it is told by the next
        :meth:`ask`.
        """
        with self._state:
            unproved = self._interpreter.path is not None and not self._is_python
            if self._closed or self._child is not None or unproved:
                return
            try:
                self._child = self._spawn()
            except (OSError, ArenaError):
                return
            self._greeted = False

    def ask(self, request: dict[str, Any], deadline_s: float) -> dict[str, Any]:
        """The answer to ``request``; raises :class:`Fault`."""
        with self._turn:
            child = self._ready_child()
            watch = MemoryWatch(self._log_file)
            try:
                reply = child.ask(request, deadline_s)
            except ChildDied as death:
                if watch.ran_out(death.status):
                    message = "the speech process was ended because memory ran out."
                    raise self._fallen(child, FailureKind.OUT_OF_MEMORY, message, SPARE_MEMORY) from None
                raise self._fallen(child, FailureKind.CRASH, f"the speech process {_how(death.status)}.") from None
            except ChildHung:
                raise self._fallen(child, FailureKind.HANG, f"no answer within {deadline_s:.0f} s.") from None
            fault = reply.get("fault")
            if fault is None:
                answer: dict[str, Any] = reply["ok"]
                return answer
            kind = _kind(fault["kind"])
            if kind in (FailureKind.OUT_OF_MEMORY, FailureKind.HANG):  # what an engine started may still be at it
                self._replace(child)
            if kind is FailureKind.ENVIRONMENT and self._interpreter.path is not None:
                raise self._broken(fault["message"])
            raise Fault(kind, fault["message"], fault["remedy"])

    def rest(self) -> None:
        """End the child, which has nothing loaded any more, so that its libraries' memory returns; the next request
        starts another one.
        """
        with self._turn, self._state:
            child, self._child = self._child, None
        if child is not None:
            child.kill()

    def close(self) -> None:
        """Kill the child, whatever it does; a request under way fails as cancelled."""
        with self._state:
            self._closed = True
            child, self._child = self._child, None
        if child is not None:
            child.kill()

    def _ready_child(self) -> Child:
        self._prove()
        with self._state:
            if self._closed:
                raise _cancelled()
            if self._child is not None and self._child.ended and self._greeted:
                self._child.kill()  # it fell while nobody asked it anything
                self._child = None
            if self._child is None:
                self._greeted = False
                try:
                    self._child = self._spawn()
                except ArenaError as error:
                    raise Fault(FailureKind.ENVIRONMENT, error.message, error.remedy) from None
                except OSError as error:
                    why = look(self._interpreter.program()).wrong
                    raise self._broken(why or f"it can't be started: {error.strerror or error}.") from None
            child = self._child
        if not self._greeted:
            try:
                child.greeting(self._start_s)
            except (ChildDied, ChildHung) as fall:
                raise self._not_up(child, fall) from None
            self._greeted = True
        return child

    def _prove(self) -> None:
        """See that the interpreter is one, before it is given a file. Takes a moment, the first time."""
        if self._interpreter.path is None or self._is_python:
            return
        seen = None if self._hung is None or time.monotonic() > self._hung[0] else self._hung[1]
        if seen is None:
            try:
                seen = look(self._interpreter.program())
            except ArenaError as error:
                raise Fault(FailureKind.ENVIRONMENT, error.message, error.remedy) from None
            self._hung = (time.monotonic() + HUNG_S, seen) if seen.hung else None
        if seen.version is None:
            raise self._broken(seen.wrong, seen.remedy)
        self._is_python = True

    def _spawn(self) -> Child:
        for folder in (self._log_file.parent, self._runtime_dir):
            folder.mkdir(parents=True, exist_ok=True)
        threads = threads_for(os.cpu_count() or 1)
        environment = self._interpreter.environment(threads)
        return Child(self._interpreter.argv(), environment, self._runtime_dir, self._log_file)

    def _not_up(self, child: Child, fall: Exception) -> Fault:
        with self._state:
            if self._closed:
                return _cancelled()
            self._child = None
        child.kill()
        if self._interpreter.path is not None:
            seen = look(self._interpreter.program())
            if seen.wrong:
                return self._broken(seen.wrong, seen.remedy)
        how = _how(fall.status) if isinstance(fall, ChildDied) else "did not come up in time"
        return Fault(
            FailureKind.ENVIRONMENT,
            f"the speech process under {self._interpreter.label} {how}: {self._last_words()}",
            "It needs Python 3.9 or newer with numpy; the log of the speech process has the details.",
        )

    def _broken(self, why: str, remedy: str = "") -> Fault:
        message = f"{self._interpreter.verdict}: {why}"
        return Fault(FailureKind.ENVIRONMENT, message, self._interpreter.remedy(remedy))

    def _fallen(self, child: Child, kind: FailureKind, message: str, remedy: str = STARTED_AGAIN) -> Fault:
        if self._closed:
            return _cancelled()
        self._replace(child)
        return Fault(kind, message, remedy)

    def _replace(self, child: Child) -> None:
        child.kill()
        with self._state:
            self._child = None
        self.start()

    def _last_words(self) -> str:
        try:
            data = self._log_file.read_bytes()[-LAST_WORDS:]
        except OSError:
            data = b""
        lines = data.decode("utf-8", "replace").strip().splitlines()
        return lines[-1].strip()[:300] if lines else "it said nothing."


def _cancelled() -> Fault:
    return Fault(FailureKind.CANCELLED, "the program is closing.")


def _kind(name: str) -> FailureKind:
    try:
        return FailureKind(name)
    except ValueError:
        return FailureKind.ENGINE


def _how(status: int) -> str:
    if status >= 0:
        return f"ended with status {status}"
    try:
        name = signal.Signals(-status).name
    except ValueError:
        name = str(-status)
    hint = " (killed, perhaps because memory ran out)" if name == "SIGKILL" else ""
    return f"was ended by {name}{hint}"
