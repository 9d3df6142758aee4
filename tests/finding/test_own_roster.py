"""Entering models into a person's own roster, and taking them out: what else stands in the file stays as it is."""

import json
from pathlib import Path

import pytest

from arena_desktop.domain.roster import ArenaSpec, ModelSpec, Roster, Voice
from arena_desktop.engines.types import Identity, Missing
from arena_desktop.errors import ArenaError
from arena_desktop.services.adding import Adding
from arena_desktop.services.finders.found import Found, FoundState
from arena_desktop.services.roster_adding import Addition, add_model, addition, candidate, duplicate
from arena_desktop.store.roster_file import load_roster
from arena_desktop.store.roster_remover import own_models, remove_model

HASH = "0123456789abcdef" * 4
SHIPPED = """\
schema: 1
models:
  - {repo_id: x/one, name: One, engine: piper, language: [en]}
  - {repo_id: x/two, name: Two, engine: pico, language: [en-GB]}
arenas:
  - {id: english, title: English, language: en, models: [x/one, x/two]}
  - {id: like, title: Likes, language: en, kind: cloned, models: [x/one, x/two]}
"""
OWN = """\
# mine, all of it
schema: 1   # the form
models:
  # a friend's
  - repo_id: y/old
    name: "Old"   # not new
    files: {path: /v/old}

  - {repo_id: y/flow, name: Flow}  # in braces
# below: where they meet
arenas:
  - id: own
    title: Mine
    language: de
    models:
      - y/old     # first
      - y/flow
  - {id: other, models: [x/one, y/old]}   # last words
"""
FOUND = Found(
    "/v/de/voice.onnx",
    "Piper voice",
    "Piper Übung (low)",
    engine="piper",
    files={"path": "/v/de/voice.onnx"},
    settings={"noise_scale": 0.5, "deep": {"on": [1, True, None]}},
    language=("de-DE",),
    license='CC0: "free" # really',
)


@pytest.fixture
def shipped(tmp_path: Path) -> Path:
    path = tmp_path / "shipped.yaml"
    path.write_text(SHIPPED, encoding="utf-8")
    return path


def roster_of(path: Path, shipped: Path) -> Roster:
    return load_roster(path, shipped=shipped)


def enter(path: Path, shipped: Path, found: Found = FOUND, **wishes: str) -> Addition:
    roster = roster_of(path, shipped)
    new = addition(found, candidate(found), HASH, roster, **wishes)
    add_model(path, roster, new)
    return new


@pytest.mark.parametrize("start", ["", OWN, "# nothing yet\nschema: 1\n", "schema: 1\r\nmodels: []\r\n"])
def test_a_full_entry_reads_back_as_it_was_meant_and_removal_leaves_the_file_as_it_was(
    tmp_path: Path, shipped: Path, start: str
) -> None:
    path = tmp_path / "models.yaml"
    if start:
        path.write_bytes(start.encode())
    new = enter(path, shipped)
    read = roster_of(path, shipped).models[new.spec.repo_id]
    assert read == new.spec
    assert read.settings == FOUND.settings
    assert read.repo_id == "local/Piper-Ubung-low#01234567"
    text = path.read_bytes().decode()
    for line in start.splitlines():
        assert "#" not in line or line.split("#", 1)[1] in text, "every comment is still there"
    assert own_models(path) >= {new.spec.repo_id}
    remove_model(path, load_roster(tmp_path / "none", shipped=shipped), new.spec.repo_id)
    assert new.spec.repo_id not in path.read_text(encoding="utf-8")
    if start == OWN:
        assert path.read_bytes().decode() == OWN


