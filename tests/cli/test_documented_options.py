"""docs/command-line.md and the parsers know the same commands and options, and tell the same defaults."""

import argparse
import re
from collections.abc import Iterator

from arena_desktop.cli.main import COMMANDS, build_parser
from tests.helpers.documented import PAGE

OPTION = re.compile(r"(?<![\w-])(?:--[a-z][a-z-]+|-[a-z](?![\w-]))")
NUMBER = re.compile(r"\(default: ([\d,.]+)\b")


def parsers(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """A parser and those below it."""
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for below in dict.fromkeys(action.choices.values()):
                yield from parsers(below)


def options() -> dict[str, str]:
    """Every option but ``--help`` and ``--version``, by its short name where it has one, with a command that has it."""
    found: dict[str, str] = {}
    for command in (None, *COMMANDS):
        for parser in parsers(build_parser(command)):
            found |= {action.option_strings[0]: parser.prog for action in parser._actions if action.option_strings}
    return {one: prog for one, prog in found.items() if one not in ("-h", "--version")}


def test_every_option_is_documented_and_no_other() -> None:
    told = set(OPTION.findall(PAGE.read_text(encoding="utf-8"))) - {"--help", "-m"}
    known = options()
    assert {one: prog for one, prog in known.items() if one not in told} == {}
    assert told - set(known) == set()


def test_defaults_that_are_numbers_stand_beside_their_options() -> None:
    words = PAGE.read_text(encoding="utf-8")
    lacking = {}
    for command in COMMANDS:
        for parser in parsers(build_parser(command)):
            for action in parser._actions:
                number = NUMBER.search(action.help or "")
                names = [one for one in action.option_strings if one.startswith("--")]
                if number is None or not names:
                    continue
                near = [words[found.start() : found.start() + 160] for found in re.finditer(re.escape(names[0]), words)]
                if not any(number[1] in text or f"{float(number[1].replace(',', '')):,g}" in text for text in near):
                    lacking[parser.prog, names[0]] = number[0]
    assert lacking == {}
