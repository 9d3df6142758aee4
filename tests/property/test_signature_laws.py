"""Of copies of one record the one with the true signature stays, whatever order they come in, as long as the record of
the key travels with them.
"""

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from arena_desktop.domain.merging import merge_copies
from arena_desktop.domain.signing import AnnouncedRank, announcement, first_announcements
from arena_desktop.services.exchange import export_votes, import_votes, merge_files
from arena_desktop.store.formats.votes_file import open_votes
from tests.helpers.signers import JUNK, FixedSigner
from tests.helpers.vote_logs import ROSTER, foreign_record, open_log, write_lines

_SCRATCH = "/dev/shm" if Path("/dev/shm").is_dir() else None
_SIGNERS = [FixedSigner(1), FixedSigner(2)]


def _record(seq: int, **changes: Any) -> dict[str, Any]:
    record = foreign_record(seq=seq, id=f"01900000-0000-7000-8000-00000000000{seq}", **changes)
    record.pop("private")
    return record


# The second announcement is one that the station should not make: its key gives way to the first.
_KEYS = [_record(seq, type="key", public_key=signer.public_key) for seq, signer in zip((1, 3), _SIGNERS, strict=True)]
_VOTES = [_record(2), _record(4), foreign_record(seq=5, id="01900000-0000-7000-8000-000000000005")]
_ALL = [*_KEYS, *_VOTES]
_NONE, _MALFORMED = "none", ["", "x", 3, None, "A" * 85 + "B=="]

Copy = tuple[int, Any]
"""A record by its number in :data:`_ALL`, and the number of its signer or what stands in a signature's place."""
copies = st.tuples(st.integers(0, len(_ALL) - 1), st.sampled_from([0, 0, 1, _NONE, *JUNK, *_MALFORMED]))
files = st.lists(copies, max_size=7)


def _signed(copy: Copy) -> dict[str, Any]:
    number, sign = copy
    record = _ALL[number]
    if sign == _NONE:
        return record
    is_true = isinstance(sign, int) and sign < len(_SIGNERS)
    return {**record, "sig": _SIGNERS[sign].sign(record["hash"]) if is_true else sign}


def _with_keys(some: list[Copy]) -> list[Copy]:
    """The file that a log would export: whoever's signatures it holds, it holds the key."""
    held = {sign for _, sign in some if sign in (0, 1)}
    return [*some, *((number, number) for number in sorted(held))]


def _expected(some: list[Copy]) -> dict[str, Any]:
    """By id, the signature that has to be kept."""
    kept: dict[str, Any] = {}
    for number in {number for number, _ in some}:
        signs = [sign for found, sign in some if found == number and sign != _NONE]
        true = [sign for sign in signs if sign in (0, 1)]
        junk = [sign for sign in signs if sign in JUNK]
        if true:
            kept[_ALL[number]["id"]] = _signed((number, min(true)))["sig"]
        elif junk:
            kept[_ALL[number]["id"]] = min(junk)
        elif signs:
            kept[_ALL[number]["id"]] = ...  # whichever, but the same
    return kept


def _check(path: Path, some: list[Copy]) -> None:
    with open_votes(path) as file:
        found = {entry.value["id"]: entry.value.get("sig", _NONE) for entry in file.entries()}
    assert found.keys() == {_ALL[number]["id"] for number, _ in some}
    for name, signature in _expected(some).items():
        assert signature in (..., found[name])


def _through_log(folder: Path, name: str, steps: Sequence[Sequence[Path]]) -> bytes:
    """The export of a log into which each step's files were imported at once."""
    with open_log(folder / f"{name} log") as log:
        for step in steps:
            import_votes(log, list(step), roster=ROSTER)
        export_votes(log, folder / name)
    return (folder / name).read_bytes()


def _merged(folder: Path, name: str, steps: Sequence[Sequence[Path]]) -> bytes:
    """Each step's files merged into one, and those into one."""
    parts = []
    for number, step in enumerate(steps):
        parts.append(folder / f"{name}-{number}")
        merge_files(step, parts[-1])
    merge_files(parts, folder / name)
    return (folder / name).read_bytes()


@settings(max_examples=40)
@given(files, files, files, st.randoms(use_true_random=False))
def test_the_true_signature_stays_in_any_order(a: list[Copy], b: list[Copy], c: list[Copy], random: Any) -> None:
    some = [_with_keys(file) for file in (a, b, c)]
    for file in some:
        random.shuffle(file)
    with tempfile.TemporaryDirectory(dir=_SCRATCH) as name:
        folder = Path(name)
        x, y, z = (write_lines(folder / f"{n}.jsonl", map(_signed, file)) for n, file in enumerate(some))
        expected = _through_log(folder, "at once", [[x, y, z]])
        _check(folder / "at once", [copy for file in some for copy in file])
        assert _through_log(folder, "one by one", [[z], [x], [y]]) == expected
        assert _through_log(folder, "repeated", [[y, x], [z, x, z], [y]]) == expected
        assert _merged(folder, "left", [[x, y], [z]]) == expected
        assert _merged(folder, "right", [[z], [y, x, y], [x]]) == expected
        assert _through_log(folder, "mixed", [[folder / "right-1"], [folder / "left"]]) == expected


@given(st.integers(0, len(_ALL) - 1), st.lists(copies, min_size=3, max_size=3), st.sets(st.integers(0, 1)))
def test_copies_merge_to_one_form_under_any_keys(number: int, some: list[Copy], known: set[int]) -> None:
    found = first_announcements(filter(None, (announcement(_KEYS[key]) for key in known)))
    rank = AnnouncedRank(lambda _: found)
    x, y, z = (_signed((number, sign)) for _, sign in some)
    assert merge_copies(x, y, rank) == merge_copies(y, x, rank)
    assert merge_copies(merge_copies(x, y, rank), z, rank) == merge_copies(x, merge_copies(y, z, rank), rank)
    assert merge_copies(x, x, rank) == x


def test_nothing_is_checked_unless_two_signatures_meet() -> None:
    def never(_record: Any, _signature: str) -> int:
        raise AssertionError("checked")

    record = _VOTES[0]
    signed = _signed((2, 0))
    for other in (record, signed, *({**record, "sig": sign} for sign in _MALFORMED)):
        assert merge_copies(signed, other, never) == merge_copies(other, signed, never) == signed
