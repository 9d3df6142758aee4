"""Hashes of model files, remembered by path, size and time, so that gigabytes are read once."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sys

from .faults import EngineFault


class FileHashes:
    """SHA-256 of files, kept in a JSON file at ``store`` (a cache: a damaged or missing one is begun anew).

    A file is known there by a hash of its path, size and time: which models were used last is nobody's business who
    is still to vote.
    """

    def __init__(self, store: str) -> None:
        self._store = store
        self._known: dict[str, str] = {}
        try:
            with open(store, encoding="utf-8") as file:  # noqa: PTH123
                known = json.load(file)
        except (OSError, ValueError):
            known = None
        if isinstance(known, dict):
            self._known = {key: value for key, value in known.items() if isinstance(value, str)}

    def of(self, path: str) -> str:
        """Lower-case hex SHA-256 of the file; raises EngineFault if it can't be read."""
        path = os.path.realpath(path)
        try:
            stat = os.stat(path)  # noqa: PTH116
            stamp = hashlib.sha256(f"{path}\n{stat.st_size}\n{stat.st_mtime_ns}".encode("utf-8", "surrogateescape"))
            known = self._known.get(stamp.hexdigest())
            if known is not None:
                return known
            found = _digest(path)
        except OSError as error:
            raise EngineFault("missing", f"The model file {path} can't be read: {error.strerror}.") from error
        self._known[stamp.hexdigest()] = found
        self._save()
        return found

    def of_all(self, paths: list[str]) -> str | None:
        """One hash for a set of files, whatever they are called and wherever they lie: a single file's own hash, else
        the SHA-256 of the sorted hex hashes joined by line feeds. None for no files.
        """
        hashes = sorted(self.of(path) for path in paths)
        if len(hashes) < 2:
            return hashes[0] if hashes else None
        return hashlib.sha256("\n".join(hashes).encode("ascii")).hexdigest()

    def _save(self) -> None:
        part = f"{self._store}.{os.getpid()}.part"
        try:
            with open(part, "w", encoding="utf-8") as file:  # noqa: PTH123
                json.dump(self._known, file, sort_keys=True)
            os.replace(part, self._store)  # noqa: PTH105
        except OSError as error:  # the files are hashed again next time, no more
            with contextlib.suppress(OSError):
                os.unlink(part)  # noqa: PTH108
            print(f"the hashes of weight files could not be kept: {error}", file=sys.stderr)  # noqa: T201


def _digest(path: str) -> str:
    digest = hashlib.sha256()
    with open(path, "rb", buffering=0) as file:  # noqa: PTH123
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()
