"""What is missing for playing sound, and what to do about it."""

import ctypes.util
import importlib.util
import platform
from collections.abc import Callable, Sequence

from arena_desktop.errors import ArenaError
from arena_desktop.services.doctor import Finding, Level


def look_at_portaudio(
    system: str = platform.system(),
    find: Callable[[str], str | None] = ctypes.util.find_library,
    installed: Callable[[str], object] = importlib.util.find_spec,
) -> Finding:
    """Whether sounddevice finds PortAudio: of the system on Linux, in a package of its own elsewhere."""
    if find("portaudio") is not None or installed("_sounddevice_data") is not None:
        return Finding("sound", Level.OK, "PortAudio is there")
    remedy = {
        "Linux": "Run: sudo apt-get install libportaudio2 (Debian, Ubuntu; elsewhere the package portaudio)",
        "Darwin": "Run: brew install portaudio",
    }.get(system, "Install the package sounddevice anew.")
    return Finding("sound", Level.FAULT, "PortAudio is missing: nothing can be played.", remedy)


def look_at_devices(names: Callable[[], Sequence[str]], chosen: str | None) -> list[Finding]:
    """The output devices, and whether the one in the settings (None: the system's default) is among them."""
    try:
        found = tuple(names())
    except ArenaError as error:
        return [Finding("devices", Level.FAULT, error.message, error.remedy)]
    if not found:
        remedy = "Plug one in, or start the sound server. Until then the window opens and battles wait."
        return [Finding("devices", Level.FAULT, "There is no sound output device.", remedy)]
    findings = [Finding("devices", Level.OK, f"Output device: {name}") for name in found]
    if chosen is not None and chosen not in found:
        remedy = "Plug it in, or choose another one in the settings."
        findings.append(
            Finding("devices", Level.WARNING, f"The device in the settings, {chosen}, is not there.", remedy)
        )
    return findings
