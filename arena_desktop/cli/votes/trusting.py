"""Which keys a command takes for known."""

import sys

from arena_desktop.cli.votes.common import App
from arena_desktop.errors import ArenaError
from arena_desktop.services.trust import with_own


def known_keys(app: App) -> dict[str, str]:
    """Public keys by station: those that the policy trusts, and this data directory's own. Should that be unusable, it
    is said, and the command goes on without it.
    """
    trusted: dict[str, str] = {}
    try:
        return with_own(trusted, app.station_key)
    except ArenaError as error:
        print(f"arena-desktop: {error}", file=sys.stderr)
        return dict(trusted)
