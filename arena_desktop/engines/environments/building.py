"""Making one environment: the standard library's ``venv`` of the chosen Python, then its pip."""

import importlib.metadata
import re
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from arena_desktop.domain.recipes import TORCH_FAMILY, Recipe, read_python_range
from arena_desktop.engines.environments import running, torch_build
from arena_desktop.engines.environments.contents import packages_in, site_packages
from arena_desktop.engines.environments.looking import look
from arena_desktop.engines.environments.pip_words import Listening, NotToBeHad, Said, failure
from arena_desktop.engines.environments.pythons import Python
from arena_desktop.engines.interpreter import python_in
from arena_desktop.errors import ArenaError

SCRATCH = "tmp"
PIP_WITH_PROGRESS = (24, 1)
MOST_LINES = 4000
FETCHED_SHARE = 0.45
"""About what the files to fetch come to, of what they take once unpacked."""
TORCH_PATIENCE_S = 6

Progress = Callable[[float, str], None]
"""Is told how much is done, 0–1 and never less than before, and what goes on; some five times a second. What it raises
ends the making."""


@dataclass(frozen=True)
class Built:
    """What came of it: the packages with their versions, and the build of torch in words ("" without)."""

    packages: Mapping[str, str]
    torch: str


class Building:
    """Makes the environment of ``recipe`` in ``folder``, which exists and holds nothing of importance.

    ``gpu``: there is an NVIDIA GPU. ``log`` is a file for all that the tools say, ``kept`` a file descriptor that they
    hold as long as they live.
    """

    def __init__(
        self,
        folder: Path,
        recipe: Recipe,
        python: Python,
        *,
        gpu: bool,
        log: IO[str],
        progress: Progress,
        kept: int | None = None,
    ) -> None:
        self._folder = folder
        self._recipe = recipe
        self._base = python
        self._gpu = gpu
        self._log = log
        self._progress = progress
        self._kept = kept
        self._scratch = folder / SCRATCH
        self._python = python_in(folder)
        self._share = 0.0
        self._words = ""
        self._listening = Listening()
        self._unpacked_before = 0
        self._pip_is: list[str] = []
        self._raw_progress = True

    def build(self) -> Built:
        """Make it. Raises :class:`ArenaError` with the reason, OSError if the disk fails, and whatever ``progress``
        raises; the folder is then left as it is.
        """
        self._scratch.mkdir(parents=True, exist_ok=True)
        self._venv()
        words = self._packages()
        if self._recipe.bare:
            self._pip(["--no-deps", *(pin.text for pin in self._recipe.bare)])
        shutil.rmtree(self._scratch, ignore_errors=True)
        self._say(0.98, "looking whether it works")
        seen = look(self._python)
        if seen.wrong:
            raise ArenaError(
                f"The environment was made, but it can't be used: {seen.wrong}", "The recipe needs to be corrected."
            )
        return Built(packages_in(self._folder), words)

    def _venv(self) -> None:
        """The bare environment. It gets a pip of its own only where ours can't fill it."""
        self._say(0.0, f"making an environment with Python {self._base.words}")
        own = own_pip(self._base.minor)
        lines: list[str] = []
        command = [self._base.path, "-m", "venv", *(["--without-pip"] if own else []), str(self._folder)]
        status = self._run(command, lines.append)
        if status != 0 or not self._python.exists():
            last = next((line for line in reversed(lines) if line.strip()), "it gave no reason")
            raise ArenaError(
                f"Python {self._base.words} ({self._base.path}) can't make an environment: {last}",
                f"On Debian and Ubuntu: sudo apt-get install python{self._base.minor[0]}.{self._base.minor[1]}-venv.",
            )
        if own:
            self._pip_is = [*own, "--python", str(self._python)]
            return
        self._pip_is = [str(self._python), "-m", "pip"]
        self._say(0.03, "getting pip ready")
        if self._inner_pip() < PIP_WITH_PROGRESS:  # an old one tells nothing of its progress, but it does
            quick = ["install", "--retries", "1", "--timeout", "15", "--upgrade", "pip"]
            self._run([*self._pip_is, *quick], lambda line: None)
        self._raw_progress = self._inner_pip() >= PIP_WITH_PROGRESS

    def _packages(self) -> str:
        """Install; gives the words for torch's build."""
        torch = self._torch()
        constraints: list[str] = []
        if torch is not None:
            fixed = self._scratch / "torch.txt"
            held = packages_in(self._folder)
            lines = [f"{name}=={version}\n" for name, version in held.items() if name in TORCH_FAMILY]
            fixed.write_text("".join(lines), encoding="utf-8")
            constraints = ["--constraint", str(fixed)]
        rest = [pin.text for pin in self._recipe.packages if torch is None or pin.name not in TORCH_FAMILY]
        if rest:
            self._pip([*constraints, *rest])
        return "" if torch is None else torch.words

    def _torch(self) -> torch_build.Build | None:
        """Install the best build that can be had; None if the recipe wants none."""

        def there(build: torch_build.Build) -> bool:
            self._say(self._share, f"torch: looking for {build.words}")
            quick = ["--dry-run", "--no-deps", "--ignore-installed", "--retries", "0"]
            quick += ["--timeout", str(TORCH_PATIENCE_S), *build.options, *build.requirements]
            return self._run([*self._pip_command(), *quick], lambda line: None) == 0

        builds = torch_build.builds(self._recipe, gpu=self._gpu)
        for build in torch_build.to_be_tried(builds, there):
            self._say(self._share, f"torch: {build.words}")
            try:
                self._pip([*build.options, *build.requirements])
            except NotToBeHad:
                if build is builds[-1]:
                    raise
            else:
                return build
        return None

    def _pip(self, arguments: Sequence[str]) -> None:
        lines: list[str] = []
        self._listening = Listening(self._listening.said.fetched)
        self._unpacked_before = self._unpacked()

        def heard(line: str) -> None:
            if len(lines) < MOST_LINES:
                lines.append(line)
            self._follow(self._listening.line(line))

        status = self._run([*self._pip_command(), *arguments], heard)
        if status != 0:
            raise failure(status, lines, self._base.words)

    def _pip_command(self) -> list[str]:
        command = [*self._pip_is, "install", "--no-input", "--no-warn-script-location"]
        command += ["--progress-bar", "raw" if self._raw_progress else "off"]
        command += ["--only-binary", ":all:"]
        for name in self._recipe.from_source:
            command += ["--no-binary", name]
        return command

    def _inner_pip(self) -> tuple[int, int]:
        return _version(packages_in(self._folder).get("pip", ""))

    def _run(self, command: Sequence[str], line: Callable[[str], None]) -> int:
        return running.run(
            self._base.path,
            command,
            running.surroundings(self._scratch),
            line=line,
            tick=self._tick,
            log=self._log,
            kept=self._kept,
        )

    def _tick(self) -> None:
        said = self._listening.said
        if said.unpacking:
            fresh = max(0, self._unpacked() - self._unpacked_before)
            self._share = max(self._share, 0.70 + 0.28 * min(1.0, fresh / said.unpacking))
        self._progress(self._share, self._words)

    def _follow(self, said: Said) -> None:
        expected = self._recipe.size_gb * 1e9 * FETCHED_SHARE
        self._say(0.05 + 0.65 * min(1.0, said.fetched / expected), said.words or self._words)

    def _say(self, share: float, words: str) -> None:
        self._share = max(self._share, share)
        self._words = words
        self._progress(self._share, words)

    def _unpacked(self) -> int:
        site = site_packages(self._folder)
        return 0 if site is None else sum(entry.suffix == ".dist-info" for entry in site.iterdir())


def own_pip(python: tuple[int, int]) -> list[str] | None:
    """How to call this program's own pip, if it has one that can fill an environment of this Python and says how far
    it is.
    """
    if getattr(sys, "frozen", False):
        return None
    try:
        distribution = importlib.metadata.distribution("pip")
    except importlib.metadata.PackageNotFoundError:
        return None
    wanted = read_python_range(distribution.metadata["Requires-Python"] or "")
    if wanted is None or not wanted.holds(python) or _version(distribution.version) < PIP_WITH_PROGRESS:
        return None
    return [sys.executable, "-m", "pip"]


def _version(text: str) -> tuple[int, int]:
    found = re.match(r"(\d+)\.(\d+)", text)
    return (int(found[1]), int(found[2])) if found else (0, 0)
