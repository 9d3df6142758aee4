"""Two models that clone one clip, from the roster to the vote, and the Reference that both can be held against."""

import hashlib
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile
import torch
import yaml
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from arena_desktop.app import Composition
from arena_desktop.audio.loudness import integrated_loudness
from arena_desktop.audio.replay import render_log
from arena_desktop.audio.resample import to_rate
from arena_desktop.audio.types import RATE, PreparedPair
from arena_desktop.domain.votes import Side, Vote
from arena_desktop.paths import app_paths
from arena_desktop.services.preparation import AHEAD
from arena_desktop.services.views import Phase
from tests.helpers.driver import Driver
from tests.helpers.room import open_room
from tests.helpers.sounds import babble
from tests.helpers.tiny_checkpoints import build

CLIP_RATE = 32_000


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two tiny Pocket TTS checkpoints of random weights and a stereo clip, each model with a copy of its own."""
    folder = tmp_path_factory.mktemp("clones")
    sound = babble(2.0, 4, rms=0.002, rate=CLIP_RATE)
    entries: list[dict[str, Any]] = []
    for number, name in enumerate(("Alder", "Birch")):
        torch.manual_seed(number)
        tiny = build("pocket_tts", folder / name)
        soundfile.write(folder / f"{name}-me.flac", np.stack([sound, 0.5 * sound], axis=1), CLIP_RATE)
        entries.append(
            {
                "repo_id": f"test/{name.lower()}",
                "name": name,
                "engine": "transformers",
                "language": ["en"],
                "files": dict(tiny.files),
                "settings": {**tiny.settings, "max_new_tokens": 40},
                "voices": [{"id": f"{name}-voice", "audio": f"{name}-me.flac"}],
            }
        )
    arena: dict[str, Any] = {"id": "clones", "title": "Clones", "language": "en", "kind": "cloned"}
    roster = {"schema": 1, "models": entries, "arenas": [{**arena, "models": [one["repo_id"] for one in entries]}]}
    (folder / "roster.yaml").write_text(yaml.safe_dump(roster), encoding="utf-8")
    return folder


def heard_to_the_end(driver: Driver, side: Side) -> None:
    driver.services.listen.play(side)
    heard: Callable[[], float] = lambda: driver.view.heard_a if side is Side.A else driver.view.heard_b  # noqa: E731
    driver.until(lambda: heard() > 0.99 and driver.view.playing is None, f"{side} is heard")


def test_two_clones_meet_and_the_clip_is_in_the_vote(folder: Path, tmp_path: Path) -> None:
    driver = Driver(tmp_path / "data", folder / "roster.yaml", speed=5)
    try:
        driver.composition.preferences.change(autoplay=False)
        player = driver.services._player
        loaded: list[PreparedPair] = []
        load = player.load
        player.load = lambda pair: loaded.append(pair) or load(pair)  # type: ignore[method-assign,func-returns-value]
        driver.until(lambda: driver.view.phase is Phase.READY, "a battle of clones", within=120)
        page = driver.services.listen
        assert driver.view.reference.offered
        assert driver.view.reference.can_play
        page.play_reference()
        driver.until(lambda: driver.view.reference.playing, "the reference plays")
        assert driver.view.playing is None
        driver.until(lambda: not driver.view.reference.playing, "it ends by itself")
        assert (driver.view.heard_a, driver.view.heard_b, driver.view.gate_open) == (0, 0, False)
        page.vote(Vote.A)
        assert driver.view.phase is Phase.READY
        for side in Side:
            heard_to_the_end(driver, side)
        page.play_reference()
        driver.until(lambda: driver.view.reference.playing, "it plays again")
        out = render_log(player.command_log(), loaded[-1])
        page.vote(Vote.B)
        driver.until(lambda: driver.view.phase is Phase.REVEALED, "the reveal")
        page.play_reference()
        driver.until(lambda: driver.view.reference.playing, "it plays after the reveal")
        table = driver.services._battles._table
        assert table.prepared is not None
        table.prepared = replace(table.prepared, reference="It is gone.")
        page.play_reference()
        assert (driver.view.status.text, driver.view.reference.can_play) == ("It is gone.", False)
    finally:
        driver.close()
    records = list(Composition(app_paths(driver.folder)).log.records())
    (vote,) = [record for record in records if record["type"] == "vote"]
    digest = hashlib.sha256((folder / "Birch-me.flac").read_bytes()).hexdigest()
    assert vote["model_a"]["reference_sha256"] == vote["model_b"]["reference_sha256"] == digest
    assert (vote["listening"]["plays_a"], vote["listening"]["plays_b"], vote["listening"]["switches"]) == (1, 1, 1)
    assert vote["listening"]["first_played"] == "a"
    pair = loaded[-1]
    assert pair.reference is not None
    wanted = to_rate(babble(2.0, 4, rms=0.002, rate=CLIP_RATE), CLIP_RATE)
    middle = slice(RATE // 2, RATE)
    assert np.corrcoef(wanted[middle], _aligned(out, wanted, middle))[0, 1] > 0.99
    assert integrated_loudness(pair.reference) == pytest.approx(integrated_loudness(pair.a), abs=0.1)


def test_a_clip_replaced_while_the_program_runs_is_cloned_against_no_other(folder: Path, tmp_path: Path) -> None:
    own = shutil.copytree(folder, tmp_path / "voices")
    driver = Driver(tmp_path / "data", own / "roster.yaml", speed=20)
    try:
        driver.composition.preferences.change(autoplay=False)
        driver.until(lambda: driver.view.phase is Phase.READY, "a battle of clones", within=120)
        first = (own / "Alder-me.flac").read_bytes()
        soundfile.write(own / "Birch-me.flac", babble(2.0, 5, rms=0.002, rate=CLIP_RATE), CLIP_RATE)
        for _ in range(AHEAD + 2):  # those prepared before are played to their end
            if driver.view.phase is not Phase.READY:
                break
            for side in Side:
                heard_to_the_end(driver, side)
            driver.services.listen.vote(Vote.TIE)
            driver.until(lambda: driver.view.phase is Phase.REVEALED, "the reveal")
            driver.services.listen.next()
            driver.until(lambda: driver.view.phase is not Phase.REVEALED, "what comes next")
            driver.until(lambda: driver.view.phase in (Phase.READY, Phase.BLOCKED), "it comes", within=60)
        told = "No two voices of the arena «Clones» clone the same clip."
        driver.until(lambda: driver.view.status.text == told, "why there is no battle")
        assert "same audio" in driver.view.status.remedy
        (own / "Birch-me.flac").write_bytes(first)
        driver.services.models.check_again()
        driver.until(lambda: driver.view.phase is Phase.READY, "they meet again", within=120)
    finally:
        driver.close()
    votes = [one for one in Composition(app_paths(driver.folder)).log.records() if one["type"] == "vote"]
    assert votes
    digest = hashlib.sha256(first).hexdigest()
    assert all(vote[side]["reference_sha256"] == digest for vote in votes for side in ("model_a", "model_b"))


def _aligned(out: np.ndarray, wanted: np.ndarray, middle: slice) -> np.ndarray:
    """The stretch of ``out`` that is most like the middle of ``wanted``."""
    part = wanted[middle]
    size = 1 << (len(out) + len(part)).bit_length()
    alike = np.fft.irfft(np.fft.rfft(out, size) * np.conj(np.fft.rfft(part, size)), size)[: len(out) - len(part)]
    start = int(np.argmax(alike))
    return out[start : start + len(part)]


def test_the_window_by_keyboard(folder: Path, tmp_path: Path, qtbot: QtBot) -> None:
    composition = Composition(app_paths(tmp_path / "data"), roster_file=folder / "roster.yaml", silent=True)
    composition.preferences.change(autoplay=False)
    with open_room(composition, speed=2) as room:
        button = room.window.findChild(QPushButton, "reference")
        assert button is not None
        qtbot.waitUntil(lambda: room.view.phase is Phase.READY, timeout=120_000)
        assert button.isVisible()
        assert (button.text(), button.accessibleName()) == ("Reference", "Reference")

        def press(key: Qt.Key) -> None:
            QTest.keyClick(QApplication.focusWidget() or room.window, key)

        press(Qt.Key.Key_R)
        qtbot.waitUntil(lambda: room.view.reference.playing, timeout=30_000)
        assert button.accessibleDescription().startswith("Playing. Press R")
        press(Qt.Key.Key_Space)
        qtbot.waitUntil(lambda: room.view.reference.paused, timeout=30_000)
        press(Qt.Key.Key_B)
        qtbot.waitUntil(lambda: room.view.playing is Side.B and not room.view.reference.paused, timeout=30_000)
        qtbot.waitUntil(lambda: room.view.heard_b > 0.99, timeout=60_000)
        press(Qt.Key.Key_A)
        qtbot.waitUntil(lambda: room.view.heard_a > 0.99 and room.view.playing is None, timeout=60_000)
        button.setFocus()
        QTest.keyClick(button, Qt.Key.Key_Return)
        qtbot.waitUntil(lambda: room.view.reference.playing, timeout=30_000)
        press(Qt.Key.Key_3)
        qtbot.waitUntil(lambda: room.view.phase is Phase.REVEALED, timeout=60_000)
        press(Qt.Key.Key_R)
        qtbot.waitUntil(lambda: room.view.reference.playing, timeout=30_000)
