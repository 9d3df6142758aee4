"""``models check``: has models speak the fixed set of texts, and says what is wrong with what came of it."""

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Protocol

from arena_desktop.audio.clip_file import read_clip
from arena_desktop.audio.examine import Flag
from arena_desktop.cli.say import say
from arena_desktop.cli.synth import find_model
from arena_desktop.domain.arena_faults import arena_faults
from arena_desktop.domain.roster import ModelSpec, Roster
from arena_desktop.domain.settings import Settings
from arena_desktop.domain.word_errors import WordTest
from arena_desktop.engines.hearing import BUILT_IN, Hearing
from arena_desktop.engines.types import SpeechFailure
from arena_desktop.errors import ArenaError, UsageError
from arena_desktop.paths import from_home
from arena_desktop.services.after_voting import NOT_YET, sentence
from arena_desktop.services.examinations import Examinations
from arena_desktop.services.examining import Examination, Heard, Host, examine_model, nobody
from arena_desktop.services.fixed_texts import UnknownTexts, quick
from arena_desktop.services.word_testing import WordTesting
from arena_desktop.services.words_heard import require_extra
from arena_desktop.store.prompt_files import built_in_prompts


class App(Protocol):
    """What this command needs of the composed program."""

    @property
    def roster(self) -> Roster: ...
    @property
    def host(self) -> Host: ...
    @property
    def examinations(self) -> Examinations: ...
    @property
    def settings(self) -> Settings: ...
    @property
    def voted(self) -> frozenset[str]: ...
    def new_ear(self, recogniser: str) -> Hearing: ...


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add ``models check``."""
    check = commands.add_parser("check", help="have every model (or those named) speak a fixed set of texts")
    check.add_argument(
        "models", nargs="*", metavar="MODEL", help="repo_ids or names (default: all that have an engine)"
    )
    check.add_argument("--quick", action="store_true", help="one sentence alone; nothing of it is kept")
    check.add_argument(
        "--asr",
        nargs="?",
        const="",
        metavar="RECOGNISER",
        help=f"have a recogniser listen, too: {BUILT_IN}, or the folder of a Whisper checkpoint (--asr=FOLDER)",
    )
    check.add_argument(
        "--before-voting", action="store_true", help="with --asr: show what it heard of models you never voted on, too"
    )
    check.add_argument("--json", action="store_true", help="report as JSON")
    check.set_defaults(func=run_check)


def run_check(args: argparse.Namespace, app: App) -> int:
    """Examine models; 1 if one of them can't speak. Flags alone are no failure."""
    ear = _ear(args, app)
    try:
        return _run(args, app, ear)
    finally:
        if ear is not None:
            ear.close()


def _ear(args: argparse.Namespace, app: App) -> Hearing | None:
    """The recogniser that is asked for, ready to listen: what it lacks is said before anything speaks."""
    if args.asr is None:
        if args.before_voting:
            raise UsageError("--before-voting is about what --asr finds: give both.")
        return None
    if args.quick:
        raise UsageError("A word error rate of one sentence says nothing: leave --quick out.")
    require_extra()
    wish = args.asr or app.settings.recogniser or BUILT_IN
    if wish != BUILT_IN and not from_home(wish).is_dir():
        raise ArenaError(
            f"No recogniser is called {wish}, and there is no such folder.",
            f"Give {BUILT_IN} or the folder of a Whisper checkpoint (--asr=FOLDER); models go before --asr.",
        )
    ear = app.new_ear(wish)
    try:
        _ = ear.recogniser
    except BaseException:
        ear.close()
        raise
    return ear


def _run(args: argparse.Namespace, app: App, ear: Hearing | None) -> int:
    if args.models:
        models = [find_model(app.roster, wanted) for wanted in args.models]
    else:
        models = [model for model in app.roster.models.values() if model.engine is not None]
    results: list[dict[str, Any]] = []
    unkept: list[ArenaError] = []
    for model in models:
        result = _check(app, model, None if ear is None else WordTesting(ear), unkept, quickly=args.quick)
        if result["words"] is not None and not args.before_voting and model.repo_id not in app.voted:
            result |= {"words": None, "words_note": NOT_YET}
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
        raise ArenaError(
            f"{len(failed)} of {len(results)} models could not speak: {', '.join(failed)}.",
            " ".join(map(str, unkept[:1])),
        )
    if unkept:  # what was found was told before
        raise unkept[0]
    return 0


def _check(
    app: App, model: ModelSpec, testing: WordTesting | None, unkept: list[ArenaError], *, quickly: bool
) -> dict[str, Any]:
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
        "words": None,
        "words_note": "",
    }
    texts = quick(model) if quickly else None
    overhear = nobody if testing is None else testing.overhear
    try:
        found = examine_model(model, app.host, read_clip, built_in_prompts, texts=texts, overhear=overhear)
    except SpeechFailure as failure:
        return {**result, "kind": failure.kind.value, "detail": str(failure)}
    except UnknownTexts as error:
        return {**result, "kind": "unknown_texts", "detail": str(error)}
    except ArenaError as error:  # the others are checked all the same
        return {**result, "kind": "error", "detail": str(error)}
    words = None if testing is None else testing.test
    if not quickly:
        try:
            kept = app.examinations.keep(
                model, spoke=found.spoke, flags=found.words, texts=len(found.heard), words=words
            )
        except ArenaError as error:
            unkept.append(error)
        else:
            words = words and next((one for one in kept.words if one.recogniser == words.recogniser), words)
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
        "words": None if words is None else {**_words(words), "said": sentence(words)},
        "words_note": "" if testing is None or words is not None else testing.why_none,
    }


def _words(test: WordTest) -> dict[str, Any]:
    return {**asdict(test), "rate": round(test.errors.rate, 4)}


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
    if result["words"] is not None:
        say(f"        {result['words']['said']}.")
    elif result["words_note"]:
        say(f"        Word error rate: {result['words_note']}")
