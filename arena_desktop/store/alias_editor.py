"""Adding names to a person's ``aliases.yaml``."""

from collections.abc import Mapping
from pathlib import Path

from arena_desktop.errors import ArenaError
from arena_desktop.store.documents import read_text
from arena_desktop.store.policy_reader import ALIAS_KEYS, PolicyFile, alias_faults, read_policy
from arena_desktop.store.yaml_insert import cant_add, put, read_own, replace_own

_NEW = """\
# Other names of models, each with the repo_id that it stands for. They are read so; the log keeps the names it has.
schema: 1
"""


def add_aliases(path: Path, names: Mapping[str, str]) -> Path | None:
    """Add ``names`` to the file at ``path``, which is made if it isn't there.

    Returns where a copy of the old file was put, None if there was none. :class:`ArenaError`: nothing was changed.
    """
    text = read_own(path)
    old = _read(text or _NEW, path)
    if old.faults:
        raise ArenaError(f"The aliases have a fault: {old.faults[0]}", "Mend it first; nothing was added.")
    changed = put(text or _NEW, path, ("aliases",), dict(names))
    new = _read(changed, path)
    wanted = {**{alias.name: alias.stands_for for alias in old.aliases}, **names}
    if new.faults or alias_faults(new.aliases) or {alias.name: alias.stands_for for alias in new.aliases} != wanted:
        raise cant_add(path)
    return replace_own(path, text, changed)


def _read(text: str, path: Path) -> PolicyFile:
    return read_policy(read_text(text, str(path)), path, ALIAS_KEYS)
