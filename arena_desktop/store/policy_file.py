"""The policy from its files: ``policy.yaml`` and ``aliases.yaml`` of the data directory, or one file that is all of
it.
"""

from collections.abc import Sequence
from pathlib import Path
from types import MappingProxyType

from arena_desktop.domain.policy import Policy
from arena_desktop.errors import ArenaError
from arena_desktop.store.documents import read_file
from arena_desktop.store.located import Fault
from arena_desktop.store.policy_reader import (
    ALIAS_KEYS,
    POLICY_KEYS,
    PolicyFile,
    alias_faults,
    names_of,
    read_policy,
    split_faults,
)


class PolicyError(ArenaError):
    """A policy can't be used. ``faults`` has every one of its faults; ``str()`` puts them on one line."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        self.faults = faults
        what = "a fault" if len(faults) == 1 else f"{len(faults)} faults"
        super().__init__(f"The policy has {what}: " + " | ".join(str(fault) for fault in faults))


def load_policy(path: Path) -> Policy:
    """The policy in one file, which is all of it. Raises :class:`PolicyError` with all its faults at once."""
    return _policy([read_policy(read_file(path), path)])


def data_policy(policy_file: Path, aliases_file: Path) -> Policy:
    """The policy of a data directory: either file, both, or none may be there.

    Raises :class:`PolicyError` with all faults of both at once.
    """
    files = [
        read_policy(read_file(path), path, keys)
        for path, keys in ((policy_file, POLICY_KEYS), (aliases_file, ALIAS_KEYS))
        if path.exists()
    ]
    return _policy(files)


def _policy(files: Sequence[PolicyFile]) -> Policy:
    aliases = [alias for file in files for alias in file.aliases]
    names = names_of(aliases)
    faults = [fault for file in files for fault in file.faults] + alias_faults(aliases) + split_faults(files, names)
    if faults:
        raise PolicyError(tuple(sorted(faults, key=lambda fault: (fault.file, fault.line))))
    if not files:
        return Policy()
    whole = files[0]
    return Policy(
        aliases=names,
        split=MappingProxyType(whole.split),
        trusted_keys=MappingProxyType(whole.trusted_keys),
        exclusions=tuple(whole.exclusions),
        listener_cap=whole.listener_cap,
        own_text=whole.own_text,
        silent=whole.silent,
    )
