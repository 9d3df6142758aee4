"""A model hub on 127.0.0.1 that can be told to misbehave: what it does wrong, request by request, is fixed
beforehand.
"""

import contextlib
import hashlib
import http.server
import json
import socket
import ssl
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

COMMIT = "c0ffee" + "0" * 34
_PIECE = 64 * 1024


class Made:
    """``size`` bytes that are the same each time and take no memory; no two blocks of 64 KiB are alike."""

    def __init__(self, size: int, seed: int = 0) -> None:
        self.size = size
        self._noise = hashlib.shake_256(b"%d" % seed).digest(_PIECE)
        self._hashes: tuple[str, str] | None = None

    def __len__(self) -> int:
        return self.size

    def pieces(self, start: int = 0) -> Iterator[bytes]:
        """What stands from ``start`` on."""
        while start < self.size:
            number, inside = divmod(start, _PIECE)
            block = number.to_bytes(8, "big") + self._noise[8:]
            piece = block[inside : inside + self.size - start]
            yield piece
            start += len(piece)

    def hashes(self) -> tuple[str, str]:
        """SHA-256, and git's id."""
        if self._hashes is None:
            sha256, blob = hashlib.sha256(), hashlib.sha1(b"blob %d\0" % self.size, usedforsecurity=False)
            for piece in self.pieces():
                sha256.update(piece)
                blob.update(piece)
            self._hashes = sha256.hexdigest(), blob.hexdigest()
        return self._hashes

    def whole(self) -> bytes:
        """All of it."""
        return b"".join(self.pieces())


class Held(Made):
    """Bytes that are given."""

    def __init__(self, data: bytes) -> None:
        super().__init__(len(data))
        self._data = data

    def pieces(self, start: int = 0) -> Iterator[bytes]:
        for place in range(start, self.size, _PIECE):
            yield self._data[place : place + _PIECE]


@dataclass(frozen=True)
class Fault:
    """What goes wrong with one request for a file.

    ``after`` bytes of the body have been sent the connection is dropped, or with ``stall`` falls silent, or sends one
    byte every ``crawl`` seconds, or never ends. ``status`` and ``headers`` answer instead; ``redirect`` sends on.
    ``whole``: the Range is ignored. ``flip`` spoils the byte at that place of the file. ``length`` is a false length.
    ``shift`` starts a part so many bytes off. ``content`` is sent instead of the file. ``then`` is called before the
    connection is dropped.
    """

    after: int | None = None
    stall: bool = False
    crawl: float = 0.0
    endless: bool = False
    status: int = 0
    headers: Mapping[str, str] = field(default_factory=dict)
    redirect: str = ""
    whole: bool = False
    flip: int | None = None
    length: int | None = None
    shift: int = 0
    content: Made | None = None
    packed: bool = False
    silent: bool = False
    then: Callable[[], object] | None = None


@dataclass
class Asked:
    """One request as it came in."""

    path: str
    range: str
    if_range: str
    authorization: str
    agent: str


