"""The findings on listeners and their votes in words."""

from typing import cast

from arena_desktop.ratings.audit.agreement import Agreement
from arena_desktop.ratings.audit.bias import Bias
from arena_desktop.ratings.audit.clustering import Clustering
from arena_desktop.ratings.audit.finding import Finding
from arena_desktop.ratings.audit.listener import OneListener
from arena_desktop.ratings.audit.names import NamesSeen
from arena_desktop.ratings.audit.retractions import Retractions
from arena_desktop.services.audit_words import (
    Name,
    Words,
    can_tell,
    listed,
    percent,
    percents,
    points,
    spread,
    times,
    unknown,
)


def side(finding: Finding, name: Name) -> Words:
    """The advantage of sample A."""
    return _bias(finding, name, "What being sample A does", "Sample A")


def first_played(finding: Finding, name: Name) -> Words:
    """The advantage of the sample played first."""
    return _bias(finding, name, "What being played first does", "The sample played first")


def _bias(finding: Finding, name: Name, title: str, what: str) -> Words:
    found = cast(Bias, finding.figures)
    if not found.apart:
        one_way = "In all votes the same side was played first, so that side and order can't be told apart"
        if found.elo is None:
            return Words(title, f"{one_way}.", remedy="Let chance decide which side is played first.")
    if found.elo is None or found.share is None or found.moved is None:
        return Words(title, unknown(finding) if found.votes else "No vote says which sample was played first.")
    figures = (
        ("advantage in Elo", spread(found.elo)),
        ("between equals", f"{100 * (0.5 + found.share.value):.1f} % instead of 50 %"),
        ("votes", f"{found.votes:,}"),
    )
    size = f"{spread(found.elo)} Elo"
    if not can_tell(finding):
        return Words(title, f"{unknown(finding)} So far: {size}.", figures=figures)
    if not finding.severity.fires:
        return Words(title, f"No advantage beyond chance: {size}.", figures=figures)
    way = "preferred" if found.elo.value > 0 else "put back"
    share = f"it wins {100 * (0.5 + found.share.value):.0f} % between equals"
    return Words(
        title,
        f"{what} is {way} for that alone, by {size}: {share}." + ("" if found.apart else " Or it is the order."),
        f"Corrected for side and order, {name(found.moved)} would move by {points(found.moved_elo)} Elo, most of all.",
        "Sides and order must be drawn by lot, which evens this out; look for a difference in sound between the sides.",
        figures,
    )


def clustering(finding: Finding, name: Name) -> Words:
    """How alike one listener's votes are."""
    found = cast(Clustering, finding.figures)
    title = "How alike one listener's votes are"
    if not found.listeners:
        return Words(title, unknown(finding))
    figures: tuple[tuple[str, str], ...] = (
        ("listeners", f"{found.listeners:,}, worth {found.effective:.1f} of equal diligence"),
        ("most votes by one", f"{percent(found.most)}, {found.who}"),
    )
    effect = found.design_effect
    if effect is not None:
        figures += (("design effect", f"{effect:.1f}"),)
    if not can_tell(finding):
        reason = "" if finding.needed else f"Only {times(found.listeners, 'listener')}: nothing to compare"
        return Words(title, unknown(finding, reason), figures=figures)
    if finding.severity.fires and found.most >= 0.4:
        return Words(
            title,
            f"One of {found.listeners} listeners, {found.who}, cast {percent(found.most)} of the votes.",
            f"The board is worth that of {found.effective:.1f} equally diligent listeners.",
            "Let the others vote more, or look at the board without this listener.",
            figures,
        )
    if effect is None:
        return Words(
            title, "Too few equally diligent listeners for a general claim; the board says so.", figures=figures
        )
    width = effect**0.5
    said = (
        f"Taking votes as independent would make intervals {width:.1f} times too narrow."
        if width > 1.05
        else ("Votes of one listener are hardly more alike than those of several.")
    )
    if not finding.severity.fires:
        return Words(title, said, figures=figures)
    return Words(
        title,
        said,
        f"The board's intervals allow for it; a vote is worth {percent(1 / effect)} of one by a new listener.",
        "More listeners, not more votes by the same ones.",
        figures,
    )


