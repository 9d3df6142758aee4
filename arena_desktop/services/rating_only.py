"""Entries in the roster for models that are only rated: they have votes and can't speak here."""

import json
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from arena_desktop.domain.canonical import sha256_hex
from arena_desktop.domain.roster import Roster, is_repo_id
from arena_desktop.services.import_findings import ImportFindings
from arena_desktop.store.alias_editor import add_aliases
from arena_desktop.store.roster_editor import NewEntries, add_entries

_NAMED = 20
"""So many entries to be written by hand are named."""
_ARENA_ID = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,63}")


@dataclass(frozen=True)
class Plan:
    """What the roster lacks for some votes to count: ``models`` by repo_id with the name that each would get, and
    ``arenas`` with the members to add; arenas in ``new_arenas`` are made. ``aliases``: names that can't be a repo_id,
    with the one that each would get. ``meant``: names that are not added, for the roster calls the model with that
    repo_id so. ``impossible``: what no roster can hold, and why.
    """

    models: Mapping[str, str] = field(default_factory=dict)
    aliases: Mapping[str, str] = field(default_factory=dict)
    arenas: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    new_arenas: tuple[str, ...] = ()
    impossible: tuple[tuple[str, str], ...] = ()
    meant: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to add."""
        return not self.models and not self.arenas

    def sentence(self, done: bool) -> str:
        """What is added, or would be, in words."""
        verb = "Added" if done else "Would add"
        if not self.models:
            made = "Made" if done else "Would make"
            return f"{made} the arena{'' if len(self.new_arenas) == 1 else 's'} {', '.join(self.new_arenas)}."
        models = f"{len(self.models)} model{'' if len(self.models) == 1 else 's'} as rating-only"
        made = f"; made the arena{'' if len(self.new_arenas) == 1 else 's'} {', '.join(self.new_arenas)}"
        return f"{verb} {models}{made if self.new_arenas else ''}."

    def settles(self, name: str) -> bool:
        """Whether votes on the model, or in the arena, that is called so no longer wait once all is added."""
        return self.aliases.get(name, name) in self.models or name in self.new_arenas

    def left(self) -> list[str]:
        """What is not added, and what to do instead, in sentences."""
        return [*(f"{name} can't be added: {why}." for name, why in self.impossible), *namesake_sentences(self.meant)]


def namesakes(roster: Roster, names: Iterable[str]) -> dict[str, str]:
    """Those of ``names``, none of them a repo_id of the roster, by which the roster calls one of its models: that one's
    repo_id. Capitals and blanks don't matter.
    """
    called: dict[str, list[str]] = {}
    for repo_id, model in roster.models.items():
        called.setdefault(_plain(model.name), []).append(repo_id)
    found = {name: called.get(_plain(name), []) for name in names if name not in roster.models}
    return {name: repo_ids[0] for name, repo_ids in found.items() if len(repo_ids) == 1}


def namesake_sentences(found: Mapping[str, str]) -> list[str]:
    """What to do about each of :func:`namesakes`."""
    return [
        f"{name} is what the roster calls {repo_id}. If it is that model, write in aliases.yaml, under aliases:"
        f" {_quoted(name)}: {repo_id}"
        for name, repo_id in sorted(found.items())
    ]


def _plain(name: str) -> str:
    return " ".join(name.casefold().split())


def plan(roster: Roster, findings: ImportFindings, aliases: Mapping[str, str] = MappingProxyType({})) -> Plan:
    """What to add so that the votes that were found count. ``aliases`` are those in force.

    An arena that the roster lacks gets every model that has votes in it, a known one only those that no roster names:
    who else competes there, somebody has decided.
    """
    models: dict[str, str] = {}
    arenas: dict[str, tuple[str, ...]] = {}
    new_names: dict[str, str] = {}
    impossible: dict[str, str] = {}
    strange = (name for _, names in findings.arena_models for name in names if name not in aliases)
    meant = namesakes(roster, strange)
    for arena, names in findings.arena_models:
        known = roster.arenas.get(arena)
        if known is None and not _ARENA_ID.fullmatch(arena):
            impossible[arena] = "an arena's id has letters, digits and . _ - (at most 64)"
            continue
        members: list[str] = []
        for name in names:
            repo_id = aliases.get(name) or meant.get(name) or new_names.get(name) or name
            if not is_repo_id(repo_id):
                repo_id = new_names[name] = _id_for(name, {*roster.models, *models})
            if repo_id not in roster.models:
                models.setdefault(repo_id, name_of(name))
            if (known is None or repo_id not in roster.models) and repo_id not in members:
                members.append(repo_id)
        if members:
            arenas[arena] = tuple(members)
    new = tuple(arena for arena in arenas if arena not in roster.arenas)
    return Plan(models, new_names, arenas, new, tuple(sorted(impossible.items())), meant)


def add_rating_only(roster_file: Path, aliases_file: Path, roster: Roster, found: Plan) -> tuple[str, ...]:
    """Write the plan into the user's roster file and aliases (made if need be), beside the effective ``roster``.

    Returns sentences on what was done. :class:`arena_desktop.errors.ArenaError`: the roster file is as it was.
    """
    if found.is_empty:
        return ()
    told = [found.sentence(done=True)]
    if found.aliases:
        told.append(_kept(aliases_file, add_aliases(aliases_file, found.aliases)))
    told.append(_kept(roster_file, add_entries(roster_file, roster, NewEntries(found.models, found.arenas))))
    return tuple(told)


def add_to_own_roster(
    roster_file: Path, aliases_file: Path, override: Path | None, roster: Roster, found: Plan
) -> tuple[str, ...]:
    """:func:`add_rating_only`, unless the program was started with the roster file ``override``: that may be anybody's
    and is not written to, and the user's own, which isn't read beside it, would not help. Then the sentences say what
    to write.
    """
    if found.is_empty:
        return ()
    if override is None:
        return (*add_rating_only(roster_file, aliases_file, roster, found), "They count from now on.")
    return tuple(_by_hand(override, roster, found))


def _by_hand(file: Path, roster: Roster, found: Plan) -> Iterator[str]:
    yield (
        f"No model was added: the program was started with --roster {file}, and beside it your models.yaml isn't read."
        " For these votes to count, write the entries there and start it again:"
    )
    models = [f"- {{repo_id: {_quoted(repo_id)}, name: {_quoted(name)}}}" for repo_id, name in found.models.items()]
    if models:
        yield f"under models: {_listed(models)};"
    for arena, members in found.arenas.items():
        names = _listed([_quoted(name) for name in members])
        if arena in roster.arenas:
            yield f"in the models of the arena {arena}: {names};"
        else:
            yield f"under arenas: - {{id: {_quoted(arena)}, kind: preset, models: [{names}]}};"
    if found.aliases:
        pairs = _listed([f"{_quoted(name)}: {_quoted(repo_id)}" for name, repo_id in found.aliases.items()])
        yield f"and in aliases.yaml: {pairs};"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _listed(parts: Sequence[str]) -> str:
    rest = len(parts) - _NAMED
    return ", ".join(parts[:_NAMED]) + (f" and {rest:,} more" if rest > 0 else "")


def _kept(path: Path, backup: Path | None) -> str:
    kept = "" if backup is None else f"; what it was before is kept beside it in {backup.name}"
    return f"Written to {path}{kept}."


def _id_for(name: str, taken: Collection[str]) -> str:
    """A repo_id for a name that is none."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    stem = "imported/" + (re.sub(r"[^A-Za-z0-9._-]+", "-", plain).strip(".-")[:80] or sha256_hex(name.encode())[:8])
    found, number = stem, 1
    while found in taken:
        number += 1
        found = f"{stem}-{number}"
    return found


def name_of(repo_id: str) -> str:
    """What to call a model of which only the id is known: the repository and the variant, without the owner."""
    text = repo_id.partition("/")[2] or repo_id
    text = "".join(" " if unicodedata.category(char)[0] in "CZ" else char for char in text.replace("#", " "))
    return " ".join(text.split())[:100] or repo_id[:100]
