"""``models download``: bring a model from a hub, after saying what it is, how large, and under what licence."""

import argparse
import json
import shlex
import shutil
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar

from arena_desktop.cli.say import say
from arena_desktop.domain.hub import HubModel, read_address
from arena_desktop.domain.hub_selection import Picked, pick
from arena_desktop.domain.settings import Settings
from arena_desktop.errors import ArenaError
from arena_desktop.harmless import shortened
from arena_desktop.services.download_words import left_words, license_words, progress_words, size_words
from arena_desktop.services.download_work import DownloadWork, chosen_endpoint
from arena_desktop.store.hub.faults import Stopped
from arena_desktop.store.hub.shipment import read_manifest
from arena_desktop.store.hub.stopper import Stopper

T = TypeVar("T")
LAST_S = 0.8
"""How long what is under way may take to end after Ctrl+C."""


class App(Protocol):
    """What this command needs of the composed program."""

    @property
    def settings(self) -> Settings: ...
    @property
    def downloads(self) -> DownloadWork: ...


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add ``models download HUB_ID``."""
    parser = commands.add_parser("download", help="bring a model from a hub, checked, going on where it ended")
    parser.add_argument("hub_id", metavar="HUB_ID", help="OWNER/NAME, or the address of the model's page")
    parser.add_argument("--revision", default="", metavar="R", help="a branch, a tag or a commit (default: main)")
    parser.add_argument(
        "--endpoint", default="", metavar="URL", help="the hub to ask (default: HF_ENDPOINT, the setting, Hugging Face)"
    )
    parser.add_argument(
        "--file", action="append", default=[], metavar="PATTERN", help="bring files like this alone; can be repeated"
    )
    parser.add_argument("--dry-run", action="store_true", help="say what there is; bring nothing")
    parser.add_argument("--json", action="store_true", help="report as JSON")
    parser.set_defaults(func=run)


def run(args: argparse.Namespace, app: App) -> int:
    """Say what there is, then bring it."""
    work, (repo, revision, hub) = app.downloads, read_address(args.hub_id)
    endpoint, revision = args.endpoint or hub or chosen_endpoint(app.settings.hub), args.revision or revision
    model = _until_done(lambda stopper: work.look(repo, revision, endpoint, stopper))
    picked = pick(model.files, args.file)
    files = [one.file for one in picked if one.wanted]
    if not args.json:
        _say_what(model, picked)
    if not files:
        raise ArenaError(f"Nothing of {model.repo} is wanted.", "Name the files that you want with --file.")
    if args.dry_run:
        work.check_room(model, files)
        return _report(args, model, picked, None)
    meter = _Meter(sum(file.size for file in files), sys.stderr)
    try:
        place = _until_done(lambda stopper: work.bring(model, files, stopper, meter))
    finally:
        meter.end()
    return _report(args, model, picked, place)


def _until_done(work: Callable[[Stopper], T]) -> T:
    """Do ``work`` on a thread, so that Ctrl+C ends it at once whatever it waits for."""
    stopper, ended = Stopper(), threading.Event()
    results: list[T] = []
    errors: list[BaseException] = []

    def body() -> None:
        try:
            results.append(work(stopper))
        except BaseException as error:  # it is raised below, where somebody reads it
            errors.append(error)
        finally:
            ended.set()

    threading.Thread(target=body, name="download", daemon=True).start()
    try:
        while not ended.wait(0.1):
            pass
    except KeyboardInterrupt:
        stopper.stop()
        ended.wait(LAST_S)
        raise _stopped() from None
    if errors:
        raise _stopped() if isinstance(errors[0], Stopped) else errors[0]
    return results[0]


def _stopped() -> ArenaError:
    return ArenaError("Stopped.", "What has arrived is kept: give the same command to go on.")


def _say_what(model: HubModel, picked: Sequence[Picked]) -> None:
    say(f"{model.repo} at {model.revision[:12]}, from {model.endpoint}")
    say(f"Licence: {license_words(model.license, model.license_url)}")
    if model.gated:
        say("Gated: its owner must let you in, and you must accept its terms.")
    width = max((len(size_words(one.file.size)) for one in picked), default=0)
    for one in picked:
        if one.wanted:
            note = "  (a pickle: it could run code when it is opened carelessly)" if one.pickle else ""
            say(f"  {size_words(one.file.size):>{width}}  {shortened(one.file.path, 200)}{note}")
    left = [one for one in picked if not one.wanted]
    if left:
        say(f"Left out, {size_words(sum(one.file.size for one in left))} in all:")
        for one in left:
            say(f"  {size_words(one.file.size):>{width}}  {shortened(one.file.path, 200)}  ({one.why})")
    for name, why in model.refused:
        say(f"Refused: {name}: {why}.")
    total = sum(one.file.size for one in picked if one.wanted)
    say(f"In all: {size_words(total)}", flush=True)


def _report(args: argparse.Namespace, model: HubModel, picked: Sequence[Picked], place: Path | None) -> int:
    manifest = None if place is None else read_manifest(place)
    if args.json:
        report: dict[str, Any] = {
            "schema": 1,
            "repo": model.repo,
            "revision": model.revision,
            "endpoint": model.endpoint,
            "license": model.license,
            "license_url": model.license_url,
            "gated": model.gated,
            "bytes": sum(one.file.size for one in picked if one.wanted),
            "files": [
                {
                    "path": one.file.path,
                    "size": one.file.size,
                    "wanted": one.wanted,
                    "why_not": one.why,
                    "pickle": one.pickle,
                }
                for one in picked
            ],
            "refused": [{"path": name, "why": why} for name, why in model.refused],
            "folder": None if place is None else str(place),
            "roster_files": None if manifest is None else manifest.roster_files(),
        }
        print(json.dumps(report, ensure_ascii=False))
    elif place is not None:
        say(f"Whole and checked: {place}")
        say(f"`arena-desktop models add {shlex.quote(str(place))}` has it take part.")
    return 0


class _Meter:
    """How far it is, on one line of a terminal that is written over; nothing in a file or a pipe."""

    def __init__(self, of: int, stream: Any) -> None:
        self._of = of
        self._stream = stream if stream.isatty() else None
        self._wide = 0
        self._next = 0.0

    def __call__(self, here: int, rate: float, words: str) -> None:
        """Progress."""
        now = time.monotonic()
        if self._stream is None or (now < self._next and not words):
            return
        self._next = now + 0.5
        left = (self._of - here) / rate if rate > 0 else None
        self._write(f"{progress_words(here, self._of)}  {left_words(rate, left)}  {words}".rstrip())

    def end(self) -> None:
        """The line is done."""
        if self._stream is not None and self._wide:
            self._stream.write("\n")
            self._stream.flush()

    def _write(self, line: str) -> None:
        assert self._stream is not None
        line = shortened(
            line, max(40, shutil.get_terminal_size().columns - 1)
        )  # a line that wraps is never written over
        self._stream.write("\r" + line.ljust(self._wide))
        self._stream.flush()
        self._wide = len(line)
