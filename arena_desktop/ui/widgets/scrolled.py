"""Lets what needs more height than the window has scroll, and what can scroll by itself be small."""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QWidget


class Scrolled(QScrollArea):
    """As wide as there is room; scrolls down.

    Qt works out the height of wrapped words for the width without a scroll bar, and cuts them once one is shown: here
    the height is that for the width they get.
    """

    def __init__(self, inside: QWidget) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidget(inside)
        self._at_end = False
        bar = self.verticalScrollBar()
        bar.rangeChanged.connect(lambda _, most: bar.setValue(most) if self._at_end else None)
        bar.actionTriggered.connect(lambda _: self._follow(end=False))
        self.viewport().installEventFilter(self)
        inside.installEventFilter(self)

    def show_end(self) -> None:
        """Scroll to the end, and stay there until somebody scrolls."""
        self._follow(end=True)
        self.verticalScrollBar().setValue(self.verticalScrollBar().maximum())

    def _follow(self, *, end: bool) -> None:
        self._at_end = end

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Resize):
            self._fit()
        return super().eventFilter(watched, event)

    def _fit(self) -> None:
        inside = self.widget()
        layout = None if inside is None else inside.layout()
        if inside is not None and layout is not None and layout.hasHeightForWidth():
            inside.setMinimumHeight(layout.minimumHeightForWidth(self.viewport().width()))


def let_shrink(view: QWidget, least: int) -> None:
    """Have ``view`` take the height that is left, and be no lower than ``least`` pixels. It needs a stretch in its
    layout.
    """
    policy = view.sizePolicy()
    policy.setVerticalPolicy(QSizePolicy.Policy.Ignored)
    view.setSizePolicy(policy)
    view.setMinimumHeight(least)
