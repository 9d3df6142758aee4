"""Audit: what could be wrong with the board. Each check: how bad, what was found, what it does, what to do."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from arena_desktop.services.board_views import (
    AuditLens,
    AuditLine,
    AuditView,
    ContributorsView,
    Lens,
    LensView,
    Severity,
)
from arena_desktop.ui import text
from arena_desktop.ui.lenses.panel import LensPanel
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.buttons import IconButton, Words
from arena_desktop.ui.widgets.icons import paint_icon
from arena_desktop.ui.widgets.scrolled import let_shrink

_SIGNS = {
    Severity.OK: ("check", "good", "Fine"),
    Severity.UNKNOWN: ("info", "muted", "Too little data"),
    Severity.NOTICE: ("info", "accent", "Notice"),
    Severity.WARNING: ("warning", "warning", "Warning"),
    Severity.SERIOUS: ("error", "error", "Serious"),
}


class SeverityMark(QWidget):
    """Icon and word: never told by colour alone."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme, self._severity = theme, Severity.OK
        self.word = Words("", theme, strong=True)
        row = QHBoxLayout(self)
        row.setContentsMargins(theme.px(1.5), 0, 0, 0)
        row.addWidget(self.word)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self._recolor)

    def show_severity(self, severity: Severity) -> None:
        """Draw the mark of ``severity``."""
        self._severity = severity
        self.word.say(_SIGNS[severity][2])
        self._recolor()

    def sizeHint(self) -> QSize:  # noqa: N802
        widest = max((word for _, _, word in _SIGNS.values()), key=len)
        return QSize(self._theme.px(1.7) + self.word.fontMetrics().horizontalAdvance(widest), self._theme.px(1.4))

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        icon, ink, _ = _SIGNS[self._severity]
        painter = QPainter(self)
        size = self._theme.px(1.2)
        box = QRectF(0, (self.height() - size) / 2, size, size)
        paint_icon(painter, icon, box, QColor(getattr(self._theme.tokens, ink)))
        painter.end()

    def _recolor(self) -> None:
        color = getattr(self._theme.tokens, _SIGNS[self._severity][1])
        self.word.setStyleSheet(f"color: {color};")
        self.update()


class Finding(QFrame):
    """One check on a card; its figures unfold."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._figures_shown: tuple[tuple[str, str], ...] = ()
        self.setProperty("card", True)
        self.mark = SeverityMark(theme)
        self.title = Words("", theme, strong=True, wrap=True)
        self.found = Words("", theme, wrap=True, selectable=True)
        self.effect = Words("", theme, wrap=True)
        self.remedy = Words("", theme, wrap=True, selectable=True)
        for words in (self.found, self.remedy):
            words.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.unfold = IconButton("Figures", "chevron", theme, quiet=True, also=("Hide figures",))
        self.unfold.setCheckable(True)
        self.unfold.toggled.connect(self._fold)
        self.figures = QWidget()
        self._grid = QGridLayout(self.figures)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self.figures.hide()
        head = QHBoxLayout()
        head.addWidget(self.mark)
        head.addWidget(self.title, 1)
        head.addWidget(self.unfold)
        self._head = head
        self._column = QVBoxLayout(self)
        self._column.addLayout(head)
        for words in (self.found, self.effect, self.remedy):
            self._column.addWidget(words)
        self._column.addWidget(self.figures)
        self._space()
        theme.changed.connect(self._space)

    def show_line(self, line: AuditLine) -> None:
        """Draw one check."""
        self.mark.show_severity(line.severity)
        self.title.say(line.title)
        self.found.say(text.undirected(line.found))
        self.effect.say(text.undirected(line.effect))
        self.remedy.say(f"What to do: {text.undirected(line.remedy)}" if line.remedy else "")
        for words in (self.effect, self.remedy):
            words.setVisible(bool(words.text()))
        self.unfold.setVisible(bool(line.figures))
        self.unfold.setAccessibleName(f"Figures of {line.title}")
        if line.figures != self._figures_shown:
            self._figures_shown = line.figures
            while (item := self._grid.takeAt(0)) is not None:
                if (widget := item.widget()) is not None:
                    widget.deleteLater()
            for row, (what, value) in enumerate(line.figures):
                self._grid.addWidget(Words(text.undirected(what), self._theme, voice="muted", wrap=True), row, 0)
                self._grid.addWidget(Words(text.undirected(value), self._theme, wrap=True), row, 1)
        self.setAccessibleName(f"{self.mark.word.text()}: {line.title}")
        self.setAccessibleDescription(" ".join(part for part in (line.found, line.effect, line.remedy) if part))

    def _fold(self, open_: bool) -> None:
        self.figures.setVisible(open_)
        self.unfold.setText("Hide figures" if open_ else "Figures")

    def _space(self) -> None:
        px = self._theme.px
        self._column.setContentsMargins(px(1), px(0.6), px(1), px(0.7))
        self._column.setSpacing(px(0.3))
        self._head.setSpacing(px(0.8))
        self._grid.setHorizontalSpacing(px(1))
        self._grid.setVerticalSpacing(px(0.2))
        self._grid.setColumnStretch(0, 1)
        self._grid.setColumnStretch(1, 2)


class FindingsPanel(LensPanel):
    """A sentence and findings on cards, which keep their place by their check, so that what was unfolded stays so.
    ``what`` names the list.
    """

    def __init__(self, what: str, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._findings: dict[str, Finding] = {}
        self._sentence = Words("", theme, wrap=True, selectable=True)
        self._sentence.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        inside = QWidget()
        inside.setObjectName("scrolled")
        self._list = QVBoxLayout(inside)
        self._list.addStretch(1)
        self.area = QScrollArea()
        self.area.setAccessibleName(what)
        self.area.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setWidget(inside)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.addWidget(self._sentence)
        self._column.addWidget(self.area, 1)
        self._space()
        theme.changed.connect(self._space)

    @property
    def findings(self) -> list[Finding]:
        """The findings as they stand, worst first."""
        return sorted(self._findings.values(), key=self._list.indexOf)

    def show_view(self, view: LensView) -> None:
        assert isinstance(view, AuditView | ContributorsView)
        self._sentence.say(view.sentence)
        self._sentence.setVisible(bool(view.sentence))
        wanted = {line.check: line for line in view.lines}
        for check in [check for check in self._findings if check not in wanted]:
            self._findings.pop(check).deleteLater()
        for place, line in enumerate(view.lines):
            if line.check not in self._findings:
                self._findings[line.check] = Finding(self._theme)
            finding = self._findings[line.check]
            finding.show_line(line)
            if self._list.indexOf(finding) != place:
                self._list.insertWidget(place, finding)

    def _space(self) -> None:
        px = self._theme.px
        self._column.setSpacing(px(0.5))
        let_shrink(self.area, px(10))
        self._list.setContentsMargins(0, 0, px(0.6), 0)
        self._list.setSpacing(px(0.5))


class AuditPanel(FindingsPanel):
    """The checks, the worst first."""

    def __init__(self, theme: Theme) -> None:
        super().__init__("Findings", theme)

    @property
    def lens(self) -> Lens:
        return AuditLens()
