"""``arena-desktop doctor [audio|environments] [--json]``: what is missing on this machine and how to get it."""

import argparse
import json
import sys
from collections.abc import Sequence
from typing import Any, Protocol

from arena_desktop.audio.devices import list_devices
from arena_desktop.cli.environments import removed
from arena_desktop.cli.say import say
from arena_desktop.domain.roster import Roster
from arena_desktop.harmless import several_lines
from arena_desktop.paths import AppPaths
from arena_desktop.services.doctor import Finding, Level, worst
from arena_desktop.services.environments import Environments
from arena_desktop.services.examination import Examination, Host

SCHEMA = 1
MARKS = {Level.OK: "ok", Level.NOTE: "note", Level.WARNING: "warning", Level.FAULT: "FAULT"}
WIDTH = max(len(mark) for mark in MARKS.values()) + 2


class App(Protocol):
    """What this command needs of the program."""

    @property
    def paths(self) -> AppPaths: ...
    @property
    def roster(self) -> Roster: ...
    @property
    def host(self) -> Host: ...
    @property
    def environments(self) -> Environments: ...


def add_parser(subparsers: Any) -> None:
    """Declare the command."""
    parser = subparsers.add_parser("doctor", help="say what is missing on this machine and how to get it")
    parser.add_argument(
        "area",
        nargs="?",
        choices=["audio", "environments"],
        help="look at sound, or at the environments of engines alone",
    )
    parser.add_argument(
        "--remove-environment", metavar="NAME", help="delete this environment of an engine, and no more"
    )
    parser.add_argument("--json", action="store_true", help="write the findings as JSON")
    parser.set_defaults(func=run)


def run(args: argparse.Namespace, app: App) -> int:
    """Report. Exit 0 whatever is missing: the look itself was done."""
    if args.remove_environment is not None:
        say(removed(app.environments, args.remove_environment))
        return 0
    examination = Examination(
        app.paths,
        lambda: app.roster,
        lambda: app.host,
        lambda: list_devices(app.paths.runtime),
        lambda: app.environments,
    )
    looks = {"audio": examination.sound, "environments": examination.environments, None: examination.everything}
    findings = []
    for finding in looks[args.area]():
        findings.append(finding)
        if not args.json:
            sys.stdout.write(several_lines(as_text(finding)))
            sys.stdout.flush()
    if args.json:
        sys.stdout.write(json.dumps(as_json(findings), indent=2, ensure_ascii=False) + "\n")
    else:
        sys.stdout.write(several_lines(summary(findings)))
    return 0


def as_text(finding: Finding) -> str:
    """One finding, its remedy indented below it."""
    lines = [MARKS[finding.level].ljust(WIDTH) + finding.what]
    if finding.remedy:
        lines.append(" " * WIDTH + finding.remedy)
    return "\n".join(lines) + "\n"


def summary(findings: Sequence[Finding]) -> str:
    """The last line: how many things are wrong."""
    faults = sum(one.level is Level.FAULT for one in findings)
    warnings = sum(one.level is Level.WARNING for one in findings)
    if not faults and not warnings:
        return "Everything that is needed is there.\n"
    return f"{faults} fault{'s' * (faults != 1)}, {warnings} warning{'s' * (warnings != 1)}.\n"


def as_json(findings: Sequence[Finding]) -> dict[str, Any]:
    """``{"schema", "ok", "findings": [{"area", "level", "what", "remedy"}]}``; ``ok``: there is no fault."""
    return {
        "schema": SCHEMA,
        "ok": worst(findings) is not Level.FAULT,
        "findings": [
            {"area": one.area, "level": one.level.value, "what": one.what, "remedy": one.remedy} for one in findings
        ],
    }
