"""The replay of a file of votes: every number that the rating rules define, for whoever wants to check them."""

from pathlib import Path
from typing import Any

from arena_desktop.domain.reading import idle_note
from arena_desktop.domain.roster import Roster
from arena_desktop.ratings import EloStore, fit_bradley_terry
from arena_desktop.services.board_pool import elo_store
from arena_desktop.services.vote_files import read_votes


def replay_file(roster: Roster, path: Path, *, silent: bool) -> tuple[dict[str, Any], list[str]]:
    """The replay of ``path`` as a JSON object, and notes on it in sentences.

    A file with our header is applied in canonical order, retractions honoured; one without strictly in file order,
    repeats included. Every question counts. :class:`ArenaError` if the file can't be read, :class:`NotConverged` if a
    fit fails.
    """
    reading = read_votes(path, silent=silent)
    store = elo_store(roster)
    report = store.replay(reading.votes)
    skipped = reading.skipped + [(reading.positions[position], reason) for position, reason in report.skipped]
    idle = idle_note(reading.idle)
    found = {
        "schema": 1,
        "applied": report.applied,
        "skipped": [{"index": index, "reason": reason} for index, reason in sorted(skipped)],
        "arenas": {arena: _numbers(store, arena) for arena in store.arenas},
        "other_records": dict(sorted(reading.other_records.items())),
    }
    return found, [] if idle is None else [idle]


def _numbers(store: EloStore, arena: str) -> dict[str, Any]:
    pairs = store.pairs(arena)
    return {
        "total_battles": store.total_battles(arena),
        "models": store.tallies(arena),
        "pairs": pairs,
        "rows": store.rows(arena),
        "bradley_terry": fit_bradley_terry(pairs, store.priors(arena)),
    }
