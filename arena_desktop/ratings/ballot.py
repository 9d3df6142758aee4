"""Whether a record is a vote, and if not, why: the one validator of live votes, replays and imports.

The reasons are part of the contract: reports count records under exactly these texts.
"""

from collections.abc import Container, Mapping

from arena_desktop.ratings.elo import SCORES

NOT_AN_OBJECT = "not an object"
MISSING_FIELDS = "missing fields"
ARENA_NOT_TEXT = "arena is not text"
MODEL_NOT_AN_OBJECT = "model is not an object"
UNKNOWN_VOTE = "unknown vote"
SELF_BATTLE = "model against itself"
UNKNOWN_ARENA = "unknown arena"
UNKNOWN_MODEL = "model not in the roster"
NOT_IN_ARENA = "model not in this arena"

JUNK = (LookupError, TypeError, ValueError, AttributeError, RuntimeError)
"""What indexing an arbitrary object with text, or looking an arbitrary object up in a dict, can raise."""


def record_fault(record: object) -> str | None:
    """Why ``record`` is no vote whatever the roster says, or None. Takes any object and never raises."""
    try:
        return _record_fault(record)
    except JUNK:  # a mapping with a mind of its own
        return NOT_AN_OBJECT


def _record_fault(record: object) -> str | None:
    if not isinstance(record, dict):
        return NOT_AN_OBJECT
    # Written out: every record of a log comes by here.
    if "arena" not in record or "model_a" not in record or "model_b" not in record or "vote" not in record:
        return MISSING_FIELDS
    if not isinstance(record["arena"], str):
        return ARENA_NOT_TEXT
    a, b = record["model_a"], record["model_b"]
    if not isinstance(a, dict) or not isinstance(b, dict):
        return MODEL_NOT_AN_OBJECT
    if "repo_id" not in a or "repo_id" not in b:
        return MISSING_FIELDS
    return vote_fault(a["repo_id"], b["repo_id"], record["vote"])


def vote_fault(a: object, b: object, vote: object) -> str | None:
    """Why ``vote`` between ``a`` and ``b`` is none in any arena, or None."""
    if not isinstance(a, str) or not isinstance(b, str):
        return UNKNOWN_MODEL
    if not isinstance(vote, str) or vote not in SCORES:
        return UNKNOWN_VOTE
    return SELF_BATTLE if a == b else None


def roster_fault(
    arena: object, a: object, b: object, models: Container[object], arenas: Mapping[str, Container[object]]
) -> str | None:
    """Why a well-formed vote doesn't fit this roster, or None. ``arenas`` maps each arena to its models."""
    if not isinstance(arena, str) or arena not in arenas:
        return UNKNOWN_ARENA
    if a not in models or b not in models:
        return UNKNOWN_MODEL
    return None if a in arenas[arena] and b in arenas[arena] else NOT_IN_ARENA
