"""Where a board comes from, in words."""

from arena_desktop.services.exports.plain import counted, one_line
from arena_desktop.services.exports.report import POLICY_FILE, ROSTER_FILE, VOTES_FILE, BoardReport


def origin(report: BoardReport, command: str) -> tuple[tuple[str, str], ...]:
    """(What, value) pairs, each value in one line."""
    found = report.provenance
    return (
        ("Votes", votes_in_words(report)),
        ("Rules", found.rules),
        ("Log hash", found.log_hash),
        ("Roster hash", found.roster_hash),
        ("Policy hash", found.policy_hash or "none: no policy"),
        *((("Policy", one_line("; ".join(found.policy_words))),) if found.policy_hash else ()),
        (f"Recompute ({_needed(report)})", command),
    )


def _needed(report: BoardReport) -> str:
    """The files that the command reads."""
    votes = f"votes from arena-desktop votes export -o {VOTES_FILE}"
    found, files = report.provenance, [votes]
    if found.own_roster:
        files.append(f"{ROSTER_FILE} is the whole roster, hash {found.roster_hash[:12]}")
    if found.policy_hash:
        files.append(f"{POLICY_FILE} is the whole policy, hash {found.policy_hash[:12]}")
    return "; ".join(files)


def votes_in_words(report: BoardReport) -> str:
    """How many votes under which conditions."""
    conditions = [
        f"{counted(condition['votes'], 'vote')}"
        f" under {'no recorded question' if condition['question'] is None else _quoted(condition['question'])}"
        f"{', cast without sound (--silent)' if condition['silent'] else ''}"
        for condition in report.provenance.conditions
    ]
    return "; ".join(conditions) or "none"


def origin_lines(report: BoardReport, command: str) -> list[str]:
    """One line each."""
    return [f"{what}: {value}" for what, value in origin(report, command)]


def _quoted(question: str) -> str:
    return f"“{one_line(question)}”"
