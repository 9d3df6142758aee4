"""One policy file's located values as a policy, with every fault on the way."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from arena_desktop.domain.policy import EXCLUSION_KEYS, SCHEMA, SPLIT_PARTS, Exclusion
from arena_desktop.domain.records import is_uuid
from arena_desktop.domain.roster import REPO_ID_FORM, is_repo_id
from arena_desktop.domain.signing import key_bytes
from arena_desktop.domain.times import iso_us, time_text
from arena_desktop.store.entries import Entry, nearest
from arena_desktop.store.located import Document, Fault, Located, shown

POLICY_KEYS = ("schema", "aliases", "split", "trusted_keys", "exclusions", "listener_cap", "own_text", "silent")
ALIAS_KEYS = ("schema", "aliases")

_LARGEST_CAP = 1_000_000_000
_LONGEST = 1_000
_UUIDS = {"station": "the station's id, a UUID such as `votes contributors` prints", "vote": "the vote's id, a UUID"}


@dataclass(frozen=True)
class Alias:
    """A name, what it stands for, and where that is written."""

    name: str
    stands_for: str
    file: str
    line: int


@dataclass
class PolicyFile:
    """What one file says. Entries with a fault are left out."""

    name: str
    aliases: list[Alias] = field(default_factory=list)
    split: dict[str, tuple[str, ...]] = field(default_factory=dict)
    split_lines: dict[str, int] = field(default_factory=dict)
    trusted_keys: dict[str, str] = field(default_factory=dict)
    exclusions: list[Exclusion] = field(default_factory=list)
    listener_cap: int | None = None
    own_text: bool = True
    silent: bool = True
    faults: list[Fault] = field(default_factory=list)

    def fault(self, line: int, message: str, remedy: str) -> None:
        """Note what is wrong in a line, and what to write."""
        self.faults.append(Fault(self.name, line, message, remedy))


def read_policy(document: Document, path: Path, keys: tuple[str, ...] = POLICY_KEYS) -> PolicyFile:
    """Turn a parsed file into a policy that may have ``keys``. Never raises; see ``faults`` of the result."""
    result = PolicyFile(str(path), faults=list(document.faults))
    if document.root is not None:
        _Reader(result).file(document.root, keys)
    return result


def alias_faults(aliases: Iterable[Alias]) -> list[Fault]:
    """What is wrong with aliases that may come from several files: one name for two models, chains, circles."""
    first: dict[str, Alias] = {}
    faults = []
    for alias in aliases:
        known = first.setdefault(alias.name, alias)
        if known.stands_for != alias.stands_for:
            message = f"{shown(alias.name)} stands for {shown(alias.stands_for)} here"
            message += f" and for {shown(known.stands_for)} in {known.file}, line {known.line}"
            faults.append(Fault(alias.file, alias.line, message, "keep one of the two"))
    names = {name: alias.stands_for for name, alias in first.items()}
    for alias in first.values():
        end = _last_name(alias.name, names)
        if end is None:
            message = f"the alias {shown(alias.name)} leads round in a circle"
            faults.append(Fault(alias.file, alias.line, message, "let every other name stand for the one that stays"))
        elif end != alias.stands_for:
            message = f"{shown(alias.name)} stands for {shown(alias.stands_for)}, which is an alias itself"
            faults.append(Fault(alias.file, alias.line, message, f"write {alias.name}: {end}"))
    return faults


def split_faults(files: Iterable[PolicyFile], aliases: Mapping[str, str]) -> list[Fault]:
    """Splits of names under which no vote is read."""
    return [
        Fault(
            file.name,
            line,
            f"{shown(name)} is to be split, but it is an alias of {shown(aliases[name])}",
            f"split {aliases[name]} instead",
        )
        for file in files
        for name, line in file.split_lines.items()
        if name in aliases
    ]


def _last_name(name: str, names: Mapping[str, str]) -> str | None:
    """Where a chain of names ends; None if it leads back."""
    seen = set()
    while name in names:
        if name in seen:
            return None
        seen.add(name)
        name = names[name]
    return name


class _Reader:
    def __init__(self, result: PolicyFile) -> None:
        self._result = result

    def file(self, root: Located, keys: tuple[str, ...]) -> None:
        """Read the whole file."""
        fault = self._result.fault
        if not isinstance(root.value, dict):
            fault(root.line, "the file holds no policy", "write its keys: " + ", ".join(keys))
            return
        top = Entry(root, "the policy", fault)
        top.check_keys(keys)
        schema = top.get("schema")
        if schema is not None and (schema.value != SCHEMA or isinstance(schema.value, bool)):
            newer = isinstance(schema.value, int) and schema.value > SCHEMA
            remedy = "use a newer version of this program" if newer else f"write schema: {SCHEMA}"
            fault(schema.line, f"this version reads policies of schema {SCHEMA}", remedy)
            return
        self._aliases(top)
        self._split(top)
        self._trusted(top)
        for node in top.items("exclusions", "and a list, one exclusion an entry"):
            self._exclusion(node)
        self._cap(top)
        self._result.own_text = self._flag(top, "own_text")
        self._result.silent = self._flag(top, "silent")

    def _pairs(self, top: Entry, key: str, example: str) -> dict[str, tuple[Located, int]]:
        """A mapping of names, each with its value and its line."""
        node = top.get(key)
        if node is None:
            return {}
        if not isinstance(node.value, dict):
            self._result.fault(node.line, f"{key} of the policy is no mapping", f"write {key}: {{{example}}}")
            return {}
        return {name: (value, node.key_lines[name]) for name, value in node.value.items() if not value.broken}

    def _aliases(self, top: Entry) -> None:
        for name, (node, line) in self._pairs(top, "aliases", "OTHER NAME: OWNER/REPO").items():
            target = top.as_text(node, f"the alias {shown(name)}", _LONGEST)
            if target is None:
                continue
            if not is_repo_id(target):
                self._result.fault(node.line, f"{shown(target)} is no repo_id", REPO_ID_FORM)
            elif not name.strip() or len(name) > _LONGEST:
                self._result.fault(line, f"{shown(name)} is no name of a model", "write the name that votes have")
            else:
                self._result.aliases.append(Alias(name, target, self._result.name, line))

    def _split(self, top: Entry) -> None:
        form = f"write some of [{', '.join(SPLIT_PARTS)}]"
        for name, (node, line) in self._pairs(top, "split", "OWNER/REPO: [weights_hash]").items():
            if not is_repo_id(name):
                self._result.fault(line, f"{shown(name)} is no repo_id", REPO_ID_FORM)
                continue
            parts = []
            nodes = node.value if isinstance(node.value, list) else [node]
            for part in nodes:
                text = None if part.broken else top.as_text(part, f"a part by which to split {name}")
                if text is None:
                    continue
                if text not in SPLIT_PARTS:
                    near = nearest(text, SPLIT_PARTS)
                    remedy = f"did you mean {near}?" if near else form
                    self._result.fault(part.line, f"{name} can't be split by {shown(text)}", remedy)
                elif text not in parts:
                    parts.append(text)
            if not nodes:
                self._result.fault(node.line, f"{name} is to be split by nothing", form)
            if parts:
                self._result.split[name] = tuple(part for part in SPLIT_PARTS if part in parts)
                self._result.split_lines[name] = line

    def _trusted(self, top: Entry) -> None:
        for name, (node, line) in self._pairs(top, "trusted_keys", "STATION: PUBLIC KEY").items():
            key = top.as_text(node, f"the key of {shown(name)}")
            if not is_uuid(name):
                self._result.fault(line, f"{shown(name)} is no station", f"write {_UUIDS['station']}")
            elif key is not None and key_bytes(key) is None:
                remedy = "write the 44 characters that `votes keys` prints"
                self._result.fault(node.line, f"{shown(key)} is no public key", remedy)
            elif key is not None:
                self._result.trusted_keys[name] = key

    def _exclusion(self, node: Located) -> None:
        what = f"the exclusion in line {node.line}"
        keys = (*EXCLUSION_KEYS, "reason")
        if not isinstance(node.value, dict):
            if not node.broken:
                self._result.fault(node.line, f"{what} is no mapping", "write {listener: l-…, reason: WHY}")
            return
        entry = Entry(node, what, self._result.fault)
        entry.check_keys(keys)
        entry.require("reason", "and why these votes don't count")
        found = {key: entry.text(key, _LONGEST) for key in keys}
        for key, form in _UUIDS.items():
            value = found[key]
            if value is not None and not is_uuid(value):
                entry.fault(entry.values[key].line, f"{key} of {what} can't be {shown(value)}", f"write {form}")
        for key in ("since", "until"):
            found[key] = self._time(entry, key, found[key])
        if entry.sound and not any(found[key] for key in EXCLUSION_KEYS):
            entry.fault(node.line, f"{what} names no votes", "write one of " + ", ".join(EXCLUSION_KEYS))
        since, until = found["since"], found["until"]
        if since is not None and until is not None and since >= until:
            entry.fault(node.line, f"{what} ends before it begins", "write since before until")
        if entry.sound:
            reason = found.pop("reason") or ""
            self._result.exclusions.append(Exclusion(reason, **found))

    def _time(self, entry: Entry, key: str, text: str | None) -> str | None:
        us = None if text is None else iso_us(text)
        if text is not None and us is None:
            line = entry.values[key].line
            remedy = "write it like 2026-01-31 or 2026-01-31T18:30, in UTC"
            entry.fault(line, f"{key} of {entry.what} is no date or time: {shown(text)}", remedy)
        return None if us is None else time_text(us)

    def _cap(self, top: Entry) -> None:
        node = top.get("listener_cap")
        if node is None:
            return
        value = node.value
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= _LARGEST_CAP:
            remedy = "write how many votes one listener may count for in an arena, such as listener_cap: 200"
            self._result.fault(node.line, "listener_cap is no whole number from 1", remedy)
        else:
            self._result.listener_cap = value

    def _flag(self, top: Entry, key: str) -> bool:
        node = top.get(key)
        if node is None:
            return True
        if not isinstance(node.value, bool):
            self._result.fault(node.line, f"{key} of the policy is neither true nor false", f"write {key}: false")
            return True
        return node.value


def names_of(aliases: Iterable[Alias]) -> Mapping[str, str]:
    """Each other name and what it stands for."""
    return MappingProxyType({alias.name: alias.stands_for for alias in aliases})
