"""Starts the window: first paint before anything else is built, services in the background, and an orderly end.

Nothing of Qt is imported before the display was looked at: a missing library or display would end the program there.
"""

import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from arena_desktop.domain.settings import Settings
from arena_desktop.paths import AppPaths
from arena_desktop.ui.display import display_problem

if TYPE_CHECKING:  # types alone: nothing is loaded that the first paint can do without
    from arena_desktop.services.actions import Screen, Services

Post = Callable[[Callable[[], None]], None]


def run_window(
    paths: AppPaths,
    start_services: "Callable[[Screen, Post], Services]",
    settings: Settings,
    *,
    on_first_paint: Callable[[], None] | None = None,
    on_quit: Callable[[], None] | None = None,
) -> int:
    """Open the window and stay until it is closed; returns the exit status.

    ``start_services`` is called once, after the first paint, on a thread of its own. It gets the screen, whose slots
    may be called on the window's thread only, and ``post``, which may be called from any thread and has a callback run
    on the window's thread. What it returns is attached to the pages, and closed when the window is. An
    :class:`ArenaError` from it becomes a banner.

    Without a display: one line on stderr, status 1.
    """
    problem = display_problem(os.environ)
    if problem is not None:
        sys.stderr.write(f"{problem}\n")
        return 1
    try:
        from arena_desktop.ui.session import Session
    except ImportError as error:
        sys.stderr.write(
            f"The window's toolkit can't be loaded: {error}. "
            "Install PySide6-Essentials and the system libraries it names.\n"
        )
        return 1
    return Session(paths, start_services, settings, on_first_paint, on_quit).run()
