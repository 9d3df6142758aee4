"""The counted votes of one arena as columns, with everything that a look at the board may ask of a vote.

Fits need little of a vote (:class:`arena_desktop.ratings.vote_columns.VoteColumns`); audits, filters, histories and
exports need the rest. Both are made from this table, so that all of them speak of the same votes.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, fields, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena_desktop.ratings.arrays import FloatArray, IntArray
from arena_desktop.ratings.elo import SCORES
from arena_desktop.ratings.vote_columns import VoteColumns

OUTCOMES = tuple(SCORES)
"""The votes; ``outcome`` holds positions in it."""

UNKNOWN = -1
"""What stands in a column of whole numbers where a vote doesn't say."""

_SCORE = np.array(list(SCORES.values()), np.float64)


class Condition(NamedTuple):
    """Under what circumstances a vote was cast; None where it doesn't say."""

    question: str | None = None
    silent: bool = False
    reveal: str | None = None
    playback: str | None = None
    text_hidden: bool | None = None
    gate: float | None = None
    target_lufs: float | None = None


class Make(NamedTuple):
    """What exactly stood behind a competitor's name in a vote; None where the vote doesn't say."""

    weights_hash: str | None = None
    settings_hash: str | None = None
    voice: str | None = None


class VoteRow(NamedTuple):
    """One counted vote. ``listener`` is whoever is taken for one person, text if they have a pseudonym.

    ``at`` is microseconds since 1970; ``length`` characters of text; ``first`` the side played first, 0 for A, 1 for B;
    ``rtf_*`` seconds of synthesis per second of sound, on the class of device in ``device_*``; ``policy`` says how
    the pair was chosen. ``station`` is where it was cast, ``rt_ms`` the milliseconds from when it could be cast until
    it was, ``heard`` the share 0–1 that was heard of the side that was heard less. :data:`UNKNOWN`, None or NaN where
    the vote doesn't say.
    """

    id: str
    a: str
    b: str
    vote: str
    listener: Hashable
    prompt: str | None = None
    category: str | None = None
    language: str | None = None
    length: int = UNKNOWN
    at: int = UNKNOWN
    first: int = UNKNOWN
    reveals_before: int = UNKNOWN
    session: str | None = None
    condition: Condition = Condition()
    make_a: Make = Make()
    make_b: Make = Make()
    rtf_a: float = float("nan")
    rtf_b: float = float("nan")
    device_a: str | None = None
    device_b: str | None = None
    policy: str | None = None
    station: str | None = None
    rt_ms: float = float("nan")
    heard: float = float("nan")


@dataclass(frozen=True, eq=False)
class VoteTable:
    """One entry a vote in every column, in canonical order.

    ``a``, ``b`` are positions in ``models``; ``outcome`` a position in :data:`OUTCOMES`. ``listener``, ``prompt``,
    ``category``, ``language``, ``session``, ``condition``, ``make_a`` and ``make_b``, ``device_a`` and ``device_b``,
    ``policy``, ``station`` are positions in the tuple of that name (``listeners`` … ``makes``, ``devices``,
    ``policies``, ``stations``), :data:`UNKNOWN` where the vote names none. ``length``, ``at``, ``first``,
    ``reveals_before``, ``rtf_a``, ``rtf_b``, ``rt_ms``, ``heard``: see :class:`VoteRow`. ``row`` is the vote's position
    in the whole table that this one was picked from, and in ``ids``. ``weight``: for how many votes each counts in
    fits, None for one; counts and Live Elo know no weights.
    """

    models: tuple[str, ...]
    listeners: tuple[Hashable, ...]
    prompts: tuple[str, ...]
    categories: tuple[str, ...]
    languages: tuple[str, ...]
    sessions: tuple[str, ...]
    conditions: tuple[Condition, ...]
    makes: tuple[Make, ...]
    devices: tuple[str, ...]
    policies: tuple[str, ...]
    stations: tuple[str, ...]
    ids: Sequence[str]
    a: IntArray
    b: IntArray
    outcome: IntArray
    listener: IntArray
    prompt: IntArray
    category: IntArray
    language: IntArray
    session: IntArray
    condition: IntArray
    make_a: IntArray
    make_b: IntArray
    device_a: IntArray
    device_b: IntArray
    policy: IntArray
    station: IntArray
    length: IntArray
    at: IntArray
    first: IntArray
    reveals_before: IntArray
    rtf_a: FloatArray
    rtf_b: FloatArray
    rt_ms: FloatArray
    heard: FloatArray
    row: IntArray
    weight: FloatArray | None = None

    def __len__(self) -> int:
        return len(self.a)

    @property
    def score(self) -> FloatArray:
        """A's score: 1, 0.5 or 0."""
        return _SCORE[self.outcome]

    def id(self, place: int) -> str:
        """The id of the vote at ``place`` of this table."""
        return self.ids[int(self.row[place])]

    def pick(self, which: NDArray[np.bool_] | IntArray) -> "VoteTable":
        """The votes that a mask or positions select; names and codes stay as they are."""
        weight = None if self.weight is None else self.weight[which]
        return replace(self, weight=weight, **{name: getattr(self, name)[which] for name in _COLUMNS})

    def columns(self) -> VoteColumns:
        """What fits and intervals need: unknown prompts are each their own."""
        prompt = self.prompt
        unknown = prompt < 0
        if unknown.any():
            prompt = prompt.copy()
            prompt[unknown] = len(self.prompts) + np.arange(int(unknown.sum()))
        return VoteColumns(len(self.models), self.a, self.b, self.score, self.listener, prompt, self.weight)


def capped(table: VoteTable, most: int) -> VoteTable:
    """``table`` with weights under which no listener counts for more than ``most`` votes."""
    votes = np.bincount(table.listener)[table.listener] if len(table) else table.listener
    return replace(table, weight=np.minimum(1.0, most / np.maximum(votes, 1)))


NAMES = {
    "listeners": ("listener",),
    "prompts": ("prompt",),
    "categories": ("category",),
    "languages": ("language",),
    "sessions": ("session",),
    "conditions": ("condition",),
    "makes": ("make_a", "make_b"),
    "devices": ("device_a", "device_b"),
    "policies": ("policy",),
    "stations": ("station",),
}
"""The tuples of names, and the columns that hold positions in them."""

_COLUMNS = tuple(field.name for field in fields(VoteTable) if field.name not in ("models", "ids", "weight", *NAMES))
