"""The Live Elo leaderboard of one arena."""

from collections.abc import Iterable, Mapping

from arena_desktop.ratings.registry import RatedModel
from arena_desktop.ratings.tally import COUNTS, ModelTally


def elo_rows(tallies: Iterable[ModelTally], models: Mapping[str, RatedModel]) -> list[dict[str, object]]:
    """Highest Elo first; equal Elo: more battles first; then ids in code-point order.

    ``win_rate`` is wins / (wins + losses), ``elo_per_m`` is Elo by million parameters; each is 0 where the divisor is.
    """
    ordered = sorted(tallies, key=lambda tally: (-tally.elo, -tally.battles, tally.repo_id))
    return [_row(tally, models[tally.repo_id]) for tally in ordered]


def _row(tally: ModelTally, model: RatedModel) -> dict[str, object]:
    decided = tally.wins + tally.losses
    return {
        "model": model.name,
        "repo_id": tally.repo_id,
        "params": model.params,
        "params_m": model.params_m,
        "elo": tally.elo,
        "elo_per_m": tally.elo / model.params_m if model.params_m else 0.0,
        "battles": tally.battles,
        **{kind: getattr(tally, kind) for kind in COUNTS},
        "win_rate": tally.wins / decided if decided else 0.0,
    }
