"""The commands of the set-up: what each needs to be there, and what it starts."""

import os
import subprocess
import sys
from pathlib import Path

import checks
import proofs
import styles
import system_packages
import torch_build
from environment import Environment, Project
from saying import Fault, say

ROOT = Path(__file__).resolve().parent.parent
WORDS = ("run", "test", "prove", "torch", "styles", "lock")


def main(arguments: list[str]) -> int:
    """Carry a command line out. Faults are one line on standard error; gives 0, 1, 2 or the program's own status."""
    if not arguments or arguments[0] in ("-h", "--help"):
        text = sys.modules["__main__"].__doc__ or ""
        sys.stdout.write(text)
        return 0 if arguments else 2
    word, rest = arguments[0], arguments[1:]
    if word not in WORDS:
        sys.stderr.write(f"bootstrap: there is no command {word!r}; there are: {', '.join(WORDS)}\n")
        return 2
    try:
        return _carry_out(word, rest)
    except Fault as fault:
        sys.stderr.write(f"bootstrap: {fault}\n")
        return 1
    except KeyboardInterrupt:
        sys.stderr.write("bootstrap: stopped. The next call goes on from here.\n")
        return 130
    except OSError as problem:
        sys.stderr.write(f"bootstrap: {problem}. Mend that and call this again: it goes on from here.\n")
        return 1


def _carry_out(word: str, rest: list[str]) -> int:
    project = Project(ROOT)
    environment = Environment(project)
    if word == "run":
        light = bool(rest) and rest[0] == "--light"
        return _run(environment, light=light, arguments=rest[1:] if light else rest)
    if word == "test":
        _prepare(environment, ("base", "espeak", "torch", "test"), system_packages.FOR_TESTS)
        return checks.run_all(ROOT, environment.python, rest)
    if word == "prove":
        _prepare(environment, ("base", "espeak", "torch", "test"), system_packages.FOR_TESTS)
        return proofs.prove(ROOT, environment.python, rest)
    if word == "torch":
        return _torch_again(environment, rest)
    if word == "styles":
        _prepare(environment, ("base",), ())
        return 0 if styles.fetch(environment.folder) else 1
    _prepare(environment, ("base",), ())
    return subprocess.call([str(environment.python), str(ROOT / "packaging" / "lock.py"), *rest])


def _run(environment: Environment, *, light: bool, arguments: list[str]) -> int:
    groups = ("base", "espeak") if light else ("base", "espeak", "torch")
    _prepare(environment, groups, system_packages.FOR_RUNNING)
    command = [str(environment.python), "-m", "arena_desktop", *arguments]
    if os.name == "posix":
        sys.stdout.flush()
        os.execv(command[0], command)  # the program takes this process over: its signals and status are the user's
    try:
        return subprocess.call(command)
    except KeyboardInterrupt:
        return 130


def _prepare(environment: Environment, groups: tuple[str, ...], needs: tuple[system_packages.Need, ...]) -> None:
    system_packages.ensure((*system_packages.FOR_VENV, *needs))
    if "torch" in groups and not torch_build.exists_here():
        say("torch: none is published for this kind of machine; the ONNX voices work without it.")
        groups = tuple(group for group in groups if group != "torch")
    if environment.ready(groups):
        return
    environment.set_up(groups, styles.ensure)


def _torch_again(environment: Environment, rest: list[str]) -> int:
    if len(rest) > 1 or (rest and rest[0] not in torch_build.KINDS):
        sys.stderr.write(f"bootstrap: torch takes one of {', '.join(torch_build.KINDS)}, or nothing\n")
        return 2
    system_packages.ensure(system_packages.FOR_VENV)
    environment.set_up(
        ("base", "espeak", "torch"), styles.ensure, torch_kind=rest[0] if rest else None, torch_again=True
    )
    return 0
