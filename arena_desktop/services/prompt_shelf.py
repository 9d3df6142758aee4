"""Where texts come from: built in, typed by the listener, or a text file."""

from collections.abc import Callable, Sequence
from pathlib import Path

from arena_desktop.domain.prompts import Prompt, own_prompt, suitable
from arena_desktop.errors import ArenaError
from arena_desktop.services.views import PromptSource
from arena_desktop.store.prompt_files import built_in_prompts, read_prompt_file


class PromptShelf:
    """Looks up the prompts of a source. ``key`` gives the key behind the ids of own texts."""

    def __init__(self, key: Callable[[], bytes]) -> None:
        self._key = key
        self._sources: dict[str, Callable[[PromptSource, str | None], Sequence[Prompt]]] = {
            "builtin": self._builtin,
            "own": self._own,
            "file": self._file,
        }

    def prompts(self, source: PromptSource, language: str | None) -> Sequence[Prompt]:
        """At least one prompt; raises ArenaError with what is wrong with the source. ``language`` None: any."""
        prompts = self._sources[source.kind](source, language)
        if not prompts:
            raise ArenaError(
                f"There is no built-in prompt for the language {language}.",
                "Type a text of your own, or choose a file.",
            )
        return prompts

    def _builtin(self, source: PromptSource, language: str | None) -> Sequence[Prompt]:
        return suitable(built_in_prompts(), source.category or "", language)

    def _own(self, source: PromptSource, language: str | None) -> Sequence[Prompt]:
        return [own_prompt(source.text, self._key(), language or "")]

    def _file(self, source: PromptSource, language: str | None) -> Sequence[Prompt]:
        return read_prompt_file(Path(source.path), self._key(), language or "").prompts
