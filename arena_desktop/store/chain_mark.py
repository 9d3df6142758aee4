"""How far this database's chain went, noted in a small file beside it.

A database that was put back from an older copy doesn't know what was written after the copy. The mark does: where it
names a record that the database doesn't hold, the chain may go on elsewhere already. It is a hint and may be lost: it
is not waited for, and a database that knows more than its mark is fine.
"""

import contextlib
import json
import logging
import os
import threading
from pathlib import Path
from typing import Any

from arena_desktop.domain.canonical import MAX_INTEGER
from arena_desktop.store.bounded import read_bounded

_LARGEST = 4096
_log = logging.getLogger(__name__)


class ChainMark:
    """The mark of the database at ``path``: (station id, seq, hash) of the last record known to be written."""

    def __init__(self, path: Path) -> None:
        self.path = path.with_name(f"{path.name}.mark")

    def read(self) -> tuple[str, int, str] | None:
        """What is marked, None where nothing readable is."""
        try:
            found = json.loads(read_bounded(self.path, _LARGEST) or b"null")
        except (OSError, ValueError, RecursionError):
            return None
        match found:
            case {"station_id": str(station), "seq": int(seq), "hash": str(digest)} if (
                station.isascii() and digest.isascii() and 0 < seq <= MAX_INTEGER
            ):
                return (station, seq, digest)
            case _:
                return None

    def move(self, record: dict[str, Any]) -> None:
        """Mark a record of this database that has been written. What the disk refuses is no harm."""
        station, seq = record["station_id"], record["seq"]
        held = self.read()
        if held is not None and held[0] == station and held[1] >= seq:
            return  # another process was faster
        data = json.dumps({"station_id": station, "seq": seq, "hash": record["hash"]}).encode()
        partial = self.path.with_name(f".{self.path.name}.{os.getpid()}-{threading.get_ident()}.new")
        try:
            handle = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            partial.replace(self.path)
        except OSError as error:
            _log.info("%s could not be written: %s", self.path, error)
            with contextlib.suppress(OSError):
                partial.unlink()
