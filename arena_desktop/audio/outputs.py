"""The sound outputs that PortAudio knows, by name. Only for the sound process: imports sounddevice when asked."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

from arena_desktop.audio import faults


class NoOutput(Exception):
    """No stream can be had; ``fault`` is worded for a person."""

    def __init__(self, fault: faults.Fault) -> None:
        super().__init__(fault.message)
        self.fault = fault


@dataclass(frozen=True)
class Output:
    """An output device. ``name`` is what it is remembered by; ``index`` holds until PortAudio is initialised again."""

    name: str
    index: int
    channels: int
    default: bool


def load_sounddevice() -> Any:
    """The sounddevice module; raises :class:`NoOutput` where it or PortAudio is missing."""
    try:
        import sounddevice
    except ImportError as error:
        raise NoOutput(faults.no_python_package(error)) from error
    except OSError as error:
        raise NoOutput(faults.no_library()) from error
    return sounddevice


def look_again(sd: Any) -> None:
    """Make PortAudio list the devices anew. It keeps the list of its start otherwise. All streams must be closed."""
    sd._terminate()
    sd._initialize()


def outputs(sd: Any) -> list[Output]:
    """All outputs. A name that several host interfaces offer is followed by the interface's."""
    devices = [d for d in sd.query_devices() if d["max_output_channels"] > 0]
    times = Counter(d["name"] for d in devices)
    default = sd.default.device[1]
    found = []
    for device in devices:
        name = device["name"]
        if times[name] > 1:
            name = f"{name}, {sd.query_hostapis(device['hostapi'])['name']}"
        found.append(Output(name, device["index"], device["max_output_channels"], device["index"] == default))
    return found


def choose(found: list[Output], name: str | None) -> Output:
    """The output of that name, or the default one (else the first) for None; raises :class:`NoOutput`."""
    if name is not None:
        for output in found:
            if output.name == name:
                return output
        raise NoOutput(faults.not_there(name) if found else faults.no_output())
    if not found:
        raise NoOutput(faults.no_output())
    return next((output for output in found if output.default), found[0])
