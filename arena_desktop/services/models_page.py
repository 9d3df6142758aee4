"""The Models page's verbs, each forwarded to whoever does it."""

from collections.abc import Callable, Sequence

from arena_desktop.services.examiner import Examiner
from arena_desktop.services.measuring import Measuring
from arena_desktop.services.model_search import ModelSearch
from arena_desktop.services.models import Models
from arena_desktop.services.set_up import SetUps


class ModelsPage:
    """Implements :class:`arena_desktop.services.actions.ModelsActions`. ``look_anew`` has all be read
    anew that others may have written: roster, examinations, measurements.
    """

    def __init__(
        self,
        models: Models,
        search: ModelSearch,
        set_ups: SetUps,
        measuring: Measuring,
        examiner: Examiner,
        look_anew: Callable[[], None],
    ) -> None:
        self._models = models
        self._search = search
        self._set_ups = set_ups
        self._measuring = measuring
        self._examiner = examiner
        self._look_anew = look_anew

    def check_again(self) -> None:
        self._look_anew()
        self._models.check_again()

    def set_enabled(self, repo_id: str, enabled: bool) -> None:
        self._models.set_enabled(repo_id, enabled)

    def set_up(self, repo_id: str) -> None:
        self._set_ups.start(repo_id)

    def cancel_set_up(self, repo_id: str) -> None:
        self._set_ups.cancel(repo_id)

    def find(self, folders: Sequence[str]) -> None:
        self._search.find(folders)

    def stop_finding(self) -> None:
        self._search.stop_finding()

    def try_found(self, found_id: str, voice: str) -> None:
        self._search.try_found(found_id, voice)

    def add(self, found_id: str, voice: str, arena: str) -> None:
        self._search.add(found_id, voice, arena)

    def forget(self, repo_id: str) -> None:
        self._search.forget(repo_id)

    def listen(self, repo_id: str) -> None:
        self._search.listen(repo_id)

    def stop_sample(self) -> None:
        self._search.stop_sample()

    def examine(self, repo_id: str) -> None:
        self._examiner.examine(repo_id)

    def stop_examining(self, repo_id: str) -> None:
        self._examiner.stop(repo_id)

    def clear_failures(self, repo_id: str) -> None:
        self._models.clear_failures(repo_id)

    def measure(self, repo_id: str) -> None:
        self._measuring.measure(repo_id)

    def first_look(self, done: Callable[[], None]) -> None:
        """The program has never looked for models on this machine: do so, and say little."""
        self._search.look_quietly(done)
