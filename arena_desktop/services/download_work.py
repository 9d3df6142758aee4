"""The work of a download: ask the hub what there is, bring it, several files at once. No thread but its own; no Qt."""

import os
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from arena_desktop.domain.hub import DEFAULT_HUB, HubFile, HubModel
from arena_desktop.errors import ArenaError
from arena_desktop.harmless import shortened
from arena_desktop.store.bounded import reason
from arena_desktop.store.hub.faults import Stopped
from arena_desktop.store.hub.fetch import Fetch
from arena_desktop.store.hub.listing import describe
from arena_desktop.store.hub.shipment import Shipment, Unfinished, unfinished
from arena_desktop.store.hub.stopper import Stopper
from arena_desktop.store.hub.tokens import Keyring, environment, find_token
from arena_desktop.store.hub.wire import Patience, Wire

AT_ONCE = 3
"""Files of one model that are brought at the same time."""
_TELL_S = 0.2
_RATE_S = 5.0

Progress = Callable[[int, float, str], None]
"""Is told about five times a second how many bytes are here, how many came in a second lately, and what is waited for,
"" for nothing.
"""


def chosen_endpoint(setting: str = "") -> str:
    """The hub to ask when none is named: ``HF_ENDPOINT``, else the setting, else Hugging Face."""
    return (environment().get("HF_ENDPOINT") or setting or DEFAULT_HUB).strip().rstrip("/")


class DownloadWork:
    """``models`` is the folder for models. ``keyring`` gives a password by service and name; None: the system's."""

    def __init__(self, models: Path, *, patience: Patience | None = None, keyring: Keyring | None = None) -> None:
        self._models = models
        self._patience = patience or Patience()
        self._keyring = keyring

    def look(self, repo: str, revision: str, endpoint: str, stopper: Stopper) -> HubModel:
        """What the hub at ``endpoint`` says of ``repo``. Raises :class:`ArenaError`, :class:`Stopped`."""
        with self._wire(endpoint) as wire:
            return describe(wire, repo, revision or "main", stopper)

    def here(self, model: HubModel) -> dict[str, int]:
        """How many bytes of each file need not be brought any more, by path."""
        return Shipment(self._models, model, model.files).here()

    def waiting(self) -> tuple[Unfinished, ...]:
        """What was begun and not ended."""
        return unfinished(self._models)

    def check_room(self, model: HubModel, files: Sequence[HubFile]) -> None:
        """Raises :class:`ArenaError` if the disk can't hold what is yet to come."""
        Shipment(self._models, model, files).check_room()

    def drop(self, model: HubModel) -> None:
        """Remove what waits of a download. Raises :class:`ArenaError` while it is under way."""
        shipment = Shipment(self._models, model, model.files)
        if shipment.begun:
            with shipment.open():
                shipment.drop()

    def bring(self, model: HubModel, files: Sequence[HubFile], stopper: Stopper, progress: Progress) -> Path:
        """Bring ``files``; returns the model's folder. Returns, or raises, when nothing works on it any more.

        Raises :class:`ArenaError`, :class:`Stopped`: what has arrived is kept.
        """
        if not files:
            raise ArenaError(f"Nothing of {model.repo} is wanted.", "Name the files that you want.")
        shipment = Shipment(self._models, model, files)
        try:
            with shipment.open():
                shipment.check_room()
                with self._wire(model.endpoint) as wire:
                    _Bringing(shipment, wire, stopper, progress).run()
                return shipment.settle()
        except OSError as error:
            raise _of_the_disk(error, self._models) from error

    def _wire(self, endpoint: str) -> Wire:
        return Wire(endpoint, find_token(endpoint, environment(), self._keyring), self._patience)


class _Bringing:
    """Files of one shipment, brought by a few threads; what fails first ends the others. Progress is told by the thread
    that calls :meth:`run`, also while nothing comes.
    """

    def __init__(self, shipment: Shipment, wire: Wire, stopper: Stopper, progress: Progress) -> None:
        self._shipment, self._wire, self._stopper, self._progress = shipment, wire, stopper, progress
        already = {file.path for file in shipment.already()}
        self._here = {file.path: file.size if file.path in already else 0 for file in shipment.files}
        self._said = dict.fromkeys(self._here, "")
        self._left = deque(file for file in shipment.files if file.path not in already)
        self._lock = threading.Lock()
        self._speed = _Speed()
        self._error: BaseException | None = None

    def run(self) -> None:
        """Bring them all."""
        threads = [
            threading.Thread(target=self._work, name=f"download-{number}", daemon=True)
            for number in range(min(AT_ONCE, len(self._left)))
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            while thread.is_alive():
                self._tell()
                thread.join(_TELL_S)
        if self._error is not None:
            raise self._error
        self._stopper.check()
        self._tell()

    def _work(self) -> None:
        try:
            while (file := self._next()) is not None:
                sha256 = Fetch(
                    self._wire,
                    self._shipment.model,
                    file,
                    self._shipment.part(file),
                    self._stopper,
                    partial(self._here.__setitem__, file.path),
                    partial(self._said.__setitem__, file.path),
                ).run()
                with self._lock:
                    self._shipment.arrived(file, sha256)
        except BaseException as error:  # it is raised where all of them end
            with self._lock:
                if self._error is None or isinstance(self._error, Stopped):
                    self._error = error
            self._stopper.stop()

    def _next(self) -> HubFile | None:
        with self._lock:
            return self._left.popleft() if self._left else None

    def _tell(self) -> None:
        here = sum(self._here.values())
        self._progress(here, self._speed(here), next((words for words in self._said.values() if words), ""))


class _Speed:
    """Bytes a second, over the last seconds."""

    def __init__(self) -> None:
        self._seen: deque[tuple[float, int]] = deque()

    def __call__(self, here: int) -> float:
        """Now so many are here."""
        now = time.monotonic()
        if self._seen and here < self._seen[-1][1]:
            self._seen.clear()  # something had to be brought anew
        self._seen.append((now, here))
        while now - self._seen[0][0] > _RATE_S:
            self._seen.popleft()
        began, first = self._seen[0]
        return (here - first) / (now - began) if now - began > 0.5 else 0.0


def _of_the_disk(error: OSError, models: Path) -> ArenaError:
    where = shortened(os.fsdecode(error.filename), 300) if error.filename else str(models)
    return ArenaError(
        f"{where} can't be written: {reason(error)}.",
        "Make room on the disk, or give yourself permission; then download again to go on. What has arrived is kept.",
    )
