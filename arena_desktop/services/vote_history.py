"""The History page: the votes of the log, looked through on a thread of its own."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Protocol

from arena_desktop.domain.reading import Jury
from arena_desktop.domain.roster import Roster
from arena_desktop.domain.votes import Side
from arena_desktop.errors import ArenaError
from arena_desktop.services.exchange_views import HistoryFilter, HistoryRow, HistoryView
from arena_desktop.services.jobs import JobThread
from arena_desktop.services.listen_again import ListenAgain
from arena_desktop.services.rated_log import Visible
from arena_desktop.services.views import Choice, Line, Tone
from arena_desktop.services.vote_rows import Around, history_row, holds, passes
from arena_desktop.store.vote_log import VoteLog
from arena_desktop.store.vote_search import Facets, VoteSearch, Wanted

PAGE = 200
"""So many rows come at a time."""
_SHOW_EVERY = 20_000
"""Votes looked through between two words on how many fit."""


class Votes(Protocol):
    """The log with its ratings; every call runs on the store's thread."""

    def visible(self) -> Visible: ...
    def take_back(self, vote_id: str, listener: str, reason: str = "undo", note: str | None = None) -> None: ...


@dataclass(frozen=True)
class Found:
    """What a search gave so far; ``done`` when it is over."""

    rows: tuple[HistoryRow, ...]
    found: int
    total: int
    facets: Facets
    done: bool


