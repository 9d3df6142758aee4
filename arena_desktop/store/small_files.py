"""Small private files of our own (settings, names): replaced whole or not at all, set aside when damaged."""

import contextlib
import json
import os
import secrets
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from arena_desktop.store.bounded import read_bounded, reason

LARGEST_FILE = 4_000_000
"""Bytes."""

Clock = Callable[[], datetime]


def utc_now() -> datetime:
    """The present, in UTC."""
    return datetime.now(UTC)


class Damaged(Exception):
    """A file is there and does not hold what it should; the text says why, as the end of a sentence."""


def read_json_object(path: Path) -> dict[str, Any] | None:
    """The JSON object in ``path``, None if there is no such file. Raises :class:`Damaged`."""
    try:
        data = read_bounded(path, LARGEST_FILE)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Damaged(f"it can't be read: {reason(error)}") from error
    if data is None:
        raise Damaged(f"it is larger than {LARGEST_FILE:,} bytes")
    try:
        value = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise Damaged("it is no JSON") from error
    if not isinstance(value, dict):
        raise Damaged("it is no JSON object")
    return value


def write_json(path: Path, value: object) -> None:
    """Replace ``path`` by ``value`` as JSON: after a crash or a power cut it has the old content or the new one, whole.

    Only its owner may read it. A link is followed. Raises OSError.
    """
    write_whole(path, (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode("utf-8", "surrogatepass"))


def write_whole(path: Path, data: bytes) -> None:
    """Replace ``path`` by ``data``, whole or not at all; mode 0600. Raises OSError."""
    target = Path(os.path.realpath(path))
    target.parent.mkdir(parents=True, exist_ok=True)
    # mkstemp gives the file to its owner alone from the first moment on
    import tempfile  # only where something is written: the settings are read before the first paint

    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".new", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, target)  # noqa: PTH105 — name is text already
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)  # noqa: PTH108
        raise
    sync_folder(target.parent)


def write_new(path: Path, data: bytes) -> bool:
    """Make ``path`` with ``data``, whole or not at all, mode 0600, never in place of what is there (then False): of
    several processes one makes it. Raises OSError.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    partial = path.with_name(f"{path.name}.{secrets.token_hex(4)}.partial")
    descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    try:
        with os.fdopen(descriptor, "wb") as handle:
            handle.write(data)
            handle.flush()
            os.fsync(handle.fileno())
        _rename_new(partial, path)
    except FileExistsError:
        return False
    finally:
        partial.unlink(missing_ok=True)
    sync_folder(path.parent)
    return True


def _rename_new(partial: Path, target: Path) -> None:
    """Give ``partial`` the name ``target`` if nothing has it, else ``FileExistsError``."""
    if os.name == "nt":
        partial.rename(target)  # refuses an existing target there
        return
    try:
        os.link(partial, target)
    except FileExistsError:
        raise
    except OSError:  # a disk without hard links
        if target.exists():
            raise FileExistsError(target) from None
        partial.rename(target)


def sync_folder(directory: Path) -> None:
    """Make a renaming in ``directory`` survive a power cut. Raises OSError."""
    if os.name == "nt":  # directories can't be opened there; the replacement itself is journalled
        return
    handle = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def set_aside(path: Path, now: datetime) -> Path:
    """Rename a damaged file to ``NAME.bad-<time>`` beside it, without replacing anything. Raises OSError."""
    stem = f"{path.name}.bad-{now:%Y%m%dT%H%M%S}"
    target = path.with_name(stem)
    count = 1
    while os.path.lexists(target):
        count += 1
        target = path.with_name(f"{stem}-{count}")
    path.rename(target)
    return target
