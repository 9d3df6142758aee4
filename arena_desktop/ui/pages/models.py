"""The Models page: which voices can speak here, what the others lack, and which take part in battles."""

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from arena_desktop.services.actions import ModelsActions
from arena_desktop.services.views import Line, ModelsView
from arena_desktop.ui import text
from arena_desktop.ui.binder import Binder
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.buttons import IconButton, Words
from arena_desktop.ui.widgets.model_card import ModelCard
from arena_desktop.ui.widgets.notice import Notice


class ModelsPage(QWidget):
    """One card a model, updated in place, so that nothing jumps while models are checked."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("modelsPage")
        self._theme = theme
        self._actions: ModelsActions | None = None
        self._cards: dict[str, ModelCard] = {}
        self._notices: list[Notice] = []
        self._title = Words("Models", theme, scale=1.5, strong=True)
        self._summary = Words("", theme, voice="muted", wrap=True)
        self._again = IconButton("Check again", "refresh", theme, tip="Look again for what each model needs")
        self._again.setObjectName("checkAgain")
        self._again.clicked.connect(self._check_again)
        self._lay_out()
        self._binder: Binder[ModelsView] = Binder()
        self._binder.bind(lambda v: v.checking, self._draw_checking)
        self._binder.bind(lambda v: v.notices, self._draw_notices)
        self._binder.bind(lambda v: v.rows, self._draw_rows)
        self._binder.bind(lambda v: (v.rows, v.checking), self._draw_summary)
        theme.changed.connect(self._space)

    def attach(self, actions: ModelsActions) -> None:
        """From now on, forward to ``actions``."""
        self._actions = actions

    def show_view(self, view: ModelsView) -> None:
        """Draw ``view``."""
        self._binder.show(view)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        titles = QVBoxLayout()
        titles.addWidget(self._title)
        titles.addWidget(self._summary)
        head.addLayout(titles, 1)
        head.addWidget(self._again, 0, Qt.AlignmentFlag.AlignTop)
        inside = QWidget()
        inside.setObjectName("scrolled")
        self._list = QVBoxLayout(inside)
        self._told = QVBoxLayout()
        self._shown = QVBoxLayout()
        self._list.addLayout(self._told)
        self._list.addLayout(self._shown)
        self._list.addStretch(1)
        scroll = QScrollArea()
        scroll.setObjectName("modelsScroll")
        scroll.setAccessibleName("Models")
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setWidget(inside)
        self._head = head
        self._column = QVBoxLayout(self)
        self._column.addLayout(head)
        self._column.addWidget(scroll, 1)
        self._space()

    def _space(self) -> None:
        px = self._theme.px
        self._column.setContentsMargins(px(1.5), px(1.2), px(0.6), px(0.4))
        self._head.setContentsMargins(0, 0, px(0.9), 0)
        self._column.setSpacing(px(0.7))
        self._list.setContentsMargins(0, 0, px(0.9), px(0.8))
        for layout in (self._list, self._told, self._shown):
            layout.setSpacing(px(0.6))

    def _draw_checking(self, view: ModelsView) -> None:
        self._again.setEnabled(not view.checking)
        self._again.setText("Checking…" if view.checking else "Check again")

    def _draw_summary(self, view: ModelsView) -> None:
        ready = sum(row.ready for row in view.rows)
        words = f"{ready} of {text.counted(len(view.rows), 'model')} ready to speak on this machine"
        self._summary.say(
            words if view.rows else "Looking for models…" if view.checking else "The roster names no models."
        )

    def _draw_notices(self, view: ModelsView) -> None:
        while len(self._notices) < len(view.notices):
            notice = Notice(self._theme)
            self._notices.append(notice)
            self._told.addWidget(notice)
        for place, notice in enumerate(self._notices):
            notice.show_line(view.notices[place] if place < len(view.notices) else Line())

    def _draw_rows(self, view: ModelsView) -> None:
        wanted = {row.repo_id for row in view.rows}
        for gone in [repo_id for repo_id in self._cards if repo_id not in wanted]:
            card = self._cards.pop(gone)
            card.setParent(None)
            card.deleteLater()
        for place, row in enumerate(view.rows):
            known = self._cards.get(row.repo_id)
            if known is None:
                known = self._cards[row.repo_id] = ModelCard(row, self._theme)
                known.switched.connect(partial(self._set_enabled, row.repo_id))
                self._shown.insertWidget(place, known)
            elif self._shown.indexOf(known) != place:
                self._shown.insertWidget(place, known)
            known.show_row(row)

    def _check_again(self) -> None:
        if self._actions:
            self._actions.check_again()

    def _set_enabled(self, repo_id: str, enabled: bool) -> None:
        if self._actions:
            self._actions.set_enabled(repo_id, enabled)
