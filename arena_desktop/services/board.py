"""The board: every rating of a vote log under one roster, kept equal to a replay of the log."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Protocol

import numpy as np

from arena_desktop.domain.canonical import canonical, sha256_hex
from arena_desktop.domain.reading import SILENT as LEFT_OUT_SILENT
from arena_desktop.domain.reading import Reading, countable, idle_note, is_silent
from arena_desktop.domain.roster import ArenaSpec, Roster, default_arena, roster_json
from arena_desktop.domain.times import canonical_us
from arena_desktop.errors import ArenaError
from arena_desktop.ratings.elo import RULES
from arena_desktop.ratings.faults import shown
from arena_desktop.ratings.vote_table import UNKNOWN
from arena_desktop.services.arena_votes import ArenaVotes, RetractedVote
from arena_desktop.services.board_notes import board_notes
from arena_desktop.services.board_pool import BoardPool, elo_store
from arena_desktop.services.board_rows import Rated, board_view, leaderboard_rows, rate
from arena_desktop.services.counted_votes import CountedVote, counted_vote, question_of
from arena_desktop.services.views import BoardView

OTHER_QUESTION = "another question"
"""Why a vote is left out that was cast under another question than its arena's."""


class VoteSource(Protocol):
    """Where a board reads its votes."""

    def records(self) -> Iterator[dict[str, Any]]: ...
    def log_hash(self) -> str: ...


