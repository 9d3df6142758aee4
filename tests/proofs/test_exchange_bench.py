"""Export, import, merge and check of a million votes: progress, memory, and time against the bare libraries."""

from pathlib import Path

import pytest

from tests.helpers.evidence import evidence
from tests.helpers.program import run_json


@pytest.mark.proof("exchange_bench")
@pytest.mark.timeout(7200)
def test_exchange_against_the_bare_libraries(tmp_path: Path, full_counts: bool) -> None:
    votes = 1_000_000 if full_counts else 2_000
    found = run_json("--data-dir", str(tmp_path), "bench", "exchange", "--votes", str(votes), within=6000.0)
    steps = {what: found[what] for what in ("export", "import", "merge", "verify")}
    figures = {
        "votes": found["votes"],
        "bytes_a_vote": found["bytes_a_vote"],
        **{f"{what}_{key}": step[key] for what, step in steps.items() for key in ("seconds", "wall_s", "peak_mb")},
        "bare_import_s": found["import"]["bare"]["seconds"],
        "bare_merge_s": found["merge"]["bare"]["seconds"],
        "import_ratio": found["import"]["ratio"],
        "merge_ratio": found["merge"]["ratio"],
        "import_locked_s": found["import"]["locked_s"],
        "longest_silence_records": max(step["longest_silence"] for step in steps.values()),
    }
    right = (
        found["export"]["same_bytes_as_imported"]
        and found["merge"]["same_lines_as_bare"]
        and found["import"]["result"] == votes
        and found["merge"]["result"] == votes * 3 // 2
        and found["verify"]["result"] == 1
    )
    small = all(step["peak_mb"] <= 150 for step in steps.values())
    told = figures["longest_silence_records"] <= 1000
    # A small count shows that it works; how fast it is shows at the full one.
    fast = not full_counts or (found["import"]["ratio"] <= 2.5 and found["merge"]["ratio"] <= 2.5)
    evidence(
        "exchange_bench",
        figures,
        holds=right and small and told and fast,
        claim="A million votes (full records, 50 models, 2,000 listeners): export, import, merge of two files half of"
        " whose votes are in both, verify; each tells its progress at least every 1,000 records and takes ≤ 150 MB;"
        " import ≤ 2.5 × and merge ≤ 2.5 × the time of the bare libraries doing the same work on the same bytes.",
    )
