"""What could be wrong with this board, in words, the worst first."""

from collections.abc import Mapping
from dataclasses import replace

from arena_desktop.domain.reading import SILENT
from arena_desktop.ratings.audit import Finding, Severity, audit
from arena_desktop.ratings.audit.conditions import Conditions
from arena_desktop.ratings.table_builder import TableBuilder
from arena_desktop.ratings.vote_table import VoteTable
from arena_desktop.services import audit_words_board as board
from arena_desktop.services import audit_words_mixed as mixed
from arena_desktop.services import audit_words_votes as cast_votes
from arena_desktop.services.arena_votes import ArenaVotes
from arena_desktop.services.audit_words import Wording, Words, times
from arena_desktop.services.board_views import AuditLens, AuditLine, AuditView
from arena_desktop.services.board_views import Severity as ShownSeverity

SEED = 20260101
"""What is drawn by lot is drawn the same way each time: the same log gives the same audit."""

NO_VOTES = "There are no votes yet."
NONE_COUNTS = "There are votes, but none counts here."

_OWN_WILL = ("undo", "mistake", "other")

WORDINGS: Mapping[str, Wording] = {
    "islands": board.islands,
    "coverage": board.coverage,
    "side": cast_votes.side,
    "first_played": cast_votes.first_played,
    "tie_rule": board.tie_rule,
    "cycles": board.cycles,
    "clustering": cast_votes.clustering,
    "one_listener": cast_votes.one_listener,
    "leader": board.leader,
    "order_wobble": board.order_wobble,
    "prior_share": board.prior_share,
    "self_agreement": cast_votes.self_agreement,
    "names_seen": cast_votes.names_seen,
    "retractions": cast_votes.retractions,
    "conditions": mixed.conditions,
    "makes": mixed.makes,
}
"""How each check's finding is worded."""


def look(votes: ArenaVotes, lens: AuditLens) -> AuditView:
    """The audit of one arena. Raises :class:`NotConverged` where a fit does."""
    found = worst_first(findings(votes))
    lines = tuple(_line(finding, worded(votes, finding)) for finding in found)
    return AuditView(votes.arena.id, len(votes.table), _sentence(votes, lines), lines)


def findings(votes: ArenaVotes) -> tuple[Finding, ...]:
    """What the checks found, in their own order."""
    found = audit(votes.table, priors=votes.priors, retracted=_taken_back(votes), seed=SEED)
    silent = votes.left_out.get(SILENT, 0)
    return tuple(_silence_told(finding, silent) for finding in found) if silent and len(votes.table) else found


def worst_first(found: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """What fires before what can't be told, and that before what is well."""
    return tuple(sorted(found, key=lambda finding: -finding.severity.order))


def worded(votes: ArenaVotes, finding: Finding) -> Words:
    """One finding in words, with the roster's names."""
    names = {model.repo_id: model.name for model in votes.models}
    words = WORDINGS[finding.check](finding, lambda repo_id: names.get(repo_id, repo_id))
    return words if len(votes.table) else Words(words.title, _why_empty(votes))


def _silence_told(finding: Finding, silent: int) -> Finding:
    """Votes cast without sound are on no board, so that no check of a board's votes sees them: said here."""
    if not isinstance(finding.figures, Conditions):
        return finding
    severity = finding.severity if finding.severity.fires else Severity.NOTICE
    return replace(finding, severity=severity, figures=replace(finding.figures, silent_left_out=silent))


def _line(finding: Finding, words: Words) -> AuditLine:
    severity = ShownSeverity(finding.severity.value)
    return AuditLine(finding.check, words.title, severity, words.found, words.effect, words.remedy, words.figures)


def _taken_back(votes: ArenaVotes) -> VoteTable:
    builder = TableBuilder(tuple(model.repo_id for model in votes.models))
    for vote in votes.retracted:
        if vote.reason in _OWN_WILL:
            builder.add(vote.row)
    return builder.table()


def _why_empty(votes: ArenaVotes) -> str:
    return NONE_COUNTS if votes.left_out else NO_VOTES


def _sentence(votes: ArenaVotes, lines: tuple[AuditLine, ...]) -> str:
    if not len(votes.table):
        return f"{_why_empty(votes)} There is nothing to audit."
    fired = [line for line in lines if Severity(line.severity.value).fires]
    untold = sum(line.severity is ShownSeverity.UNKNOWN for line in lines)
    rest = f" {times(untold, 'check')} can't tell yet." if untold else ""
    if not fired:
        return f"Nothing was found against this board.{rest}"
    return f"{times(len(fired), 'finding')} in {len(lines)} checks; the gravest: {fired[0].title}.{rest}"
