"""Composition of the History page."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from arena_desktop.app import Composition
from arena_desktop.audio.clip_file import read_clip
from arena_desktop.audio.levels import prepare_pair
from arena_desktop.audio.types import Player
from arena_desktop.services.battles import Battles
from arena_desktop.services.board_policy import why_not_under
from arena_desktop.services.exchange_views import HistoryView
from arena_desktop.services.inbox import Inbox
from arena_desktop.services.jobs import JobThread
from arena_desktop.services.listen_again import ListenAgain
from arena_desktop.services.vote_history import VoteHistory, Votes


def history_of(
    composition: Composition,
    *,
    store: JobThread,
    inbox: Inbox,
    votes: Votes,
    player: Player,
    battles: Battles,
    show: Callable[[HistoryView], None],
) -> VoteHistory:
    """The History page's service, on a thread of its own."""
    thread, log, cache = JobThread(inbox, "history"), composition.log, composition.cache
    preferences, roster = composition.preferences, composition.roster

    def find(vote_id: str) -> Mapping[str, Any] | None:
        with log.moment() as then:
            return then.record(vote_id)

    def sound(digest: str) -> Path | None:
        key = cache.sounds().get(digest)
        clip = None if key is None else cache.get(key)
        return None if clip is None else clip.path

    again = ListenAgain(
        thread=thread,
        player=player,
        lender=battles,
        find=find,
        sound=sound,
        read=read_clip,
        level=prepare_pair,
        target=lambda: preferences.settings.target_lufs,
    )
    history = VoteHistory(
        store=store,
        thread=thread,
        votes=votes,
        moment=log.moment,
        why_not=why_not_under(roster, composition.policy),
        roster=roster,
        silent=composition.silent,
        people=lambda: {person.pseudonym: person.name for person in composition.listeners.all()},
        listener=lambda: preferences.settings.listener,
        sounds=lambda: frozenset(cache.sounds()),
        again=again,
        taken_back=battles.taken_back,
        show=show,
        post=inbox.post,
    )
    composition.rosters.subscribe(
        lambda changed: history.use_roster(changed, why_not_under(changed, composition.policy))
    )
    return history