class Board:
    """The ratings of ``source`` under ``roster``. One thread at a time may use it.

    ``silent``: whether votes cast under ``--silent`` count. ``read`` says which votes count, instead of
    :func:`arena_desktop.domain.reading.countable` over the source's records. Votes cast under another question than
    their arena's current one are left out; those that name no question are not.
    """

    def __init__(
        self,
        roster: Roster,
        source: VoteSource,
        *,
        silent: bool = False,
        read: Callable[[], Reading] | None = None,
    ) -> None:
        self._roster = roster
        self._source = source
        self._silent = silent
        self._read = read or (lambda: countable(source.records(), silent=silent))
        self._held: frozenset[str] = frozenset()
        self._live = elo_store(roster)
        self._pool = BoardPool(roster, self._live.copy())
        self._pending: list[CountedVote] = []
        self._overtaken = False
        self._left_out: Counter[str] = Counter()
        self._idle: list[tuple[str, str]] = []
        self._retracted: dict[str, list[RetractedVote]] = {}
        self._rated: dict[str, Rated] = {}
        self._snapshots: dict[str, ArenaVotes] = {}
        self._is_read = False
        self._you = ""

    @property
    def silent(self) -> bool:
        """Whether votes cast under ``--silent`` count."""
        return self._silent

    @property
    def log_hash(self) -> str:
        """SHA-256 of all record hashes in canonical order, joined by line feeds."""
        return self._source.log_hash()

    @property
    def roster_hash(self) -> str:
        """SHA-256 of the canonical form of the effective roster."""
        return sha256_hex(canonical(roster_json(self._roster)))

    def refresh(self) -> None:
        """Read the whole log again. If that fails, nothing has changed."""
        reading = self._read()
        left_out = Counter(reason for _, reason in reading.skipped)
        asked = [vote for vote in reading.votes if self._is_asked(vote)]
        left_out[OTHER_QUESTION] = len(reading.votes) - len(asked)
        live = elo_store(self._roster)
        report = live.replay(asked)
        left_out.update(reason for _, reason in report.skipped)
        unrated = {position for position, _ in report.skipped}
        votes = [counted_vote(record) for position, record in enumerate(asked) if position not in unrated]
        self._live, self._left_out, self._idle = live, +left_out, reading.idle
        self._retracted = self._of_arenas(reading.retracted)
        self._show_again(votes)
        self._is_read = True

    def apply(self, record: Mapping[str, Any]) -> dict[str, tuple[float, float]]:
        """One step of Live Elo for a record that comes last in order: each model's rating before and after.

        Empty for a record that counts in no rating here.
        """
        self._ensure_read()
        reason = self._live.fault(dict(record))
        if reason is None and is_silent(record) and not self._silent:
            reason = LEFT_OUT_SILENT
        if reason is None and not self._is_asked(record):
            reason = OTHER_QUESTION
        if reason is not None:
            self._left_out[reason] += 1
            self._snapshots = {}
            return {}
        vote = counted_vote(record)
        moves = self._live.record_vote(vote.arena, vote.row.a, vote.row.b, vote.row.vote)
        self._pending.append(vote)
        return {repo_id: (move["before"], move["after"]) for repo_id, move in moves.items()}

    def hold_back(self, ids: frozenset[str]) -> None:
        """Leave these votes, and no others, out of everything shown."""
        released, added = self._held - ids, ids - self._held
        self._held = ids
        waiting = {vote.row.id for vote in self._pending}
        # A vote that is shown already can't be taken out of the sums, nor one put in before those that came after it.
        if self._is_read and (added - waiting or (released and self._overtaken)):
            self.refresh()

    def look_as(self, listener: str) -> None:
        """Say who reads the board: a pseudonym, empty if it isn't known."""
        if listener != self._you:
            self._you, self._snapshots = listener, {}

    def view(self, arena: str) -> BoardView:
        """The board of one arena as a page draws it, highest rating first; ``""`` is the default arena."""
        spec = self._arena(arena)
        return board_view(self._roster, spec, self._pool, self._rate(spec), self._notes(spec))

    def votes(self, arena: str = "") -> ArenaVotes:
        """What the board of one arena stands on: everything else that is shown of it is a function of this.

        The same object as long as nothing has changed, so that what was computed from it need not be computed again.
        """
        spec = self._arena(arena)
        self._show_pending()
        if spec.id not in self._snapshots:
            self._snapshots[spec.id] = self._snapshot(spec)
        return self._snapshots[spec.id]

    def _snapshot(self, spec: ArenaSpec) -> ArenaVotes:
        store = self._pool.store
        return ArenaVotes(
            arena=spec,
            models=tuple(self._roster.models[repo_id] for repo_id in spec.models),
            table=self._pool.arenas[spec.id].votes.table(),
            priors=np.array(list(store.priors(spec.id).values()), np.float64),
            elo=np.array([tally["elo"] for tally in store.tallies(spec.id).values()], np.float64),
            retracted=tuple(self._retracted.get(spec.id, ())),
            left_out=dict(self._left_out),
            you=self._you,
        )

    def leaderboard(self, arena: str = "", method: str = "rating") -> dict[str, Any]:
        """The board of one arena as a JSON object, by ``rating``, ``elo`` or ``bt``.

        Raises :class:`NotConverged` where a fit does; ``elo`` needs none.
        """
        spec = self._arena(arena)
        self._show_pending()
        return {
            "schema": 1,
            "arena": spec.id,
            "method": method,
            "rules": RULES,
            "log_hash": self.log_hash,
            "roster_hash": self.roster_hash,
            "policy_hash": "",
            "policy": None,
            "conditions": self._pool.arenas[spec.id].condition_rows(),
            "rows": leaderboard_rows(self._roster, spec, self._pool, method),
        }

    def notes(self, arena: str = "") -> tuple[str, ...]:
        """What a reader of one arena's board must not miss, in sentences."""
        return self._notes(self._arena(arena))

    def _notes(self, spec: ArenaSpec) -> tuple[str, ...]:
        notes = board_notes(self._roster, spec, self._pool, self._rate(spec), self._left_out)
        idle = idle_note(self._idle)
        return notes if idle is None else (*notes, idle)

    def _rate(self, spec: ArenaSpec) -> Rated:
        self._show_pending()
        if spec.id not in self._rated:
            self._rated[spec.id] = rate(spec, self._pool)
        return self._rated[spec.id]

    def _arena(self, arena: str) -> ArenaSpec:
        self._ensure_read()
        spec = self._roster.arenas.get(arena) if arena else default_arena(self._roster)
        if spec is None:
            known = ", ".join(self._roster.arenas) or "none"
            raise ArenaError(f"There is no arena {shown(arena)} in the roster.", f"Known arenas: {known}.")
        return spec

    def _is_asked(self, vote: Mapping[str, Any]) -> bool:
        spec = self._roster.arenas.get(vote["arena"])
        return spec is None or question_of(vote) in (None, spec.question)

    def _of_arenas(self, retracted: Iterable[tuple[dict[str, Any], dict[str, Any]]]) -> dict[str, list[RetractedVote]]:
        found: dict[str, list[RetractedVote]] = {}
        for vote, retraction in retracted:
            if self._live.fault(vote) is None and self._is_asked(vote) and (self._silent or not is_silent(vote)):
                at = canonical_us(retraction.get("at"))
                reason = str(retraction.get("reason"))
                counted = counted_vote(vote)
                taken_back = RetractedVote(counted.row, UNKNOWN if at is None else at, reason)
                found.setdefault(counted.arena, []).append(taken_back)
        return found

    def _ensure_read(self) -> None:
        if not self._is_read:
            self.refresh()

    def _show_again(self, votes: list[CountedVote]) -> None:
        """Build what is shown anew: all but the votes held back."""
        self._pending, self._overtaken, self._rated, self._snapshots = [], False, {}, {}
        if any(vote.row.id in self._held for vote in votes):
            self._pool = BoardPool(self._roster, elo_store(self._roster))
            self._pending = votes
            self._show_pending()
            return
        self._pool = BoardPool(self._roster, self._live.copy())
        for vote in votes:
            self._pool.add_rated(vote)

    def _show_pending(self) -> None:
        """Show the votes that were not held back since they were cast."""
        kept: list[CountedVote] = []
        for vote in self._pending:
            if vote.row.id in self._held:
                kept.append(vote)
                continue
            self._pool.add(vote)
            self._rated.pop(vote.arena, None)
            self._snapshots.pop(vote.arena, None)
            self._overtaken = self._overtaken or bool(kept)
        self._pending = kept
        self._overtaken = self._overtaken and bool(kept)
