"""Whatever is picked from a log verifies and can be imported; whatever a cell holds can be had back; nothing depends on
where or when an export is made.
"""

import csv
import io
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena_desktop.domain.records import VOTE
from arena_desktop.domain.vote_filter import VoteFilter, speaks_of
from arena_desktop.services.exchange import export_votes, import_votes, verify_files
from arena_desktop.services.vote_export import FORMATS
from arena_desktop.services.vote_exports.as_csv import cell
from arena_desktop.store.rows import study_of
from arena_desktop.store.vote_log import VoteLog
from tests.helpers.rich_logs import ADA, BOB, RICH_ROSTER, rich_log
from tests.helpers.sources import ROOT
from tests.helpers.vote_logs import open_log

_SCRATCH = "/dev/shm" if Path("/dev/shm").is_dir() else None
_DAYS = st.sampled_from(
    [
        None,
        "2025-01-01T00:00:00.000000Z",
        "2026-03-01T00:00:00.000000Z",
        "2026-05-28T20:26:45.000000Z",
        "2026-06-01T00:00:00.000000Z",
    ]
)
filters = st.builds(
    VoteFilter,
    arena=st.sampled_from([None, "english", "german", "mars"]),
    study=st.sampled_from([None, None, "pilot", "none"]),
    listener=st.sampled_from([None, ADA, BOB]),
    since=_DAYS,
    until=_DAYS,
)


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Iterator[VoteLog]:
    with rich_log(tmp_path_factory.mktemp("rich")) as log:
        yield log


def _picked(log: VoteLog, chosen: VoteFilter) -> list[str]:
    """The hashes of what a filter picks, the slow way."""

    def takes(vote: dict[str, Any]) -> bool:
        at = vote["at"]
        return (
            vote["type"] == VOTE
            and chosen.arena in (None, vote["arena"])
            and chosen.study in (None, study_of(vote))
            and chosen.listener in (None, vote.get("listener"))
            and (chosen.since is None or (at is not None and at >= chosen.since))
            and (chosen.until is None or (at is not None and at < chosen.until))
        )

    votes = [record for record in log.records() if takes(record)]
    ids, hashes = {vote["id"] for vote in votes}, {vote["hash"] for vote in votes}
    studies = {name for vote in votes if (name := study_of(vote)) is not None}
    return [
        record["hash"]
        for record in log.records()
        if chosen.options() is None
        or record["hash"] in hashes
        or (record["type"] != VOTE and speaks_of(record, ids, studies))
    ]


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(filters, st.booleans(), st.sampled_from(["", ".gz", ".zst"]))
def test_what_any_filter_picks_verifies_and_can_be_imported(
    log: VoteLog, chosen: VoteFilter, public: bool, ending: str
) -> None:
    with tempfile.TemporaryDirectory(dir=_SCRATCH) as name, open_log(Path(name) / "log") as other:
        file = Path(name) / f"part{ending}"
        report = export_votes(log, file, chosen, public=public)
        assert verify_files([file]).faults == []
        taken = import_votes(other, [file], roster=RICH_ROSTER)
        assert (taken.new, taken.already, taken.skipped) == (report.records, 0, [])
        assert [record["hash"] for record in other.records()] == _picked(log, chosen)
        export_votes(other, Path(name) / "again.jsonl")
        export_votes(log, Path(name) / "first.jsonl", chosen, public=public)
        first, again = ((Path(name) / each).read_bytes().splitlines() for each in ("first.jsonl", "again.jsonl"))
        assert again[1:] == first[1:]
        assert json.loads(again[0]) == {**json.loads(first[0]), "filter": None}


texts = st.text(max_size=40) | st.lists(
    st.sampled_from([*"=+-@'\"\t\r\n, ;\\#", "＝", "NA", "é", "\x00", "\u2028", "\xa0", "\ufeff"]), max_size=8
).map("".join)
values = texts | st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(-1e9, 1e9)


@given(st.lists(values, min_size=2, max_size=6))
def test_every_cell_survives_a_reader(row: list[Any]) -> None:
    line = ",".join(map(cell, row)) + "\r\n"
    (read,) = csv.reader(io.StringIO(line, newline=""), strict=True)
    assert len(read) == len(row)
    for value, found in zip(row, read, strict=True):
        if value is None:
            assert found == ""
        elif isinstance(value, bool):
            assert found == str(value).upper()
        elif isinstance(value, str):
            assert not found.lstrip().startswith(("=", "+", "-", "@", "＝", "＋", "－", "＠"))
            assert not found.startswith(("\t", "\r", "\n"))
            back = found.removeprefix("'")
            assert len(back) == len(value)
            assert all(a == b or (b == "\ufffd" and not a.isprintable()) for a, b in zip(value, back, strict=True))
        else:
            assert float(found) == value


@given(st.lists(values, min_size=2, max_size=6))
def test_every_row_keeps_to_what_r_reads(row: list[Any]) -> None:
    """``read.csv``: quotes are doubled and nothing else is special between them; a cell has none or begins with one."""
    line = ",".join(map(cell, row))
    assert "\x00" not in line
    cells, rest = 0, line + ","
    while rest:
        if rest.startswith('"'):
            end = 1
            while rest[end] != '"' or rest[end + 1] == '"':
                end += 2 if rest[end] == '"' else 1
            assert rest[end + 1] == ","
            rest = rest[end + 2 :]
        else:
            bare, _, rest = rest.partition(",")
            assert bare in ("", "TRUE", "FALSE") or float(bare) is not None
        cells += 1
    assert cells == len(row)


_SCRIPT = """
import sys
from pathlib import Path
from arena_desktop.services.vote_export import FORMATS, TABLES, export_votes
from tests.helpers.rich_logs import RICH_ROSTER
from tests.helpers.vote_logs import open_log
data, out = map(Path, sys.argv[1:])
with open_log(data) as log:
    for form in FORMATS:
        beside = out / f"{form}.json" if form in TABLES else None
        export_votes(log, out / form, form=form, roster=RICH_ROSTER, public=True, dictionary=beside)
    export_votes(log, out / "packed.gz")
    export_votes(log, out / "packed.zst", form="csv", roster=RICH_ROSTER)
"""


def test_the_bytes_are_the_same_in_any_zone_language_and_hash_order(log: VoteLog, tmp_path: Path) -> None:
    places = (
        {"TZ": "Asia/Kolkata", "LC_ALL": "C", "PYTHONHASHSEED": "1"},
        {
            "TZ": "America/St_Johns",
            "LC_ALL": "de_DE.UTF-8",
            "LANG": "tr_TR.UTF-8",
            "PYTHONHASHSEED": "2",
            "PYTHONUTF8": "0",
        },
    )
    written = []
    for number, place in enumerate(places):
        out = tmp_path / str(number)
        out.mkdir()
        command = [sys.executable, "-c", _SCRIPT, str(log.database.path.parent), str(out)]
        subprocess.run(command, env={**os.environ, **place}, cwd=ROOT, check=True)
        written.append({path.name: path.read_bytes() for path in sorted(out.iterdir())})
    assert set(FORMATS) < set(written[0])
    assert [name for name, data in written[0].items() if written[1][name] != data] == []
