"""Requests to a hub. The only module of the program that opens a connection beyond this machine.

Nothing that comes back is trusted: bodies are bounded, redirects are counted, and every wait has an end.
"""

import contextlib
import ipaddress
import re
import socket
import ssl
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from arena_desktop.harmless import shortened
from arena_desktop.store.hub.faults import OFFLINE, Hiccup, HubError, Stopped, refused
from arena_desktop.store.hub.headers import content_range, number, retry_after, whole_length
from arena_desktop.store.hub.stopper import Stopper

if TYPE_CHECKING:
    import httpx2

MOST_REDIRECTS = 6
_ADDRESS = re.compile(r"https?://(\[[0-9A-Fa-f:.]+\]|[\w.-]+)(:[0-9]{1,5})?(/[\w.~/-]*)?")
_PASSING = (408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529)
_MOVED = (301, 302, 303, 307, 308)


@dataclass(frozen=True)
class Patience:
    """How long to wait, in seconds, and how often to try. ``silence``: without a byte of a body. ``tries`` in a row
    that bring nothing are allowed; the wait between them grows from ``first_wait`` to ``longest_wait``.
    A body must bring ``least`` bytes in every ``least_in`` seconds.
    """

    connect: float = 15.0
    headers: float = 40.0
    silence: float = 20.0
    tries: int = 6
    first_wait: float = 1.0
    longest_wait: float = 30.0
    least: int = 4096
    least_in: float = 60.0

    def pause(self, failed: int) -> float:
        """How long to wait after so many tries in a row that brought nothing."""
        return float(min(self.longest_wait, self.first_wait * 2 ** max(0, failed - 1)))


@dataclass(frozen=True)
class Head:
    """What an answer says of itself. ``start`` and ``whole`` are from its Content-Range (``whole`` None: not told);
    without one ``start`` is 0 and ``whole`` its length. ``tag`` is a strong ETag, else "".
    """

    status: int
    start: int
    whole: int | None
    tag: str
    headers: Mapping[str, str]


class Answer:
    """An answer whose body can be read once."""

    def __init__(self, head: Head, response: "httpx2.Response", patience: Patience, stopper: Stopper) -> None:
        self.head = head
        self._response = response
        self._patience = patience
        self._stopper = stopper

    def body(self) -> Iterator[bytes]:
        """The body piece by piece, as it arrives. Raises :class:`Hiccup` when it stalls, crawls or breaks off."""
        host = self._response.url.host
        began, got = time.monotonic(), 0
        with _worded(host, self._stopper):
            for piece in self._response.iter_raw():
                self._stopper.check()
                yield piece
                got += len(piece)
                now = time.monotonic()
                if now - began >= self._patience.least_in:
                    if got < self._patience.least:
                        raise Hiccup(f"{shortened(host)} sends next to nothing.")
                    began, got = now, 0


