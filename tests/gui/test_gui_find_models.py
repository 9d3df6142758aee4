"""Finding models from the window: the dialog, its listen test, Add, and what the cards offer."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QProgressBar, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from arena_desktop.services.found_views import FoundRow, FoundView
from arena_desktop.services.views import Line, ModelRow, ModelsView, SetUpOffer, SetUpState
from arena_desktop.ui.main_window import MainWindow
from arena_desktop.ui.models_page.card import WHILE_OPEN, ModelCard
from arena_desktop.ui.models_page.find_dialog import FindDialog
from arena_desktop.ui.models_page.found_card import FoundCard
from arena_desktop.ui.pages.models import ModelsPage
from arena_desktop.ui.widgets.card_list import CardList
from arena_desktop.ui.widgets.controls import Dropdown
from tests.gui.conftest import Recorder
from tests.helpers import sample_found as found
from tests.helpers.blind_walk import visible_texts


@pytest.fixture
def models(window: MainWindow, recorder: Recorder, qtbot: QtBot) -> ModelsPage:
    window.show_page("modelsPage")
    window.show_models(found.MODELS)
    window.show_found(found.FOUND)
    window.resize(1080, 900)
    qtbot.waitUntil(lambda: len(window.shell.models.findChildren(ModelCard)) == len(found.MODELS.rows))
    recorder.calls.clear()
    return window.shell.models


@pytest.fixture
def dialog(models: ModelsPage, qtbot: QtBot) -> Iterator[FindDialog]:
    models.open_find()
    shown = models.find_dialog
    shown.resize(shown.width(), 900)
    qtbot.waitUntil(lambda: len(shown.findChildren(FoundCard)) == len(found.FOUND.rows))
    yield shown
    shown.close()


def button(inside: QWidget, name: str) -> QPushButton:
    return next(b for b in inside.findChildren(QPushButton) if name in (b.objectName(), b.accessibleName()))


def card_of(dialog: FindDialog, title: str) -> FoundCard:
    return next(card for card in dialog.findChildren(FoundCard) if title in visible_texts(card))


def press(widget: QPushButton) -> None:
    assert widget.isEnabled(), widget.accessibleName()
    widget.click()


def show(window: MainWindow, *rows: FoundRow, **changes: Any) -> None:
    window.show_found(replace(found.FOUND, rows=rows, **changes))


def test_the_first_look_searches_the_usual_places_and_later_ones_show_what_was_found(
    window: MainWindow, recorder: Recorder, models: ModelsPage
) -> None:
    window.show_found(FoundView())
    press(button(models, "findModelsButton"))
    assert recorder.asked() == [("find", ())]
    assert models.find_dialog.isVisible()
    assert not models.find_dialog.isModal()
    models.find_dialog.close()
    recorder.calls.clear()
    window.show_found(found.FOUND)
    press(button(models, "findModelsButton"))
    assert recorder.times("find") == 0
    models.find_dialog.close()


def test_each_find_says_what_it_is_and_why_it_cant(dialog: FindDialog) -> None:
    texts = "\n".join(visible_texts(dialog))
    for words in (
        "8 found, 7 of them speech models",
        "2 folders were left out",
        "Piper voice  ·  German  ·  played by piper  ·  63.2 MB  ·  CC0",
        "/media/ada/voices/de_DE-thorsten-medium.onnx",
        "Needs set-up",
        "Missing: the package torch",
        "Can't speak",
        "A whisper model recognises speech.",
        "In the roster as Piper Joe.",
        "It is in the roster already",
    ):
        assert words in texts


def test_nothing_is_added_before_it_was_heard(window: MainWindow, dialog: FindDialog, recorder: Recorder) -> None:
    card = card_of(dialog, found.READY.title)
    assert not button(card, f"Add {found.READY.title}").isEnabled()
    press(button(card, f"Listen: {found.READY.title}"))
    assert recorder.asked() == [("try_found", "0", "")]
    window.show_found(replace(found.FOUND, rows=(replace(found.READY, busy="Speaking…", can_listen=False),)))
    assert not button(dialog, f"Speaking…: {found.READY.title}").isEnabled()
    window.show_found(replace(found.FOUND, rows=(replace(found.READY, heard="-", can_add=True, playing=True),)))
    press(button(dialog, f"Stop: {found.READY.title}"))
    press(button(dialog, f"Add {found.READY.title}"))
    assert recorder.asked()[1:] == [("stop_sample",), ("add", "0", "", "")]


def test_another_voice_must_be_heard_itself(window: MainWindow, dialog: FindDialog, recorder: Recorder) -> None:
    show(window, replace(found.SEVERAL, heard="p225", can_add=True))
    card = card_of(dialog, "vctk")
    add = button(card, "Add vctk")
    assert add.isEnabled()
    field = card.findChildren(Dropdown)[0]
    field.setCurrentIndex(1)
    field.activated.emit(1)
    assert not add.isEnabled()
    assert add.toolTip() == "Listen to it first"
    press(button(card, "Listen: vctk"))
    show(window, replace(found.SEVERAL, heard="p226", can_add=True))
    press(add)
    assert recorder.asked() == [("try_found", "2", "p226"), ("add", "2", "p226", "")]


def test_what_names_no_language_needs_an_arena(dialog: FindDialog, recorder: Recorder) -> None:
    card = card_of(dialog, "my-finetune")
    add = button(card, "Add my-finetune")
    assert not add.isEnabled()
    assert "choose the arena" in add.toolTip()
    field = next(field for field in card.findChildren(Dropdown) if "Arena" in field.accessibleName())
    field.setCurrentIndex(2)
    field.activated.emit(2)
    press(add)
    assert recorder.asked() == [("add", "3", "", "german")]


def test_what_needs_set_up_may_be_added_unheard_and_what_cant_speak_may_not(dialog: FindDialog) -> None:
    assert button(card_of(dialog, "speecht5_tts"), "Add speecht5_tts").isEnabled()
    for title in ("whisper-small", "Piper joe (medium)"):
        card = card_of(dialog, title)
        assert not any(b.isVisibleTo(card) for b in card.findChildren(QPushButton)), title


def test_a_search_shows_that_it_goes_on_and_can_be_stopped(
    window: MainWindow, dialog: FindDialog, recorder: Recorder, answers: dict[str, Any]
) -> None:
    press(button(dialog, "findFolder"))
    assert recorder.asked() == []
    answers["folder"] = "/media/usb"
    press(button(dialog, "findFolder"))
    window.show_found(replace(found.FOUND, searching=True, words="Searching… 250 folders looked into"))
    assert not button(dialog, "findFolder").isEnabled()
    assert "Searching… 250 folders looked into" in visible_texts(dialog)
    press(button(dialog, "findStop"))
    assert recorder.asked() == [("find", ("/media/usb",)), ("stop_finding",)]


def test_of_very_many_finds_those_in_sight_are_drawn(window: MainWindow, dialog: FindDialog, qtbot: QtBot) -> None:
    rows = [replace(found.READY, id=str(number), path=f"/v/{number}", title=f"v{number}") for number in range(60)]
    show(window, *rows)
    qtbot.waitUntil(lambda: "v5" in visible_texts(dialog), timeout=30_000)
    bar = dialog.findChildren(CardList)[0].verticalScrollBar()
    bar.setValue(bar.maximum())
    qtbot.waitUntil(lambda: "v59" in visible_texts(dialog), timeout=30_000)
    assert len(dialog.findChildren(FoundCard)) < 40
    show(window, *rows[:2])
    qtbot.waitUntil(lambda: len(dialog.findChildren(FoundCard)) == 2)


def test_what_was_chosen_in_a_card_out_of_sight_stays_chosen(
    window: MainWindow, dialog: FindDialog, qtbot: QtBot, recorder: Recorder
) -> None:
    rows = [replace(found.READY, id=f"n{number}", path=f"/v/{number}", title=f"v{number}") for number in range(60)]
    unnamed = next(row for row in found.FOUND.rows if row.title == "my-finetune")
    show(window, unnamed, *rows)
    qtbot.waitUntil(lambda: any("my-finetune" in visible_texts(card) for card in dialog.findChildren(FoundCard)))
    card = card_of(dialog, "my-finetune")
    field = next(field for field in card.findChildren(Dropdown) if "Arena" in field.accessibleName())
    field.setCurrentIndex(2)
    field.activated.emit(2)
    bar = dialog.findChildren(CardList)[0].verticalScrollBar()
    bar.setValue(bar.maximum())
    qtbot.waitUntil(lambda: "v59" in visible_texts(dialog) and "v3" not in visible_texts(dialog), timeout=30_000)
    press(button(dialog, "Add my-finetune"))
    assert recorder.asked() == [("add", "3", "", "german")]


def test_the_dialog_works_by_keyboard_and_esc_stops_the_sample(dialog: FindDialog, recorder: Recorder) -> None:
    names = [w for w in dialog.findChildren(QPushButton) if w.isVisibleTo(dialog)]
    assert all(w.accessibleName() for w in names)
    assert all(w.focusPolicy() & Qt.FocusPolicy.TabFocus for w in names)
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
    assert recorder.asked() == [("stop_sample",)]


def test_the_quiet_line_leads_to_what_was_found(models: ModelsPage, window: MainWindow) -> None:
    assert "3 more voices were found on this disk." in visible_texts(models)
    assert QApplication.activeModalWidget() is None
    press(button(models, "showFinds"))
    assert models.find_dialog.isVisible()
    models.find_dialog.close()
    window.show_found(replace(found.FOUND, quiet=""))
    assert "3 more voices were found on this disk." not in visible_texts(models)


def cards(models: ModelsPage) -> dict[str, ModelCard]:
    return {card._row.name: card for card in models.findChildren(ModelCard) if card._row is not None}


def test_a_card_tells_speed_checks_warnings_and_what_to_set_up(models: ModelsPage) -> None:
    texts = "\n".join(visible_texts(models))
    for words in (
        "cpu, float32: 281 MB, first sound after 1.42 s cold, 0.19 s warm, 0.093 × real time",
        "cuda, float32: 640 MB",
        "Checked on 1 December 2026: nothing odd.",
        "Checked on 1 December 2026: cut ends, wrong length.",
        "opening it can run any code",
        "Coqui XTTS needs an environment of its own: 5.2 GB on the disk.",
        "Commercial use is not allowed.",
        "Accept and set up (5.2 GB)",
        "Installing torch 2.13.0",
        "The disk is full: 0.4 GB are free",
        "Try again (5.2 GB)",
        "Measuring on cpu…",
    ):
        assert words in texts


def test_a_cards_buttons_ask_for_what_they_say(models: ModelsPage, recorder: Recorder) -> None:
    joe, xtts = found.JOE, found.XTTS
    for name in (f"Listen: {joe.name}", f"Check: {joe.name}", f"Measure: {joe.name}", f"Set up {xtts.name}"):
        press(button(models, name))
    press(button(models, "Stop setting up My other XTTS"))
    assert recorder.asked() == [
        ("listen", joe.repo_id),
        ("examine", joe.repo_id),
        ("measure", joe.repo_id),
        ("set_up", xtts.repo_id),
        ("cancel_set_up", "local/other-xtts#0011aabc"),
    ]


def test_an_examination_under_way_can_be_stopped(models: ModelsPage, recorder: Recorder) -> None:
    rows = tuple(
        replace(row, busy="Checking, text 2 of 6", stoppable=True) if row.repo_id == found.JOE.repo_id else row
        for row in found.MODELS.rows
    )
    models.show_view(replace(found.MODELS, rows=rows))
    assert not button(models, f"Measure: {found.JOE.name}").isEnabled()
    press(button(models, f"Stop: {found.JOE.name}"))
    assert recorder.asked() == [("stop_examining", found.JOE.repo_id)]


def test_a_model_is_removed_at_the_second_press_and_only_ones_own(models: ModelsPage, recorder: Recorder) -> None:
    remove = button(models, f"Remove: {found.JOE.name}")
    press(remove)
    assert recorder.asked() == []
    assert remove.text() == "Really remove?"
    press(remove)
    assert recorder.asked() == [("forget", found.JOE.repo_id)]
    pico = cards(models)[found.PICO.name]
    assert not button(pico, f"Remove: {found.PICO.name}").isVisibleTo(pico)


def test_while_a_battle_is_open_no_model_is_heard_by_name(models: ModelsPage, window: MainWindow) -> None:
    window.show_found(replace(found.FOUND, can_listen=False))
    listen = button(models, f"Listen: {found.JOE.name}")
    assert not listen.isEnabled()
    assert listen.toolTip() == WHILE_OPEN


def test_a_sample_can_be_stopped_and_stops_when_the_page_is_left(
    models: ModelsPage, window: MainWindow, recorder: Recorder
) -> None:
    window.show_found(replace(found.FOUND, sample=found.JOE.repo_id))
    press(button(models, f"Stop: {found.JOE.name}"))
    assert recorder.asked() == [("stop_sample",)]
    window.show_page("listenPage")
    assert recorder.times("stop_sample") == 2


def test_the_dialog_opens_with_the_focus_in_its_list_and_makes_room_for_other_pages(
    window: MainWindow, dialog: FindDialog, qtbot: QtBot
) -> None:
    qtbot.waitUntil(lambda: isinstance(QApplication.focusWidget(), CardList))
    QTest.keyClick(dialog, Qt.Key.Key_1, Qt.KeyboardModifier.ControlModifier)
    assert not dialog.isVisible(), "it covers no other page"
    QTest.keyClick(window.shell.listen, Qt.Key.Key_4, Qt.KeyboardModifier.ControlModifier)
    assert dialog.isVisible()
    qtbot.waitUntil(lambda: isinstance(QApplication.focusWidget(), CardList))
    focused = QApplication.focusWidget()
    assert focused is not None
    assert dialog.isAncestorOf(focused)


def test_the_focus_stays_with_what_is_done_and_goes_on_after_it(
    window: MainWindow, dialog: FindDialog, qtbot: QtBot
) -> None:
    one, other = (replace(found.READY, id=id_, title=id_, path=id_, can_add=True, heard="-") for id_ in ("Oak", "Pine"))
    show(window, one, other)
    qtbot.waitUntil(lambda: len(dialog.findChildren(FoundCard)) == 2)
    card = card_of(dialog, one.title)
    add = button(card, f"Add {one.title}")
    add.setFocus()
    show(window, replace(one, busy="Adding…", can_add=False, can_listen=False), other)
    assert QApplication.focusWidget() is card, "not the first button of the window"
    show(window, replace(one, told=Line("It spoke, but: noise.")), other)
    assert QApplication.focusWidget() is add
    show(window, replace(one, busy="Adding…", can_add=False, can_listen=False), other)
    show(window, replace(one, in_roster=True, can_add=False, can_listen=False), other)
    assert QApplication.focusWidget() is button(card_of(dialog, other.title), f"Add {other.title}")


def test_a_set_up_does_not_look_done_while_it_goes_on(window: MainWindow, qtbot: QtBot) -> None:
    window.show_page("modelsPage")
    offer = SetUpOffer("xtts", "XTTS", "5 GB", "Licence: CPML.", state=SetUpState.RUNNING, done=1, total=4)
    row = ModelRow("a/b", "Model", "xtts", "", "", (), ready=False, enabled=True, set_up=offer)
    window.show_models(ModelsView((row,)))
    qtbot.waitUntil(lambda: len(window.shell.models.findChildren(ModelCard)) == 1)
    [bar] = window.shell.models.findChildren(QProgressBar)
    assert (bar.value(), bar.maximum()) == (250, 1000)
    window.show_models(ModelsView((replace(row, set_up=replace(offer, done=4, words="installing")),)))
    assert (bar.minimum(), bar.maximum()) == (0, 0), "all is fetched, and it is still at work"


def test_who_accepts_a_set_up_keeps_the_focus_on_that_card(window: MainWindow, qtbot: QtBot) -> None:
    window.show_page("modelsPage")
    offer = SetUpOffer("xtts", "XTTS", "5 GB", "Licence: CPML.", needs_consent=True)
    row = ModelRow("a/b", "Model", "xtts", "", "", (), ready=False, enabled=True, set_up=offer)
    window.show_models(ModelsView((row,)))
    qtbot.waitUntil(lambda: len(window.shell.models.findChildren(ModelCard)) == 1)
    [card] = window.shell.models.findChildren(ModelCard)
    begin = button(card, "Set up Model")
    begin.setFocus()
    window.show_models(ModelsView((replace(row, set_up=replace(offer, state=SetUpState.RUNNING)),)))
    assert QApplication.focusWidget() is button(card, "Stop setting up Model")
    window.show_models(ModelsView((row,)))
    assert QApplication.focusWidget() is begin
    window.show_models(ModelsView((replace(row, ready=True, set_up=None),)))
    focused = QApplication.focusWidget()
    assert focused is not None
    assert card.isAncestorOf(focused)
