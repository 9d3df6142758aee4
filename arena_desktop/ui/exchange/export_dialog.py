"""Export: what to write and for what, what of it leaves this machine, and where to."""

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QVBoxLayout, QWidget

from arena_desktop.services.exchange_views import VOTE_FORMATS, ExchangeView, ExportWish, Step, VoteFormat
from arena_desktop.services.views import Choice, Line
from arena_desktop.ui.exchange.frame import ExchangeDialog
from arena_desktop.ui.exchange.progress import RUNNING
from arena_desktop.ui.exchange.share_list import ShareList
from arena_desktop.ui.models.history_table import said
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.buttons import IconButton, Words
from arena_desktop.ui.widgets.controls import Dropdown, Switch
from arena_desktop.ui.widgets.day_span import DaySpan
from arena_desktop.ui.widgets.field_grid import FieldGrid
from arena_desktop.ui.widgets.notice import Notice
from arena_desktop.ui.widgets.scrolled import Scrolled

REST_MS = 200
"""So long the choices must rest before they are counted."""
_SAVE = "Choose where to write the votes (Enter)"
_NOT_YET = "What leaves is still being counted: nothing is written before you have seen it."
_PUBLIC = "Leave out everything private"
_PUBLIC_ON = "Own sentences, device names and notes stay here. The log can be checked all the same."
_PUBLIC_OFF = "Own sentences, device names and notes go along: for your own machines, not for the public."


