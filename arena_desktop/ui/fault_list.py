"""An expected fault as a banner shows it: what happened in one line, then one line for each part of it."""

from pathlib import Path

from arena_desktop.errors import ArenaError
from arena_desktop.services.views import Line, Tone
from arena_desktop.ui import text

MOST_SHOWN = 6


def line_of(error: ArenaError) -> Line:
    """``error`` in words.

    One that carries ``faults`` (each with file, line, message, remedy) gets a line for each of them, with every file
    named once; what is too much for a banner is left to the command that names all.
    """
    faults = tuple(getattr(error, "faults", ()))
    if not faults:
        return Line(error.message, Tone.ERROR, error.remedy)
    files = list(dict.fromkeys(str(fault.file) for fault in faults))
    told = []
    for file in files:
        if len(files) > 1:
            told.append(f"{file}:")
        told += [_told(fault) for fault in faults if str(fault.file) == file]
    shown = told[:MOST_SHOWN]
    if len(told) > MOST_SHOWN:
        shown.append("… and more: `arena-desktop doctor` names them all.")
    where = files[0] if len(files) == 1 else ", ".join(Path(file).name for file in files)
    return Line(f"{text.counted(len(faults), 'fault')} in {where}", Tone.ERROR, "\n".join(shown))


def _told(fault: object) -> str:
    line, message, remedy = (getattr(fault, name, "") for name in ("line", "message", "remedy"))
    where = f"Line {line}: " if line else ""
    return f"{where}{message}; {remedy}." if remedy else f"{where}{message}."
