"""Widgets in a row that goes on in the next line where there is no more room."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from arena_desktop.ui.theme import Theme


class FlowRow(QWidget):
    """``left`` from the left on, ``right`` up to the right edge, in the order of both for the Tab key."""

    def __init__(self, theme: Theme, left: Sequence[QWidget], right: Sequence[QWidget] = ()) -> None:
        super().__init__()
        self._theme = theme
        self._left, self._right = tuple(left), tuple(right)
        for widget in (*self._left, *self._right):
            widget.setParent(self)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        theme.changed.connect(self.updateGeometry)

    def hasHeightForWidth(self) -> bool:  # noqa: N802
        return True

    def heightForWidth(self, width: int) -> int:  # noqa: N802
        return self._place(width, really=False)

    def sizeHint(self) -> QSize:  # noqa: N802
        wide = sum(widget.sizeHint().width() + self._gap for widget in (*self._left, *self._right))
        return QSize(wide, self.heightForWidth(self.width()))

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        wide = max((widget.minimumSizeHint().width() for widget in (*self._left, *self._right)), default=0)
        return QSize(wide, self.heightForWidth(self.width()))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._place(self.width(), really=True)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self._place(self.width(), really=True)
            self.updateGeometry()
        return super().event(event)

    def _place(self, width: int, *, really: bool) -> int:
        """Lay out for a width; returns the height that takes."""
        gap = self._gap
        top = 0
        for line in self._lines(width, gap):
            high = max(size.height() for _, size in line)
            x = 0
            first_right = next((place for place, (widget, _) in enumerate(line) if widget in self._right), None)
            for place, (widget, size) in enumerate(line):
                if place == first_right:
                    x = max(x, width - sum(own.width() + gap for _, own in line[place:]) + gap)
                if really:
                    widget.setGeometry(x, top + (high - size.height()) // 2, min(size.width(), width), size.height())
                x += size.width() + gap
            top += high + gap
        return max(0, top - gap)

    def _lines(self, width: int, gap: int) -> list[list[tuple[QWidget, QSize]]]:
        """The widgets that are shown, line by line, each with the size it wants: to ask for that takes time."""
        lines: list[list[tuple[QWidget, QSize]]] = []
        used = 0
        for widget in (*self._left, *self._right):
            if widget.isHidden():
                continue
            size = widget.sizeHint()
            if not lines or used + size.width() > width:
                lines.append([])
                used = 0
            lines[-1].append((widget, size))
            used += size.width() + gap
        return lines

    @property
    def _gap(self) -> int:
        return self._theme.px(0.5)
