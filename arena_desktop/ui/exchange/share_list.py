"""Exactly what an export would hand over, and what stays here."""

from PySide6.QtWidgets import QProgressBar, QVBoxLayout, QWidget

from arena_desktop.services.exchange_views import ShareView
from arena_desktop.ui import text
from arena_desktop.ui.models.history_table import said
from arena_desktop.ui.models.sheet import Heading
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.buttons import Words
from arena_desktop.ui.widgets.copy_table import CopyTable

_COLUMNS = (
    Heading("Leaves?", "Whether it leaves this machine", left=True),
    Heading("What", left=True),
    Heading("Records"),
    Heading("For example", left=True),
)
_COUNTING = "Counting what would leave…"
LEAVES, STAYS = "leaves", "stays here"


class ShareList(QWidget):
    """What leaves first, what stays below it."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._title = Words("What leaves this machine", theme, strong=True, wrap=True)
        self._count = Words(_COUNTING, theme, wrap=True)
        self._count.setObjectName("shareCount")
        self.bar = QProgressBar()
        self.bar.setObjectName("shareProgress")
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName("Progress of counting")
        self.table = CopyTable("What leaves this machine", theme, _COLUMNS, wide=(1, 3))
        self.table.setObjectName("shareFields")
        self._notes = Words("", theme, voice="muted", wrap=True, selectable=True)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        for part in (self._title, self._count, self.bar, self.table, self._notes):
            self._column.addWidget(part)
        self._space()
        theme.changed.connect(self._space)

    def show_share(self, view: ShareView) -> None:
        """Draw what would leave."""
        self.bar.hide()
        records, votes = text.counted(view.records, "record"), text.counted(view.votes, "vote")
        fields = sorted(view.fields, key=lambda field: not field.leaves)
        leaving = sum(field.leaves for field in fields)
        kinds = f"Of what they hold, {leaving} {'kind leaves' if leaving == 1 else 'kinds leave'}, see below;"
        kinds += f" {len(fields) - leaving} {'stays' if len(fields) - leaving == 1 else 'stay'} here."
        nothing = "Nothing: no record fits these choices."
        self._count.say(f"{records}, {votes} among them. {kinds}" if view.records else nothing)
        self.table.show_words(
            [
                (LEAVES if field.leaves else STAYS, said(field.title), text.count(field.records), said(field.example))
                for field in fields
            ]
        )
        self._notes.say("\n".join(view.notes))
        self._notes.setVisible(bool(view.notes))

    def show_counting(self, done: int = 0, of: int = 0, unit: str = "records") -> None:
        """The choices changed: what is shown below is of the ones before."""
        told = f"{text.count(done)} of {text.count(of)}" if of else text.count(done)
        self._count.say(f"Counting what would leave: {told} {unit}" if done else _COUNTING)
        self.bar.setRange(0, of)
        self.bar.setValue(min(done, of))
        self.bar.show()

    def show_uncounted(self, words: str) -> None:
        """It could not be counted: say why."""
        self._count.say(words)
        self.bar.hide()

    def _space(self) -> None:
        self._column.setSpacing(self._theme.px(0.4))
        self.bar.setFixedHeight(self._theme.px(0.5))
