"""The board: every rating of a vote log under one roster, kept equal to a replay of the log."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from arena_desktop.domain.policy import Policy
from arena_desktop.domain.reading import SILENT as LEFT_OUT_SILENT
from arena_desktop.domain.reading import Reading, idle_note, is_silent
from arena_desktop.domain.roster import ArenaSpec, Roster, default_arena, roster_hash
from arena_desktop.domain.times import canonical_us
from arena_desktop.ratings.ballot import record_fault
from arena_desktop.ratings.elo import RULES
from arena_desktop.ratings.standings import Standings
from arena_desktop.ratings.vote_table import UNKNOWN
from arena_desktop.services.arena_votes import ArenaVotes, RetractedVote
from arena_desktop.services.board_fits import Rated, rate
from arena_desktop.services.board_notes import board_notes
from arena_desktop.services.board_policy import BoardPolicy
from arena_desktop.services.board_pool import BoardPool, elo_store
from arena_desktop.services.board_rows import board_view, leaderboard_rows
from arena_desktop.services.counted_votes import CountedVote, counted_vote, excluded_as
from arena_desktop.services.gone_arena import NoSuchArena
from arena_desktop.services.recount import Heard, Places, Recount, VoteSource, hear_log, hear_reading, note_strangers
from arena_desktop.services.views import BoardView


class Board:
    """The ratings of ``source`` under ``roster``. One thread at a time may use it.

    ``silent``: whether votes cast under ``--silent`` count. ``read`` says which votes count, instead of
    :func:`arena_desktop.domain.reading.countable` over the source's records. Votes cast under another question than
    their arena's current one are left out; those that name no question are not. ``policy`` says under what names votes
    are read, and which of them don't count after all.
    """

    def __init__(
        self,
        roster: Roster,
        source: VoteSource,
        *,
        silent: bool = False,
        read: Callable[[], Reading] | None = None,
        policy: Policy | None = None,
    ) -> None:
        self._source = source
        self._silent = silent
        self._read = read
        self._held: frozenset[str] = frozenset()
        self._you = ""
        self._begin(roster, Policy() if policy is None else policy)

    def use_roster(self, roster: Roster, policy: Policy) -> None:
        """From now on rate under another roster and policy; the log is read again at the next look."""
        self._begin(roster, policy)

    def _begin(self, roster: Roster, policy: Policy) -> None:
        self._given = roster
        self._policy = BoardPolicy(roster, policy)
        self._roster = roster = self._policy.roster(lambda count: None)
        self._live = elo_store(roster)
        self._pool = BoardPool(roster, self._live.copy(), self._policy.policy.listener_cap)
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
        """SHA-256 of the canonical form of the effective roster, which no policy changes."""
        return roster_hash(self._given)

    @property
    def policy(self) -> Policy:
        """What is applied to the log when it is read."""
        return self._policy.policy

    @property
    def policy_json(self) -> dict[str, Any]:
        """``policy_hash`` and ``policy`` as exports have them."""
        return self._policy.as_json()

    def refresh(self, breathe: Callable[[], None] = lambda: None) -> None:
        """Read the whole log again. If that fails, nothing has changed.

        ``breathe`` is called every few milliseconds. It may write to the log, not use the board; what it writes is not
        read.
        """
        roster = self._policy.roster(lambda count: self._hear(count, breathe))
        recount = Recount(roster, self._held, self._policy.policy.listener_cap)
        heard = self._hear(recount.count, breathe)
        if roster != self._roster:
            self._roster = roster
            self._places = Places(roster, elo_store(roster))
            self._last, self._rated = {}, {}
        self._live, self._pool = recount.result()
        self._pending, self._overtaken = recount.pending, recount.overtaken
        self._retracted, self._idle = self._of_arenas(heard), heard.idle
        self._left_out, self._strangers = heard.left_out + recount.left_out, recount.strangers
        self._policy.excluded = heard.excluded
        self._snapshots = {}
        self._is_read = True

    def _hear(self, count: Callable[[dict[str, Any]], object], breathe: Callable[[], None]) -> Heard:
        if self._read is None:
            return hear_log(self._source, self._silent, count, breathe, self._policy.rules)
        return hear_reading(self._read(), count, self._policy.rules)

    def apply(self, record: dict[str, Any]) -> dict[str, tuple[float, float]] | None:
        """One step of Live Elo for a record that comes last in order: each model's rating before and after, by the name
        that the record has for it.

        Empty for a record that counts in no rating here. None if the whole log must be read first: a split competitor
        is here that was not there before.
        """
        self._ensure_read()
        reason, vote = self._judged(record)
        if self._policy.is_new(vote, reason):
            self._is_read = False
            return None
        if reason is not None:
            self._left_out[reason] += 1
            note_strangers(self._strangers, reason, self._places.strangers(vote, reason))
            self._snapshots = {}
            return {}
        counted = counted_vote(vote)
        moves = self._live.record_vote(counted.arena, counted.row.a, counted.row.b, counted.row.vote)
        self._pending.append(counted)
        own = {counted.row.a: record["model_a"]["repo_id"], counted.row.b: record["model_b"]["repo_id"]}
        return {own[name]: (move["before"], move["after"]) for name, move in moves.items()}

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
            table=self._pool.arenas[spec.id].table(),
            priors=np.array(list(store.priors(spec.id).values()), np.float64),
            elo=np.array([tally["elo"] for tally in store.tallies(spec.id).values()], np.float64),
            retracted=tuple(self._retracted.get(spec.id, ())),
            left_out=dict(self._left_out),
            excluded=self._policy.excluded_in(spec.id),
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
            **self.policy_json,
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
        return (*self._policy.notes(), *notes, *(() if idle is None else (idle,)))

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
            raise NoSuchArena(arena, self._roster.arenas)
        return spec

    def _judged(self, record: dict[str, Any]) -> tuple[str | None, dict[str, Any]]:
        """Why a record counts on no board here, and how it is read."""
        fault = record_fault(record)
        if fault is None and is_silent(record) and not self._silent:
            fault = LEFT_OUT_SILENT
        if fault is not None:
            return fault, record
        reason, vote, words = self._policy.read(record, self._places)
        if words:
            self._policy.excluded[excluded_as(words, record)] += 1
        return reason, vote

    def _of_arenas(self, heard: Heard) -> dict[str, list[RetractedVote]]:
        found: dict[str, list[RetractedVote]] = {}
        for record, retraction in heard.retracted:
            if record_fault(record) is not None or (is_silent(record) and not self._silent):
                continue
            reason, vote, _ = self._policy.read(record, self._places)
            if reason is None:
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
