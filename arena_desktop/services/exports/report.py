"""A board with everything that belongs to it when it leaves the program."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from arena_desktop.domain.roster import roster_hash
from arena_desktop.errors import ArenaError
from arena_desktop.ratings import NotConverged
from arena_desktop.ratings.standings import Standings
from arena_desktop.services.arena_votes import ArenaVotes, Speeds
from arena_desktop.services.board import Board
from arena_desktop.services.board_views import AuditLens, AuditView
from arena_desktop.services.exports.plain import counted
from arena_desktop.services.lenses import look
from arena_desktop.services.policy_words import policy_lines
from arena_desktop.services.verdict_words import board_sentence
from arena_desktop.store.roster_file import shipped_roster

VOTES_FILE = "votes.jsonl"
"""What the command that recomputes a board calls the file of votes. No path of this machine: the same log must give the
same bytes.
"""

ROSTER_FILE = "models.yaml"
"""What that command calls the roster where it is not the one that the program brings along."""

SPEEDS_FILE = "speeds.json"
"""What that command calls the file of measured speeds where there is one."""

POLICY_FILE = "policy.yaml"
"""What that command calls the policy where there is one."""

METHOD_TITLES: Mapping[str, str] = {
    "rating": "Rating",
    "elo": "Live Elo",
    "bt": "Rating with head start",
    "davidson": "Davidson rating",
}


SURE = ": sure."
"""How a verdict ends that leaves no doubt."""

ONE_LOOK = "Rank ranges hold for one look at the finished board; “sure” holds even if you look after every vote."


@dataclass(frozen=True)
class Provenance:
    """Where a board comes from. ``conditions`` are the objects ``{question, silent, votes}`` of the JSON board;
    ``policy_hash`` is ``""`` where no policy was used, ``policy_words`` say a clause each what it says. ``silent``:
    votes cast under ``--silent`` count. ``speeds``: measured speeds stand beside the votes. ``own_roster``: the
    roster is not the one that the program brings along, so whoever recomputes the board must be given it.
    """

    arena: str
    method: str
    rules: str
    log_hash: str
    roster_hash: str
    policy_hash: str
    policy: Mapping[str, Any] | None
    policy_words: tuple[str, ...]
    conditions: tuple[Mapping[str, Any], ...]
    silent: bool
    own_roster: bool
    speeds: bool = False

    def command(self, form: str, name: str) -> str:
        """The command line that makes this very board again, as ``form`` into the file ``name``, from the votes in
        :data:`VOTES_FILE` and, if need be, the roster in :data:`ROSTER_FILE` and the policy in :data:`POLICY_FILE`.
        """
        words = ["arena-desktop", *(["--roster", ROSTER_FILE] if self.own_roster else [])]
        words += [*(["--silent"] if self.silent else []), "leaderboard", "--arena", self.arena]
        words += ["--method", self.method, "--from", VOTES_FILE]
        words += ["--speeds", SPEEDS_FILE] if self.speeds else []
        words += [*(["--policy", POLICY_FILE] if self.policy_hash else []), "--format", form, "-o", name]
        return shlex.join(words)


@dataclass(frozen=True, eq=False)
class BoardReport:
    """One arena's board by one method.

    ``rows`` are those of the JSON board, best first. ``title`` says for whom it speaks, ``sentence`` the verdict in
    words ("" where there is none), which is always that of ``rating`` and says so beside other methods; ``notes`` are
    what a reader must not miss. ``votes`` is what it all stands on, ``standings`` the board by ``rating``, whichever
    the method (None if that fit failed). Nothing here depends on who looks or on which machine.
    """

    title: str
    sentence: str
    rows: tuple[Mapping[str, Any], ...]
    notes: tuple[str, ...]
    provenance: Provenance
    votes: ArenaVotes
    standings: Standings | None

    @cached_property
    def audit(self) -> AuditView:
        """What could be wrong with the board, looked at when it is first asked for."""
        view = look(self.votes, AuditLens())
        assert isinstance(view, AuditView)
        return view

    @property
    def method(self) -> str:
        """``rating``, ``elo``, ``bt`` or ``davidson``."""
        return self.provenance.method

    @property
    def arena_title(self) -> str:
        """The arena's name for people."""
        return self.votes.arena.title or self.votes.arena.id

    @property
    def heading(self) -> str:
        """Arena and method."""
        return f"{self.arena_title}: {METHOD_TITLES.get(self.method, self.method)}"


def board_report(board: Board, arena: str = "", method: str = "rating", speeds: Speeds | None = None) -> BoardReport:
    """The board of ``arena`` (``""``: the roster's first) by ``method``. Reads the board; every export is then a pure
    function of the report. ``speeds`` were measured apart from the votes.

    Raises what :meth:`Board.leaderboard` raises, and :class:`ArenaError` while votes are held back: the board would not
    be that of the log.
    """
    held = board.held_back(arena)
    if held:
        raise ArenaError(
            f"The names of {counted(held, 'vote')} are still held back, and so are these votes.",
            "Finish the set of battles, or let names be shown after every vote (Settings), then write the board.",
        )
    found = board.leaderboard(arena, method)
    votes = replace(board.votes(arena), names={}, you="", speeds=speeds or Speeds())
    standings = _standings(votes)
    provenance = Provenance(
        arena=found["arena"],
        method=method,
        rules=found["rules"],
        log_hash=found["log_hash"],
        roster_hash=found["roster_hash"],
        policy_hash=found["policy_hash"],
        policy=found["policy"],
        policy_words=policy_lines(board.policy),
        conditions=tuple(found["conditions"]),
        silent=board.silent,
        own_roster=found["roster_hash"] != roster_hash(shipped_roster()),
        speeds=speeds is not None,
    )
    rows, sentence = tuple(found["rows"]), _sentence(votes, standings)
    return BoardReport(
        title=_title(votes, standings),
        sentence=f"By {METHOD_TITLES['rating']}: {sentence}" if sentence and method != "rating" else sentence,
        rows=rows,
        notes=(*board.notes(arena), *_on_ranks(rows, sentence)),
        provenance=provenance,
        votes=votes,
        standings=standings,
    )


def _standings(votes: ArenaVotes) -> Standings | None:
    try:
        return votes.standings
    except NotConverged:  # the notes say so
        return None


def _sentence(votes: ArenaVotes, standings: Standings | None) -> str:
    if not len(votes.table):
        return ""  # the title says it
    names = tuple(model.name for model in votes.models)
    return board_sentence(standings, votes.table, names, met=votes.met)


def _on_ranks(rows: Sequence[Mapping[str, Any]], sentence: str) -> tuple[str, ...]:
    """Why the leader may have the first rank alone while the verdict on it is not sure: they answer two questions."""
    alone = any(row.get("rank_low") == row.get("rank_high") == 1 for row in rows)
    return (ONE_LOOK,) if alone and sentence and not sentence.endswith(SURE) else ()


def _title(votes: ArenaVotes, standings: Standings | None) -> str:
    """For whom the ratings speak; whoever reads an export need not be the listener."""
    if not len(votes.table):
        return "No vote counts here" if votes.left_out else "No votes yet"
    if standings is not None and standings.general:
        return "Ratings for listeners like these"
    alone = all(isinstance(name, str) for name in votes.table.listeners) and len(votes.table.listeners) == 1
    return "Ratings for one listener" if alone else "Ratings for these listeners"
