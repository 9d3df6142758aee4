"""The policy: under what names votes are read, which of them count, and how much. It is applied when a log is read and
never changes a record.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from arena_desktop.domain.canonical import canonical, sha256_hex

SCHEMA = 1
SPLIT_PARTS = ("weights_hash", "voice", "settings_hash")
"""By what the votes on one name can be told apart."""

_NO_NAMES: Mapping[str, str] = MappingProxyType({})
_NO_PARTS: Mapping[str, tuple[str, ...]] = MappingProxyType({})


@dataclass(frozen=True)
class Exclusion:
    """Votes that don't count, and why, in words. All that is named must hold; None names nothing, and at least one
    must be named.

    ``station`` and ``listener`` are ids as in the log, ``source`` is the name of the log that another program's votes
    came from; ``model`` is a competitor under any of its names; ``vote`` an id. ``since`` (inclusive) and ``until``
    (exclusive) are canonical times; a vote without a time is neither.
    """

    reason: str
    station: str | None = None
    listener: str | None = None
    source: str | None = None
    model: str | None = None
    vote: str | None = None
    arena: str | None = None
    since: str | None = None
    until: str | None = None


EXCLUSION_KEYS = ("station", "listener", "source", "model", "vote", "arena", "since", "until")
"""What an exclusion may name beside its reason."""


@dataclass(frozen=True)
class Policy:
    """``Policy()`` is no policy: everything counts as the log has it.

    ``aliases``: other names of competitors, each with the ``repo_id`` that it stands for, which is no alias itself.
    ``split``: competitors whose votes are told apart, each with some of :data:`SPLIT_PARTS`. ``trusted_keys``: public
    keys (base64) of stations by id: whoever signs with one is known. ``exclusions``: the first that fits a vote holds.
    ``listener_cap``: a listener with more votes in an arena than that has all of them count for so many together, in
    fits; Live Elo is one step a vote and is not weighted. ``own_text``: votes on texts that listeners brought along
    count. ``silent``: votes cast under ``--silent`` count where the program was itself started so; they never do
    elsewhere.
    """

    aliases: Mapping[str, str] = field(default_factory=lambda: _NO_NAMES)
    split: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: _NO_PARTS)
    trusted_keys: Mapping[str, str] = field(default_factory=lambda: _NO_NAMES)
    exclusions: tuple[Exclusion, ...] = ()
    listener_cap: int | None = None
    own_text: bool = True
    silent: bool = True

    @property
    def is_empty(self) -> bool:
        """Whether it says nothing."""
        return policy_json(self) == policy_json(Policy())


def policy_json(policy: Policy) -> dict[str, Any]:
    """The policy as a JSON value, the form of ``policy.yaml`` with every default written out: reading it as a policy
    file gives the same policy.
    """
    return {
        "schema": SCHEMA,
        "aliases": dict(sorted(policy.aliases.items())),
        "split": {name: list(parts) for name, parts in sorted(policy.split.items())},
        "trusted_keys": dict(sorted(policy.trusted_keys.items())),
        "exclusions": [
            {key: value for key in (*EXCLUSION_KEYS, "reason") if (value := getattr(one, key)) is not None}
            for one in policy.exclusions
        ],
        "listener_cap": policy.listener_cap,
        "own_text": policy.own_text,
        "silent": policy.silent,
    }


def policy_hash(policy: Policy) -> str:
    """SHA-256 of the canonical form of :func:`policy_json` in small hex digits; ``""`` for no policy."""
    return "" if policy.is_empty else sha256_hex(canonical(policy_json(policy)))
