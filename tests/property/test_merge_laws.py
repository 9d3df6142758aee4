"""Merging is a set union: order, grouping and repetition make no difference, whatever the records are."""

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from arena_desktop.domain.merging import merge_copies, stored_form
from arena_desktop.domain.reading import countable
from arena_desktop.services.exchange import export_votes, import_votes, merge_files
from tests.helpers.vote_logs import ROSTER, foreign_record, open_log, write_lines

# These logs need to survive nothing; where there is a disk in memory, nothing waits for a real one.
_SCRATCH = "/dev/shm" if Path("/dev/shm").is_dir() else None

_STATIONS = [f"5c0cbb54-6d3c-4f43-9a4e-00000000000{n}" for n in range(3)]
_IDS = [f"01900000-0000-7000-8000-00000000000{n}" for n in range(6)]
_TIMES = ["2026-03-01T10:00:00.000000Z", "2026-03-01T10:00:00.000001Z", "2026-03-01", None, 5]


@st.composite
def ours(draw: st.DrawFn) -> dict[str, Any]:
    """A record of ours: often in conflict, retracting, odd in time, with or without what its hash doesn't cover."""
    record = foreign_record(
        id=draw(st.sampled_from(_IDS)),
        station_id=draw(st.sampled_from(_STATIONS)),
        seq=draw(st.sampled_from([1, 2, 3, 0, "x", 2.5])),
        at=draw(st.sampled_from(_TIMES)),
        vote=draw(st.sampled_from(["a", "tie", "draw"])),
        conditions={"silent": draw(st.booleans())},
        **draw(st.sampled_from([{}, {"type": "event"}, {"type": "retraction", "retracts": _IDS[0]}])),
    )
    if draw(st.booleans()):
        del record["private"]
    elif draw(st.booleans()):
        record["private"] = {"salt": "forged"}
    extra = st.dictionaries(
        st.sampled_from(["sig", "source", "legacy_index", "original"]), st.sampled_from([1, 2, "x", {}])
    )
    return {**record, **draw(extra)}


legacy = st.fixed_dictionaries(
    {
        "arena": st.sampled_from(["english", "gone"]),
        "model_a": st.just({"repo_id": "x/one"}),
        "model_b": st.sampled_from([{"repo_id": "x/two"}, {"repo_id": "x/one"}, "x/two"]),
        "vote": st.sampled_from(["a", "tie"]),
    },
    optional={"at": st.sampled_from([1772359200, "2026-03-01 10:00", "yesterday"]), "note": st.text(max_size=3)},
)
files = st.lists(ours() | legacy, max_size=6)


def _merged(steps: Sequence[Sequence[list[Any]]]) -> bytes:
    """The export of a log into which each step's files were imported at once."""
    with tempfile.TemporaryDirectory(dir=_SCRATCH) as name, open_log(Path(name) / "log") as log:
        for number, step in enumerate(steps):
            paths = [write_lines(Path(name) / f"{number}-{index}.jsonl", records) for index, records in enumerate(step)]
            import_votes(log, paths, roster=ROSTER)
        export_votes(log, Path(name) / "out.jsonl")
        return (Path(name) / "out.jsonl").read_bytes()


@settings(max_examples=25)
@given(files, files, files)
def test_import_is_commutative_associative_idempotent(a: list[Any], b: list[Any], c: list[Any]) -> None:
    expected = _merged([[a, b, c]])
    assert _merged([[c], [a], [b]]) == expected
    assert _merged([[b, a], [c, a, c], [b]]) == expected


@settings(max_examples=25)
@given(files, files)
def test_an_export_imported_and_exported_is_the_same_bytes(a: list[Any], b: list[Any]) -> None:
    with tempfile.TemporaryDirectory(dir=_SCRATCH) as name:
        folder = Path(name)
        with open_log(folder / "one") as one, open_log(folder / "two") as two:
            import_votes(
                one, [write_lines(folder / "a", a), write_lines(folder / "b", b)], roster=ROSTER, source="them"
            )
            export_votes(one, folder / "first.jsonl.gz")
            report = import_votes(two, [folder / "first.jsonl.gz"], roster=ROSTER, source="another name")
            export_votes(two, folder / "second.jsonl.zst")
            export_votes(one, folder / "first.jsonl")
            again = import_votes(two, [folder / "second.jsonl.zst", folder / "first.jsonl"], roster=ROSTER)
            export_votes(two, folder / "second.jsonl")
            assert (report.already, report.skipped, report.new) == (0, [], one.count())
            assert (again.new, again.already) == (0, 2 * one.count())
            assert (folder / "first.jsonl").read_bytes() == (folder / "second.jsonl").read_bytes()
            assert one.log_hash() == two.log_hash()


