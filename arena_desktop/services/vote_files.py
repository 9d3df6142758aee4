"""The records of a file of votes, each in the form in which a log would keep it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from arena_desktop.domain.checked import is_whole
from arena_desktop.domain.legacy import LegacyFile
from arena_desktop.domain.merging import merge_copies, stored_form
from arena_desktop.domain.reading import BAD_HASH, Reading, countable
from arena_desktop.domain.records import VOTE, Kind, canonical_key, kind_of, type_of
from arena_desktop.errors import ArenaError
from arena_desktop.ratings.ballot import NOT_AN_OBJECT
from arena_desktop.store.formats.votes_file import Entry, VotesFile, open_votes


class Found(NamedTuple):
    """One record of a file, or why there is none: ``reason`` is one of the fixed texts, ``detail`` says more.

    ``legacy``: it was no record of a log yet, and has been made one. ``plain``: its line, where that is seen to be its
    canonical form.
    """

    line: int
    position: int
    record: dict[str, Any] | None
    reason: str = ""
    detail: str = ""
    legacy: bool = False
    plain: bytes | None = None


def found_records(file: VotesFile, label: str) -> Iterator[Found]:
    """Every record of ``file``; ``label`` names the log that legacy records come from.

    :class:`ArenaError` at the end if the file is damaged and no record came out of it.
    """
    some = False
    for found in _found(file, label):
        some = some or found.record is not None
        yield found
    _refuse_wreck(file, some)


def _found(file: VotesFile, label: str) -> Iterator[Found]:
    legacy = LegacyFile(label, file.form)
    for entry in file.entries():
        if entry.trouble is not None:
            yield Found(entry.line, entry.position, None, NOT_AN_OBJECT, entry.trouble)
        elif kind_of(entry.value) is not Kind.FOREIGN:
            if is_whole(entry.value, entry.plain):
                yield Found(entry.line, entry.position, entry.value, plain=entry.data if entry.plain else None)
            else:
                yield Found(entry.line, entry.position, None, BAD_HASH)
        else:
            record = _legacy(legacy, entry)
            if isinstance(record, str):
                yield Found(entry.line, entry.position, None, record)
            else:
                yield Found(entry.line, entry.position, record, legacy=True)


def _legacy(legacy: LegacyFile, entry: Entry) -> dict[str, Any] | str:
    if entry.shape is None:
        return legacy.normalise(entry.value, entry.position)
    return legacy.normalise(entry.original, entry.position, entry.value, entry.shape.form)


def _refuse_wreck(file: VotesFile, some: bool) -> None:
    """What was cut off before its first record must not pass for a file without votes."""
    if file.broken and not some:
        raise ArenaError(
            f"{file.path} is a packed file that is damaged or cut off; no record can be read from it.",
            "Get a whole copy of it.",
        )


def read_votes(path: Path, *, silent: bool) -> Reading:
    """What counts in a file; positions are those in the file, from 0, the header not counted.

    With our header: in canonical order, copies once, retractions honoured. Without: strictly in file order, repeats
    included, times and retractions ignored.
    """
    with open_votes(path) as file:
        return _canonical_reading(file, silent) if file.header is not None else _plain_reading(file, silent)


def _canonical_reading(file: VotesFile, silent: bool) -> Reading:
    kept: dict[tuple[str, str], tuple[int, dict[str, Any]]] = {}
    skipped = []
    repeated = 0
    for found in found_records(file, ""):
        if found.record is None:
            skipped.append((found.position, found.reason))
            continue
        record = stored_form(found.record)
        name = (record["id"], record["hash"])
        if name in kept:
            repeated += 1
            first, copy = kept[name]
            kept[name] = (first, merge_copies(copy, record))
        else:
            kept[name] = (found.position, record)
    ordered = sorted(kept.values(), key=lambda pair: canonical_key(pair[1]))
    reading = countable((record for _, record in ordered), silent=silent)
    places = [position for position, _ in ordered]
    return Reading(
        votes=reading.votes,
        positions=[places[index] for index in reading.positions],
        skipped=sorted(skipped + [(places[index], reason) for index, reason in reading.skipped]),
        other_records=reading.other_records,
        not_honoured=sorted((places[index], reason) for index, reason in reading.not_honoured),
        idle=reading.idle,
        retracted=reading.retracted,
        sealed=reading.sealed,
        repeated=repeated,
    )


def _plain_reading(file: VotesFile, silent: bool) -> Reading:
    result = Reading()
    for entry in file.entries():
        value = entry.value
        if entry.trouble is None and kind_of(value) is Kind.OURS and type_of(value) != VOTE:
            kind = type_of(value)
            result.other_records[kind] = result.other_records.get(kind, 0) + 1
            continue
        # One record at a time: nothing that another record says may matter here.
        alone = countable([value], silent=silent, check_hashes=True, any_time=True)
        result.votes.extend(alone.votes)
        result.positions.extend(entry.position for _ in alone.votes)
        result.skipped.extend((entry.position, reason) for _, reason in alone.skipped)
    _refuse_wreck(file, bool(result.votes or result.other_records))
    return result
