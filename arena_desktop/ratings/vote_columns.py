"""The votes of one arena as columns: what fits and intervals are computed from."""

from dataclasses import dataclass

from arena_desktop.ratings.arrays import FloatArray, IntArray


@dataclass(frozen=True)
class VoteColumns:
    """One entry a vote: positions of the models on both sides, A's score, and numbers for the listener and the prompt
    (None: prompts are not known). ``size`` models.
    """

    size: int
    a: IntArray
    b: IntArray
    score: FloatArray
    listener: IntArray
    prompt: IntArray | None = None

    def __len__(self) -> int:
        return len(self.a)
