"""A disk that fills up in the middle of a vote, an import, an export, a merge, a copy, a recovery: said in words,
nothing lost, nothing half written, and all goes on when there is room again.
"""

import random
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from arena_desktop.paths import app_paths
from arena_desktop.store.backups import Backups
from arena_desktop.store.opening import open_log
from tests.helpers.damaged_logs import PAGE, change, leaf_pages
from tests.helpers.evidence import evidence
from tests.helpers.program import run
from tests.helpers.small_disk import SmallDisk, small_disk
from tests.helpers.vote_logs import write_lines
from tests.helpers.voting_child import finish, start
from tests.proofs.test_exchange_kills import _records

NUMBER = 7_000
"""Of a station: another one for each file."""


class Trial:
    """One log on a small disk, and what must hold whatever happens."""

    def __init__(self, disk: SmallDisk, aside: Path, size: int) -> None:
        self.disk = disk
        self.aside = aside
        self.size = size
        self.data = disk.folder
        self.database = app_paths(self.data).database
        self.refused = 0
        self.went_through = 0
        self.votes: list[str] = []
        self.files = 0

    def vote(self, room: int) -> None:
        """Votes until the disk is full: each confirmed one is there afterwards."""
        with self.disk.full(room) as limit:
            ids, refused = finish(start(self.database, 200, 0.0, limit))
        self.refused += bool(refused)
        self.went_through += not refused
        self.votes += ids
        ids, refused = finish(start(self.database, 1))
        assert not refused, refused
        self.votes += ids
        self.check()

    def imports(self, room: int) -> None:
        """A whole file or nothing of it."""
        file = self._file()
        before = self.count()
        done = self._refused(room, "votes", "import", str(file))
        assert self.count() == before + (self.size if done else 0)
        assert self._command(None, "votes", "import", str(file)).returncode == 0
        assert self.count() == before + self.size
        self.check()

    def exports(self, room: int) -> None:
        """A whole file or none."""
        self._writes(room, "out.jsonl", "votes", "export", "-o")

    def merges(self, room: int) -> None:
        """A whole file or none."""
        files = [str(self._file()), str(self._file())]
        self._writes(room, "merged.jsonl", "votes", "merge", *files, "-o")

    def copies(self, room: int) -> None:
        """No copy is a note; the log and older copies stay."""
        folder = app_paths(self.data).backups
        for found in folder.glob("*"):
            found.unlink()
        done = self._command(room, "votes", "verify")
        assert done.returncode in (0, 1), done.stderr
        made = list(folder.glob("votes-*"))
        if not made:
            assert "No copy of the vote log" in done.stderr or done.returncode == 1, done.stderr
        self.refused += not made
        self.went_through += bool(made)
        assert not list(folder.glob(".*partial*"))
        assert Backups(self.database, folder).take() is not None
        self.check()

    def recovers(self, room: int) -> None:
        """The damaged log stays as it is until there is room."""
        before = self.count()
        leaves = leaf_pages(self.database.read_bytes())
        change(self.database, 0, bytes(100))
        change(self.database, leaves[len(leaves) // 2], bytes(PAGE))
        broken = self.database.read_bytes()
        done = self._refused(room, "votes", "verify", allowed=("leaderboard",))
        aside = list(self.data.glob("votes.sqlite.damaged-*"))
        if not done:
            assert self.database.read_bytes() == broken
            assert not aside
        again = self._command(None, "votes", "verify")
        assert "were recovered" in again.stderr or done, again.stderr
        assert before - 3 <= self.count() <= before
        for found in self.data.glob("votes.sqlite.damaged-*"):
            assert found.suffix == ".txt" or found.read_bytes() == broken
            found.unlink()
        with open_log(self.database) as log:  # what the page held is gone for good
            held = {record["id"] for record in log.records()}
        self.votes = [vote for vote in self.votes if vote in held]

    def check(self) -> None:
        """Every vote is there once, the chain holds, nothing half written lies about."""
        with open_log(self.database) as log:
            assert log.notes == ()
            ids = [record["id"] for record in log.records()]
        assert len(ids) == len(set(ids))
        assert set(self.votes) <= set(ids)
        done = run("--data-dir", str(self.data), "votes", "verify")
        assert done.returncode == 0, done.stdout + done.stderr
        left = [found.name for found in self.data.rglob("*") if "partial" in found.name or "recover" in found.name]
        assert not left

    def count(self) -> int:
        """How many records there are."""
        with open_log(self.database) as log:
            return log.count()

    def _writes(self, room: int, name: str, *words: str) -> None:
        out = self.data / name
        done = self._refused(room, *words, str(out))
        assert out.exists() == done
        assert self._command(None, *words, str(out)).returncode == 0
        whole = out.read_bytes()
        assert whole.count(b"\n") > self.size
        done = self._refused(room, *words, str(out))
        assert out.read_bytes() == whole  # what was there is not spoilt either
        out.unlink()
        self.check()

    def _refused(self, room: int, *words: str, allowed: tuple[str, ...] = ()) -> bool:
        """Run a command on the full disk; whether it went through. If not, one line says why."""
        done = self._command(room, *words)
        if done.returncode == 0:
            self.went_through += 1
            return True
        self.refused += 1
        lines = [line for line in done.stderr.splitlines() if not line.startswith("arena-desktop: note: ")]
        assert done.returncode == 1, done.stderr
        assert len(lines) == 1, done.stderr
        assert "Traceback" not in done.stderr
        assert "bug" not in done.stderr, done.stderr
        return False

    def _command(self, room: int | None, *words: str) -> CompletedProcess[str]:
        return self.disk.run(room, "--data-dir", str(self.data), *words)

    def _file(self) -> Path:
        self.files += 1
        return write_lines(self.aside / f"{self.files}.jsonl", _records(NUMBER + self.files, self.size))


def _room(disk: SmallDisk, number: int, chance: random.Random) -> int:
    """Bytes: from none at all to nearly enough."""
    if not number % 4:
        return disk.little
    return chance.randrange(disk.much if number % 2 else disk.much // 8)


@pytest.mark.proof("disk_full")
@pytest.mark.timeout(1800)
def test_a_full_disk_is_said_and_costs_nothing(tmp_path: Path, full_counts: bool) -> None:
    chance = random.Random(20260103)
    rounds = 12 if full_counts else 1
    with small_disk(tmp_path / "small", 48, mounted=full_counts) as disk:
        trial = Trial(disk, tmp_path, size=300 if full_counts else 60)
        finish(start(trial.database, 40))
        acts: list[Callable[[int], None]] = [
            trial.vote, trial.imports, trial.exports, trial.merges, trial.copies, trial.recovers,
        ]  # fmt: skip
        for number in range(rounds):
            for act in acts:
                act(_room(disk, number, chance))
        evidence(
            "disk_full",
            {
                "disk": disk.kind,
                "acts": len(acts) * rounds,
                "refused_in_words": trial.refused,
                "had_room_enough": trial.went_through,
                "votes_kept": len(trial.votes),
            },
            holds=trial.refused > 0,
            claim="A disk that fills up during a vote, import, export, merge, copy or recovery is said in words, loses"
            " nothing, leaves nothing half written, and all goes on when there is room again.",
        )
