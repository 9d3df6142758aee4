"""Models page and Settings page: what they show, and what they forward."""

from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel, QPushButton, QSpinBox, QWidget
from pytestqt.qtbot import QtBot

from arena_desktop.domain.settings import RULES, BadValue, Settings
from arena_desktop.services.views import DeviceChoice, ModelsView
from arena_desktop.ui.main_window import MainWindow
from arena_desktop.ui.models_page.card import ModelCard
from arena_desktop.ui.pages.settings import SettingsPage
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.tokens import DARK, LIGHT
from arena_desktop.ui.widgets.controls import Dropdown, Slider, Switch
from tests.gui.conftest import Recorder
from tests.helpers import sample_views as sample
from tests.helpers.blind_walk import visible_texts


@pytest.fixture
def shown(window: MainWindow, recorder: Recorder, qtbot: QtBot) -> MainWindow:
    """The window with its Models page in front."""
    window.show_page("modelsPage")
    qtbot.waitUntil(lambda: len(window.shell.models.findChildren(ModelCard)) == len(sample.MODELS.rows))
    recorder.calls.clear()
    return window


def button(page: QWidget, name: str) -> QPushButton:
    return next(b for b in page.findChildren(QPushButton) if name in (b.objectName(), b.accessibleName()))


def changes(recorder: Recorder) -> list[dict[str, Any]]:
    return [named for verb, _, named in recorder.calls if verb == "change"]


def test_each_model_says_whether_it_can_speak_and_what_it_lacks(shown: MainWindow) -> None:
    texts = visible_texts(shown.shell.models)
    for words in (
        "2 of 3 models ready to speak on this machine",
        "Not ready",
        "Ready",
        "Switched off",
        "Missing: the file model_quantized.onnx (88 MB)",
        "Fetch it once with npm pack kokoro-js@1.2.1, then press Check again.",
        "Failed: hang 2×, silence 1×. Last: It did not answer within 30 s on a text of 300 letters.",
        "There is an NVIDIA GPU, but this torch can't use it.",
    ):
        assert words in texts


def test_a_command_can_be_copied(shown: MainWindow) -> None:
    button(shown.shell.models, "Copy the command npm pack kokoro-js@1.2.1").click()
    assert QGuiApplication.clipboard().text() == "npm pack kokoro-js@1.2.1"


def test_a_model_is_switched_out_of_battles_and_back(shown: MainWindow, recorder: Recorder) -> None:
    switches = {s.accessibleName(): s for s in shown.shell.models.findChildren(Switch)}
    switches["Piper, Joe takes part in battles"].toggle()
    switches["SVOX Pico, British takes part in battles"].toggle()
    assert recorder.asked() == [
        ("set_enabled", "rhasspy/piper-voices#joe", False),
        ("set_enabled", "svox/pico#en-GB", True),
    ]
    recorder.calls.clear()
    shown.show_models(replace(sample.MODELS, rows=sample.MODELS.rows[::-1]))
    shown.show_models(sample.MODELS)
    assert recorder.asked() == []  # what the program shows is not what a person did


def test_check_again_is_asked_and_says_that_it_works(window: MainWindow, recorder: Recorder) -> None:
    again = button(window.shell.models, "checkAgain")
    again.click()
    assert recorder.asked() == [("check_again",)]
    window.show_models(replace(sample.MODELS, checking=True))
    assert not again.isEnabled()
    assert again.text() == "Checking…"
    window.show_models(sample.MODELS)
    assert again.isEnabled()


def test_cards_follow_the_roster(shown: MainWindow) -> None:
    shown.show_models(ModelsView(rows=(replace(sample.MODELS.rows[0], ready=True, missing=()),)))
    texts = visible_texts(shown.shell.models)
    assert "1 of 1 model ready to speak on this machine" in texts
    assert not [text for text in texts if "Missing" in text or "Joe" in text or "NVIDIA" in text]
    shown.show_models(ModelsView(rows=()))
    assert "The roster names no models." in visible_texts(shown.shell.models)


def test_a_button_that_is_switched_off_leaves_the_focus_on_the_card_and_gets_it_back(
    window: MainWindow, qtbot: QtBot
) -> None:
    ready = next(row for row in sample.MODELS.rows if row.ready)
    view = ModelsView((ready,), offers=frozenset({"measure"}))
    window.show_page("modelsPage")
    window.show_models(view)
    window.activateWindow()
    qtbot.waitUntil(lambda: bool(window.shell.models.findChildren(ModelCard)))
    measure = button(window, f"Measure: {ready.name}")
    measure.setFocus()
    assert measure.hasFocus()
    window.show_models(replace(view, rows=(replace(ready, busy="Measuring…"),)))
    focused = window.focusWidget()
    assert isinstance(focused, Switch)  # not the next button, which Enter would press
    window.show_models(view)
    assert measure.hasFocus()


