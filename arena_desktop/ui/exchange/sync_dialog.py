"""Sync: a shared folder through which machines exchange their votes."""

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from arena_desktop.services.exchange_views import ExchangeView, Step, SyncState
from arena_desktop.services.views import Line, Tone
from arena_desktop.ui.exchange.frame import ExchangeDialog
from arena_desktop.ui.exchange.progress import progress_words
from arena_desktop.ui.models.history_table import said
from arena_desktop.ui.models.sheet import Heading
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.buttons import IconButton, Words
from arena_desktop.ui.widgets.controls import Switch
from arena_desktop.ui.widgets.copy_table import CopyTable
from arena_desktop.ui.widgets.notice import Notice
from arena_desktop.ui.widgets.scrolled import Scrolled

_WHAT = (
    "Each machine writes its votes into a folder that all of them see, a shared drive or a stick, and takes over those"
    " of the others. No server, and nothing is overwritten: a machine writes only files of its own."
)
_MOST_LINES = 16
_NONE = "No folder is chosen yet."
_PRIVATE = "Include the private parts"
_PRIVATE_OFF = "Own sentences, device names and notes stay on this machine."
_PRIVATE_ON = "Own sentences, device names and notes are written into the folder: whoever sees it can read them."
_NOT_BACK = "Turned off, they are taken out of this machine's files there; who has read them keeps them."


class SyncDialog(ExchangeDialog):
    """``folder_wanted``: (folder, whether private parts go along), "" for none; ``sync_wanted``: now. Synchronising
    goes on when the dialog is closed.
    """

    folder_wanted = Signal(str, bool)
    sync_wanted = Signal()

    def __init__(self, ask_folder: Callable[[], str], theme: Theme, parent: QWidget | None = None) -> None:
        self._ask_folder = ask_folder
        self._state = SyncState()
        super().__init__("Synchronise votes", "syncDialog", theme, parent)
        self.show_form()
        self.open_at(42, 32)
        self._choose.setFocus()

    def build_form(self) -> QWidget:
        theme = self.theme
        self._folder = Words(_NONE, theme, strong=True, wrap=True, selectable=True)
        self._folder.setObjectName("syncFolder")
        self._choose = IconButton("Choose a folder…", "folder", theme, tip="Choose the shared folder")
        self._choose.setObjectName("syncChoose")
        self._choose.clicked.connect(self._pick)
        self._leave = IconButton(
            "Stop using it", "close", theme, tip="Synchronise with no folder; files stay as they are"
        )
        self._leave.setObjectName("syncLeave")
        self._leave.clicked.connect(lambda: self.folder_wanted.emit("", False))
        self.private = Switch(_PRIVATE, theme)
        self.private.setObjectName("syncPrivate")
        self.private.toggled.connect(self._switch)
        self._private_words = Words(_PRIVATE, theme, wrap=True)
        self._private_why = Words(_PRIVATE_OFF, theme, voice="muted", wrap=True)
        self._warning = Notice(theme)
        self._warning.setObjectName("syncWarning")
        self._status = Notice(theme)
        self._status.setObjectName("syncStatus")
        self._progress = Words("", theme, wrap=True)
        self._progress.setObjectName("syncProgress")
        self._stop = IconButton("Stop", "close", theme, tip="Stop synchronising; it goes on from there another time")
        self._stop.setObjectName("syncStop")
        self._stop.clicked.connect(self.stopped)
        heading = Heading("What is not as it should be", left=True)
        self.problems = CopyTable("Problems", theme, (heading,), wide=(0,), most=_MOST_LINES)
        self.problems.setObjectName("syncProblems")
        for button in (self._choose, self._leave, self._stop):
            button.setAutoDefault(False)
        inside = QWidget()
        inside.setObjectName("scrolled")
        self._rows = [QHBoxLayout(), QHBoxLayout(), QHBoxLayout()]
        for button in (self._choose, self._leave):
            self._rows[0].addWidget(button)
        self._rows[0].addStretch(1)
        self._rows[1].addWidget(self.private)
        self._rows[1].addWidget(self._private_words, 1)
        self._rows[2].addWidget(self._progress, 1)
        self._rows[2].addWidget(self._stop)
        self._inside = QVBoxLayout(inside)
        self._inside.addWidget(Words(_WHAT, theme, voice="muted", wrap=True))
        self._inside.addWidget(self._folder)
        self._inside.addLayout(self._rows[0])
        self._inside.addLayout(self._rows[1])
        self._inside.addWidget(self._private_why)
        self._inside.addWidget(self._warning)
        self._inside.addLayout(self._rows[2])
        self._inside.addWidget(self._status)
        self._inside.addWidget(self.problems)
        self._inside.addStretch(1)
        self._space_form()
        theme.changed.connect(self._space_form)
        return Scrolled(inside)

    def build_buttons(self) -> tuple[IconButton, ...]:
        self.now = IconButton("Sync now", "refresh", self.theme, primary=True, tip="Exchange votes now (Enter)")
        self.now.setObjectName("syncNow")
        self.now.setDefault(True)
        self.now.clicked.connect(self.sync_wanted)
        return (self.now,)

    @property
    def running(self) -> bool:
        return False  # closing the dialog stops nothing

    def show_view(self, view: ExchangeView) -> None:
        super().show_view(view)
        self.show_form()
        self._state = view.sync
        syncing, chosen = view.step is Step.SYNCING, bool(view.sync.folder)
        self._folder.say(said(view.sync.folder) or _NONE)
        self._leave.setVisible(chosen)
        self.private.show_state(view.sync.private)
        self._draw_private(view.sync.private)
        self.now.setEnabled(chosen and not syncing)
        for widget in (self._choose, self._leave, self.private):
            widget.setEnabled(not syncing)
        self._progress.say(progress_words(view) if syncing else "")
        self._progress.setVisible(syncing)
        self._stop.setVisible(syncing)
        self._stop.setEnabled(view.can_cancel)
        failed = view.step is Step.FAILED and bool(view.line.text)
        self._status.show_line(Line() if syncing else view.line if failed else view.sync.line)
        self.problems.show_words([(said(problem),) for problem in view.sync.problems])
        self.problems.setVisible(bool(view.sync.problems))

    def show_work(self, view: ExchangeView) -> None:
        """It is shown in the form."""

    def show_result(self, line: Line) -> None:
        """It is shown in the form."""

    def show_form(self) -> None:
        super().show_form()
        self._turn(self.form, "Close", "Close this window (Esc)")

    def reject(self) -> None:
        if self.view.step in (Step.DONE, Step.FAILED):
            self.stopped.emit()
        self.end()

    def _pick(self) -> None:
        folder = self.put_question(self._ask_folder)
        if folder:
            self.folder_wanted.emit(folder, self.private.isChecked())

    def _switch(self, on: bool) -> None:
        self._draw_private(on)
        if self._state.folder:
            self.folder_wanted.emit(self._state.folder, on)

    def _draw_private(self, on: bool) -> None:
        self._private_why.setVisible(not on)
        self._warning.show_line(Line(_PRIVATE_ON if on else "", Tone.WARNING, _NOT_BACK if on else ""))

    def _space_form(self) -> None:
        px = self.theme.px
        self._inside.setContentsMargins(0, 0, px(0.6), 0)
        self._inside.setSpacing(px(0.6))
        for row in self._rows:
            row.setSpacing(px(0.5))
