"""The chain of this database: where its next record stands, and how it is written, signed if the station has a key."""

import logging
from collections.abc import Callable
from typing import Any

from arena_desktop.domain.canonical import uuid7
from arena_desktop.domain.records import Envelope
from arena_desktop.domain.signing import Signer, key_record
from arena_desktop.domain.times import DAY_US, canonical_us, next_at, time_text
from arena_desktop.errors import ArenaError
from arena_desktop.store.chain_mark import ChainMark
from arena_desktop.store.database import Database
from arena_desktop.store.forgotten import keeps_nothing_of
from arena_desktop.store.rows import INSERT, row_of
from arena_desktop.store.station_key import FILE_NAME, StationKey
from arena_desktop.store.stations import announced_key, begin_station, chain_end, remember_end, remember_key

_log = logging.getLogger(__name__)


class OwnChain:
    """Appends to the chain of the station that writes under ``here`` (a fingerprint). All but :meth:`written` inside a
    write transaction of the database.

    ``clock`` gives microseconds since 1970, ``entropy`` random bytes. ``trouble`` says why records are not signed
    though there is a key: a vote is never lost for that.
    """

    def __init__(
        self, database: Database, here: str, clock: Callable[[], int], entropy: Callable[[int], bytes]
    ) -> None:
        self.key = StationKey(database.path.with_name(FILE_NAME))
        self.trouble: ArenaError | None = None
        self._database = database
        self._here = here
        self._clock = clock
        self._entropy = entropy
        self._mark = ChainMark(database.path)

    def envelope(self) -> Envelope:
        """The place of the next record. A key that the chain does not know yet is announced before it."""
        envelope = self._next()
        signer = self._signer()
        if signer is None or announced_key(self._database) == (envelope.station_id, signer.public_key):
            return envelope
        known = announced_key(self._database)
        if known is not None and known[0] == envelope.station_id:  # one station, one key
            begin_station(self._database, self._here)
            envelope = self._next()
        self.append(key_record(signer.public_key, envelope))
        remember_key(self._database, envelope.station_id, signer.public_key)
        return self._next()

    def station(self) -> str:
        """The station that the next record will be written under; a new one begins if need be."""
        return chain_end(self._database, self._here, self._mark.read()).station_id

    def append(self, record: dict[str, Any]) -> None:
        """Store a record that was made for the envelope; with a key its signature comes into it. Of a listener who was
        forgotten here it is kept without its private part.
        """
        if "private" in record and keeps_nothing_of(self._database, record):
            del record["private"]
        signer = self._signer()
        if signer is not None:
            record["sig"] = signer.sign(record["hash"])
        self._database.run(INSERT, row_of(record))
        remember_end(self._database, record["seq"])

    def written(self, record: dict[str, Any]) -> None:
        """The record is on the disk."""
        self._mark.move(record)

    def _next(self) -> Envelope:
        end = chain_end(self._database, self._here, self._mark.read())
        now = self._clock()
        at = next_at(now, self._newest(now + DAY_US))
        number = uuid7(at // 1000, int.from_bytes(self._entropy(10)))
        return Envelope(number, end.station_id, end.seq + 1, time_text(at), end.hash, self._entropy(16).hex())

    def _newest(self, limit_us: int) -> int | None:
        """The newest time among the records that is at most ``limit_us``. Texts that are no canonical time are passed
        over.
        """
        for (at,) in self._database.stream(
            "SELECT at FROM records WHERE at <= ? ORDER BY at DESC", (time_text(limit_us),)
        ):
            us = canonical_us(at)
            if us is not None:
                return us
        return None

    def _signer(self) -> Signer | None:
        try:
            signer = self.key.signer()
        except ArenaError as error:
            if self.trouble is None:
                _log.warning("records are written unsigned: %s", error)
            self.trouble = error
            return None
        self.trouble = None
        return signer
