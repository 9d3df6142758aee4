"""Stations: a database writes its own records under a station id, in one chain.

A copied data directory must not go on under the same id, or two different records would claim one place in the chain.
So the id belongs to a machine and a folder; elsewhere, or after foreign hands brought records of this very station, a
new one begins. So it does when the file was put back from an older copy.
"""

import json
import sys
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from arena_desktop.domain.canonical import sha256_hex
from arena_desktop.store.database import Database

_SET = "INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value"
_LINUX_IDS = ("/etc/machine-id", "/var/lib/dbus/machine-id")


Mark: TypeAlias = tuple[str, int, str]
"""Station id, seq and hash of a record."""


@dataclass(frozen=True)
class ChainEnd:
    """A station's id, and the number and hash of the last record in its chain (0 and "" before the first)."""

    station_id: str
    seq: int
    hash: str


def fingerprint(path: Path) -> str:
    """Tells this machine and this place of the file from others. Host name, network and user play no part."""
    return sha256_hex(f"{machine_id()}\n{path.resolve()}".encode("utf-8", "surrogateescape"))


def chain_end(database: Database, here: str, mark: Mark | None = None) -> ChainEnd:
    """The station to write under from ``here`` (a fingerprint), inside a write transaction. Begins a new one if need
    be.

    ``mark``: a record that is known to have been written. If it isn't here, this is an older copy of the database.
    """
    known = dict(database.rows("SELECT key, value FROM meta WHERE key IN ('station_id', 'fingerprint', 'mark')"))
    lost = mark is not None and known.get("mark") != json.dumps(mark) and not _holds(database, mark)
    if known.get("fingerprint") != here or lost:
        begin_station(database, here)
        if lost:  # once: should the mark never change, one new station is enough
            database.run(_SET, ("mark", json.dumps(mark)))
        return ChainEnd(str(current_station(database)), 0, "")
    station = str(known["station_id"])
    last = database.row("SELECT seq, hash FROM records WHERE station_id = ? ORDER BY seq DESC LIMIT 1", (station,))
    return ChainEnd(station, int(last[0]), str(last[1])) if last is not None else ChainEnd(station, 0, "")


def _holds(database: Database, mark: Mark) -> bool:
    return database.row("SELECT 1 FROM records WHERE station_id = ? AND seq = ? AND hash = ?", mark) is not None


def begin_station(database: Database, here: str) -> None:
    """Write under a new id from now on: after a restore or a recovery, too."""
    for key, value in (("station_id", str(uuid.uuid4())), ("fingerprint", here), ("last_seq", 0)):
        database.run(_SET, (key, value))


def remember_end(database: Database, seq: int) -> None:
    """Note how far the chain goes, so that a record missing at its end is noticed."""
    database.run(_SET, ("last_seq", seq))


def remembered_end(database: Database) -> tuple[str | None, int]:
    """The current station and how far its chain should go."""
    known = dict(database.rows("SELECT key, value FROM meta WHERE key IN ('station_id', 'last_seq')"))
    return (known.get("station_id"), int(known.get("last_seq", 0)))


def announced_key(database: Database) -> tuple[str, str] | None:
    """Which station of this database last announced a key in its chain, and the public key."""
    found = database.row("SELECT value FROM meta WHERE key = 'announced_key'")
    if found is None:
        return None
    station, key = json.loads(found[0])
    return str(station), str(key)


def remember_key(database: Database, station: str, public_key: str) -> None:
    """Note that a station's chain holds the record that announces its key."""
    database.run(_SET, ("announced_key", json.dumps([station, public_key])))


def current_station(database: Database) -> str | None:
    """The id that this database wrote under last, None before its first record."""
    found = database.row("SELECT value FROM meta WHERE key = 'station_id'")
    return None if found is None else str(found[0])


def machine_id() -> str:
    """The operating system's id of this machine, "" where there is none."""
    if sys.platform == "win32":
        return _windows_id()
    if sys.platform == "darwin":
        return _mac_id()
    for name in _LINUX_IDS:
        try:
            return Path(name).read_text(encoding="ascii").strip()
        except (OSError, ValueError):
            continue
    return ""


def _windows_id() -> str:
    if sys.platform != "win32":
        return ""
    import winreg

    try:
        with winreg.OpenKey(winreg.HKEY_LOCAL_MACHINE, r"SOFTWARE\Microsoft\Cryptography") as key:
            return str(winreg.QueryValueEx(key, "MachineGuid")[0])
    except OSError:
        return ""


def _mac_id() -> str:
    import ctypes

    class Timespec(ctypes.Structure):
        _fields_ = (("seconds", ctypes.c_long), ("nanoseconds", ctypes.c_long))

    found = (ctypes.c_ubyte * 16)()
    try:
        failed = ctypes.CDLL(None).gethostuuid(found, ctypes.byref(Timespec(1, 0)))
    except (AttributeError, OSError):
        return ""
    return "" if failed else bytes(found).hex()
