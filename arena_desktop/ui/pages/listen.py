"""The Listen page: draws a :class:`ListenView`, forwards what the listener does, and knows nothing else."""

from collections.abc import Callable

from PySide6.QtCore import QRect, Qt, QTimer
from PySide6.QtGui import QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QPushButton, QStackedLayout, QVBoxLayout, QWidget

from arena_desktop.domain.votes import Side, Vote
from arena_desktop.services.actions import ListenActions
from arena_desktop.services.views import Line, ListenView, Phase, PreparingView, PromptSource, Tone
from arena_desktop.ui import text
from arena_desktop.ui.binder import Binder
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.buttons import IconButton, Words
from arena_desktop.ui.widgets.listen_foot import ListenFoot
from arena_desktop.ui.widgets.notice import Notice
from arena_desktop.ui.widgets.prompt_panel import OwnText, PromptPanel
from arena_desktop.ui.widgets.reference_button import ReferenceButton
from arena_desktop.ui.widgets.reveal_panel import RevealPanel
from arena_desktop.ui.widgets.sample_button import SampleButton, SampleState
from arena_desktop.ui.widgets.scrolled import Scrolled
from arena_desktop.ui.widgets.session_bar import FILE, OWN, SessionBar
from arena_desktop.ui.widgets.status_line import announce
from arena_desktop.ui.widgets.volume import LOUDEST, QUIETEST, VolumeControl
from arena_desktop.ui.widgets.vote_button import VoteButton

_VOTES = (
    (Vote.A, "A is better", "1", "Vote for sample A", "voteA"),
    (Vote.B, "B is better", "2", "Vote for sample B", "voteB"),
    (Vote.TIE, "Tie", "3", "Vote for a tie", "voteTie"),
    (Vote.BOTH_BAD, "Both bad", "4", "Vote that both are bad", "voteBothBad"),
)
NARROW_EM = 30
SHORT_EM = 43
"""A lower page has no room to offer more than the battle."""
LOW_EM = 34
"""A lower page has no room for all of the battle: its parts are lower, and what is done next is scrolled to."""
_SILENT = Line(
    "Silent run: nothing can be heard, and the clock may run faster than time.",
    Tone.WARNING,
    "Votes cast here are marked as silent, and count only in silent windows.",
)
_FAILED_START = Line("The arena could not start.", Tone.ERROR, "Mend this, then try again.")


