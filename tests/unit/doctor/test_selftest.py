import json
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
import soundfile

from arena_desktop.cli import selftest as command
from arena_desktop.domain.roster import ModelSpec, Roster, Voice
from arena_desktop.engines.types import FailureKind, Missing, SpeechFailure, Spoken
from arena_desktop.errors import ArenaError
from arena_desktop.services import exchange, selftest

ROSTER = Roster(
    {
        "a/a": ModelSpec("a/a", "A", engine="one", voices=(Voice("v"),)),
        "b/b": ModelSpec("b/b", "B", engine="one"),
        "c/c": ModelSpec("c/c", "C", engine="two"),
        "d/d": ModelSpec("d/d", "D"),
    },
    {},
)


class Host:
    """Speaks noise; ``lacking`` models are not ready, ``broken`` ones fall over."""

    def __init__(self, lacking: Sequence[str] = (), broken: Sequence[str] = ()) -> None:
        self.lacking, self.broken = lacking, broken
        self.asked: list[tuple[str, str | None]] = []

    def check(self, model: ModelSpec) -> Sequence[Missing]:
        return [Missing("x", "y")] if model.repo_id in self.lacking else []

    def speak(self, model: ModelSpec, text: str, voice: Voice | None, out: Path, take: int = 0) -> Spoken:
        if model.repo_id in self.broken:
            raise SpeechFailure(FailureKind.CRASH, model.repo_id, "It crashed.", "Install it anew.")
        self.asked.append((model.repo_id, voice.id if voice else None))
        noise = np.random.default_rng(len(self.asked)).normal(0, 0.05, 16_000).astype(np.float32)
        soundfile.write(out, noise, 16_000, subtype="FLOAT")
        return Spoken(out, 16_000, 16_000, 0.1, 0.1, "cpu", "float32", "")


class App:
    def __init__(self, host: Host, roster: Roster | ArenaError = ROSTER) -> None:
        self.host = host
        self._roster = roster

    @property
    def roster(self) -> Roster:
        if isinstance(self._roster, ArenaError):
            raise self._roster
        return self._roster


def run(app: App, capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, selftest.Check], str]:
    parser = ArgumentParser()
    command.add_parser(parser.add_subparsers())
    args = parser.parse_args(["selftest", "--json"])
    status = args.func(args, app)
    out, err = capsys.readouterr()
    report = json.loads(out)
    assert report["schema"] == 1
    assert report["ok"] == (status == 0)
    return status, {one["name"]: selftest.Check(**one) for one in report["checks"]}, err


def test_everything_works_together_here(capsys: pytest.CaptureFixture[str]) -> None:
    host = Host()
    status, checks, err = run(App(host), capsys)
    assert [check for check in checks.values() if not check.ok] == []
    assert list(checks) == ["settings", "database", "ratings", "prompts", "roster", "speech", "levels", "player"]
    assert (status, err) == (0, "")
    assert host.asked == [("a/a", "v"), ("c/c", None)], "one model of each engine speaks"


def test_an_engine_that_falls_over_fails_the_test_and_the_other_checks_go_on(
    capsys: pytest.CaptureFixture[str],
) -> None:
    status, checks, err = run(App(Host(broken=["c/c"])), capsys)
    assert status == 1
    assert [name for name, check in checks.items() if not check.ok] == ["speech"]
    assert "It crashed." in checks["speech"].detail
    assert err == "arena-desktop: the self-test failed: speech.\n"


def test_models_that_are_not_ready_are_passed_over_but_one_must_be(capsys: pytest.CaptureFixture[str]) -> None:
    host = Host(lacking=["a/a", "c/c"])
    assert run(App(host), capsys)[0] == 0
    assert host.asked == [("b/b", None)]
    status, checks, _ = run(App(Host(lacking=["a/a", "b/b", "c/c"])), capsys)
    assert status == 1
    assert "No model is ready" in checks["speech"].detail
    assert checks["levels"].ok
    assert checks["player"].ok


def test_a_faulty_roster_is_a_finding(capsys: pytest.CaptureFixture[str]) -> None:
    status, checks, _ = run(App(Host(), ArenaError("The roster has a fault.", "Mend it.")), capsys)
    assert status == 1
    assert checks["roster"].detail == "The roster has a fault. Mend it."


def test_whatever_breaks_is_a_finding_and_no_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(folder: Path) -> str:
        raise ZeroDivisionError("oh")

    monkeypatch.setattr(selftest, "check_ratings", broken)
    _, checks, _ = run(App(Host()), capsys)
    assert checks["ratings"] == selftest.Check("ratings", False, "ZeroDivisionError: oh")


def test_wrong_ratings_are_noticed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(selftest, "RATING_AFTER_ONE_VOTE", (1087.044, 892.956))
    with pytest.raises(selftest.Failed, match="1087"):
        selftest.check_ratings(tmp_path)


def test_a_check_of_the_log_that_sees_nothing_is_noticed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(exchange, "verify_files", lambda paths: exchange.VerifyReport(records=5))
    with pytest.raises(selftest.Failed, match="changed afterwards"):
        selftest.check_database(tmp_path)


def test_the_text_report_has_a_line_a_check(capsys: pytest.CaptureFixture[str]) -> None:
    parser = ArgumentParser()
    command.add_parser(parser.add_subparsers())
    args = parser.parse_args(["selftest"])
    assert args.func(args, App(Host())) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 8
    assert all(line.startswith("ok ") for line in lines)
