import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena_desktop.domain.roster import ArenaSpec, ModelSpec, Roster, Voice, roster_json
from arena_desktop.store.documents import read_text
from arena_desktop.store.json_reader import read_json
from arena_desktop.store.located import plain
from arena_desktop.store.roster_file import RosterError, load_roster
from arena_desktop.store.roster_reader import read_roster
from arena_desktop.store.yaml_reader import plain_scalar, read_yaml

NAMES = (
    "schema models arenas repo_id name params params_m tts_index engine files voices language license settings python"
    " id title kind question audio transcript revision sha256 hub path"
)
KEYS = st.sampled_from(NAMES.split())
WORDS = st.sampled_from(
    ["a/a", "b/b#v", "local/x#0123abcd", "en", "preset", "~", "", "no", "1e9", "\t", "&a", "*a", "é"]
)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | WORDS | st.text(max_size=20)
JUNK = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS | st.text(max_size=8), inner, max_size=6),
    max_leaves=25,
)
PIECES = [*"[]{},:-#&*!|>'\"%@`?\n\t \\\0é\u2028\ufeffx1", "models:", "a/a", "<<"]
PUNCTUATED = st.lists(st.sampled_from(PIECES)).map("".join)


def outcome(data: bytes, folder: Path) -> Roster | None:
    path = folder / "roster.yaml"
    path.write_bytes(data)
    try:
        return load_roster(folder / "none.yaml", path)
    except RosterError as found:
        error = found
    lines = data.count(b"\n") + data.count(b"\r") + 1
    assert error.faults
    assert all(0 <= fault.line <= lines + 1 and fault.message and fault.remedy for fault in error.faults)
    assert "\n" not in str(error)
    return None


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("junk")


@given(JUNK)
def test_any_value_as_yaml_gives_a_roster_or_faults(folder: Path, value: Any) -> None:
    outcome(yaml.safe_dump(value, allow_unicode=True).encode("utf-8", "surrogatepass"), folder)


@given(JUNK)
def test_any_value_as_json_gives_a_roster_or_faults(folder: Path, value: Any) -> None:
    outcome(json.dumps(value).encode(), folder)


@given(st.binary(max_size=200) | st.text().map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_any_bytes_give_a_roster_or_faults(folder: Path, data: bytes) -> None:
    outcome(data, folder)


@given(PUNCTUATED)
def test_any_punctuation_gives_a_roster_or_faults(folder: Path, text: str) -> None:
    outcome(text.encode(), folder)


@given(st.integers(0, 400), st.sampled_from([*"\0\t\n:{}[]'\"#&*-", "", "é", "!!"]), st.booleans())
def test_a_sound_file_with_one_wrong_character(folder: Path, at: int, char: str, replace: bool) -> None:
    text = (
        "schema: 1\nmodels:\n- repo_id: a/a\n  name: A\n  settings: {x: [1, 2], y: 'z'}\n  voices:\n"
        '  - {id: v, audio: a.wav}\n- {repo_id: b/b, name: "B"}\narenas:\n- {id: one, models: [a/a, b/b]}\n'
    )
    at %= len(text)
    outcome((text[:at] + char + text[at + replace :]).encode(), folder)


@given(JUNK)
def test_the_json_reader_agrees_with_the_standard_one(value: Any) -> None:
    text = json.dumps(value)
    document = read_json(text, "f")
    if document.faults:
        return  # numbers and texts that the standard reader lets pass
    assert document.root is not None
    assert plain(document.root) == json.loads(text)


@given(PUNCTUATED | st.text(max_size=60))
def test_the_json_reader_refuses_what_the_standard_one_refuses(text: str) -> None:
    try:
        json.loads(text)
    except ValueError:
        assert read_json(text, "f").root is None


@given(JUNK.map(lambda value: yaml.safe_dump(value, allow_unicode=True)) | PUNCTUATED)
@settings(suppress_health_check=[HealthCheck.too_slow])
def test_the_compiled_and_the_plain_yaml_reader_agree(text: str) -> None:
    if any("is not allowed" in fault.message for fault in read_text(text, "f").faults):
        return  # refused before either sees it
    one, two = read_yaml(text, "f"), read_yaml(text, "f", yaml.SafeLoader)
    if one.root is not None and two.root is not None:
        assert plain(one.root) == plain(two.root)


TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Zl", "Zp"]), min_size=1, max_size=30).filter(
    # PyYAML writes 1e100 without quotes, since to YAML 1.1 it is text
    lambda text: text.strip() == text and isinstance(plain_scalar(text), str)
)
PARTS = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,8}", fullmatch=True).filter(lambda part: part != "local")
NUMBERS = st.integers(0, 10**6) | st.floats(0, 10**6)
FREE = st.dictionaries(
    st.sampled_from(["speed", "seed", "argv", "deep"]),
    st.recursive(
        st.none()
        | st.booleans()
        | st.integers(-(2**53) + 1, 2**53 - 1)
        | st.floats(allow_nan=False, allow_infinity=False)
        | TEXTS,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
        max_leaves=6,
    ),
)


@st.composite
def rosters(draw: st.DrawFn) -> Roster:
    ids = draw(st.lists(st.tuples(PARTS, PARTS).map("/".join), min_size=1, max_size=4, unique=True))
    models = {
        repo_id: ModelSpec(
            repo_id=repo_id,
            name=draw(TEXTS),
            params=draw(st.sampled_from(["unknown", "82M"])),
            params_m=draw(NUMBERS),
            tts_index=draw(st.none() | st.floats(0, 100)),
            engine=draw(st.none() | st.just("piper")),
            files=draw(st.just({}) | st.fixed_dictionaries({"path": TEXTS})),
            voices=tuple(Voice(name) for name in draw(st.lists(TEXTS, max_size=3, unique=True))),
            language=tuple(draw(st.lists(st.sampled_from(["en", "en-GB", "no"]), unique=True))),
            license=draw(st.none() | TEXTS),
            settings=draw(FREE),
        )
        for repo_id in ids
    }
    arenas = {
        arena_id: ArenaSpec(
            id=arena_id,
            models=tuple(draw(st.lists(st.sampled_from(ids), min_size=1, unique=True))),
            title=draw(TEXTS),
            language=draw(st.none() | st.just("en")),
            kind=draw(st.sampled_from(["preset", "cloned"])),
        )
        for arena_id in draw(st.lists(PARTS, max_size=3, unique=True))
    }
    return Roster(models, arenas)


@given(rosters())
def test_a_roster_written_and_read_is_the_same_roster(roster: Roster) -> None:
    value = roster_json(roster)
    for text in (json.dumps(value), yaml.safe_dump(value, allow_unicode=True)):
        file = read_roster(read_text(text, "f"), Path("f"))
        file.check_members(())
        assert file.faults == []
        assert file.roster == roster
        assert roster_json(file.roster) == value
