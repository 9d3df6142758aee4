"""Values that cross the border of the engines package."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from arena_desktop.errors import ArenaError


@dataclass(frozen=True)
class Missing:
    """One thing a model lacks on this machine, and how to get it (a sentence, with the command where there is one)."""

    what: str
    remedy: str

    @property
    def line(self) -> str:
        """Both in one line: ``what`` is a thing, or a whole sentence."""
        return f"{self.what}{'' if self.what.endswith('.') else '.'} {self.remedy}".rstrip()

    def of(self, whose: str) -> str:
        """The same, and whose it is: ``Joe lacks the package x. Run: …``."""
        return f"{whose} lacks {self.line}" if self.what[:1].islower() else f"{whose}: {self.line}"


@dataclass(frozen=True)
class Identity:
    """What exactly speaks: part of the cache key and of the vote record. Hashes are lower-case hex SHA-256."""

    engine: str
    engine_version: str
    weights_hash: str | None
    settings_hash: str
    revision: str | None = None
    reference_sha256: str | None = None


@dataclass(frozen=True)
class Spoken:
    """A clip on disk: float32 mono WAV at ``path``. ``elapsed`` is the engine's own time in seconds (levels and
    transfer excluded), ``rtf`` is elapsed / seconds of sound. ``device`` is ``cpu``, ``cuda`` or ``mps``; ``dtype``
    e.g. ``float32``, ``int8``.
    """

    path: Path
    rate: int
    frames: int
    elapsed: float
    rtf: float
    device: str
    dtype: str
    clip_sha256: str


class FailureKind(StrEnum):
    """Why a clip could not be had. ``environment``: the Python that the model runs under is broken or lacks a package;
    the model itself may be sound. ``cancelled``: the program is closing; nobody's fault, and not counted.
    """

    MISSING = "missing"
    ENVIRONMENT = "environment"
    CRASH = "crash"
    HANG = "hang"
    SILENCE = "silence"
    NOT_FINITE = "not_finite"
    CLIPPING = "clipping"
    TOO_SHORT = "too_short"
    TOO_LONG = "too_long"
    OUT_OF_MEMORY = "out_of_memory"
    TEXT = "text"
    SETTINGS = "settings"
    ENGINE = "engine"
    CANCELLED = "cancelled"


class SpeechFailure(ArenaError):
    """An engine could not speak. ``repo_id`` names the model (for counting and for the Models page, never for the
    Listen page).
    """

    def __init__(self, kind: FailureKind, repo_id: str, message: str, remedy: str = "") -> None:
        super().__init__(message, remedy)
        self.kind = kind
        self.repo_id = repo_id