def one_listener(finding: Finding, name: Name) -> Words:
    """What the board owes to one listener."""
    found = cast(OneListener, finding.figures)
    title = "Without one listener"
    if not can_tell(finding):
        few = "" if finding.needed else f"Only {times(found.listeners, 'listener')}: too few to leave one out"
        return Words(title, unknown(finding, few))
    moved = "" if found.moved is None else f"{name(found.moved)} would move by {points(found.moved_elo)} Elo"
    figures = (("listener", found.who), ("votes", percent(found.votes)), ("largest move", moved))
    if not finding.severity.fires:
        return Words(
            title,
            f"No listener alone decides: the largest change is that without {found.who} {moved}.",
            figures=figures,
        )
    if found.leader != found.leader_without:
        change = f"{name(found.leader_without)} would be first instead of {name(found.leader)}"
    else:
        upper, lower = found.reversed[0]
        change = f"{name(upper)} would fall below {name(lower)}, over which it is called surely better"
    return Words(
        title,
        f"Without {found.who} ({percent(found.votes)} of the votes) {change}.",
        f"{moved}; {percent(found.weight)} of the doubt about that difference is this one listener's.",
        "Look at this listener's own board and self-agreement before anything is published.",
        (*figures, ("part in the doubt", percent(found.weight))),
    )


def self_agreement(finding: Finding, name: Name) -> Words:
    """Whether listeners repeat themselves."""
    found = cast(Agreement, finding.figures)
    title = "The same pair again"
    figures: tuple[tuple[str, str], ...] = (("repeats", f"{found.repeats:,}, on the same text {found.same_text:,}"),)
    if found.share is None or found.expected is None:
        return Words(title, unknown(finding, "Too few decided repeats of a pair by one listener"), figures=figures)
    figures += (("agree", percents(found.share)), ("by chance", percent(found.expected)))
    said = (
        f"Of {times(found.repeats, 'pair')} of decided votes by one listener on the same two models "
        f"{percents(found.share)} agree; votes drawn anew from the ratings would in {percent(found.expected)}."
    )
    if not finding.severity.fires:
        above = " That is surely more: they know what they like." if found.share.low > found.expected else ""
        return Words(title, said + above, figures=figures)
    who = listed([f"{listener} ({percent(share)})" for listener, share in found.contrary])
    return Words(
        title,
        said + (f" Less than chance by themselves: {who}." if who else ""),
        "Listeners who contradict themselves pull all ratings together and add nothing.",
        "Check keys and headphones of these listeners; look at the board without them.",
        figures,
    )


def names_seen(finding: Finding, name: Name) -> Words:
    """Early against late votes."""
    found = cast(NamesSeen, finding.figures)
    title = "Once names have been seen"
    figures: tuple[tuple[str, str], ...] = (("before", f"{found.before:,}"), ("after", f"{found.after:,}"))
    if not can_tell(finding):
        reason = "" if found.before or found.after else "No vote says whether its names had been seen"
        if reason:
            return Words(title, f"{reason}.", figures=figures)
        return Words(title, unknown(finding), figures=figures)
    figures += tuple((name(shift.model), spread(shift.elo)) for shift in found.shifts[:5])
    if not found.shifted:
        return Words(
            title, "No model does better or worse once its name has been seen, beyond chance.", figures=figures
        )
    surely = [shift for shift in found.shifts if shift.model in found.shifted]
    moved = listed([f"{name(shift.model)} {spread(shift.elo)} Elo" for shift in surely])
    return Words(
        title,
        f"After listeners had seen the names verdicts changed: {moved}.",
        f"Votes after a reveal move these models by up to {points(surely[0].elo.value)} Elo against those before.",
        "Look at the board of votes before the first reveal; show names after a set, or only at the end.",
        figures,
    )


def retractions(finding: Finding, name: Name) -> Words:
    """What was taken back after the reveal."""
    found = cast(Retractions, finding.figures)
    title = "Votes taken back after the reveal"
    figures: tuple[tuple[str, str], ...] = (("cast", f"{found.cast:,}"), ("taken back", f"{found.retracted:,}"))
    if found.share is None:
        reason = "" if found.cast else "No vote says that its names were shown at once"
        return Words(title, f"{reason}." if reason else unknown(finding), figures=figures)
    figures += (("share", percents(found.share)),)
    said = f"{found.retracted:,} of {times(found.cast, 'vote')} were taken back after the names were shown: "
    said += f"{percents(found.share)}."
    if not finding.severity.fires:
        return Words(title, said, figures=figures)
    sides = [
        f"{name(one.model)}'s {'wins' if one.score > one.expected else 'defeats'} more than chance "
        f"({one.score:.1f} of {one.games} points, {one.expected:.1f} expected)"
        for one in found.favours
    ]
    moved = ""
    if found.moved is not None:
        moved = f"Counted after all, they would move {name(found.moved)} by {points(found.moved_elo)} Elo."
    return Words(
        title,
        said + (f" Taken back: {listed(sides)}." if sides else ""),
        moved,
        "Undo is for slips: show names after a set, and ask who took these votes back why.",
        figures,
    )
