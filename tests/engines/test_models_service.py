"""Readiness of models, and a page that stands still while a battle is open."""

import threading
from dataclasses import replace
from pathlib import Path

import pytest

from arena_desktop.domain.roster import ArenaSpec, ModelSpec, Roster, Voice
from arena_desktop.engines.host import SpeechHost
from arena_desktop.engines.placement import GB, Gpu, Machine, Torch
from arena_desktop.engines.types import FailureKind, SpeechFailure
from arena_desktop.services.inbox import Inbox
from arena_desktop.services.models import AFTERWARDS, WORDS, Models
from arena_desktop.services.views import ModelsView, Tone
from tests.engines.conftest import MakeHost, MakeModel, wait_for

GPU_MACHINE = Machine("Linux", "x86_64", 8, 16 * GB, (Gpu("NVIDIA Test", 8 * GB, "580.1"),), Torch("2.13.0+cpu", None))


@pytest.fixture
def roster(model: MakeModel) -> Roster:
    mute = ModelSpec("test/mute", "Mute")
    models = {spec.repo_id: spec for spec in (model("tone"), model("lacking"), model("silence"), mute)}
    arena = ArenaSpec(
        "english", ("test/silence", "test/tone", "test/lacking", "test/gone", "test/mute"), title="English"
    )
    return Roster(models, {"english": arena})


class Watching:
    """Models with an inbox that the test drains, and every view that was shown."""

    def __init__(self, roster: Roster, host: SpeechHost, disabled: tuple[str, ...] = ()) -> None:
        self.inbox = Inbox()
        self.views: list[ModelsView] = []
        self.saved: list[tuple[str, ...]] = []
        self.ended = 0
        self.models = Models(
            roster,
            host,
            self.inbox,
            disabled=disabled,
            save=self.saved.append,
            changed=self._changed,
            checked=self._checked,
        )

    def _changed(self, view: ModelsView) -> None:
        assert threading.current_thread() is threading.main_thread()
        self.views.append(view)

    def _checked(self) -> None:
        self.ended += 1

    def check(self) -> None:
        before = self.ended
        self.models.check_again()
        wait_for(lambda: (self.inbox.drain(), self.ended > before)[1], "the check ends")
        self.models.close()


def ready(view: ModelsView) -> dict[str, bool]:
    return {row.repo_id: row.ready for row in view.rows}


def test_a_check_in_the_background_shows_what_is_ready_and_what_is_missing(roster: Roster, host: SpeechHost) -> None:
    watching = Watching(roster, host)
    assert not any(ready(watching.models.view()).values())
    assert watching.models.usable(roster.arenas["english"]) == ()
    watching.check()
    assert watching.views[0].checking
    view = watching.models.view()
    assert view == watching.views[-1]
    assert not view.checking
    assert ready(view) == {"test/tone": True, "test/lacking": False, "test/silence": True, "test/mute": False}
    rows = {row.repo_id: row for row in view.rows}
    assert rows["test/lacking"].missing == (("the voice file", "Run: get voice"),)
    assert "no engine" in rows["test/mute"].missing[0][1]
    assert rows["test/tone"].arenas == ("English",)
    usable = watching.models.usable(roster.arenas["english"])
    assert [model.repo_id for model in usable] == ["test/silence", "test/tone"]


def test_a_model_that_is_switched_out_stays_out_of_battles_and_is_saved(roster: Roster, host: SpeechHost) -> None:
    watching = Watching(roster, host, disabled=("test/silence",))
    watching.check()
    arena = roster.arenas["english"]
    assert [model.repo_id for model in watching.models.usable(arena)] == ["test/tone"]
    watching.models.set_enabled("test/silence", True)
    watching.models.set_enabled("test/tone", False)
    assert [model.repo_id for model in watching.models.usable(arena)] == ["test/silence"]
    assert watching.saved == [(), ("test/tone",)]
    assert {row.repo_id for row in watching.models.view().rows if not row.enabled} == {"test/tone"}


