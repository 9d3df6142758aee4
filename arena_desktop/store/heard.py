"""Which readings a listener has heard, as the log tells it."""

import json
from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any

from arena_desktop.domain.takes import Reading
from arena_desktop.store.vote_log import VoteLog

_SIDES = ("a", "b")


def heard_readings(log: VoteLog, listener: str, models: Collection[str]) -> Mapping[Reading, int]:
    """How often this listener voted on each reading of these models; a vote that was taken back was heard, too."""
    heard: Counter[Reading] = Counter()
    for repo_id in models:
        for side in _SIDES:
            rows = log.database.rows(
                f"SELECT json_extract(record, '$.model_{side}.voice', '$.prompt.id', '$.model_{side}.take')"  # noqa: S608
                f" FROM records WHERE type = 'vote' AND listener = ? AND model_{side} = ?",
                (listener, repo_id),
            )
            heard.update(reading for row in rows if (reading := _reading(repo_id, row[0])) is not None)
    return heard


def _reading(repo_id: str, found: Any) -> Reading | None:
    voice, prompt_id, take = json.loads(found)
    if not isinstance(prompt_id, str) or not isinstance(take, int) or not isinstance(voice, str | None):
        return None
    return repo_id, voice, prompt_id, take


def voted_models(log: VoteLog, listener: str, held_back: Collection[str] = ()) -> frozenset[str]:
    """The models that this listener has voted on and whose names were shown then; votes ``held_back`` don't count. A
    vote that was taken back does: the names were seen.
    """
    unseen = json.dumps(sorted(held_back))
    return frozenset(
        str(row[0])
        for side in _SIDES
        for row in log.database.rows(
            f"SELECT DISTINCT model_{side} FROM records WHERE type = 'vote' AND listener = ?"  # noqa: S608
            " AND reveal IN ('each', 'set') AND id NOT IN (SELECT value FROM json_each(?))",
            (listener, unseen),
        )
    )


def maybe_held_back(log: VoteLog, listener: str, set_size: int) -> frozenset[str]:
    """The votes of this listener whose names may be held back still, for whoever can't ask the window: as many of the
    last ones in sets as a set that isn't full can have. A later vote with names at once has shown those of the set.
    """
    rows = log.database.rows(
        "SELECT id FROM records WHERE type = 'vote' AND listener = ? AND reveal = 'set' AND position >"
        " (SELECT ifnull(max(position), -1) FROM records WHERE type = 'vote' AND listener = ? AND reveal = 'each')"
        " ORDER BY position DESC LIMIT ?",
        (listener, listener, max(0, set_size - 1)),
    )
    return frozenset(str(row[0]) for row in rows)
