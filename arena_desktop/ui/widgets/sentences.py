"""Findings in words, one below the other: a heading and a sentence each. Scrolls by keyboard."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from arena_desktop.ui import text
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.buttons import Words


class Sentences(QScrollArea):
    """Rows are changed in place, so that a reader stays where they are."""

    def __init__(self, name: str, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._rows: list[tuple[Words, Words]] = []
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        inside = QWidget()
        inside.setObjectName("scrolled")
        self._column = QVBoxLayout(inside)
        self._column.addStretch(1)
        self.setWidget(inside)
        self._space()
        theme.changed.connect(self._space)

    def show_sentences(self, rows: Sequence[tuple[str, str]]) -> None:
        """``rows``: (heading, sentence); either may be empty."""
        while len(self._rows) < len(rows):
            heading = Words("", self._theme, strong=True, wrap=True)
            sentence = Words("", self._theme, wrap=True, selectable=True)
            sentence.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            self._rows.append((heading, sentence))
            for words in (heading, sentence):
                self._column.insertWidget(self._column.count() - 1, words)
        for place, labels in enumerate(self._rows):
            said = rows[place] if place < len(rows) else ("", "")
            for label, told in zip(labels, said, strict=True):
                label.say(text.undirected(told))
                label.setVisible(bool(told))
        self.setAccessibleDescription(" ".join(f"{heading} {sentence}".strip() for heading, sentence in rows))

    def _space(self) -> None:
        px = self._theme.px
        self._column.setContentsMargins(px(0.2), px(0.2), px(0.6), px(0.2))
        self._column.setSpacing(px(0.35))
