"""One thing that was found on the disk: what it is, whether it can speak and why not, a listen test, Add."""

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout

from arena_desktop.services.finders.found import FoundState
from arena_desktop.services.found_views import FoundRow
from arena_desktop.ui.models_page.remedy import Remedy
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.buttons import IconButton, Words, restyle
from arena_desktop.ui.widgets.card_list import KEEP
from arena_desktop.ui.widgets.controls import Dropdown
from arena_desktop.ui.widgets.flow_row import FlowRow
from arena_desktop.ui.widgets.notice import Notice

STATES = {
    FoundState.READY: ("Ready", "good"),
    FoundState.SET_UP: ("Needs set-up", "warning"),
    FoundState.CANT: ("Can't speak", "plain"),
}
HEAR_FIRST = "Listen to it first"
NAME_ARENA = "Nothing tells which language it speaks: choose the arena that it joins"


class FoundCard(QFrame):
    """``tried`` carries the voice to be heard, ``added`` the voice and the arena, each "" where there is no choice."""

    tried = Signal(str)
    stopped = Signal()
    added = Signal(str, str)
    done = Signal()
    """It had the focus, and nothing is left to be done with it."""

    def __init__(self, row: FoundRow, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._row: FoundRow | None = None
        self.setProperty("card", True)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self._title = Words("", theme, scale=1.1, strong=True, wrap=True, selectable=True)
        self._pill = Words("", theme)
        self._pill.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._facts = Words("", theme, voice="muted", wrap=True, selectable=True)
        self._path = Words("", theme, voice="muted", wrap=True, selectable=True)
        self._reason = Words("", theme, wrap=True, selectable=True)
        self._remedies = QVBoxLayout()
        self._voice = Dropdown(f"Voice of {row.title}", theme)
        self._voice.picked.connect(self._chosen_here)
        self._arena = Dropdown(f"Arena for {row.title}", theme)
        self._arena.picked.connect(self._chosen_here)
        self._listen = IconButton("Listen", "play", theme, also=("Speaking…", "Checking…", "Adding…", "Stop"))
        self._listen.clicked.connect(self._listen_pressed)
        self._add = IconButton("Add", "plus", theme, name=f"Add {row.title}", primary=True)
        self._add.clicked.connect(lambda: self.added.emit(self._chosen(self._voice), self._chosen(self._arena)))
        for button in (self._listen, self._add):
            button.setAutoDefault(False)
        self._told = Notice(theme)
        self._lay_out()
        theme.changed.connect(self._space)
        self.show_row(row)

    def show_row(self, row: FoundRow) -> None:
        """Draw ``row``, if it differs."""
        before, self._row = self._row, row
        if row == before:
            return
        with self._focus_kept():
            self._draw(row, before)

    def focus_next(self) -> bool:
        """Give the focus to what is to be done next; whether there is anything."""
        for button in (self._add, self._listen):
            if not button.isHidden() and button.isEnabled() and not self._actions.isHidden():
                button.setFocus(Qt.FocusReason.OtherFocusReason)
                return True
        return False

    @contextmanager
    def _focus_kept(self) -> Iterator[None]:
        """A button that is switched off or hidden hands the focus to nobody knows whom: it waits on the card itself."""
        held = QApplication.focusWidget()
        if held is None or not (held is self or held in (self._listen, self._add)):
            yield
            return
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        yield
        if held is not self and held.isEnabled() and not held.isHidden() and not self._actions.isHidden():
            held.setFocus(Qt.FocusReason.OtherFocusReason)
        elif self._row is not None and self._row.in_roster:
            self.done.emit()
        elif self._row is not None and not self._row.busy:
            self.focus_next()

    def _draw(self, row: FoundRow, before: FoundRow | None) -> None:
        self._title.say(row.title)
        words, look = ("In the roster", "plain") if row.in_roster else STATES[row.state]
        self._pill.say(words)
        restyle(self._pill, "pill", look)
        self._facts.say("  ·  ".join(row.facts))
        self._path.say(row.path)
        self._reason.say(row.reason)
        self._reason.setVisible(bool(row.reason))
        if before is None or before.remedy != row.remedy:
            self._show_remedy(row.remedy)
        if before is None or before.voices != row.voices:
            self._voice.show_choices([(choice.id, choice.title) for choice in row.voices], _first(row.voices))
        if before is None or before.arenas != row.arenas:
            choices = [("", "Choose an arena"), *((choice.id, choice.title) for choice in row.arenas)]
            self._arena.show_choices(choices, self._chosen(self._arena))
        usable = row.state is not FoundState.CANT and not row.in_roster
        self._voice.setVisible(usable and bool(row.voices))
        self._arena.setVisible(usable and bool(row.arenas))
        self._actions.setVisible(usable or bool(row.busy))
        self._told.show_line(row.told)
        self._draw_buttons()

    def _draw_buttons(self) -> None:
        row = self._row
        if row is None:
            return
        listening = row.state is FoundState.READY
        words = "Stop" if row.playing else row.busy or "Listen"
        self._listen.setVisible(listening or bool(row.busy))
        self._listen.setText(words)
        self._listen.set_icon("close" if row.playing else "play")
        self._listen.setAccessibleName(f"{words}: {row.title}")
        self._listen.setEnabled(row.can_listen or row.playing)
        voice = self._chosen(self._voice)
        heard = row.state is FoundState.SET_UP or (bool(row.heard) and (not row.voices or row.heard == voice))
        placed = not row.arenas or bool(self._chosen(self._arena))
        self._add.setVisible(row.state is not FoundState.CANT and not row.in_roster)
        self._add.setEnabled(row.can_add and heard and placed)
        self._add.setToolTip(HEAR_FIRST if not heard else NAME_ARENA if not placed else "Add it to your roster")

    def _chosen_here(self) -> None:
        self.setProperty(KEEP, True)
        self._draw_buttons()

    def _listen_pressed(self) -> None:
        if self._row is not None and self._row.playing:
            self.stopped.emit()
        else:
            self.tried.emit(self._chosen(self._voice))

    @staticmethod
    def _chosen(field: Dropdown) -> str:
        return str(field.currentData() or "")

    def _show_remedy(self, remedy: str) -> None:
        while (item := self._remedies.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.setParent(None)
                widget.deleteLater()
        if remedy:
            self._remedies.addWidget(Remedy(remedy, self._theme))

    def _lay_out(self) -> None:
        self._head = QHBoxLayout()
        self._head.addWidget(self._title, 1)
        self._head.addWidget(self._pill)
        self._actions = FlowRow(self._theme, (self._voice, self._arena), (self._listen, self._add))
        self._column = QVBoxLayout(self)
        self._column.addLayout(self._head)
        for part in (self._facts, self._path, self._reason):
            self._column.addWidget(part)
        self._column.addLayout(self._remedies)
        self._column.addWidget(self._actions)
        self._column.addWidget(self._told)
        self._space()

    def _space(self) -> None:
        px = self._theme.px
        self._column.setContentsMargins(px(0.9), px(0.6), px(0.9), px(0.6))
        self._column.setSpacing(px(0.3))
        self._head.setSpacing(px(0.5))


def _first(choices: tuple[object, ...]) -> str:
    return str(getattr(choices[0], "id", "")) if choices else ""
