"""Recognisers of speech, which say what they hear. Each is a class ``Recogniser`` in a module of this package.

``missing()`` lists what it lacks as ``Engine.check`` does; ``load()`` brings it up; ``title``, ``files`` (whose bytes
are the model; none for one that comes with its library) and ``languages`` describe it then; ``hear(sound, language)``
gives the words of mono float32 sound at 16 kHz, "" for none.
"""

from __future__ import annotations

import importlib
from typing import Any

from ..faults import EngineFault

RATE = 16000
KINDS = ("sphinx", "whisper")


class Ears:
    """The recogniser of this child: one at a time, loaded when it is first asked for."""

    def __init__(self) -> None:
        self._wish: dict[str, Any] | None = None
        self._loaded: Any = None

    def of(self, wish: dict[str, Any]) -> Any:
        """The loaded recogniser for ``{"kind", "path"}``. EngineFault in words where it lacks something."""
        if wish != self._wish or self._loaded is None:
            self._wish = self._loaded = None
            if wish["kind"] not in KINDS:
                raise EngineFault("settings", f"{wish['kind']!r} is no kind of recogniser.")
            found = importlib.import_module(f"{__name__}.{wish['kind']}").Recogniser(wish["path"])
            missing = found.missing()
            if missing:
                raise EngineFault("missing", f"{missing[0]['what']} is missing.", missing[0]["remedy"])
            found.load()
            self._wish, self._loaded = dict(wish), found
        return self._loaded
