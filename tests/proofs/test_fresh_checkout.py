"""From a fresh checkout and an empty home to the running program, with times, sizes, and kills in between."""

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import damage
from tests.helpers.evidence import Figure, evidence
from tests.helpers.sources import ROOT, tracked_files

_PASSED_ON = re.compile(r"PATH|LANG|LC_.*|TERM|PIP_(?!NO_INDEX).*|.*_proxy|SSL_.*|.*CA_.*|npm_config_.*", re.IGNORECASE)
KILLS = 5


class Checkout:
    """A copy of the tracked files with a home of its own, and the set-up in it."""

    def __init__(self, place: Path, **variables: str) -> None:
        self.root = place / "arena"
        for path in tracked_files():
            target = self.root / path.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, target)
        (place / "home").mkdir()
        kept = {key: value for key, value in os.environ.items() if _PASSED_ON.fullmatch(key)}
        self.environment = kept | {"HOME": str(place / "home"), "PIP_NO_CACHE_DIR": "1"} | variables

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        """Begin a command of the set-up, in a process group of its own."""
        return subprocess.Popen(
            [_python(), str(self.root / "packaging" / "bootstrap.py"), *arguments],
            cwd=self.root,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    def run(self, *arguments: str, within: float = 1800.0) -> tuple[int, str, float]:
        """(status, what it said, seconds) of a command carried to its end."""
        begun = time.monotonic()
        with self.start(*arguments) as process:
            said, _ = process.communicate(timeout=within)
        return process.returncode, said, time.monotonic() - begun

    def killed(self, *arguments: str, after: float) -> str:
        """The last line that a command said before it and all its children were killed."""
        process = self.start(*arguments)
        with process:
            time.sleep(after)
            os.killpg(process.pid, signal.SIGKILL)
            said, _ = process.communicate()
        return said.strip().splitlines()[-1] if said.strip() else ""

    def broken_packages(self) -> list[str]:
        """Packages with a file missing or wrong."""
        (site,) = (self.root / ".venv" / "lib").glob("python3*/site-packages")
        found = {info.name.partition("-")[0] for info in site.glob("*.dist-info")}
        return [name for name in found if not damage.is_whole(site, name)]


def _python() -> str:
    """The Python that made this environment, not the environment's own."""
    return str(Path(sys.base_prefix) / "bin" / f"python3.{sys.version_info[1]}")


@pytest.mark.proof("fresh-checkout")
@pytest.mark.timeout(0)
def test_from_a_fresh_checkout_to_the_program(tmp_path: Path, full_counts: bool) -> None:
    if not full_counts:
        _without_network_it_ends_in_words_and_stays_repairable(tmp_path)
        return
    figures: dict[str, Figure] = {}
    first = Checkout(tmp_path / "first")
    status, said, seconds = first.run("run", "--light", "selftest", "--json")
    works = status == 0 and json.loads(said[said.index("{") :])["ok"]
    figures |= {"light_first_s": round(seconds, 1), "light_download": _downloaded(said)}
    status, said, seconds = first.run("run", "--light", "--version")
    figures |= {"second_run_s": round(seconds, 2)}
    quick = status == 0 and seconds <= 5.0 and "Installing" not in said

    status, said, seconds = first.run("run", "--version")
    figures |= {"with_torch_more_s": round(seconds, 1), "torch": _torch(said), "torch_download": _downloaded(said)}
    full = status == 0 and "torch" in figures
    _, said, _ = first.run("run", "--light", "--version")
    kept = subprocess.run([first.root / ".venv/bin/python", "-c", "import torch"], check=False).returncode == 0

    second = Checkout(tmp_path / "second")
    chance = random.Random()
    for number in range(KILLS):
        after = chance.uniform(0.5, float(str(figures["light_first_s"])) * 0.8)
        last = second.killed("run", "--light", "--version", after=after)
        figures[f"kill_{number + 1}"] = f"after {after:.1f} s, at: {last}"
    status, said, seconds = second.run("run", "--light", "selftest", "--json")
    repaired = status == 0 and json.loads(said[said.index("{") :])["ok"] and not second.broken_packages()
    figures |= {"after_kills_s": round(seconds, 1)}

    status, said, seconds = first.run("test", within=3600)
    figures |= {
        "checks_s": round(seconds, 1),
        "checks_status": status,
        "checks_last_line": said.strip().splitlines()[-1],
    }
    figures |= {f"failed_{n}": line for n, line in enumerate(re.findall(r"^(?:FAILED|ERROR) (.*)", said, re.M), 1)}
    holds = all((works, quick, full, kept, repaired, status == 0))
    evidence(
        "fresh-checkout",
        figures,
        holds,
        claim="A fresh checkout with an empty home: both commands run start to end; kills in between are repaired.",
    )


def _without_network_it_ends_in_words_and_stays_repairable(place: Path) -> None:
    """The reduced count: a real environment and a real pip that finds no index; twice, as a person would try."""
    checkout = Checkout(place / "only", PIP_NO_INDEX="1", PIP_FIND_LINKS=str(place))
    for attempt in (1, 2):
        status, said, _ = checkout.run("run", "--light", "--version", within=110)
        last = said.strip().splitlines()[-1]
        assert (status, last.partition(":")[0]) == (1, "bootstrap"), said
        assert "the package index does not answer, or has no such file" in last
        assert "Traceback" not in said
        assert ("Making an environment" in said) is (attempt == 1), "the second call makes it again"
    assert not checkout.broken_packages()
    evidence("fresh-checkout", {"attempts_without_network": 2}, holds=True)


def _downloaded(said: str) -> str:
    found = re.search(r"Set up in .*, ([\d.]+ [kMG]B) downloaded", said)
    return found[1] if found else "nothing"


def _torch(said: str) -> str:
    found = re.search(r"torch [\d.]+: (.*)", said)
    return found[1] if found else "unknown"
