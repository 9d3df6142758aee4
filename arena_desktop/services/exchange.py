"""Votes in and out: export, import, merge, verify, and reading a file of votes without a log."""

from arena_desktop.domain.vote_filter import VoteFilter
from arena_desktop.services.faults import Fault, VerifyReport
from arena_desktop.services.vote_export import ExportReport, export_votes
from arena_desktop.services.vote_files import read_votes
from arena_desktop.services.vote_import import (
    Conflict,
    ImportReport,
    PreparedImport,
    Skip,
    import_votes,
    prepared_import,
)
from arena_desktop.services.vote_merge import MergeReport, merge_files
from arena_desktop.services.vote_verify import verify_files, verify_log

__all__ = [
    "Conflict",
    "ExportReport",
    "Fault",
    "ImportReport",
    "MergeReport",
    "PreparedImport",
    "Skip",
    "VerifyReport",
    "VoteFilter",
    "export_votes",
    "import_votes",
    "merge_files",
    "prepared_import",
    "read_votes",
    "verify_files",
    "verify_log",
]
