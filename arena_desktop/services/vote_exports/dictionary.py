"""The data dictionary of votes as a table: which columns there are, what stands in them, what an empty cell means.

The package's file is the one source; table, CSV, Parquet and documentation follow it.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from arena_desktop.store.schemas import VOTES_TABLE, schema


@dataclass(frozen=True)
class Column:
    """``source``: the path of its value in a vote's record (``model_a.repo_id``), "" where it is worked out.

    ``type`` is ``text``, ``factor`` (text of few different values), ``integer``, ``number``, ``logical`` or ``time``
    (canonical UTC).
    """

    name: str
    source: str
    type: str
    private: bool


def columns(*, public: bool) -> tuple[Column, ...]:
    """The table's columns in order; with ``public`` those that hold nothing private."""
    return tuple(
        Column(entry["name"], entry["from"] or "", entry["type"], entry["private"]) for entry in _entries(public)
    )


def describing(export: Mapping[str, Any], *, public: bool) -> bytes:
    """The dictionary of one table, as it is written beside it (JSON). ``export``: where the table comes from."""
    described = {**schema(VOTES_TABLE), "columns": _entries(public), "export": dict(export)}
    return json.dumps(described, indent=1, ensure_ascii=False).encode() + b"\n"


def _entries(public: bool) -> list[dict[str, Any]]:
    return [entry for entry in schema(VOTES_TABLE)["columns"] if not (public and entry["private"])]
