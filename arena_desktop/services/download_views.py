"""What the dialog for downloads and the terminal show: frozen values."""

from dataclasses import dataclass, field
from enum import StrEnum

from arena_desktop.services.views import Line


class DownloadState(StrEnum):
    """How far a download is. ``offered``: its list is here and nothing was brought yet; ``stopped``: somebody stopped
    it, and it can go on.
    """

    LOOKING = "looking"
    OFFERED = "offered"
    WAITING = "waiting"
    RUNNING = "running"
    STOPPED = "stopped"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True)
class OfferedFile:
    """A file of the model: ``size`` in bytes; ``why`` it is left out; ``pickle``: opened carelessly it could run what
    its maker wrote into it.
    """

    path: str
    size: int
    wanted: bool
    why: str = ""
    pickle: bool = False


@dataclass(frozen=True)
class Download:
    """One model that somebody asked for, by ``id``. Everything up to ``files`` is known from ``offered`` on.

    ``refused`` are files that can't be kept here: (name, why). ``here`` of ``of`` bytes of the wanted files have come,
    ``rate`` bytes a second; ``line`` says what came of it, or what is waited for. ``place`` is the folder, once done.
    """

    id: int
    repo: str
    state: DownloadState
    revision: str = ""
    endpoint: str = ""
    license: str = ""
    license_url: str = ""
    gated: bool = False
    files: tuple[OfferedFile, ...] = ()
    refused: tuple[tuple[str, str], ...] = ()
    here: int = 0
    of: int = 0
    rate: float = 0.0
    line: Line = field(default_factory=Line)
    place: str = ""

    @property
    def seconds_left(self) -> float | None:
        """How long it will yet take at this rate; None if that can't be told."""
        return (self.of - self.here) / self.rate if self.rate > 0 and self.of > self.here else None


@dataclass(frozen=True)
class DownloadsView:
    """The dialog for downloads. ``endpoint`` is the hub that is asked unless another is named."""

    endpoint: str = ""
    downloads: tuple[Download, ...] = ()
