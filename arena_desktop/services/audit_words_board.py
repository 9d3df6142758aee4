"""The findings on the board itself in words: who met whom, ties, circles, first place, order, prior."""

from typing import cast

from arena_desktop.ratings.audit.coverage import Coverage
from arena_desktop.ratings.audit.cycles import Cycles
from arena_desktop.ratings.audit.finding import Finding
from arena_desktop.ratings.audit.islands import Islands
from arena_desktop.ratings.audit.leader import Leader
from arena_desktop.ratings.audit.prior import PriorShare
from arena_desktop.ratings.audit.ties import TieRule
from arena_desktop.ratings.audit.wobble import OrderWobble
from arena_desktop.services.audit_words import Name, Words, can_tell, listed, percent, points, times, unknown

_RULES = {"dropped": "ties are dropped", "davidson": "ties are an outcome of their own (Davidson)"}


def islands(finding: Finding, name: Name) -> Words:
    """Groups that never met."""
    found = cast(Islands, finding.figures)
    title = "Whether games connect all models"
    unplayed = f" Not played yet: {listed([name(model) for model in found.unplayed])}." if found.unplayed else ""
    if len(found.groups) < 2:
        said = "Games connect all models that have played." if found.groups else "There are no votes yet."
        return Words(title, said + unplayed, figures=(("groups", str(len(found.groups))),))
    groups = " | ".join(listed([name(model) for model in group]) for group in found.groups[:4])
    apart = f"No chain of games connects these {len(found.groups)} groups: {groups}."
    if not can_tell(finding):
        apart += " " + unknown(finding, "So few votes may leave gaps by chance")
    return Words(
        title,
        apart + unplayed,
        "Distances between the groups are the prior's doing; ranks across them mean nothing.",
        "Let a model of each group meet one of the others.",
        (("groups", str(len(found.groups))), ("sizes", ", ".join(str(len(group)) for group in found.groups))),
    )


def coverage(finding: Finding, name: Name) -> Words:
    """Pairs and models with too few games."""
    found = cast(Coverage, finding.figures)
    title = "Who met whom"
    figures = (
        ("pairs", f"{found.pairs:,}"),
        ("never met", f"{found.never_met:,}"),
        ("games a pair", f"{found.games_a_pair:.1f}"),
        ("games a model", f"{found.fewest:,} to {found.most:,}, mean {found.games_a_model:.0f}"),
    )
    never = f"{found.never_met:,} of {found.pairs:,} pairs never met"
    if not can_tell(finding):
        return Words(title, f"{never}. {unknown(finding)}", figures=figures)
    few = [f"{name(model)} ({times(games, 'game')})" for model, games in found.few]
    said = f"{never}." + (f" Far fewer games than the others: {listed(few)}." if few else "")
    if not finding.severity.fires:
        return Words(title, said, figures=figures)
    missing = [f"{name(a)} – {name(b)}" for a, b in found.never_met_pairs]
    remedy = "Draw pairs evenly for a while"
    return Words(
        title,
        said,
        "What is said of those models rests on third ones, or on little."
        + (f" Never met: {listed(missing)}." if missing else ""),
        f"{remedy}, so that {'these models catch up' if few else 'the missing pairs meet'}.",
        figures,
    )


def tie_rule(finding: Finding, name: Name) -> Words:
    """Orders that depend on how ties count."""
    found = cast(TieRule, finding.figures)
    title = "How ties are counted"
    figures = (("ties", percent(found.ties)), ("sure orders", str(found.sure)), ("reversed", str(len(found.reversed))))
    if not can_tell(finding):
        return Words(title, unknown(finding), figures=figures)
    if not finding.severity.fires:
        said = (
            "Every order that is sure stays the same" if found.sure else "No order is sure yet, so none can turn round"
        )
        return Words(
            title,
            f"{said}, whether ties count half, are dropped, or are an outcome of their own (Davidson).",
            figures=figures,
        )
    upper, lower, rule = found.reversed[0]
    leaders = list(dict.fromkeys(leader for _, leader in found.leaders))
    place = f"First place goes to {listed([name(model) for model in leaders])}, by rule." if len(leaders) > 1 else ""
    return Words(
        title,
        f"{name(upper)} is called surely better than {name(lower)}, but stands below it when {_RULES[rule]}"
        + (f"; {times(len(found.reversed) - 1, 'more such order')}." if len(found.reversed) > 1 else "."),
        place or "First place is the same by every rule.",
        "Look at how often these models tie and with whom, and say in a report which rule was used.",
        figures,
    )


