"""A local hub, and an environment in which nobody's token or proxy stands."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from arena_desktop.store.hub.wire import Patience
from tests.helpers.local_hub import LocalHub

QUICK = Patience(connect=2.0, headers=2.0, silence=0.3, tries=4, first_wait=0.01, longest_wait=0.02)
"""A hub on this machine is not waited for long."""


@pytest.fixture(autouse=True)
def _nobody_s_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("HF_ENDPOINT", "HF_TOKEN", "HUGGING_FACE_HUB_TOKEN", "HF_HOME", "HF_TOKEN_PATH", "XDG_CACHE_HOME")
    proxies = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy")
    for name in (*names, *proxies):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def open_hub() -> Iterator[Callable[..., LocalHub]]:
    """Makes hubs that end with the test."""
    with ExitStack() as stack:

        def make(*arguments: Any, **options: Any) -> LocalHub:
            return stack.enter_context(LocalHub(*arguments, **options))

        yield make


@pytest.fixture
def quick() -> Patience:
    """Little patience."""
    return QUICK
