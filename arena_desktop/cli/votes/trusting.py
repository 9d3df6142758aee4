"""Which keys a command takes for known."""

import sys
from pathlib import Path

from arena_desktop.cli.say import say
from arena_desktop.cli.votes.common import App
from arena_desktop.errors import ArenaError
from arena_desktop.services.trust import with_own
from arena_desktop.store.policy_file import load_policy


def known_keys(app: App, policy: Path | None = None) -> dict[str, str]:
    """Public keys by station: those that the policy trusts (that of the file, else of the data directory), and this
    data directory's own. Should that be unusable, it is said, and the command goes on without it.
    """
    trusted = (app.policy if policy is None else load_policy(policy)).trusted_keys
    try:
        return with_own(trusted, app.station_key)
    except ArenaError as error:
        say(f"arena-desktop: {error}", file=sys.stderr)
        return dict(trusted)
