"""One model in the dialog for downloads: what it is first, then how far it is."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QProgressBar, QSizePolicy, QVBoxLayout, QWidget

from arena_desktop.harmless import harmless
from arena_desktop.services.download_views import Download, DownloadState
from arena_desktop.services.views import Line, Tone
from arena_desktop.ui.downloads import words
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.buttons import IconButton, Words, restyle
from arena_desktop.ui.widgets.check_list import CheckList, Entry
from arena_desktop.ui.widgets.flow_row import FlowRow
from arena_desktop.ui.widgets.notice import Notice
from arena_desktop.ui.widgets.status_line import announce

_FINE = 1000


class EnterField(QLineEdit):
    """Keeps Enter to itself: it must not press the dialog's own button."""

    entered = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        super().keyPressEvent(event)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.accept()
            self.entered.emit()


class DownloadCard(QFrame):
    """``chosen`` carries a file's name and whether it is wanted; ``narrowed`` what the names of all wanted are like;
    ``add_wanted`` the folder of what is here.
    """

    chosen = Signal(str, bool)
    narrowed = Signal(str)
    start_wanted = Signal()
    cancel_wanted = Signal()
    forget_wanted = Signal()
    add_wanted = Signal(str)

    def __init__(self, download: Download, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._download: Download | None = None
        self.setProperty("card", True)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self._name = Words("", theme, scale=1.15, strong=True, wrap=True, selectable=True)
        self._pill = Words("", theme)
        self._pill.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._origin = Words("", theme, voice="muted", wrap=True, selectable=True)
        self._licence = Words("", theme, wrap=True, selectable=True)
        self._licence.setObjectName("downloadLicence")
        self._amount = Words("", theme, wrap=True)
        self._amount.setObjectName("downloadAmount")
        self._files = CheckList("Files", theme, most_lines=7)
        self._files.setObjectName("downloadFiles")
        self._files.switched.connect(self._switched)
        self._like = EnterField()
        self._like.setObjectName("downloadLike")
        self._like.setAccessibleName("Only files like")
        self._like.setPlaceholderText("Only files like …, e.g. de/de_DE/thorsten/medium/*  (Enter)")
        self._like.setMaxLength(500)
        self._like.entered.connect(lambda: self.narrowed.emit(self._like.text()))
        self._caution = Notice(theme)
        self._caution.setObjectName("downloadCaution")
        self._bar = QProgressBar()
        self._bar.setRange(0, _FINE)
        self._bar.setTextVisible(False)
        self._bar.setAccessibleName("Progress")
        self._progress = Words("", theme, wrap=True)
        self._progress.setObjectName("downloadProgress")
        self._line = Notice(theme)
        self._line.setObjectName("downloadLine")
        self._start = self._button("Download", "import", "downloadStart", primary=True)
        self._start.setToolTip("Bring what is switched on")
        self._start.clicked.connect(self.start_wanted)
        self._cancel = self._button("Cancel", "close", "downloadCancel")
        self._cancel.setToolTip("Stop it; what has arrived is kept")
        self._cancel.clicked.connect(self.cancel_wanted)
        self._add = self._button("Add it…", "plus", "downloadAdd", primary=True)
        self._add.setToolTip("Hear it, and have it take part in battles")
        self._add.clicked.connect(lambda: self.add_wanted.emit(self._download.place if self._download else ""))
        self._forget = self._button("Put away", "close", "downloadForget")
        self._forget.clicked.connect(self.forget_wanted)
        self._lay_out()
        theme.changed.connect(self._space)
        self.show_download(download)

    def focus_next(self) -> None:
        """The focus goes to what is to be done next."""
        for button in (self._start, self._add, self._cancel, self._forget):
            if not button.isHidden() and button.isEnabled():
                button.setFocus(Qt.FocusReason.OtherFocusReason)
                return

    def show_download(self, download: Download) -> None:
        """Draw ``download``, if it differs."""
        before, self._download = self._download, download
        if download == before:
            return
        known = bool(download.files)
        self._name.say(harmless(download.repo))
        pill, look = words.pill(download)
        self._pill.say(pill)
        restyle(self._pill, "pill", look)
        self._origin.say(harmless(words.origin(download)))
        self._licence.say(harmless(words.licence(download)))
        self._licence.setVisible(known)
        self._amount.say(words.amount(download))
        self._amount.setVisible(known)
        self._draw_files(download, before)
        told, how = words.caution(download)
        choosable = download.state in words.CHOOSABLE
        self._caution.show_line(Line(told if choosable else "", Tone.WARNING, how if choosable else ""))
        self._draw_progress(download)
        self._line.show_line(download.line)
        self._draw_buttons(download)
        if before is not None and download.state is not before.state:
            announce(self, words.spoken(download))

    def _draw_files(self, download: Download, before: Download | None) -> None:
        shown = bool(download.files) and download.state in words.CHOOSABLE
        self._files.setVisible(shown)
        self._like.setVisible(shown)
        if shown and (before is None or before.files != download.files):
            self._files.show_entries(
                [Entry(file.path, harmless(words.file_line(file)), file.wanted) for file in words.listed(download)]
            )

    def _draw_progress(self, download: Download) -> None:
        begun = download.state in (DownloadState.RUNNING, DownloadState.WAITING, DownloadState.STOPPED)
        share = download.here / download.of if download.of else 1.0
        self._bar.setVisible(begun)
        self._bar.setValue(min(_FINE if download.here >= download.of else _FINE - 1, int(_FINE * share)))
        self._progress.setVisible(begun)
        self._progress.say(words.progress(download))

    def _draw_buttons(self, download: Download) -> None:
        focused = any(button.hasFocus() for button in (self._start, self._add, self._cancel, self._forget))
        stoppable = download.state in words.STOPPABLE
        can_start = download.state in words.CHOOSABLE and bool(download.files)
        wanted = any(file.wanted for file in download.files)
        self._start.setVisible(can_start)
        self._start.setEnabled(wanted)
        self._start.setText(words.go_on(download))
        self._start.setAccessibleName(f"{words.go_on(download)} of {harmless(download.repo)}")
        self._add.setVisible(download.state is DownloadState.DONE)
        self._add.setAccessibleName(f"Add {harmless(download.repo)}")
        self._cancel.setVisible(stoppable)
        self._cancel.setAccessibleName(f"Cancel {harmless(download.repo)}")
        self._forget.setVisible(not stoppable)
        loses = download.here > 0 and download.state in (DownloadState.STOPPED, DownloadState.FAILED)
        self._forget.setText("Remove what has arrived" if loses else "Put away")
        self._forget.setAccessibleName(f"{self._forget.text()}: {harmless(download.repo)}")
        self._forget.setToolTip("Delete the parts and take it off this list" if loses else "Take it off this list")
        if focused:
            self.focus_next()

    def _switched(self) -> None:
        """Tell what a person has switched."""
        on = set(self._files.switched_on())
        for file in words.listed(self._download) if self._download is not None else ():
            if file.wanted != (file.path in on):
                self.chosen.emit(file.path, file.path in on)

    def _button(self, label: str, icon: str, name: str, *, primary: bool = False) -> IconButton:
        button = IconButton(label, icon, self._theme, primary=primary)
        button.setObjectName(name)
        button.setAutoDefault(False)
        return button

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.addWidget(self._name, 1)
        head.addWidget(self._pill)
        self._head = head
        self._buttons = FlowRow(self._theme, (self._start, self._add, self._cancel, self._forget))
        self._column = QVBoxLayout(self)
        self._column.addLayout(head)
        for part in (
            self._origin,
            self._licence,
            self._amount,
            self._like,
            self._files,
            self._caution,
            self._bar,
            self._progress,
        ):
            self._column.addWidget(part)
        self._column.addWidget(self._line)
        self._column.addWidget(self._buttons)
        self._space()

    def _space(self) -> None:
        px = self._theme.px
        self._column.setContentsMargins(px(1), px(0.7), px(1), px(0.7))
        self._column.setSpacing(px(0.4))
        self._head.setSpacing(px(0.5))
        self._bar.setFixedHeight(px(0.5))
