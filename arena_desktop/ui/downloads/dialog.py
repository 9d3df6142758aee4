"""The dialog for downloads: which model, then what there is of it; several at once."""

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QLayout, QLineEdit, QVBoxLayout, QWidget

from arena_desktop.services.actions import DownloadActions
from arena_desktop.services.download_views import Download, DownloadsView
from arena_desktop.ui.downloads.card import DownloadCard
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.buttons import IconButton, Words
from arena_desktop.ui.widgets.field_grid import FieldGrid
from arena_desktop.ui.widgets.scrolled import Scrolled

_WHAT = (
    "Nothing is brought before you have seen what it is. The hub learns this machine's address and what you ask for,"
    " nothing else. What is downloaded is checked, goes on after an interruption, and stays on this disk."
)
_NONE = "Downloads stand here. Esc closes this window, and they go on."


class DownloadDialog(QDialog):
    """Not modal: battles go on, and closing it stops nothing. ``add_wanted`` carries the folder of a model that is here
    and shall become a contestant.
    """

    add_wanted = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._actions: DownloadActions | None = None
        self._cards: dict[int, DownloadCard] = {}
        self._asked = False
        self._aside = False
        self.setObjectName("downloadDialog")
        self.setWindowTitle("Download a model")
        self.setModal(False)
        self._title = Words("Download a model", theme, scale=1.3, strong=True, wrap=True)
        self._what = Words(_WHAT, theme, voice="muted", wrap=True)
        self._repo = self._field("downloadRepo", "Model", "OWNER/NAME, or its page")
        self._revision = self._field("downloadRevision", "Revision", "main")
        self._hub = self._field("downloadHub", "Hub", "")
        self._hub.setToolTip("Another hub's address, a mirror's say; it is asked from then on")
        self._look = IconButton("Look", "info", theme, primary=True, tip="Ask the hub what there is (Enter)")
        self._look.setObjectName("downloadLook")
        self._look.setDefault(True)
        self._look.setEnabled(False)
        self._look.clicked.connect(self._ask)
        self._repo.textChanged.connect(lambda words: self._look.setEnabled(bool(words.strip())))
        self._none = Words(_NONE, theme, voice="muted", wrap=True)
        self._close = IconButton("Close", "close", theme, tip="Close this window (Esc); downloads go on")
        self._close.setObjectName("downloadClose")
        self._close.setAutoDefault(False)
        self._close.clicked.connect(self.reject)
        self._lay_out()
        self._space()
        theme.changed.connect(self._space)
        room = self.screen().availableSize()
        self.resize(min(theme.px(48), room.width()), min(theme.px(44), round(room.height() * 0.92)))

    def attach(self, actions: DownloadActions) -> None:
        """From now on, forward to ``actions``."""
        self._actions = actions

    def open_beside(self) -> None:
        """Show it, or bring it to the front."""
        if self._actions is not None:
            self._actions.open()
        self.show()
        self.raise_()
        self.activateWindow()
        self._repo.setFocus(Qt.FocusReason.OtherFocusReason)

    def make_room(self, wanted: bool) -> None:
        """Whether the page that it belongs to is looked at: it covers no other one, and comes back with it."""
        if wanted and self._aside:
            self.show()
        elif not wanted and self.isVisible():
            self._aside = True
            self.hide()
            return
        self._aside = False

    def show_view(self, view: DownloadsView) -> None:
        """Draw ``view``; the newest stand first."""
        self._hub.setPlaceholderText(view.endpoint)
        present = {download.id for download in view.downloads}
        for id_ in list(self._cards.keys() - present):
            self._remove(self._cards.pop(id_))
        fresh = [download for download in view.downloads if download.id not in self._cards]
        for download in view.downloads:
            if download.id in self._cards:
                self._cards[download.id].show_download(download)
        for download in fresh:
            self._add(download)
        self._none.setVisible(not self._cards)
        if fresh and self._asked:
            self._asked = False
            self._cards[fresh[-1].id].focus_next()

    def _add(self, download: Download) -> None:
        card = DownloadCard(download, self._theme)
        self._cards[download.id] = card
        card.chosen.connect(partial(self._choose, download.id))
        card.narrowed.connect(partial(self._narrow, download.id))
        card.start_wanted.connect(partial(self._start, download.id))
        card.cancel_wanted.connect(partial(self._cancel, download.id))
        card.add_wanted.connect(self.add_wanted)
        card.forget_wanted.connect(partial(self._forget, download.id))
        self._shown.insertWidget(0, card)
        card.show()  # at once, so that it can have the focus

    def _remove(self, card: DownloadCard) -> None:
        if card.isAncestorOf(self.focusWidget() or self):
            self._repo.setFocus(Qt.FocusReason.OtherFocusReason)
        self._shown.removeWidget(card)
        card.hide()
        card.deleteLater()

    def _ask(self) -> None:
        if self._actions is not None and self._repo.text().strip():
            self._asked = True
            self._actions.look(self._repo.text(), self._revision.text(), self._hub.text())

    def _choose(self, id_: int, path: str, wanted: bool) -> None:
        if self._actions is not None:
            self._actions.choose(id_, path, wanted)

    def _narrow(self, id_: int, pattern: str) -> None:
        if self._actions is not None:
            self._actions.narrow(id_, pattern)

    def _start(self, id_: int) -> None:
        if self._actions is not None:
            self._actions.start(id_)

    def _cancel(self, id_: int) -> None:
        if self._actions is not None:
            self._actions.cancel(id_)

    def _forget(self, id_: int) -> None:
        if self._actions is not None:
            self._actions.forget(id_)

    def _field(self, name: str, label: str, hint: str) -> QLineEdit:
        field = QLineEdit()
        field.setObjectName(name)
        field.setAccessibleName(label)
        field.setPlaceholderText(hint)
        field.setMaxLength(500)
        return field

    def _lay_out(self) -> None:
        self._fields = QHBoxLayout()
        self._grid = FieldGrid(self._theme)
        labelled = (("&Model", self._repo), ("&Revision", self._revision), ("&Hub", self._hub))
        self._grid.show_fields([_labelled(words, field) for words, field in labelled])
        self._fields.addWidget(self._grid, 1)
        self._fields.addWidget(self._look, 0, Qt.AlignmentFlag.AlignBottom)
        inside = QWidget()
        inside.setObjectName("scrolled")
        self._list = QVBoxLayout(inside)
        self._shown = QVBoxLayout()
        self._list.addWidget(self._none)
        self._list.addLayout(self._shown)
        self._list.addStretch(1)
        scroll = Scrolled(inside)
        scroll.setAccessibleName("Downloads")
        foot = QHBoxLayout()
        foot.addStretch(1)
        foot.addWidget(self._close)
        self._column = QVBoxLayout(self)
        self._column.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        self._column.addWidget(self._title)
        self._column.addWidget(self._what)
        self._column.addLayout(self._fields)
        self._column.addWidget(scroll, 1)
        self._column.addLayout(foot)

    def _space(self) -> None:
        px = self._theme.px
        self._column.setContentsMargins(px(1.5), px(1.2), px(1.5), px(1.2))
        self._column.setSpacing(px(0.8))
        self._fields.setSpacing(px(0.6))
        self._list.setContentsMargins(0, 0, px(0.6), 0)
        self._list.setSpacing(px(0.6))
        self._shown.setSpacing(px(0.6))
        room = self.screen().availableSize()
        self.setMinimumSize(min(px(28), room.width()), min(px(20), room.height()))


def _labelled(words: str, field: QLineEdit) -> QWidget:
    """A field with its name above it."""
    both = QWidget()
    column = QVBoxLayout(both)
    column.setContentsMargins(0, 0, 0, 0)
    label = QLabel(words)
    label.setBuddy(field)
    column.addWidget(label)
    column.addWidget(field)
    return both
