"""The roster from its files: the shipped one and the user's own, or one that replaces both."""

from pathlib import Path

from arena_desktop.domain.roster import Roster, merged
from arena_desktop.errors import ArenaError
from arena_desktop.store.documents import read_file
from arena_desktop.store.located import Fault
from arena_desktop.store.roster_reader import RosterFile, read_roster

_PACKAGE = Path(__file__).resolve().parents[1]


class RosterError(ArenaError):
    """A roster can't be used. ``faults`` has every one of its faults; ``str()`` puts them on one line."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        self.faults = faults
        if len(faults) == 1:
            super().__init__(f"The roster has a fault: {faults[0]}")
        else:
            super().__init__(f"The roster has {len(faults)} faults: " + " | ".join(str(fault) for fault in faults))


def shipped_roster_path() -> Path:
    """The roster that comes with the program: inside the installed package, else beside it in the source tree."""
    packaged = _PACKAGE / "models.yaml"
    return packaged if packaged.is_file() else _PACKAGE.parent / "models.yaml"


def shipped_roster() -> Roster:
    """The roster that comes with the program, whatever the user's own says."""
    return _sound(_read(shipped_roster_path()))


def load_roster(user_file: Path, override: Path | None = None, shipped: Path | None = None) -> Roster:
    """The effective roster.

    ``override`` is the whole roster when given. Otherwise the entries of ``user_file`` (which may be missing)
    replace entries of the
    shipped one, or add to them. ``shipped`` is for tests. Raises :class:`RosterError` with all faults of all files
    at once.
    """
    if override is not None:
        return _sound(_read(override))
    base = _read(shipped or shipped_roster_path())
    if not user_file.exists():
        return _sound(base)
    own = _read(user_file)
    base.check_members(())
    own.check_members(base.seen)
    _raise_for(base.faults + own.faults)
    return merged(base.roster, own.roster)


def roster_faults(user_file: Path, override: Path | None = None, shipped: Path | None = None) -> tuple[Fault, ...]:
    """Every fault that :func:`load_roster` would raise for; none for a sound roster."""
    try:
        load_roster(user_file, override, shipped)
    except RosterError as error:
        return error.faults
    return ()


def _read(path: Path) -> RosterFile:
    return read_roster(read_file(path), path)


def _sound(file: RosterFile) -> Roster:
    file.check_members(())
    if not file.faults and not file.models:
        remedy = "write models: and a list of them, each with repo_id and name"
        file.faults.append(Fault(file.name, 1, "there is no model in it", remedy))
    _raise_for(file.faults)
    return file.roster


def _raise_for(faults: list[Fault]) -> None:
    if faults:
        raise RosterError(tuple(sorted(faults, key=lambda fault: (fault.file, fault.line))))
