from pathlib import Path
from textwrap import dedent

import pytest

from arena_desktop.domain.roster import ArenaSpec, ModelSpec, Voice
from arena_desktop.store.documents import LARGEST_FILE
from arena_desktop.store.located import DEEPEST, Fault
from arena_desktop.store.roster_file import RosterError, load_roster, roster_faults, shipped_roster_path

FULL = """
schema: 1
models:
  - repo_id: hexgrad/Kokoro-82M#af_heart
    name: Kokoro, Heart
    params: 82M
    params_m: 82
    tts_index: 84.5
    tts_index_source: a public benchmark
    engine: kokoro
    files: {hub: hexgrad/Kokoro-82M, revision: 0123456789abcdef0123456789abcdef01234567, sha256: {a.onnx: HASH}}
    voices: [af_heart, {id: clone, audio: me.wav, transcript: Hello., gender: female, accent: Irish}]
    language: [en, no]
    license: Apache-2.0
    settings: {speed: 1.0, seed: 7, deep: {list: [1, text, true, null]}}
    python: /opt/env/bin/python
  - repo_id: local/joe#0123abcd
    name: 007
arenas:
  - id: english
    title: English
    language: en
    kind: preset
    models: [hexgrad/Kokoro-82M#af_heart, local/joe#0123abcd]
    question: Which is nicer?
""".replace("HASH", "ab" * 32)

TWO_MODELS = """
models:
  - {repo_id: a/a, name: A}
  - {repo_id: b/b, name: B}
arenas:
  - {id: one, models: [a/a, b/b]}
"""


@pytest.fixture
def roster_file(tmp_path: Path) -> Path:
    return tmp_path / "roster.yaml"


def faults(path: Path, text: str | bytes) -> list[tuple[int, str, str]]:
    path.write_bytes(text if isinstance(text, bytes) else dedent(text).encode())
    found = roster_faults(path.parent / "none.yaml", path)
    assert all(fault.file == str(path) for fault in found)
    return [(fault.line, fault.message, fault.remedy) for fault in found]


def test_every_key_is_read(roster_file: Path) -> None:
    roster_file.write_text(FULL)
    roster = load_roster(Path("none.yaml"), roster_file)
    assert list(roster.models.values()) == [
        ModelSpec(
            repo_id="hexgrad/Kokoro-82M#af_heart",
            name="Kokoro, Heart",
            params="82M",
            params_m=82,
            tts_index=84.5,
            tts_index_source="a public benchmark",
            engine="kokoro",
            files={
                "hub": "hexgrad/Kokoro-82M",
                "revision": "0123456789abcdef0123456789abcdef01234567",
                "sha256": {"a.onnx": "ab" * 32},
            },
            voices=(Voice("af_heart"), Voice("clone", "me.wav", "Hello.", "female", "Irish")),
            language=("en", "no"),
            license="Apache-2.0",
            settings={"speed": 1.0, "seed": 7, "deep": {"list": [1, "text", True, None]}},
            python="/opt/env/bin/python",
        ),
        ModelSpec(repo_id="local/joe#0123abcd", name="007"),
    ]
    assert list(roster.arenas.values()) == [
        ArenaSpec(
            id="english",
            models=("hexgrad/Kokoro-82M#af_heart", "local/joe#0123abcd"),
            title="English",
            language="en",
            question="Which is nicer?",
        )
    ]
    assert {model.base for model in roster.models.values()} == {str(roster_file.parent)}


def test_defaults_of_what_is_not_written(roster_file: Path) -> None:
    roster_file.write_text(TWO_MODELS)
    roster = load_roster(Path("none.yaml"), roster_file)
    assert roster.models["a/a"] == ModelSpec("a/a", "A", params="unknown", params_m=0)
    arena = ArenaSpec("one", ("a/a", "b/b"), title="one", kind="preset", question="Which voice sounds more natural?")
    assert roster.arenas["one"] == arena


def test_json_is_taken_too(tmp_path: Path) -> None:
    path = tmp_path / "roster.json"
    path.write_text(
        '{"models": [\n'
        '{"repo_id": "a/a", "name": "Caf\\u00e9 \\ud83d\\ude00", "params_m": 1e3, "settings": {"x": "a\\tb"}}]}'
    )
    model = load_roster(Path("none.yaml"), path).models["a/a"]
    assert (model.name, model.params_m, model.settings) == ("Café 😀", 1000.0, {"x": "a\tb"})


def test_unquoted_words_mean_what_they_look_like(roster_file: Path) -> None:
    text = (
        "models: [{repo_id: a/a, name: on, language: no, settings: {a: yes, b: 1:30, c: 2024-01-02, d: 010, e: 1e3}}]"
    )
    roster_file.write_text(text)
    model = load_roster(Path("none.yaml"), roster_file).models["a/a"]
    assert (model.name, model.language) == ("on", ("no",))
    assert model.settings == {"a": "yes", "b": "1:30", "c": "2024-01-02", "d": 10, "e": 1000.0}


