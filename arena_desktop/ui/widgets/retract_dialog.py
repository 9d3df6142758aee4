"""Asks why a vote is taken back, and says that this is final."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QGridLayout, QHBoxLayout, QLabel, QLayout, QLineEdit, QVBoxLayout, QWidget

from arena_desktop.services.exchange_views import HistoryRow
from arena_desktop.ui.models.history_table import row_words
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.buttons import IconButton, Words
from arena_desktop.ui.widgets.controls import Dropdown

REASONS = (
    ("mistake", "A mistake: it was meant otherwise"),
    ("technical", "Something technical went wrong"),
    ("withdrawn", "The listener withdraws it"),
    ("other", "Another reason"),
)
_FINAL = (
    "This is final: no rating counts the vote any more, here or wherever the log is merged. The vote and this"
    " retraction stay in the log, for everyone to see."
)
LONGEST_NOTE = 500


class RetractDialog(QDialog):
    """``confirmed``: (vote id, reason, note)."""

    confirmed = Signal(str, str, str)

    def __init__(self, row: HistoryRow, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._id = row.id
        self.setObjectName("retractDialog")
        self.setWindowTitle("Retract a vote")
        self.setWindowModality(Qt.WindowModality.WindowModal)
        title = Words("Take this vote back?", theme, scale=1.2, strong=True, wrap=True)
        which = row_words(row)
        self.reason = Dropdown("Reason", theme)
        self.reason.setObjectName("retractReason")
        self.reason.show_choices(REASONS, REASONS[0][0])
        self.note = QLineEdit()
        self.note.setObjectName("retractNote")
        self.note.setAccessibleName("Note")
        self.note.setMaxLength(LONGEST_NOTE)
        self.note.setPlaceholderText("Optional; left out of public exports")
        fields = QGridLayout()
        fields.setHorizontalSpacing(theme.px(0.8))
        fields.setVerticalSpacing(theme.px(0.5))
        for place, (words, field) in enumerate((("&Reason", self.reason), ("&Note", self.note))):
            label = QLabel(words)
            label.setBuddy(field)
            fields.addWidget(label, place, 0)
            fields.addWidget(field, place, 1)
        keep = IconButton("Keep the vote", "close", theme, tip="Change nothing (Esc)")
        keep.setObjectName("retractCancel")
        keep.setAutoDefault(False)
        self.confirm = IconButton(
            "Take it back", "undo", theme, primary=True, tip="Take the vote back, for good (Enter)"
        )
        self.confirm.setObjectName("retractConfirm")
        self.confirm.setDefault(True)
        keep.clicked.connect(self.reject)
        self.confirm.clicked.connect(self._confirm)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(keep)
        buttons.addWidget(self.confirm)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.px(1.5), theme.px(1.2), theme.px(1.5), theme.px(1.2))
        column.setSpacing(theme.px(0.7))
        column.addWidget(title)
        column.addWidget(Words(which, theme, wrap=True, selectable=True))
        column.addWidget(Words(_FINAL, theme, voice="muted", wrap=True))
        column.addLayout(fields)
        column.addStretch(1)
        column.addLayout(buttons)
        column.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        wide = min(theme.px(36), self.screen().availableSize().width())
        self.setMinimumSize(wide, column.heightForWidth(wide))
        self.resize(self.minimumSize())
        self.reason.setFocus()

    def _confirm(self) -> None:
        self.confirmed.emit(self._id, str(self.reason.currentData()), self.note.text().strip())
        self.accept()
