"""The Leaderboard page: one arena's board, and the lenses that it can be looked at through."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QScrollArea, QStackedWidget, QTableView, QVBoxLayout, QWidget

from arena_desktop.services.actions import BoardActions
from arena_desktop.services.views import BoardView, Line, Tone
from arena_desktop.ui import text
from arena_desktop.ui.binder import Binder
from arena_desktop.ui.lenses.catalogue import LENSES, RANKING
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.buttons import Words
from arena_desktop.ui.widgets.controls import Dropdown
from arena_desktop.ui.widgets.export_choice import ExportChoice
from arena_desktop.ui.widgets.notice import Notice
from arena_desktop.ui.widgets.ranking_table import RankingTable
from arena_desktop.ui.widgets.scrolled import Scrolled
from arena_desktop.ui.widgets.tabs import Tabs

if TYPE_CHECKING:
    from arena_desktop.services.board_views import LensView
    from arena_desktop.ui.lenses.panel import AskPath, LensPanel

_NOTHING_YET = "No votes in this arena yet. Every model starts equal; the first votes will spread them."
_WORKING = "Working…"
_NOT_MADE = "This could not be worked out: see the message, or the log file. Choose it again to try again."
_NOT_RENEWED = "Not up to date: see the message, or the log file."


class LeaderboardPage(QWidget):
    """Keeps what is chosen in it when a view arrives. A lens is asked for only while the page is seen.
    ``meetings_wanted``: (arena, repo_id, repo_id), a person wants to see the votes in which these two met.
    """

    meetings_wanted = Signal(str, str, str)

    def __init__(self, theme: Theme, ask_path: "AskPath") -> None:
        super().__init__()
        self.setObjectName("leaderboardPage")
        self._theme, self._ask_path = theme, ask_path
        self._actions: BoardActions | None = None
        self._panels: dict[str, LensPanel] = {}
        self._areas: dict[str, QScrollArea] = {}
        self._shown: dict[str, str] = {}  # the arena of the view that each panel shows
        self._arena_id = ""
        self._no_arena = False
        self._title = Words("Leaderboard", theme, scale=1.5, strong=True, wrap=True)
        self._sentence = Words("", theme, scale=1.1, wrap=True, selectable=True)
        self._sentence.setObjectName("boardSentence")
        self._votes = Words("", theme, voice="muted", wrap=True)
        self._arena = Dropdown("Arena", theme)
        self._arena.setObjectName("boardArena")
        self._export = ExportChoice(theme, ask_path)
        self._note = Notice(theme)
        self._news = Notice(theme, dismissable=True)
        self._news.setObjectName("boardNews")
        self._waiting = Notice(theme)
        self._waiting.setObjectName("boardWaiting")
        self._written = Notice(theme, dismissable=True)
        self._written.setObjectName("boardWritten")
        self._lenses = Tabs("Lens", [(tab.id, tab.title, tab.meaning) for tab in LENSES], theme)
        self._lenses.choose(RANKING)
        self._lenses.enter = self._enter
        self._busy = Words("", theme, voice="muted")
        self._ranking = RankingTable(theme)
        self._working = Words(_WORKING, theme, voice="muted")
        self._working.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._stack = QStackedWidget()
        self._stack.addWidget(self._ranking)
        self._stack.addWidget(self._working)
        self._lay_out()
        self._arena.picked.connect(self._show_arena)
        self._lenses.chosen.connect(self._choose_lens)
        self._export.wanted.connect(self._write)
        self._binder: Binder[BoardView] = Binder()
        self._binder.bind(lambda v: v.title, lambda v: self._title.say(v.title or "Leaderboard"))
        self._binder.bind(lambda v: v.sentence, self._draw_sentence)
        self._binder.bind(lambda v: (v.votes, bool(v.rows), bool(v.waiting), bool(v.arenas)), self._draw_votes)
        self._binder.bind(lambda v: (v.arenas, v.arena), self._draw_arenas)
        self._binder.bind(lambda v: v.notes, self._draw_notes)
        self._binder.bind(lambda v: v.news, lambda v: self._news.show_line(Line(v.news)))
        self._binder.bind(lambda v: v.waiting, lambda v: self._waiting.show_line(Line(v.waiting)))
        self._binder.bind(lambda v: v.rows, lambda v: self._ranking.show_rows(v.rows))
        theme.changed.connect(self._space)

    @property
    def table(self) -> QTableView:
        """The table of the ranking."""
        return self._ranking.table

    def attach(self, actions: BoardActions) -> None:
        """From now on, forward to ``actions``."""
        self._actions = actions
        self._look()

    def show_view(self, view: BoardView) -> None:
        """Draw ``view``."""
        self._binder.show(view)

    def show_lens(self, view: "LensView") -> None:
        """Draw what stands beside the ranking."""
        for tab in LENSES:
            if tab.view is not None and isinstance(view, tab.view) and tab.id in self._panels:
                self._panels[tab.id].show_view(view)
                self._shown[tab.id] = view.arena
                if tab.id == self._lenses.current:
                    self._busy.say("")
                    self._stack.setCurrentWidget(self._areas[tab.id])

    def show_fault(self) -> None:
        """Something went wrong: a view that was waited for may never come. If it does, it is shown all the same."""
        if self._busy.text():
            self._busy.say(_NOT_RENEWED)
        self._working.say(_NOT_MADE)

    def show_exported(self, path: str) -> None:
        """Say where the board was written."""
        self._written.show_line(Line(f"The board was written to {path}"))

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        super().showEvent(event)
        if self._actions and self._lenses.current == RANKING and not event.spontaneous():
            self._actions.look(None)  # votes may wait, which is to be said to whoever looks
        self._look()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802
        super().hideEvent(event)
        if self._actions and self._lenses.current != RANKING:
            self._actions.look(None)

    def _lay_out(self) -> None:
        fields = QHBoxLayout()
        fields.setContentsMargins(0, 0, 0, 0)
        label = QLabel("&Arena")
        label.setProperty("voice", "muted")
        label.setBuddy(self._arena)
        fields.addWidget(label)
        fields.addWidget(self._arena)
        fields.addWidget(self._votes, 1)
        fields.addWidget(self._export)
        self._fields = fields
        lenses = QHBoxLayout()
        lenses.setContentsMargins(0, 0, 0, 0)
        lenses.addWidget(self._lenses, 1)
        lenses.addWidget(self._busy)
        self._column = QVBoxLayout(self)
        self._column.addWidget(self._title)
        self._column.addWidget(self._sentence)
        self._column.addLayout(fields)
        self._column.addWidget(self._waiting)
        self._column.addWidget(self._written)
        self._column.addWidget(self._news)
        self._column.addWidget(self._note)
        self._column.addLayout(lenses)
        self._column.addWidget(self._stack, 1)
        self._space()

    def _space(self) -> None:
        px = self._theme.px
        self._column.setContentsMargins(px(1.5), px(1.2), px(1.5), px(1.2))
        self._column.setSpacing(px(0.6))
        self._fields.setSpacing(px(0.6))

    def _draw_sentence(self, view: BoardView) -> None:
        self._sentence.say(view.sentence)
        self._sentence.setVisible(bool(view.sentence))

    def _draw_arenas(self, view: BoardView) -> None:
        self._arena.show_choices([(choice.id, choice.title) for choice in view.arenas], view.arena)
        self._arena_id = view.arena
        self._no_arena = not view.arenas
        if self._no_arena and self._lenses.current != RANKING:
            self._wait()

    def _draw_votes(self, view: BoardView) -> None:
        words = text.counted(view.votes, "vote") if view.votes or not view.rows else _NOTHING_YET
        if not view.arenas:
            words = ""
        elif view.waiting:
            words = f"{text.counted(view.votes, 'vote')} shown"
        self._votes.say(words)

    def _draw_notes(self, view: BoardView) -> None:
        first, rest = (view.notes[0], "\n".join(view.notes[1:])) if view.notes else ("", "")
        self._note.show_line(Line(first, Tone.WARNING, rest))

    def _enter(self) -> bool:
        """Focus the first thing in the lens."""
        shown = self._stack.currentWidget()
        for widget in () if shown is None else shown.findChildren(QWidget):
            if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isVisible() and widget.isEnabled():
                widget.setFocus(Qt.FocusReason.TabFocusReason)
                return True
        return False

    def _show_arena(self, arena: str) -> None:
        self._arena_id = arena
        if self._actions:
            self._actions.show_arena(arena)  # the lens goes along with it
            if self._lenses.current != RANKING:
                self._wait()

    def _choose_lens(self, id_: str) -> None:
        if id_ == RANKING:
            self._busy.say("")
            self._stack.setCurrentWidget(self._ranking)
            if self._actions:
                self._actions.look(None)
            return
        self._look()

    def _look(self) -> None:
        """Ask for the lens that is chosen, if anybody sees it."""
        id_ = self._lenses.current
        if id_ == RANKING or self._actions is None or not self.isVisible():
            return
        panel = self._panel(id_)
        self._wait()
        self._actions.look(panel.lens)

    def _wait(self) -> None:
        """Until the view comes: what was shown before if it is of this arena, else a word."""
        id_ = self._lenses.current
        shown = not self._no_arena and self._shown.get(id_) == self._arena_id
        self._working.say("" if self._no_arena else _WORKING)
        self._busy.say(_WORKING if shown else "")
        self._stack.setCurrentWidget(self._areas[id_] if shown else self._working)

    def _panel(self, id_: str) -> "LensPanel":
        if id_ not in self._panels:
            tab = next(tab for tab in LENSES if tab.id == id_)
            assert tab.build is not None, "the ranking is no panel"
            panel = tab.build(self._theme, self._ask_path)
            panel.wanted.connect(self._look)
            panel.meetings_wanted.connect(lambda one, other: self.meetings_wanted.emit(self._arena_id, one, other))
            panel.setObjectName("scrolled")
            self._panels[id_] = panel
            self._areas[id_] = Scrolled(panel)
            self._stack.addWidget(self._areas[id_])
        return self._panels[id_]

    def _write(self, format_: str, path: str) -> None:
        if self._actions:
            self._actions.export(format_, path)
