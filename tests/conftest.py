"""What holds for every test: guards, a throw-away home, hypothesis without surprises, Qt without a screen.

The guards live in ``tests/helpers/guards``; each has a test in ``tests/packaging`` that shows it fire.
"""

import os
import signal

import hypothesis
import pytest

pytest_plugins = [
    "tests.helpers.guards.home",
    "tests.helpers.guards.network",
    "tests.helpers.guards.logs",
    "tests.helpers.guards.leaks",
    "tests.helpers.selection",
]

hypothesis.settings.register_profile("ci", derandomize=True, database=None, deadline=None, print_blob=True)
hypothesis.settings.register_profile("search", max_examples=2000, deadline=None, print_blob=True)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell's background job ignores Ctrl+C and so would every program that it starts: tests that press it could not.
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def qapp_args() -> list[str]:
    """Widgets in the tests' own process need no screen; the real window is tested from outside, in ``e2e``."""
    return ["arena-desktop-tests", "-platform", "offscreen"]
