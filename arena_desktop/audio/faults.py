"""Words for what can be wrong with the sound system, and what to do about it."""

import sys
from dataclasses import dataclass

_PA_DEVICE_UNAVAILABLE = -9985
_AGAIN = "It is tried again every second."


@dataclass(frozen=True)
class Fault:
    """What happened, and what to do, each in whole sentences."""

    message: str
    remedy: str


def _on_linux(text: str) -> str:
    return text if sys.platform.startswith("linux") else ""


def no_python_package(error: ImportError) -> Fault:
    """The Python side of PortAudio is not installed."""
    return Fault(
        f"The Python package sounddevice can't be loaded ({error}).", "Install it: python -m pip install sounddevice."
    )


def no_library() -> Fault:
    """PortAudio itself is not installed."""
    if sys.platform.startswith("linux"):
        how = "Install it; on Debian and Ubuntu: sudo apt install libportaudio2 libasound2-plugins."
    else:
        how = "Install the sounddevice package again; it brings PortAudio along."
    return Fault("The sound library PortAudio is missing.", how)


def no_output() -> Fault:
    """PortAudio is there and lists no output at all."""
    hint = _on_linux(
        " On Debian and Ubuntu the desktop's sound server is reached through: sudo apt install libasound2-plugins."
    )
    return Fault("No sound device was found.", f"Connect one or start the sound server.{hint} {_AGAIN}")


def not_there(name: str) -> Fault:
    """The chosen device is not among the outputs."""
    return Fault(
        f"The sound device “{name}” is not there.", f"Connect it, or choose another one in the settings. {_AGAIN}"
    )


def not_opened(name: str, error: Exception) -> Fault:
    """The device is listed and does not open; ``error`` is PortAudio's."""
    code = error.args[1] if len(error.args) > 1 else None
    if code == _PA_DEVICE_UNAVAILABLE:
        return Fault(
            f"The sound device “{name}” is in use by another program.",
            f"Close that program, or choose another device in the settings. {_AGAIN}",
        )
    detail = str(error.args[0] if error.args else error).strip().rstrip(".")
    return Fault(
        f"The sound device “{name}” can't be opened ({detail}).",
        f"Check the system's sound settings, or choose another device in the settings. {_AGAIN}",
    )


def lost(name: str) -> Fault:
    """The device fell silent under us."""
    return Fault(
        f"The sound device “{name}” was lost.", f"Connect it again, or choose another one in the settings. {_AGAIN}"
    )


def child_ended(code: int) -> Fault:
    """The sound process ended by itself with this exit status (negative: by that signal)."""
    how = f"by signal {-code}" if code < 0 else f"with status {code}"
    return Fault(
        f"The sound process stopped unexpectedly ({how}).", "It is started again; this battle is to be heard again."
    )


def child_hangs() -> Fault:
    """The sound process gives no sign of life."""
    return Fault("The sound process does not answer.", "It is started again; this battle is to be heard again.")


def not_handed_over(error: OSError) -> Fault:
    """The file that carries the sound to its process can't be written."""
    return Fault(f"The sound can't be handed to its process ({error}).", "Make room on the disk. It is tried again.")


def child_not_started(error: OSError) -> Fault:
    """The sound process can't be started at all."""
    return Fault(f"The sound process can't be started ({error}).", "Check the installation. It is tried again.")
