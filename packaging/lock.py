"""Works the exact pins in ``requirements/*.txt`` out again from the ``*.in`` files. Runs inside the environment.

pip resolves each group for this machine with the pins of the groups before it as constraints. What another system or
Python would need besides (colorama on Windows, say) is found by reading every package's requirements under that
system's markers, and pinned with a marker.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Any

from packaging.markers import default_environment
from packaging.utils import canonicalize_name

from packaging.requirements import Requirement

FOLDER = Path(__file__).resolve().parent / "requirements"
GROUPS = ("base", "espeak", "torch", "test")
CHOSEN_ELSEWHERE = {"torch"}
SYSTEMS = (
    ("win32", "Windows", "nt", "AMD64"),
    ("darwin", "Darwin", "posix", "arm64"),
    ("linux", "Linux", "posix", "aarch64"),
)


def main() -> int:
    """Write every group's pins, saying what changed."""
    pinned: dict[str, str] = {}
    for group in GROUPS:
        lines = _lock(group, pinned)
        target = FOLDER / f"{group}.txt"
        text = "\n".join(
            [f"# Exact pins of {group}.in and all that it needs. Made by `bootstrap.py lock`.", *lines, ""]
        )
        old = target.read_text(encoding="utf-8") if target.exists() else ""
        target.write_text(text, encoding="utf-8")
        print(f"{target.name}: {len(lines)} packages, {'as before' if text == old else 'changed'}")
    return 0


def _lock(group: str, pinned: dict[str, str]) -> list[str]:
    """The lines of a group: what pip resolves here, less what earlier groups hold, plus what other systems need."""
    own_markers = {str(canonicalize_name(r.name)): r.marker for r in _requirements(group)}
    lines: dict[str, str] = {}
    items = _resolve(["-r", str(FOLDER / f"{group}.in")], pinned)
    for item in items:
        _take(item, pinned, lines, own_markers.get(_name(item)))
    for requirement, system in list(_needed_elsewhere(items, pinned)):
        for item in _resolve([requirement], pinned):
            _take(item, pinned, lines, f'sys_platform == "{system}"')
    return [lines[name] for name in sorted(lines)]


def _take(item: Mapping[str, Any], pinned: dict[str, str], lines: dict[str, str], marker: object) -> None:
    name = _name(item)
    if name in pinned or name in CHOSEN_ELSEWHERE:
        return
    pinned[name] = item["metadata"]["version"].partition("+")[0]
    lines[name] = f"{name}=={pinned[name]}" + (f" ; {marker}" if marker else "")


def _needed_elsewhere(items: list[dict[str, Any]], pinned: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    seen: set[str] = set()
    for item in items:
        if _name(item) in CHOSEN_ELSEWHERE:
            continue  # its CUDA libraries are pinned by torch itself
        for text in item["metadata"].get("requires_dist", ()):
            requirement = Requirement(text)
            name = canonicalize_name(requirement.name)
            if requirement.marker is None or name in pinned or name in seen:
                continue
            for platform, system, os_name, machine in SYSTEMS:
                other: dict[str, str | AbstractSet[str]] = {
                    **{key: str(value) for key, value in default_environment().items()},
                    "sys_platform": platform,
                    "platform_system": system,
                    "os_name": os_name,
                    "platform_machine": machine,
                    "extra": "",
                }
                if requirement.marker.evaluate(other):
                    seen.add(name)
                    yield f"{requirement.name}{requirement.specifier}", platform
                    break


def _requirements(group: str) -> list[Requirement]:
    text = (FOLDER / f"{group}.in").read_text(encoding="utf-8")
    return [Requirement(line) for line in text.splitlines() if line.strip() and not line.startswith("#")]


def _resolve(arguments: list[str], pinned: Mapping[str, str]) -> list[dict[str, Any]]:
    with tempfile.TemporaryDirectory() as place:
        constraints, report = Path(place) / "constraints.txt", Path(place) / "report.json"
        constraints.write_text("".join(f"{name}=={version}\n" for name, version in pinned.items()), encoding="utf-8")
        command = [sys.executable, "-m", "pip", "install", "-qqq", "--dry-run", "--ignore-installed"]
        command += ["--only-binary", ":all:", "-c", str(constraints), "--report", str(report), *arguments]
        subprocess.run(command, check=True)
        found: list[dict[str, Any]] = json.loads(report.read_text(encoding="utf-8"))["install"]
    return found


def _name(item: Mapping[str, Any]) -> str:
    return str(canonicalize_name(item["metadata"]["name"]))


if __name__ == "__main__":
    raise SystemExit(main())
