"""The clip cache: what was spoken once need not be spoken again. Bounded; never the only copy of anything."""

import contextlib
import hashlib
import json
import logging
import os
import secrets
import threading
import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena_desktop.store.seal import Seal
from arena_desktop.store.small_files import write_new, write_whole

log = logging.getLogger(__name__)

IN_HAND = 16
"""The clips used last are never evicted: somebody may be about to read them."""
INCOMING = "incoming"
ENDING = ".sealed"
KEY = "key"
_KEY_BYTES = 32
_BLOCK = 1024
"""What lies beside a clip is filled up to this, so that its length tells nothing."""
HALF_DONE_S = 3600.0


@dataclass(frozen=True)
class CachedClip:
    """A clip in the cache: the WAV file at ``path`` and what was stored with it (plain JSON)."""

    key: str
    path: Path
    meta: Mapping[str, Any]


@dataclass
class _Entry:
    size: int
    used: int  # a clock of our own that goes on from the newest file time, so that no two uses are alike
    voted: bool
    pinned: bool
    waiting: bool  # a battle that was prepared and not played yet needs it
    sound: str  # SHA-256 of the clip's file

    @property
    def stays(self) -> bool:
        """Whether it is kept whatever happens."""
        return self.pinned or self.waiting


class ClipCache:
    """Clips by key (64 hex digits) below ``root``, at most ``limit`` bytes of them. Thread-safe.

    ``<root>/<2 hex>/<key>.wav`` with ``<key>.sealed`` beside it, written last: a clip without it doesn't exist.
    That is JSON, sealed: device, number format and speed would tell an honest listener who speaks in the next battle.
    Its key lies in ``<root>/key``; without it the cache is as good as empty.
    When room is needed clips that were never voted on go first, then the others, each the least recently used first;
    pinned ones, and those that a prepared battle waits for, stay, even over the limit. A file that was damaged or cut
    is found out when it is asked for and counts as absent. Several programs may share one cache.
    """

    def __init__(self, root: Path, limit: int = 5 * 10**9) -> None:
        self._root = root
        self._limit = limit
        self._lock = threading.RLock()
        self._entries: dict[str, _Entry] | None = None
        self._clock = 0
        self._seal = Seal(lambda: _key_in(root), b"arena-desktop clips")

    def get(self, key: str) -> CachedClip | None:
        """The clip, None if it isn't there or not whole."""
        meta_path, path = self._paths(key)
        try:
            stored = self._read(meta_path)
            whole = hashlib.sha256(path.read_bytes()).hexdigest() == stored["sha256"]
            meta = dict(stored["meta"])
        except OSError:
            with self._lock:
                self._index().pop(key, None)  # another program may have evicted it
            return None
        except (ValueError, KeyError, TypeError):
            whole = False
        if not whole:
            log.warning("a damaged clip was taken out of the cache")
            self.remove(key)
            return None
        with self._lock:
            entry = self._index().get(key)
            if entry is None:  # another program stored it
                entry = self._index()[key] = self._read_entry(meta_path, path)
            entry.used = self._tick()
        with contextlib.suppress(OSError):  # read-only or just evicted by another program: the order suffers, no more
            os.utime(meta_path)
        return CachedClip(key, path, meta)

    def sounds(self) -> dict[str, str]:
        """The key of a clip by the SHA-256 of its file, for every clip."""
        with self._lock:
            return {entry.sound: key for key, entry in self._index().items() if entry.sound}

    def place_for(self, key: str) -> Path:
        """A new file name in the cache's file system for a clip that is going to be :meth:`put`; tells nothing of the
        key.
        """
        del key
        folder = self._root / INCOMING
        folder.mkdir(parents=True, exist_ok=True)
        return folder / f"{secrets.token_hex(8)}.wav"

    def put(self, key: str, path: Path, meta: Mapping[str, Any], sha256: str) -> CachedClip:
        """Move the file at ``path`` into the cache. ``sha256`` is the hash of its bytes, ``meta`` plain JSON. OSError
        if it can't be done.
        """
        meta_path, target = self._paths(key)
        target.parent.mkdir(parents=True, exist_ok=True)
        with self._lock:
            before = self._index().get(key)
            voted, pinned, waiting = (before.voted, before.pinned, before.waiting) if before else (False,) * 3
            size = path.stat().st_size
            meta_path.unlink(missing_ok=True)
            path.replace(target)
            flags = {"voted": voted, "pinned": pinned, "waiting": waiting}
            stored = {"sha256": sha256, **flags, "meta": dict(meta)}
            size += self._write(meta_path, stored)
            self._index()[key] = _Entry(size, self._tick(), voted, pinned, waiting, sha256)
            self._make_room()
        return CachedClip(key, target, dict(meta))

    def mark_voted(self, key: str) -> None:
        """Keep this clip longer than those nobody voted on. A clip that is gone is left gone."""
        self._mark(key, voted=True)

    def pin(self, key: str, pinned: bool = True) -> None:
        """Keep this clip whatever happens (a study's), or no longer."""
        self._mark(key, pinned=pinned)

    def wait_for(self, key: str) -> None:
        """A prepared battle needs this clip: keep it whatever happens, until it is played."""
        self._mark(key, waiting=True)

    def wait_for_only(self, keys: Collection[str]) -> None:
        """Prepared battles need these clips and no others."""
        with self._lock:
            now = {key for key, entry in self._index().items() if entry.waiting}
            there = {key for key in keys if key in self._index()}
        for key in now - there:
            self._mark(key, waiting=False)
        for key in there - now:
            self._mark(key, waiting=True)

    def has(self, key: str) -> bool:
        """Whether the clip seems to be there; only :meth:`get` finds out whether it is whole."""
        with self._lock:
            return key in self._index()

    def room(self) -> int:
        """Bytes within the limit that no clip holds for good: what more may be prepared."""
        with self._lock:
            return self._limit - sum(entry.size for entry in self._index().values() if entry.stays)

    def remove(self, key: str) -> None:
        """Delete one clip; nothing if it isn't there."""
        with self._lock:
            self._index().pop(key, None)
            for path in self._paths(key):  # the metadata first
                try:
                    path.unlink(missing_ok=True)
                except OSError as error:  # open on Windows: it is found again at the next start
                    log.warning("a clip could not be deleted from the cache: %s", error.strerror)

    def set_limit(self, limit: int) -> None:
        """Another bound, in bytes; holds at once."""
        with self._lock:
            self._limit = limit
            self._make_room()

    def total_bytes(self) -> int:
        """What the clips take on disk."""
        with self._lock:
            return sum(entry.size for entry in self._index().values())

    def __len__(self) -> int:
        with self._lock:
            return len(self._index())

    def _paths(self, key: str) -> tuple[Path, Path]:
        folder = self._root / key[:2]
        return folder / f"{key}{ENDING}", folder / f"{key}.wav"

    def _tick(self) -> int:
        self._clock += 1
        return self._clock

    def _mark(self, key: str, **flags: bool) -> None:
        meta_path, path = self._paths(key)
        with self._lock:
            try:
                stored = self._read(meta_path)
                size = self._write(meta_path, {**stored, **flags}) + path.stat().st_size
            except (OSError, ValueError, TypeError):
                return  # gone or damaged: the next get sees to it
            entry = self._index().get(key)
            if entry is not None:
                entry.size = size
                for name, value in flags.items():
                    setattr(entry, name, value)

    def _make_room(self) -> None:
        entries = self._index()
        excess = sum(entry.size for entry in entries.values()) - self._limit
        if excess <= 0:
            return
        in_hand = set(sorted(entries, key=lambda key: entries[key].used)[-IN_HAND:])
        free = [key for key, entry in entries.items() if not entry.stays and key not in in_hand]
        for key in sorted(free, key=lambda key: (entries[key].voted, entries[key].used)):
            if excess <= 0:
                return
            excess -= entries[key].size
            self.remove(key)

    def _index(self) -> dict[str, _Entry]:
        """Every clip on disk, found at the first need."""
        if self._entries is None:
            self._entries = {}
            self._sweep()
            found: list[tuple[int, str, _Entry]] = []
            for folder in self._root.glob("[0-9a-f][0-9a-f]"):
                for path in folder.iterdir():
                    meta_path = path.with_suffix(ENDING)
                    if path.suffix == ".wav" and meta_path.exists():
                        with contextlib.suppress(OSError):  # another program evicted it just now
                            found.append((meta_path.stat().st_mtime_ns, path.stem, self._read_entry(meta_path, path)))
            for _, key, entry in sorted(found, key=lambda item: item[:2]):
                entry.used = self._tick()
                self._entries[key] = entry
        return self._entries

    def _sweep(self) -> None:
        """Delete what a run that was cut off left half done. What is new may be another program's work under way."""
        before = time.time() - HALF_DONE_S
        for path in (*self._root.glob(f"{INCOMING}/*"), *self._root.glob("[0-9a-f][0-9a-f]/*")):
            half_done = (
                path.parent.name == INCOMING
                or path.suffix not in (".wav", ENDING)
                or not path.with_suffix(ENDING).exists()
            )
            with contextlib.suppress(OSError):  # somebody else swept it
                if half_done and path.stat().st_mtime < before:
                    path.unlink()

    def _read_entry(self, meta_path: Path, path: Path) -> _Entry:
        size = path.stat().st_size + meta_path.stat().st_size
        try:
            stored = self._read(meta_path)
            flags = bool(stored["voted"]), bool(stored["pinned"]), bool(stored.get("waiting"))
            return _Entry(size, 0, *flags, str(stored["sha256"]))
        except (ValueError, KeyError, TypeError):
            return _Entry(size, 0, False, False, False, "")

    def _read(self, path: Path) -> Any:
        return json.loads(self._seal.open(path.stem, path.read_bytes()))

    def _write(self, path: Path, value: Mapping[str, Any]) -> int:
        plain = json.dumps(value, ensure_ascii=False, sort_keys=True).encode()
        data = self._seal.close(path.stem, plain.ljust(-(-len(plain) // _BLOCK) * _BLOCK))
        part = path.with_name(f"{path.name}.{os.getpid()}.{threading.get_ident()}.part")
        part.write_bytes(data)
        part.replace(path)
        return len(data)


def _key_in(root: Path) -> bytes:
    """The key of the cache in ``root``, made at first use; in place of a damaged one, too. Raises OSError."""
    path = root / KEY
    if not path.exists():
        write_new(path, secrets.token_bytes(_KEY_BYTES))
    key = path.read_bytes()
    if len(key) != _KEY_BYTES:
        write_whole(path, secrets.token_bytes(_KEY_BYTES))
        key = path.read_bytes()
    return key
