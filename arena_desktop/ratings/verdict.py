"""The verdict on two models: who is preferred, how sure that is, and how many more votes would tell.

*Sure* is meant for people who look after every vote, at whichever pair they like. It takes both

- the interval of the difference, simultaneous over all pairs (Šidák), on one side of 0: the board's own verdict, and
- the same by the anytime-valid boundary (:mod:`arena_desktop.ratings.anytime`), its 5 % shared out over all pairs too,

so that no more than one board in twenty ever says *sure* of a difference that is none, to any one pair, at any time.
*Likely* and *leaning* are no verdicts but odds: at least nine in ten, at least two in three.
"""

import math
from dataclasses import dataclass
from enum import StrEnum

from arena_desktop.ratings.anytime import multiplier
from arena_desktop.ratings.arrays import ELO_PER_LOGIT
from arena_desktop.ratings.intervals import CONFIDENCE, Uncertainty
from arena_desktop.ratings.meetings import Meetings, meetings
from arena_desktop.ratings.power import more_votes, votes_needed, votes_until
from arena_desktop.ratings.quantiles import normal_upper
from arena_desktop.ratings.standings import Standings
from arena_desktop.ratings.vote_table import VoteTable

LIKELY_ODDS = 0.9
LEANING_ODDS = 2.0 / 3.0
FEWEST_GAMES = 5
"""With fewer battles of either model nothing is called likely."""

_LEAST_DF = 1.0


class Strength(StrEnum):
    """How sure an order is."""

    NONE = "none"
    LEANING = "leaning"
    LIKELY = "likely"
    SURE = "sure"


@dataclass(frozen=True)
class Verdict:
    """``upper`` and ``lower`` are positions; ``upper`` is rated higher (at equal ratings, the first of the pair).

    ``wins`` and ``losses`` are those of ``upper`` against ``lower`` head to head; ``ties`` and ``both_bad`` are their
    draws. ``difference`` ≥ 0 is what lies between their ratings in Elo points, with its standard ``error``; both None
    where no chain of games connects the two, or one has no game.
    ``more`` is about how many more votes would make the order sure; None if it is, or if no sensible number would.
    ``early``: one of them has too few battles to call anything likely.
    """

    upper: int
    lower: int
    wins: int = 0
    losses: int = 0
    ties: int = 0
    both_bad: int = 0
    difference: float | None = None
    error: float | None = None
    strength: Strength = Strength.NONE
    more: int | None = None
    early: bool = False

    @property
    def draws(self) -> int:
        """Ties and both bad."""
        return self.ties + self.both_bad

    @property
    def decided(self) -> int:
        """Battles of the two that one of them won."""
        return self.wins + self.losses

    @property
    def games(self) -> int:
        """How often the two met."""
        return self.decided + self.draws

    @property
    def share(self) -> float | None:
        """Wins among the decided battles."""
        return self.wins / self.decided if self.decided else None


def verdict_on(standings: Standings, table: VoteTable, pair: tuple[int, int]) -> Verdict:
    """The verdict on one pair of positions. ``standings`` are of ``table``, by the method ``rating``."""
    return verdict(standings, meetings(table), pair)


def verdict(standings: Standings, met: Meetings, pair: tuple[int, int]) -> Verdict:
    """As :func:`verdict_on`, from the meetings already counted."""
    upper, lower = pair
    ratings = [standings.models[position].rating for position in pair]
    if ratings[0] is not None and ratings[1] is not None and ratings[1] > ratings[0]:
        upper, lower = lower, upper
    found = Verdict(
        upper,
        lower,
        wins=int(met.wins[upper, lower]),
        losses=int(met.wins[lower, upper]),
        ties=int(met.ties[upper, lower]),
        both_bad=int(met.both_bad[upper, lower]),
    )
    played = standings.played.tolist()
    worth = float(met.worth[upper, lower])
    if standings.doubt is None or upper not in played or lower not in played or worth <= 0.0:
        return found
    place, other = played.index(upper), played.index(lower)
    return _judged(found, standings, met, (place, other), worth)


