"""The roster that ships: what it says of each voice is so on a machine that has been set up."""

import importlib
from pathlib import Path

import pytest

from arena_desktop.domain.roster import ModelSpec
from arena_desktop.engines.worker.identity import FileHashes
from arena_desktop.store.roster_file import load_roster, shipped_roster_path

ROSTER = load_roster(Path("none"), override=shipped_roster_path())


def engine_of(model: ModelSpec) -> object:
    module = importlib.import_module(f"arena_desktop.engines.worker.adapters.{model.engine}")
    return module.Engine(dict(model.files), dict(model.settings), [])


def test_the_english_arena_is_the_default_one_and_asks_for_naturalness() -> None:
    arena = next(iter(ROSTER.arenas.values()))
    assert (arena.id, arena.language, arena.kind) == ("english", "en", "preset")
    assert arena.question == "Which voice sounds more natural?"
    assert arena.models == tuple(ROSTER.models)[:9]
    assert all("en" in ROSTER.models[repo_id].language for repo_id in arena.models)


@pytest.mark.parametrize(
    ("arena_id", "language", "makers"),
    [
        ("german", "de", {"pico", "espeak"}),
        ("spanish", "es", {"kokoro", "pico", "espeak"}),
        ("french", "fr", {"kokoro", "pico", "espeak"}),
        ("italian", "it", {"kokoro", "pico", "espeak"}),
        ("japanese", "ja", {"kokoro"}),
    ],
)
def test_the_arena_of_a_language_has_voices_that_speak_it(arena_id: str, language: str, makers: set[str]) -> None:
    arena = ROSTER.arenas[arena_id]
    members = [ROSTER.models[repo_id] for repo_id in arena.models]
    assert arena.language == language
    assert {model.engine for model in members} == makers
    assert all(model.language == (language,) for model in members)
    for model in members:
        spoken = engine_of(model).languages()  # type: ignore[attr-defined]
        assert [tag.split("-")[0] for tag in spoken] == [language], model.repo_id


def test_every_model_is_in_an_arena() -> None:
    assert {repo_id for arena in ROSTER.arenas.values() for repo_id in arena.models} == set(ROSTER.models)


@pytest.mark.parametrize("repo_id", list(ROSTER.models))
def test_every_model_is_ready_and_says_what_it_is(repo_id: str, tmp_path: Path) -> None:
    model = ROSTER.models[repo_id]
    engine = engine_of(model)
    assert engine.check() == []  # type: ignore[attr-defined]
    assert "not installed" not in engine.version()  # type: ignore[attr-defined]
    files = [Path(file) for file in engine.weight_files()]  # type: ignore[attr-defined]
    assert files
    assert all(file.is_file() for file in files)
    assert len(model.voices) == 1
    assert model.license
    if repo_id.startswith("local/"):  # without a hub id the id carries the beginning of the weights' hash
        weights = FileHashes(str(tmp_path / "hashes")).of_all([str(file) for file in files])
        assert weights is not None
        assert repo_id.endswith("#" + weights[:8])


def test_no_two_kokoro_voices_have_the_same_weights(tmp_path: Path) -> None:
    hashes = FileHashes(str(tmp_path / "hashes"))
    found = [
        hashes.of_all(engine_of(model).weight_files())  # type: ignore[attr-defined]
        for model in ROSTER.models.values()
        if model.engine == "kokoro"
    ]
    assert len(found) == len(set(found)) == 11


def test_a_benchmark_index_has_a_source() -> None:
    assert [model.repo_id for model in ROSTER.models.values() if model.tts_index and not model.tts_index_source] == []
