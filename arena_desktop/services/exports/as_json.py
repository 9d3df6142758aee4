"""The board as the JSON object of the command line's contract."""

import json
from typing import Any

from arena_desktop.services.exports.plain import fixed
from arena_desktop.services.exports.report import BoardReport


def write(report: BoardReport, command: str) -> str:
    """The object, one key a line. Fitted numbers have six decimals; Live Elo has all it has."""
    origin = report.provenance
    rows = list(report.rows) if report.method == "elo" else [_rounded(row) for row in report.rows]
    found = {
        "schema": 1,
        "arena": origin.arena,
        "method": origin.method,
        "rules": origin.rules,
        "log_hash": origin.log_hash,
        "roster_hash": origin.roster_hash,
        "policy_hash": origin.policy_hash,
        "policy": origin.policy,
        "conditions": list(origin.conditions),
        "recompute": command,
        "rows": rows,
    }
    return json.dumps(found, indent=1, allow_nan=False) + "\n"


def _rounded(value: Any, key: str = "") -> Any:
    if isinstance(value, float):
        return fixed(key, value)
    return {name: _rounded(item, name) for name, item in value.items()} if isinstance(value, dict) else value
