"""The Models page: which voices can speak here, what the others lack, which take part, and how to get more."""

from collections.abc import Callable
from functools import cached_property, partial

from PySide6.QtCore import Signal
from PySide6.QtGui import QHideEvent, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from arena_desktop.services.actions import ModelsActions
from arena_desktop.services.found_views import FoundView
from arena_desktop.services.views import Line, ModelRow, ModelsView
from arena_desktop.ui import text
from arena_desktop.ui.binder import Binder
from arena_desktop.ui.models_page.card import ModelCard
from arena_desktop.ui.models_page.find_dialog import FindDialog
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.buttons import IconButton, Words
from arena_desktop.ui.widgets.card_list import CardList
from arena_desktop.ui.widgets.filter_field import FilterField
from arena_desktop.ui.widgets.flow_row import FlowRow
from arena_desktop.ui.widgets.notice import Notice


class ModelsPage(QWidget):
    """One card a model, updated in place and only where its row differs, so that nothing jumps while models are
    checked. ``ask_folder`` asks for a folder, "" for never mind. ``download_wanted``: a person wants to get a model
    from a hub.
    """

    download_wanted = Signal()

    def __init__(self, theme: Theme, ask_folder: Callable[[], str] = str) -> None:
        super().__init__()
        self.setObjectName("modelsPage")
        self._theme = theme
        self._ask_folder = ask_folder
        self._actions: ModelsActions | None = None
        self._notices: list[Notice] = []
        self._found = FoundView()
        self._rows: dict[str, ModelRow] = {}
        self._offers: frozenset[str] = frozenset()
        self._title = Words("Models", theme, scale=1.5, strong=True)
        self._summary = Words("", theme, voice="muted", wrap=True)
        self._find = IconButton("Find models…", "folder", theme, tip="Look for speech models on this disk")
        self._find.setObjectName("findModelsButton")
        self._find.clicked.connect(self.open_find)
        self.download = IconButton("Download…", "import", theme, tip="Get a model from a hub")
        self.download.setObjectName("downloadButton")
        self.download.clicked.connect(self.download_wanted)
        self._again = IconButton(
            "Check again", "refresh", theme, tip="Look again for what each model needs", also=("Checking…",)
        )
        self._again.setObjectName("checkAgain")
        self._again.clicked.connect(self._check_again)
        self._filter = FilterField("models", theme, self)
        self._filter.setObjectName("filterModels")
        self._filter.textChanged.connect(self._filter_rows)
        self._told = Notice(theme, dismissable=True)
        self._told.setObjectName("modelsTold")
        self._quiet = Words("", theme, wrap=True)
        self._quiet.setObjectName("quietFinds")
        self._look = IconButton("Show them", "folder", theme, tip="See what was found", quiet=True)
        self._look.setObjectName("showFinds")
        self._look.clicked.connect(self._show_finds)
        self._lay_out()
        self._binder: Binder[ModelsView] = Binder()
        self._binder.bind(lambda v: v.checking, self._draw_checking)
        self._binder.bind(lambda v: v.notices, self._draw_notices)
        self._binder.bind(lambda v: (v.rows, v.offers), self._draw_rows)
        self._binder.bind(lambda v: (v.rows, v.checking), lambda v: self._draw_summary(checking=v.checking))
        self._beside: Binder[FoundView] = Binder()
        self._beside.bind(lambda v: v.quiet, self._draw_quiet)
        self._beside.bind(lambda v: v.told, lambda v: self._told.show_line(v.told))
        self._beside.bind(lambda v: (v.sample, v.speaking, v.can_listen, v.own), self._draw_beside)
        theme.changed.connect(self._space)

    @cached_property
    def find_dialog(self) -> FindDialog:
        """The window of what was found; made when it is first wanted."""
        dialog = FindDialog(self._theme, self, self._ask_folder)
        if self._actions is not None:
            dialog.attach(self._actions)
        dialog.show_view(self._found)
        return dialog

    @property
    def cards(self) -> CardList:
        """The list of models."""
        return self._list

    def attach(self, actions: ModelsActions) -> None:
        """From now on, forward to ``actions``."""
        self._actions = actions
        if "find_dialog" in self.__dict__:
            self.find_dialog.attach(actions)

    def show_view(self, view: ModelsView) -> None:
        """Draw ``view``."""
        self._binder.show(view)

    def show_found(self, view: FoundView) -> None:
        """Draw what was found, and what goes on beside the models."""
        self._found = view
        self._beside.show(view)
        if "find_dialog" in self.__dict__:
            self.find_dialog.show_view(view)

    def open_find(self) -> None:
        """Search the usual places, unless something was found before, and show it."""
        if self._actions is not None and not self._found.rows and not self._found.searching:
            self._actions.find(())
        self.find_dialog.open_beside()

    def find_in(self, places: tuple[str, ...]) -> None:
        """Search these folders and files, and show what is there."""
        if self._actions is not None:
            self._actions.find(places)
        self.find_dialog.open_beside()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        if not self._list.take_key(event):
            super().keyPressEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802
        super().hideEvent(event)
        if self._actions is not None and self._found.sample:
            self._actions.stop_sample()

    def _lay_out(self) -> None:
        titles = QVBoxLayout()
        titles.addWidget(self._title)
        titles.addWidget(self._summary)
        self._buttons = FlowRow(self._theme, (self._find, self.download, self._again), (self._filter,))
        above = QWidget()
        self._warned = QVBoxLayout(above)
        self._warned.setContentsMargins(0, 0, 0, 0)
        self._list = CardList(self._theme, self._make_card, above)
        self._list.setObjectName("modelsScroll")
        self._list.setAccessibleName("Models")
        self._whisper = QWidget()
        row = QHBoxLayout(self._whisper)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self._quiet, 1)
        row.addWidget(self._look)
        self._whisper.hide()
        self._top = QVBoxLayout()
        self._top.addLayout(titles)
        self._top.addWidget(self._buttons)
        self._top.addWidget(self._whisper)
        self._top.addWidget(self._told)
        self._column = QVBoxLayout(self)
        self._column.addLayout(self._top)
        self._column.addWidget(self._list, 1)
        self._space()

    def _space(self) -> None:
        px = self._theme.px
        self._column.setContentsMargins(px(1.5), px(1.2), px(0.6), px(0.4))
        self._top.setContentsMargins(0, 0, px(0.9), 0)
        self._top.setSpacing(px(0.5))
        self._column.setSpacing(px(0.7))
        self._warned.setSpacing(px(0.6))

    def _draw_checking(self, view: ModelsView) -> None:
        self._again.setEnabled(not view.checking)
        self._again.setText("Checking…" if view.checking else "Check again")

    def _draw_summary(self, *, checking: bool) -> None:
        rows = self._rows.values()
        ready = sum(row.ready for row in rows)
        words = f"{ready} of {text.counted(len(rows), 'model')} ready to speak on this machine"
        shown = len(self._shown())
        if shown < len(rows):
            words += f"; {shown or 'none'} shown"
        self._summary.say(words if rows else "Looking for models…" if checking else "The roster names no models.")

    def _draw_notices(self, view: ModelsView) -> None:
        while len(self._notices) < len(view.notices):
            notice = Notice(self._theme)
            self._notices.append(notice)
            self._warned.addWidget(notice)
        for place, notice in enumerate(self._notices):
            notice.show_line(view.notices[place] if place < len(view.notices) else Line())

    def _draw_rows(self, view: ModelsView) -> None:
        before, self._rows = self._rows, {row.repo_id: row for row in view.rows}
        offers, self._offers = self._offers, view.offers
        self._filter.offer(len(self._rows))
        self._list.show_keys(self._shown())
        for repo_id, card in self._cards():
            row = self._rows[repo_id]
            if row != before.get(repo_id) or offers != view.offers:
                card.show_row(row, view.offers)
                self._show_beside(repo_id, card)

    def _shown(self) -> tuple[str, ...]:
        """Those that the filter lets through."""
        return tuple(repo_id for repo_id, row in self._rows.items() if self._filter.lets_through(*_words(row)))

    def _filter_rows(self) -> None:
        self._list.show_keys(self._shown())
        self._draw_summary(checking=not self._again.isEnabled())

    def _cards(self) -> list[tuple[str, ModelCard]]:
        return [(repo_id, card) for repo_id, card in self._list.cards.items() if isinstance(card, ModelCard)]

    def _make_card(self, repo_id: str) -> ModelCard:
        card = ModelCard(self._rows[repo_id], self._theme)
        card.show_row(self._rows[repo_id], self._offers)
        card.switched.connect(partial(self._set_enabled, repo_id))
        card.asked.connect(partial(self._ask, repo_id))
        self._show_beside(repo_id, card)
        return card

    def _draw_beside(self, view: FoundView) -> None:
        for repo_id, card in self._cards():
            self._show_beside(repo_id, card)

    def _show_beside(self, repo_id: str, card: ModelCard) -> None:
        view = self._found
        sounds = view.sample == repo_id
        card.show_beside(
            sounds=sounds,
            speaking=sounds and view.speaking,
            can_listen=view.can_listen and not (view.sample and not sounds and view.speaking),
            own=repo_id in view.own,
        )

    def _draw_quiet(self, view: FoundView) -> None:
        self._quiet.say(view.quiet)
        self._whisper.setVisible(bool(view.quiet))

    def _show_finds(self) -> None:
        self._whisper.hide()
        self.find_dialog.open_beside()

    def _check_again(self) -> None:
        if self._actions:
            self._actions.check_again()

    def _set_enabled(self, repo_id: str, enabled: bool) -> None:
        if self._actions:
            self._actions.set_enabled(repo_id, enabled)

    def _ask(self, repo_id: str, verb: str) -> None:
        if self._actions is None:
            return
        act = getattr(self._actions, verb)  # a card's verbs are called as the services' are
        if verb == "stop_sample":
            act()
        else:
            act(repo_id)


def _words(row: ModelRow) -> tuple[str, ...]:
    """By what a model may be looked for."""
    states = ("ready" if row.ready else "missing", "" if row.enabled else "off", "failed" if row.failures else "")
    return (row.name, row.repo_id, row.engine, row.params, row.license, *row.arenas, *states)
