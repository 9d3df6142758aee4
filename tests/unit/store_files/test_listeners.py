import json
import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena_desktop.errors import ArenaError
from arena_desktop.store.listeners import Listener, Listeners, is_pseudonym, new_pseudonym

NOON = datetime(2024, 5, 6, 12, 0, 0, tzinfo=UTC)
ELSEWHERE = "l-abcdefghij234567"


def listeners(path: Path) -> Listeners:
    return Listeners(path, clock=lambda: NOON)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "listeners.json"


def test_pseudonyms_are_random_and_of_one_form() -> None:
    drawn = {new_pseudonym() for _ in range(200)}
    assert len(drawn) == 200
    assert all(re.fullmatch(r"l-[a-z2-7]{16}", one) and is_pseudonym(one) for one in drawn)
    assert not is_pseudonym("l-ABCDEFGHIJ234567")


def test_on_a_new_machine_you_are_the_listener(path: Path) -> None:
    people = listeners(path)
    assert people.all() == ()
    you = people.default()
    assert you.name == "You"
    assert is_pseudonym(you.pseudonym)
    assert listeners(path).default() == you
    assert listeners(path).all() == (you,)


def test_a_name_gets_one_pseudonym_for_good(path: Path) -> None:
    anna = listeners(path).ensure("Anna")
    assert listeners(path).ensure("  anna ") == anna
    assert listeners(path).find("ANNA") == anna
    assert listeners(path).ensure(anna.pseudonym) == anna
    assert listeners(path).find("Ben") is None
    assert listeners(path).ensure("Ben").pseudonym != anna.pseudonym
    assert [one.name for one in listeners(path).all()] == ["Anna", "Ben"]


def test_only_the_owner_may_read_the_names(path: Path) -> None:
    listeners(path).add("Anna")
    assert path.stat().st_mode & 0o777 == 0o600
    assert list(path.parent.iterdir()) == [path]


def test_two_open_at_once_see_each_other(path: Path) -> None:
    window, command = listeners(path), listeners(path)
    anna, ben = window.add("Anna"), command.add("Ben")
    assert window.all() == (anna, ben)


def test_a_taken_name_is_refused(path: Path) -> None:
    people = listeners(path)
    people.add("Anna")
    ben = people.add("Ben")
    with pytest.raises(ArenaError, match="already"):
        people.add("ANNA")
    with pytest.raises(ArenaError, match="already"):
        people.rename(ben.pseudonym, "Anna")
    assert [one.name for one in people.all()] == ["Anna", "Ben"]


def test_renaming_keeps_the_pseudonym(path: Path) -> None:
    people = listeners(path)
    you = people.default()
    assert people.rename(you.pseudonym, " Zoë ") == Listener(you.pseudonym, "Zoë")
    assert people.rename(you.pseudonym, "zoë").name == "zoë"
    assert listeners(path).all() == (Listener(you.pseudonym, "zoë"),)
    with pytest.raises(ArenaError, match="no listener"):
        people.rename(ELSEWHERE, "X")


@pytest.mark.parametrize("name", ["", "  ", "x" * 61, "a\0b", "\ud800", "l-ABCDEFGHIJKLMNOP", "x" * 5_000_000])
def test_what_is_no_name_is_refused(path: Path, name: str) -> None:
    with pytest.raises(ArenaError):
        listeners(path).ensure(name)
    assert not path.exists()


@given(st.text())
def test_any_text_is_a_name_or_is_refused(tmp_path_factory: pytest.TempPathFactory, name: str) -> None:
    path = tmp_path_factory.mktemp("people") / "l.json"
    try:
        someone = listeners(path).ensure(name)
    except ArenaError:
        return
    assert listeners(path).all() == (someone,)
    assert listeners(path).ensure(name) == someone


def test_a_pseudonym_from_another_machine_is_kept(path: Path) -> None:
    people = listeners(path)
    people.add("Listener 2")
    guest = people.ensure(ELSEWHERE)
    assert guest == Listener(ELSEWHERE, "Listener 3")
    assert people.ensure(ELSEWHERE) == guest


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        "{}",
        '{"schema": 1, "listeners": {}}',
        '{"schema": 1, "listeners": [{"id": "l-short", "name": "Anna"}]}',
        '{"schema": 1, "listeners": [{"id": "l-abcdefghij234567"}]}',
        json.dumps({"schema": 1, "listeners": [{"id": ELSEWHERE, "name": name} for name in "AB"]}),
    ],
)
def test_a_damaged_file_is_set_aside_and_nobody_gets_anothers_pseudonym(path: Path, content: str) -> None:
    path.parent.mkdir()
    path.write_text(content)
    people = listeners(path)
    anna = people.ensure("Anna")
    assert anna.pseudonym != ELSEWHERE
    assert "listeners.json.bad-20240506T120000" in people.notes[0]
    assert (path.parent / "listeners.json.bad-20240506T120000").read_text() == content
    assert listeners(path).all() == (anna,)


def test_a_newer_file_is_refused_and_left_alone(path: Path) -> None:
    path.parent.mkdir()
    path.write_text('{"schema": 2}')
    with pytest.raises(ArenaError, match="newer version"):
        listeners(path).default()
    assert path.read_text() == '{"schema": 2}'


def test_keys_of_other_versions_are_kept(path: Path) -> None:
    path.parent.mkdir()
    path.write_text('{"schema": 1, "listeners": [], "colour": "blue"}')
    listeners(path).add("Anna")
    assert json.loads(path.read_text())["colour"] == "blue"


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("no folder")
    with pytest.raises(ArenaError) as error:
        listeners(blocked / "listeners.json").add("Anna")
    assert str(blocked) in str(error.value)
