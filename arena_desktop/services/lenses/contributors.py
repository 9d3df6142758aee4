"""Who the votes came from, and whose are unlike those of a listener."""

from arena_desktop.services import contributor_words as words
from arena_desktop.services.arena_votes import ArenaVotes
from arena_desktop.services.board_views import AuditLine, ContributorsLens, ContributorsView, Severity
from arena_desktop.services.contributors import Contributor, contributors

MOST = 100
"""So many cards are shown."""


def look(votes: ArenaVotes, lens: ContributorsLens) -> ContributorsView:
    """The cards of one arena, suspects first. Raises :class:`NotConverged` where a fit does."""
    cards = contributors(votes)
    said = words.sentence(cards)
    if len(cards) > MOST:
        said += f" The first {MOST} are shown; the command `votes contributors` lists all."
    lines = tuple(_line(votes, card) for card in cards[:MOST])
    return ContributorsView(votes.arena.id, len(votes.table), said, lines)


def _line(votes: ArenaVotes, card: Contributor) -> AuditLine:
    found = words.findings(card)
    left_out = ", ".join(f"{number:,} ({reason})" for reason, number in card.excluded)
    return AuditLine(
        check=f"{card.station} {card.listener} {card.source}",
        title=words.who(card, votes.names),
        severity=_severity(card),
        found=" ".join(found) or words.in_short(card),
        effect=f"Votes that the policy leaves out: {left_out}." if left_out else "",
        remedy=words.remedy(card) if found else "",
        figures=tuple(words.figures(card)),
    )


def _severity(card: Contributor) -> Severity:
    if card.checks:
        return Severity.WARNING
    if card.excluded:
        return Severity.NOTICE
    return Severity.OK if words.can_tell(card) else Severity.UNKNOWN
