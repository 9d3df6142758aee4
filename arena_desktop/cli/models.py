"""``models``: what the roster's models lack on this machine, and whether they really speak."""

import argparse
import json
import tempfile
from pathlib import Path
from typing import Protocol

from arena_desktop.cli import download, models_add, models_find
from arena_desktop.cli.say import say
from arena_desktop.cli.synth import find_model
from arena_desktop.domain.roster import ModelSpec, Roster, Voice
from arena_desktop.engines.types import Missing, SpeechFailure, Spoken
from arena_desktop.errors import ArenaError
from arena_desktop.services.models import Models
from arena_desktop.services.sample_text import sample_for


class Host(Protocol):
    """What is needed of the speech host."""

    def check(self, model: ModelSpec) -> tuple[Missing, ...]: ...
    def speak(self, model: ModelSpec, text: str, voice: Voice | None, out: Path, take: int = 0) -> Spoken: ...


class App(Protocol):
    """What these commands need of the composed program."""

    @property
    def roster(self) -> Roster: ...
    @property
    def host(self) -> Host: ...
    @property
    def models(self) -> Models: ...


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add ``models list``, ``check``, ``find``, ``add`` and ``remove``."""
    parser = subparsers.add_parser("models", help="list, check, find, add or remove models")
    names = "list|check|download|find|add|remove"
    commands = parser.add_subparsers(dest="models_command", metavar=names, required=True)
    listing = commands.add_parser("list", help="every model of the roster, and what it lacks here")
    listing.add_argument("--json", action="store_true", help="report as JSON")
    listing.set_defaults(func=run_list)
    check = commands.add_parser("check", help="have every model (or those named) speak a sentence")
    check.add_argument(
        "models", nargs="*", metavar="MODEL", help="repo_ids or names (default: all that have an engine)"
    )
    check.add_argument("--json", action="store_true", help="report as JSON")
    check.set_defaults(func=run_check)
    download.add_parser(commands)
    models_find.add_parser(commands)
    models_add.add_parsers(commands)


def run_list(args: argparse.Namespace, app: App) -> int:
    """Print the models. Models that are not ready are no failure."""
    app.models.check_now()
    rows = app.models.listing()
    if args.json:
        print(json.dumps(rows, ensure_ascii=False))
        return 0
    width = max((len(row["repo_id"]) for row in rows), default=0)
    for row in rows:
        say(f"{row['repo_id']:{width}}  {'ready  ' if row['ready'] else 'missing'}  {row['name']}")
        for item in row["missing"]:
            say(f"{'':{width}}  - {item['what']} {item['remedy']}".rstrip())
        if row["warning"]:
            say(f"{'':{width}}  - careful: {row['warning']}")
    for notice in app.models.view().notices:
        say(f"{notice.text} {notice.remedy}".rstrip())
    return 0


def run_check(args: argparse.Namespace, app: App) -> int:
    """Have models speak; 1 if one of them fails."""
    if args.models:
        models = [find_model(app.roster, wanted) for wanted in args.models]
    else:
        models = [model for model in app.roster.models.values() if model.engine is not None]
    results = []
    with tempfile.TemporaryDirectory(prefix="arena-check-") as folder:
        for model in models:
            result = _check(app.host, model, Path(folder) / "clip.wav")
            results.append(result)
            if not args.json:
                say(f"{'ok    ' if result['ok'] else 'FAILED'}  {result['repo_id']}: {result['detail']}", flush=True)
    failed = [str(result["repo_id"]) for result in results if not result["ok"]]
    if args.json:
        print(json.dumps({"schema": 1, "ok": not failed, "models": results}, ensure_ascii=False))
    if failed:
        raise ArenaError(f"{len(failed)} of {len(results)} models could not speak: {', '.join(failed)}.")
    return 0


def _check(host: Host, model: ModelSpec, out: Path) -> dict[str, object]:
    result: dict[str, object] = {"repo_id": model.repo_id, "name": model.name, "ok": False, "kind": None, "detail": ""}
    try:
        missing = host.check(model)
        if missing:
            detail = " ".join(f"{item.what}: {item.remedy}" for item in missing)
            return {**result, "kind": "missing", "detail": detail}
        spoken = host.speak(model, sample_for(model.language), model.voices[0] if model.voices else None, out)
    except SpeechFailure as failure:
        return {**result, "kind": failure.kind.value, "detail": str(failure)}
    seconds = spoken.frames / spoken.rate
    detail = f"{seconds:.2f} s at {spoken.rate} Hz, {spoken.rtf:.3f} × real time on {spoken.device}"
    return {**result, "ok": True, "detail": detail}
