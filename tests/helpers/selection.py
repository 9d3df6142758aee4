"""Picks proofs by name (``--proof NAME``), and tells a proof whether it runs at its full counts."""

import os

import pytest

FULL = os.environ.get("ARENA_DESKTOP_PROVE") == "1"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--proof", action="append", default=[], metavar="NAME", help="run only the proof of this name (repeatable)"
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        marker = item.get_closest_marker("proof")
        if marker is not None and len(marker.args) != 1:
            raise pytest.UsageError(f'{item.nodeid}: a proof has a name: @pytest.mark.proof("name")')
    wanted = set(config.getoption("--proof"))
    if not wanted:
        return
    keep: list[pytest.Item] = []
    drop: list[pytest.Item] = []
    for item in items:
        marker = item.get_closest_marker("proof")
        (keep if marker is not None and marker.args[0] in wanted else drop).append(item)
    config.hook.pytest_deselected(items=drop)
    items[:] = keep


@pytest.fixture
def full_counts() -> bool:
    """True under ``bootstrap.py prove``: run the counts that the claim names; else a reduced count, in seconds."""
    return FULL
