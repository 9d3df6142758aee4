"""The engines of this child: found, made, loaded, and put away again when the parent says so."""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import os
import re
import sys
import time
import traceback
from collections import OrderedDict
from typing import Any

from . import process
from .faults import EngineFault

Request = dict[str, Any]


class Loaded:
    """A loaded engine, and what it was loaded as. ``device`` is ``cpu``, ``cuda`` or ``mps``, whichever GPU it is."""

    def __init__(self, engine: Any, device: str, dtype: str, seconds: float) -> None:
        self.engine = engine
        self.device = device.split(":")[0]
        self.dtype = dtype
        self.seconds = seconds


class Shelf:
    """Loaded engines by ``key``, the least recently used first."""

    def __init__(self) -> None:
        self._loaded: OrderedDict[str, Loaded] = OrderedDict()

    def make(self, request: Request) -> Any:
        """The loaded engine for this request, else a new one that is not loaded."""
        loaded = self._loaded.get(request["key"])
        if loaded is not None:
            return loaded.engine
        return find_class(request["engine"])(request["files"], request["settings"], request["search"])

    def find(self, key: str) -> Loaded | None:
        """The loaded engine of this key, now the most recently used; None if it isn't loaded."""
        found = self._loaded.get(key)
        if found is not None:
            self._loaded.move_to_end(key)
        return found

    def load(self, request: Request) -> Loaded:
        """The engine of this request, loaded on its ``device``. An adapter with ``dtypes`` finds the chosen one in its
        settings.
        """
        key = request["key"]
        found = self.find(key)
        if found is not None:
            return found
        engine = self.make(_with_dtype(request))
        missing = engine.check()
        if missing:
            raise EngineFault("missing", f"{missing[0]['what']} is missing.", str(missing[0]["remedy"]))
        began = time.perf_counter()
        chosen = engine.load(request["device"])
        loaded = Loaded(engine, str(chosen["device"]), str(chosen["dtype"]), time.perf_counter() - began)
        self._loaded[key] = loaded
        return loaded

    def drop(self, key: str) -> None:
        """Put one engine away; nothing if it isn't loaded."""
        loaded = self._loaded.pop(key, None)
        if loaded is None:
            return
        try:
            loaded.engine.close()
        except Exception:
            traceback.print_exc(file=sys.stderr)  # it is gone from the shelf either way
        del loaded
        process.give_back_memory()

    def clear(self) -> None:
        """Put all engines away."""
        for key in list(self._loaded):
            self.drop(key)

    def keys(self) -> list[str]:
        """What is loaded, least recently used first."""
        return list(self._loaded)


def needs_of(engine: Any) -> dict[str, Any]:
    """What an adapter tells of what it will need, before it is loaded; what it doesn't tell is left out."""
    found: dict[str, Any] = {"runtime": getattr(engine, "RUNTIME", None)}
    for name in ("architecture", "dtypes", "quantised"):
        tell = getattr(engine, name, None)
        if callable(tell):
            found[name] = tell()
    with contextlib.suppress(OSError):
        found["weights"] = sum(os.path.getsize(path) for path in engine.weight_files())  # noqa: PTH202
    return found


def _with_dtype(request: Request) -> Request:
    if not request.get("dtype") or not hasattr(find_class(request["engine"]), "dtypes"):
        return request
    return {**request, "settings": {**request["settings"], "dtype": request["dtype"]}}


def find_class(engine: dict[str, Any]) -> Any:
    """The adapter class named by ``{"name"}`` (one of ours), ``{"module", "attribute", "file"}`` (installed) or
    ``{"file"}`` (by path).
    """
    if engine.get("module"):
        with contextlib.suppress(ModuleNotFoundError):
            return getattr(importlib.import_module(engine["module"]), engine["attribute"])
    if engine.get("file"):
        return getattr(_module_from_file(engine["file"]), engine["attribute"])
    name = engine["name"]
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise EngineFault("settings", f"{name!r} is no name of an engine.")
    return importlib.import_module(f"{__package__}.adapters.{name}").Engine


def _module_from_file(path: str) -> Any:
    name = "arena_engine_" + re.sub(r"\W", "_", path)
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise EngineFault("missing", f"The engine file {path} can't be loaded.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module
