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
"""Is told how many bytes are here, how many came in a second lately, and what is waited for ("" for nothing)."""


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
    """Files of one shipment, brought by a few threads; what fails first ends the others."""

    def __init__(self, shipment: Shipment, wire: Wire, stopper: Stopper, progress: Progress) -> None:
        self._shipment, self._wire, self._stopper = shipment, wire, stopper
        self._here = {file.path: 0 for file in shipment.files}
        already = {file.path for file in shipment.already()}
        self._here.update({file.path: file.size for file in shipment.files if file.path in already})
        self._left = deque(file for file in shipment.files if file.path not in already)
        self._lock = threading.Lock()
        self._told = _Told(progress)
        self._said: dict[str, str] = {}
        self._error: BaseException | None = None

    def run(self) -> None:
        """Bring them all."""
        self._tell(at_once=True)
        threads = [
            threading.Thread(target=self._work, name=f"download-{number}", daemon=True)
            for number in range(min(AT_ONCE, len(self._left)))
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if self._error is not None:
            raise self._error
        self._stopper.check()
        self._tell(at_once=True)

    def _work(self) -> None:
        try:
            while (file := self._next()) is not None:
                sha256 = Fetch(
                    self._wire,
                    self._shipment.model,
                    file,
                    self._shipment.part(file),
                    self._stopper,
                    partial(self._came, file.path),
                    partial(self._say, file.path),
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

    def _came(self, path: str, here: int) -> None:
        self._here[path] = here
        self._tell()

    def _say(self, path: str, words: str) -> None:
        if self._said.get(path, "") != words:
            self._said[path] = words
            self._tell(at_once=True)

    def _tell(self, *, at_once: bool = False) -> None:
        with self._lock:
            words = next((one for one in self._said.values() if one), "")
            self._told(sum(self._here.values()), words, at_once=at_once)


class _Told:
    """Passes progress on, not too often, with how fast it was lately."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._seen: deque[tuple[float, int]] = deque()
        self._next = 0.0

    def __call__(self, here: int, words: str, *, at_once: bool) -> None:
        now = time.monotonic()
        if now < self._next and not at_once:
            return
        self._next = now + _TELL_S
        if self._seen and here < self._seen[-1][1]:
            self._seen.clear()  # something had to be brought anew
        self._seen.append((now, here))
        while now - self._seen[0][0] > _RATE_S:
            self._seen.popleft()
        began, first = self._seen[0]
        rate = (here - first) / (now - began) if now - began > 0.5 else 0.0
        self._progress(here, rate, words)


def _of_the_disk(error: OSError, models: Path) -> ArenaError:
    where = shortened(os.fsdecode(error.filename), 300) if error.filename else str(models)
    return ArenaError(
        f"{where} can't be written: {reason(error)}.",
        "Make room on the disk, or give yourself permission; then download again to go on. What has arrived is kept.",
    )
