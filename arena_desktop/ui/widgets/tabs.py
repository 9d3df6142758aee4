"""A row of tabs as push buttons: each reached by Tab, chosen by Space, Enter or the arrows, read as what it is."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QPointF, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFont,
    QFontMetricsF,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from arena_desktop.ui.theme import Theme
from arena_desktop.ui.widgets.press_button import PressButton

_GAP = 0.1


class Tab(PressButton):
    """Checked while what it stands for is shown."""

    def __init__(self, title: str, meaning: str, theme: Theme) -> None:
        super().__init__(title)
        self._theme = theme
        self.just_chosen = False
        self.setCheckable(True)
        self.setAccessibleName(title)
        self.setAccessibleDescription(meaning)
        self.setToolTip(meaning)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setProperty("enterIsMine", True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.updateGeometry)

    def focusNextPrevChild(self, following: bool) -> bool:  # noqa: N802
        row = self.parentWidget()
        if following and self.just_chosen and isinstance(row, Tabs) and row.enter():
            return True
        return super().focusNextPrevChild(following)

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        self.just_chosen = False
        super().focusOutEvent(event)

    def sizeHint(self) -> QSize:  # noqa: N802
        px = self._theme.px
        words = QFontMetricsF(self._theme.font(1.0, QFont.Weight.DemiBold)).horizontalAdvance(self.text())
        return QSize(round(words) + px(1.3), px(2.1))

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return self.sizeHint()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        if event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            event.ignore()  # the row moves on and shows; a button alone would only move the focus
            return
        super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        tokens, px = self._theme.tokens, self._theme.px
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = self.rect().toRectF()
        if self.underMouse() and not self.isChecked():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(tokens.sunken))
            painter.drawRoundedRect(box, px(0.3), px(0.3))
        painter.setFont(self._theme.font(1.0, QFont.Weight.DemiBold if self.isChecked() else QFont.Weight.Normal))
        painter.setPen(QColor(tokens.text if self.isChecked() else tokens.muted))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, self.text())
        if self.isChecked():
            painter.setPen(QPen(QColor(tokens.accent), px(0.16)))
            line = box.bottom() - px(0.08)
            painter.drawLine(QPointF(box.left() + px(0.5), line), QPointF(box.right() - px(0.5), line))
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(tokens.focus), 2))
            painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), px(0.3), px(0.3))
        painter.end()


class Tabs(QWidget):
    """``chosen`` carries the id of the tab that a person chose. Each tab's object name is its id. ``enter`` moves the
    focus into what the chosen tab shows, and tells whether there is anything: the Tab key does it right after a choice.
    """

    chosen = Signal(str)

    def __init__(self, name: str, tabs: Sequence[tuple[str, str, str]], theme: Theme) -> None:
        """``tabs``: (id, title, meaning) of each."""
        super().__init__()
        self._theme = theme
        self._current = ""
        self.enter: Callable[[], bool] = lambda: False
        self._tabs: dict[str, Tab] = {}
        self.setAccessibleName(name)
        for id_, title, meaning in tabs:
            tab = Tab(title, meaning, theme)
            tab.setObjectName(id_)
            # toggled, not clicked: assistive technology toggles a checkable button without a click
            tab.toggled.connect(partial(self._toggled, id_))
            self._tabs[id_] = tab
            tab.setParent(self)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        theme.changed.connect(self._restyle)

    @property
    def current(self) -> str:
        """The id of the tab that is marked."""
        return self._current

    def choose(self, id_: str) -> None:
        """Mark a tab, without ``chosen``."""
        self._current = id_
        for one, tab in self._tabs.items():
            tab.setChecked(one == id_)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        places = list(self._tabs.values())
        focused = next((n for n, tab in enumerate(places) if tab.hasFocus()), None)
        if step is None or focused is None:
            super().keyPressEvent(event)
            return
        tab = places[(focused + step) % len(places)]
        tab.setFocus(Qt.FocusReason.TabFocusReason)
        tab.setChecked(True)

    def _toggled(self, id_: str, on: bool) -> None:
        if on and id_ != self._current:
            self.choose(id_)
            tab = self._tabs[id_]
            tab.setFocus(Qt.FocusReason.TabFocusReason)
            tab.just_chosen = True
            self.chosen.emit(id_)
        elif not on and id_ == self._current:
            self._tabs[id_].setChecked(True)  # what is shown can't be switched off, only left for another

    def hasHeightForWidth(self) -> bool:  # noqa: N802
        return True

    def heightForWidth(self, width: int) -> int:  # noqa: N802
        return max((place.bottom() + 1 for place in self._places(width)), default=0)

    def sizeHint(self) -> QSize:  # noqa: N802
        wide = sum(tab.sizeHint().width() + self._theme.px(_GAP) for tab in self._tabs.values())
        return QSize(wide, self.heightForWidth(wide))

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        wide = max((tab.sizeHint().width() for tab in self._tabs.values()), default=0)
        return QSize(wide, self.heightForWidth(max(wide, self.width())))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._arrange()

    def _places(self, width: int) -> list[QRect]:
        """Where the tabs go: as many rows as they need."""
        places: list[QRect] = []
        x = y = 0
        for tab in self._tabs.values():
            size = tab.sizeHint()
            if x and x + size.width() > width:
                x, y = 0, y + size.height()
            places.append(QRect(x, y, size.width(), size.height()))
            x += size.width() + self._theme.px(_GAP)
        return places

    def _arrange(self) -> None:
        for tab, place in zip(self._tabs.values(), self._places(self.width()), strict=True):
            tab.setGeometry(place)

    def _restyle(self) -> None:
        self.updateGeometry()
        self._arrange()