class LocalHub:
    """Serves ``files`` of the model ``repo``. ``faults``: by path of a file, what goes wrong with the requests for it,
    in their order; when they are used up all goes well. ``answers`` replaces the answers of the interface by path.
    Files of at least ``large`` bytes are told with their SHA-256. With ``token`` it must be shown, with ``certificate``
    (a file with key and certificate) the connection is encrypted.
    """

    def __init__(
        self,
        files: Mapping[str, bytes | Made],
        *,
        repo: str = "acme/voice",
        card: Mapping[str, Any] | None = None,
        large: int = 4096,
        token: str = "",
        certificate: Path | None = None,
    ) -> None:
        self.repo, self.large, self.token = repo, large, token
        self.files = {path: Held(data) if isinstance(data, bytes) else data for path, data in files.items()}
        self.card: dict[str, Any] = dict(card if card is not None else {"cardData": {"license": "apache-2.0"}})
        self.faults: dict[str, deque[Fault]] = {}
        self.answers: dict[str, tuple[int, Mapping[str, str], bytes]] = {}
        self.tree: list[Any] | None = None
        self.page = 0
        self.asked: list[Asked] = []
        self.sent = 0
        self.closing = threading.Event()
        self.before_piece: Callable[[str, int], None] = lambda path, at: None
        hub = self

        class Handler(_Handler):
            pass

        Handler.hub = hub
        self._server = _Server(("127.0.0.1", 0), Handler)
        self._scheme = "http" if certificate is None else "https"
        if certificate is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self._server.encrypt(context)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), name="local-hub")
        self._thread.start()

    @property
    def url(self) -> str:
        """Its address."""
        return f"{self._scheme}://127.0.0.1:{self._server.server_address[1]}"

    def fault(self, path: str, *faults: Fault) -> None:
        """From now on these go wrong with the file at ``path``, one a request."""
        self.faults.setdefault(path, deque()).extend(faults)

    def requests(self, path: str) -> list[Asked]:
        """The requests for the file at ``path`` so far."""
        return [one for one in self.asked if one.path.endswith(f"/{path}")]

    def close(self) -> None:
        """End, whatever is being sent."""
        self.closing.set()
        self._server.shutdown()
        self._server.cut()
        self._server.server_close()
        self._thread.join()

    def __enter__(self) -> "LocalHub":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Server(http.server.ThreadingHTTPServer):
    daemon_threads = False
    block_on_close = True
    request_queue_size = 64

    def __init__(self, *arguments: Any) -> None:
        self._context: ssl.SSLContext | None = None
        self._open: set[socket.socket] = set()
        super().__init__(*arguments)

    def encrypt(self, context: ssl.SSLContext) -> None:
        """From now on, by this certificate. The handshake is made by the thread that answers."""
        self._context = context

    def finish_request(self, request: Any, client_address: Any) -> None:
        if self._context is not None:
            with contextlib.suppress(OSError):  # a client that doesn't trust it, or asks without encryption
                request = self._context.wrap_socket(request, server_side=True)
                self._open.add(request)
                super().finish_request(request, client_address)
                request.close()
            return
        super().finish_request(request, client_address)

    def process_request(self, request: Any, client_address: Any) -> None:
        self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        self._open.discard(request)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that has gone is no news."""

    def cut(self) -> None:
        for one in list(self._open):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    hub: LocalHub

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Say nothing."""

    def do_GET(self) -> None:
        hub, path = self.hub, unquote(urlsplit(self.path).path)
        head = self.headers
        hub.asked.append(
            Asked(
                path,
                head.get("Range", ""),
                head.get("If-Range", ""),
                head.get("Authorization", ""),
                head.get("User-Agent", ""),
            )
        )
        self.close_connection = True
        if path in hub.answers:
            self._answer(*hub.answers[path])
        elif hub.token and head.get("Authorization") != f"Bearer {hub.token}" and not path.startswith("/elsewhere/"):
            self._answer(401, {"X-Error-Code": "GatedRepo"}, b"")
        elif path.startswith(f"/api/models/{hub.repo}/revision/"):
            self._json({"id": hub.repo, "sha": COMMIT, "tags": [], **hub.card})
        elif path == f"/api/models/{hub.repo}/tree/{COMMIT}":
            self._tree()
        else:
            self._file(path.removeprefix("/elsewhere"))

    def _tree(self) -> None:
        hub = self.hub
        tree = hub.tree if hub.tree is not None else [self._entry(path, made) for path, made in hub.files.items()]
        if not hub.page:
            self._json(tree)
            return
        query = urlsplit(self.path).query
        at = int(query.rpartition("cursor=")[2]) if "cursor=" in query else 0
        more = at + hub.page
        link = f'<{hub.url}{urlsplit(self.path).path}?recursive=true&cursor={more}>; rel="next"'
        self._json(tree[at:more], {"Link": link} if more < len(tree) else {})

    def _entry(self, path: str, made: Made) -> dict[str, Any]:
        sha256, blob = made.hashes()
        entry: dict[str, Any] = {"type": "file", "path": path, "size": len(made), "oid": blob}
        if len(made) >= self.hub.large:
            entry["lfs"] = {"oid": sha256, "size": len(made), "pointerSize": 134}
        return entry

    def _file(self, path: str) -> None:
        hub = self.hub
        prefix = f"/{hub.repo}/resolve/{COMMIT}/"
        name = path.removeprefix(prefix)
        if not path.startswith(prefix) or name not in hub.files:
            code = "EntryNotFound" if path.startswith(prefix) else "RepoNotFound"
            self._answer(404, {"X-Error-Code": code}, b"not here")
            return
        waiting = hub.faults.get(name)
        fault = waiting.popleft() if waiting else Fault()
        if fault.silent:
            hub.closing.wait(60)
        elif fault.redirect:
            self._answer(302, {"Location": fault.redirect + self.path}, b"")
        elif fault.status:
            self._answer(fault.status, fault.headers, b"")
        else:
            self._send_file(name, fault.content or hub.files[name], fault)

    def _send_file(self, name: str, made: Made, fault: Fault) -> None:
        start = 0 if fault.whole else self._start()
        tag = f'"{made.hashes()[0]}"'
        if start and self.headers.get("If-Range", tag) != tag:
            start = 0
        if start >= len(made) > 0:
            self._answer(416, {"Content-Range": f"bytes */{len(made)}"}, b"")
            return
        first = start + fault.shift
        self.send_response(206 if start else 200)
        if start:
            self.send_header("Content-Range", f"bytes {first}-{len(made) - 1}/{len(made)}")
        if fault.packed:
            self.send_header("Content-Encoding", "gzip")
        if not fault.endless:
            self.send_header("Content-Length", str(len(made) - first if fault.length is None else fault.length))
        self.send_header("ETag", tag)
        self.end_headers()
        self._send_body(name, made, fault, first)

    def _send_body(self, name: str, made: Made, fault: Fault, at: int) -> None:
        hub, sent = self.hub, 0
        for piece in made.pieces(at):
            if fault.after is not None and sent + len(piece) > fault.after:
                piece = piece[: fault.after - sent]
            if fault.flip is not None and at <= fault.flip < at + len(piece):
                place = fault.flip - at
                piece = piece[:place] + bytes([piece[place] ^ 1]) + piece[place + 1 :]
            hub.before_piece(name, at)
            self.wfile.write(piece)
            sent, at = sent + len(piece), at + len(piece)
            hub.sent += len(piece)
            if fault.after is not None and sent >= fault.after:
                break
        if fault.then is not None:
            fault.then()
        if fault.stall:
            self.wfile.flush()
            hub.closing.wait(60)
        while fault.crawl and not hub.closing.wait(fault.crawl):
            self.wfile.write(b"x")
        while fault.endless and not hub.closing.is_set():
            self.wfile.write(bytes(_PIECE))

    def _start(self) -> int:
        wanted = self.headers.get("Range", "")
        return int(wanted.removeprefix("bytes=").partition("-")[0]) if wanted.startswith("bytes=") else 0

    def _json(self, value: Any, headers: Mapping[str, str] | None = None) -> None:
        self._answer(200, {"Content-Type": "application/json", **(headers or {})}, json.dumps(value).encode())

    def _answer(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
