"""Examining from the window: progress on the card, results kept, stopped at once, still while a battle is open."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arena_desktop.audio.examine import Flag
from arena_desktop.audio.types import Clip
from arena_desktop.domain.fixed_set import FixedText
from arena_desktop.domain.roster import ModelSpec, Roster, Voice
from arena_desktop.domain.word_errors import Recogniser
from arena_desktop.engines.failures import FailureCounts, Tally
from arena_desktop.engines.hearing import DeafError
from arena_desktop.engines.machine_facts import GB, Machine
from arena_desktop.engines.types import FailureKind, Identity, Missing, SpeechFailure
from arena_desktop.services.examinations import Examinations
from arena_desktop.services.examiner import Examiner
from arena_desktop.services.examining import Examination, Heard
from arena_desktop.services.inbox import Inbox
from arena_desktop.services.models import Models
from arena_desktop.store.measurements import MeasurementsFile
from arena_desktop.ui.models_page.facts import examined as examined_words

HERE = Machine("Linux", "x86_64", 2, 8 * GB)
ONE, TWO = ModelSpec("x/one", "One", engine="e"), ModelSpec("x/two", "Two", engine="e")
ROSTER = Roster({"x/one": ONE, "x/two": TWO}, {})
TEXT = FixedText("sentence", "Hello.", 5)


class Host:
    """Weights are named after the model; closing it ends what waits."""

    def __init__(self) -> None:
        self.counts = FailureCounts()
        self.closed = threading.Event()
        self.machine = HERE

    def check(self, model: ModelSpec) -> tuple[Missing, ...]:
        return ()

    def prompts(self, model: ModelSpec) -> None:
        return None

    def place_of(self, model: ModelSpec) -> str:
        return ""

    def failures(self, repo_id: str) -> Tally:
        return self.counts.of(repo_id)

    def identify(self, model: ModelSpec, voice: Voice | None = None) -> Identity:
        return Identity("e", "1", model.repo_id, "settings")

    def speak(self, *_: Any) -> Any:
        raise AssertionError("the examination is acted here")

    def close(self) -> None:
        self.closed.set()


class Listening:
    """A recogniser that hears "hello" in every clip; with ``deaf`` it hangs until it is closed."""

    recogniser = Recogniser("test 1", "Test", frozenset({"en"}))

    def __init__(self, *, deaf: bool = False) -> None:
        self.deaf = deaf
        self.asked = threading.Event()
        self.closed = threading.Event()

    def hear(self, sound: Any, language: str) -> str:
        self.asked.set()
        if self.deaf:
            assert self.closed.wait(30)
            raise DeafError("The recogniser failed: the program is closing.", cancelled=True)
        return "hello"

    def close(self) -> None:
        self.closed.set()


class Stage:
    """The Models page with an examiner whose examinations are acted by ``act``, with an ``ear`` or without."""

    def __init__(self, folder: Path, act: Callable[..., Examination], ear: Listening | None = None) -> None:
        self.inbox = Inbox()
        self.woken = threading.Event()
        self.inbox.set_waker(self.woken.set)
        self.host = Host()
        self.hosts: list[Host] = []
        self.file = MeasurementsFile(folder / "examinations.json")
        self.kept = Examinations(self.file, lambda: self.host, lambda: HERE)
        self.shown: list[Any] = []
        self.voted: set[str] = set()
        self.notes: list[str] = []
        self.models = Models(
            ROSTER,
            self.host,
            self.inbox,
            examined=self.kept.of,
            changed=self.shown.append,
            offers=frozenset({"examine"}),
            voted=lambda: frozenset(self.voted),
        )
        self.models.check_now()
        self.examiner = Examiner(
            inbox=self.inbox,
            models=lambda: ROSTER.models,
            new_host=self._new_host,
            new_ear=lambda: ear,
            examine=act,
            examinations=self.kept,
            shown=self.models,
            count=self.host.counts.add,
            note=self.notes.append,
        )

    def _new_host(self) -> Host:
        self.hosts.append(Host())
        return self.hosts[-1]

    def row(self, repo_id: str = "x/one") -> Any:
        return next(row for row in self.models.view().rows if row.repo_id == repo_id)

    def until(self, happened: Callable[[], Any]) -> None:
        for _ in range(200):
            self.inbox.drain()
            if happened():
                return
            self.woken.wait(0.1)
            self.woken.clear()
        raise AssertionError("it never happened")


def clear(model: ModelSpec, host: Host, *, progress: Callable[[int, int], None], **_: Any) -> Examination:
    progress(0, 1)
    return Examination(model, "en", (Heard(TEXT),))


def flagged(model: ModelSpec, host: Host, *, progress: Callable[[int, int], None], **_: Any) -> Examination:
    return Examination(model, "en", (Heard(TEXT, flags=(Flag("hum", "a hum"),)),))


def crashed(model: ModelSpec, host: Host, *, progress: Callable[[int, int], None], **_: Any) -> Examination:
    failure = SpeechFailure(FailureKind.CRASH, model.repo_id, "It crashed.")
    return Examination(model, "en", (Heard(TEXT, failure=failure),))


def endless(model: ModelSpec, host: Host, *, progress: Callable[[int, int], None], **_: Any) -> Examination:
    progress(0, 6)
    assert host.closed.wait(30)
    raise SpeechFailure(FailureKind.CANCELLED, model.repo_id, "The program is closing.")


def overheard(model: ModelSpec, host: Host, *, overhear: Callable[..., None], **_: Any) -> Examination:
    overhear(TEXT, Clip(np.zeros(16_000, np.float32), 16_000), "en")
    return Examination(model, "en", (Heard(TEXT),))


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Callable[..., Stage]]:
    made: list[Stage] = []

    def make(act: Callable[..., Examination], ear: Listening | None = None) -> Stage:
        made.append(Stage(tmp_path, act, ear))
        return made[-1]

    yield make
    for one in made:
        one.examiner.close()
        one.inbox.close()


@pytest.mark.parametrize(
    ("act", "ok", "flags", "failures"),
    [
        (clear, True, (), ()),
        (flagged, False, ("hum (1 of 1)",), ()),
        (crashed, False, ("could not speak: crash",), (("crash", 1),)),
    ],
)
def test_what_was_found_shows_and_is_there_after_a_restart(
    stage: Callable[..., Stage], act: Any, ok: bool, flags: tuple[str, ...], failures: tuple[Any, ...]
) -> None:
    first = stage(act)
    first.examiner.examine("x/one")
    assert first.row().busy
    first.until(lambda: not first.row().busy)
    assert (first.row().examined.ok, first.row().examined.flags) == (ok, flags)
    assert first.row().failures == failures
    assert first.hosts[0].closed.is_set()
    assert first.notes == []
    again = stage(act)
    assert again.row().examined == first.row().examined
    assert again.row("x/two").examined is None


def test_it_is_stopped_at_once_and_leaves_nothing(stage: Callable[..., Stage]) -> None:
    one = stage(endless)
    one.examiner.examine("x/one")
    one.examiner.examine("x/two")
    one.until(lambda: "text 1 of 6" in one.row().busy)
    assert one.row().stoppable
    one.examiner.stop("x/two")
    one.examiner.stop("x/one")
    one.until(lambda: not one.row().busy and not one.row("x/two").busy)
    assert not one.row().stoppable
    assert one.row().examined is None
    assert one.row().failures == ()
    assert len(one.hosts) == 1  # the one that waited never began


def test_a_recogniser_listens_too_and_its_rate_is_shown_to_whoever_has_voted(stage: Callable[..., Stage]) -> None:
    ear = Listening()
    one = stage(overheard, ear)
    one.examiner.examine("x/one")
    one.until(lambda: one.row().examined is not None and not one.row().busy)
    assert one.row().examined.words == ()
    assert ear.closed.is_set()
    one.voted.add("x/one")
    one.models.refresh()
    (test,) = one.row().examined.words
    assert (test.title, test.errors.words, test.errors.rate) == ("Test", 1, 0.0)
    again = stage(overheard)
    again.voted.add("x/one")
    again.models.refresh()
    assert again.row().examined == one.row().examined


class Foreign(Listening):
    recogniser = Recogniser("test 1", "Test", frozenset({"fr"}))


class Killed(Listening):
    def hear(self, sound: Any, language: str) -> str:
        raise DeafError("The recogniser failed: it was ended.", "It was started again.")


@pytest.mark.parametrize(
    ("ear", "why"),
    [(Foreign(), "Test doesn't know the language en"), (Killed(), "it was ended. It was started again.")],
)
def test_why_there_is_no_rate_is_said(stage: Callable[..., Stage], ear: Listening, why: str) -> None:
    one = stage(overheard, ear)
    one.examiner.examine("x/one")
    one.models.hold()  # it was asked for: its card may say so beside an open battle, and nothing else may
    one.until(lambda: one.row().examined is not None and not one.row().busy)
    assert one.row().examined.ok  # of the model nothing is wrong
    assert why in examined_words(one.row().examined)
    assert one.notes == []


def test_a_recogniser_that_hangs_is_stopped_with_the_rest(stage: Callable[..., Stage]) -> None:
    ear = Listening(deaf=True)
    one = stage(overheard, ear)
    one.examiner.examine("x/one")
    assert ear.asked.wait(30)
    one.examiner.stop("x/one")
    one.until(lambda: not one.row().busy)
    assert (one.row().examined, one.row().failures, one.notes) == (None, (), [])


def test_while_a_battle_is_open_only_what_was_asked_for_is_told(stage: Callable[..., Stage]) -> None:
    one = stage(crashed)
    one.models.hold()
    before = one.row()
    one.examiner.examine("x/two")
    one.until(lambda: one.row("x/two").examined is not None and not one.row("x/two").busy)
    assert one.row() == before
    assert one.row("x/two").failures == ()  # a count could tell of a battle's clips: it waits
    one.models.release()
    assert one.row("x/two").failures == (("crash", 1),)


def test_a_file_that_can_not_be_written_is_said(stage: Callable[..., Stage], tmp_path: Path) -> None:
    one = stage(clear)
    (tmp_path / "examinations.json").mkdir()
    one.examiner.examine("x/one")
    one.until(lambda: bool(one.notes))
    assert "can't be written" in one.notes[0]


@pytest.mark.parametrize("content", ["", "[1]", '{"machines": {"M": {"entries": [5, {"key": 7}, {"key": "a"}]}}}'])
def test_a_damaged_file_is_as_good_as_none(stage: Callable[..., Stage], tmp_path: Path, content: str) -> None:
    (tmp_path / "examinations.json").write_text(content)
    assert stage(clear).row().examined is None


def test_what_another_program_examined_is_seen_when_somebody_looks_anew(tmp_path: Path) -> None:
    file = MeasurementsFile(tmp_path / "examinations.json")
    here, there = (Examinations(file, Host, lambda: HERE) for _ in range(2))
    model = next(iter(ROSTER.models.values()))
    assert here.of(model) is None
    kept = there.keep(model, spoke=True, flags=("too quiet",), texts=6)
    assert here.of(model) is None
    here.look_anew()
    assert here.of(model) == kept
