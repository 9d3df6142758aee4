"""The hash of a clip that a voice is cloned from: by it two models are known to clone the same one."""

import hashlib
from pathlib import Path

from arena_desktop.paths import from_home

LONGEST_BYTES = 200_000_000
"""A larger file is no clip of a voice."""


def clip_hash(base: str, audio: str) -> str | None:
    """SHA-256 of the file ``audio``, which starts at the directory ``base`` unless it is absolute, in small hex digits:
    the ``reference_sha256`` of a vote. None for a file that isn't there or can't be read.
    """
    try:
        file = Path(base) / from_home(audio)
        if not file.is_file() or file.stat().st_size > LONGEST_BYTES:
            return None
        with file.open("rb") as opened:
            return hashlib.file_digest(opened, "sha256").hexdigest()
    except (OSError, ValueError):
        return None
