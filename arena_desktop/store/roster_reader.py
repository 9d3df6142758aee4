"""One roster file's located values as models and arenas, with every fault on the way."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from arena_desktop.domain.roster import MATCHED, REPO_ID_FORM, ArenaSpec, ModelSpec, Roster, Voice, is_repo_id
from arena_desktop.store.clip_hashes import clip_hash
from arena_desktop.store.entries import Entry, nearest
from arena_desktop.store.located import Document, Fault, Located, shown

SCHEMA = 1

_TOP = ("schema", "models", "arenas")
_MODEL = (
    "repo_id",
    "name",
    "params",
    "params_m",
    "tts_index",
    "tts_index_source",
    "engine",
    "files",
    "voices",
    "language",
    "license",
    "settings",
    "python",
)
_VOICE = ("id", "audio", "transcript", "gender", "accent")
_ARENA = ("id", "title", "language", "kind", "models", "question", "match")
_KINDS = ("preset", "cloned")
_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*")
_ARENA_ID = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,63}")
_ENGINE = re.compile(r"[a-z][a-z0-9_.-]{0,63}")
_REVISION = re.compile(r"[0-9a-f]{40}")
_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass
class RosterFile:
    """What one file adds to a roster. Entries with a fault are left out of ``models`` and ``arenas``; ``seen`` has
    every
    repo_id that the file tries to define, faulty or not.
    """

    name: str
    models: dict[str, ModelSpec] = field(default_factory=dict)
    arenas: dict[str, ArenaSpec] = field(default_factory=dict)
    arena_members: list[tuple[str, str, int]] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)
    faults: list[Fault] = field(default_factory=list)

    @property
    def roster(self) -> Roster:
        return Roster(models=dict(self.models), arenas=dict(self.arenas))

    def check_members(self, known: Iterable[str]) -> None:
        """Report each arena member that is neither in ``known`` nor defined here."""
        all_known = sorted(set(known) | self.seen)
        for arena, repo_id, line in self.arena_members:
            if repo_id not in all_known:
                near = nearest(repo_id, all_known)
                remedy = f"did you mean {near}?" if near else "add the model under models, or remove it here"
                message = f"the arena {shown(arena)} names {shown(repo_id)}, which no roster has"
                self.faults.append(Fault(self.name, line, message, remedy))


def read_roster(document: Document, path: Path) -> RosterFile:
    """Turn a parsed file into roster entries. Never raises; see ``faults`` of the result."""
    result = RosterFile(str(path), faults=list(document.faults))
    if document.root is None:
        return result
    reader = _RosterReader(result, str(path.absolute().parent))
    reader.file(document.root)
    result.faults.sort(key=lambda fault: fault.line)
    return result


class _RosterReader:
    def __init__(self, result: RosterFile, base: str) -> None:
        self._result = result
        self._base = base
        self._model_lines: dict[str, int] = {}
        self._arena_lines: dict[str, int] = {}

    def _report(self, line: int, message: str, remedy: str) -> None:
        self._result.faults.append(Fault(self._result.name, line, message, remedy))

    def file(self, root: Located) -> None:
        if not isinstance(root.value, dict):
            self._report(root.line, "the file holds no roster", "write the keys schema, models and arenas")
            return
        top = Entry(root, "the roster", self._report)
        top.check_keys(_TOP)
        schema = top.get("schema")
        if schema is not None and (schema.value != SCHEMA or isinstance(schema.value, bool)):
            newer = isinstance(schema.value, int) and schema.value > SCHEMA
            remedy = "use a newer version of this program" if newer else f"write schema: {SCHEMA}"
            self._report(schema.line, f"this version reads rosters of schema {SCHEMA}", remedy)
            return
        for node in top.items("models", "and a list, one model an entry"):
            self._model(node)
        for node in top.items("arenas", "and a list, one arena an entry"):
            self._arena(node)

    def _entry(self, node: Located, what: str, keys: tuple[str, ...]) -> Entry | None:
        if isinstance(node.value, dict):
            return Entry(node, what, self._report)
        if not node.broken:
            self._report(node.line, f"{what} is no mapping", "write its keys: " + ", ".join(keys))
        return None

    def _model(self, node: Located) -> None:
        entry = self._entry(node, f"the model in line {node.line}", _MODEL)
        if entry is None:
            return
        repo_id = self._repo_id(entry)
        if repo_id is not None:
            entry.what = f"the model {repo_id}"
        entry.check_keys(_MODEL)
        entry.require("name", "and what to call it on screen")
        spec = ModelSpec(
            repo_id=repo_id or "",
            name=entry.text("name") or "",
            params=entry.text("params") or "unknown",
            params_m=entry.number("params_m", 0, 1e9) or 0,
            tts_index=entry.number("tts_index", 0, 100),
            tts_index_source=entry.text("tts_index_source", 1_000),
            engine=entry.matching("engine", _ENGINE, "write the engine's name in small letters, such as piper"),
            files=self._files(entry),
            voices=self._voices(entry),
            language=self._languages(entry),
            license=entry.text("license"),
            settings=entry.mapping("settings", "{KEY: VALUE}"),
            python=entry.text("python", 4_096),
            base=self._base,
        )
        if repo_id is None:
            return
        if repo_id in self._model_lines:
            first = self._model_lines[repo_id]
            self._report(entry.line, f"the model {repo_id} stands here again (first in line {first})", "keep one")
            return
        self._model_lines[repo_id] = entry.line
        if entry.sound:
            self._result.models[repo_id] = spec

    def _repo_id(self, entry: Entry) -> str | None:
        entry.require("repo_id", "OWNER/REPO")
        node = entry.get("repo_id")
        value = None if node is None else entry.as_text(node, "repo_id", 1_000)
        if node is None or value is None:
            return None
        self._result.seen.add(value)
        if not is_repo_id(value):
            entry.fault(node.line, f"{shown(value)} is no repo_id", REPO_ID_FORM)
            return None
        return value

    def _files(self, entry: Entry) -> Mapping[str, Any]:
        files = entry.mapping("files", "{path: DIRECTORY}, or {package: NAME}, or {hub: OWNER/REPO, revision: …}")
        node = entry.get("files")
        if node is None or not isinstance(node.value, dict):
            return files
        inner = Entry(node, f"files of {entry.what}", self._report)
        inner.matching("revision", _REVISION, "write the 40 hex digits of the commit")
        trusted = inner.get("allow_pickle")
        if trusted is not None and not isinstance(trusted.value, bool):
            inner.fault(trusted.line, f"allow_pickle of {inner.what} is neither true nor false", "write true or false")
        hashes = inner.get("sha256")
        if hashes is not None and isinstance(hashes.value, dict):
            for value in hashes.value.values():
                inner.as_matching(value, "sha256", _SHA256, "write FILE: and 64 small hex digits")
        else:
            inner.matching("sha256", _SHA256, "write {FILE: HASH}, each hash 64 small hex digits")
        entry.sound = entry.sound and inner.sound
        return files

    def _voices(self, entry: Entry) -> tuple[Voice, ...]:
        voices: dict[str, Voice] = {}
        for node in entry.items("voices", "[VOICE, …], or a list of {id: …, audio: …, transcript: …}"):
            voice = self._voice(entry, node)
            if voice is None:
                continue
            if voice.id in voices:
                entry.fault(node.line, f"{entry.what} has the voice {shown(voice.id)} twice", "keep one of the two")
            voices[voice.id] = voice
        return tuple(voices.values())

    def _voice(self, entry: Entry, node: Located) -> Voice | None:
        if not isinstance(node.value, dict):
            if node.broken:
                entry.sound = False
                return None
            name = entry.as_text(node, "a voice")
            return None if name is None else Voice(name)
        inner = Entry(node, f"a voice of {entry.what}", self._report)
        inner.check_keys(_VOICE)
        inner.require("id", "and the voice's name")
        audio = inner.text("audio", 4_096)
        voice = Voice(
            id=inner.text("id") or "",
            audio=audio,
            transcript=inner.text("transcript", 4_000),
            gender=inner.text("gender"),
            accent=inner.text("accent"),
            clip=None if audio is None else clip_hash(self._base, audio),
        )
        entry.sound = entry.sound and inner.sound
        return voice if inner.sound else None

    def _languages(self, entry: Entry) -> tuple[str, ...]:
        found = (
            entry.as_matching(node, "language", _LANGUAGE, "write codes such as [en] or [en-GB, fr]")
            for node in entry.items("language", "[en]")
            if not node.broken
        )
        return tuple(dict.fromkeys(code for code in found if code is not None))

    def _arena(self, node: Located) -> None:
        entry = self._entry(node, f"the arena in line {node.line}", _ARENA)
        if entry is None:
            return
        entry.require("id", "and a short name without blanks")
        arena_id = entry.matching("id", _ARENA_ID, "write letters, digits and . _ - (at most 64)")
        if arena_id is not None:
            entry.what = f"the arena {arena_id}"
        entry.check_keys(_ARENA)
        kind = entry.text("kind") or "preset"
        if kind not in _KINDS:
            kind_node = entry.values["kind"]
            entry.fault(kind_node.line, f"kind of {entry.what} can't be {shown(kind)}", "write preset or cloned")
        models = self._members(entry, arena_id or "")
        spec = ArenaSpec(
            id=arena_id or "",
            models=models,
            title=entry.text("title") or arena_id or "",
            language=entry.matching("language", _LANGUAGE, "write a code such as en"),
            kind=kind,
            question=entry.text("question", 400) or ArenaSpec.question,
            match=self._match(entry),
        )
        if arena_id is None:
            return
        if arena_id in self._arena_lines:
            first = self._arena_lines[arena_id]
            self._report(entry.line, f"the arena {arena_id} stands here again (first in line {first})", "keep one")
            return
        self._arena_lines[arena_id] = entry.line
        if entry.sound:
            self._result.arenas[arena_id] = spec

    def _match(self, entry: Entry) -> tuple[str, ...]:
        named = []
        for node in entry.items("match", "[gender, accent]"):
            name = None if node.broken else entry.as_text(node, "match")
            if name is not None and name not in MATCHED:
                remedy = "write gender, accent, or both"
                entry.fault(node.line, f"match of {entry.what} can't be {shown(name)}", remedy)
            elif name is not None:
                named.append(name)
        return tuple(name for name in MATCHED if name in named)

    def _members(self, entry: Entry, arena_id: str) -> tuple[str, ...]:
        entry.require("models", "[OWNER/REPO, …]")
        nodes = entry.items("models", "[OWNER/REPO, …]")
        node = entry.get("models")
        if node is not None and node.value == []:
            entry.fault(node.line, f"{entry.what} has no models", "list at least two repo_ids, or remove the arena")
        members: dict[str, int] = {}
        for item in nodes:
            repo_id = None if item.broken else entry.as_text(item, "a member")
            if repo_id is None:
                entry.sound = False
            elif repo_id in members:
                entry.fault(item.line, f"{entry.what} names {repo_id} twice", "keep one of the two")
            else:
                members[repo_id] = item.line
                self._result.arena_members.append((arena_id, repo_id, item.line))
        return tuple(members)
