"""What a listener sees when sound or speech fail: words, and the arena goes on once they are back."""

import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot

from arena_desktop.app import Composition
from arena_desktop.domain.votes import Vote
from arena_desktop.engines.catalogue import Catalogue
from arena_desktop.engines.deadlines import Deadlines
from arena_desktop.engines.host import SpeechHost
from arena_desktop.paths import app_paths
from arena_desktop.services.views import Phase, PromptSource, Tone
from tests.helpers.driver import write_roster
from tests.helpers.room import Room, open_room
from tests.helpers.sound_server import SINK, SoundServer, no_sound_server, sound_server

__all__ = ["no_sound_server", "sound_server"]

HANGS = """\
schema: 1
models:
  - {repo_id: test/hangs, name: Hangs, engine: pico_uncapped, language: [en]}
  - {repo_id: test/pico, name: Birch, engine: pico, voices: [en-US], language: [en]}
  - {repo_id: test/hibari, name: Alder, engine: hibari, language: [en]}
arenas:
  - {id: english, title: English, language: en, models: [test/hangs, test/pico, test/hibari]}
"""


@pytest.mark.timeout(300)
def test_without_sound_the_window_opens_and_battles_wait(
    qtbot: QtBot, no_sound_server: SoundServer, tmp_path: Path
) -> None:
    with open_room(Composition(app_paths(tmp_path / "data"), roster_file=write_roster(tmp_path))) as room:
        qtbot.waitUntil(lambda: room.view.status.tone is Tone.ERROR, timeout=60_000)
        assert "sound" in room.view.status.text.lower()
        assert room.view.status.remedy
        assert room.view.battle == 0
        no_sound_server.start(SINK)
        qtbot.waitUntil(lambda: room.view.phase is Phase.READY, timeout=60_000)
        no_sound_server.close()


@pytest.mark.timeout(300)
def test_sound_lost_in_mid_battle_repeats_the_trial(qtbot: QtBot, sound_server: SoundServer, tmp_path: Path) -> None:
    with open_room(Composition(app_paths(tmp_path / "data"), roster_file=write_roster(tmp_path))) as room:
        qtbot.waitUntil(lambda: room.view.can_vote, timeout=60_000)
        sound_server.remove_sink(SINK)
        qtbot.waitUntil(lambda: room.view.status.tone is Tone.ERROR, timeout=20_000)
        room.services.listen.vote(Vote.A)
        assert room.view.votes_cast == 0, "a vote without sound"
        sound_server.add_sink(SINK)
        qtbot.waitUntil(lambda: "starts over" in room.view.status.text, timeout=30_000)
        assert not room.view.can_vote
        assert room.view.battle == 1


@pytest.fixture
def hanging_room(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Room]:
    monkeypatch.setenv("MALLOC_PERTURB_", "85")  # makes the defect of the engine certain instead of likely
    roster = tmp_path / "hangs.yaml"
    roster.write_text(HANGS, encoding="utf-8")
    paths = app_paths(tmp_path / "data")
    paths.runtime.mkdir(parents=True)
    composition = Composition(paths, roster_file=roster, silent=True)
    adapter = Path(__file__).parent.parent / "helpers" / "adapters" / "pico_uncapped.py"
    composition.host = SpeechHost(
        paths.logs,
        paths.runtime,
        catalogue=Catalogue(files={"pico_uncapped": adapter}),
        deadlines=Deadlines(speak=4.0, speak_per_character=0.0),
    )
    with open_room(composition, speed=100) as room:
        yield room


@pytest.mark.timeout(300)
def test_an_engine_that_hangs_for_ever_costs_neither_the_window_nor_the_battle(
    qtbot: QtBot, hanging_room: Room
) -> None:
    room = hanging_room
    ticks: list[float] = []
    clock = QTimer()
    clock.timeout.connect(lambda: ticks.append(time.monotonic()))
    qtbot.waitUntil(lambda: room.view.phase is Phase.READY, timeout=60_000)
    clock.start(20)
    ticks.append(time.monotonic())
    room.services.listen.choose_prompts(PromptSource(kind="own", text="Well then, " + "a" * 300 + "."))
    number = 0
    while number < 3 or (number < 12 and not _hangs_counted(room)):
        qtbot.waitUntil(lambda: room.view.can_vote and room.view.prompt_text.startswith("Well"), timeout=120_000)
        room.services.listen.vote(Vote.TIE)
        qtbot.waitUntil(lambda: room.view.reveal is not None, timeout=20_000)
        assert room.view.reveal is not None
        number += 1
        assert room.view.votes_cast == number
        assert "Hangs" not in (room.view.reveal.a.name, room.view.reveal.b.name)
        room.services.listen.next()
    clock.stop()
    gaps = [after - before for before, after in pairwise(ticks)]
    assert max(gaps) < 4.0, "the window stood still while the engine hung"
    assert _hangs_counted(room)


def _hangs_counted(room: Room) -> int:
    """How often the Models page says that the first model gave no answer in time."""
    return sum(count for reason, count in room.window.models_views[-1].rows[0].failures if "no answer" in reason)
