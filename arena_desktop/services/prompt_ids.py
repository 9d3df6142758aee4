"""The id of a text as a prompt: what recordings are named by."""

from collections.abc import Callable

from arena_desktop.domain.prompts import own_prompt_id, text_sha256
from arena_desktop.store.prompt_files import built_in_prompts


class PromptIds:
    """Looks up built-in prompts by their text; any other text is one's own. ``key`` gives the key of own texts' ids.

    Thread-safe; the built-in prompts are read at the first look.
    """

    def __init__(self, key: Callable[[], bytes]) -> None:
        self._key = key
        self._built_in: dict[str, str] | None = None

    def __call__(self, text: str) -> str:
        if self._built_in is None:
            self._built_in = {prompt.sha256: prompt.id for prompt in built_in_prompts()}
        return self._built_in.get(text_sha256(text)) or own_prompt_id(self._key(), text)
