"""Who signs what: for each station of a log its key, whether that key is known, and how its records stand to it."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import TracebackType
from typing import Any, Protocol, Self

from arena_desktop.domain.canonical import canonical_text
from arena_desktop.domain.records import seq_of
from arena_desktop.domain.signing import SignatureCheck, announced_key
from arena_desktop.domain.stations import StationTally, subtract
from arena_desktop.store.key_records import is_signed, is_there, key_records
from arena_desktop.store.station_key import StationKey
from arena_desktop.store.vote_log import VoteLog
from arena_desktop.store.waiting_signatures import Signature, WaitingSignatures

_TELL_EVERY = 250
_NAMED = 1000
"""So many forged signatures of one station are named one by one."""


class Signing(StrEnum):
    """How the records of a station stand to its key, in a word."""

    UNSIGNED = "unsigned"
    SIGNED = "signed"
    PARTLY = "partly signed"
    FORGED = "forged"
    UNCHECKED = "unchecked"
    """There are signatures, but no key to check them by."""
    UNUSED = "trusted key unused"
    """A key is trusted for this very station, and no record of it is signed."""


@dataclass(frozen=True)
class KeyState:
    """How one station's records stand to its key.

    ``public_key``: base64, None where none is announced or trusted. ``known``: somebody here vouches for the key (the
    policy trusts it, or it is this data directory's own), and at least one record is signed by it. ``signed`` records
    carry a signature that fits, ``forged`` ones one that doesn't, ``unsigned`` ones none, ``unchecked`` ones one that
    there is no key for. ``pinned``: the policy names the key for this very station. ``since``: the seq at which the key
    was announced, None without one; of the unsigned records ``bare`` come after it, or after the first signed one.
    """

    public_key: str | None = None
    known: bool = False
    signed: int = 0
    unsigned: int = 0
    forged: int = 0
    unchecked: int = 0
    since: int | None = None
    bare: int = 0
    pinned: bool = False

    @property
    def signing(self) -> Signing:
        """All of it in a word. A record that came before the station had a key needs no signature."""
        if self.forged:
            return Signing.FORGED
        if self.signed:
            return Signing.PARTLY if self.bare or self.unchecked else Signing.SIGNED
        if self.unchecked:
            return Signing.UNCHECKED
        return Signing.UNUSED if self.pinned else Signing.UNSIGNED


class Forged(Protocol):
    """Is told of each fault: what it is, and the record's id, station, seq and line (None: of several records)."""

    def __call__(self, fault: str, name: str | None, station: str, seq: int | None, line: int | None) -> None: ...


def key_states(
    records: VoteLog | Iterable[Mapping[str, Any]],
    trusted: Mapping[str, str],
    progress: Callable[[int], None] | None = None,
) -> Mapping[str, KeyState]:
    """The key state of every station, by its id. ``trusted``: public keys (base64) by station id.

    A trusted key is known under any other station, too, for whoever signs with it holds it. Every signature is checked,
    which takes about a seventh of a millisecond.
    """
    with KeyTally(trusted) as tally:
        for number, record in enumerate(records.records() if isinstance(records, VoteLog) else records, 1):
            tally.add(record)
            if progress is not None and number % _TELL_EVERY == 0:
                progress(number)
        return tally.states()


def with_own(trusted: Mapping[str, str], key: StationKey) -> dict[str, str]:
    """Trusted keys by station, and this data directory's own key (known under whatever station it signs)."""
    signer = key.signer()
    return dict(trusted) if signer is None else {**trusted, "": signer.public_key}


@dataclass(frozen=True)
class Announced:
    """A key that a station announces in its chain at ``since``. ``known``: see :class:`KeyState`."""

    station_id: str
    public_key: str
    known: bool
    since: int


def announced_keys(log: VoteLog, trusted: Mapping[str, str]) -> list[Announced]:
    """Every key that is announced in the log, by station; looks at the records that announce them alone."""
    check = SignatureCheck()
    found = []
    for record in key_records(log):
        key, seq = announced_key(record), seq_of(record)
        if key is not None and seq is not None:
            is_held = check.fits(key, str(record["hash"]), record.get("sig"))
            found.append(Announced(str(record["station_id"]), key, is_held and key in trusted.values(), seq))
    return found


def unused_keys(log: VoteLog, trusted: Mapping[str, str]) -> dict[str, str]:
    """The trusted keys, by station, of stations of the log that signed nothing. Looks no further than a station's first
    signature.
    """
    return {name: key for name, key in sorted(trusted.items()) if is_there(log, name) and not is_signed(log, name)}


@dataclass
class _Station:
    """What is known of one station so far. ``keys``: each announced key, with (seq, hash, id, line) of its first
    record; ``signed`` counts by key.
    """

    pinned: str | None
    keys: dict[str, tuple[int, str, str, int | None]] = field(default_factory=dict)
    bare: StationTally = field(default_factory=StationTally)
    signed: Counter[str] = field(default_factory=Counter)
    first_signed: int | None = None
    unsigned: int = 0
    forged: int = 0
    unchecked: int = 0

    def candidates(self) -> Iterable[str]:
        """The keys by which its records may be signed."""
        return self.keys if self.pinned is None else (self.pinned,)

    def rightful(self) -> str | None:
        """Its one key: the trusted one, else the first that its chain announces."""
        return self.pinned or min(self.keys, key=lambda key: self.keys[key][:2], default=None)


class KeyTally:
    """Counts the records of a log by their signatures: :meth:`add` each, then ask for :meth:`states`, once.

    Records may come in any order. ``trusted`` as for :func:`key_states`: a station named there may sign with that key
    alone.
    """

    def __init__(self, trusted: Mapping[str, str], forged: Forged | None = None) -> None:
        self._trusted = trusted
        self._told = forged
        self._check = SignatureCheck()
        self._stations: dict[str, _Station] = {}
        self._waiting = WaitingSignatures()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._waiting.__exit__(kind, error, trace)

    def add(self, record: Mapping[str, Any], line: int | None = None) -> None:
        """Count a record; one without a place in a chain is passed over. Its hash must have been checked."""
        name, seq = record.get("station_id"), seq_of(record)
        if not isinstance(name, str) or seq is None:
            return
        station = self._stations.get(name)
        if station is None:
            station = self._stations[name] = _Station(self._trusted.get(name))
        digest = str(record["hash"])
        key = announced_key(record)
        if key is not None:
            place = (seq, digest, str(record["id"]), line)
            station.keys[key] = min(place, station.keys.get(key, place), key=lambda one: one[:2])
        if "sig" not in record:
            station.unsigned += 1
            station.bare.add(seq, digest)
            return
        signature = record["sig"]
        text = signature if isinstance(signature, str) else canonical_text(signature)
        if not self._fits(station, seq, digest, text):
            # Its key may be announced by a record that is yet to come.
            self._waiting.add(Signature(name, seq, str(record["id"]), digest, text, line))

    def states(self) -> dict[str, KeyState]:
        """What was found. Faults are told to whoever wants to hear of them: forged signatures, second keys."""
        for waiting in self._waiting.all():
            self._judge(waiting)
        for name, station in self._stations.items():
            self._name_strange_keys(name, station)
            if station.forged > _NAMED:
                self._tell(
                    f"forged: the signatures of {station.forged - _NAMED} more records don't fit", None, name, None
                )
        return {name: self._state(station) for name, station in sorted(self._stations.items())}

    def _judge(self, waiting: Signature) -> None:
        station = self._stations[waiting.station]
        if not any(True for _ in station.candidates()):
            station.unchecked += 1
        elif not self._fits(station, waiting.seq, waiting.hash, waiting.sig):
            station.forged += 1
            if station.forged <= _NAMED:
                whose = "the trusted key" if station.pinned is not None else "the key that its station announced"
                text = f"forged: the signature does not fit {whose}"
                self._tell(text, waiting.id, waiting.station, waiting.seq, waiting.line)

    def _name_strange_keys(self, name: str, station: _Station) -> None:
        rightful = station.rightful()
        for key, (seq, _, record_id, line) in sorted(station.keys.items(), key=lambda item: item[1][:2]):
            if key != rightful:
                why = "you trust another one" if station.pinned else "it had announced another one before"
                self._tell(f"forged: it announces a key for its station, but {why}", record_id, name, seq, line)

    def _fits(self, station: _Station, seq: int, digest: str, signature: str) -> bool:
        for key in station.candidates():
            if self._check.fits(key, digest, signature):
                station.signed[key] += 1
                station.first_signed = min(seq, station.first_signed or seq)
                return True
        return False

    def _tell(self, fault: str, name: str | None, station: str, seq: int | None, line: int | None = None) -> None:
        if self._told is not None:
            self._told(fault, name, station, seq, line)

    def _state(self, station: _Station) -> KeyState:
        key = station.rightful()
        signed = station.signed[key] if key is not None else 0
        since = min((place[0] for place in station.keys.values()), default=None)
        # Where the record of the key is not here, the first that is signed says that it had been announced.
        begun = station.first_signed if since is None else since
        bare = 0 if begun is None else sum(high - low + 1 for low, high in subtract(station.bare.ranges, [(1, begun)]))
        return KeyState(
            public_key=key,
            known=signed > 0 and key in self._trusted.values(),
            signed=signed,
            unsigned=station.unsigned,
            forged=station.forged + station.signed.total() - signed,
            unchecked=station.unchecked,
            since=since,
            bare=bare,
            pinned=station.pinned is not None,
        )
