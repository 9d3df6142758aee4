"""The board as Markdown: a table as GitHub and CommonMark readers with tables draw it."""

import re

from arena_desktop.services.exports.columns import columns, legend, model_id, model_name
from arena_desktop.services.exports.origin import origin
from arena_desktop.services.exports.plain import one_line
from arena_desktop.services.exports.report import BoardReport

_SPECIAL = re.compile(r"([\\`*_\[\]<>|~&#$]|:(?=//)|(?<=www)\.)")


def write(report: BoardReport, command: str) -> str:
    """Heading, sentence, table, notes and provenance."""
    shown = columns(report.method, report.rows)
    head = ["model", *(escaped(column.title) for column in shown)]
    lines = [f"## {escaped(report.heading)}", "", f"**{escaped(report.title)}.**"]
    if report.sentence:
        lines[-1] += f" {escaped(report.sentence)}"
    lines += ["", _line(head), _line([":--", *("--:" for _ in shown)])]
    for row in report.rows:
        name = f"{escaped(model_name(row))} {code(model_id(row), in_table=True)}"
        lines.append(_line([name, *(escaped(column.cell(row)) for column in shown)]))
    lines += ["", escaped(legend(shown))]
    lines += ["", *(f"- {escaped(note)}" for note in report.notes)] if report.notes else []
    lines += ["", *(f"- {escaped(what)}: {_value(what, value)}" for what, value in origin(report, command))]
    return "\n".join(lines) + "\n"


def escaped(text: str) -> str:
    """``text`` in one line, nothing of it taken for markup."""
    return _SPECIAL.sub(r"\\\1", one_line(text))


def code(text: str, *, in_table: bool = False) -> str:
    """``text`` in one line as code. In a table a bar must be escaped even there."""
    text = one_line(text)
    longest = max(map(len, re.findall("`+", text)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    found = f"{fence}{pad}{text}{pad}{fence}"
    return found.replace("|", "\\|") if in_table else found


def _value(what: str, value: str) -> str:
    return code(value) if "hash" in what.lower() or what.startswith("Recompute") else escaped(value)


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"
