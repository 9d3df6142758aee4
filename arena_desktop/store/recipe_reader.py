"""Recipes from their files: those that come with the program and a person's own, with every fault on the way."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

from arena_desktop.domain.recipes import (
    NAME,
    TORCH_FAMILY,
    Commercial,
    Pin,
    PythonRange,
    Recipe,
    Torch,
    normal_name,
    read_pin,
    read_python_range,
)
from arena_desktop.store.documents import read_file
from arena_desktop.store.entries import Entry
from arena_desktop.store.located import Document, Fault, Located, shown

SCHEMA = 1
_KEYS = (
    "schema",
    "id",
    "title",
    "engine",
    "python",
    "packages",
    "bare",
    "from_source",
    "torch",
    "size_gb",
    "license",
    "license_url",
    "commercial_use",
    "hub",
    "recognise",
    "note",
)
_RECOGNISE = ("config", "files")
_ENGINE = re.compile(r"[a-z][a-z0-9_.-]{0,63}")
_HUB = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*/[A-Za-z0-9][A-Za-z0-9._-]*")
_PACKAGE_NAME = re.compile(r"[A-Za-z0-9._-]+")
_URL = re.compile(r"https://\S+")
_PACKAGE = Path(__file__).resolve().parents[1]

E = TypeVar("E", Torch, Commercial)


@dataclass(frozen=True)
class Recipes:
    """Every sound recipe by id, and what is wrong with the others."""

    recipes: Mapping[str, Recipe]
    faults: tuple[Fault, ...] = ()


def shipped_recipes() -> Path:
    """The folder of the recipes that come with the program."""
    return _PACKAGE / "data" / "recipes"


def load_recipes(own: Path | None = None, shipped: Path | None = None) -> Recipes:
    """The recipes of the program and of the folder ``own`` (which may be missing); there a known id replaces ours."""
    recipes: dict[str, Recipe] = {}
    faults: list[Fault] = []
    for folder in (shipped or shipped_recipes(), own):
        if folder is None or not folder.is_dir():
            continue
        for path in sorted(folder.glob("*.yaml")):
            recipe, wrong = read_recipe(read_file(path), path)
            faults += wrong
            if recipe is not None:
                recipes[recipe.id] = recipe
    return Recipes(MappingProxyType(recipes), tuple(faults))


def read_recipe(document: Document, path: Path) -> tuple[Recipe | None, list[Fault]]:
    """One recipe, None if there is anything wrong with it. Never raises."""
    faults = list(document.faults)

    def report(line: int, message: str, remedy: str) -> None:
        faults.append(Fault(str(path), line, message, remedy))

    recipe = None
    if document.root is not None:
        if isinstance(document.root.value, dict):
            recipe = _Reader(Entry(document.root, "the recipe", report), path.stem).recipe()
        else:
            report(document.root.line, "the file holds no recipe", "write its keys: " + ", ".join(_KEYS))
    faults.sort(key=lambda fault: fault.line)
    return (None if faults else recipe), faults


class _Reader:
    def __init__(self, entry: Entry, stem: str) -> None:
        self._entry = entry
        self._stem = stem

    def recipe(self) -> Recipe | None:
        entry = self._entry
        entry.check_keys(_KEYS)
        self._schema()
        for key, example in (
            ("id", self._stem),
            ("title", "what it is called on screen"),
            ("engine", "the adapter that speaks in it"),
            ("packages", '["NAME==VERSION", …]'),
            ("size_gb", "what it takes on disk, in gigabytes"),
            ("license", "its SPDX name, or what its models' card says"),
            ("commercial_use", "yes, no or unknown"),
        ):
            entry.require(key, example)
        packages, bare = self._pins("packages"), self._pins("bare")
        self._torch_is_pinned(packages)
        config, files = self._recognise()
        found = Recipe(
            id=self._id(),
            title=entry.text("title") or "",
            engine=entry.matching("engine", _ENGINE, "write the engine's name in small letters, such as xtts") or "",
            packages=packages,
            size_gb=entry.number("size_gb", 0.001, 1_000) or 0.0,
            license=entry.text("license") or "",
            python=self._python(),
            torch=self._one_of("torch", Torch),
            bare=bare,
            from_source=self._names("from_source"),
            license_url=entry.matching("license_url", _URL, "write an address that begins with https://") or "",
            commercial_use=self._one_of("commercial_use", Commercial) or Commercial.UNKNOWN,
            hub=self._texts("hub", _HUB, "write OWNER/REPO"),
            config=config,
            files=files,
            note=entry.text("note", 1_000) or "",
        )
        return found if entry.sound else None

    def _schema(self) -> None:
        node = self._entry.get("schema")
        if node is None:
            self._entry.require("schema", str(SCHEMA))
        elif node.value != SCHEMA or isinstance(node.value, bool):
            newer = isinstance(node.value, int) and node.value > SCHEMA
            remedy = "use a newer version of this program" if newer else f"write schema: {SCHEMA}"
            self._entry.fault(node.line, f"this version reads recipes of schema {SCHEMA}", remedy)

    def _id(self) -> str:
        value = self._entry.matching("id", NAME, "write small letters, digits and . _ -")
        node = self._entry.get("id")
        if value is not None and node is not None and value != self._stem:
            self._entry.fault(node.line, f"the file is called {shown(self._stem)}", f"write id: {self._stem}")
        return value or ""

    def _python(self) -> PythonRange:
        text = self._entry.text("python")
        found = PythonRange() if text is None else read_python_range(text)
        if found is None:
            line = self._entry.values["python"].line
            self._entry.fault(line, f"python of the recipe can't be {shown(text or '')}", 'write ">=3.10,<3.13"')
        return found or PythonRange()

    def _pins(self, key: str) -> tuple[Pin, ...]:
        pins: dict[str, Pin] = {}
        for node in self._items(key, '["NAME==VERSION", …]'):
            text = None if node.broken else self._entry.as_text(node, key)
            if text is None:
                self._entry.sound = False
                continue
            pin = read_pin(text)
            if pin is None:
                self._entry.fault(node.line, f"{shown(text)} is no exact pin", "write NAME==VERSION")
            elif pin.name in pins and ";" not in text:
                self._entry.fault(node.line, f"the package {shown(pin.name)} stands here twice", "keep one of the two")
            else:
                pins[pin.text if pin.name in pins else pin.name] = pin
        return tuple(pins.values())

    def _torch_is_pinned(self, packages: tuple[Pin, ...]) -> None:
        node = self._entry.get("torch")
        if node is not None and self._entry.sound and not any(pin.name in TORCH_FAMILY for pin in packages):
            self._entry.fault(
                node.line, "torch chooses a build, but packages has no torch", "add torch==VERSION to packages"
            )

    def _recognise(self) -> tuple[Mapping[str, Any], tuple[str, ...]]:
        node = self._entry.get("recognise")
        if node is None:
            return MappingProxyType({}), ()
        if not isinstance(node.value, dict):
            self._entry.fault(node.line, "recognise is no mapping", "write {config: {KEY: VALUE}, files: [NAME, …]}")
            return MappingProxyType({}), ()
        inner = Entry(node, "recognise of the recipe", self._entry._report)
        inner.check_keys(_RECOGNISE)
        config = inner.mapping("config", "{KEY: VALUE}")
        files = tuple(text for item in inner.items("files", "[NAME, …]") if (text := inner.as_text(item, "files")))
        self._entry.sound = self._entry.sound and inner.sound
        return config, files

    def _names(self, key: str) -> tuple[str, ...]:
        return tuple(
            normal_name(text) for text in self._texts(key, re.compile(r"[A-Za-z0-9._-]+"), "write names alone")
        )

    def _texts(self, key: str, form: re.Pattern[str], example: str) -> tuple[str, ...]:
        found = (self._entry.as_matching(node, key, form, example) for node in self._items(key, "[…]"))
        return tuple(text for text in found if text is not None)

    def _items(self, key: str, example: str) -> list[Located]:
        return self._entry.items(key, example)

    def _one_of(self, key: str, kind: type[E]) -> E | None:
        node = self._entry.get(key)
        if node is None:
            return None
        text = {True: "yes", False: "no"}.get(node.value) if isinstance(node.value, bool) else node.value
        known = [member.value for member in kind]
        if text not in known:
            what = f"{key} of the recipe can't be {shown(str(text))}"
            self._entry.fault(node.line, what, "write " + ", ".join(known[:-1]) + f" or {known[-1]}")
            return None
        return kind(text)