def _judged(found: Verdict, standings: Standings, met: Meetings, places: tuple[int, int], worth: float) -> Verdict:
    doubt = standings.doubt
    assert doubt is not None
    high, low = standings.models[found.upper].rating, standings.models[found.lower].rating
    assert high is not None
    assert low is not None
    difference, error = high - low, float(doubt.difference[places])
    criterion = _Criterion.of(doubt, met.draw_share, float(doubt.vote_difference[places]), error)
    games = met.games.sum(axis=1)
    enough = int(min(games[found.upper], games[found.lower])) >= FEWEST_GAMES
    strength = _strength(criterion, difference, error, worth, enough=enough)
    more = None if strength is Strength.SURE else criterion.more(difference, worth)
    return Verdict(
        **{name: getattr(found, name) for name in ("upper", "lower", "wins", "losses", "ties", "both_bad")},
        difference=difference,
        error=error,
        strength=strength,
        more=more,
        early=not enough,
    )


def _strength(criterion: "_Criterion", difference: float, error: float, worth: float, *, enough: bool) -> Strength:
    if not difference > 0.0 or not error > 0.0:
        return Strength.NONE
    z = difference / error
    if enough and z > criterion.sure_at(worth):
        return Strength.SURE
    if enough and z >= criterion.odds(LIKELY_ODDS):
        return Strength.LIKELY
    return Strength.LEANING if z >= criterion.odds(LEANING_ODDS) else Strength.NONE


@dataclass(frozen=True)
class _Criterion:
    """What *sure* takes. ``ties`` is the share of draws, ``design`` the design effect of the listeners, ``listeners``
    their effective number (infinite where nothing is said of others than these), ``alone`` the chance of error of one
    pair among all, ``board`` the standard errors of the board's own verdict.
    """

    ties: float
    design: float
    listeners: float
    alone: float
    board: float

    @classmethod
    def of(cls, doubt: Uncertainty, ties: float, by_vote: float, error: float) -> "_Criterion":
        size = len(doubt.error)
        alone = -math.expm1(math.log(CONFIDENCE) / max(1, size * (size - 1) // 2))
        design = (error / by_vote) ** 2 if doubt.general and by_vote > 0.0 else 1.0
        listeners = doubt.listeners if doubt.general else math.inf
        return cls(ties, max(1.0, design), listeners, alone, doubt.verdict_quantile())

    def sure_at(self, worth: float) -> float:
        """The standard errors that make a verdict, with all votes ``worth`` so many meetings of the two."""
        decided = worth * (1.0 - self.ties) / self.design
        return max(self.board, student(multiplier(decided, self.alone), self.listeners - 1.0))

    def odds(self, odds: float) -> float:
        """The standard errors above 0 at which the order is right with these odds, 0.5–1."""
        return student(normal_upper(1.0 - odds), self.listeners - 1.0)

    def more(self, difference: float, worth: float) -> int | None:
        """The votes after which the verdict may be expected, if the ratings are right.

        That is when a single look at 5 % would tell the two apart with a power of 80 %, and not before *sure* is due:
        the two come to nearly the same, for looking all the time costs about what the power adds.
        """
        if not difference > 0.0:
            return None
        # Half a draw is in the ratings' share; what is asked for is the share among the decided.
        lead = 0.5 * math.tanh(0.5 * difference / ELO_PER_LOGIT) / max(1.0 - self.ties, 1e-9)
        share = 0.5 + lead
        fixed = normal_upper(0.5 * self.alone)
        decided = worth * (1.0 - self.ties) / self.design

        def due(votes: float) -> float:
            # More votes by others are more listeners: Student's t comes nearer to the normal.
            df = max(self.listeners * max(1.0, votes / max(decided, 1.0)) - 1.0, _LEAST_DF)
            return student(max(fixed, multiplier(votes, self.alone)), df)

        needed = max(votes_needed(share), votes_until(share, due, power=0.0))
        return more_votes(needed, ties=self.ties, design=self.design, there=worth)


def student(z: float, df: float) -> float:
    """The quantile of Student's t with the tail of the normal quantile ``z`` (M. Abramowitz, I. A. Stegun, *Handbook of
    Mathematical Functions*, 26.7.5; from 4 degrees of freedom on).
    """
    if math.isinf(df):
        return z
    z2 = z * z
    first = z * (z2 + 1.0) / 4.0
    second = z * ((5.0 * z2 + 16.0) * z2 + 3.0) / 96.0
    third = z * (((3.0 * z2 + 19.0) * z2 + 17.0) * z2 - 15.0) / 384.0
    return z + first / df + second / df**2 + third / df**3
