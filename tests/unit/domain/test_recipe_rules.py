"""What recipes say: pins, versions of Python, licences."""

import pytest

from arena_desktop.domain.recipes import (
    Commercial,
    PythonRange,
    Recipe,
    read_pin,
    read_python_range,
    recipe_for,
    size_words,
)

PIN = read_pin("numpy==2.0.2")
assert PIN is not None


def recipe(**values: object) -> Recipe:
    given: dict[str, object] = {
        "id": "xtts",
        "title": "XTTS",
        "engine": "xtts",
        "packages": (PIN,),
        "size_gb": 5.2,
        "license": "MIT",
        "commercial_use": Commercial.YES,
    }
    return Recipe(**{**given, **values})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "name", "version"),
    [
        ("numpy==2.0.2", "numpy", "2.0.2"),
        ("Coqui_TTS[codec]==0.27.0", "coqui-tts", "0.27.0"),
        ('numpy==2.0.2 ; python_version < "3.10"', "numpy", "2.0.2"),
        ("torch==2.6.0+cpu", "torch", "2.6.0+cpu"),
    ],
)
def test_a_pin_names_one_package_at_one_version(text: str, name: str, version: str) -> None:
    pin = read_pin(text)
    assert pin is not None
    assert (pin.name, pin.version, pin.text) == (name, version, text)


@pytest.mark.parametrize(
    "text",
    [
        "numpy",
        "numpy>=2",
        "numpy==2.*",
        "numpy == 2 3",
        "-e .",
        "--index-url=http://x==1",
        "git+https://x/y==1",
        "./x==1",
    ],
)
def test_what_is_no_exact_pin_is_none(text: str) -> None:
    assert read_pin(text) is None


@pytest.mark.parametrize(
    ("text", "inside", "outside", "words"),
    [
        (">=3.10,<3.13", [(3, 10), (3, 12)], [(3, 9), (3, 13)], "3.10 to 3.12"),
        (">= 3.9", [], [], ""),
        (">=3.9", [(3, 9), (3, 20)], [(3, 8)], "3.9 or newer"),
        ("<3.12", [(3, 9)], [(3, 12)], "up to 3.11"),
        (">=3.11,<3.12", [(3, 11)], [(3, 10), (3, 12)], "3.11"),
        ("3.11", [], [], ""),
        (">=3.9,>=3.10", [], [], ""),
    ],
)
def test_a_range_of_python_versions(
    text: str, inside: list[tuple[int, int]], outside: list[tuple[int, int]], words: str
) -> None:
    found = read_python_range(text)
    if not words:
        assert found is None
        return
    assert found is not None
    assert [found.holds(version) for version in inside + outside] == [True] * len(inside) + [False] * len(outside)
    assert str(found) == words


@pytest.mark.parametrize(
    ("spdx", "use", "asks", "words"),
    [
        ("MIT", Commercial.YES, False, "Commercial use is allowed."),
        ("GPL-3.0-or-later", Commercial.YES, True, "Commercial use is allowed."),
        ("CPML", Commercial.NO, True, "Commercial use is not allowed."),
        ("MIT", Commercial.UNKNOWN, True, "not known"),
    ],
)
def test_a_licence_is_said_and_must_be_accepted_unless_it_is_permissive(
    spdx: str, use: Commercial, asks: bool, words: str
) -> None:
    one = recipe(license=spdx, commercial_use=use, license_url="https://example.org/licence")
    assert one.needs_consent is asks
    assert words in one.licence_words
    assert spdx in one.licence_words
    assert "https://example.org/licence" in one.licence_words


def test_another_pin_is_another_environment_and_another_note_is_not() -> None:
    other = read_pin("numpy==2.0.3")
    assert other is not None
    assert recipe(note="Other words.", size_gb=1).digest == recipe().digest
    changed = [recipe(packages=(other,)), recipe(bare=(other,)), recipe(python=PythonRange((3, 11)))]
    assert len({recipe().digest, *(one.digest for one in changed)}) == 4


def test_a_recipe_is_found_by_the_hubs_id() -> None:
    assert recipe_for([recipe(hub=("a/b",))], "a/b") is not None
    assert recipe_for([recipe(hub=("a/b",))], "a/c") is None


def test_sizes_in_words() -> None:
    assert [size_words(count) for count in (950, 12_300_000, 5.24e9, 123e9)] == ["1 kB", "12.3 MB", "5.2 GB", "123 GB"]