class ListenPage(QWidget):
    """One battle at a time. ``ask_name`` and ``ask_file`` are the questions that need a dialog; "" means never mind."""

    def __init__(self, theme: Theme, ask_name: Callable[[], str], ask_file: Callable[[], str]) -> None:
        super().__init__()
        self.setObjectName("listenPage")
        self._theme = theme
        self._actions: ListenActions | None = None
        self._view = ListenView()
        self._unpainted: ListenView | None = None
        self._writing = False
        self._columns = 0
        self._low = False
        self._session = SessionBar(theme, ask_name, ask_file)
        self._silent = Notice(theme)
        self._question = Words("", theme, scale=1.35, strong=True, wrap=True)
        self._count = Words("", theme, voice="muted")
        self._own = OwnText(theme)
        self._prompt = PromptPanel(theme)
        self._samples = {side: SampleButton(side, theme) for side in Side}
        self._pause = IconButton(
            "Pause", "pause", theme, name="Pause", tip="Pause or resume  (Space)", also=("Resume",)
        )
        self._reference = ReferenceButton(theme)
        self._volume = VolumeControl(theme)
        self._votes = {vote: VoteButton(words, key, name, theme) for vote, words, key, name, _ in _VOTES}
        self._reveal = RevealPanel(theme)
        self._foot = ListenFoot(theme)
        self._name_objects()
        self._lay_out()
        self._connect()
        self._binder: Binder[ListenView] = Binder()
        self._bind()
        self._binder.show(self._view)

    # what keys and buttons ask for

    @property
    def can_next(self) -> bool:
        """Whether the view offers the next battle."""
        return self._view.can_next

    @property
    def view(self) -> ListenView:
        """The view shown last."""
        return self._view

    def show_failed_start(self) -> None:
        """The services could not start: nothing will come, and the page says so."""
        self.show_view(ListenView(phase=Phase.BLOCKED, status=_FAILED_START))

    def show_starting(self) -> None:
        """The services start, perhaps once more."""
        self.show_view(ListenView())

    def attach(self, actions: ListenActions) -> None:
        """From now on, forward to ``actions``."""
        self._actions = actions
        self.update(QRect(0, 0, 1, 1))  # what was shown before is told now

    def detach(self) -> None:
        """Ask and tell nobody any more: a paint may be reported after the services have ended."""
        self._actions = None

    def poll(self) -> None:
        """Have the services look at the player."""
        if self._actions:
            self._actions.poll()

    def play(self, side: Side) -> None:
        """Ask for a side from its start."""
        if self._actions:
            self._actions.play(side)

    def play_reference(self) -> None:
        """Ask for the clip that both sides clone."""
        if self._actions:
            self._actions.play_reference()

    def toggle_pause(self) -> None:
        """Ask to hold, or to go on."""
        if self._actions:
            self._actions.toggle_pause()

    def vote(self, vote: Vote) -> None:
        """Hand in a vote; whether it counts is not decided here."""
        if self._actions:
            self._actions.vote(vote)

    def next(self) -> None:
        """Ask for the next battle."""
        if self._actions:
            self._actions.next()

    def skip(self) -> None:
        """Ask for another battle without a vote."""
        if self._actions:
            self._actions.skip()

    def undo(self) -> None:
        """Ask to take the last vote back."""
        if self._actions:
            self._actions.undo()

    def change_volume(self, steps: int) -> None:
        """Louder or softer by ``steps`` dB, within the slider's range."""
        self._volume.step(steps)

    # what the services show

    def show_view(self, view: ListenView) -> None:
        """Draw ``view``: only the parts that differ from the one before."""
        self._view = view
        self._unpainted = view
        self._binder.show(view)
        self.update(
            QRect(0, 0, 1, 1)
        )  # one pixel: enough to be told, with the page's next paint, that this view is on the screen

    def show_preparing(self, view: PreparingView) -> None:
        """Draw what is offered and told about preparing battles."""
        self._foot.preparing.show_view(view)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._reflow()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        super().paintEvent(event)
        if self._unpainted is not None:
            # The parts of the page are painted after the page itself, in the same go; a timer of 0 comes after them.
            QTimer.singleShot(0, self._painted)

    def _painted(self) -> None:
        view = self._unpainted
        if view is not None and self._actions is not None:
            self._unpainted = None
            self._actions.painted(view)

    # building

    def _name_objects(self) -> None:
        self._samples[Side.A].setObjectName("playA")
        self._samples[Side.B].setObjectName("playB")
        self._pause.setObjectName("pause")
        self._reference.setObjectName("reference")
        for vote, _, _, _, name in _VOTES:
            self._votes[vote].setObjectName(name)
        self._reveal.setObjectName("reveal")
        for widget in (self._session.add_listener, self._session.arena, self._session.listener):
            widget.setProperty("enterIsMine", True)
        for widget in (self._session.source, self._own.use):
            widget.setProperty("enterIsMine", True)

    def _lay_out(self) -> None:
        inside = QWidget()
        inside.setObjectName("scrolled")
        self._column = QVBoxLayout(inside)
        self._column.addWidget(self._session)
        self._column.addWidget(self._silent)
        head = QHBoxLayout()
        head.addWidget(self._question, 1)
        head.addWidget(self._count, 0, Qt.AlignmentFlag.AlignBottom)
        self._column.addLayout(head)
        self._column.addWidget(self._own)
        self._column.addWidget(self._prompt, 1)
        self._pair = QGridLayout()
        self._column.addLayout(self._pair)
        transport = QHBoxLayout()
        transport.addWidget(self._pause)
        transport.addWidget(self._reference)
        transport.addStretch(1)
        transport.addWidget(self._volume)
        self._column.addLayout(transport)
        votes = QWidget()
        self._ballot = QGridLayout(votes)
        self._ballot.setContentsMargins(0, 0, 0, 0)
        for grid in (self._pair, self._ballot):
            grid.setColumnStretch(0, 1)
        self._stack = QStackedLayout()
        self._stack.addWidget(votes)
        self._stack.addWidget(self._reveal)
        self._column.addLayout(self._stack)
        self._scroll = Scrolled(inside)
        page = QVBoxLayout(self)
        page.setContentsMargins(0, 0, 0, 0)
        page.setSpacing(0)
        page.addWidget(self._scroll, 1)
        page.addWidget(self._foot)
        self._space()

    def _reflow(self) -> None:
        """Side by side, or below each other where the window is narrow for its font."""
        self._foot.set_short(self.height() < self._theme.em * SHORT_EM)
        self._low = self.height() < self._theme.em * LOW_EM
        for sample in self._samples.values():
            sample.set_low(self._low)
        self._lower()
        columns = 2 if self.width() >= self._theme.em * NARROW_EM else 1
        if columns == self._columns:
            return
        self._columns = columns
        for grid, widgets in ((self._pair, [*self._samples.values()]), (self._ballot, [*self._votes.values()])):
            for place, widget in enumerate(widgets):
                grid.addWidget(widget, place // columns, place % columns)
            grid.setColumnStretch(1, columns - 1)
        self._reveal.set_columns(columns)
        narrow = columns == 1
        self._foot.set_narrow(narrow)
        self._volume.set_narrow(narrow)

    def _lower(self) -> None:
        """In a low window, bring what is to be done next into view: both samples and the votes, then the result."""
        self._reveal.set_low(self._low and self._view.phase is not Phase.REVEALED)
        if self._low and self._view.phase in (Phase.READY, Phase.REVEALED):
            self._scroll.show_end()

    def _space(self) -> None:
        px = self._theme.px
        self._reflow()
        self._column.setContentsMargins(px(1.5), px(0.9), px(1.5), px(0.5))
        self._column.setSpacing(px(0.7))
        for grid in (self._pair, self._ballot):
            grid.setHorizontalSpacing(px(0.8))
            grid.setVerticalSpacing(px(0.5))
        self._question.setMinimumHeight(self._question.fontMetrics().height())  # also without a question

    def _connect(self) -> None:
        for side, button in self._samples.items():
            button.clicked.connect(lambda _=False, side=side: self.play(side))
        for vote, choice in self._votes.items():
            choice.clicked.connect(lambda _=False, vote=vote: self.vote(vote))
        self._pause.clicked.connect(self.toggle_pause)
        self._reference.clicked.connect(self.play_reference)
        self._foot.next.clicked.connect(self.next)
        self._foot.skip.clicked.connect(self.skip)
        self._foot.undo.clicked.connect(self.undo)
        self._volume.moved.connect(self._set_volume)
        self._session.arena_picked.connect(self._choose_arena)
        self._session.listener_picked.connect(self._choose_listener)
        self._session.listener_named.connect(self._add_listener)
        self._session.prompts_picked.connect(self._choose_prompts)
        self._session.own_wanted.connect(self._write_own)
        self._own.used.connect(self._use_own)
        self._own.left.connect(self._leave_own)
        self._foot.preparing.prepare_wanted.connect(self._prepare)
        self._foot.preparing.stop_wanted.connect(self._stop_preparing)
        self._foot.let_go.connect(lambda: self.setFocus(Qt.FocusReason.OtherFocusReason))
        self._theme.changed.connect(self._space)

    def _bind(self) -> None:
        bind = self._binder.bind
        bind(lambda v: (v.arenas, v.arena), lambda v: self._session.show_arenas(v.arenas, v.arena))
        bind(lambda v: (v.listeners, v.listener), lambda v: self._session.show_listeners(v.listeners, v.listener))
        bind(lambda v: (v.categories, v.prompts, v.prompts_note), self._draw_prompts)
        bind(lambda v: v.silent, lambda v: self._silent.show_line(_SILENT if v.silent else Line()))
        bind(lambda v: v.question, lambda v: self._question.say(v.question))
        bind(lambda v: (v.battle, v.votes_cast, v.taken_back), self._draw_count)
        bind(lambda v: (v.prompt_text, v.prompt_category, v.phase, v.status), self._draw_prompt)
        for side in Side:
            bind(_sample_of(side), self._draw_sample(side))
        bind(lambda v: (v.paused, v.playing, v.can_play, v.reference), self._draw_pause)
        bind(lambda v: v.reference, self._draw_reference)
        bind(lambda v: v.volume_db, lambda v: self._volume.show_db(v.volume_db))
        bind(lambda v: (v.gate_open, v.can_vote, v.phase), self._draw_votes)
        bind(lambda v: (v.reveal, v.held_back, v.phase), self._draw_reveal)
        bind(lambda v: (v.battle, v.phase), lambda v: self._lower())
        bind(lambda v: v.status, lambda v: self._foot.status.show_line(v.status))
        bind(lambda v: (v.can_skip, v.can_undo, v.can_next), self._foot.show_steps)

    # drawing

    def _draw_prompts(self, view: ListenView) -> None:
        self._session.show_prompts(view.categories, view.prompts, view.prompts_note)
        self._own.write(view.prompts.text)
        self._writing = self._writing and self._own.entry.hasFocus()
        self._own.setVisible(view.prompts.kind == OWN or self._writing)

    def _draw_count(self, view: ListenView) -> None:
        battle = f"Battle {view.battle}" if view.battle else ""
        votes = text.counted(view.votes_cast, "vote") if view.votes_cast else ""
        if view.taken_back:
            votes = f"{text.count(view.votes_cast)} cast, {text.count(view.taken_back)} taken back"
        self._count.say("  ·  ".join(part for part in (battle, votes) if part))

    def _draw_prompt(self, view: ListenView) -> None:
        self._prompt.show_prompt(view.prompt_text or _instead(view), view.prompt_category)

    def _draw_sample(self, side: Side) -> Callable[[ListenView], None]:
        pick, button = _sample_of(side), self._samples[side]

        def draw(view: ListenView) -> None:
            state = pick(view)
            self._enable(button, state.enabled)
            button.show_state(state)

        return draw

    def _draw_pause(self, view: ListenView) -> None:
        self._pause.setText("Resume" if view.paused else "Pause")
        self._pause.setAccessibleName("Resume" if view.paused else "Pause")
        self._pause.set_icon("play" if view.paused else "pause")
        self._enable(self._pause, view.can_play and (view.paused or view.playing is not None or view.reference.playing))

    def _draw_reference(self, view: ListenView) -> None:
        if self._reference.hasFocus() and not view.reference.offered:
            self.setFocus(Qt.FocusReason.OtherFocusReason)
        self._enable(self._reference, view.reference.can_play or bool(view.reference.why))
        self._reference.show_reference(view.reference)

    def _draw_votes(self, view: ListenView) -> None:
        for button in self._votes.values():
            self._enable(button, view.phase is Phase.READY)
            button.set_locked(not (view.gate_open and view.can_vote))

    def _draw_reveal(self, view: ListenView) -> None:
        if view.reveal is not None:
            self._reveal.show_reveal(view.reveal)
            announce(self._reveal, self._reveal.accessibleDescription())
        elif view.held_back is not None and view.phase is Phase.REVEALED:
            self._reveal.show_held_back(*view.held_back)
        else:
            self._reveal.clear()
        self._stack.setCurrentIndex(1 if view.phase is Phase.REVEALED else 0)

    def _enable(self, button: QPushButton, enabled: bool) -> None:
        # Qt would hand the focus of a button that is switched off to the next one, and Enter would press that.
        if not enabled and button.hasFocus():
            self.setFocus(Qt.FocusReason.OtherFocusReason)
        button.setEnabled(enabled)

    # forwarding

    def _prepare(self) -> None:
        if self._actions:
            self._actions.prepare()

    def _stop_preparing(self) -> None:
        if self._actions:
            self._actions.stop_preparing()

    def _set_volume(self, db: int) -> None:
        if self._actions:
            self._actions.set_volume(float(max(QUIETEST, min(LOUDEST, db))))

    def _choose_arena(self, arena: str) -> None:
        if self._actions:
            self._actions.choose_arena(arena)

    def _choose_listener(self, pseudonym: str) -> None:
        if self._actions:
            self._actions.choose_listener(pseudonym)

    def _add_listener(self, name: str) -> None:
        if self._actions:
            self._actions.add_listener(name)

    def use_file(self, path: str) -> None:
        """Have the sentences of this file spoken."""
        self._choose_prompts(PromptSource(kind=FILE, path=path))

    def _choose_prompts(self, source: PromptSource) -> None:
        self._writing = False
        if self._actions:
            self._actions.choose_prompts(source)

    def _write_own(self) -> None:
        self._writing = True
        self._own.setVisible(True)
        self._own.entry.setFocus(Qt.FocusReason.OtherFocusReason)

    def _use_own(self, words: str) -> None:
        self._choose_prompts(PromptSource(kind=OWN, text=words))
        self._session.show_active()  # a text that was refused stays in its field, and is not what is read
        self.setFocus()

    def _leave_own(self) -> None:
        self._writing = False
        self._own.setVisible(self._view.prompts.kind == OWN)
        self._session.show_active()
        self.setFocus()


def _instead(view: ListenView) -> str:
    """What stands where the sentence will be, while no battle is there."""
    if view.status.tone is Tone.ERROR or view.phase is Phase.BLOCKED:
        return "\n".join(part for part in (view.status.text, view.status.remedy) if part)
    return {Phase.STARTING: "Starting…", Phase.PREPARING: "Preparing the next pair…"}.get(view.phase, "")


def _sample_of(side: Side) -> Callable[[ListenView], SampleState]:
    def pick(view: ListenView) -> SampleState:
        current = view.side is side
        return SampleState(
            enabled=view.can_play,
            current=current,
            playing=view.playing is side and not view.paused,
            paused=current and view.paused,
            position=view.position if current else 0.0,
            heard=view.heard_a if side is Side.A else view.heard_b,
            gate=view.gate,
        ).coarse()

    return pick
