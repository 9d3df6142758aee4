"""The descriptions of formats that lie in the package."""

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[1] / "data" / "schemas"
VOTES = "arena-votes-1.schema.json"
"""JSON Schema of a line of ``arena-votes/1``."""
VOTES_TABLE = "votes-table.dictionary.json"
"""What stands in the columns of votes as a table."""
DICTIONARY = "dictionary.schema.json"
"""JSON Schema of :data:`VOTES_TABLE` and of what ``votes export --dictionary`` writes."""


def schema(name: str) -> dict[str, Any]:
    """One of them."""
    found: dict[str, Any] = json.loads((FOLDER / name).read_text(encoding="utf-8"))
    return found
