"""Writing the log, or a part of it, as a file: for merging, checking, recomputing, or for other programs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from arena_desktop.domain.policy import Policy, policy_hash, policy_json
from arena_desktop.domain.records import RULES
from arena_desktop.domain.roster import Roster, roster_hash
from arena_desktop.domain.vote_filter import VoteFilter
from arena_desktop.errors import ArenaError, UsageError
from arena_desktop.services.vote_exports import as_csv, as_jsonl, as_lmarena, as_pairs, as_parquet, as_state2
from arena_desktop.services.vote_exports.dictionary import describing
from arena_desktop.services.vote_exports.source import ExportSource
from arena_desktop.store.streamed_file import PACKED, replacing
from arena_desktop.store.vote_log import VoteLog

FORMATS: Mapping[str, Callable[[ExportSource, IO[bytes]], None]] = {
    "jsonl": as_jsonl.write,
    "csv": as_csv.write,
    "pairs": as_pairs.write,
    "lmarena": as_lmarena.write,
    "parquet": as_parquet.write,
    "state2": as_state2.write,
}
"""What writes each format, by its name."""
TABLES = ("csv", "parquet")
"""Formats with a row for every vote, those that don't count marked; a dictionary describes their columns."""
WITHOUT_WEIGHTS = ("csv", "parquet", "pairs", "lmarena")
"""Formats from which others fit ratings, vote by vote."""
_PACKS_ITSELF = ("parquet",)


@dataclass(frozen=True)
class ExportReport:
    """What was written: ``records`` (in all formats but ``jsonl``: votes) to ``path``.

    ``left_out`` counts the votes that don't count, by the reason: ``jsonl`` has them and doesn't ask, tables have them
    and mark them, the others leave them out. ``odd`` counts, by column, values that are not of the column's type and
    so were left empty.
    """

    path: Path
    records: int
    filter: dict[str, str] | None
    public: bool
    form: str = "jsonl"
    left_out: Mapping[str, int] = field(default_factory=dict)
    odd: Mapping[str, int] = field(default_factory=dict)
    policy: Policy = field(default_factory=Policy)

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader must know of the file, in sentences."""
        if self.form not in WITHOUT_WEIGHTS or self.policy.listener_cap is None:
            return ()
        return ("The policy's cap on each listener is not in this file: every row is one whole vote.",)

    def as_json(self) -> dict[str, Any]:
        """The report for programs."""
        return {
            "file": str(self.path),
            "format": self.form,
            "records": self.records,
            "filter": self.filter,
            "public": self.public,
            "left_out": dict(sorted(self.left_out.items())),
            "odd": dict(sorted(self.odd.items())),
            "policy_hash": policy_hash(self.policy),
            "policy": None if self.policy.is_empty else policy_json(self.policy),
        }


def export_votes(
    log: VoteLog,
    out: Path,
    chosen: VoteFilter | None = None,
    *,
    public: bool = False,
    form: str = "jsonl",
    roster: Roster | None = None,
    policy: Policy | None = None,
    silent: bool = False,
    dictionary: Path | None = None,
    progress: Callable[[int], None] | None = None,
) -> ExportReport:
    """Write ``out`` in one of :data:`FORMATS` (packed if it ends in ``.gz`` or ``.zst``), whole or not at all.

    ``public`` leaves out what may identify a listener: own texts, device names, notes, and the originals of legacy
    records. ``roster``, ``policy`` and ``silent`` say which votes count and under what names (``jsonl`` doesn't ask);
    ``state2`` needs a roster. ``dictionary``: where to describe the columns of a table. ``progress`` is told how many
    of the log's records have been looked at.
    """
    _refuse(log, out, form, dictionary)
    used = Policy() if policy is None or form == "jsonl" else policy
    with log.moment() as then, replacing(out) as stream:
        source = ExportSource(
            then, chosen or VoteFilter(), public=public, roster=roster, policy=used, silent=silent, progress=progress
        )
        FORMATS[form](source, stream)
        report = ExportReport(
            out, source.written, source.options, public, form, dict(source.left_out), dict(source.odd), used
        )
        if dictionary is not None:
            with replacing(dictionary) as beside:
                export = {**report.as_json(), "file": out.name, **_origin(then, roster, silent)}
                beside.write(describing(export, public=public))
    return report


def _origin(log: VoteLog, roster: Roster | None, silent: bool) -> dict[str, Any]:
    return {
        "log_hash": log.log_hash(),
        "roster_hash": "" if roster is None else roster_hash(roster),
        "rules": RULES,
        "silent": silent,
    }


def _refuse(log: VoteLog, out: Path, form: str, dictionary: Path | None) -> None:
    for path in (out, *([] if dictionary is None else [dictionary])):
        if path.resolve() == log.database.path.resolve():
            raise ArenaError(f"{path} is the vote log itself.", "Name another file.")
    if dictionary is not None and form not in TABLES:
        raise UsageError(f"The format {form} has no columns to describe.", f"Choose {' or '.join(TABLES)}.")
    if dictionary is not None and dictionary.resolve() == out.resolve():
        raise UsageError(f"{out} can't be both the votes and their dictionary.", "Name another file.")
    if form in _PACKS_ITSELF and out.suffix.lower() in PACKED:
        raise ArenaError(f"{out}: a file of this format packs itself.", f"Name it without {out.suffix}.")
