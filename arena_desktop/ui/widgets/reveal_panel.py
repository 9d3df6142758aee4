"""After the vote: who played on which side, what was voted, and what it did."""

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QSizePolicy,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from arena_desktop.domain.votes import Vote
from arena_desktop.services.views import RevealedModel, RevealView
from arena_desktop.ui import text
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.buttons import Words, restyle
from arena_desktop.ui.widgets.scrolled import Scrolled
from arena_desktop.ui.widgets.set_table import SetTable

_CHOSEN = {
    Vote.A: ("Your choice", ""),
    Vote.B: ("", "Your choice"),
    Vote.TIE: ("Tie", "Tie"),
    Vote.BOTH_BAD: ("Bad", "Bad"),
}
QWIDGETSIZE_MAX = 16_777_215
TAKEN_BACK = "Taken back: this vote no longer counts."
_HIGH_EM = {2: 10.4, 1: 20}
"""The panel's height in lines of text, by the number of columns: the same whatever it holds. The rest scrolls."""
_LOW_EM = 6.3
"""While nothing is revealed in a low window."""
_SIZES = (
    (1.1, QFont.Weight.DemiBold),
    (1.0, QFont.Weight.DemiBold),
    (1.0, QFont.Weight.Normal),
    (0.9, QFont.Weight.Normal),
)
"""How the sentence may look: the first of these in which all of it has room."""
_STEPS = "Each model moves by its own step: the fewer battles it has had, the larger."


