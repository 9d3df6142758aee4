"""The counted votes of one arena as columns, with everything that a look at the board may ask of a vote.

Fits need little of a vote (:class:`arena_desktop.ratings.vote_columns.VoteColumns`); audits, filters, histories and
exports need the rest. Both are made from this table, so that all of them speak of the same votes.
"""

from array import array
from collections.abc import Hashable
from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple, TypeVar

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
_Key = TypeVar("_Key", bound=Hashable)


class Condition(NamedTuple):
    """Under what circumstances a vote was cast; None where it doesn't say."""

    question: str | None = None
    silent: bool = False
    reveal: str | None = None
    playback: str | None = None
    text_hidden: bool | None = None
    gate: float | None = None


class Make(NamedTuple):
    """What exactly stood behind a competitor's name in a vote; None where the vote doesn't say."""

    weights_hash: str | None = None
    settings_hash: str | None = None
    voice: str | None = None


class VoteRow(NamedTuple):
    """One counted vote. ``listener`` is whoever is taken for one person, text if they have a pseudonym.

    ``at`` is microseconds since 1970; ``length`` characters of text; ``first`` the side played first, 0 for A, 1 for B;
    ``rtf_*`` seconds of synthesis per second of sound, on the class of device in ``device_*``. :data:`UNKNOWN`, None or
    NaN where the vote doesn't say.
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


@dataclass(frozen=True, eq=False)
class VoteTable:
    """One entry a vote in every column, in canonical order.

    ``a``, ``b`` are positions in ``models``; ``outcome`` a position in :data:`OUTCOMES`. ``listener``, ``prompt``,
    ``category``, ``language``, ``session``, ``condition``, ``make_a`` and ``make_b``, ``device_a`` and ``device_b`` are
    positions in the tuple of that name (``listeners`` … ``makes``, ``devices``), :data:`UNKNOWN` where the vote names
    none. ``length``, ``at``, ``first``, ``reveals_before``, ``rtf_a``, ``rtf_b``: see :class:`VoteRow`. ``row`` is the
    vote's position in the whole table that this one was picked from, and in ``ids``.
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
    ids: tuple[str, ...]
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
    length: IntArray
    at: IntArray
    first: IntArray
    reveals_before: IntArray
    rtf_a: FloatArray
    rtf_b: FloatArray
    row: IntArray

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
        return replace(self, **{name: getattr(self, name)[which] for name in _COLUMNS})

    def columns(self) -> VoteColumns:
        """What fits and intervals need: unknown prompts are each their own."""
        prompt = self.prompt
        unknown = prompt < 0
        if unknown.any():
            prompt = prompt.copy()
            prompt[unknown] = len(self.prompts) + np.arange(int(unknown.sum()))
        return VoteColumns(len(self.models), self.a, self.b, self.score, self.listener, prompt)


_COLUMNS = tuple(field.name for field in fields(VoteTable))[10:]  # after the ten tuples of names


class _Codes:
    """Numbers for values, in the order in which they first came."""

    def __init__(self) -> None:
        self._numbers: dict[Any, int] = {}
        self._known: tuple[Any, ...] = ()

    def __call__(self, value: Hashable) -> int:
        if value is None:
            return UNKNOWN
        return self._numbers.setdefault(value, len(self._numbers))

    def __len__(self) -> int:
        return len(self._numbers)

    def values(self) -> tuple[Any, ...]:
        """All values by number."""
        if len(self._known) != len(self._numbers):
            self._known = tuple(self._numbers)
        return self._known


class TableBuilder:
    """Collects the counted votes of one arena in order. ``models`` are its members."""

    def __init__(self, models: tuple[str, ...]) -> None:
        self.models = models
        self._index = {repo_id: position for position, repo_id in enumerate(models)}
        self._outcomes = {vote: position for position, vote in enumerate(OUTCOMES)}
        self._codes = {name: _Codes() for name in _CODED}
        self._whole = {name: array("q") for name in _WHOLE}
        self._real = {name: array("d") for name in ("rtf_a", "rtf_b")}
        self._ids: list[str] = []
        self._table: VoteTable | None = None

    def __len__(self) -> int:
        return len(self._ids)

    @property
    def listeners(self) -> int:
        """How many different listeners there are."""
        return len(self._codes["listener"])

    def add(self, vote: VoteRow) -> None:
        """One vote. Its models are members of the arena."""
        self._table = None
        whole, codes = self._whole, self._codes
        whole["a"].append(self._index[vote.a])
        whole["b"].append(self._index[vote.b])
        whole["outcome"].append(self._outcomes[vote.vote])
        for name, code in codes.items():
            if name not in _BY_SIDE:
                whole[name].append(code(getattr(vote, name)))
        whole["make_a"].append(codes["make"](vote.make_a))
        whole["make_b"].append(codes["make"](vote.make_b))
        whole["device_a"].append(codes["device"](vote.device_a))
        whole["device_b"].append(codes["device"](vote.device_b))
        whole["length"].append(vote.length)
        whole["at"].append(vote.at)
        whole["first"].append(vote.first)
        whole["reveals_before"].append(vote.reveals_before)
        self._real["rtf_a"].append(vote.rtf_a)
        self._real["rtf_b"].append(vote.rtf_b)
        self._ids.append(vote.id)

    def table(self) -> VoteTable:
        """What was collected so far; later votes don't change it."""
        if self._table is None:
            names: dict[str, Any] = {plural: self._codes[name].values() for name, plural in _CODED.items()}
            columns: dict[str, Any] = {name: np.array(column, np.int64) for name, column in self._whole.items()}
            columns |= {name: np.array(column, np.float64) for name, column in self._real.items()}
            row = np.arange(len(self._ids), dtype=np.int64)
            self._table = VoteTable(models=self.models, ids=tuple(self._ids), row=row, **names, **columns)
        return self._table


_CODED = {
    "listener": "listeners",
    "prompt": "prompts",
    "category": "categories",
    "language": "languages",
    "session": "sessions",
    "condition": "conditions",
    "make": "makes",
    "device": "devices",
}
_BY_SIDE = ("make", "device")
_WHOLE = tuple(name for name in _COLUMNS if name not in ("rtf_a", "rtf_b", "row"))
