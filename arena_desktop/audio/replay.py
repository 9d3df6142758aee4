"""What was heard, rendered once more from the command log."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena_desktop.audio.loaded import LoadedPair
from arena_desktop.audio.renderer import Renderer
from arena_desktop.audio.types import PreparedPair
from arena_desktop.domain.votes import Side

_BLOCK = 4096
_NOT_ARGUMENTS = {"clock", "command", "first_frame"}


def render_log(log: Iterable[Mapping[str, Any]], pair: PreparedPair, frames: int | None = None) -> NDArray[np.float32]:
    """The output, to the bit, from the frame at which ``pair`` was loaded (the first entry of ``log``).

    It ends after ``frames``, else when the pair was unloaded or nothing sounds any more. A log that ends while a side
    is being looped goes on for ever: then ``frames`` must be given, else :class:`ValueError`. What the device itself
    lost (an ``underflow`` entry) is not in it.
    """
    entries = list(log)
    if not entries or entries[0]["command"] != "load":
        raise ValueError("the log does not begin with a load")
    first = entries[0]
    start = int(first["clock"])
    renderer = Renderer(clock=start)
    renderer.send("volume", db=first["volume_db"])
    renderer.send("options", same_position=first["same_position"], loop=first["loop"])
    renderer.send("load", pair=LoadedPair.of(pair))
    parts: list[NDArray[np.float32]] = []
    end = None if frames is None else start + frames

    def render_to(clock: int) -> None:
        part = np.zeros((clock if end is None else min(clock, end)) - renderer.clock, dtype=np.float32)
        renderer.render(part)
        parts.append(part)

    for entry in entries[1:]:
        if end is not None and entry["clock"] >= end:
            break
        render_to(int(entry["clock"]))
        command = str(entry["command"])
        if command == "unload":
            return np.concatenate(parts)
        arguments = {key: value for key, value in entry.items() if key not in _NOT_ARGUMENTS}
        if command == "play":
            arguments["side"] = Side(arguments["side"])
        renderer.send(command, **arguments)
        renderer.render(np.zeros(0, dtype=np.float32))
    if end is not None:
        render_to(end)
    elif renderer.endless:
        raise ValueError("the log ends while a side is being looped: say how many frames to render")
    else:
        while not renderer.settled:
            render_to(renderer.clock + _BLOCK)
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.float32)