def test_the_page_stands_still_while_a_battle_is_open(roster: Roster, host: SpeechHost, tmp_path: Path) -> None:
    watching = Watching(roster, host)
    watching.check()
    shown = len(watching.views)
    before = watching.models.view()
    watching.models.hold()
    with pytest.raises(SpeechFailure):
        host.speak(roster.models["test/silence"], "Some words.", None, tmp_path / "a.wav")
    watching.models.note_device("test/tone", "cpu")
    watching.models.refresh()
    assert watching.models.view() == before
    assert len(watching.views) == shown
    watching.models.check_again()
    watching.models.check_again()  # whoever presses is told, once, and no more than that
    watching.models.close()
    watching.inbox.drain()
    assert watching.models.view() == replace(before, notices=(AFTERWARDS,))
    assert len(watching.views) == shown + 1
    watching.models.release()
    assert len(watching.views) == shown + 2
    assert AFTERWARDS not in watching.models.view().notices
    rows = {row.repo_id: row for row in watching.views[-1].rows}
    assert rows["test/silence"].failures == (("silence", 1),)
    assert "silence" in rows["test/silence"].last_failure
    assert rows["test/tone"].device == "cpu"


def test_what_does_not_change_is_not_shown_again(roster: Roster, host: SpeechHost) -> None:
    watching = Watching(roster, host)
    watching.check()
    shown = len(watching.views)
    watching.models.refresh()
    watching.models.hold()
    watching.models.release()
    assert len(watching.views) == shown


def test_a_gpu_that_torch_cannot_use_is_a_notice(roster: Roster, make_host: MakeHost) -> None:
    watching = Watching(roster, make_host(describe_machine=lambda: GPU_MACHINE))
    watching.check()
    (notice,) = watching.models.view().notices
    assert notice.tone is Tone.WARNING
    assert "NVIDIA Test" in notice.text
    assert notice.remedy.endswith('bootstrap.py" torch')


def test_an_engine_that_falls_over_in_its_check_is_not_ready(host: SpeechHost, tmp_path: Path) -> None:
    broken = ModelSpec("test/broken", "Broken", engine="acting", python=str(tmp_path / "no-python"))
    watching = Watching(Roster({broken.repo_id: broken}, {}), host)
    watching.check()
    (row,) = watching.models.view().rows
    assert not row.ready
    assert "no-python" in row.missing[0][0]


def test_closing_in_the_middle_of_a_check(roster: Roster, host: SpeechHost) -> None:
    watching = Watching(roster, host)
    watching.models.check_again()
    watching.models.check_again()  # one is enough
    host.close()
    watching.models.close()
    watching.models.check_again()
    watching.inbox.drain()
    assert threading.active_count() == 1 or all(t.name != "model-check" for t in threading.enumerate())


def test_the_listing(host: SpeechHost, model: MakeModel) -> None:
    spec = ModelSpec(
        "test/tone",
        "Tone",
        engine="acting",
        license="MIT",
        language=("en",),
        voices=(Voice("a"), Voice("b")),
        params="1M",
    )
    models = Models(Roster({spec.repo_id: spec, "test/lacking": model("lacking")}, {}), host, Inbox())
    models.check_now()
    first, second = models.listing()
    assert first == {
        "repo_id": "test/tone",
        "name": "Tone",
        "engine": "acting",
        "ready": True,
        "missing": [],
        "warning": "",
        "examined": None,
        "enabled": True,
        "params": "1M",
        "license": "MIT",
        "language": ["en"],
        "voices": ["a", "b"],
        "arenas": [],
    }
    assert (second["ready"], second["missing"]) == (False, [{"what": "the voice file", "remedy": "Run: get voice"}])


def test_a_model_that_may_run_code_is_told_on_its_card_and_in_the_list(make_host: MakeHost) -> None:
    spec = ModelSpec("test/tone", "Tone", engine="acting", files={"path": "x", "allow_pickle": True})
    careful = ModelSpec("test/other", "Other", engine="acting", files={"path": "x", "allow_pickle": False})
    models = Models(Roster({one.repo_id: one for one in (spec, careful)}, {}), make_host(), Inbox())
    models.refresh()
    assert [bool(row.warning) for row in models.view().rows] == [True, False]
    assert "allow_pickle: true" in models.listing()[0]["warning"]


def test_every_kind_of_failure_has_words() -> None:
    assert set(WORDS) == set(FailureKind)
