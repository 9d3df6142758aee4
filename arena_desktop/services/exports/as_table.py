"""The board as a table for a terminal."""

from arena_desktop.services.exports.columns import columns, meanings, model_id, model_name
from arena_desktop.services.exports.origin import origin_lines
from arena_desktop.services.exports.plain import one_line
from arena_desktop.services.exports.report import BoardReport


def write(report: BoardReport, command: str) -> str:
    """Heading, sentence, table, notes, provenance; the model comes last, where its width disturbs nothing."""
    shown = columns(report.method, report.rows)
    cells = [[column.title for column in shown]] + [[column.cell(row) for column in shown] for row in report.rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    names = ["model", *(f"{model_name(row)} ({model_id(row)})" for row in report.rows)]
    table = [
        "  ".join([*(text.rjust(width) for text, width in zip(line, widths, strict=True)), name])
        for line, name in zip(cells, names, strict=True)
    ]
    head = [f"{one_line(report.arena_title)} ({report.provenance.arena}), by {report.method}: {report.title}"]
    words = [one_line(line) for line in (report.sentence, *report.notes) if line]
    said = [line for line in words[:1] if report.sentence]
    notes = [*meanings(shown), "", *words[len(said) :]]
    return "".join(f"{line}\n" for line in [*head, *said, "", *table, "", *notes, *origin_lines(report, command)])
