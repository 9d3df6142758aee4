"""The offer to set up what a model needs: its size and licence before, progress while it runs, the reason after."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QProgressBar, QVBoxLayout

from arena_desktop.services.views import SetUpOffer, SetUpState
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.buttons import IconButton, Words, restyle
from arena_desktop.ui.widgets.flow_row import FlowRow

_FINE = 1000
_ALMOST = 0.97
"""From here on all is fetched; how long the rest takes nobody tells."""


class SetUpPanel(QFrame):
    """``wanted``: set it up; the licence stands beside the button. ``stopped``: stop doing so."""

    wanted = Signal()
    stopped = Signal()
    let_go = Signal()
    """The button that has the focus is about to go: somebody else must take it."""

    def __init__(self, name: str, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._name = name
        self._what = Words("", theme, strong=True, wrap=True, selectable=True)
        self._licence = Words("", theme, wrap=True, selectable=True)
        self._bar = QProgressBar()
        self._bar.setRange(0, _FINE)
        self._bar.setTextVisible(False)
        self._bar.setAccessibleName(f"Setting up {name}")
        self._words = Words("", theme, voice="muted", wrap=True, selectable=True)
        self.begin = IconButton("Set up", "plus", theme, name=f"Set up {name}")
        self.begin.clicked.connect(self.wanted)
        self.stop = IconButton("Stop", "close", theme, name=f"Stop setting up {name}", tip="What was begun is put away")
        self.stop.clicked.connect(self.stopped)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        for part in (self._what, self._licence, self._bar, self._words):
            self._column.addWidget(part)
        self._column.addWidget(FlowRow(theme, (self.begin, self.stop)))
        self._space()
        theme.changed.connect(self._space)

    def show_offer(self, offer: SetUpOffer | None) -> None:
        """Draw ``offer``; nothing for None."""
        held = self.begin.hasFocus() or self.stop.hasFocus()
        if held and offer is None:
            self.let_go.emit()
        self.setVisible(offer is not None)
        if offer is None:
            return
        runs = offer.state is SetUpState.RUNNING
        failed = offer.state is SetUpState.FAILED
        self._what.say(f"{offer.title} needs an environment of its own: {offer.size} on the disk.")
        self._licence.say(offer.licence)
        self._bar.setVisible(runs)
        share = min(1.0, offer.done / offer.total) if offer.total else 0.0
        self._bar.setRange(0, _FINE if share < _ALMOST else 0)  # without a range it moves, and promises no end
        self._bar.setValue(round(_FINE * share))
        self._words.say(offer.words)
        self._words.setVisible(bool(offer.words))
        restyle(self._words, "tone", "warning" if failed else "")
        accept = "Accept and set up" if offer.needs_consent else "Set up"
        self.begin.setText(f"Try again ({offer.size})" if failed else f"{accept} ({offer.size})")
        self.begin.setToolTip("By this you accept the licence that stands above" if offer.needs_consent else "")
        shown, hidden = (self.stop, self.begin) if runs else (self.begin, self.stop)
        shown.setVisible(True)
        if held:
            shown.setFocus(Qt.FocusReason.OtherFocusReason)
        hidden.setVisible(False)

    def _space(self) -> None:
        self._column.setSpacing(self._theme.px(0.3))
        self._bar.setFixedHeight(self._theme.px(0.5))
