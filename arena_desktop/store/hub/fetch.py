"""One file of a hub, brought here whole: gone on with after every interruption, checked while it is written."""

import errno
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

from arena_desktop.domain.hub import HubFile, HubModel
from arena_desktop.harmless import shortened
from arena_desktop.store.hub.faults import Hiccup, HubError, Stopped
from arena_desktop.store.hub.part import Part
from arena_desktop.store.hub.stopper import Stopper
from arena_desktop.store.hub.wire import Answer, Head, Wire

LONGEST_ASKED_WAIT = 300.0
"""Seconds. A hub that wants more is told about, not waited for."""
ENOUGH = 256 * 1024
"""Bytes. A try that brought so many, or the last ones, was not in vain."""

Told = Callable[[int], None]


def address(model: HubModel, file: HubFile) -> str:
    """Where ``file`` is to be had."""
    return f"{model.endpoint}/{model.repo}/resolve/{model.revision}/{quote(file.path)}"


class Fetch:
    """Brings ``file`` into the part at ``path``. ``told`` is called with how many bytes are here, as they come; it may
    become less again. ``said`` is told in words what is waited for, "" when it goes on.
    """

    def __init__(
        self,
        wire: Wire,
        model: HubModel,
        file: HubFile,
        path: Path,
        stopper: Stopper,
        told: Told = lambda here: None,
        said: Callable[[str], None] = lambda words: None,
    ) -> None:
        self._wire, self._model, self._file, self._path = wire, model, file, path
        self._stopper, self._told, self._said = stopper, told, said
        self._tag = ""
        self._spoiled = 0

    def run(self) -> str:
        """Bring it; returns its SHA-256 in hex. Afterwards the part is whole, checked and on the disk.

        Raises :class:`HubError`, :class:`Stopped`, OSError; what has arrived is kept.
        """
        part = Part(self._path, self._file)
        try:
            self._told(part.here)
            self._bring(part)
            part.keep()
            digest = part.sha256()
        finally:
            part.close()
        part.drop_marks()
        return digest

    def _bring(self, part: Part) -> None:
        failed = 0
        while not (part.whole and self._checked(part)):
            before = part.here
            try:
                self._stopper.check()
                self._once(part)
            except Hiccup as hiccup:
                failed = 1 if part.here - before >= ENOUGH else failed + 1
                part.keep()
                self._pause(hiccup, failed)
            except (Stopped, HubError):
                part.keep()
                raise
            except OSError:
                self._keep_if_it_goes(part)
                raise

    def _checked(self, part: Part) -> bool:
        if part.check():
            return True
        self._told(part.here)
        self._spoiled += 1
        self._tag = ""
        if self._spoiled > 2:
            raise HubError(
                f"{shortened(self._file.path, 200)} arrives otherwise than {self._host} says it is (its hash differs).",
                "Nothing of it was kept. Try another network or another address of the hub, and tell its owner.",
            )
        return False

    def _once(self, part: Part) -> None:
        """One request, as far as it gets."""
        start, size = part.here, self._file.size
        if start == size:
            return
        what = f"{self._file.path} of {self._model.repo}"
        with self._wire.get(
            address(self._model, self._file), what, self._stopper, start=start, tag=self._tag
        ) as answer:
            head = answer.head
            if head.status == 416:  # the hub has less than we do
                part.restart()
                self._told(0)
                raise Hiccup(f"{self._host} has another {shortened(self._file.path, 200)} than it told of.")
            skip = self._to_skip(head, part)
            if head.whole is not None and head.whole != size:
                raise Hiccup(
                    f"{self._host} sends {head.whole:,} bytes for {shortened(self._file.path, 200)}, not the {size:,}"
                    " that it told of."
                )
            self._tag = head.tag
            self._take(answer, part, skip)
        if not part.whole:
            raise Hiccup(f"The connection to {self._host} broke off.")

    def _to_skip(self, head: Head, part: Part) -> int:
        """How many bytes of the body are here already. A hub that sends all of it again, though asked for the rest,
        sends what is here first; if it is another content now, what is here is of no use.
        """
        if head.status == 206 or not part.here:
            return 0
        if self._tag and head.tag != self._tag:
            part.restart()
            self._told(0)
            return 0
        return part.here

    def _take(self, answer: Answer, part: Part, skip: int) -> None:
        self._said("")
        for piece in answer.body():
            if skip:
                cut = min(skip, len(piece))
                skip, piece = skip - cut, piece[cut:]
            part.write(piece)
            self._told(part.here)
            if part.whole:
                return  # should more follow, it doesn't belong to the file

    def _pause(self, hiccup: Hiccup, failed: int) -> None:
        patience = self._wire.patience
        if failed >= patience.tries:
            raise HubError(
                f"{hiccup.message} {shortened(self._file.path, 200)} was tried {failed} times.",
                f"What has arrived is kept: download again to go on with it. {hiccup.remedy}".rstrip(),
            )
        wait = patience.pause(failed)
        if hiccup.wait is not None:
            if hiccup.wait > LONGEST_ASKED_WAIT:
                raise HubError(
                    f"{hiccup.message} It asks to wait {hiccup.wait / 60:.0f} minutes.",
                    "What has arrived is kept: download again then to go on with it.",
                )
            wait = max(wait, hiccup.wait)
        self._said(f"{hiccup.message} It is tried again in {max(1, round(wait))} s.")
        self._stopper.wait(wait)

    def _keep_if_it_goes(self, part: Part) -> None:
        try:
            part.keep()
        except OSError as error:
            if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EROFS):
                raise

    @property
    def _host(self) -> str:
        return shortened(self._model.endpoint.partition("//")[2].partition("/")[0])
