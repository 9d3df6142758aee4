"""Where texts come from: built in, typed by the listener, or a text file."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from arena_desktop.domain.prompts import Prompt, own_prompt, suitable
from arena_desktop.errors import ArenaError
from arena_desktop.services.views import PromptSource
from arena_desktop.store.prompt_files import BadLine, built_in_prompts, read_prompt_file

_SHOWN = 5
"""So many numbers of lines are said."""


@dataclass(frozen=True)
class Taken:
    """Prompts from a source (at least one), and what was left out of it, in a sentence ("" for nothing). ``note``: the
    same of a file in few words, for a place beside its name.
    """

    prompts: tuple[Prompt, ...]
    left_out: str = ""
    note: str = ""


class PromptShelf:
    """Looks up the prompts of a source. ``key`` gives the key behind the ids of own texts."""

    def __init__(self, key: Callable[[], bytes]) -> None:
        self._key = key
        self._sources: dict[str, Callable[[PromptSource, str | None], Taken]] = {
            "builtin": self._builtin,
            "own": self._own,
            "file": self._file,
        }

    def take(self, source: PromptSource, language: str | None) -> Taken:
        """The prompts; raises ArenaError with what is wrong with the source. ``language`` None: any."""
        taken = self._sources[source.kind](source, language)
        if not taken.prompts:
            raise ArenaError(
                f"There is no built-in prompt for the language {language}.",
                "Type a text of your own, or choose a file.",
            )
        return taken

    def _builtin(self, source: PromptSource, language: str | None) -> Taken:
        return Taken(suitable(built_in_prompts(), source.category or "", language))

    def _own(self, source: PromptSource, language: str | None) -> Taken:
        return Taken((own_prompt(source.text, self._key(), language or ""),))

    def _file(self, source: PromptSource, language: str | None) -> Taken:
        file = read_prompt_file(Path(source.path), self._key(), language or "")
        fitting = suitable(file.prompts, "", language)
        if not fitting:
            raise ArenaError(
                f"None of the {len(file.prompts):,} sentences of {Path(source.path).name} is in the language of this"
                f" arena ({language}).",
                "Choose another arena, or other sentences.",
            )
        others = len(file.prompts) - len(fitting)
        return Taken(fitting, _left_out(file.bad_lines, others), _note(len(fitting), file.bad_lines, others))


def _left_out(bad: Sequence[BadLine], others: int) -> str:
    said = []
    if bad:
        count = "1 line of the file was" if len(bad) == 1 else f"{len(bad):,} lines of the file were"
        which = f" ({_lines(bad)})" if len(bad) > 1 else ""
        said.append(f"{count} left out{which}; line {bad[0].line}: {bad[0].reason}")
    if others:
        count = "1 sentence is" if others == 1 else f"{others:,} sentences are"
        said.append(f"{count} in another language than this arena's.")
    return " ".join(said)


def _note(count: int, bad: Sequence[BadLine], others: int) -> str:
    said = [f"{count:,} sentence{'s' * (count != 1)}"]
    if bad:
        said.append(f"without line{'s' * (len(bad) != 1)} {_lines(bad)}")
    if others:
        said.append(f"{others:,} in another language")
    return "; ".join(said)


def _lines(bad: Sequence[BadLine]) -> str:
    shown = ", ".join(str(line.line) for line in bad[:_SHOWN])
    return shown if len(bad) <= _SHOWN else f"{shown} and {len(bad) - _SHOWN:,} more"
