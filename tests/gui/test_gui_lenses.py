"""The lenses of the Leaderboard page: each is asked for while it is seen, draws its view, keeps a reader's place."""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtGui import QAccessible, QFont
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QLineEdit, QPushButton, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from arena_desktop.errors import ArenaError
from arena_desktop.services.board_views import (
    AuditLens,
    ChartsLens,
    ContributorsLens,
    GroupBy,
    GroupsLens,
    HistoryLens,
    Lens,
    LensView,
    Method,
    PairsLens,
    Severity,
    TieRule,
    WhatIfLens,
)
from arena_desktop.services.views import BoardView
from arena_desktop.ui.lenses.audit import AuditPanel, Finding
from arena_desktop.ui.lenses.catalogue import LENSES
from arena_desktop.ui.lenses.contributors import ContributorsPanel
from arena_desktop.ui.lenses.groups import GroupsPanel
from arena_desktop.ui.lenses.history import HistoryPanel
from arena_desktop.ui.lenses.pairs import PairsPanel
from arena_desktop.ui.lenses.what_if import WhatIfPanel
from arena_desktop.ui.main_window import MainWindow
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.check_list import CheckList
from tests.gui.conftest import Recorder
from tests.gui.test_gui_look import cut, settle
from tests.helpers import sample_lenses as lenses
from tests.helpers import sample_views as sample
from tests.helpers.blind_walk import visible_texts

W = TypeVar("W", bound=QWidget)

FIRST: dict[str, Lens] = {
    "lensPairs": PairsLens(),
    "lensGroups": GroupsLens(),
    "lensHistory": HistoryLens(),
    "lensWhatIf": WhatIfLens(),
    "lensCharts": ChartsLens(),
    "lensAudit": AuditLens(),
    "lensContributors": ContributorsLens(),
}


def part(window: MainWindow, kind: type[W], name: str = "") -> W:
    found = window.findChild(kind, name) if name else window.findChild(kind)
    assert found is not None, name or kind.__name__
    return found


def open_lens(window: MainWindow, id_: str, view: LensView | None = None) -> None:
    window.show_page("leaderboardPage")
    part(window, QPushButton, id_).click()
    if view is not None:
        window.show_lens(view)


def asked(recorder: Recorder) -> list[Lens | None]:
    """The lenses asked for, after the ranking that the page opened with."""
    looks = [arguments[0] for verb, arguments, _ in recorder.calls if verb == "look"]
    return looks[1:] if looks[:1] == [None] else looks


def seen(window: MainWindow) -> set[str]:
    return {label.text() for label in window.findChildren(QLabel) if label.isVisible() and label.text()}


@pytest.mark.parametrize("id_", FIRST)
def test_a_lens_is_asked_for_when_it_is_chosen_and_drawn_when_its_view_comes(
    window: MainWindow, recorder: Recorder, id_: str
) -> None:
    open_lens(window, id_)
    assert asked(recorder) == [FIRST[id_]]
    assert "Working…" in seen(window)
    window.show_lens(lenses.every_view()[id_])
    assert "Working…" not in seen(window)


def test_nothing_is_computed_for_a_page_that_nobody_sees(window: MainWindow, recorder: Recorder) -> None:
    open_lens(window, "lensAudit", lenses.audit())
    window.show_page("modelsPage")
    assert asked(recorder) == [AuditLens(), None]
    window.show_page("leaderboardPage")
    assert asked(recorder) == [AuditLens(), None, AuditLens()]
    part(window, QPushButton, "lensRanking").click()
    assert asked(recorder)[3:] == [None]
    window.show_page("modelsPage")
    assert len(asked(recorder)) == 4


def test_another_arenas_view_is_waited_for(window: MainWindow, recorder: Recorder) -> None:
    open_lens(window, "lensAudit", lenses.audit())
    arena = part(window, QComboBox, "boardArena")
    arena.activated.emit(arena.findData("german"))
    assert "Working…" in seen(window)
    assert "One serious finding and one warning." not in seen(window)
    window.show_lens(lenses.audit(arena="german"))
    window.show_board(replace(sample.BOARD, arena="german"))
    assert "One serious finding and one warning." in seen(window)


