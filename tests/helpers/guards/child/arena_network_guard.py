"""Refuses sockets beyond this machine, by Python's audit events. Standard library only: it runs in children too.

Unix sockets and loopback addresses pass. A refusal raises and is written down, so that a test fails even where
the refusal itself is caught.
"""

from __future__ import annotations

import os
import sys
from types import FrameType
from typing import Any

_LOCAL_NAMES = ("localhost", "ip6-localhost", "", None)


class NetworkRefused(AssertionError):
    """A test, or a child of it, went for the network."""


def watch(log: str | None, refused: list[tuple[str, str]] | None = None) -> None:
    """From now on in this process: refuse, and write every refusal to the file ``log`` and the list ``refused``."""

    def hook(event: str, arguments: Any) -> None:
        if not event.startswith("socket."):
            return
        wanted = _beyond(event, arguments)
        if wanted is None:
            return
        text = f"{event} {wanted} in process {os.getpid()} ({' '.join(sys.argv)[:200]})"
        if refused is not None:
            refused.append((text, _where()))
        elif log:
            with open(log, "a", encoding="utf-8") as out:  # noqa: PTH123 - loads nothing into a child
                out.write(text + "\n")
        raise NetworkRefused(f"no test may use the network: {text}")

    sys.addaudithook(hook)


def _beyond(event: str, arguments: Any) -> str | None:
    """What is wanted beyond this machine, or None."""
    if event in ("socket.connect", "socket.bind", "socket.sendto", "socket.sendmsg"):
        address = arguments[1]
        if isinstance(address, tuple) and address and not _is_local(address[0]):
            return repr(address)
    elif event in ("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"):
        host = arguments[0]
        if isinstance(host, bytes):
            host = host.decode("ascii", "replace")
        if host not in _LOCAL_NAMES and not _is_local(host):
            return repr(host)
    return None


def _is_local(host: object) -> bool:
    if isinstance(host, (bytes, bytearray)):
        host = host.decode("ascii", "replace")
    return str(host) in ("localhost", "::1") or str(host).startswith("127.")


def _where() -> str:
    """The last few calls outside the standard library."""
    frame: FrameType | None = sys._getframe(2)
    lines: list[str] = []
    while frame is not None and len(lines) < 6:
        name = frame.f_code.co_filename
        if "/lib/python3" not in name and name not in (__file__, "<frozen runpy>"):
            lines.append(f"{name}:{frame.f_lineno} {frame.f_code.co_name}")
        frame = frame.f_back
    return "\n  ".join(lines)
