"""One model on the Models page: whether it can speak here, what it lacks, how fast it is, and what can be done."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from arena_desktop.services.views import ModelRow
from arena_desktop.ui.models_page import facts
from arena_desktop.ui.models_page.remedy import Remedy
from arena_desktop.ui.models_page.set_up_panel import SetUpPanel
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.buttons import IconButton, Words, restyle
from arena_desktop.ui.widgets.controls import Switch
from arena_desktop.ui.widgets.flow_row import FlowRow

WHILE_OPEN = "While a battle is open no model is heard by name: vote, or skip it (S)."
EXAMINE = "Have it speak a fixed set of texts, and look for faults"


class ModelCard(QFrame):
    """``switched`` carries whether the model shall take part in battles; ``asked`` one of the verbs ``listen``,
    ``stop_sample``, ``examine``, ``stop_examining``, ``measure``, ``clear_failures``, ``set_up``, ``cancel_set_up`` and
    ``forget``.
    """

    switched = Signal(bool)
    asked = Signal(str)

    def __init__(self, row: ModelRow, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._row: ModelRow | None = None
        self._sounds = False
        self._sure = False
        self._left: QWidget | None = None
        self.setProperty("card", True)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self._name = Words("", theme, scale=1.15, strong=True, wrap=True, selectable=True)
        self._pill = Words("", theme)
        self._pill.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._facts = Words("", theme, voice="muted", wrap=True, selectable=True)
        self._lines = {
            name: Words("", theme, voice=voice, wrap=True, selectable=True)
            for name, voice in (("measured", "muted"), ("examined", ""), ("warning", ""), ("failures", ""))
        }
        for name in ("warning", "failures"):
            self._lines[name].setProperty("tone", "warning")
        self._use = Words("In battles", theme, voice="muted")
        self._switch = Switch(f"{row.name} takes part in battles", theme)
        self._remedies = QVBoxLayout()
        self._remedies.setContentsMargins(0, 0, 0, 0)
        self._set_up: SetUpPanel | None = None
        self._busy = Words("", theme, voice="muted")
        self._listen = self._button("Listen", "play", row, "Hear a sentence in this voice", also=("Speaking…", "Stop"))
        self._listen.clicked.connect(lambda: self.asked.emit("stop_sample" if self._sounds else "listen"))
        self._examine = self._button("Check", "check", row, EXAMINE, also=("Stop",))
        self._examine.clicked.connect(self._examine_pressed)
        self._measure = self._button("Measure", "waves", row, "Measure how fast it is on this machine")
        self._measure.clicked.connect(lambda: self.asked.emit("measure"))
        self._clear = self._button("Clear failures", "refresh", row, "Count its failures anew")
        self._clear.clicked.connect(lambda: self.asked.emit("clear_failures"))
        self._remove = self._button("Remove", "close", row, "", also=("Really remove?",))
        self._remove.clicked.connect(self._remove_pressed)
        self._lay_out()
        self._switch.toggled.connect(self.switched)
        theme.changed.connect(self._space)
        self.show_row(row)
        self.show_beside()

    def show_row(self, row: ModelRow, offers: frozenset[str] = frozenset()) -> None:
        """Draw ``row``, if it differs. ``offers``: what may be asked for any model that is ready."""
        self._examine.setVisible(row.ready and "examine" in offers)
        self._measure.setVisible(row.ready and "measure" in offers)
        self._enable(self._examine, not row.busy or row.stoppable)
        self._enable(self._measure, not row.busy)
        if row == self._row:
            return
        rebuild = self._row is None or (row.missing, row.set_up is None) != (
            self._row.missing,
            self._row.set_up is None,
        )
        self._row = row
        self._name.say(row.name)
        self._facts.say(facts.facts(row))
        words, look = facts.state(row)
        self._pill.say(words)
        restyle(self._pill, "pill", look)
        self._say("measured", facts.measured(row))
        self._say("examined", facts.examined(row.examined))
        restyle(self._lines["examined"], "tone", "" if row.examined is None or row.examined.ok else "warning")
        words = "Stop" if row.stoppable else "Check"
        self._examine.setText(words)
        self._examine.setAccessibleName(f"{words}: {row.name}")
        self._examine.set_icon("close" if row.stoppable else "check")
        self._examine.setToolTip("Stop checking it" if row.stoppable else EXAMINE)
        self._say("warning", row.warning)
        self._say("failures", facts.failures(row))
        if not row.failures and self._clear.hasFocus():
            self._switch.setFocus()
        self._clear.setVisible(bool(row.failures))
        self._busy.say(row.busy)
        self._busy.setVisible(bool(row.busy))
        self._switch.show_state(row.enabled)
        self._switch.setEnabled(row.ready or not row.enabled)
        self._switch.setToolTip("Switch it out of battles, or back in. Its votes stay.")
        self._show_offer(row)
        if rebuild:
            self._rebuild(row)

    def show_beside(
        self, *, sounds: bool = False, speaking: bool = False, can_listen: bool = True, own: bool = False
    ) -> None:
        """Draw what doesn't come with the row: whether it is being heard (or still has to speak), whether it may be,
        and whether it is the user's ``own``, who may remove it.
        """
        self._sounds = sounds
        self._listen.setVisible(self._row is not None and self._row.ready)
        words = "Speaking…" if speaking else "Stop" if sounds else "Listen"
        self._listen.setText(words)
        self._listen.setAccessibleName(f"{words}: {self._name.text()}")
        self._listen.set_icon("close" if sounds and not speaking else "play")
        self._enable(self._listen, can_listen or sounds)
        self._listen.setToolTip("Hear a sentence in this voice" if can_listen or sounds else WHILE_OPEN)
        self._remove.setVisible(own)
        self._ask_again(sure=False)

    def _enable(self, button: QWidget, enabled: bool) -> None:
        """Switch a button on or off. Qt would hand the focus of one that is switched off to the next, and Enter would
        then remove the model: the focus waits on the switch, and comes back.
        """
        if not enabled and button.hasFocus():
            self._left = button
            self._switch.setFocus()
        button.setEnabled(enabled)
        if enabled and self._left is button:
            self._left = None
            if self._switch.hasFocus():
                button.setFocus()

    def _examine_pressed(self) -> None:
        self.asked.emit("stop_examining" if self._row is not None and self._row.stoppable else "examine")

    def _remove_pressed(self) -> None:
        if self._sure:
            self.asked.emit("forget")
        self._ask_again(sure=not self._sure)

    def _ask_again(self, *, sure: bool) -> None:
        self._sure = sure
        self._remove.setText("Really remove?" if sure else "Remove")
        self._remove.setToolTip("Press again to take it out of your roster. Its votes and its files stay.")

    def _button(self, words: str, icon: str, row: ModelRow, tip: str, also: tuple[str, ...] = ()) -> IconButton:
        return IconButton(words, icon, self._theme, name=f"{words}: {row.name}", tip=tip, also=also)

    def _say(self, name: str, words: str) -> None:
        self._lines[name].say(words)
        self._lines[name].setVisible(bool(words))

    def _show_offer(self, row: ModelRow) -> None:
        if self._set_up is None and row.set_up is not None:
            self._set_up = SetUpPanel(row.name, self._theme)
            self._set_up.wanted.connect(lambda: self.asked.emit("set_up"))
            self._set_up.let_go.connect(self._switch.setFocus)
            self._set_up.stopped.connect(lambda: self.asked.emit("cancel_set_up"))
            self._column.insertWidget(self._column.count() - 1, self._set_up)
        if self._set_up is not None:
            self._set_up.show_offer(row.set_up)

    def _rebuild(self, row: ModelRow) -> None:
        while (item := self._remedies.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.setParent(None)
                widget.deleteLater()
        if row.set_up is not None:  # its own words say what is missing
            return
        for what, how in row.missing:
            self._remedies.addWidget(Words(f"Missing: {what}", self._theme, strong=True, wrap=True, selectable=True))
            self._remedies.addWidget(Remedy(how, self._theme))

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.addWidget(self._name, 1)
        head.addWidget(self._pill)
        self._head = head
        foot = QHBoxLayout()
        buttons = (self._listen, self._examine, self._measure, self._clear, self._remove)
        foot.addWidget(FlowRow(self._theme, (*buttons, self._busy)), 1)
        foot.addWidget(self._use)
        foot.addWidget(self._switch)
        self._column = QVBoxLayout(self)
        self._column.addLayout(head)
        self._column.addWidget(self._facts)
        for line in self._lines.values():
            self._column.addWidget(line)
        self._column.addLayout(self._remedies)
        self._column.addLayout(foot)
        self._space()

    def _space(self) -> None:
        px = self._theme.px
        self._column.setContentsMargins(px(1), px(0.7), px(1), px(0.7))
        self._column.setSpacing(px(0.4))
        self._head.setSpacing(px(0.5))
        self._remedies.setSpacing(px(0.3))
