"""Tells a key that is held from a key that is pressed again, where Qt does not."""

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

_ONE_INSTANT_MS = 2
"""X11 repeats a held key as a release and a press of one instant; no hand is that fast."""


class HeldKey(QObject):
    """Watches the keys that reach ``widget`` (what its children leave over comes by there too).

    Qt's own ``isAutoRepeat`` is false on X11 for a press that a shortcut takes, so ``setAutoRepeat(False)`` alone does
    not keep a shortcut from repeating.
    """

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self._released = (0, 0)
        self._repeating = False
        widget.installEventFilter(self)

    @property
    def repeating(self) -> bool:
        """Whether the latest press came from a key that is held down."""
        return self._repeating

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if isinstance(event, QKeyEvent):
            if event.type() == QEvent.Type.KeyRelease:
                self._released = (event.key(), event.timestamp())
            elif event.type() == QEvent.Type.ShortcutOverride:
                self._repeating = event.isAutoRepeat() or self._follows_at_once(event)
        return False

    def _follows_at_once(self, press: QKeyEvent) -> bool:
        key, when = self._released
        return when > 0 and key == press.key() and 0 <= press.timestamp() - when <= _ONE_INSTANT_MS