def test_without_any_arena_nothing_is_promised(window: MainWindow) -> None:
    open_lens(window, "lensAudit", lenses.audit())
    why = "The roster has no arena. Add one to models.yaml."
    window.show_board(BoardView("default", (), "", 0, (), sentence=why))
    assert why in seen(window)
    assert not {"One serious finding and one warning.", "Working…", "0 votes"} & seen(window)
    part(window, QPushButton, "lensPairs").click()
    assert "Working…" not in seen(window)
    window.show_board(sample.BOARD)
    part(window, QPushButton, "lensAudit").click()
    assert "Working…" in seen(window)
    window.show_lens(lenses.audit())
    assert "Working…" not in seen(window)


def test_what_was_seen_stays_until_the_new_view_comes(window: MainWindow) -> None:
    open_lens(window, "lensAudit", lenses.audit())
    open_lens(window, "lensPairs", lenses.pairs())
    part(window, QPushButton, "lensAudit").click()
    assert {"One serious finding and one warning.", "Working…"} <= seen(window)


def test_a_view_that_fails_is_not_promised_any_longer(window: MainWindow) -> None:
    open_lens(window, "lensAudit")
    window.show_fault()
    assert "Working…" not in seen(window)
    assert any(words.startswith("This could not be worked out") for words in seen(window))
    open_lens(window, "lensPairs", lenses.pairs())
    assert not any(words.startswith("This could not") for words in seen(window))
    part(window, QPushButton, "lensAudit").click()
    assert "Working…" in seen(window)
    window.show_note("The vote log was damaged; all of it was recovered.")  # nothing that a page waits for
    assert "Working…" in seen(window)
    assert any("all of it was recovered" in words for words in seen(window))
    window.show_error(ArenaError("The fit went wrong.", "Look at the log."))
    assert "Working…" not in seen(window)
    window.show_lens(lenses.audit())
    part(window, QPushButton, "lensPairs").click()
    assert "Working…" in seen(window)
    window.show_fault()
    assert any(words.startswith("Not up to date") for words in seen(window))
    window.show_lens(lenses.pairs())
    assert not any(words.startswith("Not up to date") for words in seen(window))


def test_a_view_that_comes_late_does_not_push_another_lens_away(window: MainWindow) -> None:
    open_lens(window, "lensAudit", lenses.audit())
    open_lens(window, "lensPairs", lenses.pairs())
    window.show_lens(lenses.audit())
    assert part(window, PairsPanel).isVisible()


MODELS: dict[str, Callable[[], dict[str, LensView]]] = {
    "none": lenses.empty_views,
    "one": lambda: lenses.every_view(lenses.names(1)),
    "two": lambda: lenses.every_view(lenses.names(2)),
    "sixty": lambda: lenses.every_view(lenses.names(60)),
}


@pytest.mark.parametrize("models", MODELS)
def test_every_lens_draws_few_models_and_many(window: MainWindow, qtbot: QtBot, models: str) -> None:
    window.resize(900, 640)
    for id_, view in MODELS[models]().items():
        open_lens(window, id_, view)
        qtbot.wait(5)
        assert "Working…" not in seen(window), id_
        window.grab()
    for area in window.findChildren(QScrollArea):
        inside = area.widget()
        assert not area.isVisible() or inside is None or inside.width() <= area.viewport().width()


def test_names_turn_no_other_text_round(window: MainWindow) -> None:
    for id_, view in lenses.every_view(lenses.names(6)).items():
        open_lens(window, id_, view)
    shown = [label.text() for label in window.shell.leaderboard.findChildren(QLabel)]
    assert not [text for text in shown if "\u202e" in text]
    assert any(lenses.RTL in text for text in visible_texts(window.shell.leaderboard))


