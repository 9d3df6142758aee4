"""The board as CSV (RFC 4180): a row a model, and in every row where the board comes from.

Comment lines would not be read by every reader, and ``#`` stands in the names of models; so provenance is columns. Text
is always quoted and no formula (:mod:`.csv_cells`), numbers never are, what is unknown is empty.
"""

import json
from collections.abc import Mapping
from typing import Any

from arena_desktop.services.board_views import ChartsLens, ChartsView
from arena_desktop.services.exports.csv_cells import END, quoted
from arena_desktop.services.exports.plain import fixed, whole_text
from arena_desktop.services.exports.report import BoardReport
from arena_desktop.services.lenses import look


def write(report: BoardReport, command: str) -> str:
    """Header and rows, each ended by CR LF."""
    origin = report.provenance
    # What holds for the whole board comes last: tables of several boards can be put under each other.
    everywhere = {
        "arena": origin.arena,
        "method": origin.method,
        "title": report.title,
        "sentence": report.sentence,
        "notes": "\n".join(report.notes),
        "conditions": json.dumps(list(origin.conditions), ensure_ascii=False),
        "rules": origin.rules,
        "log_hash": origin.log_hash,
        "roster_hash": origin.roster_hash,
        "policy_hash": origin.policy_hash,
        "policy": "; ".join(origin.policy_words),
        "recompute": command,
    }
    speeds = _speeds(report) if origin.speeds else {}
    rows = [{**_flat(row), **speeds.get(row["repo_id"], {}), **everywhere} for row in report.rows]
    lines = [[cell(key) for key in (rows[0] if rows else everywhere)]]
    lines += [[cell(value) for value in row.values()] for row in rows]
    return "".join(",".join(line) + END for line in lines)


def _speeds(report: BoardReport) -> dict[str, dict[str, Any]]:
    """By model: its measured speed, and whether no other is surely better and as fast."""
    charts = look(report.votes, ChartsLens())
    assert isinstance(charts, ChartsView)
    known = {point.model.repo_id: point for point in charts.speed if charts.measured}
    found = {}
    for row in report.rows:
        point = known.get(row["repo_id"])
        found[row["repo_id"]] = {
            "rtf": None if point is None else point.x,
            "rtf_device": None if point is None else charts.device,
            "rtf_front": None if point is None else not point.dominated,
        }
    return found


def cell(value: Any) -> str:
    """One value as a cell."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return f"{value:.6f}"
    return quoted(whole_text(str(value)))


def _flat(row: Mapping[str, Any], before: str = "") -> dict[str, Any]:
    """``{"acceptable": {"low": …}}`` as ``{"acceptable_low": …}``, numbers rounded."""
    flat: dict[str, Any] = {}
    for key, value in row.items():
        if isinstance(value, dict):
            flat |= _flat(value, f"{before}{key}_")
        else:
            flat[before + key] = fixed(key, value) if isinstance(value, float) else value
    return flat
