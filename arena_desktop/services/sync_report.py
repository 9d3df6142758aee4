"""What a synchronisation did."""

from dataclasses import dataclass, field
from typing import Any

from arena_desktop.services.vote_import import ImportReport


@dataclass(frozen=True)
class Problem:
    """Something in the folder that is not as it should be: the file within the folder, and a clause that says what."""

    file: str
    reason: str


@dataclass
class SyncReport:
    """What a synchronisation did. ``exported`` records were written to own segments, ``imported`` tells what came in;
    its places are files within the folder. ``stations``: the folders of the others. ``unfinished`` says why not all
    could be done and ``remedy`` what to do, "" if all was; ``notes`` are sentences for the reader.
    """

    folder: str
    private: bool
    station_id: str | None = None
    exported: int = 0
    imported: ImportReport = field(default_factory=ImportReport)
    problems: list[Problem] = field(default_factory=list)
    stations: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    unfinished: str = ""
    remedy: str = ""

    def add(self, part: ImportReport) -> None:
        """Take in what a part of the import did."""
        whole = self.imported
        whole.new += part.new
        whole.already += part.already
        whole.skipped += part.skipped
        whole.conflicts += part.conflicts
        whole.unknown_models = sorted({*whole.unknown_models, *part.unknown_models})
        whole.unknown_arenas = sorted({*whole.unknown_arenas, *part.unknown_arenas})
        whole.notes += [note for note in part.notes if note not in whole.notes]
        whole.findings = part.findings

    def as_json(self) -> dict[str, Any]:
        """The report for programs."""
        imported = self.imported.as_json()
        del imported["schema"]
        return {
            "schema": 1,
            "folder": self.folder,
            "private": self.private,
            "station_id": self.station_id,
            "exported": self.exported,
            "imported": imported,
            "problems": [{"file": one.file, "reason": one.reason} for one in self.problems],
            "stations": self.stations,
            "notes": [*self.notes, *self.imported.notes],
            "unfinished": self.unfinished or None,
        }