def test_settings_are_shown_as_they_are(window: MainWindow, theme: Theme) -> None:
    settings = Settings(target_lufs=-20.0, gate=0.5, autoplay=False, reveal="set", loop=True, cache_gb=7.0, latency=0.3)
    page = SettingsPage(theme, settings)
    assert page.findChild(Slider, "setting_target_lufs").value() == -20  # type: ignore[union-attr]
    assert page.findChild(Switch, "setting_autoplay").isChecked() is False  # type: ignore[union-attr]
    assert page.findChild(Switch, "setting_loop").isChecked() is True  # type: ignore[union-attr]
    assert page.findChild(Dropdown, "setting_reveal").currentText() == "After a set"  # type: ignore[union-attr]
    assert page.findChild(Dropdown, "setting_cache_gb").currentText() == "7 GB"  # type: ignore[union-attr]
    assert page.findChild(Dropdown, "setting_latency").currentText() == "300 ms"  # type: ignore[union-attr]
    assert "50 %" in visible_texts(page)
    page.deleteLater()


@pytest.mark.parametrize(
    ("name", "choice", "change"),
    [
        ("setting_reveal", "After a set", {"reveal": "set"}),
        ("setting_playback", "At the same position", {"playback": "same_position"}),
        ("setting_device", "CPU", {"device": "cpu"}),
        ("setting_latency", "Safe, 100 ms", {"latency": 0.1}),
        ("setting_cache_gb", "20 GB", {"cache_gb": 20.0}),
        ("outputDevice", "Headphones", {"output_device": "Headphones"}),
    ],
)
def test_a_choice_is_applied_at_once(
    window: MainWindow, recorder: Recorder, name: str, choice: str, change: dict[str, Any]
) -> None:
    box = window.shell.settings.findChild(QComboBox, name)
    assert box is not None
    box.setCurrentIndex(box.findText(choice))
    box.activated.emit(box.currentIndex())
    assert changes(recorder) == [change]
    for setting, value in change.items():
        assert RULES[setting].check(value) == value


def test_the_size_of_a_set_is_chosen_within_its_range(window: MainWindow, recorder: Recorder) -> None:
    window.show_page("settingsPage")
    page = window.shell.settings
    size, when = page.findChild(QSpinBox, "setting_reveal_set"), page.findChild(QComboBox, "setting_reveal")
    assert size is not None
    assert when is not None
    assert not size.isEnabled()
    when.setCurrentIndex(when.findText("After a set"))
    when.activated.emit(when.currentIndex())
    assert size.isEnabled()
    recorder.calls.clear()
    size.setFocus()
    size.selectAll()
    QTest.keyClicks(size, "7")
    assert changes(recorder) == []  # 7 may become 70
    QTest.keyClick(size, Qt.Key.Key_Return)
    assert changes(recorder) == [{"reveal_set": 7}]
    for value in (size.minimum(), size.maximum()):
        assert RULES["reveal_set"].check(value) == value
    for value in (size.minimum() - 1, size.maximum() + 1):
        with pytest.raises(BadValue):
            RULES["reveal_set"].check(value)


def test_sliders_and_switches_are_applied_at_once(window: MainWindow, recorder: Recorder) -> None:
    page = window.shell.settings
    loudness, gate = (page.findChild(Slider, f"setting_{name}") for name in ("target_lufs", "gate"))
    assert loudness is not None
    assert gate is not None
    loudness.setValue(-18)
    gate.setValue(19)
    for switch in page.findChildren(Switch):
        switch.toggle()
    assert changes(recorder) == [{"target_lufs": -18.0}, {"gate": 0.95}, {"autoplay": False}, {"loop": True}]
    assert "−18 LUFS" in visible_texts(page)
    assert "95 %" in visible_texts(page)


def test_the_theme_changes_at_once_and_everywhere(window: MainWindow, theme: Theme, recorder: Recorder) -> None:
    box = window.shell.settings.findChild(QComboBox, "setting_theme")
    assert box is not None
    for words, mode, tokens in (("Dark", "dark", DARK), ("Light", "light", LIGHT)):
        recorder.calls.clear()
        box.setCurrentIndex(box.findText(words))
        box.activated.emit(box.currentIndex())
        assert changes(recorder) == [{"theme": mode}]
        assert theme.tokens is tokens
        window.show_page("listenPage")
        assert window.grab().toImage().pixelColor(window.width() - 3, window.height() - 3).name() == tokens.window


def test_a_device_that_was_chosen_but_is_gone_stays_chosen_and_says_so(theme: Theme) -> None:
    page = SettingsPage(theme, Settings(output_device="USB headset"))
    page.show_devices((DeviceChoice(None, "System default"), DeviceChoice("Headphones", "Headphones")))
    box = page.findChild(QComboBox, "outputDevice")
    assert box is not None
    assert box.currentText() == "USB headset (not connected)"
    assert box.findText("Headphones") >= 0
    page.deleteLater()


def test_devices_are_looked_for_again(window: MainWindow, recorder: Recorder) -> None:
    button(window.shell.settings, "refreshDevices").click()
    assert recorder.asked() == [("refresh_devices",)]


def test_each_setting_has_one_line_that_explains_it(window: MainWindow) -> None:
    lines = [one.text() for one in window.shell.settings.findChildren(QLabel) if one.property("voice") == "muted"]
    assert len(lines) >= 11
    for line in lines:
        assert line.endswith("."), line
        assert 20 <= len(line) <= 130, line
