"""What an import, an export or a synchronisation has found or done, as the window shows it."""

from collections.abc import Collection, Mapping
from datetime import datetime
from pathlib import Path

from arena_desktop.domain.log_header import FORMAT
from arena_desktop.harmless import harmless
from arena_desktop.ratings.ballot import MISSING_FIELDS, NOT_AN_OBJECT
from arena_desktop.services.exchange_views import ImportFile, ImportPreview
from arena_desktop.services.findings_words import finding_sentences, plain_sentences
from arena_desktop.services.sync import SyncReport
from arena_desktop.services.views import Line, Tone
from arena_desktop.services.vote_export import ExportReport
from arena_desktop.services.vote_import import ImportReport

_SHOWN = 200
_FORMS = {
    FORMAT: f"vote log ({FORMAT})",
    "jsonl": "records, one a line",
    "json": "records in a JSON array",
    "csv": "table",
    "lmarena": "LMArena battles",
    "tts-arena": "chosen and rejected",
}


_NO_VOTES = frozenset({NOT_AN_OBJECT, MISSING_FIELDS})
"""Reasons for which a record is skipped that has nothing of a vote."""
_ANY_FORM = frozenset({"jsonl", "json", "csv"})
"""Forms that files of all kinds have."""


def preview_of(report: ImportReport, unknown_models: Collection[str], source: str) -> ImportPreview:
    """What an import would do; ``source`` is the name under which votes of other programs were read."""
    names = short_names({skip.file for skip in report.skipped} | {one.path for one in report.files})
    facts = plain_sentences(report.findings)
    places = [
        (names.get(file, Path(file).name), line, conflict.id)
        for conflict in report.conflicts[:_SHOWN]
        for file, line in zip(conflict.files, conflict.lines, strict=True)
    ]
    return ImportPreview(
        files=tuple(ImportFile(one.path, _FORMS.get(one.form, one.form), one.records) for one in report.files),
        new=report.new,
        already=report.already - report.copies,
        skipped_total=len(report.skipped),
        skipped=tuple(
            (names[skip.file], skip.line, f"{skip.reason} ({skip.detail})" if skip.detail else skip.reason)
            for skip in report.skipped[:_SHOWN]
        ),
        conflicts=len(report.conflicts),
        differing=tuple(places[:_SHOWN]),
        no_votes=_has_no_votes(report),
        unknown_models=tuple(unknown_models),
        unknown_arenas=tuple(report.unknown_arenas),
        aliases=tuple((alias.name, alias.other) for alias in report.findings.aliases),
        legacy=report.findings.legacy,
        source=source,
        facts=tuple(map(harmless, facts)),
        notes=tuple(
            map(harmless, (*report.notes, *(one for one in finding_sentences(report.findings) if one not in facts)))
        ),
    )


def short_names(paths: Collection[str]) -> dict[str, str]:
    """Each path's name, with as many of its folders as tell it from the others."""
    parts = {path: Path(path).parts for path in set(paths)}

    def name(path: str) -> str:
        own = parts[path]
        for many in range(1, len(own)):
            end = own[-many:]
            if sum(other[-many:] == end for other in parts.values()) == 1:
                return str(Path(*end))
        return path

    return {path: name(path) for path in parts}


def _has_no_votes(report: ImportReport) -> bool:
    return (
        not (report.new or report.already or report.conflicts)
        and bool(report.skipped)
        and all(one.form in _ANY_FORM for one in report.files)
        and all(skip.reason in _NO_VOTES for skip in report.skipped)
    )


def not_in(names: Collection[str], roster: Collection[str], aliases: Mapping[str, str]) -> list[str]:
    """The names that the roster has under no name."""
    return [name for name in names if name not in roster and aliases.get(name) not in roster]


def imported_line(report: ImportReport, added: Collection[str]) -> Line:
    """What an import has done; ``added``: sentences on what the roster was given."""
    text = f"{count(report.new, 'new record')} imported; {report.already - report.copies:,} were here already."
    if report.skipped:
        text += f" {count(len(report.skipped), 'record')} skipped."
    text = " ".join([text, *added])
    if report.conflicts:
        return Line(
            text,
            Tone.WARNING,
            f"{count(len(report.conflicts), 'conflict')}: different records under one id. All are kept, none counts.",
        )
    return Line(text)


def exported_line(report: ExportReport) -> Line:
    """What an export has written."""
    what = "record" if report.form == "jsonl" else "vote"
    return Line(f"{count(report.records, what)} written to {report.path}.")


def synced_line(report: SyncReport, now: datetime) -> Line:
    """How a synchronisation went; ``now`` is local time."""
    conflicts = len(report.imported.conflicts)
    text = (
        f"Synchronised at {now:%H:%M}: {count(report.imported.new, 'new record')} from"
        f" {count(len(report.stations), 'other station')}, {report.exported:,} sent."
    )
    if report.unfinished:
        return Line(f"Not all was synchronised at {now:%H:%M}: {report.unfinished}", Tone.WARNING, report.remedy)
    if conflicts:
        return Line(text, Tone.WARNING, f"{count(conflicts, 'conflict')}: all are kept, none of them counts.")
    return Line(text, Tone.WARNING if report.problems else Tone.INFO)


def problems_of(report: SyncReport) -> tuple[str, ...]:
    """What a person should look at in the folder."""
    problems = (f"{problem.file}: {problem.reason}." for problem in report.problems)
    return tuple(map(harmless, (*problems, *report.notes, *report.imported.notes)))


def count(number: int, noun: str) -> str:
    """A number with its noun."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
