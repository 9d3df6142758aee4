"""System packages: which of the needed ones are missing, found by looking for what they bring, and installing them.

Installing is done on Debian and Ubuntu as root or with a sudo that asks for no password; else the exact command is
printed, and the set-up goes on as far as it can. On other Linux systems the missing files are named. Windows and macOS
need nothing: their wheels bring Qt and PortAudio whole.
"""

import ctypes.util
import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from saying import Fault, say

_LIBRARY_FOLDERS = ("/usr/lib", "/lib", "/usr/lib64", "/lib64", "/usr/local/lib")
_FESTIVAL_VOICE = "/usr/share/festival/voices/english/kal_diphone"
_FONT_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts")


@dataclass(frozen=True)
class Need:
    """A system package, what is looked for to know that it is there, and that look."""

    package: str
    sign: str
    present: Callable[[], bool]


def ensure(needs: Sequence[Need]) -> None:
    """Have these packages, if this machine is a Linux and any is missing. Raises Fault only if nothing can go on."""
    if not sys.platform.startswith("linux"):
        return
    missing = _missing(needs)
    if not missing:
        return
    if not _has_apt():
        signs = ", ".join(need.sign for need in missing)
        say(f"Missing on this system: {signs}. Install what brings them with its package manager.")
        return
    prefix = _right_to_install()
    packages = [need.package for need in missing]
    if prefix is None:
        say("System packages are missing, and this may not install them here. Install them with:")
        say(f"  sudo apt-get install --no-install-recommends {' '.join(packages)}")
        if any(need in FOR_VENV for need in missing):
            raise Fault("no environment can be made without them. Give the command above, then call this again.")
        return
    say(f"Installing system packages: {' '.join(packages)}")
    if not _apt(prefix, packages):
        say("  refreshing the package lists first")
        _call([*prefix, "apt-get", "update", "-q"])
        if not _apt(prefix, packages):
            say(f"  apt-get could not install them. Try: sudo apt-get install {' '.join(packages)}")
    left = _missing(missing)
    if left:
        say(f"Still missing: {', '.join(need.sign for need in left)}")
        if any(need in FOR_VENV for need in left):
            raise Fault("without python3-venv no environment can be made. Install it, then call this again.")


def _missing(needs: Sequence[Need]) -> list[Need]:
    _Libraries.forget()
    return [need for need in needs if not need.present()]


class _Libraries:
    """The shared libraries that the loader knows, listed once per look."""

    _known: frozenset[str] | None = None

    @classmethod
    def forget(cls) -> None:
        cls._known = None

    @classmethod
    def has(cls, name: str) -> bool:
        if cls._known is None:
            cls._known = frozenset(cls._list())
        return name in cls._known

    @staticmethod
    def _list() -> list[str]:
        tool = shutil.which("ldconfig", path=os.environ.get("PATH", "") + ":/sbin:/usr/sbin")
        if tool is not None:
            done = subprocess.run([tool, "-p"], capture_output=True, text=True, check=False)
            listed = [line.split()[0] for line in done.stdout.splitlines()[1:] if line.split()]
            if listed:
                return listed
        return [path.name for folder in _LIBRARY_FOLDERS for path in Path(folder).glob("**/lib*.so*")]


def _library(package: str, name: str) -> Need:
    return Need(package, name, lambda: _Libraries.has(name))


def _program(package: str, name: str) -> Need:
    return Need(package, name, lambda: shutil.which(name) is not None)


def _any_font() -> bool:
    return any(next(Path(folder).glob("**/*.[to]tf"), None) is not None for folder in _FONT_FOLDERS)


def _alsa_reaches_a_sound_server() -> bool:
    names = ("libasound_module_pcm_pulse.so", "libasound_module_pcm_pipewire.so")
    places = [Path(folder) for folder in ("/usr/lib", "/usr/lib64")]
    return any(
        next(place.glob(f"{middle}alsa-lib/{name}"), None) is not None
        for place in places
        for middle in ("", "*/")
        for name in names
    )


