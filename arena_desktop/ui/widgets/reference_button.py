"""The button that plays the clip which both sides of a battle clone."""

from arena_desktop.services.views import ReferenceView
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.buttons import IconButton

_TIP = "Play the clip that both voices clone  (R)"
_STATES = {(True, False): ("Playing", "waves"), (False, True): ("Paused", "listen")}


class ReferenceButton(IconButton):
    """Out of sight where the arena has no such clip: nothing else moves for it. Where this battle's can't be heard it
    stays to be pressed, and whoever presses it is told why.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__("Reference", "listen", theme, name="Reference", tip=_TIP, also=("No reference",))
        self.hide()

    def show_reference(self, view: ReferenceView) -> None:
        """Draw this."""
        state, icon = _STATES.get((view.playing, view.paused), ("", "listen"))
        self.setText("No reference" if view.why else "Reference")
        self.setAccessibleName("No reference" if view.why else "Reference")
        self.setToolTip(f"{view.why}  (R)" if view.why else _TIP)
        told = view.why or f"{state}. Press R to play the clip that both voices clone from its start.".lstrip(". ")
        self.setAccessibleDescription(told)
        self.set_icon(icon)
        self.setVisible(view.offered)