class VoteHistory:
    """Implements :class:`arena_desktop.services.actions.HistoryActions`.

    ``moment`` opens the log as it is now, on the thread that asks. ``why_not`` says why the boards have no place for a
    vote that counts by itself, ``people`` what this machine calls its listeners, ``sounds`` which clips are at hand (by
    the SHA-256 of their files); all three are asked on ``thread``. ``listener`` is who sits here now. ``taken_back``
    hears of each vote that was retracted here.
    """

    def __init__(
        self,
        *,
        store: JobThread,
        thread: JobThread,
        votes: Votes,
        moment: Callable[[], AbstractContextManager[VoteLog]],
        roster: Roster,
        silent: bool,
        people: Callable[[], Mapping[str, str]],
        listener: Callable[[], str],
        why_not: Callable[[dict[str, Any]], str | None],
        sounds: Callable[[], frozenset[str]],
        again: ListenAgain,
        taken_back: Callable[[str], None],
        show: Callable[[HistoryView], None],
        post: Callable[[Callable[[], None]], None],
    ) -> None:
        self._store = store
        self._thread = thread
        self._votes = votes
        self._moment = moment
        self._roster = roster
        self._silent = silent
        self._people = people
        self._listener = listener
        self._why_not = why_not
        self._sounds = sounds
        self._again = again
        self._taken_back = taken_back
        self._show = show
        self._post = post
        self._view = HistoryView()
        self._limit = PAGE
        self._wish = 0
        self._is_open = False
        self._held = False
        self._stale = False

    def use_roster(self, roster: Roster, why_not: Callable[[dict[str, Any]], str | None]) -> None:
        """From now on name models and judge votes by another roster."""
        self._roster, self._why_not = roster, why_not
        self.votes_changed()

    # --- the page's verbs --------------------------------------------------------------------------------------

    def open(self) -> None:
        """The page is looked at."""
        self._is_open = True
        self._search()

    def leave(self) -> None:
        """The page is no longer looked at."""
        self._is_open = False
        self._wish += 1
        self.stop()

    def choose(self, chosen: HistoryFilter) -> None:
        """List these votes."""
        self._limit = PAGE
        self._push(filter=chosen, status=Line())
        self._search()

    def more(self) -> None:
        """List the next page of them, too."""
        if not self._view.loading and len(self._view.rows) < self._view.found:
            self._limit += PAGE
            self._search()

    def listen(self, vote_id: str, side: Side) -> None:
        """Play one side of a vote's very clips."""
        self._push(playing=vote_id, side=str(side), status=Line())
        self._again.play(vote_id, side, self._not_played)

    def stop(self) -> None:
        """Stop what is played; the battle that is open starts over."""
        self._again.stop()
        self._push(playing="", side="")

    def retract(self, vote_id: str, reason: str, note: str) -> None:
        """Take a vote back, for good."""
        listener = self._listener()
        self._store.ask(
            lambda: self._votes.take_back(vote_id, listener, reason, note.strip() or None),
            lambda _: self._retracted(vote_id),
            self._failed,
            urgent=True,
        )

    # --- what happens around it --------------------------------------------------------------------------------

    def poll(self) -> None:
        """Look whether what is played has come to its end."""
        if self._again.has_ended():
            self.stop()

    def hold(self) -> None:
        """A battle is open: nothing changes on the page but what a person asks for."""
        self._held = True

    def release(self) -> None:
        """Catch up."""
        self._held = False
        if self._stale:
            self.votes_changed()

    def votes_changed(self) -> None:
        """The log has grown."""
        self._stale = self._held
        if self._is_open and not self._held:
            self._search()

    def brought_in(self) -> None:
        """The person at this window has imported or synchronised: listed at once, also while a battle is open. That
        tells nothing about the battle, and it was asked for.
        """
        if self._is_open:
            self._search()

    def close(self) -> None:
        """End the thread, after what it is doing now."""
        self._wish += 1
        self._thread.close()

    # --- inside ------------------------------------------------------------------------------------------------

    def _search(self) -> None:
        self._wish += 1
        wish, chosen, limit = self._wish, self._view.filter, self._limit
        self._stale = False
        self._push(loading=True)

        def look(visible: Visible) -> None:
            self._thread.ask(lambda: self._look(wish, chosen, limit, visible), None, self._failed)

        # What may be seen is asked of whoever holds votes back, and nothing that comes later is looked at.
        self._store.ask(self._votes.visible, look, self._failed, urgent=True)

    def _look(self, wish: int, chosen: HistoryFilter, limit: int, visible: Visible) -> None:
        """Runs on the thread."""
        people = self._people()
        with self._moment() as then:
            for found in self._find(then, chosen, limit, visible, people):
                if wish != self._wish:
                    return
                self._post(partial(self._found, wish, found, visible, people))

    def _find(
        self, then: VoteLog, chosen: HistoryFilter, limit: int, visible: Visible, people: Mapping[str, str]
    ) -> Iterator[Found]:
        search, held = VoteSearch(then), tuple(sorted(visible.held))
        facets = search.facets()
        total = search.count(Wanted(visible.upto, held))
        wanted = Wanted(
            upto=visible.upto,
            without=held,
            arena=chosen.arena,
            listener=chosen.listener,
            since=chosen.since,
            until=chosen.until,
            model=chosen.model or chosen.other,
            other=chosen.other if chosen.model else "",
        )
        counted = search.count(wanted)
        by_record = bool(chosen.vote or chosen.category or chosen.text or chosen.only)
        around = self._around(then, people)
        rows: list[HistoryRow] = []
        fits = 0
        for seen, record in enumerate(search.newest(wanted), 1):
            if not by_record and len(rows) == limit:
                break
            row = history_row(record, around) if not by_record or _may_fit(record, chosen) else None
            if row is not None and _fits(row, record, around, chosen):
                fits += 1
                if len(rows) < limit:
                    rows.append(row)
                    if len(rows) == limit:
                        yield Found(tuple(rows), fits, total, facets, done=False)
            if seen % _SHOW_EVERY == 0:
                yield Found(tuple(rows), fits, total, facets, done=False)
        yield Found(tuple(rows), fits if by_record else counted, total, facets, done=True)

    def _around(self, then: VoteLog, people: Mapping[str, str]) -> Around:
        jury = Jury(then.retractions(), then.conflicts(), silent=self._silent)
        taken_back: dict[str, dict[str, Any]] = {}
        for retraction in then.retractions():
            taken_back.setdefault(str(retraction.get("retracts")), retraction)

        def why_not(record: dict[str, Any]) -> str | None:
            return jury.why_not(record, foreign=False) or self._why_not(record)

        return Around(
            why_not=why_not,
            taken_back=taken_back,
            sounds=self._sounds(),
            model_names={repo_id: model.name for repo_id, model in self._roster.models.items()},
            listener_names=people,
            station=then.station_id(),
            listener=self._listener(),
        )

    def _found(self, wish: int, found: Found, visible: Visible, people: Mapping[str, str]) -> None:
        if wish != self._wish:
            return
        models = self._roster.models
        arenas = {arena.id: arena.title for arena in self._roster.arenas.values()}
        self._push(
            rows=found.rows,
            found=found.found,
            total=found.total,
            held_back=len(visible.held),
            loading=not found.done,
            arenas=tuple(Choice(arena, arenas.get(arena) or arena) for arena in found.facets.arenas),
            models=_by_name(
                (repo_id, models[repo_id].name if repo_id in models else repo_id) for repo_id in found.facets.models
            ),
            listeners=_by_name((who, people.get(who, who)) for who in found.facets.listeners),
            categories=tuple(Choice(category, category) for category in found.facets.categories),
        )

    def _retracted(self, vote_id: str) -> None:
        self._push(status=Line("The vote was taken back; no rating counts it any more."))
        self._taken_back(vote_id)
        self._search()

    def _not_played(self, error: ArenaError) -> None:
        self._push(playing="", side="", status=Line(error.message, Tone.WARNING, error.remedy))

    def _failed(self, error: Exception) -> None:
        self._push(loading=False)
        if not isinstance(error, ArenaError):
            raise error
        self._push(status=Line(error.message, Tone.ERROR, error.remedy))

    def _push(self, **changes: Any) -> None:
        view = replace(self._view, **changes)
        if view != self._view:
            self._view = view
            self._show(view)


def _may_fit(record: Mapping[str, Any], chosen: HistoryFilter) -> bool:
    """What can be told of a record without making its row."""
    prompt = record.get("prompt")
    category = prompt.get("category") if isinstance(prompt, dict) else None
    return (not chosen.vote or record.get("vote") == chosen.vote) and (
        not chosen.category or category == chosen.category
    )


def _fits(row: HistoryRow, record: dict[str, Any], around: Around, chosen: HistoryFilter) -> bool:
    if chosen.only and not passes(row, around.why_not(record), chosen.only):
        return False
    return not chosen.text or holds(row, record, chosen.text)


def _by_name(pairs: Any) -> tuple[Choice, ...]:
    return tuple(Choice(key, name) for key, name in sorted(pairs, key=lambda pair: (pair[1].casefold(), pair[0])))
