"""Share what is heavy among the engines of one process: held as long as somebody holds it, gone with the last."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

T = TypeVar("T")


class Shared(Generic[T]):
    """One object a key, made on first use. Callers keep what they get; when nobody does any more, it is made anew."""

    def __init__(self) -> None:
        self._held: weakref.WeakValueDictionary[Hashable, T] = weakref.WeakValueDictionary()
        self._lock = threading.Lock()

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """The object under ``key``, made by ``make`` if nobody holds one."""
        with self._lock:
            found = self._held.get(key)
            if found is None:
                found = make()
                self._held[key] = found
            return found
