"""A simulated panel: votes of made-up listeners on made-up models, with the truth beside them."""

from dataclasses import dataclass

import numpy as np

from arena_desktop.ratings.arrays import FloatArray, IntArray
from arena_desktop.ratings.table_builder import TableBuilder
from arena_desktop.ratings.vote_columns import VoteColumns
from arena_desktop.ratings.vote_table import OUTCOMES, Condition, Make, VoteRow, VoteTable

CATEGORIES = ("short", "long", "numbers", "questions", "emotion", "dialogue")
"""The categories that the texts take in turn."""

SCORE = np.array([1.0, 0.0, 0.5, 0.5])
"""A's score by outcome."""

_DIGITS = str.maketrans("0123456789", "abcdefghij")


@dataclass(frozen=True, eq=False)
class Truth:
    """What the votes were drawn from, in Elo points.

    ``strengths``: each model for the average listener, shape (models,). ``tastes``: how much more each listener likes
    it, shape (listeners, models). ``texts``: how much better each text suits it, shape (texts, models).
    """

    strengths: FloatArray
    tastes: FloatArray
    texts: FloatArray


@dataclass(frozen=True, eq=False)
class SimulatedPanel:
    """The votes in the order in which they were cast, one entry each: columns as in
    :class:`arena_desktop.ratings.vote_table.VoteTable`, and ``probability``, the chance with which ``policy`` drew that
    unordered pair.
    """

    models: tuple[str, ...]
    truth: Truth
    policy: str
    a: IntArray
    b: IntArray
    outcome: IntArray
    listener: IntArray
    text: IntArray
    sitting: IntArray
    first: IntArray
    at: IntArray
    reveals_before: IntArray
    probability: FloatArray
    rtf: FloatArray

    def __len__(self) -> int:
        return len(self.a)

    @property
    def score(self) -> FloatArray:
        """A's score: 1, 0.5 or 0."""
        return SCORE[self.outcome]

    def columns(self) -> VoteColumns:
        """For fits and intervals."""
        return VoteColumns(len(self.models), self.a, self.b, self.score, self.listener, self.text)

    def rows(self) -> list[VoteRow]:
        """Each vote with everything that a board may ask of it."""
        makes = [Make(f"{n:064x}", "0" * 64, None) for n in range(len(self.models))]
        condition = Condition("Which voice sounds more natural?", False, "each", "start_over", False, 0.9)
        lengths = [30 + 40 * (text % len(CATEGORIES)) + text % 29 for text in range(len(self.truth.texts))]
        columns = (self.a, self.b, self.outcome, self.listener, self.text, self.sitting)
        more = (self.first, self.at, self.reveals_before)
        return [
            VoteRow(
                id=f"simulated-{n:07d}",
                a=self.models[a],
                b=self.models[b],
                vote=OUTCOMES[outcome],
                listener=pseudonym(listener),
                prompt=text_id(text),
                category=CATEGORIES[text % len(CATEGORIES)],
                language="en",
                length=lengths[text],
                at=at,
                first=first,
                reveals_before=reveals,
                session=f"sitting-{sitting:06d}",
                condition=condition,
                make_a=makes[a],
                make_b=makes[b],
                rtf_a=float(self.rtf[a]),
                rtf_b=float(self.rtf[b]),
                device_a="cpu",
                device_b="cpu",
                policy=self.policy,
            )
            for n, (a, b, outcome, listener, text, sitting, first, at, reveals) in enumerate(
                zip(*(column.tolist() for column in columns + more), strict=True)
            )
        ]

    def table(self) -> VoteTable:
        """For audits, filters and everything else that a board is made from."""
        builder = TableBuilder(self.models)
        for row in self.rows():
            builder.add(row)
        return builder.table()


def pseudonym(listener: int) -> str:
    """The name of a simulated listener, in the form of a real one's."""
    return "l-" + f"{listener:016d}".translate(_DIGITS)


def text_id(text: int) -> str:
    """The id of a simulated text, in the form of a built-in one's."""
    return f"en-{CATEGORIES[text % len(CATEGORIES)]}-{text // len(CATEGORIES) + 1:03d}"
