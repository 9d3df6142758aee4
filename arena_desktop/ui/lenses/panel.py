"""What every lens's panel is: it names the lens that it wants looked through, and draws the view that comes of it."""

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from arena_desktop.services.board_views import Lens, LensView

AskPath = Callable[[str, str], str]
"""Where to save: from (a name to offer, kinds of file as a dialog writes them) the path, or "" for never mind."""


class LensPanel(QWidget):
    """``wanted``: a person asks for another lens of this kind, :attr:`lens` says which. ``meetings_wanted``: for the
    votes in which two models (``repo_id``) met.

    Abstract; Qt's metaclass leaves no room for that of :mod:`abc`.
    """

    wanted = Signal()
    meetings_wanted = Signal(str, str)

    @property
    def lens(self) -> Lens:
        """What to look through now."""
        raise NotImplementedError

    def show_view(self, view: LensView) -> None:
        """Draw the view of this panel's kind of lens; scroll and selection stay."""
        raise NotImplementedError
