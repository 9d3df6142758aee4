"""The lens of pairs: counts as they were cast, what the ratings expect of them, and what chance makes of circles."""

from dataclasses import replace

import pytest

from arena_desktop.ratings import NotConverged
from arena_desktop.services.arena_votes import ArenaVotes
from arena_desktop.services.board_views import PairsLens, PairsView
from arena_desktop.services.lenses import look
from tests.helpers.snapshots import numbered, simulated, snapshot, vote

A, B, C, D = "x/alder", "x/birch", "x/cedar", "x/dogwood"


def pairs(votes: ArenaVotes) -> PairsView:
    view = look(replace(votes, you="l-one"), PairsLens())
    assert isinstance(view, PairsView)
    return view


def test_the_matrix_holds_what_was_cast() -> None:
    rows = [vote(A, B)] * 6 + [vote(B, A)] * 2 + [vote(A, B, "tie"), vote(A, B, "both_bad"), vote(B, C), vote(B, C)]
    view = pairs(snapshot(numbered(rows), (A, B, C, D)))
    assert next(model.name for model in view.models) == "Alder"
    place = {model.repo_id: number for number, model in enumerate(view.models)}
    assert view.models[3].repo_id == D
    cell = view.cells[place[A]][place[B]]
    assert cell is not None
    assert (cell.games, cell.wins, cell.losses, cell.ties, cell.both_bad) == (10, 6, 2, 1, 1)
    assert cell.share == pytest.approx(0.7)
    assert view.cells[0][0] is None
    other = view.cells[place[B]][place[A]]
    assert other is not None
    assert (other.wins, other.losses) == (2, 6)
    assert other.share == pytest.approx(0.3)
    assert cell.expected is not None
    assert other.expected == pytest.approx(1 - cell.expected)
    assert other.residual == pytest.approx(-(cell.residual or 0))
    never = view.cells[place[A]][place[C]]
    assert never is not None
    assert (never.games, never.share, never.residual) == (0, None, None)
    assert never.expected is not None, "a chain of games connects them"
    unplayed = view.cells[place[A]][place[D]]
    assert unplayed is not None
    assert unplayed.expected is None
    assert "4 of 6 pairs never met." in view.notes


def test_neighbours_stand_in_the_order_of_the_board_with_one_sentence_each() -> None:
    view = pairs(snapshot(numbered([vote(A, B)] * 7 + [vote(A, B, "b")] * 2 + [vote(B, C)]), (A, B, C, D)))
    assert [(n.upper.name, n.lower.name) for n in view.neighbours] == [("Alder", "Birch"), ("Birch", "Cedar")]
    first, second = view.neighbours
    assert first.sentence.startswith("You prefer Alder over Birch 7 of 9 times: likely, not yet sure; about ")
    assert first.more_votes is not None
    assert second.sentence == "You preferred Birch over Cedar once: too early to tell."


def test_groups_that_never_met_are_not_ranked_against_each_other() -> None:
    view = pairs(snapshot(numbered([vote(A, B)] * 3 + [vote(C, D)] * 3), (A, B, C, D)))
    unknown = [n for n in view.neighbours if "nothing is known between them" in n.sentence]
    assert unknown
    assert all(n.more_votes is None for n in unknown)


def test_a_circle_of_coin_flips_is_called_no_finding() -> None:
    view = pairs(snapshot(numbered([vote(A, B), vote(B, C), vote(C, A)]), (A, B, C)))
    assert view.cycles == (
        (
            "The only three models each pair of which has a majority go round in a circle; coin flips would make about "
            "0.25, the ratings expect 0.25."
        ),
        (
            "Alder over Birch (1 of 1), Birch over Cedar (1 of 1), Cedar over Alder (1 of 1): no finding, chance makes "
            "such circles."
        ),
    )


def test_a_circle_that_holds_is_told_with_the_pair_that_fits_worst() -> None:
    view = pairs(snapshot(numbered(([vote(A, B), vote(B, C), vote(C, A)]) * 20), (A, B, C)))
    assert "no one ranking fits these three" in view.cycles[1]
    (note,) = [note for note in view.notes if "than their ratings say" in note]
    assert "20 of 20 points, 10.0 expected (4.5 standard errors)" in note


def odd(view: PairsView) -> int:
    return sum(cell.odd for row in view.cells for cell in row if cell is not None)


@pytest.mark.parametrize("seed", range(6))
def test_a_cell_is_marked_where_the_note_names_a_pair_and_nowhere_else(seed: int) -> None:
    view = pairs(simulated(12, 2000, listeners=40, seed=seed))
    residuals = [abs(cell.residual or 0) for row in view.cells for cell in row if cell is not None]
    named = any("than their ratings say" in note for note in view.notes)
    assert named == (odd(view) > 0)
    assert named == (max(residuals) > 3.36), "one in twenty boards, over 66 pairs"
    assert named != any("than chance explains" in note for note in view.notes)


def test_every_pair_of_a_circle_that_holds_is_marked() -> None:
    assert odd(pairs(snapshot(numbered(([vote(A, B), vote(B, C), vote(C, A)]) * 20), (A, B, C)))) == 6


def test_a_panel_is_spoken_of_as_listeners_like_these() -> None:
    view = pairs(simulated(8, 1200, listeners=20, seed=4))
    assert len(view.neighbours) == 7
    assert all("isteners like these" in n.sentence or "never met" in n.sentence for n in view.neighbours)
    assert all("You" not in n.sentence for n in view.neighbours)
    assert view.cycles


@pytest.mark.parametrize("rows", [[], [vote(A, B, "both_bad", n=n) for n in range(4)], [vote(A, B)]])
def test_hardly_any_votes(rows: list[object]) -> None:
    view = pairs(snapshot(rows, (A, B)))  # type: ignore[arg-type]
    assert len(view.neighbours) == (1 if rows else 0)
    assert view.cycles == ()
    assert len(view.cells) == 2


def test_a_fit_that_fails_leaves_the_counts() -> None:
    votes = snapshot([vote(A, B)], (A, B))

    class Failing(ArenaVotes):
        @property
        def standings(self):  # type: ignore[no-untyped-def]
            raise NotConverged("The fit went wrong.", "Look at the log.")

    view = look(Failing(**{name: getattr(votes, name) for name in ArenaVotes.__dataclass_fields__}), PairsLens())
    assert isinstance(view, PairsView)
    assert view.cells[0][1] is not None
    assert view.cells[0][1].games == 1
    assert view.cells[0][1].expected is None
    assert view.notes[0].startswith("The fit went wrong.")
