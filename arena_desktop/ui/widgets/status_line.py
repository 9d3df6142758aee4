"""The status line: one sentence and its remedy, with a sign for its tone, spoken to screen readers when it changes."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QWidget

from arena_desktop.services.views import Line, Tone
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.buttons import Words, restyle
from arena_desktop.ui.widgets.notice import Sign


def announce(widget: QWidget, words: str, *, urgent: bool = False) -> None:
    """Have a screen reader say ``words``; nothing happens when none runs."""
    if not words:
        return
    from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent  # late: slow to load, not needed to paint

    if QAccessible.isActive():
        event = QAccessibleAnnouncementEvent(widget, words)
        if urgent:
            event.setPoliteness(QAccessible.AnnouncementPoliteness.Assertive)
        QAccessible.updateAccessibility(event)


class StatusLine(QWidget):
    """The label named ``status`` holds the whole line."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sign = Sign(theme)
        self.label = Words("", theme, wrap=True, selectable=True)
        self.label.setObjectName("status")
        self.label.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self._sign)
        row.addWidget(self.label, 1)
        self._row, self._theme = row, theme
        self._space()
        theme.changed.connect(self._space)

    def show_line(self, line: Line) -> None:
        """Show ``line``; an empty one clears it."""
        words = " ".join(part for part in (line.text, line.remedy) if part)
        self._sign.show_tone(line.tone)
        self._sign.setVisible(bool(words))
        self.label.say(words)
        restyle(self.label, "tone", line.tone.value)
        announce(self.label, words, urgent=line.tone is not Tone.INFO)

    def _space(self) -> None:
        self._row.setSpacing(self._theme.px(0.5))
        self.label.setMinimumHeight(self._theme.px(2.1))  # two lines: one more or less moves nothing