def _can_make_environments() -> bool:
    return all(importlib.util.find_spec(name) is not None for name in ("venv", "ensurepip"))


def _portaudio() -> bool:
    return ctypes.util.find_library("portaudio") is not None or _Libraries.has("libportaudio.so.2")


def _has_apt() -> bool:
    return shutil.which("apt-get") is not None and Path("/etc/debian_version").exists()


def _right_to_install() -> list[str] | None:
    """What to put before apt-get: nothing for root, sudo if it asks for no password; None if there is no way."""
    if os.geteuid() == 0:
        return []
    sudo = shutil.which("sudo")
    if sudo and subprocess.run([sudo, "-n", "true"], capture_output=True, check=False).returncode == 0:
        return [sudo, "-n"]
    return None


def _apt(prefix: Sequence[str], packages: Sequence[str]) -> bool:
    tail = ["apt-get", "install", "-y", "-q", "--no-install-recommends", *packages]
    return _call([*prefix, "env", "DEBIAN_FRONTEND=noninteractive", *tail])


def _call(command: Sequence[str]) -> bool:
    """Run apt-get, saying how much it fetches, and what went wrong if it fails."""
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    ) as process:
        assert process.stdout is not None
        wrong = []
        for line in process.stdout:
            if line.startswith("Need to get"):
                say(f"  {line.strip()}")
            elif line.startswith(("E:", "Err:")):
                wrong.append(line.strip())
    for line in wrong[:3] if process.returncode else ():
        say(f"  {line}")
    return process.returncode == 0


FOR_VENV = (Need(f"python3.{sys.version_info[1]}-venv", "Python's venv and ensurepip", _can_make_environments),)

FOR_RUNNING = (
    _library("libegl1", "libEGL.so.1"),
    _library("libgl1", "libGL.so.1"),
    _library("libfontconfig1", "libfontconfig.so.1"),
    _library("libglib2.0-0", "libglib-2.0.so.0"),
    _library("libdbus-1-3", "libdbus-1.so.3"),
    _library("libxkbcommon0", "libxkbcommon.so.0"),
    _library("libwayland-cursor0", "libwayland-cursor.so.0"),
    _library("libxkbcommon-x11-0", "libxkbcommon-x11.so.0"),
    _library("libxcb-cursor0", "libxcb-cursor.so.0"),
    _library("libxcb-icccm4", "libxcb-icccm.so.4"),
    _library("libxcb-image0", "libxcb-image.so.0"),
    _library("libxcb-keysyms1", "libxcb-keysyms.so.1"),
    _library("libxcb-randr0", "libxcb-randr.so.0"),
    _library("libxcb-render-util0", "libxcb-render-util.so.0"),
    _library("libxcb-shape0", "libxcb-shape.so.0"),
    _library("libxcb-xkb1", "libxcb-xkb.so.1"),
    Need("libportaudio2", "libportaudio.so.2", _portaudio),
    Need("libasound2-plugins", "an ALSA plug-in for the sound server", _alsa_reaches_a_sound_server),
    Need("fonts-dejavu-core", "a font", _any_font),
)
"""What Qt's window and PortAudio load, on a Debian with nothing else installed."""

FOR_TESTS = (
    *FOR_RUNNING,
    _program("xvfb", "Xvfb"),
    _program("openbox", "openbox"),
    _program("xdotool", "xdotool"),
    _program("pulseaudio", "pulseaudio"),
    _program("pulseaudio-utils", "pactl"),
    _program("flite", "flite"),
    _program("espeak-ng", "espeak-ng"),
    _program("festival", "text2wave"),
    Need("festvox-kallpc16k", "a voice of festival", lambda: Path(_FESTIVAL_VOICE).is_dir()),
)
"""And a screen, a window manager, keys to press, a sound server, and programs that speak."""
