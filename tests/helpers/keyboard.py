"""Key presses into the X server at a known instant, without starting a program for each."""

import ctypes
import ctypes.util
import time
from types import TracebackType
from typing import Self


class Keyboard:
    """Presses keys on the present X screen through the XTEST extension."""

    def __init__(self) -> None:
        self._x11 = ctypes.CDLL(ctypes.util.find_library("X11") or "libX11.so.6")
        self._xtst = ctypes.CDLL(ctypes.util.find_library("Xtst") or "libXtst.so.6")
        self._x11.XOpenDisplay.restype = ctypes.c_void_p
        self._x11.XStringToKeysym.restype = ctypes.c_ulong
        self._display = ctypes.c_void_p(self._x11.XOpenDisplay(None))
        assert self._display.value, "the X screen can't be reached"

    def press(self, name: str) -> int:
        """Press and release the key of this X name; monotonic nanoseconds of the press."""
        code = self._x11.XKeysymToKeycode(
            self._display, ctypes.c_ulong(self._x11.XStringToKeysym(ctypes.c_char_p(name.encode())))
        )
        pressed = time.monotonic_ns()
        self._xtst.XTestFakeKeyEvent(self._display, code, 1, ctypes.c_ulong(0))
        self._xtst.XTestFakeKeyEvent(self._display, code, 0, ctypes.c_ulong(0))
        self._x11.XSync(self._display, 0)
        return pressed

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._x11.XCloseDisplay(self._display)
