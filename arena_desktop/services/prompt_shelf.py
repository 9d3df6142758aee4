"""Where texts come from: built in, typed by the listener, or a text file."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from arena_desktop.domain.prompts import Prompt, own_prompt, suitable
from arena_desktop.errors import ArenaError
from arena_desktop.services.views import PromptSource
from arena_desktop.store.prompt_files import BadLine, built_in_prompts, read_prompt_file


@dataclass(frozen=True)
class Taken:
    """Prompts from a source (at least one), and what was left out of it, in a sentence ("" for nothing)."""

    prompts: tuple[Prompt, ...]
    left_out: str = ""


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
        return Taken(file.prompts, _left_out(file.bad_lines))


def _left_out(bad: Sequence[BadLine]) -> str:
    if not bad:
        return ""
    count = "1 line of the file was" if len(bad) == 1 else f"{len(bad)} lines of the file were"
    return f"{count} left out; line {bad[0].line}: {bad[0].reason}"
