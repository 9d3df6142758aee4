"""What the bench compares with does the same work: the same ratings, and a fit that would get there in the end."""

import json

import numpy as np
import pytest

from arena_desktop.cli.main import main
from arena_desktop.ratings.bradley_terry import fit_table
from arena_desktop.ratings.pair_table import pair_table
from arena_desktop.services.bench import original, ratings
from arena_desktop.services.bench.ratings import balance_error


def test_the_balance_is_zero_at_the_optimum_alone() -> None:
    chance = np.random.default_rng(3)
    a = chance.integers(0, 5, 400)
    b = (a + chance.integers(1, 5, 400)) % 5
    table = pair_table(5, a, b, np.ones(400), chance.integers(0, 3, 400) / 2)
    prior = np.array([900.0, 950.0, 1000.0, 1050.0, 1100.0])
    best = fit_table(table, prior)
    assert balance_error(table, best, prior) < 1e-9
    assert balance_error(table, best + np.array([1.0, 0, 0, 0, 0]), prior) > 0.01


def test_enough_plain_sweeps_end_at_the_same_optimum(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(original, "SWEEPS", 20_000)
    priors = {"x/one": 1010.0, "x/three": 990.0, "x/two": 1000.0}
    pairs = {"x/one|x/two": [9.0, 6.5], "x/three|x/two": [7.0, 3.0]}
    table = pair_table(3, np.array([0, 1]), np.array([2, 2]), np.array([9.0, 7.0]), np.array([6.5, 3.0]))
    found = original.plain_fit(pairs, priors)
    assert list(found.values()) == pytest.approx(fit_table(table, np.array(list(priors.values()))).tolist(), abs=1e-6)


def test_a_bad_count_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "ratings", "--votes", "3"]) == 2
    assert "1,000" in capsys.readouterr().err


def test_the_report_as_text_and_json_names_the_same_figures(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> None:
    monkeypatch.setattr(ratings, "MANY_MODELS", 40)
    monkeypatch.setattr(original, "SWEEPS", 20)
    assert main(["--data-dir", str(tmp_path), "bench", "ratings", "--votes", "2000", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["schema"], report["votes"], report["many_models"]["models"]) == (1, 2000, 40)
    assert report["replay"]["arrays_equal_records"]
    assert report["fit"]["newton"]["balance_error"] < 1e-9 < report["fit"]["original"]["balance_error"]
    assert main(["--data-dir", str(tmp_path), "bench", "ratings", "--votes", "2000"]) == 0
    assert "replay of arrays" in capsys.readouterr().out
