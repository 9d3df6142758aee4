"""Models that are only rated: entries in a person's own roster file, which keeps all that stands there."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena_desktop.domain.roster import ArenaSpec, ModelSpec, Roster, is_repo_id
from arena_desktop.errors import ArenaError
from arena_desktop.services.import_findings import OTHERS, Findings, ImportFindings
from arena_desktop.services.rating_only import Plan, add_rating_only, add_to_own_roster, name_of, plan
from arena_desktop.services.vote_import import import_votes
from arena_desktop.store.policy_file import data_policy
from arena_desktop.store.roster_editor import NewEntries, add_entries
from arena_desktop.store.roster_file import load_roster
from tests.helpers.vote_logs import START_US, open_log, write_lines

SHIPPED = """\
models:
  - {repo_id: x/one, name: One}
  - {repo_id: x/two, name: Two}
arenas:
  - {id: english, title: English, language: en, models: [x/one, x/two], question: Who?}
"""
NEW = NewEntries({"y/three": "three", "y/four#v": "four v"}, {"english": ("y/three",), "lab": ("x/one", "y/four#v")})


@pytest.fixture
def shipped(tmp_path: Path) -> Path:
    path = tmp_path / "shipped.yaml"
    path.write_text(SHIPPED, encoding="utf-8")
    return path


FILES = {
    "comments": """\
# mine
schema: 1   # one

models:
  # the best
  - repo_id: m/mine   # really
    name: "Mine: it is"
    settings: {a: [1, 2], b: |-
      x}

  - {repo_id: m/other, name: Other}   # last
# between
arenas:
- id: own
  models:
  - m/mine
  - m/other

# the end
""".replace(", b: |-\n      x}", "}"),
    "arena in the file": """\
arenas:
  - id: english
    models: [x/one, x/two] # two
    question: Which is it?
models:
    - repo_id: m/mine
      name: Mine
      voices:
        - a
        - b
