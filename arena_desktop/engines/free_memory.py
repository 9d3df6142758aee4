"""The RAM that this program may use, and what of it is free: the system's figures, and a container's on Linux."""

import os
import sys
from dataclasses import dataclass
from pathlib import Path

from arena_desktop.engines.machine_facts import GB

PROC = Path("/proc")
CGROUPS = Path("/sys/fs/cgroup")
UNLIMITED = 2**60
"""Version 1 of control groups writes "no limit" as a huge number."""


@dataclass(frozen=True)
class Ram:
    """``total`` bytes that this program may use, ``free`` of them now (with what the system would give up for it); None
    where it isn't known.
    """

    total: int
    free: int | None = None


def ram(proc: Path = PROC, cgroups: Path = CGROUPS) -> Ram:
    """As it is now. Cheap: some small files on Linux, a call elsewhere."""
    if sys.platform == "win32":
        return _windows()
    system = _linux(proc) or Ram(_installed())
    for limit, used in _limits(proc, cgroups):
        left = max(0, limit - used)
        system = Ram(min(system.total, limit), left if system.free is None else min(system.free, left))
    return system


def _linux(proc: Path) -> Ram | None:
    try:
        text = (proc / "meminfo").read_text(encoding="ascii")
    except (OSError, ValueError):
        return None
    lines = (line.split() for line in text.splitlines())
    kilobytes = {words[0]: int(words[1]) for words in lines if len(words) > 1 and words[1].isdigit()}
    total, free = kilobytes.get("MemTotal:"), kilobytes.get("MemAvailable:")
    if not total:
        return None
    return Ram(total * 1024, None if free is None else free * 1024)


def _limits(proc: Path, cgroups: Path) -> list[tuple[int, int]]:
    """(limit, used) in bytes of each control group that this process is in and that has a limit, both versions."""
    try:
        lines = (proc / "self" / "cgroup").read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        return []
    found = []
    for line in lines:
        _, _, rest = line.partition(":")
        controllers, _, path = rest.partition(":")
        if controllers == "":
            found += _of_group(cgroups, path, "memory.max", "memory.current", "inactive_file")
        elif "memory" in controllers.split(","):
            names = ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
            found += _of_group(cgroups / "memory", path, *names)
    return found


def _of_group(root: Path, path: str, limit_file: str, used_file: str, given_up: str) -> list[tuple[int, int]]:
    """The group and those around it: the narrowest counts. In a container the path may not be there, the root is."""
    parts = [part for part in path.split("/") if part and part != ".."]
    found = []
    for depth in range(len(parts), -1, -1):
        group = root.joinpath(*parts[:depth])
        limit, used = _number(group / limit_file), _number(group / used_file)
        if limit is not None and used is not None and limit < UNLIMITED:
            found.append((limit, max(0, used - _statistic(group / "memory.stat", given_up))))
    return found


def _number(file: Path) -> int | None:
    try:
        return int(file.read_text(encoding="ascii"))
    except (OSError, ValueError):  # "max" is no limit
        return None


def _statistic(file: Path, name: str) -> int:
    try:
        lines = file.read_text(encoding="ascii").splitlines()
    except (OSError, ValueError):
        return 0
    return next((int(value) for key, _, value in (line.partition(" ") for line in lines) if key == name), 0)


def _installed() -> int:
    """RAM in bytes; 8 GB where the system doesn't say."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGESIZE")
    except (ValueError, OSError):
        return 8 * GB


def _windows() -> Ram:
    if sys.platform != "win32":
        raise AssertionError("asked only on Windows")
    import ctypes

    class Status(ctypes.Structure):
        _fields_ = (
            ("length", ctypes.c_ulong),
            ("load", ctypes.c_ulong),
            *((name, ctypes.c_ulonglong) for name in ("total", "free", *"pqrst")),
        )

    status = Status()
    status.length = ctypes.sizeof(Status)
    if not ctypes.windll.kernel32.GlobalMemoryStatusEx(ctypes.byref(status)):
        return Ram(8 * GB)
    return Ram(int(status.total), int(status.free))


def killed_for_memory(proc: Path = PROC) -> int:
    """How many processes this system has ended so far because memory ran out; 0 where it doesn't tell."""
    return _statistic(proc / "vmstat", "oom_kill")
