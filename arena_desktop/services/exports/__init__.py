"""Boards on paper: one module a format, each a pure function of a :class:`BoardReport`.

No clock, no locale, no version of the program, no path of this machine: the same log gives the same bytes.
"""

import importlib
import re
from typing import Protocol, cast

from arena_desktop.errors import UsageError
from arena_desktop.services.exports.report import BoardReport, board_report

__all__ = ["FORMATS", "BoardReport", "board_export", "board_report", "suggested_name"]

FORMATS = {
    "table": ("as_table", "txt"),
    "json": ("as_json", "json"),
    "csv": ("as_csv", "csv"),
    "md": ("as_markdown", "md"),
    "html": ("as_html", "html"),
    "tex": ("as_latex", "tex"),
    "methods": ("as_methods", "txt"),
}
"""Format: the module here that writes it (imported when it is first used), and what its file's name ends in."""


class Format(Protocol):
    """A module that writes one format."""

    def write(self, report: BoardReport, command: str) -> str:
        """The whole text. ``command`` is the command line that makes it again."""


def board_export(report: BoardReport, form: str) -> bytes:
    """``report`` in one of :data:`FORMATS`, UTF-8; :class:`UsageError` for another."""
    if form not in FORMATS:
        raise UsageError(f"A board can't be written as {form!r}.", f"Formats: {', '.join(FORMATS)}.")
    writer = cast(Format, importlib.import_module(f"arena_desktop.services.exports.{FORMATS[form][0]}"))
    command = report.provenance.command(form, suggested_name(report, form))
    return writer.write(report, command).encode("utf-8")


def suggested_name(report: BoardReport, form: str) -> str:
    """What to call the file: letters, digits, ``-`` and ``.`` alone."""
    arena = re.sub(r"[^A-Za-z0-9]+", "-", report.provenance.arena).strip("-").lower() or "arena"
    what = "methods" if form == "methods" else "leaderboard"
    return f"{what}-{arena}-{report.method}.{FORMATS[form][1]}"
