"""Opens the window: what must be there before its first paint, which is Qt, the settings and nothing else."""

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING

from arena_desktop.paths import AppPaths
from arena_desktop.services.trace import Trace

if TYPE_CHECKING:
    from arena_desktop.services.actions import Screen, Services

Post = Callable[[Callable[[], None]], None]
BACKUP_DELAY_S = 20.0
"""By then the log has been read and the first battles are ready."""


def open_window(args: argparse.Namespace, paths: AppPaths) -> int:
    """Open the window and stay until it is closed; returns the exit status."""
    trace = Trace(args.trace)
    trace.event("start")
    from arena_desktop.store.settings_file import peek_settings
    from arena_desktop.ui.run import run_window

    def start(screen: "Screen", post: Post) -> "Services":
        # On a thread of its own, after the first paint: everything heavy is imported from here on.
        from arena_desktop.app import Composition
        from arena_desktop.window_services import WindowServices

        composition = Composition(
            paths,
            roster_file=args.roster,
            listener_name=args.listener,
            silent=args.silent,
            backup_delay_s=BACKUP_DELAY_S,
        )
        return WindowServices(composition, screen, post, trace, args.speed)

    try:
        return run_window(
            paths,
            start,
            peek_settings(paths.settings),
            on_first_paint=lambda: trace.event("first_paint"),
            on_quit=lambda: trace.event("quit"),
        )
    finally:
        trace.close()
