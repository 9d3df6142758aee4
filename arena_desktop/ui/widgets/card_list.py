"""A list of cards of any height, of which only those near what is seen exist: however long the list, opening it, one
more row and a wider window cost the same.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from arena_desktop.ui.theme import Theme

AHEAD = 1.0
"""Cards are made so many screens ahead of what is seen, each in an event of its own: each takes some milliseconds."""
KEPT = 2.5
"""Cards further away than so many screens are given up, but for the one that has the focus."""
KEEP = "keep"
"""The property of a card that holds what a person chose in it: such a card is never given up while its key is there."""
_USUAL = 7.0


class CardList(QScrollArea):
    """``make`` makes the card of a key, drawn in full. ``above`` stands over the cards and scrolls with them.

    Nothing is made before the list is first seen. Tab goes from card to card in the order of the keys, Home and End to
    the first and the last. What is seen stays where it is while rows come, go and grow elsewhere.
    """

    def __init__(self, theme: Theme, make: Callable[[str], QWidget], above: QWidget | None = None) -> None:
        super().__init__()
        self._theme = theme
        self._make = make
        self._above = above if above is not None else QWidget()
        self._keys: tuple[str, ...] = ()
        self._cards: dict[str, QWidget] = {}
        self._heights: dict[str, int] = {}
        self._tops: dict[str, int] = {}
        self._wide = 0
        self._placing = False
        self._seen = False
        self._inside = QWidget()
        self._inside.setObjectName("scrolled")
        self._above.setParent(self._inside)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidget(self._inside)
        self._worker = QTimer(self)
        self._worker.setInterval(0)
        self._worker.timeout.connect(self._work)
        self.verticalScrollBar().valueChanged.connect(self._go_on)
        theme.changed.connect(self._measure_anew)

    @property
    def cards(self) -> Mapping[str, QWidget]:
        """The cards that exist, by key."""
        return MappingProxyType(self._cards)

    def show_keys(self, keys: Sequence[str]) -> None:
        """From now on the list has these rows. Cards of keys that stay, stay."""
        keys = tuple(keys)
        if keys == self._keys:
            return
        known = frozenset(keys)
        anchor = self._anchor(known)
        stayed = [key for key in self._keys if key in known]
        self._keys = keys
        for gone in [key for key in self._cards if key not in known]:
            self._give_up(gone)
        if [key for key in keys if key in frozenset(stayed)] != stayed:
            self._chain()
        self._place(anchor)
        self._go_on()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        super().showEvent(event)
        self._seen = True
        self._place(self._anchor())
        self._go_on()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        anchor = self._anchor()
        super().resizeEvent(event)
        self._place(anchor)
        self._go_on()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if watched is self._inside and event.type() == QEvent.Type.LayoutRequest:
            self._place(self._anchor())  # a card has grown or shrunk
            self._go_on()
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        if not self.take_key(event):
            super().keyPressEvent(event)

    def take_key(self, event: QKeyEvent) -> bool:
        """Whether the key was Home or End: then the first or the last row is seen, and what can be pressed first there
        has the keyboard. For the page around the list, too.
        """
        place = {Qt.Key.Key_Home: 0, Qt.Key.Key_End: -1}.get(Qt.Key(event.key()))
        if place is None or not self._keys:
            return False
        self._go_to(place)
        return True

    def _go_to(self, place: int) -> None:
        key, bar = self._keys[place], self.verticalScrollBar()
        bar.setValue(bar.maximum() if place else 0)
        if key not in self._cards:
            self._build(key)
            self._place(self._anchor())
            bar.setValue(bar.maximum() if place else 0)
        usable = [stop for stop in self._stops().get(key, ()) if stop.isEnabled() and stop.isVisible()]
        (usable or [self])[0].setFocus(Qt.FocusReason.TabFocusReason)
        self._go_on()

    def focusNextPrevChild(self, next: bool) -> bool:  # noqa: A002, N802
        key = self._focused()
        if key is not None:  # a key that is held may be faster than the cards are made
            place = self._keys.index(key) + (1 if next else -1)
            if 0 <= place < len(self._keys) and self._keys[place] not in self._cards:
                anchor = self._anchor()
                self._build(self._keys[place])
                self._place(anchor)
        return super().focusNextPrevChild(next)

    def _work(self) -> None:
        """Give up a card that is far away, and make the one that is needed most: whoever scrolls on and on never has
        more of them than whoever stands still.
        """
        far = self._far()
        if far is not None:
            self._give_up(far)
        key = self._wanted()
        if key is not None:
            anchor = self._anchor()
            self._build(key)
            self._place(anchor)
        elif far is None:
            self._worker.stop()

    def _go_on(self) -> None:
        if self._seen and self.isVisible() and not self._worker.isActive():
            self._worker.start()

    def _wanted(self) -> str | None:
        """The key whose card is missing and nearest to what is seen."""
        missing = [(self._away(key), key) for key in self._keys if key not in self._cards]
        away, key = min(missing, key=lambda one: one[0], default=(0.0, None))
        return key if away <= AHEAD else None

    def _far(self) -> str | None:
        focused = self._focused()
        return next(
            (
                key
                for key, card in self._cards.items()
                if self._away(key) > KEPT and key != focused and not card.property(KEEP)
            ),
            None,
        )

    def _away(self, key: str) -> float:
        """How far from what is seen, in screens; 0 for what is seen."""
        high = max(1, self.viewport().height())
        top = self._tops[key] - self.verticalScrollBar().value()
        return max(0.0, top - high, -(top + self._height(key))) / high

    def _height(self, key: str) -> int:
        known = self._heights.get(key)
        if known is not None:
            return known
        sample = self._heights.values()
        return sum(sample) // len(sample) if sample else self._theme.px(_USUAL)

    def _build(self, key: str) -> QWidget:
        card = self._cards[key] = self._make(key)
        card.setParent(self._inside)
        for part in (card, *card.findChildren(QWidget)):
            part.ensurePolished()  # before it is measured
        self._chain(key)
        return card

    def _give_up(self, key: str) -> None:
        card = self._cards.pop(key)
        card.hide()
        card.setParent(None)
        card.deleteLater()

    def _focused(self) -> str | None:
        """The key of the card that has the focus."""
        holder = self.focusWidget()
        if holder is None or not holder.hasFocus():
            return None
        return next((key for key, card in self._cards.items() if card is holder or card.isAncestorOf(holder)), None)

    def _anchor(self, among: frozenset[str] | None = None) -> tuple[str, int] | None:
        """The first row in sight (of those ``among``), and where it stands; None at the top, which stays the top."""
        at = self.verticalScrollBar().value()
        if at == 0:
            return None
        for key in self._keys:
            if self._tops[key] + self._height(key) > at and (among is None or key in among):
                return key, self._tops[key] - at
        return None

    def _place(self, anchor: tuple[str, int] | None) -> None:
        """Lay out for the width there is; the row ``anchor`` stays where it was seen."""
        if self._placing:
            return
        self._placing = True
        try:
            self._lay_out()
            if anchor is not None and anchor[0] in self._tops:
                self.verticalScrollBar().setValue(self._tops[anchor[0]] - anchor[1])
        finally:
            self._placing = False

    def _lay_out(self) -> None:
        px = self._theme.px
        gap = px(0.6)
        wide = max(1, self.viewport().width() - px(0.9))
        if wide != self._wide:
            self._wide = wide
            self._heights.clear()
        top = 0
        high = _high(self._above, wide)
        self._above.setGeometry(0, 0, wide, high)
        if high:
            top = high + gap
        for key, card in self._cards.items():
            self._heights[key] = _high(card, wide)
        usual = self._height("")
        self._tops = {}
        for key in self._keys:
            self._tops[key] = top
            top += self._heights.get(key, usual) + gap
        for key, card in self._cards.items():
            card.setGeometry(0, self._tops[key], wide, self._heights[key])
            if card.isHidden():
                card.show()
        self._inside.resize(self.viewport().width(), top + px(0.2))

    def _measure_anew(self) -> None:
        anchor = self._anchor()
        self._heights.clear()
        self._place(anchor)
        self._go_on()

    def _chain(self, built: str | None = None) -> None:
        """Have Tab go through the cards in the order of the keys; of ``built`` alone where the others do already."""
        stops = self._stops()
        last: QWidget = self
        for key in self._keys:
            for stop in stops.get(key, ()):
                if built in (None, key):
                    QWidget.setTabOrder(last, stop)
                last = stop
            if key == built:
                return

    def _stops(self) -> dict[str, list[QWidget]]:
        """Where Tab stops in each card, in the order in which it does."""
        keys = {card: key for key, card in self._cards.items()}
        stops: dict[str, list[QWidget]] = {}
        at: QWidget | None = self.nextInFocusChain()
        while at is not None and at is not self:
            if at.focusPolicy() & Qt.FocusPolicy.TabFocus:
                up: QWidget | None = at
                while up is not None and up not in keys:
                    up = up.parentWidget()
                if up is not None:
                    stops.setdefault(keys[up], []).append(at)
            at = at.nextInFocusChain()
        return stops


def _high(widget: QWidget, wide: int) -> int:
    if widget.hasHeightForWidth():
        return max(0, widget.heightForWidth(wide))
    return max(0, widget.sizeHint().height())
