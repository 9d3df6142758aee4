"""What an import and a merge tell: what is new, what was skipped and why, what doesn't fit together."""

import argparse
import sys
from collections.abc import Callable
from dataclasses import asdict

from arena_desktop.cli.say import say
from arena_desktop.cli.votes.common import count, print_json, shorten
from arena_desktop.services.exchange import ImportReport, Skip
from arena_desktop.services.findings_words import finding_sentences


def tell(
    report: ImportReport,
    headline: str,
    args: argparse.Namespace,
    *,
    settled: Callable[[str], bool] = lambda name: False,
) -> None:
    """Print a report, as JSON where that is asked for, else beginning with ``headline``. Models and arenas that are
    ``settled`` are not said to be missing.
    """
    if args.json:
        print_json({**report.as_json(), "findings": asdict(report.findings)})
    else:
        _print(report, headline, settled)
    # With --json the notes have no place in the report, but must not be lost.
    for note in report.notes:
        say(note, file=sys.stderr if args.json else sys.stdout)


def status(report: ImportReport) -> int:
    """The exit status; says on standard error why it isn't 0."""
    if report.conflicts:
        number = count(len(report.conflicts), "conflict")
        say(
            f"arena-desktop: {number}: different records under one id; all are kept, none of them counts.",
            file=sys.stderr,
        )
    return 1 if report.conflicts else 0


def _print(report: ImportReport, headline: str, settled: Callable[[str], bool]) -> None:
    say(headline)
    if report.skipped:
        say(f"Skipped {count(len(report.skipped), 'record')}:")
        for reason in sorted({skip.reason for skip in report.skipped}):
            skips = [skip for skip in report.skipped if skip.reason == reason]
            say(f"  {len(skips)} × {reason}: {shorten(map(_skip_place, skips))}")
    for sentence in finding_sentences(report.findings):
        say(sentence)
    for conflict in report.conflicts:
        places = (f"{file} line {line}" for file, line in zip(conflict.files, conflict.lines, strict=True))
        say(f"Conflict, different records under the id {conflict.id}: {shorten(places)}")
    if models := [name for name in report.unknown_models if not settled(name)]:
        say(f"Models not in the roster (their votes wait until it names them): {', '.join(models)}")
    if arenas := [name for name in report.unknown_arenas if not settled(name)]:
        say(f"Arenas not in the roster (their votes wait until it names them): {', '.join(arenas)}")


def _skip_place(skip: Skip) -> str:
    detail = f" ({skip.detail})" if skip.detail else ""
    return f"{skip.file} line {skip.line}{detail}"
