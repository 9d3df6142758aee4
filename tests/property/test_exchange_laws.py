"""However the stations' files come together: one board, and the live numbers are what a replay of the export gives."""

import itertools
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from arena_desktop.services.board import Board
from arena_desktop.services.exchange import export_votes, import_votes, merge_files
from arena_desktop.services.file_board import board_of_file
from arena_desktop.services.rated_log import RatedLog
from arena_desktop.services.ratings_replay import replay_file
from arena_desktop.store.vote_log import VoteLog
from tests.helpers.vote_logs import ROSTER, START_US, Clock, draft, open_log

_SCRATCH = "/dev/shm" if Path("/dev/shm").is_dir() else None
_LISTENERS = ("l-aaaaaaaaaaaaaaaa", "l-bbbbbbbbbbbbbbbb")
_PAIRS = (("x/one", "x/two"), ("x/two", "x/three"), ("x/three", "x/one"))

votes = st.tuples(st.sampled_from(_PAIRS), st.sampled_from(["a", "b", "tie", "both_bad"]), st.sampled_from(_LISTENERS))
steps = st.lists(votes | st.integers(0, 5), max_size=6)
"""Votes, and numbers of votes to take back."""


def _rated(log: VoteLog) -> RatedLog:
    rated = RatedLog(log, Board(ROSTER, log))
    rated.view("english")
    return rated


def _go_on(log: VoteLog, rated: RatedLog, actions: list[Any]) -> None:
    own: list[dict[str, Any]] = []
    for action in actions:
        if isinstance(action, tuple):
            (a, b), vote, listener = action
            sides = {"model_a": {"repo_id": a}, "model_b": {"repo_id": b}, "conditions": {"reveal": "each"}}
            own.append(rated.cast(draft(vote=vote, listener=listener, **sides), frozenset())[0])
        elif action < len(own):
            vote_taken = own.pop(action)
            rated.take_back(vote_taken["id"], vote_taken["listener"])


@settings(max_examples=8, deadline=None)
@given(st.lists(steps, min_size=3, max_size=3), st.sampled_from([0, -3_600_000_000, 7_200_000_000]))
def test_any_permutation_of_station_files_gives_the_same_board(stations: list[list[Any]], skew: int) -> None:
    with tempfile.TemporaryDirectory(dir=_SCRATCH) as name:
        folder = Path(name)
        paths: list[Path] = []
        for number, actions in enumerate(stations):
            clock = Clock(START_US + number * skew)
            with open_log(folder / f"station {number}", clock=clock) as log:
                if paths:
                    import_votes(log, paths[-1:], roster=ROSTER)
                _go_on(log, _rated(log), actions)
                paths.append(folder / f"{number}.jsonl")
                export_votes(log, paths[-1])
        boards: list[Any] = []
        exports: list[bytes] = []
        for number, order in enumerate(itertools.permutations(paths)):
            with open_log(folder / f"order {number}") as log:
                for path in order:
                    import_votes(log, [path], roster=ROSTER)
                boards.append(_rated(log).view("english"))
                export_votes(log, folder / "export.jsonl")
                exports.append((folder / "export.jsonl").read_bytes())
        merge_files(paths, folder / "merged.jsonl")
        boards.append(board_of_file(ROSTER, folder / "merged.jsonl", silent=False).view("english"))
        assert all(export == (folder / "merged.jsonl").read_bytes() for export in exports)
        assert all(board == boards[0] for board in boards[:-1])
        assert boards[-1].rows == boards[0].rows


@settings(max_examples=15, deadline=None)
@given(steps, steps, steps)
def test_the_live_ratings_are_the_replay_of_the_export(first: list[Any], elsewhere: list[Any], then: list[Any]) -> None:
    with tempfile.TemporaryDirectory(dir=_SCRATCH) as name:
        folder = Path(name)
        with open_log(folder / "here") as here, open_log(folder / "there") as there:
            live = _rated(here)
            _go_on(here, live, first)
            _go_on(there, _rated(there), elsewhere)
            export_votes(there, folder / "theirs.jsonl")
            import_votes(here, [folder / "theirs.jsonl"], roster=ROSTER)
            _go_on(here, live, then)
            export_votes(here, folder / "all.jsonl")
            replayed, _ = replay_file(ROSTER, folder / "all.jsonl", silent=False)
            found = replayed["arenas"]["english"]["models"]
            shown = {row.repo_id: (row.elo, row.wins, row.battles) for row in live.view("english").rows}
            assert shown == {name: (row["elo"], row["wins"], row["battles"]) for name, row in found.items()}
