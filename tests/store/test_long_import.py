"""What a long import says while it runs."""

import io
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from arena_desktop.cli import progress
from arena_desktop.cli.main import build_parser
from arena_desktop.cli.votes import common
from arena_desktop.domain.policy import Policy
from arena_desktop.domain.roster import Roster
from arena_desktop.store.vote_log import VoteLog
from tests.helpers.vote_logs import ROSTER, open_log, write_lines

VOTE = {"arena": "english", "model_a": {"repo_id": "x/one"}, "model_b": {"repo_id": "x/two"}, "vote": "a"}


class Terminal(io.StringIO):
    """A stream that somebody looks at."""

    def isatty(self) -> bool:
        return True


class App:
    """What the commands ask of the program."""

    def __init__(self, log: VoteLog) -> None:
        self.log = log
        self.roster: Roster = ROSTER
        self.listener: str | None = None
        self.policy = Policy()


def _seconds(*readings: float) -> Callable[[], float]:
    values = iter(readings)
    return lambda: next(values)


def test_a_line_about_once_a_second() -> None:
    stream = Terminal()
    tell = progress.Progress(stream, "{:,} read", clock=_seconds(10.0, 10.5, 11.0, 11.9, 12.0))
    for done in (1000, 2000, 3000, 4000):
        tell(done)
    assert stream.getvalue() == "2,000 read\n4,000 read\n"


def test_nothing_where_nobody_looks() -> None:
    stream = io.StringIO()
    tell = progress.Progress(stream, "{:,} read", clock=_seconds(0.0, 50.0))
    tell(1000)
    assert stream.getvalue() == ""


@pytest.mark.parametrize(
    ("options", "stream", "says"), [([], Terminal, True), (["--json"], Terminal, False), ([], io.StringIO, False)]
)
def test_an_import_tells_how_far_it_is(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    options: list[str],
    stream: type[io.StringIO],
    says: bool,
) -> None:
    path = write_lines(tmp_path / "old", [{**VOTE, "note": n} for n in range(500)])
    errors = stream()
    monkeypatch.setattr(sys, "stderr", errors)
    with open_log(tmp_path / "log") as log:
        args = build_parser("votes").parse_args(["votes", "import", str(path), *options])
        monkeypatch.setattr(common, "Progress", lambda *given: progress.Progress(*given, clock=_seconds(0, 2, 4)))
        assert args.func(args, App(log)) == 0
    assert errors.getvalue() == ("250 records read …\n500 records read …\n500 records stored …\n" if says else "")
    assert "500" in capsys.readouterr().out