def test_an_arena_is_joined_by_language_and_made_where_there_is_none(tmp_path: Path, shipped: Path) -> None:
    path = tmp_path / "models.yaml"
    german = enter(path, shipped)
    arena = roster_of(path, shipped).arenas["german"]
    assert (arena.title, arena.language, arena.kind) == ("German", "de", "preset")
    assert german.arenas == ("german",)
    english = Found("/v/e", "Piper voice", "E", engine="piper", files={"path": "/v/e"}, language=("en-US", "de"))
    joined = enter(path, shipped, english)
    assert joined.arenas == ("english", "german"), "a cloned arena is not joined"
    members = roster_of(path, shipped).arenas["english"].models
    assert members == ("x/one", "x/two", joined.spec.repo_id), "the shipped members stay"
    assert enter(path, shipped, Found("/v/f", "v", "F", engine="piper", language=("fr",)), arena="like").arenas == (
        "like",
    )


def test_what_cant_be_placed_is_refused_in_words(tmp_path: Path, shipped: Path) -> None:
    path = tmp_path / "models.yaml"
    mute = Found("/v/m", "v", "M", engine="piper")
    with pytest.raises(ArenaError, match="which language M speaks"):
        enter(path, shipped, mute)
    with pytest.raises(ArenaError, match="no arena nowhere"):
        enter(path, shipped, mute, arena="nowhere")
    with pytest.raises(ArenaError, match="can't be added: broken"):
        candidate(Found("/v/m", "v", "M", state=FoundState.CANT, reason="broken"))
    with pytest.raises(ArenaError, match="no voice nobody"):
        candidate(Found("/v", "v", "M", voices=(Voice("a"), Voice("b"))), voice="nobody")
    assert not path.exists()


def test_names_and_ids_are_the_models_own(tmp_path: Path, shipped: Path) -> None:
    path = tmp_path / "models.yaml"
    enter(path, shipped)
    roster = roster_of(path, shipped)
    again = addition(FOUND, candidate(FOUND), "f" * 64, roster)
    assert again.spec.name == "Piper Übung (low) (2)"
    assert again.spec.repo_id == "local/Piper-Ubung-low#ffffffff"
    with pytest.raises(ArenaError, match="called one already"):
        addition(FOUND, candidate(FOUND), "f" * 64, roster, name="one")
    hub = Found("/h/v", "v", "V", engine="piper", language=("de",), source="a/b", revision="0" * 40, variant="de x")
    assert addition(hub, candidate(hub), HASH, roster).spec.repo_id == "a/b#de-x"
    assert candidate(hub).files == {"path": "/h/v", "revision": "0" * 40}
    several = Found("/h/v", "v", "V", engine="piper", language=("de",), source="a/b", voices=(Voice("p1"), Voice("p2")))
    spec = candidate(several, voice="p2")
    assert spec.name == "V, p2"
    assert addition(several, spec, HASH, roster).spec.repo_id == "a/b#p2"
    with pytest.raises(ArenaError, match="known again"):
        addition(FOUND, candidate(FOUND), None, roster)


class Hashes:
    """Knows the weights of some models."""

    def __init__(self, **known: str) -> None:
        self._known = known

    def identify(self, model: ModelSpec, voice: Voice | None = None) -> Identity:
        if model.name not in self._known:
            raise ArenaError("gone")
        return Identity(str(model.engine), "1", self._known[model.name], "")


def test_the_same_weights_are_known_again_by_voice_and_settings() -> None:
    def spec(name: str, *voices: str, **settings: float) -> ModelSpec:
        return ModelSpec(f"a/{name}", name, engine="piper", voices=tuple(map(Voice, voices)), settings=settings)

    models = [spec("gone"), spec("plain", "joe"), spec("loud", speed=2), spec("many", "p1")]
    roster = Roster({model.repo_id: model for model in models}, {"e": ArenaSpec("e", ())})
    host = Hashes(plain="1", loud="1", many="2")

    def same(model: ModelSpec, weights: str | None, first: str | None = None) -> str | None:
        found = duplicate(model, weights, roster, host, first=first)
        return None if found is None else found.name

    assert same(spec("new"), "1") == "plain", "the name of an only voice tells nothing apart"
    assert same(spec("new", speed=2), "1") == "loud"
    assert same(spec("new", speed=3), "1") is None
    assert same(spec("new"), "3") is None
    assert same(spec("new"), None) is None
    assert same(spec("new", "p1"), "2", "p1") == "many"
    assert same(spec("new", "p2"), "2", "p1") is None


