"""What the repository must not hold, and what must be said somewhere."""

import argparse
import re

from arena_desktop.cli.main import COMMANDS, build_parser
from tests.helpers.sources import ROOT, tracked_files

MACHINE_PATHS = re.compile(r"(?<![\w.~])/(?:work|root)/|/opt/(?:wheels|pypi)|/home/[a-z]\w*/|C:\\\\Users\\\\\w")
REGISTRY_HOSTS = re.compile(
    "|".join(("pypi" + r"\.org", "pythonhosted" + r"\.org", "npmjs" + r"\.org", "deb" + r"\.debian\.org"))
)
TEXT = {".py", ".md", ".toml", ".txt", ".in", ".yaml", ".yml", ".json", ".jsonl", ".sql", ".cfg", ".ini", ".sh", ""}


def test_no_file_names_a_machine_or_a_registry() -> None:
    found = []
    for path in tracked_files():
        if path.suffix not in TEXT:
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            if MACHINE_PATHS.search(line) or REGISTRY_HOSTS.search(line):
                found.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()[:120]}")
    assert not found, "\n".join(found)


def test_the_search_for_names_finds_them() -> None:
    assert MACHINE_PATHS.search("see " + "/wo" + "rk/main")
    assert MACHINE_PATHS.search("/ro" + "ot/x")
    assert not MACHINE_PATHS.search("docs/work/notes")
    assert REGISTRY_HOSTS.search("https://py" + "pi.org/simple")


def test_every_command_is_documented() -> None:
    documents = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    text = "\n".join(path.read_text(encoding="utf-8") for path in documents)
    missing = [name for name in _commands() if not re.search(rf"\b{name}\b", text)]
    assert not missing, f"in no document: {missing}"


def test_every_option_of_every_command_has_a_help_text() -> None:
    bare = [
        f"{name}: {action.option_strings or action.dest}"
        for name, parser in _parsers().items()
        for action in parser._actions
        if action.help is None and not isinstance(action, argparse._SubParsersAction)
    ]
    assert not bare, "\n".join(bare)


def test_changelog_can_be_read_by_a_tool() -> None:
    lines = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "# Changelog"
    versions = [line for line in lines if line.startswith("## ")]
    assert versions[0] == "## [Unreleased]"
    for line in versions[1:]:
        assert re.fullmatch(r"## \[\d+\.\d+\.\d+\] - \d{4}-\d{2}-\d{2}", line)
    for line in lines:
        if line.startswith("### "):
            assert line[4:] in ("Added", "Changed", "Deprecated", "Removed", "Fixed", "Security")


def _parsers() -> dict[str, argparse.ArgumentParser]:
    """``"votes export"``: its parser, for every command and sub-command."""
    found: dict[str, argparse.ArgumentParser] = {}

    def walk(name: str, parser: argparse.ArgumentParser) -> None:
        found[name] = parser
        for action in parser._actions:
            if isinstance(action, argparse._SubParsersAction):
                for word, below in action.choices.items():
                    walk(f"{name} {word}", below)

    for command in COMMANDS:
        top = build_parser(command)
        for action in top._actions:
            if isinstance(action, argparse._SubParsersAction):
                walk(command, action.choices[command])
    return found


def _commands() -> list[str]:
    return sorted(_parsers())
