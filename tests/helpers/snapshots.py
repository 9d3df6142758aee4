"""Snapshots of an arena's votes for tests of what is shown of them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from arena_desktop.domain.roster import ArenaSpec, ModelSpec
from arena_desktop.ratings.elo import prior_elo
from arena_desktop.ratings.simulate import simulate
from arena_desktop.ratings.table_builder import TableBuilder
from arena_desktop.ratings.vote_table import VoteRow, VoteTable
from arena_desktop.services.arena_votes import ArenaVotes


def vote(a: str, b: str, outcome: str = "a", *, n: int = 0, **changes: Any) -> VoteRow:
    """One vote; ``n`` numbers it."""
    return VoteRow(id=f"v{n:05d}", a=a, b=b, vote=outcome, listener=changes.pop("listener", "l-one"), **changes)


def numbered(rows: Iterable[VoteRow]) -> list[VoteRow]:
    """The rows with ids that tell them apart."""
    return [row._replace(id=f"v{n:05d}") for n, row in enumerate(rows)]


def table_of(rows: Iterable[VoteRow], models: Sequence[str]) -> VoteTable:
    """The rows as columns."""
    builder = TableBuilder(tuple(models))
    for row in rows:
        builder.add(row)
    return builder.table()


def snapshot(
    rows: Iterable[VoteRow],
    models: Sequence[str],
    *,
    specs: Mapping[str, ModelSpec] | None = None,
    names: Mapping[str, str] | None = None,
) -> ArenaVotes:
    """The votes as a board stands on them. A model is called by the last part of its id, with a capital."""
    known = specs or {}
    entries = tuple(known.get(model, ModelSpec(model, model.split("/")[-1].capitalize())) for model in models)
    priors = np.array([prior_elo(model.tts_index) for model in entries])
    return ArenaVotes(
        arena=ArenaSpec("english", tuple(models), "English"),
        models=entries,
        table=table_of(rows, models),
        priors=priors,
        elo=priors.copy(),
        retracted=(),
        left_out={},
        names=names or {},
    )


def simulated(models: int, votes: int, **options: Any) -> ArenaVotes:
    """A snapshot of a simulated panel, see :func:`arena_desktop.ratings.simulate.simulate`."""
    panel = simulate([f"x/m{n:02d}" for n in range(models)], votes, **options)
    return replace(snapshot((), panel.models), table=panel.table())
