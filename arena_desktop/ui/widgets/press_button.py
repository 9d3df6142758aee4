"""A push button that Enter presses as Space does, wherever it stands."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QPushButton

ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class PressButton(QPushButton):
    """Qt gives Enter to a dialog's default button whichever has the focus, and outside of dialogs to none. A key that
    is held presses once.
    """

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        if event.key() not in ENTER:
            super().keyPressEvent(event)
        elif not event.isAutoRepeat():
            self.click()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.WindowDeactivate:
            # A dialog that opens under the pointer keeps Qt from telling that the pointer has left.
            self.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, False)
            self.update()
        return super().event(event)
