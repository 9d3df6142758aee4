"""Recipes: what an engine needs that gets a Python environment of its own."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from arena_desktop.domain.canonical import canonical, sha256_hex

TORCH_FAMILY = ("torch", "torchaudio", "torchvision")
"""Packages that must come from the same build of torch."""

PERMISSIVE = frozenset({"Apache-2.0", "MIT", "BSD-2-Clause", "BSD-3-Clause", "ISC", "CC0-1.0", "CC-BY-4.0"})
"""Licences (SPDX) that ask for no more than that their text and the authors' names stay."""
_FREE = frozenset(name.lower() for name in PERMISSIVE)
_NOT_FOR_TRADE = re.compile(
    r"(^|[^a-z])(nc|non-?commercial|no commercial)([^a-z]|$)|coqui.public.model.license|\bcpml\b"
)

_VERSION_RANGE = re.compile(r"(>=|<)(\d+)\.(\d+)")
_PIN = re.compile(
    r"([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)(\[[A-Za-z0-9._, -]+\])?==([A-Za-z0-9.+!_-]+)(\s*;\s*.+)?"
)
_PRE = re.compile(r"[-_.]+")
NAME = re.compile(r"[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?")
"""Names of recipes and environments: they are names of folders, too."""


class Torch(StrEnum):
    """Which build of torch a recipe wants: ``auto`` fits the machine."""

    CPU = "cpu"
    CUDA = "cuda"
    AUTO = "auto"


class Commercial(StrEnum):
    """Whether what is spoken may be used commercially."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class PythonRange:
    """Versions of Python, (major, minor): from ``low`` on, below ``high``. None: no bound."""

    low: tuple[int, int] | None = None
    high: tuple[int, int] | None = None

    def holds(self, version: tuple[int, int]) -> bool:
        """Whether this version is one of them."""
        return (self.low is None or version >= self.low) and (self.high is None or version < self.high)

    def __str__(self) -> str:
        """In words: ``3.10 to 3.12``, ``3.9 or newer``."""
        low = None if self.low is None else f"{self.low[0]}.{self.low[1]}"
        high = None if self.high is None else f"{self.high[0]}.{self.high[1] - 1}" if self.high[1] else None
        if low and high:
            return low if low == high else f"{low} to {high}"
        if low:
            return f"{low} or newer"
        return f"up to {high}" if high else "any version"


@dataclass(frozen=True)
class Pin:
    """One package at one version: ``name`` in pip's normal form, ``text`` as pip is asked for it."""

    name: str
    version: str
    text: str


@dataclass(frozen=True)
class Recipe:
    """One environment, before it is made.

    ``packages`` are exact pins, installed with what they need; ``bare`` are pins installed last and without what they
    ask for (for packages whose own demands can't be met together); ``from_source`` names packages that exist as source
    only, everything else comes as wheels. ``size_gb`` is what the environment takes on disk. ``hub`` are ids of
    models that it is for, ``recognise`` says by which values of their ``config.json`` and by which ``files`` they are
    known. ``license`` is that of the models it is made for, and of its code where that is stricter.
    """

    id: str
    title: str
    engine: str
    packages: tuple[Pin, ...]
    size_gb: float
    license: str
    python: PythonRange = PythonRange()
    torch: Torch | None = None
    bare: tuple[Pin, ...] = ()
    from_source: tuple[str, ...] = ()
    license_url: str = ""
    commercial_use: Commercial = Commercial.UNKNOWN
    hub: tuple[str, ...] = ()
    config: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    files: tuple[str, ...] = ()
    note: str = ""

    @property
    def needs_consent(self) -> bool:
        """Whether a person must accept the licence before anything is installed."""
        return self.commercial_use is not Commercial.YES or self.license not in PERMISSIVE

    @property
    def licence_words(self) -> str:
        """The licence in a sentence or two, said before the recipe is used."""
        where = f" ({self.license_url})" if self.license_url else ""
        return f"Licence: {self.license}{where}. {commercial_words(self.commercial_use)}"

    @property
    def digest(self) -> str:
        """What of it decides what is installed, as a hash: an environment made by another one is out of date."""
        pins = [[pin.text for pin in self.packages], [pin.text for pin in self.bare], list(self.from_source)]
        return sha256_hex(canonical([pins, str(self.python), self.torch and self.torch.value]))

    @property
    def size_words(self) -> str:
        """``5.2 GB``, ``140 MB``."""
        return size_words(self.size_gb * 1e9)


def commercial_use_of(license_: str) -> Commercial:
    """Whether a licence, as a model's card names it, allows commercial use; unknown where its name doesn't tell."""
    name = license_.lower()
    if _NOT_FOR_TRADE.search(name):
        return Commercial.NO
    return Commercial.YES if name in _FREE else Commercial.UNKNOWN


def commercial_words(use: Commercial) -> str:
    """A sentence on commercial use."""
    return _COMMERCIAL[use]


_COMMERCIAL = {
    Commercial.YES: "Commercial use is allowed.",
    Commercial.NO: "Commercial use is not allowed.",
    Commercial.UNKNOWN: "Whether commercial use is allowed is not known.",
}


def size_words(count: float) -> str:
    """A number of bytes as people read it."""
    for unit, divisor in (("GB", 1e9), ("MB", 1e6)):
        if count >= divisor:
            number = count / divisor
            return f"{number:.1f} {unit}" if number < 100 else f"{number:.0f} {unit}"
    return f"{count / 1e3:.0f} kB"


def normal_name(name: str) -> str:
    """A package's name as pip compares it."""
    return _PRE.sub("-", name).lower()


def read_pin(text: str) -> Pin | None:
    """``NAME==VERSION``, perhaps with extras and a marker (``NAME[extra]==1.0 ; sys_platform == "linux"``); None for
    anything else.
    """
    found = _PIN.fullmatch(text.strip())
    return None if found is None else Pin(normal_name(found[1]), found[3], text.strip())


def read_python_range(text: str) -> PythonRange | None:
    """``>=3.10,<3.13``, or one of the two; None for anything else."""
    bounds: dict[str, tuple[int, int]] = {}
    for part in text.split(","):
        found = _VERSION_RANGE.fullmatch(part.strip())
        if found is None or found[1] in bounds:
            return None
        bounds[found[1]] = (int(found[2]), int(found[3]))
    return PythonRange(bounds.get(">="), bounds.get("<"))


def recipe_for(recipes: Iterable[Recipe], hub_id: str) -> Recipe | None:
    """The recipe that knows this model of the hub."""
    return next((recipe for recipe in recipes if hub_id in recipe.hub), None)
