"""What the votes say about who should meet next, from the store's thread to the one that plans battles."""

import logging
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from arena_desktop.domain.roster import ModelSpec
from arena_desktop.ratings import NotConverged
from arena_desktop.ratings.elo import ANCHOR
from arena_desktop.ratings.live_fit import expected_errors
from arena_desktop.ratings.pairing import UNIFORM, PairKnowledge, pair_chances, uniform_chances
from arena_desktop.services.arena_votes import ArenaVotes
from arena_desktop.services.gone_arena import unless_gone
from arena_desktop.services.jobs import JobThread

log = logging.getLogger(__name__)


def pair_knowledge(votes: ArenaVotes) -> PairKnowledge:
    """What a snapshot says of its models: ratings, standard errors of their differences, and who met.

    An error is the one that the fit itself expects, its prior included, so that it is right for a model with few games
    or none; with enough listeners to see how far their tastes differ, the larger of that and the board's own. Raises
    :class:`NotConverged`.
    """
    standings, games = votes.standings, votes.met.games.astype(np.float64)
    rating = np.full(len(votes.models), ANCHOR)
    if standings.fit is not None:
        rating[standings.played] = standings.fit[standings.played]
    error = expected_errors(games, rating)
    if standings.doubt is not None and standings.general:
        block = np.ix_(standings.played, standings.played)
        error[block] = np.maximum(error[block], standings.doubt.difference)
    return PairKnowledge(tuple(model.repo_id for model in votes.models), rating, error, games)


def chances_of(
    policy: str,
    known: PairKnowledge | None,
    models: Sequence[ModelSpec],
    text: str,
    may_meet: Sequence[bool] | None = None,
) -> tuple[str, list[float]]:
    """The chance of each pair of ``models``, in the order of ``itertools.combinations``, and the name of the policy
    that gives it: where nothing is known of one of them, that is uniform. ``may_meet``, in the same order, has False
    for pairs without a chance (None: each has one); the others share theirs in proportion. Some pair must be left.
    """
    named, chances = _unbound(policy, known, models, text)
    if may_meet is None or all(may_meet):
        return named, chances
    if sum(left := [chance * may for chance, may in zip(chances, may_meet, strict=True)]) <= 0:
        # The policy gave all its chances to pairs that can't meet: it has nothing to say of the others.
        named, left = UNIFORM, [float(may) for may in may_meet]
    total = math.fsum(left)
    return named, [chance / total for chance in left]


def _unbound(
    policy: str, known: PairKnowledge | None, models: Sequence[ModelSpec], text: str
) -> tuple[str, list[float]]:
    position = {} if known is None else {repo_id: place for place, repo_id in enumerate(known.models)}
    if known is None or not all(model.repo_id in position for model in models):
        return UNIFORM, uniform_chances(len(models)).tolist()
    places = np.array([position[model.repo_id] for model in models], np.int64)
    return policy, pair_chances(policy, known.among(places, text), text).tolist()


def votes_behind(known: PairKnowledge) -> int:
    """How many votes of the arena this knowledge comes from."""
    return round(float(known.games.sum()) / 2)


class Boards(Protocol):
    """The board; every call runs on the store's thread."""

    def votes(self, arena: str) -> ArenaVotes: ...


@dataclass(frozen=True)
class PairNews:
    """Tells whoever plans battles what the votes say, each time they have changed."""

    store: JobThread
    boards: Boards
    know: Callable[[str, PairKnowledge | None], None]

    def tell(self, arena: str) -> None:
        """Look at the arena's votes as they are shown now, and pass on what they say."""
        self.store.ask(lambda: self._look(arena), lambda known: self.know(arena, known), unless_gone)

    def _look(self, arena: str) -> PairKnowledge | None:
        try:
            return pair_knowledge(self.boards.votes(arena))
        except NotConverged as problem:
            log.warning("pairs of %s are drawn evenly: %s", arena, problem)
            return None
