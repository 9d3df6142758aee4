"""The arguments of a program as a roster writes them: checked, and filled in for one text. Never a shell's line."""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..faults import EngineFault
from ..speech.places import from_home, placed

PLACEHOLDERS = ("out", "text", "voice")
_BRACES = re.compile(r"\{([A-Za-z_]+)\}")
_FORM = "Write settings: {argv: [PROGRAM, ARGUMENT, …]}, each a text of its own."


class Arguments:
    """A program and its arguments. Raises EngineFault in words for what can't be run."""

    def __init__(self, settings: Mapping[str, Any]) -> None:
        self._argv = _words(settings.get("argv"))
        used = {name for word in self._argv for name in _BRACES.findall(word)}
        for name in sorted(used - set(PLACEHOLDERS)):
            raise EngineFault(
                "settings",
                f"The argument {{{name}}} of the command is none that can be filled in.",
                "There are {out}, {text} and {voice}.",
            )
        self.writes_file = "out" in used
        self.needs_voice = "voice" in used
        self.on_stdin = _on_stdin(settings.get("text"), "text" in used)
        if _BRACES.search(self._argv[0]):
            raise EngineFault("settings", "The program of the command has a placeholder in its name.", _FORM)

    @property
    def name(self) -> str:
        """The program, as the roster names it."""
        return self._argv[0]

    def program(self, search: Sequence[str]) -> Path | None:
        """The program's file: by its path (a relative one in the folders ``search``), else on the system's path; None
        if it is nowhere.
        """
        if "/" in self.name or "\\" in self.name:
            found = placed(self.name, search)
            return found if found.is_file() else None
        there = shutil.which(self.name)
        return Path(there) if there else None

    def files(self, folder: Path) -> list[Path]:
        """The arguments that name files, a relative one in ``folder``: models and scripts, which decide what is
        heard.
        """
        named = [word.split("=", 1)[-1] for word in self._argv[1:] if not _BRACES.search(word)]
        return [path for path in (folder / from_home(word) for word in named if word) if _is_file(path)]

    def filled(self, program: Path, *, text: str, voice: str, out: Path) -> list[str]:
        """What is started. A text that begins with a hyphen gets a blank in front, lest it pass for an option."""
        values = {"out": str(out), "text": text, "voice": voice}
        words = [str(program)]
        for word in self._argv[1:]:
            whole = _BRACES.sub(lambda found: values[found.group(1)], word)
            words.append(f" {whole}" if word.startswith(("{text}", "{voice}")) and whole.startswith("-") else whole)
        return words


def _words(argv: Any) -> list[str]:
    if not isinstance(argv, (list, tuple)) or not argv or not all(isinstance(word, str) for word in argv):
        raise EngineFault("settings", "The command has no list of arguments.", _FORM)
    if not argv[0].strip() or any("\0" in word for word in argv):
        raise EngineFault("settings", "The command names no program.", _FORM)
    return list(argv)


def _on_stdin(wanted: Any, as_argument: bool) -> bool:
    if wanted not in (None, "stdin", "argument"):
        raise EngineFault("settings", f"The setting text is {wanted!r}.", "Write stdin or argument.")
    if wanted == "argument" and not as_argument:
        raise EngineFault(
            "settings", "The text is to be an argument, and none is {text}.", "Write {text} where it goes."
        )
    if wanted == "stdin" and as_argument:
        raise EngineFault(
            "settings", "The text is to come by standard input, and an argument is {text}.", "Choose one of the two."
        )
    return not as_argument


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # an argument need not be a path at all
        return False
