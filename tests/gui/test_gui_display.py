"""Whether a window can be opened here is told in one sentence, before Qt would end the program."""

import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from arena_desktop.ui.display import display_problem, wayland_connects


def problem(
    environ: dict[str, str],
    platform: str = "linux",
    *,
    missing: tuple[str, ...] = (),
    x: bool = True,
    wayland: bool = True,
) -> str:
    def can_load(library: str) -> bool:
        if library.endswith(("libqxcb.so", "libqwayland.so")):
            return not missing
        return library not in missing

    found = display_problem(environ, platform, can_load=can_load, x_connects=lambda _: x, w_connects=lambda _: wayland)
    return "" if found is None else str(found)


X = {"DISPLAY": ":0"}
WAYLAND = {"WAYLAND_DISPLAY": "wayland-0", "XDG_RUNTIME_DIR": "/run/user/1"}


@pytest.mark.parametrize(
    ("found", "says"),
    [
        (lambda: problem({}, "win32"), ""),
        (lambda: problem({}, "darwin"), ""),
        (lambda: problem({"QT_QPA_PLATFORM": "offscreen"}), ""),
        (lambda: problem({"QT_QPA_PLATFORM": "minimal:enable_fonts"}), ""),
        (lambda: problem(X), ""),
        (lambda: problem(WAYLAND), ""),
        (lambda: problem({**X, **WAYLAND}, wayland=False), ""),
        (lambda: problem({**X, **WAYLAND}, x=False), ""),
        (lambda: problem({}), "DISPLAY is not set"),
        (lambda: problem({"DISPLAY": ""}), "DISPLAY is not set"),
        (lambda: problem(X, x=False), "The display :0 (from DISPLAY) can't be reached."),
        (lambda: problem(WAYLAND, wayland=False), "DISPLAY is not set"),
        (lambda: problem({**WAYLAND, "QT_QPA_PLATFORM": "wayland"}, wayland=False), "Unset QT_QPA_PLATFORM"),
        (lambda: problem({**WAYLAND, "QT_QPA_PLATFORM": "xcb"}), "DISPLAY is not set"),
        (lambda: problem(X, missing=("libxcb-icccm.so.4",)), "sudo apt-get install libxcb-icccm4"),
        (
            lambda: problem(X, missing=("libEGL.so.1", "libxcb-cursor.so.0")),
            "sudo apt-get install libegl1 libxcb-cursor0",
        ),
        (lambda: problem(X, missing=("libxcb.so.1",)), "sudo apt-get install libxcb1"),
        (lambda: problem({"QT_QPA_PLATFORM": "offscreen"}, missing=("libEGL.so.1",)), "install libegl1"),
        (lambda: problem(X, missing=("libunheard-of.so.9",)), "ldd"),
    ],
)
def test_what_is_said(found: Callable[[], str], says: str) -> None:
    words = found()
    assert (says in words) if says else words == ""
    assert "\n" not in words


def test_a_wayland_socket_is_tried_for_real(tmp_path: Path) -> None:
    path = str(tmp_path / "wayland-0")
    assert not wayland_connects(path)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(path)
        server.listen(1)
        assert wayland_connects(path)