def _merged_files(folder: Path, name: str, groups: Sequence[Sequence[Path]]) -> Path:
    """Each group merged into a file, then those files into one."""
    parts = []
    for number, group in enumerate(groups):
        parts.append(folder / f"{name}-{number}.zst")
        merge_files(group, parts[-1])
    merge_files(parts, folder / name)
    return folder / name


@settings(max_examples=25)
@given(files, files, files, st.booleans())
def test_merging_files_is_commutative_associative_idempotent(
    a: list[Any], b: list[Any], c: list[Any], through_a_log: bool
) -> None:
    with tempfile.TemporaryDirectory(dir=_SCRATCH) as name:
        folder = Path(name)
        x, y, z = (write_lines(folder / f"{n}.jsonl", some) for n, some in enumerate((a, b, c)))
        merge_files([x, y, z], folder / "at once")
        expected = (folder / "at once").read_bytes()
        assert expected == _merged([[a, b, c]])
        assert _merged_files(folder, "left", [[y, x], [z]]).read_bytes() == expected
        right = _merged_files(folder, "right", [[x], [z, y, z], [x]])
        assert right.read_bytes() == expected
        # Whatever went through a log on its way merges the same.
        with open_log(folder / "log") as log:
            import_votes(log, [y, right] if through_a_log else [z], roster=ROSTER)
            export_votes(log, folder / "export.jsonl.gz")
        merge_files([folder / "export.jsonl.gz", y, x, z], folder / "mixed")
        assert (folder / "mixed").read_bytes() == expected


@given(st.lists(ours(), max_size=8), st.randoms(use_true_random=False))
def test_what_counts_does_not_depend_on_the_order(records: list[dict[str, Any]], random: Any) -> None:
    stored = [stored_form(record) for record in records]
    shuffled = stored[:]
    random.shuffle(shuffled)

    def view(some: list[dict[str, Any]]) -> Any:
        reading = countable(some, silent=False)
        reasons = sorted((some[index]["hash"], reason) for index, reason in reading.skipped if reason != "conflict")
        return sorted(vote["hash"] for vote in reading.votes), set(reasons), len(reading.votes)

    assert view(stored) == view(shuffled)


copies = st.fixed_dictionaries(
    {},
    optional={
        "sig": st.sampled_from(["b", "a", None, 3]),
        "legacy_index": st.sampled_from([3, 1, 10, "x", None]),
        "source": st.sampled_from([{"label": "b", "format": "x"}, {"label": "a", "format": "json"}, "x"]),
        "original": st.sampled_from([{"a": 1}, {"a": 1, "b": 2}, {"a": 2}, None]),
        "private": st.just({"salt": "00", "text": None, "note": "hush"}),
    },
)


@given(copies, copies, copies)
def test_copies_merge_to_one_form(a: dict[str, Any], b: dict[str, Any], c: dict[str, Any]) -> None:
    base = foreign_record()
    base.pop("private")
    x, y, z = ({**base, **extra} for extra in (a, b, c))
    assert merge_copies(x, y) == merge_copies(y, x)
    assert merge_copies(merge_copies(x, y), z) == merge_copies(x, merge_copies(y, z))
    assert merge_copies(x, x) == x


def test_which_copy_wins() -> None:
    base = foreign_record()
    one = {**base, "sig": "b", "legacy_index": 3, "source": {"label": "a"}, "original": {"a": 1, "note": "x"}}
    two = {**base, "sig": "a", "legacy_index": 10, "source": {"label": "b"}, "original": {"a": 1}}
    del two["private"]
    best = {**one, "sig": "a"}
    signature = "B" * 85 + "A=="
    assert merge_copies(one, two) == merge_copies(two, one) == best
    assert "private" not in stored_form({**base, "private": {"salt": "other"}})
    assert "private" not in stored_form({**base, "private": None})
    assert stored_form(one) == {**base, "sig": "b"}
    assert merge_copies({**base, "sig": "A"}, {**base, "sig": signature})["sig"] == signature
    assert merge_copies({**base, "sig": None}, {**base, "sig": signature})["sig"] == signature
    assert merge_copies({**base, "sig": signature.lower()}, {**base, "sig": signature})["sig"] == signature
    old = {"source": {"label": "a"}, "original": {}}
    assert stored_form(old) == old
    forgotten = stored_form(one, forgotten=True)
    assert "private" not in forgotten
    assert "original" not in forgotten
