"""A verdict in words: one sentence for the reveal, the top of the board, two neighbours, and the command line.

No sentence is stronger than its :class:`~arena_desktop.ratings.verdict.Verdict`, and whom it speaks of follows from
whose votes these are.
"""

import math
import re
from collections.abc import Sequence
from enum import StrEnum

import numpy as np

from arena_desktop.ratings.meetings import Meetings, meetings
from arena_desktop.ratings.standings import Standings
from arena_desktop.ratings.verdict import FEWEST_GAMES, Strength, Verdict, verdict
from arena_desktop.ratings.vote_table import VoteTable

_BREAKS = re.compile(r"[,;:!?\"“”()]|[.](\s|$)|^\d+$|\s(over|and|than|or)\s|^(over|and|than|or)$", re.IGNORECASE)

_TOLD_APART = 1.96  # standard errors of wins minus losses
_LIKELY = 1.28


class Voice(StrEnum):
    """Of whom a sentence speaks: the one who reads it, one other listener, a few, listeners in general."""

    YOU = "You"
    ONE = "This listener"
    FEW = "These listeners"
    MANY = "Listeners like these"


def voice_of(table: VoteTable, standings: Standings | None, you: str = "") -> Voice:
    """Of whom the verdicts on ``table`` speak. ``you``: the pseudonym of whoever reads, empty if it isn't known."""
    if standings is not None and standings.general:
        return Voice.MANY
    codes = np.unique(table.listener)
    who = table.listeners[int(codes[0])] if len(codes) == 1 and codes[0] >= 0 else None
    if not isinstance(who, str):
        return Voice.FEW  # several, or votes that name nobody: one person's or many people's
    return Voice.YOU if who == you else Voice.ONE


def pair_sentence(found: Verdict, names: Sequence[str], voice: Voice) -> str:
    """The verdict on two models. ``names`` are by position."""
    upper, lower = told(names[found.upper]), told(names[found.lower])
    if found.difference is None:
        return f"{upper} and {lower} never met, directly or through others: nothing is known between them."
    return f"{_opening(found, upper, lower, voice)}{_conclusion(found)}{_more(found, voice)}."


def board_sentence(
    standings: Standings | None,
    table: VoteTable,
    names: Sequence[str],
    *,
    you: str = "",
    met: Meetings | None = None,
    left_out: bool = False,
) -> str:
    """The verdict on the two models at the top; what is missing where there is none. Empty where the fit failed.

    ``names`` are by position in ``table.models``; ``you``: see :func:`voice_of`; ``met``: the meetings, if they were
    counted before; ``left_out``: there are votes, though none that counts here.
    """
    if len(names) < 2:
        return f"A verdict takes two models; this arena has {'one' if names else 'none'}."
    if not len(table):
        return f"{'No vote counts here' if left_out else 'No votes yet'}, so nothing is known."
    if standings is None:
        return ""
    met = meetings(table) if met is None else met
    first, second = _top(standings, met)
    voice = voice_of(table, standings, you)
    found = verdict(standings, met, (first, second))
    sentence = pair_sentence(found, names, voice)
    stands = f"{told(names[first])} {'leads' if found.strength is Strength.SURE else 'is first for now'}. {sentence}"
    if len(standings.islands) > 1:
        return f"Not all models have met; in the group with most votes {stands}"
    return sentence if len(standings.played) == 2 else stands


def told(name: str) -> str:
    """A model's name as it stands in a sentence: in quotation marks where it would not be seen as one name."""
    flat = " ".join(name.split())
    return f"“{flat}”" if not flat or _BREAKS.search(flat) else flat


def counted(number: int) -> str:
    """About so many: two digits that count."""
    digits = max(0, len(str(number)) - 2)
    return f"{round(number, -digits):,}"


def _top(standings: Standings, met: Meetings) -> tuple[int, int]:
    games = met.games
    island = max(standings.islands, key=lambda group: int(games[list(group)].sum()))
    best = sorted(island, key=lambda position: -(standings.models[position].rating or 0.0))
    return best[0], best[1]


def _opening(found: Verdict, upper: str, lower: str, voice: Voice) -> str:
    """What happened between the two, and where that leads."""
    higher = f"{upper} stands higher" if found.strength is not Strength.NONE else ""
    if not found.games:
        return f"{upper} and {lower} never met; by the votes against others {higher or 'they are close'}: "
    if not found.decided:
        often = "the one time they met" if found.games == 1 else f"in {found.games} meetings"
        return f"{voice} found neither of {upper} and {lower} better {often}{_yet(higher)}"
    draws = "" if not found.draws else ", with 1 draw" if found.draws == 1 else f", with {found.draws:,} draws"
    if found.wins == found.losses:
        each = "once each" if found.wins == 1 else f"{found.wins:,} times each"
        return f"{voice} preferred {upper} and {lower} equally often ({each}{draws}){_yet(higher)}"
    if found.wins < found.losses:
        told_pair = _preference(voice, lower, upper, found.losses, found.decided)
        return f"{told_pair}{draws}, yet by all votes {higher or 'the two are close'}: "
    return f"{_preference(voice, upper, lower, found.wins, found.decided)}{draws}{_beyond(found, upper)}: "


def _beyond(found: Verdict, upper: str) -> str:
    """What a reader must know who would draw another conclusion from the two models' own battles."""
    if found.strength is Strength.NONE and _clear(found, _TOLD_APART):  # a circle, say
        return ", yet by all votes the two are close"
    needed = {Strength.LIKELY: _LIKELY, Strength.SURE: _TOLD_APART}.get(found.strength)
    return "" if found.early or needed is None or _clear(found, needed) else f", and by all votes {upper} stands higher"


def _clear(found: Verdict, errors: float) -> bool:
    """Whether the two models' own battles say as much by themselves."""
    enough = found.decided >= FEWEST_GAMES
    return enough and abs(found.wins - found.losses) >= errors * math.sqrt(found.decided)


def _yet(higher: str) -> str:
    return f"; by all votes {higher}: " if higher else ": "


def _preference(voice: Voice, better: str, worse: str, times: int, of: int) -> str:
    if of == 1:
        return f"{voice} preferred {better} over {worse} once"
    verb = "prefers" if voice is Voice.ONE else "prefer"
    return f"{voice} {verb} {better} over {worse} {times:,} of {of:,} times"


def _conclusion(found: Verdict) -> str:
    if found.early:
        return "too early to tell"
    return {
        Strength.NONE: "too close to tell",
        Strength.LEANING: "leaning that way, far from sure",
        Strength.LIKELY: "likely, not yet sure",
        Strength.SURE: "sure",
    }[found.strength]


def _more(found: Verdict, voice: Voice) -> str:
    if found.early or found.strength is Strength.SURE:
        return ""
    if found.more is None:
        return "; if it stays so, no number of votes would tell"
    others = ", by other listeners," if voice in (Voice.FEW, Voice.MANY) else ""
    more = f"{counted(found.more)} more vote{'' if found.more == 1 else 's'}"
    return f"; about {more} on this pair{others} would tell"
