"""An import and a merge say, before anything is done, which records don't fit together."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arena_desktop.domain.canonical import record_hash
from arena_desktop.services.exchange import export_votes, import_votes, merge_files
from arena_desktop.services.findings_words import finding_sentences
from arena_desktop.services.import_findings import ImportFindings
from arena_desktop.store.arrived_chains import ChainFound
from arena_desktop.store.vote_log import VoteLog
from tests.helpers.vote_logs import ROSTER, draft, foreign_record, open_log, write_lines


@pytest.fixture
def log(tmp_path: Path) -> Iterator[VoteLog]:
    with open_log(tmp_path / "log") as found:
        yield found


@pytest.fixture
def records(log: VoteLog) -> list[dict[str, Any]]:
    return [log.append_vote(draft()) for _ in range(6)]


def _resealed(record: dict[str, Any], **changes: Any) -> dict[str, Any]:
    changed = {**record, **changes}
    changed["hash"] = record_hash(changed)
    return changed


def _chained_anew(records: list[dict[str, Any]], number: int) -> list[dict[str, Any]]:
    """The records with one verdict turned round and everything after it worked out again."""
    made = [*records[:number], _resealed(records[number], vote="b")]
    for record in records[number + 1 :]:
        made.append(_resealed(record, prev_hash=made[-1]["hash"]))
    return made


def _told(tmp_path: Path, *files: list[dict[str, Any]], into: VoteLog | None = None) -> ImportFindings:
    """What both the preview and the import say; into an empty log a merge says it, too."""
    paths = [write_lines(tmp_path / f"f{number}", lines) for number, lines in enumerate(files)]
    if into is not None:
        foreseen = import_votes(into, paths, roster=ROSTER, dry_run=True).findings
        assert import_votes(into, paths, roster=ROSTER).findings == foreseen
        return foreseen
    with tempfile.TemporaryDirectory(dir=tmp_path) as name, open_log(Path(name)) as empty:
        found = _told(tmp_path, *files, into=empty)
    assert merge_files(paths, tmp_path / "out", dry_run=True).findings == found
    return found


def test_whole_chains_say_nothing(tmp_path: Path, log: VoteLog, records: list[dict[str, Any]]) -> None:
    for files in ([records], [records[:3], records[3:]], [records[3:], records[:3]], [records, records[2:4]]):
        assert _told(tmp_path, *files).chains == ()
    assert _told(tmp_path, records[:2] + records[4:]).chains == ()  # what is missing is no fault of an import
    with open_log(tmp_path / "part") as part:
        _told(tmp_path, records[:3], into=part)
        assert _told(tmp_path, records[3:], into=part).chains == ()
        assert _told(tmp_path, records, into=part).chains == ()


def test_an_edited_record_with_a_new_hash(tmp_path: Path, records: list[dict[str, Any]]) -> None:
    station = records[0]["station_id"]
    edited = [*records[:2], _resealed(records[2], vote="b"), *records[3:]]
    found = _told(tmp_path, edited)
    assert found.chains == (ChainFound(station, 1, 4, 0, None),)
    sentences = finding_sentences(found)
    assert any(f"1 record of station {station[:8]} doesn't fit the record before it" in one for one in sentences)
    assert any("votes verify FILE" in one for one in sentences)
    first = [_resealed(records[0], prev_hash=records[3]["hash"])]
    assert _told(tmp_path, first).chains == (ChainFound(station, 1, 1, 0, None),)


def test_a_chain_made_anew_forks_from_the_log(tmp_path: Path, log: VoteLog, records: list[dict[str, Any]]) -> None:
    station, anew = records[0]["station_id"], _chained_anew(records, 2)
    assert _told(tmp_path, anew).chains == ()  # by itself nothing shows it
    assert _told(tmp_path, records, anew).chains == (ChainFound(station, 0, None, 4, 3),)
    found = _told(tmp_path, anew, into=log)
    assert found.chains == (ChainFound(station, 0, None, 4, 3),)
    assert any(
        f"4 places (the first: seq 3) in the chain of station {station[:8]}" in one for one in finding_sentences(found)
    )


def test_a_part_that_does_not_fit_the_log(tmp_path: Path, records: list[dict[str, Any]]) -> None:
    with open_log(tmp_path / "part") as part:
        _told(tmp_path, records[:3], into=part)
        found = _told(tmp_path, _chained_anew(records, 2)[3:], into=part)
    assert found.chains == (ChainFound(records[0]["station_id"], 1, 4, 0, None),)


@pytest.mark.parametrize("changes", [{"seq": "1"}, {"seq": 0}, {"seq": True}, {"station_id": 5}], ids=repr)
def test_records_outside_any_chain_are_counted(
    tmp_path: Path, records: list[dict[str, Any]], changes: dict[str, Any]
) -> None:
    found = _told(tmp_path, [*records, foreign_record(**changes)])
    assert (found.outside, found.chains) == (1, ())
    assert any(one.startswith("1 record has no place in any station's chain") for one in finding_sentences(found))


def test_votes_of_other_programs_are_outside_no_chain(tmp_path: Path, log: VoteLog) -> None:
    old = {"arena": "english", "model_a": {"repo_id": "x/one"}, "model_b": {"repo_id": "x/two"}, "vote": "a"}
    import_votes(log, [write_lines(tmp_path / "old", [old])], roster=ROSTER)
    export_votes(log, tmp_path / "kept.jsonl")
    with open_log(tmp_path / "other") as other:
        report = import_votes(other, [tmp_path / "kept.jsonl"], roster=ROSTER)
    assert (report.new, report.findings.outside) == (1, 0)


def test_many_stations_are_shortened(tmp_path: Path) -> None:
    def broken(number: int) -> dict[str, Any]:
        return foreign_record(
            id=f"01900000-0000-7000-8000-{number:012}", station_id=f"{number:08}-rest", prev_hash="0" * 64
        )

    sentences = finding_sentences(_told(tmp_path, [broken(number) for number in range(9)]))
    assert sum("doesn't fit" in one for one in sentences) == 5
    assert "… and 4 more stations whose records don't fit together." in sentences