def test_the_users_file_adds_and_replaces(tmp_path: Path) -> None:
    shipped, own = tmp_path / "shipped.yaml", tmp_path / "models.yaml"
    shipped.write_text(TWO_MODELS)
    own.write_text(
        "models:\n- {repo_id: a/a, name: Mine}\n- {repo_id: c/c, name: C}\narenas:\n- {id: two, models: [b/b, c/c]}"
    )
    roster = load_roster(own, shipped=shipped)
    assert [(model.repo_id, model.name) for model in roster.models.values()] == [
        ("a/a", "Mine"),
        ("b/b", "B"),
        ("c/c", "C"),
    ]
    assert list(roster.arenas) == ["one", "two"]


def test_without_a_users_file_the_shipped_roster_holds(tmp_path: Path) -> None:
    shipped = tmp_path / "shipped.yaml"
    shipped.write_text(TWO_MODELS)
    assert list(load_roster(tmp_path / "models.yaml", shipped=shipped).models) == ["a/a", "b/b"]


@pytest.mark.parametrize("text", ["", "# my own models will stand here\n", "---\n", "schema: 1\nmodels:\narenas: []\n"])
def test_an_empty_users_file_adds_nothing(tmp_path: Path, text: str) -> None:
    shipped, own = tmp_path / "shipped.yaml", tmp_path / "models.yaml"
    shipped.write_text(TWO_MODELS)
    own.write_text(text)
    assert list(load_roster(own, shipped=shipped).models) == ["a/a", "b/b"]


def test_a_roster_given_by_option_is_the_whole_roster(tmp_path: Path) -> None:
    own, other = tmp_path / "models.yaml", tmp_path / "other.yaml"
    own.write_text("this: is not a roster")
    other.write_text(TWO_MODELS)
    assert list(load_roster(own, other, shipped=tmp_path / "missing.yaml").models) == ["a/a", "b/b"]


def test_the_shipped_roster_has_no_fault(tmp_path: Path) -> None:
    assert shipped_roster_path().name == "models.yaml"
    roster = load_roster(tmp_path / "models.yaml")
    english = roster.arenas["english"]
    assert len(english.models) >= 2
    assert next(iter(roster.arenas)) == "english"


def test_all_faults_of_a_file_are_told_at_once_with_line_and_remedy(roster_file: Path) -> None:
    found = faults(
        roster_file,
        """\
        schema: 1
        models:
          - repo_id: hexgrad/Kokoro-82M#af_heart
            name: Kokoro, Heart
            tts_indx: 84.5
          - repo_id: bad
            params_m: -3
            name: [x]
          - name: foo
          - repo_id: local/x#123
            name: x
            settings: {seed: 99999999999999999999, t: .nan}
            settings: {}
          - 5
          - repo_id: a/a
            name: A
            files: {revision: main, sha256: {f: ABC}, allow_pickle: maybe}
            voices: [x, x]
            language: [english please]
            engine: Piper TTS
            tts_index: 101
          - {repo_id: a/a, name: Again}
        arenas:
          - {id: english, kind: presett, models: [hexgrad/Kokoro-82M#af_heat, zz/z]}
          - {id: e, models: []}
          - {id: my arena, models: [a/a, a/a]}
        extra: 1
        """,
    )
    assert [(line, message.split(" of ")[0]) for line, message, _ in found] == [
        (5, 'the model hexgrad/Kokoro-82M#af_heart has the unknown key "tts_indx"'),
        (6, '"bad" is no repo_id'),
        (7, "params_m"),
        (8, "name"),
        (9, "the model in line 9 has no repo_id"),
        (10, '"local/x#123" is no repo_id'),
        (12, "an integer is beyond 2^53 − 1"),
        (12, "a number is not finite"),
        (13, 'the key "settings" stands here again (first in line 12)'),
        (14, "the model in line 14 is no mapping"),
        (17, "revision"),
        (17, "allow_pickle"),
        (17, "sha256"),
        (18, 'the model a/a has the voice "x" twice'),
        (19, "language"),
        (20, "engine"),
        (21, "tts_index"),
        (22, "the model a/a stands here again (first in line 15)"),
        (24, "kind"),
        (24, 'the arena "english" names "hexgrad/Kokoro-82M#af_heat", which no roster has'),
        (24, 'the arena "english" names "zz/z", which no roster has'),
        (25, "the arena e has no models"),
        (26, "id"),
        (26, "the arena in line 26 names a/a twice"),
        (27, 'the roster has the unknown key "extra"'),
    ]
    assert all(remedy for _, _, remedy in found)
    remedies = {line: remedy for line, _, remedy in found}
    assert remedies[5] == "did you mean tts_index?"
    assert found[19][2] == "did you mean hexgrad/Kokoro-82M#af_heart?"