class ExportDialog(ExchangeDialog):
    """``share_wanted`` carries the wish whenever it changes, ``export_wanted`` the wish and a path."""

    share_wanted = Signal(ExportWish)
    export_wanted = Signal(ExportWish, str)

    def __init__(
        self,
        arenas: Sequence[Choice],
        listeners: Sequence[Choice],
        ask_path: Callable[[str, str], str],
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        self._arenas, self._listeners, self._ask_path = arenas, listeners, ask_path
        super().__init__("Export votes", "exportDialog", theme, parent)
        self._counted: ExportWish | None = None
        self._anew = False
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(REST_MS)
        self._rest.timeout.connect(self._count)
        self.open_at(60, 52)
        self.show_form()
        self._format.setFocus()

    def build_form(self) -> QWidget:
        theme = self.theme
        self._failed = Notice(theme, dismissable=True)
        self._failed.setObjectName("exportFailed")
        self._format = Dropdown("Format", theme)
        self._format.setObjectName("exportFormat")
        self._format.show_choices([(form.id, form.title) for form in VOTE_FORMATS], VOTE_FORMATS[0].id)
        self._purpose = Words("", theme, voice="muted", wrap=True)
        self._purpose.setObjectName("exportPurpose")
        self._arena = self._list("Arena", "exportArena", "All arenas", self._arenas)
        self._listener = self._list("Listener", "exportListener", "All listeners", self._listeners)
        self.public = Switch(_PUBLIC, theme)
        self.public.setObjectName("exportPublic")
        self.public.show_state(True)
        self._public_why = Words("", theme, voice="muted", wrap=True)
        self.share = ShareList(theme)
        inside = QWidget()
        inside.setObjectName("scrolled")
        self._time = DaySpan(theme, "exportTime", inside)
        self._fields = FieldGrid(theme, inside)
        self._rows = QGridLayout()
        for place, (words, field, below) in enumerate(
            (("&Format", self._format, self._purpose), (f"&{_PUBLIC}", self.public, self._public_why))
        ):
            label = QLabel(words)
            label.setBuddy(field)
            self._rows.addWidget(label, 2 * place, 0)
            self._rows.addWidget(field, 2 * place, 1)
            self._rows.addWidget(below, 2 * place + 1, 0, 1, 2)
        self._rows.setColumnStretch(1, 1)
        self._column_of_form = QVBoxLayout(inside)
        self._column_of_form.addWidget(self._failed)
        self._column_of_form.addLayout(self._rows)
        self._column_of_form.addWidget(Words("Which votes", theme, strong=True))
        self._column_of_form.addWidget(self._fields)
        self._column_of_form.addWidget(self.share)
        self._column_of_form.addStretch(1)
        self._draw_choices()
        for picked in (self._format.picked, self._arena.picked, self._listener.picked):
            picked.connect(lambda _: self._changed())
        self._time.changed.connect(self._changed)
        self.public.toggled.connect(lambda _: self._changed())
        self._space_form()
        theme.changed.connect(self._space_form)
        return Scrolled(inside)

    def build_buttons(self) -> tuple[IconButton, ...]:
        self.save = IconButton("Save…", "export", self.theme, primary=True)
        self.save.setObjectName("exportSave")
        self.save.setDefault(True)
        self._let_save(False)
        self.save.clicked.connect(self._save)
        return (self.save,)

    @property
    def wish(self) -> ExportWish:
        """What is chosen."""
        span = self._time.span
        return ExportWish(
            format=self._chosen_format().id,
            arena=str(self._arena.currentData() or ""),
            listener=str(self._listener.currentData() or ""),
            since=span.since,
            until=span.until,
            public=self.public.isChecked(),
        )

    def ask(self) -> None:
        """Have what would leave counted."""
        self._count()

    @property
    def running(self) -> bool:
        return self.view.step is Step.WRITING

    def show_view(self, view: ExchangeView) -> None:
        failed = view.step is Step.FAILED
        if failed or view.step in (Step.READING, Step.PREVIEW, Step.IDLE):
            self.show_form()  # a failed export can be tried again elsewhere
        super().show_view(view)
        if view.share is not None and view.share.wish == self.wish:
            self.share.show_share(view.share)
            self._counted = view.share.wish
            self._let_save(not self._rest.isActive())
        if self._anew and view.step not in RUNNING:
            self._count()

    def show_work(self, view: ExchangeView) -> None:
        if view.step is Step.WRITING:
            super().show_work(view)
        else:
            self.share.show_counting(view.done, view.of, view.unit)

    def show_result(self, line: Line) -> None:
        if self.view.step is Step.FAILED:
            self._failed.show_line(line)
            if self._counted != self.wish:
                self.share.show_uncounted("Not counted: see above.")
        else:
            super().show_result(line)

    def _list(self, name: str, id_: str, everything: str, choices: Sequence[Choice]) -> Dropdown:
        field = Dropdown(name, self.theme)
        field.setObjectName(id_)
        field.setToolTip(f"{name} whose votes are written")
        field.show_choices([("", everything), *((one.id, said(one.title)) for one in choices)], "")
        return field

    def _chosen_format(self) -> VoteFormat:
        return next(form for form in VOTE_FORMATS if form.id == self._format.currentData())

    def _let_save(self, counted: bool) -> None:
        """Nothing is written before it was shown what it is."""
        self.save.setEnabled(counted)
        self.save.setToolTip(_SAVE if counted else _NOT_YET)
        self.save.setAccessibleDescription("" if counted else _NOT_YET)

    def _changed(self) -> None:
        self._draw_choices()
        self._let_save(False)
        self.share.show_counting()
        self._rest.start()

    def _count(self) -> None:
        """Have what would leave counted; what is being counted for other choices is stopped first."""
        self.share.show_counting()
        self._anew = self.view.step in RUNNING
        if self._anew:
            self.stopped.emit()
        else:
            self.share_wanted.emit(self.wish)

    def _draw_choices(self) -> None:
        self._purpose.say(f"{self._chosen_format().purpose}.")
        self._public_why.say(_PUBLIC_ON if self.public.isChecked() else _PUBLIC_OFF)
        self._fields.show_fields((self._arena, self._listener, *self._time.fields))

    def _save(self) -> None:
        form = self._chosen_format()
        kinds = f"{form.title} (*.{form.ending} *.{form.ending}.gz *.{form.ending}.zst)"
        path = self.put_question(lambda: self._ask_path(f"votes.{form.ending}", kinds))
        if path:
            if not Path(path).suffix:
                path = f"{path}.{form.ending}"
            self._failed.show_line(Line())
            self.export_wanted.emit(self.wish, path)

    def _space_form(self) -> None:
        px = self.theme.px
        self._column_of_form.setContentsMargins(0, 0, px(0.6), 0)
        self._column_of_form.setSpacing(px(0.7))
        self._rows.setHorizontalSpacing(px(0.8))
        self._rows.setVerticalSpacing(px(0.3))