def cycles(finding: Finding, name: Name) -> Words:
    """Circles of sure victories."""
    found = cast(Cycles, finding.figures)
    title = "Circles"
    figures = (
        ("pairs tested", str(found.pairs)),
        ("sure direct winners", str(found.sure)),
        ("circles", str(len(found.cycles))),
    )
    if found.models < 3:
        return Words(title, "Not applicable: a circle takes three models.", figures=figures)
    if not can_tell(finding):
        return Words(title, unknown(finding), figures=figures)
    if not found.cycles:
        return Words(title, "No models beat each other in a circle, beyond chance.", figures=figures)
    circles = ["; ".join(" beats ".join(name(model) for model in (*circle, circle[0])) for circle in found.cycles[:3])]
    return Words(
        title,
        f"Surely, {circles[0]}.",
        "No rating can hold a circle: between these models the pair's own score says more than the ranks.",
        "Look at the matrix of pairs and at the categories: the models may be good at different texts.",
        figures,
    )


def leader(finding: Finding, name: Name) -> Words:
    """How few votes hold first place."""
    found = cast(Leader, finding.figures)
    title = "Votes that hold first place"
    if not found.leader:
        return Words(title, unknown(finding))
    ahead = f"{name(found.leader)} leads {name(found.second)} by {found.lead:.0f} Elo"
    figures: tuple[tuple[str, str], ...] = (
        ("lead", f"{found.lead:.1f}"),
        ("lead is sure", "yes" if found.sure else "no"),
    )
    if found.votes is None or found.share is None or found.successor is None:
        return Words(title, f"{ahead}; no removal of votes was found that changes that.", figures=figures)
    figures += (("votes", f"{found.votes:,}"), ("of the leader's", percent(found.share)))
    said = f"{ahead}; without {times(found.votes, 'vote')} {name(found.successor)} would be first."
    if not can_tell(finding):
        return Words(title, f"{said} {unknown(finding, 'A handful always would, so early')}", figures=figures)
    if not finding.severity.fires:
        return Words(title, said, figures=figures)
    return Words(
        title,
        said,
        f"First place hangs on {percent(found.share)} of the leader's own votes.",
        "Call them level, or let these two meet more often. The votes: " + listed(found.ids, 10) + ".",
        figures,
    )


def order_wobble(finding: Finding, name: Name) -> Words:
    """What Live Elo owes to order."""
    found = cast(OrderWobble, finding.figures)
    title = "Order in Live Elo"
    if not can_tell(finding):
        return Words(title, unknown(finding))
    leaders = listed([f"{name(model)} {percent(share)}" for model, share in found.leaders])
    figures = (("shuffles", str(found.shuffles)), ("SD in Elo", f"{found.sd:.1f}"), ("leaders", leaders))
    said = f"The same votes in other orders move Live Elo by {found.sd:.0f} Elo (SD); first place: {leaders}."
    if not finding.severity.fires:
        return Words(title, said, figures=figures)
    return Words(
        title,
        said,
        f"By the votes {name(found.leader)} is surely first, whatever Live Elo says at the moment.",
        "Go by Rating; Live Elo only shows what the last votes did.",
        figures,
    )


def prior_share(finding: Finding, name: Name) -> Words:
    """What the ratings owe to the prior."""
    found = cast(PriorShare, finding.figures)
    title = "The prior's share"
    if found.model is None or found.moved is None:
        return Words(title, unknown(finding))
    figures = (
        ("largest share", f"{percent(found.share)}, {name(found.model)}"),
        ("mean share", percent(found.mean_share)),
        ("with half the prior", f"{points(found.moved_elo)} Elo, {name(found.moved)}"),
    )
    said = f"The prior is {percent(found.share)} of the evidence on {name(found.model)}, the most of all."
    if not can_tell(finding):
        return Words(title, f"{said} {unknown(finding, 'That is usual with so few votes')}", figures=figures)
    if not finding.severity.fires:
        return Words(title, said, figures=figures)
    if abs(found.moved_elo) >= 30:
        said = (
            f"Where {name(found.moved)} stands is the prior's doing: it hardly ever loses, or hardly ever wins. {said}"
        )
    return Words(
        title,
        said,
        f"With half the prior {name(found.moved)} would stand {points(found.moved_elo)} Elo from where it stands.",
        "More battles for it against models of its own strength; until then don't read its distance from the others.",
        figures,
    )
