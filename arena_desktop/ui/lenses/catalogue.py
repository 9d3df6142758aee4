"""The lenses in the order of their tabs, and the panel of each: imported and built when it is first opened."""

from collections.abc import Callable
from dataclasses import dataclass

from arena_desktop.services.board_views import (
    AuditView,
    ChartsView,
    ContributorsView,
    GroupsView,
    HistoryView,
    LensView,
    PairsView,
    WhatIfView,
)
from arena_desktop.ui.lenses.panel import AskPath, LensPanel
from arena_desktop.ui.theme import Theme

RANKING = "lensRanking"


@dataclass(frozen=True)
class LensTab:
    """A tab: its object name, its title, what it shows in a sentence, and the kind of view it draws."""

    id: str
    title: str
    meaning: str
    view: type[LensView] | None
    build: Callable[[Theme, AskPath], LensPanel] | None


def _pairs(theme: Theme, ask_path: AskPath) -> LensPanel:
    from arena_desktop.ui.lenses.pairs import PairsPanel

    return PairsPanel(theme, ask_path)


def _groups(theme: Theme, ask_path: AskPath) -> LensPanel:
    from arena_desktop.ui.lenses.groups import GroupsPanel

    return GroupsPanel(theme)


def _history(theme: Theme, ask_path: AskPath) -> LensPanel:
    from arena_desktop.ui.lenses.history import HistoryPanel

    return HistoryPanel(theme, ask_path)


def _what_if(theme: Theme, ask_path: AskPath) -> LensPanel:
    from arena_desktop.ui.lenses.what_if import WhatIfPanel

    return WhatIfPanel(theme)


def _charts(theme: Theme, ask_path: AskPath) -> LensPanel:
    from arena_desktop.ui.lenses.charts import ChartsPanel

    return ChartsPanel(theme, ask_path)


def _audit(theme: Theme, ask_path: AskPath) -> LensPanel:
    from arena_desktop.ui.lenses.audit import AuditPanel

    return AuditPanel(theme)


def _contributors(theme: Theme, ask_path: AskPath) -> LensPanel:
    from arena_desktop.ui.lenses.contributors import ContributorsPanel

    return ContributorsPanel(theme)


LENSES = (
    LensTab(RANKING, "Ranking", "All models of the arena, best first.", None, None),
    LensTab("lensPairs", "Pairs", "Who met whom, and how it went.", PairsView, _pairs),
    LensTab("lensGroups", "Groups", "A board a category, language, listener or length.", GroupsView, _groups),
    LensTab("lensHistory", "History", "How the ratings came to be, vote by vote.", HistoryView, _history),
    LensTab("lensWhatIf", "What if", "The board if only some of the votes counted.", WhatIfView, _what_if),
    LensTab("lensCharts", "Charts", "The board in pictures.", ChartsView, _charts),
    LensTab("lensAudit", "Audit", "What could be wrong with this board.", AuditView, _audit),
    LensTab(
        "lensContributors", "People", "Who the votes came from, and whose are odd.", ContributorsView, _contributors
    ),
)
