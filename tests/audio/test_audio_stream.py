"""Which device is opened, and what is said when one does not open, with sound libraries that can't be had here."""

from typing import Any

import numpy as np
import pytest

from arena_desktop.audio.outputs import NoOutput, choose, outputs
from arena_desktop.audio.renderer import Renderer
from arena_desktop.audio.stream import KeptStream
from arena_desktop.audio.types import PlayerState


class PortAudioError(Exception):
    """As the library's: a text, and often a code."""


class Library:
    """Looks like the sounddevice module with these outputs; ``error`` is raised on opening a stream."""

    PortAudioError = PortAudioError

    def __init__(self, *names: str, default: int = 0, channels: int = 2, error: Exception | None = None) -> None:
        self._devices = [
            {"name": name, "index": i, "max_output_channels": channels, "hostapi": i % 2}
            for i, name in enumerate(names)
        ]
        self._devices.append({"name": "microphone", "index": 99, "max_output_channels": 0, "hostapi": 0})
        self._error = error
        self.opened: list[dict[str, Any]] = []
        self.default = type("Default", (), {"device": (99, default)})

    def query_devices(self) -> list[dict[str, Any]]:
        return self._devices

    def query_hostapis(self, index: int) -> dict[str, Any]:
        return {"name": ("One", "Two")[index]}

    def _initialize(self) -> None: ...
    def _terminate(self) -> None: ...

    def OutputStream(self, **options: Any) -> "Library":  # noqa: N802 - the library's name
        if self._error is not None:
            raise self._error
        self.opened.append(options)
        return self

    def start(self) -> None: ...
    def close(self, ignore_errors: bool = True) -> None: ...


class Flags:
    output_underflow = False


def kept(library: Library) -> KeptStream:
    return KeptStream(Renderer(), 0.05, load=lambda: library)


def test_a_busy_device_is_named() -> None:
    stream = kept(Library("Box", error=PortAudioError("Error opening OutputStream: Device unavailable", -9985)))
    stream.tend()
    assert stream.state is PlayerState.NO_DEVICE
    assert stream.fault.message == "The sound device “Box” is in use by another program."
    assert "Close that program" in stream.fault.remedy


def test_another_error_is_passed_on_in_its_words() -> None:
    stream = kept(Library("Box", error=PortAudioError("Error opening OutputStream: Invalid sample rate", -9997)))
    stream.tend()
    assert "Invalid sample rate" in stream.fault.message


@pytest.mark.parametrize("channels", [1, 2, 32])
def test_one_sound_goes_to_all_channels_of_the_device(channels: int) -> None:
    library = Library("Box", channels=channels)
    stream = kept(library)
    stream.tend()
    (options,) = library.opened
    assert options["channels"] == min(2, channels)
    assert (options["samplerate"], options["dtype"], options["latency"]) == (48_000, "float32", 0.05)
    out = np.full((20_000, options["channels"]), np.nan, dtype=np.float32)
    options["callback"](out, len(out), None, Flags())
    stream.tend()
    assert stream.running
    assert not out.any()


def test_outputs_of_the_same_name_are_told_apart_and_the_default_is_the_default() -> None:
    found = outputs(Library("Box", "Box", "Phones", default=2))
    assert [output.name for output in found] == ["Box, One", "Box, Two", "Phones"]
    assert choose(found, None).name == "Phones"
    assert choose(found, "Box, Two").index == 1
    with pytest.raises(NoOutput, match="“Box”"):
        choose(found, "Box")


def test_without_a_default_the_first_output_is_taken_and_without_outputs_none() -> None:
    assert choose(outputs(Library("Box", "Phones", default=-1)), None).name == "Box"
    with pytest.raises(NoOutput, match="No sound device"):
        choose(outputs(Library()), None)
