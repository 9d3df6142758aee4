"""Speeds of models from a file: what ``bench models --json`` printed, on this machine or another."""

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from arena_desktop.errors import ArenaError
from arena_desktop.services.arena_votes import Speeds
from arena_desktop.services.measurements import Measured, one_device
from arena_desktop.store.bounded import read_bounded, reason

LARGEST = 4_000_000
"""Bytes."""
REMEDY = "Make it with: arena-desktop bench models --json > speeds.json"


def read_speeds(path: Path) -> Speeds:
    """The speeds in ``path``, of the device on which most models were measured. Raises :class:`ArenaError`."""
    try:
        data = read_bounded(path, LARGEST)
    except OSError as error:
        raise ArenaError(f"{path} can't be read: {reason(error)}.", REMEDY) from error
    if data is None:
        raise ArenaError(f"{path} is larger than {LARGEST:,} bytes.", REMEDY)
    try:
        told = json.loads(data.decode("utf-8-sig"))
        entries = told["models"]
        found = [one for one in map(_measured, entries) if one is not None]
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
        raise ArenaError(f"{path} does not hold speeds of models.", REMEDY) from None
    if not found:
        raise ArenaError(f"{path} holds the speed of no model.", REMEDY)
    return Speeds(*one_device(found))


def _measured(entry: Mapping[str, Any]) -> Measured | None:
    rtf = entry.get("rtf")
    if not isinstance(rtf, (int, float)) or isinstance(rtf, bool) or not 0 < rtf < math.inf:
        return None
    texts = [entry.get(key) for key in ("repo_id", "device", "dtype", "when")]
    if not all(isinstance(text, str) for text in texts):
        return None
    repo_id, device, dtype, when = map(str, texts)
    return Measured(repo_id, None, device, dtype, None, None, None, float(rtf), when)
