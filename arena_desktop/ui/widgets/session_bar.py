"""The head of the Listen page: in which arena, who listens, and where the sentences come from."""

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QSizePolicy, QWidget

from arena_desktop.services.views import Choice, PromptSource
from arena_desktop.ui import text
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.buttons import IconButton, Words
from arena_desktop.ui.widgets.controls import Dropdown

OWN, FILE, ALL = "own", "file", "builtin"
_CATEGORY = "builtin:"
_OPENS = "Alt+↓ opens the list"
_SOURCE_TIP = f"Where the sentences come from. {_OPENS}."


class SessionBar(QWidget):
    """Three drop-down lists. ``ask_name`` and ``ask_file`` put the questions that a list can't; "" means never mind."""

    arena_picked = Signal(str)
    listener_picked = Signal(str)
    listener_named = Signal(str)
    prompts_picked = Signal(object)
    own_wanted = Signal()

    def __init__(
        self, theme: Theme, ask_name: Callable[[], str], ask_file: Callable[[], str], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme, self._ask_name, self._ask_file = theme, ask_name, ask_file
        self._prompts = PromptSource()
        self.arena = Dropdown("Arena", theme)
        self.arena.setObjectName("arenaSelect")
        self.arena.setToolTip(f"Which models meet each other. {_OPENS}.")
        self.listener = Dropdown("Listener", theme)
        self.listener.setObjectName("listenerSelect")
        self.listener.setToolTip(f"Who listens and votes. Names stay on this machine. {_OPENS}.")
        self.add_listener = IconButton("", "plus", theme, name="Add a listener", tip="Add a listener", quiet=True)
        self.add_listener.setObjectName("addListener")
        self.source = Dropdown("Sentences", theme, confirmed=(OWN, FILE))
        self.source.setObjectName("promptSource")
        self.source.setToolTip(_SOURCE_TIP)
        self.note = Words("", theme, voice="muted", wrap=True)
        self.note.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)  # it widens no column
        self.note.setObjectName("promptNote")
        self.note.hide()
        self._lay_out()
        self.arena.picked.connect(self.arena_picked)
        self.listener.picked.connect(self.listener_picked)
        self.add_listener.clicked.connect(self._name_listener)
        self.source.picked.connect(self._source_picked)
        theme.changed.connect(self._space)

    def _lay_out(self) -> None:
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        for column, (words, field) in enumerate(
            (("&Arena", self.arena), ("&Listener", self.listener), ("Sen&tences", self.source))
        ):
            label = QLabel(words)
            label.setProperty("voice", "muted")
            label.setBuddy(field)
            self._grid.addWidget(label, 0, column)
            self._grid.setColumnStretch(column, 1)
        self._grid.addWidget(self.arena, 1, 0)
        listeners = QHBoxLayout()
        listeners.setContentsMargins(0, 0, 0, 0)
        listeners.setSpacing(0)
        listeners.addWidget(self.listener, 1)
        listeners.addWidget(self.add_listener)
        self._grid.addLayout(listeners, 1, 1)
        self._grid.addWidget(self.source, 1, 2)
        self._grid.addWidget(self.note, 2, 2)
        self._space()

    def show_arenas(self, arenas: Sequence[Choice], current: str) -> None:
        """The arenas, and the one in which battles are held."""
        self.arena.show_choices([(choice.id, choice.title) for choice in arenas], current)

    def show_listeners(self, listeners: Sequence[Choice], current: str) -> None:
        """Who may listen, and who does."""
        self.listener.show_choices([(choice.id, choice.title) for choice in listeners], current)

    def show_prompts(self, categories: Sequence[Choice], prompts: PromptSource, note: str = "") -> None:
        """The built-in categories, own text, a file; which of them is in force, and what came of it (``note``)."""
        self._prompts = prompts
        file_title = (
            f"File: {Path(prompts.path).name}" if prompts.kind == FILE and prompts.path else "A text file or table…"
        )
        choices: list[tuple[str, str] | None] = [(ALL, "All sentences")]
        choices += [(_CATEGORY + choice.id, choice.title) for choice in categories if choice.id]
        choices += [None, (OWN, "My own text"), (FILE, file_title)]
        self.source.show_choices(choices, _key(prompts))
        self.note.say(note)
        self.note.setVisible(bool(note) and prompts.kind == FILE)
        self.source.setToolTip(text.tip(f"Where the sentences come from. {note}. {_OPENS}.") if note else _SOURCE_TIP)

    def show_active(self) -> None:
        """Show the source that is in force, whatever was picked last: a text or file may have been refused."""
        self.source.choose(_key(self._prompts))

    def _name_listener(self) -> None:
        name = self._ask_name().strip()
        if name:
            self.listener_named.emit(name)

    def _source_picked(self, key: str) -> None:
        if key == OWN:
            self.own_wanted.emit()
        elif key == FILE:
            path = self._ask_file()
            if path:
                self.prompts_picked.emit(PromptSource(kind=FILE, path=path))
            self.show_active()
        else:
            category = key.removeprefix(_CATEGORY) if key.startswith(_CATEGORY) else None
            self.prompts_picked.emit(PromptSource(kind=ALL, category=category))

    def _space(self) -> None:
        self._grid.setHorizontalSpacing(self._theme.px(1))
        self._grid.setVerticalSpacing(self._theme.px(0.2))


def _key(prompts: PromptSource) -> str:
    if prompts.kind != ALL:
        return prompts.kind
    return _CATEGORY + prompts.category if prompts.category else ALL