def test_a_json_roster_is_added_to_and_cleared_alike(tmp_path: Path, shipped: Path) -> None:
    path = tmp_path / "models.json"
    start = {
        "schema": 1,
        "models": [{"repo_id": "y/old", "name": "Old"}],
        "arenas": [{"id": "own", "models": ["y/old"]}],
    }
    path.write_text(json.dumps(start), encoding="utf-8")
    new = enter(path, shipped)
    assert roster_of(path, shipped).models[new.spec.repo_id] == new.spec
    remove_model(path, load_roster(tmp_path / "none", shipped=shipped), new.spec.repo_id)
    assert json.loads(path.read_text(encoding="utf-8")) == start


def test_removal_takes_an_arena_that_would_be_empty_and_leaves_a_model_that_is_shipped_too(
    tmp_path: Path, shipped: Path
) -> None:
    path = tmp_path / "models.yaml"
    base = load_roster(tmp_path / "none", shipped=shipped)
    path.write_text(
        "schema: 1\nmodels:\n  - {repo_id: x/one, name: My one}\n  - {repo_id: y/a, name: A}\n"
        "arenas:\n  - {id: lone, models: [y/a]}  # alone\n  - {id: pair, models: [x/one, y/a]}\n",
        encoding="utf-8",
    )
    remove_model(path, base, "y/a")
    roster = roster_of(path, shipped)
    assert "lone" not in roster.arenas
    assert roster.arenas["pair"].models == ("x/one",)
    remove_model(path, base, "x/one")
    assert roster_of(path, shipped).models["x/one"].name == "One"
    assert roster_of(path, shipped).arenas["pair"].models == ("x/one",)


def test_removal_refuses_what_isnt_there_and_touches_nothing(tmp_path: Path, shipped: Path) -> None:
    path = tmp_path / "models.yaml"
    base = load_roster(tmp_path / "none", shipped=shipped)
    with pytest.raises(ArenaError, match="has no model"):
        remove_model(path, base, "y/a")
    assert not path.exists()
    path.write_text(OWN, encoding="utf-8")
    with pytest.raises(ArenaError, match="comes with the program"):
        remove_model(path, base, "x/one")
    path.write_text(OWN + "odd: 1\n", encoding="utf-8")
    with pytest.raises(ArenaError, match="has a fault"):
        remove_model(path, base, "y/old")
    assert path.read_text(encoding="utf-8") == OWN + "odd: 1\n"


def test_a_path_with_odd_characters_is_written_so_that_it_reads_back(tmp_path: Path, shipped: Path) -> None:
    path = tmp_path / "models.yaml"
    odd = '/v/it\'s "odd": {x}, [y] # z\u2028\x85\t😀/no'
    found = Found(odd, "v", "Odd", engine="piper", files={"path": odd, "yes": "on", "a b": "~"}, language=("en",))
    new = enter(path, shipped, found)
    assert roster_of(path, shipped).models[new.spec.repo_id].files == {"path": odd, "yes": "on", "a b": "~"}


class _NeverAsked:
    """A speech host that an empty model must not reach."""

    def check(self, model: ModelSpec) -> tuple[Missing, ...]:
        raise AssertionError(model)

    def identify(self, model: ModelSpec, voice: Voice | None = None) -> Identity:
        raise AssertionError(model)


def test_a_model_without_a_byte_is_neither_heard_nor_added(tmp_path: Path) -> None:
    empty = tmp_path / "voice.onnx"
    empty.touch()
    found = Found(str(empty), "Piper voice", "Empty", engine="piper", files={"path": str(empty)}, language=("en",))
    nothing = Roster({}, {})
    adding = Adding(_NeverAsked(), roster=lambda: nothing, shipped=lambda: nothing, file=tmp_path / "models.yaml")
    with pytest.raises(ArenaError, match="no bytes"):
        adding.propose(found, candidate(found))
    with pytest.raises(ArenaError, match="no bytes"):
        adding.weigh(found, candidate(found))
