"""A list of the user's own roster from which the last entry was taken out: entries can be added again."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from arena_desktop.errors import ArenaError
from arena_desktop.store.yaml_insert import put
from arena_desktop.store.yaml_remove import take_out

FILE = Path("models.yaml")
ROSTER = """\
# my roster
models: # all of them
  - repo_id: a/one
    name: One
# between
arenas:
  - title: Mine
    id: mine
    models:
      - a/one
  - models:
      - a/one
    id: other
"""


def everything(node: Any) -> bool:
    return True


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("place", [("models",), ("arenas", "mine", "models"), ("arenas", "other", "models")])
def test_what_was_taken_out_to_the_last_can_be_put_in_again(place: tuple[str, ...], end: str) -> None:
    emptied = take_out(ROSTER.replace("\n", end), FILE, place, everything)
    items: list[Any] = ["b/two", "b/three"]
    if len(place) == 1:
        items = [{"repo_id": "b/two", "name": "Two"}, {"repo_id": "b/three"}]
    again = put(emptied, FILE, place, items)
    expected = yaml.safe_load(ROSTER)
    holder = expected if len(place) == 1 else expected["arenas"][place[1] == "other"]
    holder["models"] = items
    assert yaml.safe_load(again) == expected
    for kept in ("# my roster", "# all of them", "# between"):
        assert kept in again
    assert again.count("\n") == again.count(end)


def test_an_empty_key_that_ends_the_file_and_one_of_names() -> None:
    assert yaml.safe_load(put("models:", FILE, ("models",), ["a"])) == {"models": ["a"]}
    assert yaml.safe_load(put("names:\n", FILE, ("names",), {"a": "b"})) == {"names": {"a": "b"}}


@pytest.mark.parametrize("value", ["text", '""', "5"])
def test_what_is_no_list_is_not_added_to(value: str) -> None:
    with pytest.raises(ArenaError, match="can't add to"):
        put(f"models: {value}\n", FILE, ("models",), ["a"])
