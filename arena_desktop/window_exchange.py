"""Composition of votes in and out."""

import time
from collections.abc import Callable
from datetime import datetime

from arena_desktop.app import Composition
from arena_desktop.services.exchange_desk import ExchangeDesk
from arena_desktop.services.exchange_views import ExchangeView
from arena_desktop.services.exchange_work import ExchangeWork
from arena_desktop.services.inbox import Inbox
from arena_desktop.services.jobs import JobThread
from arena_desktop.services.rating_only import add_to_own_roster
from arena_desktop.store.opening import open_log


def exchange_of(
    composition: Composition,
    *,
    inbox: Inbox,
    show: Callable[[ExchangeView], None],
    caught_up: Callable[[bool], None],
    held_back: Callable[[], bool],
) -> ExchangeDesk:
    """The service behind the dialogs for votes in and out, on a thread of its own."""
    paths, roster = composition.paths, composition.roster
    work = ExchangeWork(
        open_log=lambda: open_log(paths.database, backups=paths.backups),
        roster=roster,
        policy=lambda: composition.policy,
        silent=composition.silent,
        is_own=paths.is_own,
        add_models=lambda found: add_to_own_roster(
            paths.roster, paths.aliases, composition.roster_file, composition.roster, found
        ),
        load_roster=composition.rosters.load,
    )
    composition.rosters.subscribe(work.use_roster)
    return ExchangeDesk(
        thread=JobThread(inbox, "exchange"),
        post=inbox.post,
        work=work,
        preferences=composition.preferences,
        show=show,
        caught_up=caught_up,
        use_roster=composition.rosters.use,
        held_back=held_back,
        now=datetime.now,
        clock=time.monotonic,
    )
