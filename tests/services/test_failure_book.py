"""How often models failed outlives the program, is told between battles alone, and can be begun anew."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from arena_desktop.domain.roster import ArenaSpec, ModelSpec, Roster
from arena_desktop.engines.failures import FailureCounts, Tally
from arena_desktop.engines.placement import GB, Machine
from arena_desktop.engines.types import FailureKind, Missing, SpeechFailure
from arena_desktop.services.failure_book import FailureBook, Shelf
from arena_desktop.services.inbox import Inbox
from arena_desktop.services.models import Models
from arena_desktop.services.views import Examined, ModelRow
from arena_desktop.store.measurements import MeasurementsFile
from arena_desktop.ui.models_page.facts import failures

MACHINE = Machine("Linux", "x86_64", 8, 16 * GB, (), None)
OTHER = Machine("Linux", "x86_64", 64, 512 * GB, (), None)


class Run:
    """One run of the program: what fails in it, the book, and the page."""

    def __init__(self, folder: Path, day: int = 1, machine: Machine = MACHINE) -> None:
        self.machine = machine
        self.counts = FailureCounts()
        self.path = folder / "failures.json"
        self.saves = 0
        self.book = FailureBook(
            self.counts.of,
            Shelf(MeasurementsFile(self.path), lambda: machine),
            changed=self._save,
            now=lambda: datetime(2026, 12, day, tzinfo=UTC),
        )
        self.book.open()
        models = {name: ModelSpec(name, name, engine="pico") for name in ("x/a", "x/b")}
        roster = Roster(models, {"english": ArenaSpec("english", ("x/a", "x/b"))})
        self.models = Models(roster, self, Inbox(), failures=self.book)
        self.models.refresh()

    def check(self, model: ModelSpec) -> tuple[Missing, ...]:
        return ()

    def place_of(self, model: ModelSpec) -> str:
        return ""

    def failures(self, repo_id: str) -> Tally:
        return self.counts.of(repo_id)

    def _save(self) -> None:
        self.saves += 1
        self.book.save()

    def fails(self, repo_id: str, kind: FailureKind = FailureKind.CRASH) -> None:
        self.counts.add(SpeechFailure(kind, repo_id, f"{repo_id} went wrong.", ""))
        self.models.refresh()

    def row(self, repo_id: str = "x/a") -> ModelRow:
        return next(row for row in self.models.view().rows if row.repo_id == repo_id)


def test_counts_go_on_at_the_next_start_with_the_day_of_the_last(tmp_path: Path) -> None:
    first = Run(tmp_path, day=1)
    first.fails("x/a")
    first.fails("x/a", FailureKind.HANG)
    later = Run(tmp_path, day=3)
    assert dict(later.row().failures) == {"crash": 1, "no answer in time": 1}
    assert failures(later.row()).endswith("Last, on 1 December 2026: x/a went wrong.")
    later.fails("x/a")
    assert dict(Run(tmp_path).row().failures) == {"crash": 2, "no answer in time": 1}
    assert Run(tmp_path).row().failed_when == "2026-12-03T00:00:00Z"
    assert Run(tmp_path).row("x/b").failures == ()
    assert Run(tmp_path, machine=OTHER).row().failures == ()  # another machine may have what this one lacks


def test_while_a_battle_is_open_nothing_is_told_or_written(tmp_path: Path) -> None:
    run = Run(tmp_path)
    run.models.hold()
    run.fails("x/a")
    assert run.row().failures == ()
    assert run.saves == 0
    assert not run.path.exists()
    assert Run(tmp_path).row().failures == ()  # the program ended before the vote
    run.models.release()
    assert dict(run.row().failures) == {"crash": 1}
    assert "x/a" in run.path.read_text()


def test_the_count_begins_anew_when_a_person_asks_even_while_a_battle_is_open(tmp_path: Path) -> None:
    run = Run(tmp_path)
    run.fails("x/a")
    run.fails("x/b")
    run.models.hold()
    run.models.clear_failures("x/a")
    assert run.row().failures == ()
    run.models.release()
    assert run.row().failures == ()
    assert dict(run.row("x/b").failures) == {"crash": 1}
    assert Run(tmp_path).row().failures == ()
    run.fails("x/a")
    assert dict(run.row().failures) == {"crash": 1}


@pytest.mark.parametrize("ok", [True, False])
def test_a_check_that_finds_nothing_odd_begins_the_count_anew(tmp_path: Path, ok: bool) -> None:
    run = Run(tmp_path)
    run.fails("x/a")
    run.models.was_examined("x/a", Examined(ok, () if ok else ("silence",), "2026-12-01T00:00:00Z"))
    assert bool(run.row().failures) is not ok
    assert bool(Run(tmp_path).row().failures) is not ok


@pytest.mark.parametrize(
    "entry",
    [
        {"repo_id": "x/a", "counts": {"crash": -1}, "last": "", "when": ""},
        {"repo_id": "x/a", "counts": {"telepathy": 3}, "last": "", "when": ""},
        {"repo_id": "x/a", "counts": {"crash": "many"}, "last": "", "when": ""},
        {"repo_id": 7, "counts": {"crash": 1}, "last": "", "when": ""},
        {"repo_id": "x/a", "counts": [], "last": "", "when": ""},
    ],
)
def test_what_is_no_count_is_not_believed(tmp_path: Path, entry: dict[str, object]) -> None:
    run = Run(tmp_path)
    run.fails("x/b")
    content = json.loads(run.path.read_text())
    next(iter(content["machines"].values()))["entries"].append(entry)
    run.path.write_text(json.dumps(content))
    again = Run(tmp_path)
    assert again.row().failures == ()
    assert dict(again.row("x/b").failures) == {"crash": 1}
    again.fails("x/a")
    assert dict(Run(tmp_path).row().failures) == {"crash": 1}
