"""Takes: a model that samples speaks one text differently each time, so a listener gets up to three of its readings."""

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

MOST_TAKES = 3
"""So many readings of one text are worth hearing."""

Reading = tuple[str, str | None, str, int]
"""One reading of a text: repo_id, voice, prompt id, take."""

_NONE: Mapping[Reading, int] = MappingProxyType({})
_ONE_EACH: Mapping[str, int] = MappingProxyType({})


@dataclass(frozen=True)
class Takes:
    """How many takes each model has (by repo_id; 1 where none is named), and how often each reading was heard, or is
    planned, by whoever listens.
    """

    of: Mapping[str, int] = field(default_factory=lambda: _ONE_EACH)
    heard: Mapping[Reading, int] = field(default_factory=lambda: _NONE)

    def due(self, repo_id: str, voice: str | None, prompt_id: str) -> tuple[int, ...]:
        """The takes that may come next: those heard least often, so that none comes again while another is unheard."""
        count = [self.heard.get((repo_id, voice, prompt_id, take), 0) for take in range(self.of.get(repo_id, 1))]
        return tuple(take for take, times in enumerate(count) if times == min(count))

    def draw(self, repo_id: str, voice: str | None, prompt_id: str, chance: random.Random) -> int:
        """One of the takes that are due, each as likely as the next; of a model with one take always that."""
        takes = self.due(repo_id, voice, prompt_id)
        return takes[0] if len(takes) == 1 else chance.choice(takes)
