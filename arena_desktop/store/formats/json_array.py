"""The elements of a JSON array, one after the other, without holding the array."""

import re
from collections.abc import Iterator
from typing import IO

from arena_desktop.store.formats.byte_lines import MAX_LINE, Trouble, cut_chunks

_STRING = rb'"(?:[^"\\]++|\\.)*+"'
_FLAT = rb'[^"\[\]{}]++|' + _STRING


def _box(levels: int) -> bytes:
    """A pattern of a pair of brackets with at most so many levels of them in it."""
    inside = _FLAT if levels == 0 else _FLAT + rb"|" + _box(levels - 1)
    return rb"[\[{](?:" + inside + rb")*+[\]}]"


_TOKEN = re.compile(_STRING + rb'|[\[\]{},"]', re.DOTALL)
# Deeper inside an element only the brackets that lead out of it matter: what closes by itself is read over at once.
_DEEP_TOKEN = re.compile(rb"(?:" + _FLAT + rb"|" + _box(5) + rb')++|[\[\]{}"]', re.DOTALL)
_DEEPEST = 1000
"""Far deeper than any record may be nested, the end of the element isn't looked for any more."""
_INSIDE_STRING = re.compile(rb'(?:[^"\\]++|\\.)*+', re.DOTALL)


def cut_array(stream: IO[bytes]) -> Iterator[bytes | Trouble]:
    """The bytes of each element of the array that the stream begins with. What is wrong around the elements comes as
    :class:`Trouble`.

    Elements are told apart by brackets and quotes alone, so that one that is no JSON doesn't spoil those after it.
    """
    cutter = _Cutter()
    waiting = b""
    for chunk in cut_chunks(stream):
        if isinstance(chunk, Trouble):
            yield from cutter.feed(waiting)
            yield chunk
            return
        waiting += chunk
        # A long unfinished string is looked through again each time, so the pieces grow with it.
        if len(waiting) >= cutter.held // 2:
            yield from cutter.feed(waiting)
            waiting = b""
        if cutter.lost:
            return
    yield from cutter.feed(waiting)
    if cutter.lost:
        return
    if cutter.depth:
        yield Trouble("the array is cut off here")


class _Cutter:
    """Holds the bytes that no finished element has taken: the tokens before ``_look`` have been seen. ``lost``: it is
    no use to go on.
    """

    def __init__(self) -> None:
        self.depth = 0
        self.lost = False
        self._held = b""
        self._look = 0
        self._elements = 0
        self._too_long = False
        self._in_dropped_string = False
        self._over = False

    @property
    def held(self) -> int:
        """How many bytes wait for the end of their element."""
        return len(self._held)

    def feed(self, chunk: bytes) -> Iterator[bytes | Trouble]:
        """The elements that end in ``chunk``."""
        self._held += chunk
        if self._in_dropped_string and not self._leave_string():
            return
        start = 0
        while token := (_DEEP_TOKEN if self.depth > 1 else _TOKEN).search(self._held, self._look):
            mark = token.group() if token.end() - token.start() == 1 else b""
            if mark == b'"':
                self._look = token.start()  # this string ends in a later chunk
                break
            self._look = token.end()
            if mark in (b"[", b"{"):
                self.depth += 1
                if self.depth > _DEEPEST:
                    self.lost = True
                    yield Trouble(f"nested deeper than {_DEEPEST} levels: nothing can be read from here on")
                    return
                start = self._look if self.depth == 1 and not self._over else start
                continue
            closes = mark in (b"]", b"}")
            self.depth -= closes
            if (closes and self.depth == 0) or (mark == b"," and self.depth == 1):
                yield from self._element(self._held[start : token.start()], closes)
                start = self._look
        else:
            self._look = len(self._held)
        self._held = self._held[start:]
        self._look -= start
        self._bound()

    def _element(self, data: bytes, last: bool) -> Iterator[bytes | Trouble]:
        if self._over:
            yield Trouble("something follows the end of the array")
        elif self._too_long or len(data) > MAX_LINE:
            yield Trouble(f"longer than {MAX_LINE} bytes")
        elif data.strip() or not last or self._elements:
            yield data.strip()
        self._elements += 1
        self._too_long = False
        self._over = self._over or last

    def _bound(self) -> None:
        """Forget the bytes of an element that is too long, but not where in it we are."""
        if len(self._held) <= MAX_LINE:
            return
        self._too_long = True
        self._held = self._held[self._look :]
        self._look = 0
        if self._held:  # it begins with the quote of an unfinished string
            self._held = self._held[1:]
            self._in_dropped_string = True
            self._leave_string()

    def _leave_string(self) -> bool:
        inside = _INSIDE_STRING.match(self._held)
        assert inside is not None
        self._held = self._held[inside.end() :]
        if self._held[:1] != b'"':
            return False  # at most a lone backslash is left
        self._look = 1
        self._in_dropped_string = False
        return True
