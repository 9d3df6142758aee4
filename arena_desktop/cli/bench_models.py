"""``bench models``: how fast the roster's models speak on this machine, and what memory they take."""

import argparse
import json
import sys
from typing import Any, Protocol

from arena_desktop.cli.progress import Progress
from arena_desktop.cli.say import say
from arena_desktop.cli.synth import find_model
from arena_desktop.domain.devices import DEVICE_FORM, is_device
from arena_desktop.domain.roster import ModelSpec, Roster
from arena_desktop.engines.types import FailureKind, SpeechFailure
from arena_desktop.errors import ArenaError, UsageError
from arena_desktop.harmless import one_line
from arena_desktop.services.bench import models as bench
from arena_desktop.services.fixed_texts import lacking
from arena_desktop.services.measurements import Measurements, machine_title
from arena_desktop.services.models import Models

MOST_ROUNDS = 100


class App(Protocol):
    """What this command needs of the composed program."""

    @property
    def roster(self) -> Roster: ...
    @property
    def models(self) -> Models: ...
    @property
    def measurements(self) -> Measurements: ...
    @property
    def host(self) -> bench.Host: ...
    def new_host(self, device: str = "") -> bench.Host: ...


def add_parser(commands: Any) -> None:
    """Add ``bench models [MODEL…] [--device D] [--starts N] [--rounds N] [--json]``."""
    command = commands.add_parser("models", help="time to the first sound cold and warm, real-time factor, memory")
    command.add_argument("models", nargs="*", metavar="MODEL", help="repo_ids or names (default: all that are ready)")
    command.add_argument("--device", metavar="D", help=f"{DEVICE_FORM} (default: as set)")
    command.add_argument(
        "--starts",
        type=int,
        default=bench.STARTS,
        metavar="N",
        help=f"processes started cold (default: {bench.STARTS})",
    )
    command.add_argument(
        "--rounds", type=int, default=bench.ROUNDS, metavar="N", help=f"rounds spoken warm (default: {bench.ROUNDS})"
    )
    command.add_argument("--json", action="store_true", help="report every figure as JSON")
    command.set_defaults(func=run)


def run(args: argparse.Namespace, app: App) -> int:
    """Measure and keep; 1 if a model could not speak."""
    for option in ("starts", "rounds"):
        if not 1 <= getattr(args, option) <= MOST_ROUNDS:
            raise UsageError(f"--{option} must lie between 1 and {MOST_ROUNDS}.")
    if args.device is not None and not is_device(args.device):
        raise UsageError(f"There is no device {args.device}.", f"Write {DEVICE_FORM}.")
    load = bench.load_before()
    busy = load is not None and load > bench.BUSY
    if busy:
        say(
            f"The machine is busy (load {load:.1f} a core): the times will be longer than they need be.",
            file=sys.stderr,
        )
    unkept: list[ArenaError] = []
    wanted = _wanted(args.models, app)
    if not wanted:
        raise ArenaError("No model is ready to be measured.", "`arena-desktop models list` says what each lacks.")
    results = [_measure(model, args, app, unkept) for model in wanted]
    failed = [str(found["repo_id"]) for found in results if not found["ok"]]
    if args.json:
        machine = machine_title(app.host.machine)
        told = {"schema": 1, "machine": machine, "load": load, "busy": busy, "ok": not failed, "models": results}
        print(json.dumps(told, ensure_ascii=False, allow_nan=False))
    if failed:
        raise ArenaError(
            f"{len(failed)} of {len(results)} models could not be measured: {', '.join(failed)}.",
            " ".join(map(str, unkept[:1])),
        )
    if unkept:  # every number was told before
        raise unkept[0]
    return 0


def _wanted(names: list[str], app: App) -> list[ModelSpec]:
    if names:
        return [find_model(app.roster, name) for name in names]
    app.models.check_now()
    return [
        model
        for model in app.roster.models.values()
        if model.engine is not None and not app.models.missing(model.repo_id) and app.host.prompts(model) is None
    ]


def _measure(model: ModelSpec, args: argparse.Namespace, app: App, unkept: list[ArenaError]) -> dict[str, Any]:
    tell = Progress(sys.stderr, f"{one_line(model.repo_id)}: {{}} clips …")
    try:
        missing = app.host.check(model)  # by the one host of this run: an interpreter that hangs is waited for once
        if missing:
            raise SpeechFailure(FailureKind.MISSING, model.repo_id, lacking(missing))
        found = bench.measure(
            model,
            lambda: app.new_host(args.device or ""),
            app.measurements.now,
            starts=args.starts,
            rounds=args.rounds,
            progress=lambda done, total: tell(done),
        )
    except SpeechFailure as failure:
        result = bench.report_failed(model, str(failure))
    else:
        try:
            app.measurements.record(found.measured)
        except ArenaError as error:
            unkept.append(error)
        result = bench.report(found)
    if not args.json:
        say(_line(model, result), flush=True)
    return result


def _line(model: ModelSpec, found: dict[str, Any]) -> str:
    if not found["ok"]:
        return f"{model.repo_id}: FAILED: {found['detail']}"
    memory = "" if found["memory_mb"] is None else f", {found['memory_mb']:.0f} MB"
    return (
        f"{model.repo_id}: {found['device']} {found['dtype']}, first sound after {found['cold_s']:.2f} s cold and "
        f"{found['warm_s']:.3f} s warm ({found['sound_s']:.1f} s of sound), {found['rtf']:.3f} × real time{memory}"
    )
