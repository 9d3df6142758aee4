"""Push buttons with a drawn icon that follows the theme, and labels with a voice."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QFont, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from arena_desktop.ui.text import with_runs
from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.icons import make_icon
from arena_desktop.ui.widgets.press_button import PressButton


class IconButton(PressButton):
    """A button with an icon.

    ``quiet`` has no frame until it is pointed at; ``primary`` is the one thing to do next. ``also``: what else it may
    come to say; it is wide enough for that from the start.
    """

    def __init__(
        self,
        words: str,
        icon: str,
        theme: Theme,
        *,
        name: str = "",
        tip: str = "",
        quiet: bool = False,
        primary: bool = False,
        also: tuple[str, ...] = (),
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(words, parent)
        self._all_words = (words, *also)
        self._icon, self._theme, self._primary = icon, theme, primary
        self.setAccessibleName(name or words)
        self.setToolTip(tip)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setProperty("quiet", quiet)
        self.setProperty("primary", primary)
        self.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)
        self._redraw()
        theme.changed.connect(self._redraw)

    def set_icon(self, icon: str) -> None:
        """Change the icon."""
        if icon != self._icon:
            self._icon = icon
            self._redraw()

    def sizeHint(self) -> QSize:  # noqa: N802
        hint, advance = super().sizeHint(), self.fontMetrics().horizontalAdvance
        spare = max(advance(words) for words in self._all_words) - advance(self.text())
        return QSize(hint.width() + max(0, spare), hint.height())

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return self.sizeHint()

    def _redraw(self) -> None:
        tokens = self._theme.tokens
        ink = tokens.on_accent if self._primary else tokens.text
        gap = 0.3 if self.text() else 0.0  # Qt leaves too little room between an icon and its words
        size = self._theme.px(1.05)
        self.setIcon(make_icon(self._icon, size, QColor(ink), QColor(tokens.muted), gap=gap))
        self.setIconSize(QSize(round(size * (1 + gap)), size))


class Words(QLabel):
    """A label whose size and weight follow the theme. ``voice`` ``muted`` is the quiet one.

    One that wraps shows its words from the left, in whatever direction they read, and ends with "…" what is longer than
    a line and can't be broken.
    """

    def __init__(
        self,
        words: str = "",
        theme: Theme | None = None,
        *,
        scale: float = 1.0,
        strong: bool = False,
        voice: str = "",
        wrap: bool = False,
        selectable: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme, self._scale, self._words = theme, scale, ""
        self._weight = QFont.Weight.DemiBold if strong else QFont.Weight.Normal
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(wrap)
        if wrap:
            self.setAlignment(
                Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute
            )
        self.say(words)
        if voice:
            self.setProperty("voice", voice)
        if selectable:
            self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        if theme is not None:
            self._redraw()
            theme.changed.connect(self._redraw)

    def set_scale(self, scale: float, weight: QFont.Weight | None = None) -> None:
        """Change the size relative to the base font, and the weight."""
        weight = self._weight if weight is None else weight
        if (scale, weight) != (self._scale, self._weight):
            self._scale, self._weight = scale, weight
            self._redraw()

    def say(self, words: str) -> None:
        """Set the text, only if it differs."""
        if words != self._words:
            self._words = words
            self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._fit()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        super().showEvent(event)
        self._fit()

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        least = super().minimumSizeHint()
        return QSize(1, least.height()) if self.wordWrap() else least  # a long id must not widen the page

    def _redraw(self) -> None:
        if self._theme is not None:
            self.setFont(self._theme.font(self._scale, self._weight))
            self._fit()

    def _fit(self) -> None:
        words = self._words
        if self.wordWrap() and self.isVisible():
            metrics, wide = self.fontMetrics(), self.contentsRect().width()
            words = with_runs(words, lambda run: metrics.elidedText(run, Qt.TextElideMode.ElideRight, wide))
        if words != self.text():
            self.setText(words)


def restyle(widget: QWidget, name: str, value: object) -> None:
    """Set a property that the style sheet looks at, and have the sheet look again."""
    if widget.property(name) != value:
        widget.setProperty(name, value)
        style = widget.style()
        style.unpolish(widget)
        style.polish(widget)
        for child in widget.findChildren(QLabel):
            style.unpolish(child)
            style.polish(child)
