"""The board as a LaTeX table (package ``booktabs``) that pdfLaTeX, XeLaTeX and LuaLaTeX compile.

Latin letters with accents become LaTeX's own commands. pdfLaTeX can't set other scripts without more packages: there
their code points are printed, in XeLaTeX and LuaLaTeX the characters themselves.
"""

import re
import unicodedata
from itertools import groupby

from arena_desktop.services.exports.columns import Row, columns, legend, model_id, model_name
from arena_desktop.services.exports.origin import origin
from arena_desktop.services.exports.plain import one_line
from arena_desktop.services.exports.report import BoardReport

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"{\symbol{34}}",  # active with some languages of babel
    "-": "-{}",  # two of them would become a dash
    "`": r"\textasciigrave{}",
    "'": r"\textquotesingle{}",
    "–": r"\textendash{}",
    "—": r"\textemdash{}",
    "−": r"\ensuremath{-}",
    "×": r"\ensuremath{\times}",
    "≥": r"\ensuremath{\geq}",
    "≤": r"\ensuremath{\leq}",
    "±": r"\ensuremath{\pm}",
    "·": r"\textperiodcentered{}",
    "…": r"\ldots{}",
    "“": r"\textquotedblleft{}",
    "”": r"\textquotedblright{}",
    "‘": r"\textquoteleft{}",
    "’": r"\textquoteright{}",
    "ß": r"\ss{}",
    "æ": r"\ae{}",
    "Æ": r"\AE{}",
    "œ": r"\oe{}",
    "Œ": r"\OE{}",
    "ø": r"\o{}",
    "Ø": r"\O{}",
    "ł": r"\l{}",
    "Ł": r"\L{}",
    "ı": r"\i{}",
}
_ACCENT = {
    "\u0300": "`",
    "\u0301": "'",
    "\u0302": "^",
    "\u0303": "~",
    "\u0304": "=",
    "\u0306": "u",
    "\u0307": ".",
    "\u0308": '"',
    "\u030a": "r",
    "\u030b": "H",
    "\u030c": "v",
    "\u0327": "c",
}
_ROWS_A_PAGE = 40
_OTHER_SCRIPTS = (
    r"\DeclareRobustCommand{\otherscript}[2]"
    r"{\ifdefined\XeTeXversion#1\else\ifdefined\directlua#1\else\texttt{#2}\fi\fi}"
)


def write(report: BoardReport, command: str) -> str:
    """A ``table`` (a ``longtable`` if it would not fit on a page) with caption, label and notes; the ids of the models
    and the whole provenance in comments.
    """
    shown = columns(report.method, report.rows, narrow=True)
    found = report.provenance
    facts = origin(report, command)
    names = [model_name(row) for row in report.rows]
    body = [
        _row([_model(row, names.count(name) > 1), *(escaped(column.cell(row)) for column in shown)])
        for name, row in zip(names, report.rows, strict=True)
    ]
    said = " ".join([f"{report.heading}. {report.title}.", report.sentence]).strip()
    hashes = f"Log {found.log_hash[:12]}, roster {found.roster_hash[:12]}, rules {found.rules}."
    notes = [" ".join([legend(shown), *report.notes]), f"Votes: {facts[0][1]}. {hashes}"]
    caption = rf"\caption{{{escaped(said)}}}"
    label = rf"\label{{tab:{re.sub(r'[^A-Za-z0-9]+', '-', found.arena)}-{found.method}}}"
    long = len(body) > _ROWS_A_PAGE
    make = _long_table if long else _table
    table = make(
        caption, label, "l" + "r" * len(shown), _row(["model", *(escaped(c.title) for c in shown)]), body, notes
    )
    lines = [
        *(f"% {what}: {value}" for what, value in facts),
        *(f"% {name}: {model_id(row)}" for name, row in zip(names, report.rows, strict=True)),
        rf"% A fragment: \input it into a document with \usepackage{{booktabs{',longtable' if long else ''}}}.",
        *([_OTHER_SCRIPTS] if any(r"\otherscript" in line for line in table) else []),
        *table,
    ]
    return "\n".join(lines) + "\n"


def _table(caption: str, label: str, layout: str, head: str, body: list[str], notes: list[str]) -> list[str]:
    return [
        r"\begin{table}",
        r"\centering\small",
        caption,
        label,
        rf"\begin{{tabular}}{{{layout}}}",
        r"\toprule",
        head,
        r"\midrule",
        *body,
        r"\bottomrule",
        r"\end{tabular}",
        r"\par\smallskip",
        r"\begin{minipage}{\linewidth}\footnotesize",
        *map(escaped, notes),
        r"\end{minipage}",
        r"\end{table}",
    ]


def _long_table(caption: str, label: str, layout: str, head: str, body: list[str], notes: list[str]) -> list[str]:
    return [
        rf"{{\small\begin{{longtable}}{{{layout}}}",
        rf"{caption}{label} \\",
        r"\toprule",
        head,
        r"\midrule",
        r"\endhead",
        *body,
        r"\bottomrule",
        r"\end{longtable}}",
        r"{\footnotesize\noindent",
        *map(escaped, notes),
        r"\par}",
    ]


def escaped(text: str) -> str:
    """``text`` in one line, as LaTeX sets it."""
    pieces = groupby(one_line(unicodedata.normalize("NFC", text)), key=lambda char: _command(char) is None)
    return "".join(_foreign("".join(run)) if foreign else "".join(map(_known, run)) for foreign, run in pieces)


def _known(char: str) -> str:
    return _command(char) or ""


def _command(char: str) -> str | None:
    """How LaTeX is told to set ``char``, None if it can't be told everywhere."""
    if char in _SPECIAL:
        return _SPECIAL[char]
    if " " <= char <= "~":
        return char
    parts = unicodedata.normalize("NFD", char)
    base, mark = parts[0], parts[1:]
    return rf"\{_ACCENT[mark]}{{{base}}}" if mark in _ACCENT and base.isascii() and base.isalpha() else None


def _foreign(text: str) -> str:
    points = " ".join(f"U+{ord(char):04X}" for char in text)
    return rf"\otherscript{{{text}}}{{{points}}}"


def _model(row: Row, ambiguous: bool) -> str:
    name = escaped(model_name(row))
    return rf"{name} {{\scriptsize {escaped(model_id(row))}}}" if ambiguous else name


def _row(cells: list[str]) -> str:
    return " & ".join(cells) + r" \\"
