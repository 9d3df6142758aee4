"""What an import would do, told before anything is done."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from arena_desktop.services.exchange_views import ImportPreview
from arena_desktop.services.views import Line, Tone
from arena_desktop.ui import text
from arena_desktop.ui.models.history_table import said
from arena_desktop.ui.models.sheet import Heading
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.buttons import IconButton, Words
from arena_desktop.ui.widgets.controls import Switch
from arena_desktop.ui.widgets.copy_table import CopyTable
from arena_desktop.ui.widgets.notice import Notice

MOST_NAMED = 20
_MOST_LINES = 16
_NO_VOTES = "This is not a file of votes."
_FILES = (Heading("File", left=True), Heading("Taken for", left=True), Heading("Records"))
_SKIPPED = (Heading("File", left=True), Heading("Line"), Heading("Why it is skipped", left=True))
_DIFFERING = (Heading("File", left=True), Heading("Line"), Heading("Record", left=True))
_SOURCE = (
    "Votes of other programs have no identity of their own: what tells two logs apart is this name. The same log under"
    " another name would count twice, and two logs under one name would pass for one where their votes are alike."
)
_RATING_ONLY = (
    "They are listed and rated here, but can't speak. Without it their votes are kept, and count once a roster names"
    " them."
)


def summary(preview: ImportPreview) -> str:
    """What an import would bring, in one sentence."""
    files = text.counted(len(preview.files), "file")
    if preview.no_votes:
        return (
            "This is not a file of votes." if len(preview.files) == 1 else f"None of these {files} is a file of votes."
        )
    if not preview.new:
        return f"Nothing new in {files}"
    return f"{text.counted(preview.new, 'new record')} in {files}"


def left_over(preview: ImportPreview) -> str:
    """What an import would not bring, in sentences."""
    told: list[str] = []
    if preview.no_votes:
        return ""  # the one sentence says it
    if preview.already:
        told.append(f"{text.counted(preview.already, 'record')} {_are(preview.already)} here already.")
    if preview.skipped_total:
        told.append(f"{text.counted(preview.skipped_total, 'line')} {_are(preview.skipped_total)} skipped, see below.")
    if preview.conflicts:
        told.append(f"{_ids(preview.conflicts)} for differing records: all of them are kept, and none of them counts.")
    return " ".join(told)


class LogName(QLineEdit):
    """Keeps Enter to itself: it names the log, and must not press the button that imports."""

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        super().keyPressEvent(event)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.accept()


class PreviewPanel(QWidget):
    """``again`` carries the name of the log under which the files are to be read again."""

    again = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setObjectName("scrolled")
        self._summary = Words("", theme, scale=1.15, strong=True, wrap=True, selectable=True)
        self._summary.setObjectName("importSummary")
        self._rest = Words("", theme, wrap=True, selectable=True)
        self._facts = Words("", theme, wrap=True, selectable=True)
        self._facts.setObjectName("importFacts")
        self._notes = Notice(theme)
        self._notes.setObjectName("importNotes")
        self._files = CopyTable("Files", theme, _FILES, wide=(0,))
        self._files.setObjectName("importFiles")
        self._skips = Words("", theme, strong=True, wrap=True)
        self.skipped = CopyTable("Skipped lines", theme, _SKIPPED, wide=(2,), most=_MOST_LINES)
        self.skipped.setObjectName("importSkipped")
        self._conflicts = Words("", theme, strong=True, wrap=True)
        self.differing = CopyTable("Differing records under one id", theme, _DIFFERING, wide=(2,), most=_MOST_LINES)
        self.differing.setObjectName("importConflicts")
        self._copy = IconButton("Copy the list", "copy", theme, tip="Copy the list of skipped lines")
        self._copy.setObjectName("importCopy")
        self._copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.skipped.text))
        self._models = Words("", theme, strong=True, wrap=True)
        self._model_names = Words("", theme, wrap=True, selectable=True)
        self.add_models = Switch("Add these models as rating-only", theme)
        self.add_models.setObjectName("importAddModels")
        self._add_words = Words("", theme, wrap=True)
        self._add_why = Words(_RATING_ONLY, theme, voice="muted", wrap=True)
        self._arenas = Words("", theme, wrap=True, selectable=True)
        self._aliases = Words("", theme, strong=True, wrap=True)
        self._alias_names = Words("", theme, wrap=True, selectable=True)
        self._source_title = Words("Which log do they come from?", theme, strong=True, wrap=True)
        self._source_why = Words(_SOURCE, theme, voice="muted", wrap=True)
        self.source = LogName()
        self.source.setObjectName("importSource")
        self.source.setAccessibleName("Name of the log")
        self.source.setPlaceholderText("Name of the log, for example lab-2024")
        self.read_again = IconButton("Read again", "refresh", theme, tip="Read the files again under this name (Enter)")
        self.read_again.setObjectName("importReadAgain")
        self.read_again.setAutoDefault(False)
        self._copy.setAutoDefault(False)
        self.read_again.clicked.connect(self._again)
        self.source.returnPressed.connect(self._again)
        self.source.textChanged.connect(lambda _: self._draw_source())
        self._named = ""
        self._lay_out()
        theme.changed.connect(self._space)

    def show_preview(self, preview: ImportPreview) -> None:
        """Draw the preview."""
        self._summary.say(summary(preview))
        _tell(self._rest, left_over(preview))
        _tell(self._facts, "\n".join(preview.facts))
        notes = "\n".join(preview.notes)
        self._notes.show_line(Line("Read this first" if notes else "", Tone.WARNING, notes))
        self._files.show_words(
            [
                (
                    said(file.path),
                    *((text.DASH,) * 2 if preview.no_votes else (said(file.format), text.count(file.records))),
                )
                for file in preview.files
            ]
        )
        self._draw_skipped(preview)
        _tell(self._conflicts, f"{_ids(preview.conflicts)} for differing records" if preview.differing else "")
        self.differing.show_words([(said(file), str(line), said(record)) for file, line, record in preview.differing])
        self.differing.setVisible(bool(preview.differing))
        models, arenas = preview.unknown_models, preview.unknown_arenas
        it = "it" if len(models) == 1 else "these"
        count = text.counted(len(models), "model")
        _tell(self._models, f"{count} that no roster here names" if models else "")
        _tell(self._model_names, _names(models))
        self._add_words.say(f"Add {it if len(models) == 1 else f'{it} {count}'} as rating-only")
        self.add_models.setAccessibleName(self._add_words.text())
        for part in (self._add_words, self._add_why, self.add_models):
            part.setVisible(bool(models))
        unknown = text.counted(len(arenas), "arena")
        kept = "Votes of it are kept, and count once a roster names it"
        kept = kept if len(arenas) == 1 else "Votes of them are kept, and count once a roster names them"
        _tell(self._arenas, f"{unknown} that no roster here names: {_names(arenas)}. {kept}." if arenas else "")
        _tell(self._aliases, "Perhaps one model under two names: the weights are the same" if preview.aliases else "")
        pairs = "\n".join(f"{said(name)}  is perhaps  {said(other)}" for name, other in preview.aliases[:MOST_NAMED])
        hint = "Names that mean one model are joined by aliases.yaml in the data directory; the log stays as it is."
        _tell(self._alias_names, f"{pairs}\n{hint}" if preview.aliases else "")
        self._named = preview.source
        if self.source.text() != preview.source:
            self.source.setText(preview.source)
        for widget in (self._source_title, self._source_why, self.source, self.read_again):
            widget.setVisible(preview.legacy > 0)
        votes = text.counted(preview.legacy, "vote")
        self._source_title.say(f"{votes} of other programs: which log do they come from?")
        self._draw_source()

    def _draw_skipped(self, preview: ImportPreview) -> None:
        # Twenty-five reasons why a picture is no vote help nobody.
        total, listed = (0, 0) if preview.no_votes else (preview.skipped_total, len(preview.skipped))
        words = f"{text.counted(total, 'line')} skipped" if total else ""
        if listed < total:
            words = f"{words}; the first {text.count(listed)} are listed"
        _tell(self._skips, words)
        self.skipped.show_words([(said(file), str(line), said(reason)) for file, line, reason in preview.skipped])
        self.skipped.setVisible(listed > 0)
        self._copy.setVisible(listed > 0)

    def _draw_source(self) -> None:
        self.read_again.setEnabled(self.source.text().strip() != self._named)

    def _again(self) -> None:
        if self.read_again.isEnabled():
            self.again.emit(self.source.text().strip())

    def _lay_out(self) -> None:
        self._adding = QHBoxLayout()
        self._adding.addWidget(self.add_models)
        self._adding.addWidget(self._add_words, 1)
        self._naming = QHBoxLayout()
        self._naming.addWidget(self.source, 1)
        self._naming.addWidget(self.read_again)
        self._skip_head = QHBoxLayout()
        self._skip_head.addWidget(self._skips, 1)
        self._skip_head.addWidget(self._copy)
        self._column = QVBoxLayout(self)
        for part in (
            self._summary,
            self._rest,
            self._facts,
            self._notes,
            self._files,
            self._source_title,
            self._source_why,
            self._naming,
            self._models,
            self._model_names,
            self._adding,
            self._add_why,
            self._arenas,
            self._aliases,
            self._alias_names,
            self._conflicts,
            self.differing,
            self._skip_head,
            self.skipped,
        ):
            if isinstance(part, QHBoxLayout):
                self._column.addLayout(part)
            else:
                self._column.addWidget(part)
        self._column.addStretch(1)
        self._space()

    def _space(self) -> None:
        px = self._theme.px
        self._column.setContentsMargins(0, 0, px(0.6), 0)
        self._column.setSpacing(px(0.5))
        for row in (self._adding, self._naming, self._skip_head):
            row.setSpacing(px(0.5))
        self.source.setFixedHeight(px(2.1))


def _names(names: Sequence[str]) -> str:
    more = len(names) - MOST_NAMED
    told = ", ".join(said(name) for name in names[:MOST_NAMED])
    return f"{told} and {text.count(more)} more" if more > 0 else told


def _ids(count: int) -> str:
    return f"{text.counted(count, 'id')} {'stands' if count == 1 else 'stand'}"


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def _tell(words: Words, told: str) -> None:
    words.say(told)
    words.setVisible(bool(told))
