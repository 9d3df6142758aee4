"""How long a request may take before the child counts as hung."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Deadlines:
    """Seconds. ``identify`` reads every weight file once; ``load`` may import torch and read gigabytes from a slow
    disk.

    ``speak`` and ``speak_per_character`` hold for a model that hasn't spoken yet. Once it has, ``patience`` times its
    slowest pace so far is enough, but never less than ``speak_least``.
    """

    start: float = 60.0
    check: float = 60.0
    identify: float = 300.0
    load: float = 300.0
    speak: float = 30.0
    speak_per_character: float = 0.5
    speak_least: float = 15.0
    patience: float = 20.0

    def for_speech(self, characters: int, pace: float | None) -> float:
        """The deadline for a text of so many characters; ``pace``: the slowest seconds a character seen so far, None
        for none.
        """
        first = self.speak + self.speak_per_character * characters
        if pace is None:
            return first
        return min(first, self.speak_least + self.patience * pace * characters)
