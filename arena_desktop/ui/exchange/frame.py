"""What the dialogs for votes in and out share: how they show work, how they end, how they are closed."""

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLayout, QProgressBar, QStackedWidget, QVBoxLayout, QWidget

from arena_desktop.services.exchange_views import ExchangeView, Step
from arena_desktop.services.views import Line, Tone
from arena_desktop.ui.exchange.progress import RUNNING, progress_words
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.buttons import IconButton, Words
from arena_desktop.ui.widgets.notice import Notice
from arena_desktop.ui.widgets.status_line import announce

_FINE = 1000
_GOES_ON = "Esc hides this window, and the work goes on: the History page shows how far it is."


class WorkPanel(QWidget):
    """Progress: words, and a bar where the end is known."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.words = Words("", theme, wrap=True)
        self.words.setObjectName("exchangeProgress")
        self.bar = QProgressBar()
        self.bar.setRange(0, _FINE)
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName("Progress")
        self._safe = Words("", theme, voice="muted", wrap=True)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        for part in (self.words, self.bar, self._safe):
            self._column.addWidget(part)
        self._column.addStretch(1)
        self._space()
        theme.changed.connect(self._space)

    def show_view(self, view: ExchangeView) -> None:
        """Draw how far ``view`` is."""
        self.words.say(progress_words(view))
        self.bar.setVisible(view.of > 0)
        self.bar.setValue(round(_FINE * min(1.0, view.done / view.of)) if view.of else 0)
        can = view.can_cancel
        safe = "Cancelling leaves everything as it was." if can else "This can't be stopped half way."
        self._safe.say(f"{safe} {_GOES_ON}")

    def _space(self) -> None:
        self._column.setSpacing(self._theme.px(0.6))
        self.bar.setFixedHeight(self._theme.px(0.5))


class ExchangeDialog(QDialog):
    """A form, work in progress, a result: one of them is shown at a time, with its buttons below.

    ``stopped``: a person wants to stop what is going on, or is done with what is shown. ``put_aside``: it was hidden
    while something goes on. Not modal: battles go on.
    """

    stopped = Signal()
    put_aside = Signal()

    def __init__(self, title: str, name: str, theme: Theme, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.view = ExchangeView()
        self._step: Step | None = None
        self.setObjectName(name)
        self.setWindowTitle(title)
        self.setModal(False)
        self._title = Words(title, theme, scale=1.3, strong=True, wrap=True)
        self._work = WorkPanel(theme)
        self._ended = Notice(theme)
        self._ended.setObjectName("exchangeResult")
        self._copy = IconButton("Copy this message", "copy", theme, tip="Copy what is said here")
        self._copy.setObjectName("exchangeCopy")
        self._copy.setAutoDefault(False)
        self._copy.clicked.connect(self._copy_result)
        result = QWidget()
        column = QVBoxLayout(result)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._ended)
        column.addWidget(self._copy, 0, Qt.AlignmentFlag.AlignLeft)
        column.addStretch(1)
        self.form = self.build_form()
        self._pages = QStackedWidget()
        for page in (self.form, self._work, result):
            self._pages.addWidget(page)
        self._result = result
        self._close = IconButton("Cancel", "close", theme, tip="Change nothing (Esc)", also=("Close",))
        self._close.setObjectName("exchangeClose")
        self._close.setAutoDefault(False)
        self._close.clicked.connect(self._cancel)
        self._buttons = QHBoxLayout()
        self._buttons.addStretch(1)
        self._buttons.addWidget(self._close)
        for button in self.build_buttons():
            button.setAutoDefault(False)
            self._buttons.addWidget(button)
        self._column = QVBoxLayout(self)
        # Its smallest size is its own: what the form holds can scroll.
        self._column.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        self._column.addWidget(self._title)
        self._column.addWidget(self._pages, 1)
        self._column.addLayout(self._buttons)
        self._space()
        theme.changed.connect(self._space)

    def build_form(self) -> QWidget:
        """What is filled in or read before anything is done."""
        raise NotImplementedError

    def build_buttons(self) -> tuple[IconButton, ...]:
        """The buttons that go on from the form."""
        raise NotImplementedError

    @property
    def running(self) -> bool:
        """Whether something is going on that this dialog waits for."""
        return self.view.step in RUNNING

    def show_view(self, view: ExchangeView) -> None:
        """Draw how far the exchange is."""
        self.view = view
        if view.step in RUNNING:
            self.show_work(view)
        elif view.step in (Step.DONE, Step.FAILED):
            self.show_result(view.line)
        if view.step is not self._step:
            self._step = view.step
            announce(self, progress_words(view) if view.step in RUNNING else view.line.text)

    def show_form(self) -> None:
        """The form, with the buttons that go on from it."""
        self._turn(self.form, "Cancel", "Change nothing (Esc)")

    def show_work(self, view: ExchangeView) -> None:
        """What is going on."""
        self._work.show_view(view)
        self._turn(self._work, "Cancel", "Stop it and leave everything as it was")
        self._close.setEnabled(view.can_cancel)

    def show_result(self, line: Line) -> None:
        """What came of it, until it is closed."""
        self._ended.show_line(line)
        self._copy.setVisible(line.tone is not Tone.INFO)
        self._turn(self._result, "Close", "Close this window (Esc)")
        self._close.setFocus(Qt.FocusReason.OtherFocusReason)

    def reject(self) -> None:
        """Esc, or the window's own cross: close what is only shown. What is going on goes on; the dialog is hidden."""
        if self.running:
            self.hide()
            self.put_aside.emit()
        else:
            self.stopped.emit()
            super().reject()

    def put_question(self, question: Callable[[], str]) -> str:
        """Put a question that opens a dialog of the system; afterwards the focus is back where it was."""
        focused = self.focusWidget()
        answer = question()
        self.activateWindow()
        if focused is not None:
            focused.setFocus(Qt.FocusReason.OtherFocusReason)
        return answer

    def open_at(self, wide: float, high: float) -> None:
        """Open so large, in lines of text, as far as the screen allows."""
        room = self.screen().availableSize()
        self.resize(min(self.theme.px(wide), room.width()), min(self.theme.px(high), round(room.height() * 0.92)))

    def end(self) -> None:
        """Nothing is going on any more: close."""
        super().reject()

    def _cancel(self) -> None:
        """Cancel, or Close. What is going on is stopped first, if it can be."""
        if not self.running:
            self.reject()
        elif self.view.can_cancel:
            self._close.setEnabled(False)
            self.stopped.emit()

    def _copy_result(self) -> None:
        line = self._ended.line
        QGuiApplication.clipboard().setText("\n".join(filter(None, (line.text, line.remedy))))

    def _turn(self, page: QWidget, words: str, tip: str) -> None:
        self._pages.setCurrentWidget(page)
        self._close.setText(words)
        self._close.setAccessibleName(words)
        self._close.setToolTip(tip)
        self._close.setEnabled(True)
        for place in range(2, self._buttons.count()):
            item = self._buttons.itemAt(place)
            widget = None if item is None else item.widget()
            if widget is not None:
                widget.setVisible(page is self.form)

    def _space(self) -> None:
        px = self.theme.px
        self._column.setContentsMargins(px(1.5), px(1.2), px(1.5), px(1.2))
        self._column.setSpacing(px(0.8))
        self._buttons.setSpacing(px(0.5))
        room = self.screen().availableSize()
        self.setMinimumSize(min(px(26), room.width()), min(px(16), room.height()))
