"""Whether groups of votes differ, in words no stronger than the test."""

from typing import NamedTuple

SURE_BELOW = 0.05
ENOUGH_VOTES = 20
"""A group needs that many votes on average before the test says anything: with fewer it would be wrong too often."""

_TEXTS_EACH = 2
_ALL_THE_WAY = 0.995
_MOSTLY = 0.75


class Kind(NamedTuple):
    """What a group is called, and several of them."""

    one: str
    many: str


def sentence(
    kind: Kind,
    *,
    shown: int,
    all_groups: int,
    votes: int,
    unknown: int,
    texts: int | None,
    spread: float,
    chance: float | None,
) -> str:
    """What a reader may take from ``shown`` groups of ``votes`` votes on ``texts`` different texts (None: the groups
    aren't of texts). ``spread`` and ``chance``: see :class:`arena_desktop.ratings.shrinkage.Shrunk`.
    """
    found = [_verdict(kind, shown, votes, texts, spread, chance)]
    if all_groups > shown:
        found.append(f"Shown are the {shown} of {all_groups} {kind.many} with most votes.")
    if unknown and shown:
        found.append(f"{unknown:,} {'vote names' if unknown == 1 else 'votes name'} no {kind.one}.")
    return " ".join(found)


def note(pull: float, spread: float) -> str:
    """What a reader of one group's board must know of how it was made."""
    if not spread or pull > _ALL_THE_WAY:
        return "These are the overall ratings: nothing shows that it has others."
    if pull > _MOSTLY:
        return "Mostly the overall ratings: little shows that it has others."
    return ""


def _verdict(kind: Kind, shown: int, votes: int, texts: int | None, spread: float, chance: float | None) -> str:
    if not shown:
        return f"No vote names a {kind.one}."
    if shown == 1:
        return f"There is one {kind.one} only, so there is nothing to compare."
    if chance is None or votes < ENOUGH_VOTES * shown:
        return f"Too few votes to tell whether the {kind.many} differ."
    if texts is not None and texts < _TEXTS_EACH * shown:
        return f"Too few texts to tell the {kind.many} from the texts in them."
    if chance >= SURE_BELOW:
        drawn = " Groups with few votes are pulled towards the overall ratings." if spread else ""
        often = f"without any difference {round(100 * chance)} boards in 100 would look at least as uneven"
        return f"The {kind.many} differ no more than chance can explain: {often} (p\u00a0=\u00a0{chance:.2f}).{drawn}"
    seen = "p\u00a0≤\u00a00.001" if chance < 0.0015 else f"p\u00a0=\u00a0{chance:.3f}"
    size = f": from one to another a model's rating varies by about ±{spread:.0f} points" if spread else ""
    return f"The {kind.many} differ by more than chance can explain ({seen}){size}."
