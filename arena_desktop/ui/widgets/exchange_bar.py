"""How far an exchange of votes is whose dialog is hidden, and the way back to it."""

from PySide6.QtWidgets import QHBoxLayout, QWidget

from arena_desktop.services.exchange_views import ExchangeView, Step
from arena_desktop.ui.exchange.progress import RUNNING, progress_words
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.buttons import IconButton, Words

_WAITS = "An import waits for your answer: nothing is imported yet."
_OPEN = "A dialog is open."


class ExchangeBar(QWidget):
    """Hidden unless there is a dialog to come back to; ``button`` is pressed for that."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.words = Words("", theme, wrap=True, selectable=True)
        self.words.setObjectName("exchangeAside")
        self.button = IconButton("Show", "chevron", theme, name="Show the dialog", tip="Show the dialog again")
        self.button.setObjectName("exchangeShow")
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.addWidget(self.words, 1)
        self._row.addWidget(self.button)
        self._space()
        theme.changed.connect(self._space)
        self.hide()

    def show_view(self, view: ExchangeView) -> None:
        """Draw how far ``view`` is."""
        if view.step in RUNNING:
            words = progress_words(view)
        elif view.step is Step.PREVIEW and view.preview is not None:
            words = _WAITS
        else:
            words = " ".join(filter(None, (view.line.text, view.line.remedy))) or _OPEN
        self.words.say(words)

    def _space(self) -> None:
        self._row.setSpacing(self._theme.px(0.5))
