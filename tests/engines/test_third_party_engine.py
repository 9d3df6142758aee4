"""An engine that an installed package adds by its entry point."""

import sys
from pathlib import Path

import pytest

from arena_desktop.domain.roster import ModelSpec
from arena_desktop.engines.catalogue import Catalogue
from arena_desktop.engines.types import FailureKind, SpeechFailure
from tests.engines.conftest import ADAPTERS, MakeHost


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a package ``their_voices`` installed in it, on the module path here and of the children."""
    site = tmp_path / "site"
    (site / "their_voices").mkdir(parents=True)
    (site / "their_voices" / "__init__.py").write_text("")
    source = (ADAPTERS / "acting.py").read_text().replace('return "acting 1.0"', "return __name__")
    refusal = (
        '\n\nclass Refusal(Exception):\n    kind, message, remedy = "settings", "No such speaker.", "Choose another."\n'
    )
    source = source.replace("class Engine:", f"{refusal}\n\nclass Speaker:").replace(
        "raise MemoryError", "raise Refusal"
    )
    (site / "their_voices" / "engine.py").write_text(source)
    metadata = site / "their_voices-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: their-voices\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text("[arena_desktop.engines]\ntheirs = their_voices.engine:Speaker\n")
    monkeypatch.syspath_prepend(str(site))
    monkeypatch.setenv("PYTHONPATH", str(site))
    return site


def test_it_is_found_and_speaks_without_being_imported_here(
    make_host: MakeHost, installed: Path, tmp_path: Path
) -> None:
    host = make_host(catalogue=Catalogue())
    theirs = ModelSpec("test/theirs", "Theirs", engine="theirs")
    assert host.check(theirs) == ()
    assert host.identify(theirs).engine_version == "their_voices.engine"
    assert host.speak(theirs, "Hello there.", None, tmp_path / "a.wav").frames > 0
    assert not any(name.startswith("their_voices") for name in sys.modules)


def test_its_own_refusal_keeps_kind_and_words(make_host: MakeHost, installed: Path, tmp_path: Path) -> None:
    host = make_host(catalogue=Catalogue())
    theirs = ModelSpec("test/theirs", "Theirs", engine="theirs", settings={"act": "memory"})
    with pytest.raises(SpeechFailure, match=r"No such speaker\. Choose another") as caught:
        host.speak(theirs, "Hello there.", None, tmp_path / "a.wav")
    assert caught.value.kind is FailureKind.SETTINGS


def test_an_interpreter_without_the_package_gets_its_file(make_host: MakeHost, installed: Path, tmp_path: Path) -> None:
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    host = make_host(catalogue=Catalogue())
    theirs = ModelSpec("test/theirs", "Theirs", engine="theirs", python=str(python))
    assert host.identify(theirs).engine_version.startswith("arena_engine_")
    assert host.speak(theirs, "Hello there.", None, tmp_path / "a.wav").frames > 0