""",
    "flow": "models: [{repo_id: m/mine, name: Mine}]\narenas: [{id: english, models: [x/one, x/two, ]}]\n",
    "empty lists": "models: []\narenas: []\n",
    "only a comment": "# nothing yet\n",
    "no end of line": "schema: 1\nmodels:\n- repo_id: m/mine\n  name: Mine",
    "windows": "# mine\r\nmodels:\r\n  - repo_id: m/mine\r\n    name: Mine\r\n",
    "json": '{"schema": 1, "models": [{"repo_id": "m/mine", "name": "Mine"}]}',
    "block text": "models:\n  - repo_id: m/mine\n    name: Mine\n    license: |\n      MIT\n\n\narenas: []\n",
}


@pytest.mark.parametrize("name", sorted(FILES))
def test_what_stands_in_the_file_stays(tmp_path: Path, shipped: Path, name: str) -> None:
    path = tmp_path / "models.yaml"
    path.write_bytes(FILES[name].encode())
    path.chmod(0o640)
    before = load_roster(path, shipped=shipped)
    backup = add_entries(path, before, NEW)
    after = load_roster(path, shipped=shipped)
    assert {**before.models, "y/three": ModelSpec("y/three", "three"), "y/four#v": ModelSpec("y/four#v", "four v")} == (
        after.models
    )
    english = before.arenas["english"]
    assert after.arenas["english"].models == (*english.models, "y/three")
    assert after.arenas["english"].question == english.question
    assert after.arenas["lab"] == ArenaSpec("lab", ("x/one", "y/four#v"), title="lab")
    assert backup is not None
    assert backup.read_bytes() == FILES[name].encode()
    assert path.stat().st_mode & 0o777 == 0o640
    if name != "json":
        text = path.read_bytes().decode()
        kept = iter(text.splitlines())
        # Every line is still there, in its order; a list in one line may have grown.
        for line in FILES[name].splitlines():
            grown = line.startswith(("models:", "arenas:")) or "models: [x/one" in line
            start = line.split("]")[0].rstrip(", ") if grown and "[" in line else line
            assert any(found.startswith(start) for found in kept), line
    if name == "windows":
        assert b"\n" not in path.read_bytes().replace(b"\r\n", b"")


def test_a_second_time_the_first_backup_is_kept(tmp_path: Path, shipped: Path) -> None:
    path = tmp_path / "models.yaml"
    assert add_entries(path, load_roster(path, shipped=shipped), NEW) is None
    first = path.read_bytes()
    for number in (1, 2):
        new = NewEntries({f"z/m{number}": "m"}, {"lab": (f"z/m{number}",)})
        backup = add_entries(path, load_roster(path, shipped=shipped), new)
        assert backup is not None
        assert backup.name == f"models.yaml.before-{number}"
    assert (tmp_path / "models.yaml.before-1").read_bytes() == first
    assert load_roster(path, shipped=shipped).arenas["lab"].models == ("x/one", "y/four#v", "z/m1", "z/m2")


@pytest.mark.parametrize(
    "text",
    [
        "models: [{repo_id: m/mine}]\n",
        "models: [\n",
        "models: &a\n  - {repo_id: m/mine, name: Mine}\narenas: 7\n",
        "schema: 1\n...\n",
    ],
)
def test_a_file_with_faults_or_beyond_us_is_refused_and_stays(tmp_path: Path, shipped: Path, text: str) -> None:
    path = tmp_path / "models.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ArenaError):
        add_entries(path, load_roster(tmp_path / "none", shipped=shipped), NEW)
    assert path.read_text(encoding="utf-8") == text
    assert sorted(one.name for one in tmp_path.iterdir()) == ["models.yaml", "shipped.yaml"]


def test_a_file_that_cannot_be_written_is_said(tmp_path: Path, shipped: Path) -> None:
    folder = tmp_path / "sealed"
    folder.mkdir()
    (folder / "models.yaml").mkdir()
    with pytest.raises(ArenaError, match="can't be read"):
        add_entries(folder / "models.yaml", load_roster(tmp_path / "none", shipped=shipped), NEW)


def _findings(*votes: tuple[str, str, str]) -> ImportFindings:
    found = Findings(START_US)
    for arena, one, other in votes:
        found.notice(
            {"type": "vote", "arena": arena, "model_a": {"repo_id": one}, "model_b": {"repo_id": other}, "vote": "a"}
        )
    return found.result()


ROSTER = Roster(
    {"x/one": ModelSpec("x/one", "One"), "x/two": ModelSpec("x/two", "Two"), "x/far": ModelSpec("x/far", "Far")},
    {"english": ArenaSpec("english", ("x/one", "x/two"))},
)


def test_a_known_arena_gets_only_models_that_nobody_knew() -> None:
    found = plan(ROSTER, _findings(("english", "x/far", "y/new"), ("lab", "x/far", "x/one")))
    assert found.models == {"y/new": "new"}
    assert found.arenas == {"english": ("y/new",), "lab": ("x/far", "x/one")}
    assert found.new_arenas == ("lab",)


def test_names_that_are_no_ids_get_one_and_an_alias() -> None:
    found = plan(ROSTER, _findings(("tts", "Eleven v2", "kokoro"), ("tts", "Eleven-v2", "日本")))
    assert set(found.aliases) == {"Eleven v2", "Eleven-v2", "kokoro", "日本"}
    assert len(set(found.aliases.values())) == 4
    assert set(found.models) == set(found.aliases.values()) == set(found.arenas["tts"])
    assert sorted(found.models.values()) == ["Eleven v2", "Eleven-v2", "kokoro", "日本"]
    again = plan(ROSTER, _findings(("tts", "kokoro", "x/one")), {"kokoro": "x/two"})
    assert (again.models, again.aliases, again.arenas) == ({}, {}, {"tts": ("x/two", "x/one")})


def test_an_arena_that_no_roster_can_name_is_told() -> None:
    found = plan(ROSTER, _findings(("two words", "y/new", "x/one")))
    assert found.is_empty
    assert [name for name, _ in found.impossible] == ["two words"]


# The name under which the rest is counted where there are too many is no model's.
NAMES = st.text(min_size=1, max_size=12).filter(lambda name: name != OTHERS)


@settings(max_examples=200)
@given(names=st.lists(NAMES, min_size=2, max_size=6, unique=True))
def test_whatever_the_names_are_the_files_load(tmp_path_factory: pytest.TempPathFactory, names: list[str]) -> None:
    folder = tmp_path_factory.mktemp("names")
    (folder / "shipped.yaml").write_text(SHIPPED, encoding="utf-8")
    roster = load_roster(folder / "models.yaml", shipped=folder / "shipped.yaml")
    found = plan(roster, _findings(*(("lab", one, names[0]) for one in names[1:])))
    assert all(map(is_repo_id, found.models))
    try:
        add_rating_only(folder / "models.yaml", folder / "aliases.yaml", roster, found)
    except ArenaError:
        # Some characters may stand in no such file: then nothing may have changed.
        assert not (folder / "models.yaml").exists()
        return
    after = load_roster(folder / "models.yaml", shipped=folder / "shipped.yaml")
    aliases = data_policy(folder / "policy.yaml", folder / "aliases.yaml").aliases
    assert {aliases.get(name, name) for name in names} == set(after.arenas["lab"].models)


def test_the_votes_count_at_once(tmp_path: Path, shipped: Path) -> None:
    votes = [
        {"arena": "lab", "model_a": {"repo_id": "y/a"}, "model_b": {"repo_id": "y/b"}, "vote": "a", "n": number}
        for number in range(3)
    ]
    path = tmp_path / "models.yaml"
    with open_log(tmp_path / "log") as log:
        roster = load_roster(path, shipped=shipped)
        report = import_votes(log, [write_lines(tmp_path / "f", votes)], roster=roster)
        add_rating_only(path, tmp_path / "aliases.yaml", roster, plan(roster, report.findings))
        roster = load_roster(path, shipped=shipped)
        assert set(report.unknown_models) <= set(roster.models)
        again = import_votes(log, [tmp_path / "f"], roster=roster, dry_run=True)
        assert (again.unknown_models, again.unknown_arenas) == ([], [])
        assert plan(roster, report.findings).is_empty


@pytest.mark.parametrize(
    ("repo_id", "name"),
    [("a/Kokoro-82M#af_heart", "Kokoro-82M af_heart"), ("x/one", "one"), ("Plain name", "Plain name")],
)
def test_names(repo_id: str, name: str) -> None:
    assert name_of(repo_id) == name


def test_json_is_written_as_json(tmp_path: Path, shipped: Path) -> None:
    path = tmp_path / "models.yaml"
    path.write_text('{"models": [{"repo_id": "m/mine", "name": "Mine"}]}', encoding="utf-8")
    add_entries(path, load_roster(path, shipped=shipped), NEW)
    assert {one["repo_id"] for one in json.loads(path.read_bytes())["models"]} == {"m/mine", "y/three", "y/four#v"}


def test_beside_another_roster_nothing_is_written_and_the_entries_are_told(tmp_path: Path) -> None:
    roster = Roster(
        {"a/one": ModelSpec("a/one", "One")}, {"english": ArenaSpec("english", ("a/one",), "English", "en")}
    )
    found = Plan({"x/new": "New"}, {}, {"english": ("x/new",), "other": ("a/one", "x/new")}, ("other",))
    own, aliases, theirs = tmp_path / "models.yaml", tmp_path / "aliases.yaml", tmp_path / "given.yaml"
    theirs.write_text("schema: 1\n")
    told = " ".join(add_to_own_roster(own, aliases, theirs, roster, found))
    assert not own.exists()
    assert theirs.read_text() == "schema: 1\n"
    assert "No model was added" in told
    assert str(theirs) in told
    assert 'under models: - {repo_id: "x/new", name: "New"}' in told
    assert 'in the models of the arena english: "x/new"' in told
    assert 'under arenas: - {id: "other", kind: preset, models: ["a/one", "x/new"]}' in told
    assert "They count" not in told
    assert "They count from now on." in add_to_own_roster(own, aliases, None, roster, found)
    assert own.exists()
