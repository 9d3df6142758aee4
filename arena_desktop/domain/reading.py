"""Which votes of a log count, and why the others don't. Every rating is computed from what this gives."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from arena_desktop.domain.records import RETRACTION, VOTE, Kind, hash_matches, kind_of, type_of
from arena_desktop.domain.times import canonical_us
from arena_desktop.ratings.ballot import record_fault

RETRACTED = "retracted"
SILENT = "silent"
CONFLICT = "conflict"
EXCLUDED = "excluded by policy"
BAD_HASH = "hash does not match"
BAD_TIME = "time is not canonical"

_NAMED = 20


@dataclass(frozen=True)
class Reading:
    """A log as ratings see it. Positions count the records that were read, from 0.

    ``votes`` count, in the order they were read, and ``positions`` says where each stood. ``skipped``: votes that
    don't, with the reason; among them ``sealed`` ones whose models are still handles. ``other_records`` counts
    records that are no votes, by type. ``not_honoured``: retractions without effect, with the reason; ``idle``
    names the same ones by their ids. ``retracted``: each retracted vote with the first retraction that counts, in the
    order read. ``repeated`` copies of a record that had been read before were passed over.
    """

    votes: list[dict[str, Any]] = field(default_factory=list)
    positions: list[int] = field(default_factory=list)
    skipped: list[tuple[int, str]] = field(default_factory=list)
    other_records: dict[str, int] = field(default_factory=dict)
    not_honoured: list[tuple[int, str]] = field(default_factory=list)
    idle: list[tuple[str, str]] = field(default_factory=list)
    retracted: list[tuple[dict[str, Any], dict[str, Any]]] = field(default_factory=list)
    sealed: int = 0
    repeated: int = 0


def may_retract(retraction: Mapping[str, Any], vote: Mapping[str, Any]) -> bool:
    """Whether a retraction counts against this vote: same station, or same listener, or the vote is legacy."""
    if "station_id" not in vote:
        return True
    station, listener = retraction.get("station_id"), retraction.get("listener")
    return (station is not None and station == vote["station_id"]) or (
        listener is not None and listener == vote.get("listener")
    )


def why_idle(retraction: Mapping[str, Any], vote: Mapping[str, Any] | None, in_conflict: bool) -> str | None:
    """Why a retraction has no effect, None if it has one. ``vote`` is what it names, None where that isn't here;
    ``in_conflict``: another record has the retraction's id.
    """
    if in_conflict:
        return CONFLICT
    if vote is None:
        return "its vote is not here"
    return None if may_retract(retraction, vote) else "another listener's vote on another station"


def idle_note(idle: Sequence[tuple[str, str]]) -> str | None:
    """A sentence that names retractions without effect, given as (id, reason); None if there are none."""
    if not idle:
        return None
    named = ", ".join(f"{name} ({reason})" for name, reason in sorted(idle)[:_NAMED])
    rest = f" and {len(idle) - _NAMED} more" if len(idle) > _NAMED else ""
    return f"{len(idle)} retraction{' has' if len(idle) == 1 else 's have'} no effect: {named}{rest}."


def countable(records: Iterable[Any], *, silent: bool, check_hashes: bool = False, any_time: bool = False) -> Reading:
    """Read a log in its stored form (see :mod:`arena_desktop.domain.merging`), in any order.

    ``silent``: whether votes cast under ``--silent`` count. ``check_hashes``: for records that no log has checked
    yet. ``any_time``: times don't matter. Never raises on a record, whatever it is.
    """
    sift = _Sift(silent, check_hashes, any_time)
    for position, record in enumerate(records):
        sift.take(position, record)
    return sift.reading()


class _Sift:
    """One pass over the records, then one over the votes: a retraction or a conflict may follow its vote."""

    def __init__(self, silent: bool, check_hashes: bool, any_time: bool) -> None:
        self._silent = silent
        self._check_hashes = check_hashes
        self._any_time = any_time
        self._hashes: dict[str, str] = {}
        self._conflicts: set[str] = set()
        self._votes: list[tuple[int, dict[str, Any]]] = []
        self._retractions: list[tuple[int, dict[str, Any]]] = []
        self._skipped: list[tuple[int, str]] = []
        self._others: dict[str, int] = {}
        self._repeated = 0

    def take(self, position: int, record: Any) -> None:
        """Sort one record."""
        if kind_of(record) is Kind.FOREIGN:
            self._votes.append((position, record))
            return
        if self._check_hashes and not hash_matches(record):
            self._skipped.append((position, BAD_HASH))
            return
        first_hash = self._hashes.get(record["id"])
        if first_hash is None:
            self._hashes[record["id"]] = record["hash"]
        elif first_hash == record["hash"]:
            self._repeated += 1
            return
        else:
            self._conflicts.add(record["id"])
        kind = type_of(record)
        if kind == VOTE:
            self._votes.append((position, record))
            return
        self._others[kind] = self._others.get(kind, 0) + 1
        if kind == RETRACTION:
            self._retractions.append((position, record))

    def reading(self) -> Reading:
        """Settle which votes count."""
        retractions = [retraction for _, retraction in self._retractions]
        jury = Jury(retractions, self._conflicts, silent=self._silent, any_time=self._any_time)
        votes, positions, skipped = [], [], self._skipped
        for position, vote in self._votes:
            reason = jury.why_not(vote, foreign=kind_of(vote) is Kind.FOREIGN)
            if reason is None:
                votes.append(vote)
                positions.append(position)
            else:
                skipped.append((position, reason))
        settled = jury.settle(retractions)
        return Reading(
            votes=votes,
            positions=positions,
            skipped=sorted(skipped),
            other_records=self._others,
            not_honoured=[(self._retractions[place][0], reason) for place, reason in settled.idle],
            idle=[(retractions[place]["id"], reason) for place, reason in settled.idle],
            retracted=settled.retracted,
            sealed=jury.sealed,
            repeated=self._repeated,
        )


@dataclass(frozen=True)
class Settled:
    """What became of retractions: ``idle`` are (place among them, why it has no effect), ``retracted`` each vote that
    was taken back with the first retraction that counts; both in the retractions' order.
    """

    idle: list[tuple[int, str]] = field(default_factory=list)
    retracted: list[tuple[dict[str, Any], dict[str, Any]]] = field(default_factory=list)


class Jury:
    """Says of one vote after another whether it counts, where it is known beforehand what else the log holds: the
    ``retractions`` that name anything, in any order, and the ids that several different records share (``conflicts``).

    ``sealed`` counts the votes so far whose models are still handles.
    """

    def __init__(
        self,
        retractions: Iterable[dict[str, Any]],
        conflicts: Collection[str],
        *,
        silent: bool,
        any_time: bool = False,
    ) -> None:
        self.sealed = 0
        self._silent = silent
        self._any_time = any_time
        self._conflicts = conflicts
        self._against: dict[str, list[dict[str, Any]]] = {}
        for retraction in retractions:
            self._against.setdefault(str(retraction.get("retracts")), []).append(retraction)
        self._named: dict[str, dict[str, Any]] = {}  # the last vote heard of each id that a retraction names

    def why_not(self, vote: Any, *, foreign: bool) -> str | None:
        """Why this vote doesn't count; None if it does. A ``foreign`` one is no record of a log (see ``kind_of``)."""
        against = None if foreign else self._against.get(vote["id"])
        if against is not None:
            self._named[vote["id"]] = vote
        fault = record_fault(vote)
        if fault is not None:
            self.sealed += _is_sealed(vote)
            return fault
        if foreign:
            return None  # it has no identity: no retraction and no conflict can concern it
        if vote["id"] in self._conflicts:
            return CONFLICT
        if not self._any_time and not _has_time(vote):
            return BAD_TIME
        if against is not None and any(self._why_idle(retraction, vote) is None for retraction in against):
            return RETRACTED
        return SILENT if is_silent(vote) and not self._silent else None

    def settle(self, retractions: Iterable[dict[str, Any]]) -> Settled:
        """What became of all the retractions, given in order, once every vote was shown to :meth:`why_not`."""
        settled, done = Settled(), set()
        for place, retraction in enumerate(retractions):
            vote = self._named.get(str(retraction.get("retracts")))
            reason = self._why_idle(retraction, vote)
            if reason is not None:
                settled.idle.append((place, reason))
            elif vote is not None and vote["id"] not in done:
                done.add(vote["id"])
                settled.retracted.append((vote, retraction))
        return settled

    def _why_idle(self, retraction: Mapping[str, Any], vote: Mapping[str, Any] | None) -> str | None:
        return why_idle(retraction, vote, retraction["id"] in self._conflicts)


def _has_time(vote: Mapping[str, Any]) -> bool:
    """A canonical time, or, for a legacy vote, none."""
    at = vote.get("at")
    return canonical_us(at) is not None or (at is None and "station_id" not in vote)


def is_silent(vote: Mapping[str, Any]) -> bool:
    """Whether the vote was cast under ``--silent``."""
    conditions = vote.get("conditions")
    return isinstance(conditions, dict) and conditions.get("silent") is True


def _is_sealed(vote: Any) -> bool:
    return isinstance(vote, dict) and any(
        isinstance(vote.get(side), dict) and "handle" in vote[side] for side in ("model_a", "model_b")
    )