def test_faults_of_both_files_are_told_together(tmp_path: Path) -> None:
    shipped, own = tmp_path / "a.yaml", tmp_path / "b.yaml"
    shipped.write_text("models: [{repo_id: a/a}]")
    own.write_text("models: [{name: B}]\narenas: [{id: one, models: [a/a, x/x]}]")
    with pytest.raises(RosterError) as error:
        load_roster(own, shipped=shipped)
    assert [(Path(fault.file).name, fault.line) for fault in error.value.faults] == [
        ("a.yaml", 1),
        ("b.yaml", 1),
        ("b.yaml", 2),
    ]
    assert "\n" not in str(error.value)
    assert all(str(fault) in str(error.value) for fault in error.value.faults)


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("", 1, "no model"),
        ("- a\n", 1, "no roster"),
        ("schema: 2\n", 1, "schema 1"),
        ("schema: true\n", 1, "schema 1"),
        ("models: {a: b}\n", 1, "no list"),
        ("models:\n\t- a\n", 2, "not YAML"),
        ("models: [a\n", 2, "not YAML"),
        ("models: 'a\n", 2, "not YAML"),
        ("a: 1\n---\nb: 1\n", 2, "second document"),
        ("models: !!python/object/apply:os.system [x]\n", 1, "tags"),
        ("a: &x [1, *x]\n", 1, "*x"),
        ("a: *x\n", 1, "x"),
        ("models:\n- <<: {name: A}\n", 2, "<<"),
        ("? [a]\n: b\n", 1, "key"),
        ("[" * (DEEPEST + 1), 1, "nested"),
        ("x: " + "{a: " * 5_000, 1, "nested"),
        ('models: [{repo_id: a/a, name: "A\\0"}]', 1, "NUL"),
        ('models: [{repo_id: a/a, name: "\\ud800"}]', 1, "not YAML"),
        ('{"models": [{"repo_id": "a/a", "name": "\\ud800"}]}', 1, "surrogate"),
        ('models: [{repo_id: a/a, name: "a\\nb"}]', 1, "line breaks"),
        ('models:\n- {repo_id: a/a, name: "\\u202egpj.exe"}', 2, "U+202E"),
        ("models:\n- {repo_id: a/a, name: A\u2066\u200f}", 2, "U+200F, U+2066"),
        ("models: [{repo_id: a/a, name: A}]\narenas:\n- {id: x, title: \u061cX, models: [a/a]}", 3, "U+061C"),
        ("models: [{repo_id: a/a, name: ' '}]", 1, "no text"),
        ("models: [{repo_id: a/a, name: %s}]" % ("x" * 300), 1, "longer"),
        ("models: [{repo_id: a/a, name: }]", 1, "has no name"),
        ('{"models": [}', 1, "not JSON"),
        ('{"models": "x\n}', 1, "not JSON"),
        ('{"models": NaN}', 1, "not finite"),
        ('{"a": 1} x', 1, "not JSON"),
        ("a: b\x07\n", 1, "U+0007"),
        ("# fine\na: \ufeff\n", 2, "U+FEFF"),
        ("a: b\u2028", 1, "U+2028"),
    ],
)
def test_broken_files(roster_file: Path, text: str, line: int, words: str) -> None:
    found = faults(roster_file, text)
    assert any(one[0] == line and words in one[1] for one in found), found


def test_an_alias_stands_for_what_it_names(roster_file: Path) -> None:
    roster_file.write_text(
        "models:\n- {repo_id: a/a, name: A, settings: &s {x: 1}}\n- {repo_id: b/b, name: B, settings: *s}\n"
    )
    assert load_roster(Path("none.yaml"), roster_file).models["b/b"].settings == {"x": 1}


def test_an_alias_bomb_is_refused(roster_file: Path) -> None:
    bomb = "a: &a [x, x, x, x, x, x, x, x, x, x]\n"
    for old, new in zip("abcdefgh", "bcdefghi", strict=True):
        bomb += f"{new}: &{new} [{', '.join([f'*{old}'] * 10)}]\n"
    assert "more than" in faults(roster_file, bomb)[0][1]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (TWO_MODELS.encode("utf-16-le"), "not allowed"),
        ("models: # caf\u00e9\n".encode("latin-1"), "0xE9"),
        (b"\x00\x01\x02", "not allowed"),
        (b"\xff\xfe\x00", "not UTF-8"),
        (b"#" * (LARGEST_FILE + 1), "larger than"),
    ],
)
def test_files_that_are_no_text(roster_file: Path, data: bytes, words: str) -> None:
    [(_, message, remedy)] = faults(roster_file, data)
    assert words in message
    assert remedy


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_byte_order_marks_are_understood(roster_file: Path, encoding: str) -> None:
    roster_file.write_bytes(TWO_MODELS.replace("name: A", "name: Ä").encode(encoding))
    assert load_roster(Path("none.yaml"), roster_file).models["a/a"].name == "Ä"


def test_a_file_that_is_not_there_or_is_no_file(tmp_path: Path) -> None:
    for path in (tmp_path / "missing.yaml", tmp_path):
        [fault] = roster_faults(tmp_path / "none.yaml", path)
        assert fault.file == str(path)
        assert "can't be read" in fault.message


def test_a_fault_reads_as_one_line() -> None:
    assert str(Fault("f.yaml", 3, "it is so", "do that")) == "f.yaml, line 3: it is so; do that"
    assert str(Fault("f.yaml", 0, "it is so")) == "f.yaml: it is so"
