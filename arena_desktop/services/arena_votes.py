"""One arena's votes as a board stands on them: what audits, filters, histories and exports are functions of."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from arena_desktop.domain.roster import ArenaSpec, ModelSpec
from arena_desktop.ratings.arrays import FloatArray
from arena_desktop.ratings.meetings import Meetings, meetings
from arena_desktop.ratings.standings import Standings, rating_standings
from arena_desktop.ratings.vote_table import VoteRow, VoteTable
from arena_desktop.services.counted_votes import Excluded


@dataclass(frozen=True)
class RetractedVote:
    """A vote that was taken back, when (microseconds since 1970, -1 unknown), and why."""

    row: VoteRow
    at: int
    reason: str


@dataclass(frozen=True)
class Speeds:
    """Real-time factors by ``repo_id`` (seconds of work for a second of sound), measured on one ``device``: ``cpu``,
    ``cuda`` or ``mps``; "" without any.
    """

    device: str = ""
    factors: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class ArenaVotes:
    """A snapshot; later votes don't change it.

    ``models`` are the roster's entries of the arena's members, in its order; ``priors`` their benchmark priors and
    ``elo`` their Live Elo, both in Elo points, shape (models,). ``table`` holds the votes that count. ``left_out``
    counts votes of the whole log by the reason why no board has them. ``retracted`` are this arena's, in canonical
    order; ``excluded`` counts this arena's votes that the policy leaves out. ``names`` are those of the listeners that
    this machine knows, by pseudonym; ``you`` is the pseudonym of whoever looks, empty if it isn't known. ``last`` are
    the standings of nearly the same votes, where the fit begins. ``speeds`` are those that were measured apart from the
    votes, which say how fast each of their clips was made, on whichever machine.
    """

    arena: ArenaSpec
    models: tuple[ModelSpec, ...]
    table: VoteTable
    priors: FloatArray
    elo: FloatArray
    retracted: tuple[RetractedVote, ...]
    left_out: Mapping[str, int]
    excluded: Mapping[Excluded, int] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    you: str = ""
    last: Standings | None = None
    speeds: Speeds = Speeds()

    @cached_property
    def standings(self) -> Standings:
        """The board by ``rating`` of all these votes, fitted when it is first asked for.

        Raises :class:`NotConverged`.
        """
        return rating_standings(self.table.columns(), start=self.last)

    @property
    def fitted(self) -> Standings | None:
        """The standings if they have been asked for already, else those that the fit would begin from."""
        found: Standings | None = vars(self).get("standings", self.last)
        return found

    @cached_property
    def met(self) -> Meetings:
        """Who met whom, counted when it is first asked for."""
        return meetings(self.table)
