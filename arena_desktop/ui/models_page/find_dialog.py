"""What lies on the disk that could speak. Not modal: battles go on."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QCloseEvent, QKeyEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLayout, QProgressBar, QVBoxLayout, QWidget

from arena_desktop.services.actions import ModelsActions
from arena_desktop.services.found_views import FoundRow, FoundView
from arena_desktop.ui.models_page.found_card import STATES, FoundCard
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.buttons import IconButton, Words
from arena_desktop.ui.widgets.card_list import CardList
from arena_desktop.ui.widgets.filter_field import FilterField
from arena_desktop.ui.widgets.flow_row import FlowRow
from arena_desktop.ui.widgets.status_line import announce

EXPLAINED = "Nothing is copied, downloaded or run by looking. What you add is entered in your own roster."


class FindDialog(QDialog):
    """``ask_folder`` asks for a folder, "" for never mind."""

    def __init__(self, theme: Theme, parent: QWidget | None, ask_folder: Callable[[], str]) -> None:
        super().__init__(parent)
        self._theme = theme
        self._ask_folder = ask_folder
        self._actions: ModelsActions | None = None
        self._aside = False
        self._rows: dict[str, FoundRow] = {}
        self.setObjectName("findModels")
        self.setWindowTitle("Find models")
        self.setModal(False)
        self._title = Words("Find models", theme, scale=1.3, strong=True, wrap=True)
        self._explained = Words(EXPLAINED, theme, voice="muted", wrap=True)
        self._usual = self._button(
            "Search the usual places", "refresh", "The Hugging Face cache, and where others keep voices"
        )
        self._usual.setObjectName("findUsual")
        self._usual.clicked.connect(lambda: self._find(()))
        self._folder = self._button("Choose a folder…", "folder", "Search a folder and what lies in it")
        self._folder.setObjectName("findFolder")
        self._folder.clicked.connect(self._find_in_folder)
        self._stop = self._button("Stop", "close", "Stop the search")
        self._stop.setObjectName("findStop")
        self._stop.clicked.connect(self._stop_pressed)
        self._filter = FilterField("finds", theme, self)
        self._filter.setObjectName("filterFinds")
        self._filter.textChanged.connect(self._filter_rows)
        self._bar = QProgressBar()
        self._bar.setRange(0, 0)
        self._bar.setTextVisible(False)
        self._bar.setAccessibleName("Searching")
        self._words = Words("", theme, strong=True, wrap=True, selectable=True)
        self._words.setObjectName("findWords")
        self._notes = Words("", theme, voice="muted", wrap=True, selectable=True)
        self._done = self._button("Close", "close", "Close this window (Esc)")
        self._done.setObjectName("findClose")
        self._done.clicked.connect(self.close)
        self._list = CardList(theme, self._make_card)
        self._list.setAccessibleName("What was found")
        self._lay_out()
        theme.changed.connect(self._space)

    def attach(self, actions: ModelsActions) -> None:
        """From now on, forward to ``actions``."""
        self._actions = actions

    def show_view(self, view: FoundView) -> None:
        """Draw ``view``."""
        self._bar.setVisible(view.searching)
        self._stop.setVisible(view.searching)
        self._usual.setEnabled(not view.searching)
        self._folder.setEnabled(not view.searching)
        if view.words != self._words.text():
            self._words.say(view.words)
            if not view.searching and self.isVisible():
                announce(self._words, view.words)
        self._words.setVisible(bool(view.words))
        self._notes.say("\n".join(view.notes))
        self._notes.setVisible(bool(view.notes))
        self._show_rows(view.rows)

    def open_beside(self) -> None:
        """Show it, at a size that fits its parent."""
        parent = self.parentWidget()
        if not self.isVisible() and parent is not None:
            window = parent.window()
            self.resize(min(self._theme.px(46), window.width()), min(self._theme.px(38), window.height()))
        self.show()
        self.activateWindow()
        self._list.setFocus(Qt.FocusReason.OtherFocusReason)

    def make_room(self, wanted: bool) -> None:
        """Whether the page that it belongs to is looked at: it covers no other one, and comes back with it."""
        if wanted and self._aside:
            self.open_beside()
        elif not wanted and self.isVisible():
            self._aside = True
            self.hide()
            return
        self._aside = False

    def _focus_after(self, key: str) -> None:
        """The next find with which something can be done gets the focus, else the list."""
        keys = list(self._rows)
        for other in (*keys[keys.index(key) + 1 :], *keys[: keys.index(key)]) if key in keys else ():
            card = self._list.cards.get(other)
            if isinstance(card, FoundCard) and card.focus_next():
                return
        self._list.setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        if not self._list.take_key(event):
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802
        super().closeEvent(event)
        self._let_go()

    def reject(self) -> None:
        """Esc."""
        super().reject()
        self._let_go()

    def _let_go(self) -> None:
        if self._actions is not None:
            self._actions.stop_sample()

    def _show_rows(self, rows: tuple[FoundRow, ...]) -> None:
        before, self._rows = self._rows, {_key(row): row for row in rows}
        self._filter.offer(len(rows))
        self._filter_rows()
        for key, card in self._list.cards.items():
            row = self._rows[key]
            if isinstance(card, FoundCard) and row != before.get(key):
                card.show_row(row)

    def _filter_rows(self) -> None:
        self._list.show_keys(self._shown())

    def _shown(self) -> tuple[str, ...]:
        """Those that the filter lets through."""
        return tuple(key for key, row in self._rows.items() if self._filter.lets_through(*_words(row)))

    def _make_card(self, key: str) -> FoundCard:
        row = self._rows[key]
        card = FoundCard(row, self._theme)
        card.tried.connect(partial(self._try, row.id))
        card.stopped.connect(self._let_go)
        card.added.connect(partial(self._add, row.id))
        card.done.connect(partial(self._focus_after, key))
        return card

    def _find(self, folders: tuple[str, ...]) -> None:
        if self._actions is not None:
            self._actions.find(folders)

    def _find_in_folder(self) -> None:
        folder = self._ask_folder()
        if folder:
            self._find((folder,))

    def _stop_pressed(self) -> None:
        if self._actions is not None:
            self._actions.stop_finding()

    def _try(self, found_id: str, voice: str) -> None:
        if self._actions is not None:
            self._actions.try_found(found_id, voice)

    def _add(self, found_id: str, voice: str, arena: str) -> None:
        if self._actions is not None:
            self._actions.add(found_id, voice, arena)

    def _button(self, words: str, icon: str, tip: str) -> IconButton:
        button = IconButton(words, icon, self._theme, tip=tip)
        button.setAutoDefault(False)
        return button

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(self._done)
        self._column = QVBoxLayout(self)
        self._column.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        self._column.addWidget(self._title)
        self._column.addWidget(self._explained)
        self._column.addWidget(FlowRow(self._theme, (self._usual, self._folder, self._stop), (self._filter,)))
        self._column.addWidget(self._bar)
        self._column.addWidget(self._words)
        self._column.addWidget(self._notes)
        self._column.addWidget(self._list, 1)
        self._column.addLayout(buttons)
        self._bar.hide()
        self._stop.hide()
        self._words.hide()
        self._notes.hide()
        self._space()

    def _space(self) -> None:
        px = self._theme.px
        self._column.setContentsMargins(px(1.2), px(1), px(1.2), px(1))
        self._column.setSpacing(px(0.6))
        self._bar.setFixedHeight(px(0.5))
        self.setMinimumSize(px(24), px(18))


def _key(row: FoundRow) -> str:
    """What a card is about: another search may use its number for another thing."""
    return f"{row.id}\n{row.path}\n{row.title}"


def _words(row: FoundRow) -> tuple[str, ...]:
    """By what a find may be looked for."""
    return (row.title, row.path, *row.facts, row.reason, STATES[row.state][0])