class _Connection:
    """The connection of one request, so that another thread can end it. ``trace`` is told how far it is."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self._cut = False
        self.late = False

    def trace(self, event: str, info: Mapping[str, Any]) -> None:
        if event.endswith(("connect_tcp.complete", "start_tls.complete")):
            found = info["return_value"].get_extra_info("socket")
            with self._lock:
                self._socket = found
                if self._cut:
                    _shut(found)

    def cut(self) -> None:
        with self._lock:
            self._cut = True
            if self._socket is not None:
                _shut(self._socket)

    def cut_late(self) -> None:
        """The time for its headers is over."""
        self.late = True
        self.cut()


class Wire:
    """Requests to the hub at ``endpoint`` (``https://HOST[/PATH]``). ``token`` goes to that very origin alone, and
    never without encryption, but to this machine itself.

    May be used by several threads at a time.
    """

    def __init__(self, endpoint: str, token: str = "", patience: Patience | None = None) -> None:
        import httpx2  # a quarter of a second, for somebody who downloads

        if _ADDRESS.fullmatch(endpoint) is None:
            raise HubError(f"{shortened(endpoint)} is no address of a hub.", "Write https://HOST.")
        self.endpoint = endpoint.rstrip("/")
        self.patience = patience or Patience()
        self._token = token
        with _worded(self.endpoint, Stopper()):
            self._origin = _origin(httpx2.URL(self.endpoint))
            self._client = httpx2.Client(
                follow_redirects=False,
                limits=httpx2.Limits(max_keepalive_connections=0, max_connections=8),
                timeout=httpx2.Timeout(self.patience.silence, connect=self.patience.connect),
                headers={"User-Agent": "arena-desktop", "Accept-Encoding": "identity"},
            )

    def close(self) -> None:
        """Let go of the connections."""
        self._client.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def read(self, url: str, most: int, what: str, stopper: Stopper) -> tuple[bytes, Mapping[str, str]]:
        """A whole small answer of at most ``most`` bytes, and its headers. Raises :class:`HubError`, :class:`Hiccup`,
        :class:`Stopped`.
        """
        with self.get(url, what, stopper) as answer:
            if answer.head.status != 200:
                raise Hiccup(f"{shortened(self._origin[1])} answered with a part of {shortened(what, 200)}.")
            found = bytearray()
            for piece in answer.body():
                found += piece
                if len(found) > most:
                    raise HubError(
                        f"{shortened(self._origin[1])} sends more than {most:,} bytes to tell about {shortened(what)}.",
                        "Check that the address is one of a model hub.",
                    )
            whole = answer.head.whole
            if whole is not None and len(found) < whole:
                raise Hiccup("The answer broke off.")
            return bytes(found), answer.head.headers

    @contextlib.contextmanager
    def get(self, url: str, what: str, stopper: Stopper, *, start: int = 0, tag: str = "") -> Iterator[Answer]:
        """An answer to GET: 200 or 206, or 416 when bytes from ``start`` on were asked for. ``tag``: only if the
        content is still that one.
        """
        import httpx2

        target = httpx2.URL(url)
        for _ in range(MOST_REDIRECTS + 1):
            with self._one(target, what, stopper, start, tag) as response:
                if response.status_code in _MOVED:
                    target = self._next(response, what)
                    continue
                yield Answer(self._head(response, what, start), response, self.patience, stopper)
                return
        raise HubError(
            f"{shortened(self._origin[1])} sends the request for {shortened(what, 200)} around in circles.",
            "Check the address of the hub, or try another.",
        )

    @contextlib.contextmanager
    def _one(self, url: "httpx2.URL", what: str, stopper: Stopper, start: int, tag: str) -> Iterator["httpx2.Response"]:
        connection = _Connection()
        headers = {}
        if self._token and _origin(url) == self._origin and _private(self._origin):
            headers["Authorization"] = f"Bearer {self._token}"
        if start:
            headers["Range"] = f"bytes={start}-"
            if tag:
                headers["If-Range"] = tag
        with stopper.cutting(connection):
            with _worded(url.host, stopper):
                response = self._send(url, headers, connection, stopper)
            try:
                yield response
            finally:
                with contextlib.suppress(Exception):  # it may have been cut
                    response.close()

    def _send(
        self, url: "httpx2.URL", headers: dict[str, str], connection: _Connection, stopper: Stopper
    ) -> "httpx2.Response":
        """The answer as far as its headers, within the time for them."""
        limit = threading.Timer(self.patience.headers, connection.cut_late)
        limit.daemon = True
        limit.start()
        try:
            request = self._client.build_request("GET", url, headers=headers)
            request.extensions = {**request.extensions, "trace": connection.trace}
            return self._client.send(request, stream=True)
        except Exception:
            stopper.check()
            if connection.late:
                raise Hiccup(f"{shortened(url.host)} doesn't answer.", OFFLINE) from None
            raise
        finally:
            limit.cancel()
            limit.join()

    def _next(self, response: "httpx2.Response", what: str) -> "httpx2.URL":
        """Where a redirect leads."""
        try:
            target = response.url.join(response.headers.get("Location", ""))
        except Exception as error:
            raise HubError(f"{shortened(response.url.host)} redirects {shortened(what)} to nowhere.") from error
        weaker = response.url.scheme == "https" and target.scheme != "https"
        if weaker or target.scheme not in ("http", "https") or not target.host:
            raise HubError(
                f"{shortened(response.url.host)} redirects {shortened(what, 200)} to a place without encryption.",
                "Check the address of the hub, or try another.",
            )
        return target

    def _head(self, response: "httpx2.Response", what: str, start: int) -> Head:
        status, headers, host = response.status_code, response.headers, response.url.host
        if status in _PASSING:
            words = "is asked too much at the moment" if status == 429 else f"can't answer at the moment ({status})"
            wait = retry_after(headers.get("Retry-After", ""))
            raise Hiccup(f"{shortened(host)} {words}.", "Try again later.", wait=wait)
        if status == 416 and start:
            return Head(416, 0, whole_length(headers.get("Content-Range", "")), "", headers)
        if status not in (200, 206):
            code = shortened(headers.get("X-Error-Code", ""))
            raise refused(status, code, what, host, with_token=bool(self._token))
        if headers.get("Content-Encoding", "identity").lower() not in ("", "identity"):
            raise HubError(
                f"{shortened(host)} packs what it sends, though it was asked not to.", "Try another hub or no proxy."
            )
        tag = headers.get("ETag", "")
        tag = "" if tag.startswith("W/") or len(tag) > 300 else tag
        if status == 206:
            first, whole = content_range(headers.get("Content-Range", ""))
            if first != start:
                raise Hiccup(f"{shortened(host)} sent another part of {shortened(what, 200)} than was asked for.")
            return Head(206, first, whole, tag, headers)
        return Head(200, 0, number(headers.get("Content-Length", "")), tag, headers)


def _origin(url: "httpx2.URL") -> tuple[str, str, int]:
    return url.scheme, url.host, url.port or {"https": 443, "http": 80}.get(url.scheme, 0)


def _private(origin: tuple[str, str, int]) -> bool:
    """Whether nobody on the way can read what is sent."""
    if origin[0] == "https" or origin[1] == "localhost":
        return True
    with contextlib.suppress(ValueError):
        return ipaddress.ip_address(origin[1]).is_loopback
    return False


def _shut(found: socket.socket) -> None:
    # The base class's: that of an encrypted socket would drop the encryption under the reader's hands.
    with contextlib.suppress(OSError):
        socket.socket.shutdown(found, socket.SHUT_RDWR)


@contextlib.contextmanager
def _worded(host: str, stopper: Stopper) -> Iterator[None]:
    """Say what the library complains of in this program's words."""
    import httpx2

    host = shortened(host)
    try:
        yield
    except (HubError, Hiccup, Stopped):
        raise
    except httpx2.HTTPError as error:
        stopper.check()
        raise _sorted(error, host) from error
    except (httpx2.InvalidURL, httpx2.CookieConflict, httpx2.StreamError, ImportError, ValueError) as error:
        stopper.check()
        raise HubError(
            f"{host} can't be asked: {shortened(str(error), 200)}.",
            "Check the address of the hub and the proxy settings (HTTPS_PROXY, NO_PROXY).",
        ) from error
    except OSError as error:
        stopper.check()
        raise Hiccup(f"The connection to {host} failed ({shortened(str(error.strerror or error), 200)}).") from error


def _sorted(error: "httpx2.HTTPError", host: str) -> Exception:
    import httpx2

    causes = list(_chain(error))
    if any(isinstance(one, ssl.SSLCertVerificationError) for one in causes):
        why = next(one for one in causes if isinstance(one, ssl.SSLCertVerificationError))
        return HubError(
            f"The certificate of {host} can't be trusted: {shortened(why.verify_message or str(why), 200)}.",
            "Somebody may be listening in. If your network has a certificate of its own, install it in the system, or"
            " name its file in SSL_CERT_FILE.",
        )
    if any(isinstance(one, ssl.SSLError) for one in causes):
        return Hiccup(
            f"No encrypted connection to {host} came about.", "Check the address of the hub (https or http?)."
        )
    if any(isinstance(one, socket.gaierror) for one in causes):
        return Hiccup(f"{host} can't be found: this machine seems to be offline, or the name is wrong.", OFFLINE)
    if isinstance(error, httpx2.ProxyError):
        return Hiccup(f"The proxy on the way to {host} refuses.", "Check HTTPS_PROXY and NO_PROXY.")
    if isinstance(error, httpx2.ConnectTimeout | httpx2.ConnectError):
        return Hiccup(f"{host} can't be reached.", OFFLINE)
    if isinstance(error, httpx2.TimeoutException):
        return Hiccup(f"{host} has fallen silent.", OFFLINE)
    if isinstance(error, httpx2.UnsupportedProtocol | httpx2.LocalProtocolError):
        return HubError(f"{host} can't be asked: {shortened(str(error), 200)}.", "Check the address of the hub.")
    return Hiccup(f"The connection to {host} broke off.", OFFLINE)


def _chain(error: BaseException) -> Iterator[BaseException]:
    seen: BaseException | None = error
    while seen is not None:
        yield seen
        seen = seen.__cause__ or seen.__context__
