"""A card for each contributor: real ones are left alone, planted faults are found and come with a policy."""

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from arena_desktop.domain.policy import Policy
from arena_desktop.domain.roster import ArenaSpec, ModelSpec, Roster
from arena_desktop.ratings.simulate import simulate
from arena_desktop.services import contributor_words as words
from arena_desktop.services.arena_votes import ArenaVotes
from arena_desktop.services.board import Board
from arena_desktop.services.board_views import ContributorsLens, ContributorsView, Severity
from arena_desktop.services.contributors import Check, Contributor, contributors
from arena_desktop.services.lenses import look
from arena_desktop.store.documents import read_text
from arena_desktop.store.policy_reader import read_policy
from tests.helpers.boards import Records, roster_of, vote, votes_between
from tests.helpers.contributors import ARENA, MODELS, SCRIPT, SIDED, SWAPPED, Crowd

ROSTER = Roster({name: ModelSpec(name, name) for name in MODELS}, {ARENA: ArenaSpec(ARENA, MODELS)})
CROWD = Crowd(people=40, votes=60, seed=4)


def board(records: list[dict[str, Any]], policy: Policy | None = None, roster: Roster = ROSTER) -> Board:
    return Board(roster, Records(sorted(records, key=lambda record: str(record["at"]))), policy=policy)


@pytest.fixture(scope="module")
def records() -> list[dict[str, Any]]:
    return [record for log in CROWD.logs() for record in log]


def by_listener(cards: tuple[Contributor, ...]) -> dict[str | None, Contributor]:
    return {card.listener: card for card in cards}


def test_the_three_that_are_no_listeners_are_found_first_and_nobody_else(records: list[dict[str, Any]]) -> None:
    cards = contributors(board(records).votes())
    suspects = [card for card in cards if card.checks]
    assert cards[: len(suspects)] == tuple(suspects)
    assert {card.listener for card in suspects} == {CROWD.listener(person) for person in (SCRIPT, SIDED, SWAPPED)}
    found = by_listener(cards)
    assert Check.SPEED in found[CROWD.listener(SCRIPT)].checks
    assert Check.SIDE in found[CROWD.listener(SIDED)].checks
    assert found[CROWD.listener(SWAPPED)].checks == (Check.WEIGHTS,)
    assert [one.repo_id for one in found[CROWD.listener(SWAPPED)].other_weights] == [MODELS[2]]
    assert len(cards) == 40
    assert sum(card.votes for card in cards) == len(records)
    assert sum(card.share for card in cards) == pytest.approx(1)
    for card in cards:
        assert card.heard == pytest.approx(0.97, abs=0.03)
        assert card.unheard == 0
        assert card.station == CROWD.station(next(n for n in range(40) if CROWD.listener(n) == card.listener))


def test_listeners_alone_are_left_alone() -> None:
    """Few boards here, thousands in the docs: none of the checks fires, whoever listens."""
    for seed, options in enumerate(
        ({"listeners": 20}, {"listeners": 8, "taste_sd": 100.0}, {"listeners": [10.0, *[1.0] * 20]})
    ):
        panel = simulate(12, 2000, seed=seed, **options)  # type: ignore[arg-type]
        votes = cast(ArenaVotes, SimpleNamespace(table=panel.table(), priors=np.full(12, 1000.0), excluded={}))
        assert not [card.checks for card in contributors(votes) if card.checks]


def test_what_the_cards_say_to_write_leaves_exactly_the_suspects_out(records: list[dict[str, Any]]) -> None:
    cards = contributors(board(records).votes())
    text = words.policy_text(filter(None, (words.exclusion(card) for card in cards if card.checks)))
    file = read_policy(read_text(text, "policy.yaml"), Path("policy.yaml"))
    assert not file.faults
    under = board(records, Policy(exclusions=tuple(file.exclusions)))
    assert len(under.votes().table) == len(records) - 3 * CROWD.votes
    after = contributors(under.votes())
    assert not [card for card in after if card.checks]
    left_out = [card for card in after if card.excluded]
    assert {card.listener for card in left_out} == {CROWD.listener(person) for person in (SCRIPT, SIDED, SWAPPED)}
    assert all(card.votes == 0 and card.excluded[0][1] == CROWD.votes for card in left_out)


def test_clips_that_were_not_heard_and_contrary_listeners() -> None:
    models = tuple(f"org/m-{n}" for n in range(4))
    roster = roster_of(("A", "B", "C", "D"))
    votes = votes_between(models, 600, seed=3)
    for one in votes:
        least = 0.2 if one["listener"] == f"l-{'a' * 16}" else 0.95
        one["listening"] |= {"heard_a": 1.0, "heard_b": least, "rt_ms": 900}
    cards = by_listener(contributors(board(votes, roster=roster).votes()))
    assert cards[f"l-{'a' * 16}"].checks == (Check.UNHEARD,)
    assert not any(card.checks for name, card in cards.items() if name != f"l-{'a' * 16}")
    # One who decides the other way each time contradicts themselves.
    for number in range(60):
        winner = "ab"[number % 2]
        votes.append(vote(700 + number, models[0], models[3], winner, listener="l-zzzzzzzzzzzzzzzz"))
    assert Check.CONTRARY in by_listener(contributors(board(votes, roster=roster).votes()))["l-zzzzzzzzzzzzzzzz"].checks


def test_votes_as_if_drawn_by_lot_are_told_from_tastes() -> None:
    panel = simulate(10, 6000, listeners=20, strength_sd=150.0, seed=5)
    table = panel.table()
    outcome, chance = table.outcome.copy(), np.random.default_rng(1)
    mine = table.listener == 3
    outcome[mine] = chance.integers(0, 2, int(mine.sum()))
    votes = SimpleNamespace(table=replace(table, outcome=outcome), priors=np.full(10, 1000.0), excluded={})
    cards = contributors(cast(ArenaVotes, votes))
    assert [(card.listener, card.checks) for card in cards if card.checks] == [(table.listeners[3], (Check.ASTRAY,))]


def test_another_programs_votes_are_one_card_by_their_source() -> None:
    legacy = [
        {
            "type": "vote",
            "id": f"01900000-0000-7000-8000-{n:012d}",
            "at": None,
            "arena": ARENA,
            "vote": "a",
            "model_a": {"repo_id": MODELS[0]},
            "model_b": {"repo_id": MODELS[1]},
            "source": {"label": "friend"},
            "hash": "0",
            "legacy_index": n,
        }
        for n in range(3)
    ]
    (card,) = contributors(Board(ROSTER, Records(legacy)).votes())
    assert (card.station, card.listener, card.source, card.votes) == (None, None, "friend", 3)
    assert words.who(card) == "Nobody named, from «friend»"
    assert 'source: "friend"' in words.policy_text(filter(None, [words.exclusion(card)]))


def test_the_lens_shows_suspects_first_with_a_remedy_and_is_empty_without_votes(records: list[dict[str, Any]]) -> None:
    view = look(board(records).votes(), ContributorsLens())
    assert isinstance(view, ContributorsView)
    assert [line.severity for line in view.lines[:4]] == [Severity.WARNING] * 3 + [Severity.OK]
    assert all("Exclude with:\nexclusions:" in line.remedy for line in view.lines[:3])
    assert view.sentence == "40 contributors; the votes of 3 are unlike those of a listener."
    assert "None" not in json.dumps([line.found + line.remedy + str(line.figures) for line in view.lines])
    empty = look(board([]).votes(), ContributorsLens())
    assert isinstance(empty, ContributorsView)
    assert (empty.lines, empty.sentence) == ((), "Nobody has voted here yet.")
