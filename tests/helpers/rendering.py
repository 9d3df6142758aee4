"""Renders a list of timed commands through the playback renderer, for tests of what comes out."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from arena_desktop.audio.loaded import LoadedPair
from arena_desktop.audio.renderer import Renderer
from tests.helpers.sounds import Samples

Timed = tuple[int, str, dict[str, Any]]


def loaded(a: Samples, b: Samples, generation: int = 1) -> LoadedPair:
    return LoadedPair(a, b, generation)


def render(renderer: Renderer, commands: Iterable[Timed], frames: int, block: int = 4096) -> Samples:
    """``frames`` of output in blocks of at most ``block``; each command (frame, name, arguments) comes at its frame."""
    parts: list[Samples] = []

    def run_to(clock: int) -> None:
        while renderer.clock < clock:
            part = np.zeros(min(block, clock - renderer.clock), dtype=np.float32)
            renderer.render(part)
            parts.append(part)

    end = renderer.clock + frames
    for clock, command, arguments in commands:
        run_to(clock)
        renderer.send(command, **arguments)
    run_to(end)
    return np.concatenate(parts)
