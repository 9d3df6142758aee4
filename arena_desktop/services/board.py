"""The board: every rating of a vote log under one roster, kept equal to a replay of the log."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from arena_desktop.domain.reading import SILENT as LEFT_OUT_SILENT
from arena_desktop.domain.reading import Reading, idle_note, is_silent
from arena_desktop.domain.roster import ArenaSpec, Roster, default_arena, roster_hash
from arena_desktop.domain.times import canonical_us
from arena_desktop.errors import ArenaError
from arena_desktop.ratings.ballot import record_fault
from arena_desktop.ratings.elo import RULES
from arena_desktop.ratings.faults import shown
from arena_desktop.ratings.standings import Standings
from arena_desktop.ratings.vote_table import UNKNOWN
from arena_desktop.services.arena_votes import ArenaVotes, RetractedVote
from arena_desktop.services.board_fits import Rated, rate
from arena_desktop.services.board_notes import board_notes
from arena_desktop.services.board_pool import BoardPool, elo_store
from arena_desktop.services.board_rows import board_view, leaderboard_rows
from arena_desktop.services.counted_votes import CountedVote, counted_vote
from arena_desktop.services.recount import Heard, Places, Recount, VoteSource, hear_log, hear_reading, note_strangers
from arena_desktop.services.views import BoardView


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
        self._read = read
        self._held: frozenset[str] = frozenset()
        self._live = elo_store(roster)
        self._pool = BoardPool(roster, self._live.copy())
        self._places = Places(roster, self._live.copy())
        self._pending: list[CountedVote] = []
        self._overtaken = False
        self._left_out: Counter[str] = Counter()
        self._strangers: dict[str, set[str]] = {}
        self._idle: list[tuple[str, str]] = []
        self._retracted: dict[str, list[RetractedVote]] = {}
        self._snapshots: dict[str, ArenaVotes] = {}
        self._last: dict[str, ArenaVotes] = {}
        self._rated: dict[str, tuple[ArenaVotes, Rated]] = {}
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
        return roster_hash(self._roster)

    def refresh(self, breathe: Callable[[], None] = lambda: None) -> None:
        """Read the whole log again. If that fails, nothing has changed.

        ``breathe`` is called every few milliseconds. It may write to the log, not use the board; what it writes is not
        read.
        """
        recount = Recount(self._roster, self._held)
        if self._read is None:
            heard = hear_log(self._source, self._silent, recount.count, breathe)
        else:
            heard = hear_reading(self._read(), recount.count)
        self._live, self._pool = recount.result()
        self._pending, self._overtaken = recount.pending, recount.overtaken
        self._retracted, self._idle = self._of_arenas(heard), heard.idle
        self._left_out, self._strangers = heard.left_out + recount.left_out, recount.strangers
        self._snapshots = {}
        self._is_read = True

    def apply(self, record: Mapping[str, Any]) -> dict[str, tuple[float, float]]:
        """One step of Live Elo for a record that comes last in order: each model's rating before and after.

        Empty for a record that counts in no rating here.
        """
        self._ensure_read()
        reason = record_fault(record) or self._why_not(record)
        if reason is not None:
            self._left_out[reason] += 1
            note_strangers(self._strangers, reason, self._places.strangers(record, reason))
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

    def held_back(self, arena: str = "") -> int:
        """How many votes of one arena are left out of everything shown for now."""
        spec = self._arena(arena)
        self._show_pending()
        return sum(vote.arena == spec.id for vote in self._pending)

    def look_as(self, listener: str) -> None:
        """Say who reads the board: a pseudonym, empty if it isn't known."""
        if listener != self._you:
            self._you, self._snapshots = listener, {}

    def view(self, arena: str) -> BoardView:
        """The board of one arena as a page draws it, highest rating first; ``""`` is the default arena."""
        spec = self._arena(arena)
        rated, left_out = self._rate(spec), bool(self._left_out)
        return board_view(self._roster, spec, self._pool, rated, self._notes(spec), left_out=left_out)

    def votes(self, arena: str = "") -> ArenaVotes:
        """What the board of one arena stands on: everything else that is shown of it is a function of this.

        The same object as long as nothing has changed, so that what was computed from it need not be computed again.
        """
        spec = self._arena(arena)
        self._show_pending()
        if spec.id not in self._snapshots:
            self._snapshots[spec.id] = self._last[spec.id] = self._snapshot(spec)
        return self._snapshots[spec.id]

    def standings(self, arena: str = "") -> Standings:
        """The board of one arena by ``rating``, fitted once and handed out until something changes.

        Raises :class:`NotConverged`.
        """
        return self.votes(arena).standings

    def _snapshot(self, spec: ArenaSpec) -> ArenaVotes:
        store, last = self._pool.store, self._last.get(spec.id)
        return ArenaVotes(
            arena=spec,
            models=tuple(self._roster.models[repo_id] for repo_id in spec.models),
            table=self._pool.arenas[spec.id].votes.table(),
            priors=np.array(list(store.priors(spec.id).values()), np.float64),
            elo=np.array([tally["elo"] for tally in store.tallies(spec.id).values()], np.float64),
            retracted=tuple(self._retracted.get(spec.id, ())),
            left_out=dict(self._left_out),
            you=self._you,
            last=last.fitted if last is not None else None,
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
        rated = self._rate(spec)
        notes = board_notes(self._roster, spec, self._pool, rated, self._left_out, self._strangers)
        idle = idle_note(self._idle)
        return notes if idle is None else (*notes, idle)

    def _rate(self, spec: ArenaSpec) -> Rated:
        votes = self.votes(spec.id)
        of, rated = self._rated.get(spec.id, (None, None))
        if of is not votes or rated is None:
            rated = rate(votes, rated)
            self._rated[spec.id] = (votes, rated)
        return rated

    def _arena(self, arena: str) -> ArenaSpec:
        self._ensure_read()
        spec = self._roster.arenas.get(arena) if arena else default_arena(self._roster)
        if spec is None:
            known = ", ".join(self._roster.arenas) or "none"
            raise ArenaError(f"There is no arena {shown(arena)} in the roster.", f"Known arenas: {known}.")
        return spec

    def _why_not(self, vote: Mapping[str, Any]) -> str | None:
        """Why a vote counts on no board here."""
        return LEFT_OUT_SILENT if is_silent(vote) and not self._silent else self._places.why_not(vote)

    def _of_arenas(self, heard: Heard) -> dict[str, list[RetractedVote]]:
        found: dict[str, list[RetractedVote]] = {}
        for vote, retraction in heard.retracted:
            if (record_fault(vote) or self._why_not(vote)) is None:
                at = canonical_us(retraction.get("at"))
                counted = counted_vote(vote)
                taken_back = RetractedVote(counted.row, UNKNOWN if at is None else at, str(retraction.get("reason")))
                found.setdefault(counted.arena, []).append(taken_back)
        return found

    def _ensure_read(self) -> None:
        if not self._is_read:
            self.refresh()

    def _show_pending(self) -> None:
        """Show the votes that were not held back since they were cast."""
        kept: list[CountedVote] = []
        for vote in self._pending:
            if vote.row.id in self._held:
                kept.append(vote)
                continue
            self._pool.add(vote)
            self._snapshots.pop(vote.arena, None)
            self._overtaken = self._overtaken or bool(kept)
        self._pending = kept
        self._overtaken = self._overtaken and bool(kept)
