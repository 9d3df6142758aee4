"""Is there a screen to open a window on? Asked before Qt is loaded: where there is none, Qt aborts the program."""

import ctypes
import importlib.util
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from arena_desktop.errors import ArenaError

# What the wheels of Qt expect from the system, and the Debian package that has it.
_SHARED: tuple[tuple[str, str], ...] = (
    ("libEGL.so.1", "libegl1"),
    ("libGL.so.1", "libgl1"),
    ("libfontconfig.so.1", "libfontconfig1"),
    ("libglib-2.0.so.0", "libglib2.0-0"),
    ("libdbus-1.so.3", "libdbus-1-3"),
    ("libxkbcommon.so.0", "libxkbcommon0"),
)
_XCB: tuple[tuple[str, str], ...] = (
    ("libxcb.so.1", "libxcb1"),
    ("libxkbcommon-x11.so.0", "libxkbcommon-x11-0"),
    ("libxcb-cursor.so.0", "libxcb-cursor0"),
    ("libxcb-icccm.so.4", "libxcb-icccm4"),
    ("libxcb-image.so.0", "libxcb-image0"),
    ("libxcb-keysyms.so.1", "libxcb-keysyms1"),
    ("libxcb-randr.so.0", "libxcb-randr0"),
    ("libxcb-render-util.so.0", "libxcb-render-util0"),
    ("libxcb-shape.so.0", "libxcb-shape0"),
    ("libxcb-shm.so.0", "libxcb-shm0"),
    ("libxcb-sync.so.1", "libxcb-sync1"),
    ("libxcb-xfixes.so.0", "libxcb-xfixes0"),
    ("libxcb-xkb.so.1", "libxcb-xkb1"),
    ("libX11-xcb.so.1", "libx11-xcb1"),
)
_NO_SCREEN_NEEDED = frozenset({"offscreen", "minimal", "minimalegl", "vnc", "linuxfb", "eglfs", "vkkhrdisplay"})
_WHERE = "Start it from a desktop session, over ssh with `ssh -X`, or without any screen under `xvfb-run -a`."

Loads = Callable[[str], bool]
Connects = Callable[[str], bool]


def loads(library: str) -> bool:
    """Tell whether this shared library (name or path), with all it needs itself, can be loaded."""
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def xcb_connects(display: str) -> bool:
    """Tell whether the X server of ``display`` lets us in. Asks as Qt will, through libxcb, authority file included."""
    try:
        xcb = ctypes.CDLL("libxcb.so.1")
    except OSError:
        return False
    xcb.xcb_connect.restype = ctypes.c_void_p
    xcb.xcb_connect.argtypes = [ctypes.c_char_p, ctypes.c_void_p]
    xcb.xcb_connection_has_error.argtypes = [ctypes.c_void_p]
    xcb.xcb_disconnect.argtypes = [ctypes.c_void_p]
    connection = xcb.xcb_connect(display.encode(), None)
    failed = bool(xcb.xcb_connection_has_error(connection))
    xcb.xcb_disconnect(connection)
    return not failed


def wayland_connects(path: str) -> bool:
    """Tell whether a Wayland compositor listens on this socket."""
    import socket  # late: only Wayland needs it

    with socket.socket(socket.AF_UNIX) as probe:
        probe.settimeout(2.0)
        try:
            probe.connect(path)
        except OSError:
            return False
    return True


def _plugin(name: str) -> str:
    found = importlib.util.find_spec("PySide6")
    folder = Path(found.origin).parent if found is not None and found.origin else Path()
    return str(folder / "Qt" / "plugins" / "platforms" / f"lib{name}.so")


def _missing(wanted: tuple[tuple[str, str], ...], can_load: Loads) -> list[str]:
    return [package for library, package in wanted if not can_load(library)]


def _libraries_problem(wanted: tuple[tuple[str, str], ...], can_load: Loads) -> ArenaError | None:
    packages = _missing(wanted, can_load)
    if not packages:
        return None
    return ArenaError(
        f"System libraries that the window needs are missing: {', '.join(packages)}.",
        f"Install them: sudo apt-get install {' '.join(packages)}",
    )


def _wayland_socket(environ: Mapping[str, str]) -> str | None:
    name = environ.get("WAYLAND_DISPLAY", "")
    if not name:
        return None
    folder = environ.get("XDG_RUNTIME_DIR", "")
    return name if name.startswith("/") else os.path.join(folder, name)  # noqa: PTH118 (a socket's name, may be absolute)


def display_problem(
    environ: Mapping[str, str],
    platform: str = sys.platform,
    *,
    can_load: Loads = loads,
    x_connects: Connects = xcb_connects,
    w_connects: Connects = wayland_connects,
) -> ArenaError | None:
    """Why no window can be opened here, and what to do about it; None when one can.

    Only Linux (and its like) is looked at: elsewhere a session always has a screen.
    """
    if platform in ("win32", "darwin"):
        return None
    asked = environ.get("QT_QPA_PLATFORM", "").split(";")[0].split(":")[0]
    if asked in _NO_SCREEN_NEEDED:
        return _libraries_problem(_SHARED, can_load)
    wayland = _wayland_socket(environ)
    if asked in ("", "wayland") and wayland is not None and w_connects(wayland) and can_load(_plugin("qwayland")):
        return None
    if asked == "wayland":
        return ArenaError(
            "No Wayland compositor answers, and QT_QPA_PLATFORM=wayland asks for one.",
            "Unset QT_QPA_PLATFORM, or start it from a Wayland session.",
        )
    display = environ.get("DISPLAY", "")
    if not display:
        return ArenaError("There is no display to open a window on (DISPLAY is not set).", _WHERE)
    if not can_load("libxcb.so.1"):
        return _libraries_problem(_SHARED + _XCB, can_load)
    if not x_connects(display):
        return ArenaError(f"The display {display} (from DISPLAY) can't be reached.", _WHERE)
    if can_load(_plugin("qxcb")):
        return None
    return _libraries_problem(_SHARED + _XCB, can_load) or ArenaError(
        "Qt's plug-in for X11 can't be loaded.",
        f"See what it lacks: ldd {_plugin('qxcb')} | grep 'not found'",
    )
