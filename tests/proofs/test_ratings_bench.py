"""Replay, fit and intervals of a million votes against the plain way to do the same."""

from pathlib import Path

import pytest

from tests.helpers.evidence import evidence
from tests.helpers.program import run_json


@pytest.mark.proof("ratings_bench")
@pytest.mark.timeout(3600)
def test_ratings_against_the_plain_way(tmp_path: Path, full_counts: bool) -> None:
    votes = 1_000_000 if full_counts else 20_000
    found = run_json("--data-dir", str(tmp_path), "bench", "ratings", "--votes", str(votes))
    replay, fit, intervals, many = (found[key] for key in ("replay", "fit", "intervals", "many_models"))
    figures = {
        "votes": found["votes"],
        "models": found["models"],
        "replay_original_s": replay["original"]["seconds"],
        "replay_original_peak_mb": replay["original"]["peak_mb"],
        "replay_records_s": replay["records"]["seconds"],
        "replay_records_peak_mb": replay["records"]["peak_mb"],
        "replay_records_times_as_fast": replay["records"]["times_as_fast"],
        "replay_arrays_s": replay["arrays"]["seconds"],
        "replay_arrays_peak_mb": replay["arrays"]["peak_mb"],
        "replay_arrays_times_as_fast": replay["arrays"]["times_as_fast"],
        "arrays_equal_records": replay["arrays_equal_records"],
        "largest_difference_from_original_elo": replay["largest_difference_from_original"],
        "fit_original_s": fit["original"]["seconds"],
        "fit_original_peak_mb": fit["original"]["peak_mb"],
        "fit_original_balance_error_games": fit["original"]["balance_error"],
        "fit_s": fit["newton"]["seconds"],
        "fit_peak_mb": fit["newton"]["peak_mb"],
        "fit_balance_error_games": fit["newton"]["balance_error"],
        "fit_times_as_fast": fit["newton"]["times_as_fast"],
        "bootstrap_s": intervals["bootstrap"]["seconds"],
        "bootstrap_resamples_timed": intervals["bootstrap"]["timed_resamples"],
        "bootstrap_peak_mb": intervals["bootstrap"]["peak_mb"],
        "intervals_s": intervals["clustered"]["seconds"],
        "intervals_peak_mb": intervals["clustered"]["peak_mb"],
        "intervals_share_of_bootstrap": intervals["clustered"]["share_of_bootstrap"],
        "many_models": many["models"],
        "many_models_fit_s": many["seconds"],
        "many_models_peak_mb": many["peak_mb"],
        "many_models_balance_error_games": many["balance_error"],
    }
    right = replay["arrays_equal_records"] and replay["largest_difference_from_original"] < 1e-6
    converged = max(fit["newton"]["balance_error"], many["balance_error"]) < 1e-9
    # A small count shows that it works; how fast it is shows at the full one.
    fast = not full_counts or (
        replay["arrays"]["times_as_fast"] >= 5
        and replay["records"]["times_as_fast"] >= 2.5
        and fit["newton"]["times_as_fast"] >= 100
        and intervals["clustered"]["share_of_bootstrap"] <= 0.01
    )
    evidence(
        "ratings_bench",
        figures,
        holds=right and converged and fast,
        claim="A million votes over 50 models, against the plain way in the same run: replay from arrays ≥ 5 × and of"
        " records ≥ 2.5 × as fast, fit ≥ 100 × as fast as 500 sweeps and converged (< 1e-9 games), clustered intervals"
        " in ≤ 1/100 of a bootstrap of 1,000; 2,000 models fit.",
    )
