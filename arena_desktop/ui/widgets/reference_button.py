"""The button that plays the clip which both sides of a battle clone."""

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent

from arena_desktop.services.views import ReferenceView
from arena_desktop.ui import text
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.buttons import IconButton

_WORDS = "Reference"
_TIP = "Play the clip that both voices clone  (R)"
_STATES = {(True, False): ("Playing", "waves"), (False, True): ("Paused", "listen")}


class ReferenceButton(IconButton):
    """Out of sight where the arena has no such clip, and nothing moves for it. Where this battle's can't be heard it
    stays to be pressed, and whoever presses it is told why. In a narrow window it is its icon alone.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__(_WORDS, "listen", theme, name=_WORDS, tip=_TIP)
        kept = self.sizePolicy()
        kept.setHorizontalPolicy(kept.Policy.Preferred)
        kept.setRetainSizeWhenHidden(True)
        self.setSizePolicy(kept)
        self.hide()

    def show_reference(self, view: ReferenceView) -> None:
        """Draw this."""
        state, icon = _STATES.get((view.playing, view.paused), ("", "listen"))
        self.setAccessibleName("No reference" if view.why else _WORDS)
        self.setToolTip(text.tip(f"{view.why}  (R)") if view.why else _TIP)
        told = view.why or f"{state}. Press R to play the clip that both voices clone from its start.".lstrip(". ")
        self.setAccessibleDescription(told)
        self.set_icon("close" if view.why else icon)
        self.setVisible(view.offered)

    def sizeHint(self) -> QSize:  # noqa: N802
        alone = self.minimumSizeHint()
        return QSize(alone.width() + self.fontMetrics().horizontalAdvance(_WORDS) + self._theme.px(0.4), alone.height())

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        # Not of the present words: a size that followed them would change them back.
        return QSize(self.iconSize().width() + self._theme.px(1.4), super().sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        words = _WORDS if self.width() >= self.sizeHint().width() else ""
        if words != self.text():
            self.setText(words)
