"""What pip says, and what it means: how far it is, and why it failed."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from arena_desktop.errors import ArenaError
from arena_desktop.harmless import shortened

_UNITS = {"bytes": 1.0, "B": 1.0, "kB": 1e3, "MB": 1e6, "GB": 1e9}
_FETCHING = re.compile(r"^\s*(Downloading|Using cached) (\S+)(?: \(([\d.]+) (bytes|B|kB|MB|GB)\))?")
_FILE = re.compile(r"^\s*Processing (\S+)")
_PROGRESS = re.compile(r"^Progress (\d+) of (\d+)")
_COLLECTING = re.compile(r"^Collecting ([A-Za-z0-9._-]+)")
_INSTALLING = re.compile(r"^Installing collected packages: (.+)")
_BUILDING = re.compile(r"^\s*Building wheels? for (?:collected packages: )?([A-Za-z0-9._, -]+?)(?: \(|$)")


@dataclass(frozen=True)
class Said:
    """What goes on now: ``words``; ``fetched`` bytes in all so far; ``unpacking`` so many packages, 0 before."""

    words: str = ""
    fetched: float = 0.0
    unpacking: int = 0


class Listening:
    """Follows pip's lines."""

    def __init__(self, fetched: float = 0.0) -> None:
        self._done = fetched
        self._current = 0.0
        self._size = 0.0
        self._name = ""
        self.said = Said(fetched=fetched)

    def line(self, line: str) -> Said:
        """What is known after this line."""
        words, unpacking = self.said.words, self.said.unpacking
        if step := _PROGRESS.match(line):
            self._current, self._size = float(step[1]), float(step[2]) or self._size
            words = f"fetching {self._name}: {self._current / 1e6:.0f} of {self._size / 1e6:.0f} MB"
        elif found := _FETCHING.match(line):
            self._end_file()
            self._name = _package(found[2])
            self._size = float(found[3]) * _UNITS[found[4]] if found[3] else 0.0
            if found[1] == "Using cached":
                self._current = self._size
            size = f" ({found[3]} {found[4]})" if found[3] else ""
            words = f"{'fetching' if found[1] == 'Downloading' else 'taking from the cache:'} {self._name}{size}"
        elif found := _INSTALLING.match(line):
            self._end_file()
            unpacking = found[1].count(",") + 1
            words = f"unpacking {unpacking} package{'s' * (unpacking != 1)}"
        elif found := _BUILDING.match(line):
            words = f"building {shortened(found[1])}"
        elif found := _FILE.match(line):
            words = f"taking {_package(found[1])} from this disk"
        elif found := _COLLECTING.match(line):
            words = f"looking for {found[1]}"
        self.said = Said(words, self._done + self._current, unpacking)
        return self.said

    def _end_file(self) -> None:
        self._done += max(self._current, self._size)
        self._current = self._size = 0.0


def _package(file: str) -> str:
    return shortened(file.rpartition("/")[2].split("-")[0])


_NO_VERSION = re.compile(r"Could not find a version that satisfies the requirement (\S+).*\(from versions: (.*)\)")
_NO_MATCH = re.compile(r"No matching distribution found for (\S+)")
_OTHER_PYTHON = re.compile(r"require a different python version: (.+)")
_NO_CONNECTION = re.compile(
    r"connection broken|NewConnectionError|NameResolutionError|Temporary failure in name resolution"
    r"|Max retries exceeded|Read timed out|ConnectTimeoutError|Connection (?:aborted|refused|reset)"
    r"|Network is unreachable"
)
_AGAIN = "Check the connection, then do it again: what was fetched so far is kept."


@dataclass(frozen=True)
class _Cause:
    """A sign in pip's output, and what to say and advise."""

    sign: re.Pattern[str]
    message: str
    remedy: str


