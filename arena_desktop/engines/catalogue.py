"""Which engines there are: ours, those that installed packages add by the entry point group ``arena_desktop.engines``,
and given files.
"""

import importlib.metadata
import pkgutil
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

GROUP = "arena_desktop.engines"


@dataclass(frozen=True)
class EngineSource:
    """Where the child finds an adapter: one of ours by ``name`` alone, else by ``module`` and, failing that, by
    ``file``.
    """

    name: str
    module: str | None = None
    file: Path | None = None
    attribute: str = "Engine"

    def message(self) -> dict[str, Any]:
        """The form in which it is sent to the child."""
        return {
            "name": self.name,
            "module": self.module,
            "file": None if self.file is None else str(self.file),
            "attribute": self.attribute,
        }


def _installed() -> Iterable[importlib.metadata.EntryPoint]:
    return importlib.metadata.entry_points(group=GROUP)


class Catalogue:
    """Engines by name. ``files`` names adapters by path and wins over everything; our own win over installed ones.

    Nothing of an engine is imported here: the child does that.
    """

    def __init__(
        self,
        files: Mapping[str, Path] | None = None,
        installed: Callable[[], Iterable[importlib.metadata.EntryPoint]] = _installed,
    ) -> None:
        self._files = dict(files or {})
        self._installed = installed
        self._found: dict[str, EngineSource] | None = None

    def find(self, name: str) -> EngineSource | None:
        """The engine called ``name``, None if there is none."""
        return self._all().get(name)

    def names(self) -> tuple[str, ...]:
        """All engines, sorted."""
        return tuple(sorted(self._all()))

    def _all(self) -> dict[str, EngineSource]:
        if self._found is None:
            found = {point.name: _third_party(point) for point in self._installed()}
            found |= {name: EngineSource(name) for name in _ours()}
            found |= {name: EngineSource(name, file=path.absolute()) for name, path in self._files.items()}
            self._found = found
        return self._found


def _ours() -> list[str]:
    from arena_desktop.engines.worker import adapters  # a package without content

    return [module.name for module in pkgutil.iter_modules(adapters.__path__) if re.match(r"[a-z]", module.name)]


def _third_party(point: importlib.metadata.EntryPoint) -> EngineSource:
    """``name = module:Class``; without a class it is ``Engine``. The file is for a child whose interpreter lacks the
    module.
    """
    file = None
    if point.dist is not None:
        stem = point.module.replace(".", "/")
        places = (Path(str(point.dist.locate_file(f"{stem}{tail}"))) for tail in (".py", "/__init__.py"))
        file = next((place for place in places if place.is_file()), None)
    return EngineSource(point.name, point.module, file, point.attr or "Engine")