def test_all_lenses_are_walked_by_keyboard_alone(window: MainWindow, recorder: Recorder) -> None:
    window.show_page("leaderboardPage")
    views = lenses.every_view()
    part(window, QPushButton, "lensRanking").setFocus(Qt.FocusReason.TabFocusReason)
    for tab in LENSES[1:]:
        focused = QApplication.focusWidget()
        assert focused is not None
        QTest.keyClick(focused, Qt.Key.Key_Right)
        reached = QApplication.focusWidget()
        assert reached is not None
        assert reached.objectName() == tab.id
        assert asked(recorder)[-1] == FIRST[tab.id]
        window.show_lens(views[tab.id])
    QTest.keyClick(part(window, QPushButton, "lensPairs"), Qt.Key.Key_Return)
    assert part(window, PairsPanel).isVisible()
    QTest.keyClick(part(window, QPushButton, "lensGroups"), Qt.Key.Key_Space)
    assert part(window, GroupsPanel).isVisible()


@pytest.mark.parametrize("id_", FIRST)
def test_everything_in_a_lens_has_a_name_and_is_reached_by_tab(window: MainWindow, id_: str) -> None:
    open_lens(window, id_, lenses.every_view()[id_])
    reached: set[QWidget] = set()
    for _ in range(80):
        window.focusNextChild()
        focused = QApplication.focusWidget()
        assert focused is not None
        if focused in reached:
            break
        reached.add(focused)
    for widget in reached:
        interface = QAccessible.queryAccessibleInterface(widget)
        assert interface is not None
        assert interface.text(QAccessible.Text.Name).strip(), widget
    buttons = [b for b in window.findChildren(QPushButton) if b.isEnabled()]
    wanted = {w for w in (*buttons, *window.findChildren(CheckList)) if w.isVisible()}
    assert not wanted - reached


# --- pairs -----------------------------------------------------------------------------------------------------------


def test_each_cell_of_the_matrix_says_itself_in_words(window: MainWindow) -> None:
    open_lens(window, "lensPairs", lenses.pairs(island=2))
    matrix = part(window, PairsPanel).matrix
    model = matrix.model()

    def said(row: int, column: int) -> str:
        return str(model.index(row, column).data(Qt.ItemDataRole.AccessibleTextRole))

    assert said(0, 1).startswith("Kokoro, Heart against Kokoro, Emma: 19 battles, ")
    assert "the ratings predict 50 %." in said(0, 1)
    assert "That is 3.1 standard errors better than predicted." in said(0, 1)
    assert "standard errors worse" in said(1, 0)
    assert said(0, 7) == "Kokoro, Heart and eSpeak NG never met."
    assert model.index(0, 7).data() == "never met"
    assert said(2, 2) == "Kokoro, Michael"
    assert "Voice 1 and Voice 2 are not connected by any battle." in seen(window)


def test_arrows_move_in_the_matrix_and_the_cell_is_read_out(window: MainWindow) -> None:
    open_lens(window, "lensPairs", lenses.pairs())
    matrix = part(window, PairsPanel).matrix
    matrix.setFocus(Qt.FocusReason.TabFocusReason)
    matrix.selectionModel().setCurrentIndex(matrix.model().index(0, 0), QItemSelectionModel.SelectionFlag.Select)
    QTest.keyClick(matrix, Qt.Key.Key_Right)
    QTest.keyClick(matrix, Qt.Key.Key_Down)
    QTest.keyClick(matrix, Qt.Key.Key_Right)
    assert any(text.startswith("Kokoro, Emma against Kokoro, Michael: 15 battles") for text in seen(window))
    window.show_lens(lenses.pairs(arena="english", island=1))
    assert (matrix.currentIndex().row(), matrix.currentIndex().column()) == (1, 2)


def test_neighbours_and_cycles_are_sentences(window: MainWindow) -> None:
    open_lens(window, "lensPairs", lenses.pairs())
    part(window, QPushButton, "pairsNeighbours").click()
    assert "1  Kokoro, Heart  –  Kokoro, Emma" in seen(window)
    assert "You prefer Kokoro, Heart over Kokoro, Emma 7 of 9 times: likely, not yet sure." in seen(window)
    part(window, QPushButton, "pairsCycles").click()
    assert any("Kokoro, Michael beats Kokoro, Heart." in text for text in seen(window))


# --- groups ----------------------------------------------------------------------------------------------------------


