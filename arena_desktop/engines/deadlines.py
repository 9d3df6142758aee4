"""How long a request may take before the child counts as hung."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Deadlines:
    """Seconds. ``identify`` reads every weight file once; ``load`` may import torch and read gigabytes from a slow
    disk.

    ``speak`` and ``speak_per_character`` hold for a model that hasn't spoken yet. Once it has, ``patience`` times its
    slowest pace so far is enough, but never less than ``speak_least``. ``own_limit`` is what an engine with a limit of
    its own gets on top to say so.
    """

    start: float = 60.0
    check: float = 60.0
    identify: float = 300.0
    load: float = 300.0
    speak: float = 30.0
    speak_per_character: float = 0.5
    speak_least: float = 15.0
    patience: float = 20.0
    own_limit: float = 5.0

    def for_speech(self, characters: int, pace: float | None, allowed: float = 0.0) -> float:
        """The deadline for a text of so many characters; ``pace``: the slowest seconds a character seen so far, None
        for none. ``allowed``: the seconds that the roster gives the model, which its engine itself keeps to.
        """
        return max(self._usual(characters, pace), allowed + self.own_limit if allowed else 0.0)

    def _usual(self, characters: int, pace: float | None) -> float:
        first = self.speak + self.speak_per_character * characters
        if pace is None:
            return first
        return min(first, self.speak_least + self.patience * pace * characters)
