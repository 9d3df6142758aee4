"""Takes the copy of the vote log that is due, on a thread of its own, while the program does something else."""

import threading
from collections.abc import Callable

from arena_desktop.errors import ArenaError
from arena_desktop.store.backups import Backups, Stopped

_AT_THE_END_S = 2.0


class BackupThread:
    """Looks once, ``delay`` seconds after it was made, whether a copy is due, and takes it.

    ``say`` is told, on that thread, what the user must know: that no copy could be made, or that the log is damaged.
    """

    def __init__(self, backups: Backups, say: Callable[[str], None], delay: float = 0.0) -> None:
        self._backups = backups
        self._say = say
        self._delay = delay
        self._hurry = threading.Event()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="backup", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End it. A copy that is nearly done, or of a short log, is finished at full speed; a longer one is given up
        and taken next time.
        """
        self._hurry.set()
        self._thread.join(_AT_THE_END_S)
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        self._hurry.wait(self._delay)
        try:
            if self._backups.due():
                self._backups.take(self._pause)
        except Stopped:
            return
        except ArenaError as error:
            self._say(str(error))

    def _pause(self, seconds: float) -> bool:
        self._hurry.wait(seconds)
        return not self._stop.is_set()
