"""What the audit says of a board, as far as an export repeats it."""

from arena_desktop.services.board_views import AuditLine, AuditView, Severity


def fired(view: AuditView) -> list[AuditLine]:
    """The checks that found something."""
    return [line for line in view.lines if line.severity not in (Severity.OK, Severity.UNKNOWN)]


def titles(view: AuditView, severity: Severity) -> str:
    """The checks that ended so, by name; "" if there is none."""
    return "; ".join(line.title for line in view.lines if line.severity is severity)
