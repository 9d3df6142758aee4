"""The parent's end of a recogniser of speech in a child process: killable, offline, with a time limit."""

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena_desktop.domain.word_errors import Recogniser
from arena_desktop.engines.interpreter import Interpreter
from arena_desktop.engines.slot import Fault, Slot
from arena_desktop.engines.types import FailureKind
from arena_desktop.errors import ArenaError
from arena_desktop.paths import from_home

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BUILT_IN = "pocketsphinx"
"""The recogniser that comes with the extra, by its name; any other is the path of a folder."""
RATE = 16_000
START_S = 60.0
LOAD_S = 300.0
LEAST_S = 60.0
A_SECOND_S = 15.0
"""Seconds that a second of sound may take: six times what was seen on a busy machine."""


class DeafError(ArenaError):
    """The recogniser failed: what happened, and what to do. ``cancelled``: because it was closed."""

    def __init__(self, message: str, remedy: str = "", *, cancelled: bool = False) -> None:
        super().__init__(message, remedy)
        self.cancelled = cancelled


class Hearing:
    """One recogniser, ``wish``: :data:`BUILT_IN`, or the folder of a Whisper checkpoint. Its child is started with the
    first call. Calls come from one thread, :meth:`close` from any. ``hashes`` keeps the known hashes of weight files.
    """

    def __init__(
        self,
        wish: str,
        log_dir: Path,
        runtime_dir: Path,
        hashes: Path,
        *,
        limit_s: Callable[[float], float] = lambda seconds: LEAST_S + A_SECOND_S * seconds,
    ) -> None:
        built_in = wish == BUILT_IN
        self._wish = {"kind": "sphinx", "path": ""} if built_in else {"kind": "whisper", "path": _folder(wish)}
        self._runtime_dir = runtime_dir
        self._hashes = hashes
        self._limit_s = limit_s
        self._slot = Slot(Interpreter(None), log_dir, runtime_dir, START_S)
        self._known: Recogniser | None = None

    @property
    def recogniser(self) -> Recogniser:
        """Who listens; loads it. Raises :class:`DeafError`."""
        if self._known is None:
            self._hashes.parent.mkdir(parents=True, exist_ok=True)
            found = self._ask({"op": "recogniser", "hashes": str(self._hashes)}, LOAD_S)
            title = str(found["title"])
            self._known = Recogniser(str(found["hash"] or title), title, frozenset(map(str, found["languages"])))
        return self._known

    def hear(self, sound: "NDArray[np.float32]", language: str) -> str:
        """The words in mono ``sound`` at :data:`RATE` Hz, as the recogniser writes them. Raises :class:`DeafError`."""
        import numpy as np

        with tempfile.TemporaryDirectory(prefix="arena-hear-") as folder:
            place = Path(folder) / "sound.npy"
            np.save(place, sound, allow_pickle=False)
            request = {"op": "hear", "sound": str(place), "language": language}
            return str(self._ask(request, self._limit_s(len(sound) / RATE))["words"])

    def close(self) -> None:
        """Kill it, whatever it does."""
        self._slot.close()

    def _ask(self, request: dict[str, Any], limit_s: float) -> dict[str, Any]:
        try:
            return self._slot.ask({**request, "recogniser": self._wish}, limit_s)
        except Fault as fault:
            cancelled = fault.kind is FailureKind.CANCELLED
            words = f"The recogniser failed: {fault.message}"
            raise DeafError(words, fault.remedy, cancelled=cancelled) from None


def _folder(wish: str) -> str:
    return str(from_home(wish).absolute())
