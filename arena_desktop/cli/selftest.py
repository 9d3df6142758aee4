"""``arena-desktop selftest [--json]``: real checks of everything that must work together."""

import argparse
import json
import sys
from typing import Any, Protocol

from arena_desktop.cli.say import say
from arena_desktop.domain.roster import Roster
from arena_desktop.services.selftest import Check, Host, SelfTest

SCHEMA = 1


class App(Protocol):
    """What this command needs of the program."""

    @property
    def roster(self) -> Roster: ...
    @property
    def host(self) -> Host: ...


def add_parser(subparsers: Any) -> None:
    """Declare the command."""
    parser = subparsers.add_parser("selftest", help="check that everything on this machine works together")
    parser.add_argument("--json", action="store_true", help="write the outcome as JSON")
    parser.set_defaults(func=run)


def run(args: argparse.Namespace, app: App) -> int:
    """Run every check. Exit 1 if any failed."""
    checks: list[Check] = []
    for check in SelfTest(lambda: app.roster, lambda: app.host).run():
        checks.append(check)
        if not args.json:
            say(f"{'ok' if check.ok else 'FAILED':<8}{check.name:<10}{check.detail}", flush=True)
    ok = all(check.ok for check in checks)
    if args.json:
        report = {
            "schema": SCHEMA,
            "ok": ok,
            "checks": [{"name": check.name, "ok": check.ok, "detail": check.detail} for check in checks],
        }
        sys.stdout.write(json.dumps(report, indent=2, ensure_ascii=False) + "\n")
    if not ok:
        failed = ", ".join(check.name for check in checks if not check.ok)
        say(f"arena-desktop: the self-test failed: {failed}.", file=sys.stderr)
    return 0 if ok else 1
