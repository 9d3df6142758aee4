"""People: who the votes came from, what each one's look like, and what to do about those that are odd."""

from arena_desktop.services.board_views import ContributorsLens, Lens
from arena_desktop.ui.lenses.audit import FindingsPanel
from arena_desktop.ui.theme import Theme


class ContributorsPanel(FindingsPanel):
    """The cards, suspects first; what to write into the policy can be selected and copied."""

    def __init__(self, theme: Theme) -> None:
        super().__init__("Contributors", theme)

    @property
    def lens(self) -> Lens:
        return ContributorsLens()
