"""Import: files are read, what they hold is shown, and only then it is taken over."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from arena_desktop.services.exchange_views import ExchangeView, Step
from arena_desktop.ui import text
from arena_desktop.ui.exchange.frame import ExchangeDialog
from arena_desktop.ui.exchange.preview import PreviewPanel
from arena_desktop.ui.exchange.progress import RUNNING
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.buttons import IconButton
from arena_desktop.ui.widgets.scrolled import Scrolled


class ImportDialog(ExchangeDialog):
    """``read_wanted``: (paths, name of the log); ``store_wanted``: whether unknown models are to be added."""

    read_wanted = Signal(list, str)
    store_wanted = Signal(bool)

    def __init__(self, paths: Sequence[str], theme: Theme, parent: QWidget | None = None) -> None:
        self._paths = list(paths)
        self._under_way = False
        super().__init__("Import votes", "importDialog", theme, parent)
        self.open_at(46, 42)
        self._pages.setCurrentWidget(self._work)

    def build_form(self) -> QWidget:
        self.preview = PreviewPanel(self.theme)
        self.preview.again.connect(self._read)
        return Scrolled(self.preview)

    def build_buttons(self) -> tuple[IconButton, ...]:
        self.store = IconButton("Import", "import", self.theme, primary=True, tip="Take the records over (Enter)")
        self.store.setObjectName("importStore")
        self.store.clicked.connect(lambda: self.store_wanted.emit(self.preview.add_models.isChecked()))
        return (self.store,)

    def read(self) -> None:
        """Ask for the preview."""
        self._read("")

    def show_view(self, view: ExchangeView) -> None:
        if view.step is Step.PREVIEW and view.preview is not None:
            first = self._step is not Step.PREVIEW
            self.preview.show_preview(view.preview)
            self.show_form()
            new = view.preview.new
            self.store.setText(f"Import {text.counted(new, 'record')}" if new else "Import")
            self.store.setAccessibleName(self.store.text())
            self.store.setEnabled(new > 0)
            if not new:
                self._turn(self.form, "Close", "Close this window (Esc)")
            next_ = self.store if new else self._close
            next_.setDefault(True)
            if first:
                next_.setFocus()
        super().show_view(view)
        if view.step in RUNNING or view.step is Step.PREVIEW:
            self._under_way = True
        elif view.step is Step.IDLE and self._under_way:
            self.end()

    def _read(self, source: str) -> None:
        self.read_wanted.emit(self._paths, source)
