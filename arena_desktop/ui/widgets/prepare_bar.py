"""Preparing many battles at once: the button for it, how far it has come, and the way to stop it."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QProgressBar, QVBoxLayout, QWidget

from arena_desktop.services.views import PreparingView
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.buttons import IconButton, Words, restyle

_LONGEST = "Prepare 50 battles (time not yet known)"
_FULL = 1000


class PrepareBar(QWidget):
    """The two buttons have places of their own, so that a double click begins and does not also stop."""

    prepare_wanted = Signal()
    stop_wanted = Signal()
    let_go = Signal()
    """The button that has the focus is about to be switched off: somebody else must take it."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._short, self._idle, self._away = False, True, False
        self.words = Words("", theme, voice="muted", wrap=True, selectable=True)
        self.words.setObjectName("preparing")
        self.stop = IconButton("Stop", "close", theme, name="Stop preparing battles", quiet=True)
        self.stop.setObjectName("stopPreparing")
        self.stop.hide()
        self.prepare = IconButton(
            PreparingView().offer,
            "plus",
            theme,
            tip="Have their samples spoken now, so that no battle makes you wait  (Enter, when it has the focus)",
            quiet=True,
            also=(_LONGEST,),
        )
        self.prepare.setObjectName("prepare")
        for button in (self.prepare, self.stop):
            button.setProperty("enterIsMine", True)
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setRange(0, _FULL)
        self.bar.setAccessibleName("Clips of prepared battles")
        policy = self.bar.sizePolicy()
        policy.setRetainSizeWhenHidden(True)  # what stands above does not move when it comes
        self.bar.setSizePolicy(policy)
        self._grid = QGridLayout()
        self._grid.setColumnStretch(1, 1)
        self.set_narrow(False)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.addWidget(self.bar)
        self._column.addLayout(self._grid)
        self.prepare.clicked.connect(self.prepare_wanted)
        self.stop.clicked.connect(self.stop_wanted)
        self._space()
        theme.changed.connect(self._space)
        self.show_view(PreparingView())

    def set_narrow(self, narrow: bool) -> None:
        """Words above the buttons, or between them. The offer stands far from "Next", which the eye looks for."""
        below = int(narrow)
        self._grid.addWidget(self.words, 0, 1 - below, 1, 1 + 2 * below)
        self._grid.addWidget(self.prepare, below, 0)
        self._grid.addWidget(self.stop, below, 2)

    def set_short(self, short: bool) -> None:
        """In a low window the offer gives its place to the battle; what goes on, and what there is to say, stays."""
        self._short = short
        self._show_or_not()

    def show_view(self, view: PreparingView) -> None:
        """Draw ``view``."""
        self._idle = not (view.can_stop or view.line.text or view.share is not None)
        words = " ".join(part for part in (view.line.text, view.line.remedy) if part)
        self.words.say(words)
        restyle(self.words, "tone", view.line.tone.value)
        self.prepare.setText(view.offer)
        self.prepare.setAccessibleName(view.offer)
        self._switch(self.prepare, view.can_prepare)
        self._switch(self.stop, view.can_stop)
        self.stop.setVisible(view.can_stop)
        self.bar.setVisible(view.share is not None)
        self.bar.setValue(round(_FULL * (view.share or 0.0)))
        self._show_or_not()

    def _show_or_not(self) -> None:
        away = self._short and self._idle
        if away != self._away:
            self._away = away
            self.setHidden(away)

    def _switch(self, button: IconButton, enabled: bool) -> None:
        # Qt would hand the focus of a button that is switched off to the next one, and Enter would press that.
        if not enabled and button.hasFocus():
            self.let_go.emit()
        button.setEnabled(enabled)

    def _space(self) -> None:
        px = self._theme.px
        self._grid.setSpacing(px(0.4))
        self._column.setSpacing(px(0.2))
        self.bar.setFixedHeight(max(3, px(0.25)))