def test_groups_are_parted_as_chosen_and_each_number_has_its_interval(window: MainWindow, recorder: Recorder) -> None:
    open_lens(window, "lensGroups", lenses.groups())
    choice = part(window, QComboBox, "groupBy")
    choice.activated.emit(choice.findData("listener"))
    assert asked(recorder)[-1] == GroupsLens(GroupBy.LISTENER)
    model = part(window, GroupsPanel).table.model()
    said = str(model.index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole))
    assert said == (
        "Kokoro, Heart in Everyday: rating 1150, 95 % interval 1110 to 1190; by its votes alone 1159. "
        "30 votes, 91 % of them acceptable (81–96 %)."
    )
    assert model.index(0, 0).data() == "1150 (1110–1190)"
    assert model.index(7, 3).data() == "–"
    assert model.headerData(0, Qt.Orientation.Horizontal) == "Everyday\n120 votes"
    assert "The categories do not differ measurably." in seen(window)


# --- history ---------------------------------------------------------------------------------------------------------


def test_models_stand_out_as_chosen_and_stay_chosen(window: MainWindow, recorder: Recorder) -> None:
    open_lens(window, "lensHistory", lenses.history())
    panel = part(window, HistoryPanel)
    best = [model.repo_id for model in lenses.SAMPLE[:5]]
    assert list(panel.models.switched_on()) == best
    panel.models.setFocus(Qt.FocusReason.TabFocusReason)
    panel.models.setCurrentRow(0)
    QTest.keyClick(panel.models, Qt.Key.Key_Space)
    assert list(panel.models.switched_on()) == best[1:]
    assert "Kokoro, Heart" not in panel.chart.description
    window.show_lens(lenses.history(moments=31))
    assert list(panel.models.switched_on()) == best[1:]
    method = part(window, QComboBox, "historyMethod")
    method.activated.emit(method.findData("elo"))
    assert asked(recorder)[-1] == HistoryLens(Method.ELO)


def test_history_runs_along_votes_or_dates(window: MainWindow) -> None:
    open_lens(window, "lensHistory", lenses.history())
    panel = part(window, HistoryPanel)
    by_votes = panel.chart.spots
    along = part(window, QComboBox, "historyBy")
    along.activated.emit(along.findData("date"))
    assert by_votes[0].x == 10
    assert panel.chart.spots[0].words.endswith("after 30 votes on 29 May.")  # two moments have no date
    assert any("eSpeak NG joined." in spot.words for spot in panel.chart.spots)


# --- what if ---------------------------------------------------------------------------------------------------------


def test_what_is_switched_off_is_left_out_and_asked_for_once(
    window: MainWindow, recorder: Recorder, qtbot: QtBot
) -> None:
    open_lens(window, "lensWhatIf", lenses.what_if())
    panel = part(window, WhatIfPanel)
    recorder.calls.clear()
    panel.listeners.setFocus(Qt.FocusReason.TabFocusReason)
    panel.listeners.setCurrentRow(1)
    QTest.keyClick(panel.listeners, Qt.Key.Key_Space)
    QTest.keyClicks(part(window, QLineEdit, "whatIfSince"), "2026-05-01")
    panel.ties.activated.emit(panel.ties.findData("drop"))
    part(window, QWidget, "whatIfPrior").toggle()  # type: ignore[attr-defined]
    assert asked(recorder) == []
    qtbot.waitUntil(lambda: bool(asked(recorder)))
    wish = WhatIfLens(without_listeners=("l-1",), since="2026-05-01", ties=TieRule.DROP, prior=False)
    assert asked(recorder) == [wish]
    window.show_lens(lenses.what_if(wish))
    assert list(panel.listeners.switched_off()) == ["l-1"]
    assert panel.reset.isEnabled()
    panel.reset.click()
    assert asked(recorder) == [wish, WhatIfLens()]
    window.show_lens(lenses.what_if())
    assert panel.listeners.switched_off() == ()
    assert part(window, QLineEdit, "whatIfSince").text() == ""
    assert not panel.reset.isEnabled()


