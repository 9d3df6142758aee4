"""What the Listen page tells of battles being prepared: true between battles, still while one is open."""

import pytest

from arena_desktop.services.next_wait import LONGER, NextWait
from arena_desktop.services.pace import Pace
from arena_desktop.services.preparing import BATTLES, OFFER, Preparing
from arena_desktop.services.stock import Stocked
from arena_desktop.services.views import PreparingView, Tone
from arena_desktop.services.waiting_words import Estimate, about, at_least, within


class Asked:
    """Takes down what is asked of the one who prepares."""

    def __init__(self) -> None:
        self.verbs: list[int] = []

    def prepare(self, battles: int) -> None:
        self.verbs.append(battles)

    def stop_preparing(self) -> None:
        self.verbs.append(0)


def preparing() -> tuple[Preparing, Asked, list[PreparingView]]:
    asked, shown = Asked(), list[PreparingView]()
    return Preparing(asked, shown.append), asked, shown


RUNNING = Stocked(ready=True, running=True, done=34, total=100, left=Estimate(240.0), a_battle=Estimate(7.2))


def test_the_offer_names_what_it_costs_here() -> None:
    page, asked, shown = preparing()
    page.stocked(Stocked(ready=True))
    assert (shown[-1].offer, shown[-1].can_prepare) == (OFFER, True)
    page.stocked(Stocked(ready=True, a_battle=Estimate(7.2)))
    assert shown[-1].offer == "Prepare 50 battles (about 6 min)"
    page.stocked(Stocked(ready=True, battles=40, a_battle=Estimate(7.2)))
    assert shown[-1].offer == "Prepare 50 battles (about 1 min)"
    assert shown[-1].line.text == "40 battles are prepared."
    page.begin()
    assert asked.verbs == [BATTLES]


def test_models_that_were_never_measured_are_not_passed_over_in_silence() -> None:
    page, _, shown = preparing()
    page.stocked(Stocked(ready=True, a_battle=Estimate(7.2, whole=False)))
    assert shown[-1].offer == "Prepare 50 battles (at least 6 min)"
    page.stocked(Stocked(ready=True, a_battle=Estimate(0.1, whole=False)))
    assert shown[-1].offer == "Prepare 50 battles (time not yet known)"
    page.stocked(Stocked(ready=True, running=True, done=1, total=100, left=Estimate(95.0, whole=False)))
    assert shown[-1].line.text == "Preparing battles: 1 of 100 clips, at least 1 min left."
    page.stocked(Stocked(ready=True, running=True, done=1, total=100, left=Estimate(0.1, whole=False)))
    assert shown[-1].line.text == "Preparing battles: 1 of 100 clips, time left not yet known."
    assert [at_least(seconds) for seconds in (19, 59, 119, 5399, 7200)] == [
        "at least 10 s",
        "at least 50 s",
        "at least 1 min",
        "at least 1 h",
        "at least 2 h",
    ]


def test_progress_is_by_clips_of_all() -> None:
    page, _, shown = preparing()
    page.stocked(RUNNING)
    assert shown[-1].line.text == "Preparing battles: 34 of 100 clips, about 4 min left."
    assert (shown[-1].share, shown[-1].can_stop, shown[-1].can_prepare) == (0.34, True, False)
    page.stocked(Stocked(ready=True, battles=50, done=100, total=100))
    assert (shown[-1].can_prepare, shown[-1].line.text) == (False, "50 battles are prepared.")
    page.stocked(Stocked(ready=True, note="The disk is full."))
    assert (shown[-1].line.text, shown[-1].line.tone) == ("The disk is full.", Tone.WARNING)


def test_while_a_battle_is_open_nothing_is_told_that_was_not_asked_for() -> None:
    page, asked, shown = preparing()
    page.stocked(Stocked(ready=True, a_battle=Estimate(7.2)))
    page.hold()
    before = len(shown)
    page.stocked(RUNNING)
    assert len(shown) == before
    page.begin()
    assert shown[-1].can_stop
    assert shown[-1].share is None
    assert not any(letter.isdigit() for letter in shown[-1].line.text)
    told = len(shown)
    page.stocked(Stocked(ready=True, running=True, done=35, total=100))
    assert len(shown) == told
    page.stop()
    assert (shown[-1].can_prepare, shown[-1].can_stop) == (True, False)
    assert not any(letter.isdigit() for letter in shown[-1].line.text)
    page.stocked(RUNNING)
    page.release()
    assert shown[-1].line.text.startswith("Preparing battles: 34 of 100")
    assert asked.verbs == [BATTLES, 0]


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "a few seconds"),
        (7, "about 10 s"),
        (44, "about 40 s"),
        (59, "about 1 min"),
        (90, "about 2 min"),
        (360, "about 6 min"),
        (3600, "about 1 h"),
        (5_400, "about 1.5 h"),
    ],
)
def test_times_in_words(seconds: float, words: str) -> None:
    assert about(seconds) == words


def test_a_promise_is_rounded_up() -> None:
    assert [within(seconds) for seconds in (0.1, 5, 5.1, 60, 61, 120)] == [
        "within 5 s",
        "within 5 s",
        "within 10 s",
        "within 60 s",
        "within 2 min",
        "within 2 min",
    ]


def test_the_wait_is_told_by_the_slowest_pair_of_the_arena_whatever_is_prepared() -> None:
    pace = Pace({"x/slow": 30.0}.get)
    models = ["x/slow", "x/quick", "x/other"]
    wait = NextWait(lambda: pace.slowest(models, 2))
    assert wait.words(True, 0.0) == "", "two of them were never measured"
    pace.note("x/quick", 1.0)
    pace.note("x/other", 2.0)
    assert wait.words(True, 100.0) == "It is ready within 40 s."
    assert wait.words(True, 30_000.0) == "It is ready within 5 s."
    assert wait.words(True, 33_000.0) == LONGER
    assert wait.words(False, 34_000.0) == ""
    assert wait.words(True, 50_000.0) == "It is ready within 40 s."


def test_a_short_wait_is_not_worth_words() -> None:
    wait = NextWait(lambda: 1.0)
    assert wait.words(True, 0.0) == ""
    assert wait.words(True, 5_000.0) == ""


def test_the_pace_leaves_out_a_load_and_promises_nothing_for_the_unknown() -> None:
    pace = Pace()
    assert pace.all(["x/a"]) is None
    for seconds in (20.0, 1.0, 1.2, 1.1):
        pace.note("x/a", seconds)
    assert pace.of("x/a") == pytest.approx(1.15)
    pace.note("x/b", 3.0)
    for models, whole in ((["x/a", "x/b"], True), (["x/a", "x/b", "x/new"], False)):
        estimate = pace.all(models)
        assert estimate is not None
        assert estimate.seconds == pytest.approx(4.15)
        assert estimate.whole is whole
    assert pace.slowest(["x/a", "x/b"], 2) == pytest.approx(4.15)
    assert pace.slowest(["x/a", "x/b", "x/new"], 2) is None
