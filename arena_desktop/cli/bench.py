"""``bench``: how fast the program is on this machine, as ratios within one run."""

import argparse
import json
import sys
from typing import Any

from arena_desktop.cli import bench_models
from arena_desktop.errors import UsageError
from arena_desktop.services.bench import exchange
from arena_desktop.services.bench.ratings import VOTES, bench_ratings

FEWEST = 1_000
MOST = 10_000_000


def add_parser(subparsers: Any) -> None:
    """Add ``bench`` and its subcommands."""
    parser = subparsers.add_parser("bench", help="measure how fast the program is here")
    commands = parser.add_subparsers(dest="bench_command", metavar="WHAT", required=True)
    command = commands.add_parser("ratings", help="replay, fit and intervals, each beside the plain way to do it")
    command.add_argument("--votes", type=int, default=VOTES, metavar="N", help=f"(default: {VOTES:,})")
    command.add_argument("--json", action="store_true", help="report every figure as JSON")
    command.set_defaults(func=_ratings)
    command = commands.add_parser("exchange", help="export, import, merge and verify, beside the bare libraries")
    command.add_argument("--votes", type=int, default=exchange.VOTES, metavar="N", help=f"(default: {VOTES:,})")
    command.add_argument("--json", action="store_true", help="report every figure as JSON")
    command.set_defaults(func=_exchange)
    bench_models.add_parser(commands)


def _check(votes: int) -> None:
    if not FEWEST <= votes <= MOST:
        raise UsageError(f"--votes must lie between {FEWEST:,} and {MOST:,}.")


def _exchange(args: argparse.Namespace, app: object) -> int:
    _check(args.votes)
    report = exchange.bench_exchange(args.votes, _say)
    if args.json:
        print(json.dumps(report, indent=1, allow_nan=False))
        return 0
    print(f"{report['votes']:,} votes of {report['bytes_a_vote']:,} bytes; processor time.")
    print(f"{'':34}{'seconds':>10} {'peak MB':>9}")
    for what in ("import", "merge"):
        found = report[what]
        _row(f"{what}, bare libraries", found["bare"])
        _row(what, found, f"{found['ratio']:.2f} times as long")
    print(f"{'':34}the log was locked for {report['import']['locked_s']:.1f} s")
    _row("export", report["export"])
    _row("verify", report["verify"])
    return 0


def _ratings(args: argparse.Namespace, app: object) -> int:
    _check(args.votes)
    report = bench_ratings(args.votes, _say)
    if args.json:
        print(json.dumps(report, indent=1, allow_nan=False))
    else:
        _print(report)
    return 0


def _say(what: str) -> None:
    if sys.stderr.isatty():
        print(f"Measuring: {what} …", file=sys.stderr, flush=True)


def _print(report: dict[str, Any]) -> None:
    replay, fit, intervals, many = (report[key] for key in ("replay", "fit", "intervals", "many_models"))
    bootstrap, clustered = intervals["bootstrap"], intervals["clustered"]
    print(f"{report['votes']:,} votes, {report['models']} models, {report['listeners']:,} listeners; processor time.")
    print(f"{'':34}{'seconds':>10} {'peak MB':>9}")
    _row("replay, plain", replay["original"])
    _row("replay of records", replay["records"], f"{replay['records']['times_as_fast']:.1f} times as fast")
    _row("replay of arrays", replay["arrays"], f"{replay['arrays']['times_as_fast']:.1f} times as fast")
    _row("fit, plain", fit["original"], f"off by {fit['original']['balance_error']:.2g} games")
    newton = fit["newton"]
    _row(
        "fit by Newton",
        newton,
        f"{newton['times_as_fast']:.0f} times as fast, off by {newton['balance_error']:.1g} games",
    )
    _row("bootstrap, plain", bootstrap, f"{bootstrap['timed_resamples']} of {bootstrap['resamples']} timed")
    _row("clustered intervals", clustered, f"1/{1 / clustered['share_of_bootstrap']:.0f} of the time")
    _row(f"fit of {many['models']:,} models", many, f"off by {many['balance_error']:.1g} games")


def _row(what: str, cost: dict[str, Any], note: str = "") -> None:
    print(f"{what:34}{cost['seconds']:10.4f} {cost['peak_mb'] or 0:9.1f}  {note}".rstrip())
