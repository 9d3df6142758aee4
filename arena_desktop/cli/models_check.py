"""``models check``: has models speak the fixed set of texts, and says what is wrong with what came of it."""

import argparse
import json
from collections.abc import Sequence
from typing import Any, Protocol

from arena_desktop.audio.clip_file import read_clip
from arena_desktop.audio.examine import Flag
from arena_desktop.cli.say import say
from arena_desktop.cli.synth import find_model
from arena_desktop.domain.arena_faults import arena_faults
from arena_desktop.domain.roster import ModelSpec, Roster
from arena_desktop.engines.types import SpeechFailure
from arena_desktop.errors import ArenaError
from arena_desktop.services.examinations import Examinations
from arena_desktop.services.examining import Examination, Heard, Host, examine_model
from arena_desktop.services.fixed_texts import quick
from arena_desktop.store.prompt_files import built_in_prompts


class App(Protocol):
    """What this command needs of the composed program."""

    @property
    def roster(self) -> Roster: ...
    @property
    def host(self) -> Host: ...
    @property
    def examinations(self) -> Examinations: ...


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add ``models check``."""
    check = commands.add_parser("check", help="have every model (or those named) speak a fixed set of texts")
    check.add_argument(
        "models", nargs="*", metavar="MODEL", help="repo_ids or names (default: all that have an engine)"
    )
    check.add_argument("--quick", action="store_true", help="one sentence alone; nothing of it is kept")
    check.add_argument("--json", action="store_true", help="report as JSON")
    check.set_defaults(func=run_check)


def run_check(args: argparse.Namespace, app: App) -> int:
    """Examine models; 1 if one of them can't speak. Flags alone are no failure."""
    if args.models:
        models = [find_model(app.roster, wanted) for wanted in args.models]
    else:
        models = [model for model in app.roster.models.values() if model.engine is not None]
    results = []
    for model in models:
        result = _check(app, model, quickly=args.quick)
        results.append(result)
        if not args.json:
            _tell(result)
    unfit = arena_faults(app.roster)
    failed = [str(result["repo_id"]) for result in results if not result["ok"]]
    flagged = sum(bool(result["ok"]) and not result["clear"] for result in results)
    if args.json:
        report = {"schema": 1, "ok": not failed, "flagged": flagged, "models": results}
        report["arenas"] = [{"arena": one.arena, "what": one.what, "remedy": one.remedy} for one in unfit]
        print(json.dumps(report, ensure_ascii=False, allow_nan=False))
    elif flagged:
        say(f"{flagged} of {len(results)} models have flags: listen before you let them compete.")
    for one in () if args.json else unfit:
        say(f"{one.what} {one.remedy}")
    if failed:
        raise ArenaError(f"{len(failed)} of {len(results)} models could not speak: {', '.join(failed)}.")
    return 0


def _check(app: App, model: ModelSpec, *, quickly: bool) -> dict[str, Any]:
    result: dict[str, Any] = {
        "repo_id": model.repo_id,
        "name": model.name,
        "ok": False,
        "kind": None,
        "detail": "",
        "clear": False,
        "language": None,
        "flags": [],
        "texts": [],
    }
    try:
        found = examine_model(model, app.host, read_clip, built_in_prompts, texts=quick(model) if quickly else None)
    except SpeechFailure as failure:
        return {**result, "kind": failure.kind.value, "detail": str(failure)}
    except ArenaError as error:  # recordings of texts that nobody knows
        return {**result, "kind": "unknown_texts", "detail": str(error)}
    if not quickly:
        app.examinations.keep(model, spoke=found.spoke, flags=found.words, texts=len(found.heard))
    failures = found.failures
    return {
        **result,
        "ok": found.spoke,
        "kind": failures[0].kind.value if failures else None,
        "detail": str(failures[0]) if failures else _speed(found),
        "clear": found.clear,
        "language": found.language,
        "flags": _flags(found.flags),
        "texts": [_text(one) for one in found.heard],
    }


def _speed(found: Examination) -> str:
    spoken = [one.spoken for one in found.heard if one.spoken is not None]
    seconds = sum(one.frames / one.rate for one in spoken)
    rtf = sum(one.elapsed for one in spoken) / seconds
    texts = "1 text" if len(spoken) == 1 else f"{len(spoken)} texts"
    return f"{texts}, {seconds:.2f} s at {spoken[-1].rate} Hz, {rtf:.3f} × real time on {spoken[-1].device}"


def _text(one: Heard) -> dict[str, Any]:
    spoken = one.spoken
    return {
        "text": one.text.kind,
        "kind": None if one.failure is None else one.failure.kind.value,
        "detail": "" if one.failure is None else str(one.failure),
        "seconds": None if spoken is None else round(spoken.frames / spoken.rate, 3),
        "flags": _flags(one.flags),
    }


def _flags(flags: Sequence[Flag]) -> list[dict[str, str]]:
    return [{"kind": flag.kind, "detail": flag.detail} for flag in flags]


def _tell(result: dict[str, Any]) -> None:
    word = "FAILED" if not result["ok"] else "ok    " if result["clear"] else "flags "
    say(f"{word}  {result['repo_id']}: {result['detail']}", flush=True)
    for flag in result["flags"]:
        say(f"        all texts: {flag['detail']} ({flag['kind']})")
    for text in result["texts"]:
        for flag in text["flags"]:
            say(f"        {text['text']}: {flag['detail']} ({flag['kind']})")
