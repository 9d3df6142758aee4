"""Draw only what changed: each part of a page names the fields it shows, and is drawn when one of them differs."""

from collections.abc import Callable
from typing import Generic, TypeVar

View = TypeVar("View")


class Binder(Generic[View]):
    """Holds pairs of (fields, draw). :meth:`show` calls each draw whose fields differ from those of the view before."""

    def __init__(self) -> None:
        self._parts: list[tuple[Callable[[View], object], Callable[[View], None]]] = []
        self._seen: list[object] = []

    def bind(self, pick: Callable[[View], object], draw: Callable[[View], None]) -> None:
        """``pick`` returns the fields (comparable by ==) that ``draw`` shows."""
        self._parts.append((pick, draw))
        self._seen.append(_NOTHING)

    def show(self, view: View) -> None:
        """Draw the parts that changed."""
        for index, (pick, draw) in enumerate(self._parts):
            picked = pick(view)
            if picked != self._seen[index]:
                self._seen[index] = picked
                draw(view)


_NOTHING = object()
