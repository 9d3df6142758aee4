"""The History page: every vote, filtered, heard again, taken back; and the way in and out for votes."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QHideEvent, QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from arena_desktop.domain.votes import Side
from arena_desktop.services.actions import HistoryActions
from arena_desktop.services.exchange_views import ExchangeView, HistoryFilter, HistoryRow, HistoryView, Step
from arena_desktop.services.views import Choice, Line
from arena_desktop.ui import text
from arena_desktop.ui.binder import Binder
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.buttons import IconButton, Words
from arena_desktop.ui.widgets.exchange_bar import ExchangeBar
from arena_desktop.ui.widgets.flow_row import FlowRow
from arena_desktop.ui.widgets.history_filters import HistoryFilters
from arena_desktop.ui.widgets.history_list import HistoryList
from arena_desktop.ui.widgets.retract_dialog import RetractDialog
from arena_desktop.ui.widgets.scrolled import Scrolled, let_shrink
from arena_desktop.ui.widgets.status_line import StatusLine
from arena_desktop.ui.widgets.vote_details import VoteDetails

_LOOKING = "Looking through the votes…"
_NO_VOTES = "No votes yet"
_HOW_VOTES = "Votes cast on the Listen page are listed here, and votes of others once you import them."
_NOTHING_FITS = "Nothing fits this filter"


class HistoryPage(QWidget):
    """Draws what comes; the votes are asked for only while the page is seen. ``import_wanted``, ``export_wanted`` and
    ``sync_wanted``: a person wants to exchange votes. ``dialog_wanted``: to see the hidden dialog again.
    """

    import_wanted = Signal()
    export_wanted = Signal()
    sync_wanted = Signal()
    dialog_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("historyPage")
        self._theme = theme
        self._actions: HistoryActions | None = None
        self._view = HistoryView(loading=True)
        self._arenas: dict[str, str] = {}
        self._asked_for_more = -1
        self._told: Line | None = None
        self._jumped: HistoryFilter | None = None
        self._title = Words("History", theme, scale=1.5, strong=True)
        self._count = Words("", theme, voice="muted", wrap=True)
        self._count.setObjectName("historyCount")
        self._import = self._exchange("Import…", "import", "Bring in votes from files (Ctrl+I)", "historyImport")
        self._export = self._exchange("Export…", "export", "Write votes to a file (Ctrl+E)", "historyExport")
        self._sync = self._exchange("Sync…", "refresh", "Share votes through a folder (Ctrl+Y)", "historySync")
        self._shared = Words("", theme, voice="muted", wrap=True, selectable=True)
        self._shared.setObjectName("syncLine")
        self._exchange_bar = ExchangeBar(theme)
        self._exchange_bar.button.clicked.connect(self.dialog_wanted)
        self.filters = HistoryFilters(theme)
        self.list = HistoryList(theme)
        self.details = VoteDetails(theme)
        self.status = StatusLine(theme)
        self.status.label.setObjectName("historyStatus")
        self._lay_out()
        self._connect()
        self._add_keys()
        self._binder: Binder[HistoryView] = Binder()
        self._binder.bind(
            lambda v: (v.filter, v.arenas, v.models, v.listeners, v.categories), lambda v: self.filters.show_view(v)
        )
        self._binder.bind(lambda v: v.arenas, self._name_arenas)
        self._binder.bind(lambda v: v.rows, lambda v: self.list.show_rows(v.rows))
        self._binder.bind(lambda v: (len(v.rows), v.found, v.total, v.held_back, v.loading), self._draw_count)
        self._binder.bind(lambda v: (v.playing, v.side), lambda v: self._draw_vote())
        self._binder.show(self._view)
        theme.changed.connect(self._space)

    @property
    def choices(self) -> tuple[tuple[Choice, ...], tuple[Choice, ...]]:
        """The arenas and the listeners of the log."""
        return self._view.arenas, self._view.listeners

    def attach(self, actions: HistoryActions) -> None:
        """From now on, forward to ``actions``."""
        self._actions = actions
        if self.isVisible():
            actions.open()

    def show_view(self, view: HistoryView) -> None:
        """Draw ``view``."""
        self._view = view
        if not view.loading or len(view.rows) < self._asked_for_more:
            self._asked_for_more = -1
        self._binder.show(view)
        if view.status is not self._told:
            self._told = view.status
            self.status.show_line(view.status)
        self.list.look_for_end()
        self._settle_focus()

    def show_exchange(self, view: ExchangeView) -> None:
        """Say how the shared folder stands, and how far it is what a hidden dialog waits for."""
        self._exchange_bar.show_view(view)
        line = view.sync.line
        words = " ".join(filter(None, (line.text, line.remedy)))
        if view.step is Step.SYNCING:
            words = "Synchronising with the shared folder…"
        self._shared.say(words)
        self._shared.setVisible(bool(words))

    def show_aside(self, aside: bool) -> None:
        """Say whether a dialog for votes in and out is open, but hidden."""
        self._exchange_bar.setVisible(aside)

    def list_meetings(self, arena: str, one: str, other: str) -> None:
        """List the votes in which these two models met in this arena."""
        self._jumped = HistoryFilter(arena=arena, model=one, other=other)
        self._choose(self._jumped)

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        super().focusInEvent(event)
        self._settle_focus()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        super().showEvent(event)
        if self._actions and not event.spontaneous():
            self._actions.open()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802
        super().hideEvent(event)
        self._clear_status()
        if self._actions and not event.spontaneous():
            self._actions.leave()

    def _settle_focus(self) -> None:
        """Once there are votes the focus, if it is on the page as a whole, goes to them: the arrows work at once."""
        view = self._view
        if view.rows and not view.loading and view.filter == self._jumped:
            self._jumped = None
            self._area.ensureWidgetVisible(self.list)
            self.list.enter(first=True)
        elif self.hasFocus() and view.rows:
            self.list.enter()
        elif self.hasFocus() and not view.loading:
            self.filters.search.setFocus(Qt.FocusReason.OtherFocusReason)

    def _clear_status(self) -> None:
        """What was done with one vote is no news with another."""
        self.status.show_line(Line())

    def _exchange(self, words: str, icon: str, tip: str, name: str) -> IconButton:
        button = IconButton(words, icon, self._theme, tip=tip)
        button.setObjectName(name)
        return button

    def _lay_out(self) -> None:
        head = FlowRow(self._theme, (self._title,), (self._import, self._export, self._sync))
        inside = QWidget()
        inside.setObjectName("scrolled")
        self._column = QVBoxLayout(inside)
        self._column.addWidget(head)
        self._column.addWidget(self._shared)
        self._column.addWidget(self._exchange_bar)
        self._column.addWidget(self.filters)
        self._column.addWidget(self._count)
        self._column.addWidget(self.list, 1)
        self._column.addWidget(self.details)
        self._column.addWidget(self.status)
        around = QVBoxLayout(self)
        around.setContentsMargins(0, 0, 0, 0)
        self._area = Scrolled(inside)
        around.addWidget(self._area)
        self._shared.hide()
        self._space()

    def _space(self) -> None:
        px = self._theme.px
        self._column.setContentsMargins(px(1.5), px(1.2), px(1.5), px(0.6))
        self._column.setSpacing(px(0.6))
        let_shrink(self.list, px(11))

    def _connect(self) -> None:
        self._import.clicked.connect(self.import_wanted)
        self._export.clicked.connect(self.export_wanted)
        self._sync.clicked.connect(self.sync_wanted)
        self.filters.chosen.connect(self._choose)
        self.list.selected.connect(self._draw_vote)
        self.list.moved.connect(self._clear_status)
        self.list.near_end.connect(self._more)
        self.list.all_wanted.connect(self.filters.show_all)
        self.details.listen.connect(self._listen)
        self.details.stop.connect(self._stop)
        self.details.retract.connect(self._ask_retract)

    def _add_keys(self) -> None:
        """Keys of the page. Qt keeps them off while it is hidden, and text fields keep what can be typed."""
        once = (
            ("A", lambda: self._listen(Side.A)),
            ("B", lambda: self._listen(Side.B)),
            ("Delete", self._ask_retract),
            ("Ctrl+F", self._search),
            ("Ctrl+I", self.import_wanted.emit),
            ("Ctrl+E", self.export_wanted.emit),
            ("Ctrl+Y", self.sync_wanted.emit),
        )
        for keys, act in once:
            shortcut = QShortcut(QKeySequence(keys), self)
            shortcut.setAutoRepeat(False)
            shortcut.activated.connect(act)
        self._stops = [QShortcut(QKeySequence(keys), self) for keys in ("Space", "Escape")]
        for shortcut in self._stops:
            shortcut.setAutoRepeat(False)
            shortcut.activated.connect(self._stop)

    def show_failed_start(self) -> None:
        """The services could not start: no votes are looked for."""
        self.list.show_words("The arena could not start.", "")

    def _draw_count(self, view: HistoryView) -> None:
        held = ""
        if view.held_back:
            votes, verb = text.counted(view.held_back, "vote"), "is" if view.held_back == 1 else "are"
            held = f"{votes} of the set under way {verb} held back until its names are told."
        filtered = view.filter != HistoryFilter()
        words = f"{text.counted(view.total, 'vote')}."
        if filtered:
            words = f"{text.count(view.found)} of {words[:-1]} {'fits' if view.found == 1 else 'fit'} the filter."
        if not view.total and not view.found:
            words = ""
        self._count.say(" ".join(filter(None, (words, held, _LOOKING if view.loading and view.rows else ""))))
        if view.rows:
            self.list.show_words("", "")
        elif view.loading:
            self.list.show_words(_LOOKING, "")
        elif filtered and view.total:
            self.list.show_words(_NOTHING_FITS, "", can_clear=True)
        else:
            self.list.show_words(_NO_VOTES, held or _HOW_VOTES, can_clear=filtered)

    def _name_arenas(self, view: HistoryView) -> None:
        self._arenas = {choice.id: choice.title for choice in view.arenas}
        self.list.rows.name_arenas(self._arenas)

    def _draw_vote(self) -> None:
        row, view = self.list.current, self._view
        side = view.side if row is not None and row.id == view.playing else ""
        self.details.show_row(row, side, "" if row is None else self._arenas.get(row.arena, ""))
        self.details.setVisible(bool(view.rows))
        self.details.show_playing(bool(view.playing))
        for shortcut in self._stops:
            shortcut.setEnabled(bool(view.playing))

    def _choose(self, chosen: HistoryFilter) -> None:
        self._clear_status()
        if self._actions:
            self._asked_for_more = -1
            self._actions.choose(chosen)

    def _more(self) -> None:
        have = len(self._view.rows)
        if self._actions and not self._view.loading and have < self._view.found and have != self._asked_for_more:
            self._asked_for_more = have
            self._actions.more()

    def _listen(self, side: Side) -> None:
        row = self.list.current
        if self._actions and row is not None and row.can_listen:
            self._actions.listen(row.id, side)

    def _stop(self) -> None:
        if self._actions:
            self._actions.stop()

    def _search(self) -> None:
        self.filters.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.filters.search.selectAll()

    def _ask_retract(self) -> None:
        row: HistoryRow | None = self.list.current
        if self._actions and row is not None and row.can_retract:
            dialog = RetractDialog(row, self._theme, self)
            dialog.confirmed.connect(self._actions.retract)
            dialog.finished.connect(dialog.deleteLater)
            dialog.open()
