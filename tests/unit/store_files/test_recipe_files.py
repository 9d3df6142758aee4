"""Recipe files: those that come with the program are sound, and every fault is told with its line and what to write."""

from pathlib import Path

import pytest

from arena_desktop.domain.recipes import Commercial, Torch
from arena_desktop.engines.catalogue import Catalogue
from arena_desktop.store.recipe_reader import load_recipes

SOUND = """\
schema: 1
id: mine
title: Mine
engine: xtts
python: ">=3.10,<3.13"
packages:
  - torch==2.6.0
  - numpy==2.0.2
size_gb: 5.2
license: CPML
license_url: https://example.org/cpml
commercial_use: no
torch: auto
bare: [odd-package==1.0]
from_source: [Odd_Source]
hub: [coqui/XTTS-v2]
recognise:
  config: {model: xtts}
  files: [model.pth]
note: A note.
"""


def read(folder: Path, text: str, name: str = "mine") -> list[str]:
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    return [str(fault) for fault in load_recipes(folder).faults]


def test_the_recipes_that_come_with_the_program_are_sound() -> None:
    loaded = load_recipes()
    assert loaded.faults == ()
    assert loaded.recipes
    engines = Catalogue().names()
    for recipe in loaded.recipes.values():
        assert recipe.engine in engines, f"{recipe.id} is for an engine that isn't there"
        assert recipe.license_url, f"{recipe.id} doesn't say where its licence stands"


def test_a_sound_recipe_is_read_whole(tmp_path: Path) -> None:
    assert read(tmp_path / "own", SOUND) == []
    recipe = load_recipes(tmp_path / "own").recipes["mine"]
    assert [pin.text for pin in recipe.packages] == ["torch==2.6.0", "numpy==2.0.2"]
    assert [pin.name for pin in recipe.bare] == ["odd-package"]
    assert recipe.from_source == ("odd-source",)
    assert (recipe.torch, recipe.commercial_use) == (Torch.AUTO, Commercial.NO)
    assert str(recipe.python) == "3.10 to 3.12"
    assert recipe.hub == ("coqui/XTTS-v2",)
    assert (dict(recipe.config), recipe.files) == ({"model": "xtts"}, ("model.pth",))
    assert recipe.needs_consent


def test_a_persons_own_recipe_stands_in_place_of_ours(tmp_path: Path) -> None:
    shipped = next(iter(load_recipes().recipes))
    assert read(tmp_path / "own", SOUND.replace("id: mine", f"id: {shipped}"), shipped) == []
    assert load_recipes(tmp_path / "own").recipes[shipped].title == "Mine"


@pytest.mark.parametrize(
    ("old", "new", "line", "words", "remedy"),
    [
        ("schema: 1", "schema: 2", 1, "schema 1", "newer version"),
        ("id: mine", "id: other", 2, 'the file is called "mine"', "write id: mine"),
        ("title: Mine\n", "", 1, "has no title", "write title:"),
        ("engine: xtts", "engine: X TTS", 4, "engine of the recipe can't be", "small letters"),
        ('python: ">=3.10,<3.13"', 'python: "3.10"', 5, "python of the recipe can't be", '">=3.10,<3.13"'),
        ("torch==2.6.0", "torch>=2.6", 7, "is no exact pin", "NAME==VERSION"),
        ("numpy==2.0.2", "torch==2.6.1", 8, "stands here twice", "keep one"),
        ("size_gb: 5.2", "size_gb: big", 9, "size_gb of the recipe is no number", "NUMBER"),
        ("https://example.org/cpml", "http://example.org", 11, "license_url", "https://"),
        (
            "commercial_use: no",
            "commercial_use: maybe",
            12,
            "commercial_use of the recipe can't be",
            "yes, no or unknown",
        ),
        ("torch: auto", "torch: gpu", 13, "torch of the recipe can't be", "cpu, cuda or auto"),
        ("torch==2.6.0", "torchlike==2.6.0", 13, "packages has no torch", "add torch==VERSION"),
        ("[coqui/XTTS-v2]", "[coqui]", 16, "hub of the recipe can't be", "OWNER/REPO"),
        ("  files: [model.pth]", "  file: [model.pth]", 19, "unknown key", "did you mean files"),
        ("note: A note.", "nota: A note.", 20, "unknown key", "did you mean note"),
    ],
)
def test_a_fault_is_told_with_its_line_and_what_to_write(
    tmp_path: Path, old: str, new: str, line: int, words: str, remedy: str
) -> None:
    assert old in SOUND
    faults = read(tmp_path / "own", SOUND.replace(old, new, 1))
    assert len(faults) == 1, faults
    assert f"mine.yaml, line {line}: " in faults[0]
    assert words in faults[0]
    assert remedy in faults[0]
    assert "mine" not in load_recipes(tmp_path / "own").recipes


@pytest.mark.parametrize("text", ["", "5", "- a\n", "{", "\x00", "schema: 1\n" * 2])
def test_what_is_no_recipe_is_a_fault_and_no_other_recipe_suffers(tmp_path: Path, text: str) -> None:
    shipped = load_recipes().recipes
    read(tmp_path / "own", text)
    loaded = load_recipes(tmp_path / "own")
    assert loaded.faults or text == ""
    assert dict(loaded.recipes) == dict(shipped)
