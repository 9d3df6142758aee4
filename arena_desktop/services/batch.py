"""The clips of battles that are prepared together, model by model: each is loaded once, however large they are."""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from arena_desktop.domain.battle import Competitor
from arena_desktop.domain.prompts import Prompt
from arena_desktop.domain.takes import Reading
from arena_desktop.services.plan_queue import Planned

ROUND = 50
"""So many battles are spoken in one round of the models: of a thousand the first are ready long before the last."""


@dataclass(frozen=True)
class Wish:
    """One clip to be spoken."""

    reading: Reading
    competitor: Competitor
    prompt: Prompt


class Batch:
    """What is spoken of a row of plans, and what comes next. One thread at a time may use it.

    Models come in an order of chance, so that it tells nothing; the one that is speaking goes on until it has no more.
    """

    def __init__(self, choose: Callable[[Sequence[str]], str] = secrets.choice) -> None:
        self._choose = choose
        self._model = ""
        self.spoken: dict[Reading, str] = {}
        """The clips that lie in the cache, with their keys."""

    def next(self, plans: Sequence[Planned]) -> Wish | None:
        """The next clip to be spoken for ``plans``, None when all are there."""
        for start in range(0, len(plans), ROUND):
            wishes = [wish for planned in plans[start : start + ROUND] for wish in self._missing(planned)]
            if wishes:
                return self._among(wishes)
        return None

    def missing(self, plans: Sequence[Planned]) -> list[str]:
        """Who has to speak how many clips still: their models, one entry a clip."""
        return [reading[0] for reading in _readings(plans) if reading not in self.spoken]

    def count(self, plans: Sequence[Planned]) -> tuple[int, int]:
        """How many clips of ``plans`` are there, of how many."""
        needed = _readings(plans)
        return sum(reading in self.spoken for reading in needed), len(needed)

    def is_whole(self, planned: Planned) -> bool:
        """Whether both its clips are there."""
        return all(reading in self.spoken for reading in planned.readings)

    def _missing(self, planned: Planned) -> list[Wish]:
        sides = zip(planned.readings, (planned.plan.a, planned.plan.b), strict=True)
        return [
            Wish(reading, competitor, planned.prompt) for reading, competitor in sides if reading not in self.spoken
        ]

    def _among(self, wishes: Sequence[Wish]) -> Wish:
        models = sorted({wish.reading[0] for wish in wishes})
        if self._model not in models:
            self._model = self._choose(models)
        return next(wish for wish in wishes if wish.reading[0] == self._model)


def _readings(plans: Sequence[Planned]) -> set[Reading]:
    return {reading for planned in plans for reading in planned.readings}