_CAUSES = (
    _Cause(
        re.compile(r"No space left on device|Errno 28|WinError 112|not enough space on the disk"),
        "the disk is full",
        "Make room, then do it again.",
    ),
    _Cause(
        re.compile(r"CERTIFICATE_VERIFY_FAILED|SSLError"),
        "the connection to the package index isn't trusted (its certificate was refused)",
        "Set pip's own option `cert`, if your network has a certificate of its own; then do it again.",
    ),
    _Cause(
        re.compile(r"ProxyError|407 Proxy"),
        "the proxy let nothing through",
        "Correct pip's own option `proxy`, then do it again.",
    ),
    _Cause(re.compile(r"DO NOT MATCH THE HASHES"), "a file arrived damaged", "Do it again."),
    _Cause(
        re.compile(r"Permission denied|Access is denied|Errno 13"),
        "a file could not be written",
        "Look who owns the data directory, then do it again.",
    ),
)


class NotToBeHad(ArenaError):
    """The index that was asked can't be reached, or has no such package for this machine: another may."""


def failure(status: int, lines: Sequence[str], python: str) -> ArenaError:
    """Why pip failed, from all that it said. ``python`` is the version of the Python, as ``3.11.7``."""
    text = "\n".join(lines)
    for cause in _CAUSES:
        if cause.sign.search(text):
            return ArenaError(f"The packages can't be installed: {cause.message}.", cause.remedy)
    unreachable = _NO_CONNECTION.search(text) is not None
    missing = _NO_VERSION.search(text) or _NO_MATCH.search(text)
    if missing is not None:
        return _not_found(missing, text, unreachable, python)
    if unreachable:
        return NotToBeHad("The packages can't be fetched: no package index can be reached.", _AGAIN)
    if "ResolutionImpossible" in text or "conflicting dependencies" in text:
        why = _after(lines, "The conflict is caused by")
        return ArenaError(f"The packages can't be installed together: {why}", "The recipe needs to be corrected.")
    if "subprocess-exited-with-error" in text or "Failed building wheel" in text or "metadata-generation" in text:
        return ArenaError(
            f"A package comes as source only, and it could not be built here: {_last(lines)}",
            "It may need a compiler and the headers of Python; the log of the set-up has the details.",
        )
    if status in (-9, 137):
        return ArenaError("The installation was ended from outside.", "Perhaps memory ran out. Do it again.")
    return ArenaError(f"The packages can't be installed: {_last(lines)}", "The log of the set-up has the details.")


def _not_found(missing: re.Match[str], text: str, unreachable: bool, python: str) -> NotToBeHad:
    name = shortened(missing[1])
    known = missing[2] if missing.re is _NO_VERSION else "none"
    other = _OTHER_PYTHON.search(text)
    version = missing[1].partition("==")[2]
    if other is not None and version and re.search(rf"\b{re.escape(version)} Requires-Python", other[1]):
        return NotToBeHad(
            f"{name} doesn't exist for Python {python}.", "The recipe's `python` needs to leave that version out."
        )
    if known.strip() != "none":
        newest = ", ".join(known.split(", ")[-3:])
        return NotToBeHad(
            f"The package index has no {name} for this machine and Python {python}; its newest: {shortened(newest)}.",
            "The recipe needs to be corrected.",
        )
    if unreachable:
        return NotToBeHad("The packages can't be fetched: no package index can be reached.", _AGAIN)
    return NotToBeHad(
        f"No package {name} was found for this machine and Python {python}.",
        "Check the connection and pip's own settings (an index of your own, say), then do it again.",
    )


def _after(lines: Sequence[str], sign: str) -> str:
    for number, line in enumerate(lines):
        if sign in line:
            return "; ".join(" ".join(found.split()) for found in lines[number + 1 : number + 3] if found.strip()) + "."
    return "their demands contradict each other."


def _last(lines: Iterable[str]) -> str:
    said = [line for line in lines if line.strip() and not _PROGRESS.match(line)]
    errors = [line for line in said if line.startswith("ERROR:")] or said[-1:]
    return shortened(errors[-1].removeprefix("ERROR:").strip(), 300) if errors else "it gave no reason."