class _Unmasked(QFrame):
    """One side, under its sample."""

    def __init__(self, letter: str, theme: Theme) -> None:
        super().__init__()
        self._letter, self._theme = letter, theme
        self.setProperty("card", True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._side = Words("", theme, voice="muted")
        self._pill = Words("", theme)
        self._pill.setProperty("pill", "good")
        kept = self._pill.sizePolicy()
        kept.setRetainSizeWhenHidden(True)
        self._pill.setSizePolicy(kept)
        self._name = Words("", theme, scale=1.3, strong=True, wrap=True, selectable=True)
        self._facts = Words("", theme, voice="muted", wrap=True, selectable=True)
        self._elo = Words("", theme, wrap=True)
        self._elo.setToolTip(_STEPS)
        self._elo.setAccessibleDescription(_STEPS)
        head = QHBoxLayout()
        head.addWidget(self._side)
        head.addStretch(1)
        head.addWidget(self._pill)
        self._column = QVBoxLayout(self)
        self._column.addLayout(head)
        self._column.addWidget(self._name)
        self._column.addWidget(self._facts)
        self._column.addWidget(self._elo)
        self._column.addStretch(1)
        self._space()
        theme.changed.connect(self._space)

    def show_model(self, model: RevealedModel | None, chosen: str, *, taken_back: bool = False) -> None:
        """``model`` None empties the card; with ``taken_back`` it is grey, and says nothing of a vote."""
        chosen = "" if taken_back else chosen
        self._side.say("" if model is None else f"Sample {self._letter}")
        self._name.say("" if model is None else model.name)
        self._facts.say("" if model is None else _facts(model))
        self._elo.say("" if model is None or taken_back else _elo(model))
        self._pill.say(chosen)
        self._pill.setVisible(bool(chosen))
        restyle(self._pill, "pill", {"Tie": "plain", "Bad": "warning"}.get(chosen, "good"))
        restyle(self, "faded", taken_back)

    def _space(self) -> None:
        px = self._theme.px
        self._column.setContentsMargins(px(1), px(0.7), px(1), px(0.7))
        self._column.setSpacing(px(0.2))
        for label in (self._side, self._name, self._facts, self._elo):
            label.setMinimumHeight(label.fontMetrics().height())
        self._side.setMinimumHeight(px(1.3))  # as high as the pill beside it


class RevealPanel(QWidget):
    """Empty of names until :meth:`show_reveal`; :meth:`clear` takes every name out again."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setAccessibleName("Result of your vote")
        self._sentence = Words("", theme, scale=1.1, strong=True, wrap=True, selectable=True)
        self._a, self._b = _Unmasked("A", theme), _Unmasked("B", theme)
        self._kept_back = Words("", theme, scale=1.1, strong=True, wrap=True)
        self._columns = 2
        self._low = False
        self._pages = QStackedLayout(self)
        self._pages.setContentsMargins(0, 0, 0, 0)
        unmasked = QWidget()
        unmasked.setObjectName("scrolled")
        self._grid = QGridLayout(unmasked)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setColumnStretch(0, 1)
        self._grid.setRowStretch(3, 1)
        self._sentence.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        self._kept_back.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._set = SetTable(theme)
        self._pages.addWidget(Scrolled(unmasked))
        self._pages.addWidget(self._kept_back)
        self._pages.addWidget(self._set)
        self.set_columns(2)
        self._space()
        theme.changed.connect(self._space)

    def show_reveal(self, reveal: RevealView) -> None:
        """Both names and the last sentence: a verdict takes the place of what was voted, which the cards show too.
        After a set, every battle of it.
        """
        sentences = (TAKEN_BACK,) if reveal.taken_back else reveal.sentences
        if reveal.set_lines:
            self.clear()
            # The first sentence is about the last battle, which has its line in the table.
            verdict = " ".join(reveal.sentences[1:])
            self._set.show_lines(reveal.set_lines, TAKEN_BACK if reveal.taken_back else "", verdict)
            self.setAccessibleDescription(self._set.summary)
            self._pages.setCurrentIndex(2)
            return
        self._set.clear()
        chosen_a, chosen_b = _CHOSEN[reveal.vote]
        self._a.show_model(reveal.a, chosen_a, taken_back=reveal.taken_back)
        self._b.show_model(reveal.b, chosen_b, taken_back=reveal.taken_back)
        self._say(sentences)
        if reveal.taken_back:
            self.setAccessibleDescription(f"{TAKEN_BACK} Sample A: {reveal.a.name}. Sample B: {reveal.b.name}.")
        self._pages.setCurrentIndex(0)

    def show_held_back(self, done: int, size: int) -> None:
        """The vote is in; names come after the set."""
        self.clear()
        left = size - done
        rest = f"Names follow after {text.counted(left, 'more vote')}." if left > 0 else "The set is complete."
        self._kept_back.say(f"Vote {done} of {size} is in.\n{rest}")
        self.setAccessibleDescription(self._kept_back.text())
        self._pages.setCurrentIndex(1)

    def clear(self) -> None:
        """Forget everything shown."""
        self._a.show_model(None, "")
        self._b.show_model(None, "")
        self._set.clear()
        self._kept_back.say("")
        self._say(())

    def set_columns(self, columns: int) -> None:
        """Both sides beside (2) or below (1) each other."""
        self._columns = columns
        self._fix_height()
        self._grid.addWidget(self._a, 0, 0)
        self._grid.addWidget(self._b, (0, 1)[columns == 1], columns - 1)
        self._grid.addWidget(self._sentence, 2, 0, 1, columns)
        self._grid.setColumnStretch(1, columns - 1)
        self._fit()

    def set_low(self, low: bool) -> None:
        """Take no more height than the vote buttons have: what stands above them has more use for it."""
        if low != self._low:
            self._low = low
            self._fix_height()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._fit()

    def _say(self, sentences: tuple[str, ...]) -> None:
        self._sentence.say(sentences[-1] if sentences else "")
        self._fit()
        self.setAccessibleDescription(" ".join(sentences))  # all: who hears the page does not see the cards beside it

    def _fit(self) -> None:
        """Have the whole sentence seen below the cards, smaller if it is long."""
        across, down = self._grid.horizontalSpacing(), self._grid.verticalSpacing()
        wide = (self.width() - across * (self._columns - 1)) // self._columns
        cards = [card.heightForWidth(wide) for card in (self._a, self._b)]
        room = self.height() - (max(cards) + down if self._columns == 2 else sum(cards) + 2 * down)
        line = QRect(0, 0, self.width(), QWIDGETSIZE_MAX)
        flags = Qt.AlignmentFlag.AlignHCenter | Qt.TextFlag.TextWordWrap
        for scale, weight in _SIZES:
            metrics = QFontMetrics(self._theme.font(scale, weight))
            if metrics.boundingRect(line, flags, self._sentence.text()).height() <= room:
                break
        self._sentence.set_scale(scale, weight)

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(self._theme.px(20), self._high())

    def hasHeightForWidth(self) -> bool:  # noqa: N802
        return False

    def _high(self) -> int:
        return self._theme.px(_LOW_EM if self._low else _HIGH_EM[self._columns])

    def _fix_height(self) -> None:
        self.setFixedHeight(self._high())

    def _space(self) -> None:
        self._fix_height()
        self._grid.setHorizontalSpacing(self._theme.px(0.8))
        self._grid.setVerticalSpacing(self._theme.px(0.4))
        self._fit()


def _facts(model: RevealedModel) -> str:
    size = "" if model.params in ("", "unknown") else model.params
    told = model.voice is None or model.voice in model.repo_id
    voice = "" if told else f"voice {model.voice}"
    return "  ·  ".join(part for part in (model.repo_id, voice, size) if part)


def _elo(model: RevealedModel) -> str:
    if model.before is None and model.after is not None:
        return f"Live Elo now {text.number(model.after)}"
    if model.before is None or model.after is None:
        return "Live Elo follows: the log is still being read" if model.follows else "This vote moves no rating"
    change = text.signed(model.after - model.before, 1)
    return f"Live Elo {text.number(model.before)} → {text.number(model.after)}   ({change})"
