"""The chosen vote in full, and what can be done with it: hear it again, take it back."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QSizePolicy, QVBoxLayout

from arena_desktop.domain.votes import Side
from arena_desktop.services.exchange_views import HistoryRow
from arena_desktop.ui import text
from arena_desktop.ui.days import local_second
from arena_desktop.ui.models.history_table import said, vote_words
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.buttons import IconButton, Words
from arena_desktop.ui.widgets.flow_row import FlowRow

HERE = "this machine"
_LONGEST, _LONGEST_NAME = 240, 70
_NOTHING = "Choose a vote in the table to see all of it, to hear it again or to take it back."


def why_not_heard(row: HistoryRow) -> str:
    """Why a vote's clips can't be played, in words; "" if they can."""
    if row.can_listen:
        return ""
    gone = "are no longer kept" if row.station == HERE else "are not"
    return f"It can't be heard again: its clips {gone} on this machine."


def why_not_retracted(row: HistoryRow) -> str:
    """Why a vote can't be taken back from here, in words; "" if it can."""
    if row.can_retract:
        return ""
    if row.state.startswith("taken back"):
        return "It was taken back, which is final."
    return "Only who cast it, or the machine that it was cast on, can take it back. A policy can leave it out."


class VoteDetails(QFrame):
    """``listen`` carries the side, ``stop`` and ``retract`` nothing; all are about the row shown."""

    listen = Signal(Side)
    stop = Signal()
    retract = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setProperty("card", True)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self._title = Words(_NOTHING, theme, strong=True, wrap=True, selectable=True)
        self._title.setObjectName("historyVote")
        self._sentence = Words("", theme, wrap=True, selectable=True)
        self._more = Words("", theme, voice="muted", wrap=True, selectable=True)
        self._why = Words("", theme, voice="muted", wrap=True)
        self._why.setObjectName("historyWhyNot")
        words = ("Play A", "Playing A", "Play B", "Playing B")
        self.play_a = IconButton("Play A", "play", theme, tip="Hear sample A again (A)", also=words)
        self.play_b = IconButton("Play B", "play", theme, tip="Hear sample B again (B)", also=words)
        self.halt = IconButton("Stop", "close", theme, tip="Stop playing (Space or Esc)")
        self.take_back = IconButton("Retract…", "undo", theme, tip="Take this vote back, for good (Delete)")
        for button, name in (
            (self.play_a, "historyPlayA"),
            (self.play_b, "historyPlayB"),
            (self.halt, "historyStop"),
            (self.take_back, "historyRetract"),
        ):
            button.setObjectName(name)
        self.play_a.clicked.connect(lambda: self.listen.emit(Side.A))
        self.play_b.clicked.connect(lambda: self.listen.emit(Side.B))
        self.halt.clicked.connect(self.stop)
        self.take_back.clicked.connect(self.retract)
        self._column = QVBoxLayout(self)
        for label in (self._title, self._sentence, self._more, self._why):
            self._column.addWidget(label)
        self._column.addWidget(FlowRow(theme, (self.play_a, self.play_b, self.halt), (self.take_back,)))
        self.show_row(None, "")
        self._space()
        theme.changed.connect(self._space)

    def show_row(self, row: HistoryRow | None, side: str, arena: str = "") -> None:
        """Show a vote; ``side`` is the one of its samples that sounds, "" for none; ``arena`` the arena's title."""
        if row is None:
            told = (_NOTHING, "", "", "")
        else:
            parts = (local_second(row.at), arena or row.arena, row.category, row.listener, row.station)
            a, b = _short(row.a, _LONGEST_NAME), _short(row.b, _LONGEST_NAME)
            told = (
                f"{a} (A) against {b} (B): {vote_words(row.vote)}",
                _short(row.prompt, _LONGEST),
                "  ·  ".join(_short(part, _LONGEST_NAME) for part in (*parts, row.state or "counts") if part),
                " ".join(filter(None, (why_not_heard(row), why_not_retracted(row)))),
            )
        for label, words in zip((self._title, self._sentence, self._more, self._why), told, strict=True):
            label.say(words)
            label.setVisible(bool(words))
        whole = () if row is None else (f"{said(row.a)}\n{said(row.b)}", said(row.prompt), row.state)
        for label, words in zip((self._title, self._sentence, self._more), whole or ("",) * 3, strict=True):
            label.setToolTip(text.tip(words))
        heard = row is not None and row.can_listen
        for button, letter in ((self.play_a, "A"), (self.play_b, "B")):
            sounds = side == letter.lower()
            button.setEnabled(heard)
            button.setText(f"{'Playing' if sounds else 'Play'} {letter}")
            button.setAccessibleName(f"{'Playing' if sounds else 'Play'} sample {letter}")
            button.set_icon("waves" if sounds else "play")
        self.take_back.setEnabled(row is not None and row.can_retract)

    def show_playing(self, playing: bool) -> None:
        """Whether anything sounds that could be stopped."""
        self.halt.setEnabled(playing)

    def _space(self) -> None:
        px = self._theme.px
        self._column.setContentsMargins(px(0.9), px(0.6), px(0.9), px(0.7))
        self._column.setSpacing(px(0.3))


def _short(words: str, longest: int) -> str:
    words = said(words)
    return words if len(words) <= longest else words[:longest].rstrip() + "…"
