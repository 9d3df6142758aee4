"""``render``: battles are prepared, so that nobody waits for a slow voice while listening."""

import argparse
import json
import sys
import time
from collections.abc import Callable
from typing import Any, Protocol, TextIO

from arena_desktop.cli.say import say
from arena_desktop.domain.roster import Roster
from arena_desktop.domain.settings import Settings
from arena_desktop.engines.host import SpeechHost
from arena_desktop.errors import ArenaError, UsageError
from arena_desktop.services.board import Board
from arena_desktop.services.clips import Clips
from arena_desktop.services.models import Models
from arena_desktop.services.pace import Pace
from arena_desktop.services.plan_shelf import PlanShelf
from arena_desktop.services.preparing import BATTLES
from arena_desktop.services.render import Rendered, Rendering, chosen_context
from arena_desktop.services.stock import Stocked
from arena_desktop.store.opening import OpenedLog

MOST = 1000


class App(Protocol):
    """What this command needs of the composed program."""

    @property
    def roster(self) -> Roster: ...
    @property
    def settings(self) -> Settings: ...
    @property
    def listener(self) -> str: ...
    @property
    def models(self) -> Models: ...
    @property
    def host(self) -> SpeechHost: ...
    @property
    def clips(self) -> Clips: ...
    @property
    def board(self) -> Board: ...
    @property
    def log(self) -> OpenedLog: ...
    @property
    def pace(self) -> Pace: ...
    @property
    def plan_shelf(self) -> PlanShelf: ...
    def room(self, size: int = 0) -> ArenaError | None: ...
    def text_key(self) -> bytes: ...


def add_parser(subparsers: Any) -> None:
    """Add ``render [--arena A] [--battles N] [--json]``."""
    parser = subparsers.add_parser("render", help="prepare battles, so that nobody waits for a slow voice")
    parser.add_argument("--arena", default="", metavar="A", help="(default: the one chosen in the window)")
    parser.add_argument(
        "--battles", type=int, default=BATTLES, metavar="N", help=f"so many are to wait in the end (default: {BATTLES})"
    )
    parser.add_argument("--json", action="store_true", help="report as JSON")
    parser.set_defaults(func=run)


def run(args: argparse.Namespace, app: App) -> int:
    """Prepare; Ctrl+C ends it early and keeps what was spoken (status 1)."""
    from dataclasses import replace

    from arena_desktop.audio.clip_file import read_clip
    from arena_desktop.audio.levels import prepare_pair
    from arena_desktop.services.battle_maker import BattleMaker
    from arena_desktop.services.pair_choice import pair_knowledge
    from arena_desktop.services.prompt_shelf import PromptShelf
    from arena_desktop.store.heard import heard_readings

    if not 1 <= args.battles <= MOST:
        raise UsageError(f"--battles must lie between 1 and {MOST:,}.")
    if not app.plan_shelf.claim():
        raise ArenaError(
            "A window of this data directory is open, or another render is at work.",
            "Press «Prepare 50 battles» there, or close it first.",
        )
    context = chosen_context(
        app.roster,
        replace(app.settings, listener=app.listener),
        args.arena,
        app.models,
        PromptShelf(app.text_key),
        app.host,
        lambda listener, models: heard_readings(app.log, listener, models),
    )
    known = pair_knowledge(app.board.votes(context.arena.id))
    maker = BattleMaker(app.clips, prepare_pair, read_clip, app.pace, app.room)
    rendering = Rendering(maker, app.plan_shelf, app.pace, lambda failure: None)
    began = time.monotonic()
    try:
        rendered = rendering.run(context, known, args.battles, _progress(sys.stderr))
    finally:
        app.host.close()
        rendering.close()
    _tell(rendered, args, time.monotonic() - began)
    return 1 if rendered.stopped or rendered.stocked.note else 0


def _progress(stream: TextIO, clock: Callable[[], float] = time.monotonic) -> Callable[[Stocked], None]:
    said = [clock()]

    def tell(stocked: Stocked) -> None:
        if stream.isatty() and stocked.running and clock() - said[0] >= 1.0:
            said[0] = clock()
            left = "" if stocked.left is None else f", {stocked.left.left}"
            say(f"{stocked.done:,} of {stocked.total:,} clips{left} …", file=stream, flush=True)

    return tell


def _tell(rendered: Rendered, args: argparse.Namespace, seconds: float) -> None:
    stocked = rendered.stocked
    if args.json:
        report = {
            "schema": 1,
            "arena": rendered.arena,
            "wanted": args.battles,
            "battles": stocked.battles,
            "unspoken": stocked.unspoken,
            "clips": {"done": stocked.done, "total": stocked.total, "failed": rendered.failed},
            "seconds": round(seconds, 3),
            "stopped": rendered.stopped,
            "note": stocked.note,
        }
        print(json.dumps(report, ensure_ascii=False))
        return
    battles = "1 battle waits" if stocked.battles == 1 else f"{stocked.battles:,} battles wait"
    say(f"{battles} in the arena {rendered.arena} with both clips spoken ({seconds:.0f} s).")
    if rendered.stopped:
        say("Stopped early; the battles that were drawn are played in their order all the same.")
    if stocked.unspoken:
        say(
            f"{stocked.unspoken:,} more, drawn earlier, lack clips: they are played after these, and spoken then"
            " or by a larger --battles."
        )
    if rendered.failed:
        say(f"{rendered.failed:,} clips could not be spoken; their battles were replaced. See `models check`.")
    if stocked.note:
        say(stocked.note)
