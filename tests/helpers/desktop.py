"""The desktop for tests that start the real program: the one that ``bootstrap.py test`` made, else one of their own."""

import os
from collections.abc import Iterator, Mapping

import pytest

from desktop import MARK
from desktop import desktop as start


@pytest.fixture(scope="session")
def desktop() -> Iterator[Mapping[str, str]]:
    """The environment (DISPLAY, PULSE_SERVER, …) for a program with a window and sound.

    The person's own screen and loudspeakers are never used.
    """
    if os.environ.get(MARK) == "1":
        yield dict(os.environ)
        return
    with start() as environment:
        yield environment
