"""Where no search goes unasked: folders of other machines, where looking may take for ever, and the system's own."""

from collections.abc import Iterable
from pathlib import Path

_NETWORK = frozenset({"9p", "afs", "ceph", "cifs", "davfs", "glusterfs", "lustre", "ncpfs", "nfs", "nfs4", "smb3"})
_SYSTEM = frozenset(
    {
        "autofs",
        "binfmt_misc",
        "bpf",
        "cgroup",
        "cgroup2",
        "configfs",
        "debugfs",
        "devpts",
        "devtmpfs",
        "efivarfs",
        "fusectl",
        "mqueue",
        "proc",
        "pstore",
        "securityfs",
        "sysfs",
        "tracefs",
    }
)
_MOUNTS = Path("/proc/self/mounts")


def other_mounts(mounts: Path = _MOUNTS) -> frozenset[str]:
    """The mount points of file systems over a network or of the system's own, as Linux tells them; none elsewhere."""
    try:
        lines = mounts.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:
        return frozenset()
    return frozenset(_of(lines))


def _of(lines: Iterable[str]) -> Iterable[str]:
    for line in lines:
        fields = line.split(" ")
        if len(fields) > 2 and (fields[2] in _NETWORK or fields[2] in _SYSTEM or fields[2].startswith("fuse.")):
            yield fields[1].replace("\\040", " ").replace("\\011", "\t").replace("\\012", "\n").replace("\\134", "\\")
