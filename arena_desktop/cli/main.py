"""The command line's frame: options that hold everywhere, the choice of the command, exit statuses, errors in one
line.
"""

import argparse
import contextlib
import importlib
import io
import logging
import os
import signal
import sys
from typing import Any, NoReturn

from arena_desktop import __version__
from arena_desktop.cli.place import place
from arena_desktop.errors import ArenaError, UsageError
from arena_desktop.harmless import one_line
from arena_desktop.logs import quiet
from arena_desktop.paths import app_paths
from arena_desktop.temporary import own_temporary_folder

COMMANDS = {
    "selftest": ("selftest", "check that everything on this machine works together"),
    "doctor": ("doctor", "say what is missing on this machine and how to get it"),
    "models": ("models", "list, check, find, add or remove models"),
    "environments": ("environments", "list, make or remove the Python environments of engines"),
    "synth": ("synth", "have one model speak a text into a file"),
    "render": ("render", "prepare battles, so that nobody waits for a slow voice"),
    "votes": ("votes", "export, import, verify or retract votes"),
    "listeners": ("listeners", "list the listeners, or forget one"),
    "leaderboard": ("leaderboard", "show or write the leaderboard"),
    "ratings": ("ratings", "replay a vote log"),
    "audit": ("audit", "say what could be wrong with a leaderboard"),
    "bench": ("bench", "measure how fast the program is here"),
}
"""Command: the module in this package that defines it (imported only when it is called), and what it does."""

WITH_VALUE = {"--data-dir", "--roster", "--listener", "--speed", "--trace"}
NAMED = {"what", "model", "models", "hub_id", "recipe", "repo_id", "name", "remove_environment"}
NAMED |= {"listener", "only_listener"}
"""Arguments that name one thing: an unset variable of a shell is none."""
GLOBAL = WITH_VALUE | {"--silent"}


class Parser(argparse.ArgumentParser):
    """An argument parser whose complaint is one line, and that guesses no option from its first letters."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **{**options, "allow_abbrev": False})

    def error(self, message: str) -> NoReturn:
        if message.startswith("unrecognized arguments") and any(word in GLOBAL for word in message.split()):
            message += "; options that hold for every command go before it"
        self.exit(2, f"{self.prog}: {one_line(message)} (see {self.prog} --help)\n")


def build_parser(command: str | None, *, asks_for_help: bool = True) -> Parser:
    """The parser, with the arguments of ``command`` alone filled in (the others are named, not imported)."""
    parser = Parser(
        prog="arena-desktop",
        description="Blind listening tests of text-to-speech voices, offline. Without a command it opens the window.",
    )
    parser.add_argument("--version", action="version", version=f"arena-desktop {__version__}")
    parser.add_argument("--data-dir", type=place, metavar="DIR", help="keep everything in DIR and touch nothing else")
    parser.add_argument("--roster", type=place, metavar="FILE", help="the whole roster; nothing else is read")
    parser.add_argument("--listener", metavar="NAME", help="who listens: a name or a pseudonym (l-…)")
    parser.add_argument("--silent", action="store_true", help="play into nothing; such votes are kept apart")
    parser.add_argument("--speed", type=float, default=1.0, metavar="N", help="with --silent: N times as fast")
    parser.add_argument("--trace", type=place, metavar="FILE", help="write when things happened to FILE (JSON Lines)")
    if command is None and not asks_for_help:
        parser.set_defaults(command=None)  # the window: nothing of the commands is built
        return parser
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser)
    for name, (module, help_text) in COMMANDS.items():
        if name == command:
            importlib.import_module(f"arena_desktop.cli.{module}").add_parser(subparsers)
        else:
            subparsers.add_parser(name, help=help_text)
    return parser


def find_command(words: list[str]) -> str | None:
    """The first word that is neither an option nor an option's value."""
    rest = iter(words)
    for word in rest:
        if word in WITH_VALUE:
            next(rest, None)
        elif not word.startswith("-"):
            return word
    return None


def main(words: list[str]) -> int:
    """Run one command line. 0 done; 1 it couldn't be done or a check failed; 2 wrong usage."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A file name or a text may hold what the terminal's encoding can't show; that must not end a command.
            stream.reconfigure(errors="backslashreplace")
    with quiet():
        return _worded(words)


def _worded(words: list[str]) -> int:
    """The status of one command line; whatever goes wrong becomes one line."""
    try:
        return _run(words)
    except UsageError as error:
        return _say(str(error), 2)
    except ArenaError as error:
        return _say(str(error), 1)
    except BrokenPipeError:
        # Whoever read our output has had enough; Python must not complain about it again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        return _say("Interrupted.", 1)
    except OSError as error:
        where = error.filename or "The output"
        return _say(f"{where} can't be used: {error.strerror or error}.", 1)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 1
    except Exception as error:
        return _say(f"Something went wrong inside the program ({type(error).__name__}: {error}). This is a bug.", 1)


def _run(words: list[str]) -> int:
    args = build_parser(find_command(words), asks_for_help="-h" in words or "--help" in words).parse_args(words)
    if args.speed != 1.0 and not args.silent:
        raise UsageError("--speed needs --silent.")
    if not 0.1 <= args.speed <= 1000:
        raise UsageError("--speed must lie between 0.1 and 1000.")
    _check_text(args)
    paths = app_paths(args.data_dir)
    for out in (getattr(args, "output", None), getattr(args, "out", None), args.trace):
        if out is not None and paths.is_own(out):
            raise ArenaError(f"{out} is a file that the program keeps for itself.", "Write to another place.")
    if args.command is None:
        from arena_desktop.window import open_window

        with own_temporary_folder():
            return open_window(args, paths)
    if args.trace is not None:
        raise UsageError("--trace is for the window, not for a command.")
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # what is half written is cleared away
    from arena_desktop.app import Composition
    from arena_desktop.logs import LogFile

    with (
        own_temporary_folder(),
        contextlib.closing(LogFile(paths)),
        Composition(paths, roster_file=args.roster, listener_name=args.listener, silent=args.silent, tell=_note) as app,
    ):
        try:
            status: int = args.func(args, app)
        except (ArenaError, OSError, SystemExit):
            raise
        except Exception:
            logging.getLogger("arena_desktop").exception("a command failed")
            raise
        finally:
            for note in app.file_notes:
                _note(note)
        return status


def _check_text(args: argparse.Namespace) -> None:
    """File names may be any bytes; everything else that was typed must be text."""
    for name, value in vars(args).items():
        if name in NAMED and "" in (value if isinstance(value, list) else [value]):
            shown = name.removeprefix("only_").rstrip("s").upper().replace("_", "-")
            raise UsageError(f"The value of {shown} is empty.")
        if isinstance(value, str) and any("\ud800" <= char <= "\udfff" for char in value):
            raise UsageError(f"The value of {name.upper()} is not valid UTF-8.")


def _note(line: str) -> None:
    """What a person must know beside the command's own answer."""
    sys.stderr.write("arena-desktop: note: " + one_line(line) + "\n")


def _say(line: str, status: int) -> int:
    sys.stderr.write("arena-desktop: " + one_line(line) + "\n")
    return status
