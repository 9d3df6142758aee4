"""The doctor's round: every look in order, each finding as soon as it is there."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from arena_desktop.domain.roster import Roster
from arena_desktop.engines.placement import Machine
from arena_desktop.errors import ArenaError
from arena_desktop.paths import AppPaths
from arena_desktop.services import doctor, doctor_sound
from arena_desktop.services.doctor import Checker, Finding, Level
from arena_desktop.services.environments import Environments
from arena_desktop.store.roster_file import RosterError
from arena_desktop.store.settings_file import peek_settings


class Host(Checker, Protocol):
    """The speech host, as far as the doctor asks it."""

    @property
    def machine(self) -> Machine: ...


@dataclass(frozen=True)
class Examination:
    """Looks at one machine. ``roster`` reads the effective roster (raising RosterError); ``host`` makes the speech
    host; ``output_devices`` lists the names of sound devices (raising ArenaError); ``kept`` are the environments of
    engines.
    """

    paths: AppPaths
    roster: Callable[[], Roster]
    host: Callable[[], Host]
    output_devices: Callable[[], Sequence[str]]
    kept: Callable[[], Environments]

    def everything(self) -> Iterator[Finding]:
        """All looks; the slow ones (models) last."""
        yield from doctor.look_at_versions()
        yield from doctor.look_at_folder(self.paths.data)
        yield from doctor.look_at_settings(self.paths.settings)
        yield doctor.look_at_display()
        yield from doctor.look_at_screen_libraries()
        yield from self.sound()
        host = None
        try:
            host = self.host()
            gpu = doctor.look_at_gpu(host.machine)
        except ArenaError as error:  # the rest of the report is wanted all the more
            gpu = doctor.Finding("engines", Level.FAULT, error.message, error.remedy)
        yield gpu
        yield from doctor.look_at_roster(self.roster)
        try:
            roster = self.roster()
        except RosterError:
            return  # its faults stand in the report already
        yield from self.environments()
        if host is not None:
            yield from doctor.look_at_models(roster, host)

    def environments(self) -> Iterator[Finding]:
        """The environments of engines; those of a roster with faults count as used by nobody."""
        try:
            models = tuple(self.roster().models.values())
        except RosterError:
            models = ()
        kept = self.kept()
        try:
            kept.check_readable()
        except ArenaError as error:
            yield doctor.Finding("environments", Level.FAULT, error.message, error.remedy)
            return
        yield from doctor.look_at_environments(kept.examine(models), kept.how_to_make)

    def sound(self) -> Iterator[Finding]:
        """What playing needs."""
        portaudio = doctor_sound.look_at_portaudio()
        yield portaudio
        if portaudio.level is Level.OK:
            yield from doctor_sound.look_at_devices(
                self.output_devices, peek_settings(self.paths.settings).output_device
            )