def test_what_if_shows_what_moved_and_what_is_wrong_with_a_filter(window: MainWindow) -> None:
    open_lens(window, "lensWhatIf", lenses.what_if())
    model = part(window, WhatIfPanel).table.model()
    shown = [[str(model.index(row, column).data()) for column in range(7)] for row in range(8)]
    assert shown[1] == ["1–3", "Kokoro, Emma", "1088", "1021 to 1155", "−12", "−1", "36"]
    assert shown[7] == ["–", "eSpeak NG", "–", "–", "–", "–", "0"]
    assert "90 of 104 votes counted." in seen(window)
    window.show_lens(lenses.what_if(problem="2026-13-01 is no date."))
    assert "2026-13-01 is no date." in seen(window)
    assert model.rowCount() == 0


def test_a_filter_that_waits_is_forgotten_when_the_page_is_left(
    window: MainWindow, recorder: Recorder, qtbot: QtBot
) -> None:
    open_lens(window, "lensWhatIf", lenses.what_if())
    QTest.keyClicks(part(window, QLineEdit, "whatIfUntil"), "2026")
    window.show_page("modelsPage")
    qtbot.wait(250)
    assert asked(recorder) == [WhatIfLens(), None]


# --- audit -----------------------------------------------------------------------------------------------------------


def test_a_finding_says_how_bad_it_is_in_a_word_and_unfolds_its_figures(window: MainWindow) -> None:
    open_lens(window, "lensAudit", lenses.audit())
    panel = part(window, AuditPanel)
    assert [finding.mark.word.text() for finding in panel.findings] == [
        "Serious",
        "Warning",
        "Notice",
        "Too little data",
        "Fine",
    ]
    first = panel.findings[0]
    assert "What to do: Have them meet at least five times." in seen(window)
    assert "Groups" not in seen(window)
    first.unfold.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(first.unfold, Qt.Key.Key_Space)
    assert {"Groups", "2"} <= seen(window)
    better = replace(lenses.audit().lines[0], severity=Severity.OK, found="All met.")
    window.show_lens(replace(lenses.audit(), lines=(*lenses.audit().lines[1:], better)))
    assert panel.findings[-1] is first
    assert first.figures.isVisible()
    assert first.mark.word.text() == "Fine"
    assert len(panel.findChildren(Finding)) == 5


# --- contributors ----------------------------------------------------------------------------------------------------


def test_an_odd_contributor_comes_with_what_to_write_into_the_policy(window: MainWindow) -> None:
    open_lens(window, "lensContributors", lenses.contributors())
    first = part(window, ContributorsPanel).findings[0]
    assert first.mark.word.text() == "Warning"
    assert 'reason: "too fast"}' in first.remedy.text()
    assert first.remedy.textInteractionFlags() & Qt.TextInteractionFlag.TextSelectableByMouse, "it is to be copied"
    first.unfold.click()
    assert "60, 2 % of the board" in seen(window)


# --- all of them -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("scale", "size"), [(1.0, (900, 640)), (1.5, (1080, 760)), (2.0, (900, 640))])
def test_no_words_of_a_lens_are_cut(
    window: MainWindow, theme: Theme, qtbot: QtBot, scale: float, size: tuple[int, int]
) -> None:
    font = QFont(QApplication.font())
    font.setPointSizeF(font.pointSizeF() * scale)
    theme.set_base_font(font)
    window.resize(*size)
    for id_, view in lenses.every_view(lenses.names(12)).items():
        open_lens(window, id_, view)
        for part_ in ("pairsNeighbours", "pairsCycles", "chartSize", "chartSpeed", "chartDays"):
            button = window.findChild(QPushButton, part_)
            if button is not None and button.isVisible():
                button.click()
                settle(qtbot)
                assert not cut(window), part_
        settle(qtbot)
        assert not cut(window), id_
        assert window.width() == size[0], id_


def test_filters_and_board_lie_beside_or_above_each_other_never_over_each_other(
    window: MainWindow, theme: Theme, qtbot: QtBot
) -> None:
    open_lens(window, "lensWhatIf", lenses.what_if())
    panel = part(window, WhatIfPanel)
    for scale in (1.0, 1.6):
        font = QFont(QApplication.font())
        font.setPointSizeF(font.pointSizeF() * scale)
        theme.set_base_font(font)
        window.resize(900, 640)
        settle(qtbot)
        assert not panel.area.geometry().intersects(panel.table.geometry())
        beside = panel.area.geometry().right() < panel.table.geometry().left()
        assert beside is (scale == 1.0)
