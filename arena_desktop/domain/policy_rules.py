"""A policy at work: which votes it leaves out and why, and under what name it reads each competitor."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from arena_desktop.domain.canonical import sha256_hex
from arena_desktop.domain.policy import Exclusion, Policy
from arena_desktop.domain.reading import is_silent
from arena_desktop.domain.roster import ArenaSpec, ModelSpec, Roster

OWN_TEXT = "texts that listeners brought along don't count"
SILENT = "votes cast without sound don't count"
ONE_MODEL = "an alias makes both its models one"
"""Why a policy leaves a vote out that none of its exclusions names."""

_OWN_PROMPT = "own:"
_WORDS = {"weights_hash": "weights", "voice": "voice", "settings_hash": "settings"}
_MARK = re.compile("@(weights|voice|settings):")
_HASHES = ("weights_hash", "settings_hash")
_DIGITS = 8
_HEX = frozenset("0123456789abcdef")
_INDEXED = ("vote", "listener", "station", "source")

Makes = Mapping[tuple[str, str], Iterable[str]]
"""For an arena and a competitor that is split there: the names under which its votes are read."""


class Rules:
    """``policy`` applied to one vote after another. Votes must be well formed (``record_fault`` is None); the rest of a
    record may be anything.
    """

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self._found: dict[tuple[str, str], list[int]] = {}
        self._anywhere: list[int] = []
        self._bases: dict[str, str] = {}  # of the names under which split competitors were read
        for place, one in enumerate(policy.exclusions):
            key = next((key for key in _INDEXED if getattr(one, key) is not None), None)
            if key is None:
                self._anywhere.append(place)
            else:
                self._found.setdefault((key, getattr(one, key)), []).append(place)

    @property
    def policy(self) -> Policy:
        """What is applied."""
        return self._policy

    def why_out(self, vote: Mapping[str, Any]) -> str | None:
        """Why the policy leaves this vote out, in its own words; None if it counts."""
        policy = self._policy
        if policy.exclusions:
            found = self._exclusion(vote)
            if found is not None:
                return found.reason
        if not policy.own_text and _is_own_text(vote):
            return OWN_TEXT
        if not policy.silent and is_silent(vote):
            return SILENT
        if policy.aliases and self.name(vote["model_a"]) == self.name(vote["model_b"]):
            return ONE_MODEL
        return None

    def read(self, vote: dict[str, Any]) -> dict[str, Any]:
        """The vote under the names of the policy; the very record where they are its own."""
        a, b = vote["model_a"], vote["model_b"]
        name_a, name_b = self.name(a), self.name(b)
        if name_a is a["repo_id"] and name_b is b["repo_id"]:
            return vote
        return {**vote, "model_a": {**a, "repo_id": name_a}, "model_b": {**b, "repo_id": name_b}}

    def base(self, repo_id: str) -> str:
        """The competitor that a name stands for."""
        return self._policy.aliases.get(repo_id, repo_id)

    def name(self, model: Mapping[str, Any]) -> str:
        """Under what name a side of a vote is read: what its own stands for, with the parts behind it that tell split
        competitors apart. A side that says nothing of them keeps the bare name.
        """
        own: str = model["repo_id"]
        base = self._policy.aliases.get(own, own)
        parts = self._policy.split.get(base)
        if parts is None:
            return base
        name = base + "".join(_marks(model, parts))
        self._bases[name] = base
        return name

    def split_base(self, name: str) -> str | None:
        """The competitor that was split, if a vote was read under ``name`` for that; else None."""
        return self._bases.get(name)

    def _exclusion(self, vote: Mapping[str, Any]) -> Exclusion | None:
        places = list(self._anywhere)
        for key, value in (
            ("vote", vote.get("id")),
            ("listener", vote.get("listener")),
            ("station", vote.get("station_id")),
            ("source", _label(vote)),
        ):
            if isinstance(value, str):
                places += self._found.get((key, value), ())
        exclusions = self._policy.exclusions
        return next((exclusions[place] for place in sorted(places) if self._fits(exclusions[place], vote)), None)

    def _fits(self, one: Exclusion, vote: Mapping[str, Any]) -> bool:
        for named, found in (
            (one.vote, vote.get("id")),
            (one.listener, vote.get("listener")),
            (one.station, vote.get("station_id")),
            (one.arena, vote.get("arena")),
        ):
            if named is not None and named != found:
                return False
        if one.source is not None and one.source != _label(vote):
            return False
        if one.model is not None and not any(one.model in self._names(vote[side]) for side in ("model_a", "model_b")):
            return False
        if one.since is None and one.until is None:
            return True
        at = vote.get("at")  # canonical times sort as text
        return isinstance(at, str) and (one.since or "") <= at and (one.until is None or at < one.until)

    def _names(self, model: Mapping[str, Any]) -> tuple[str, str, str]:
        return model["repo_id"], self.base(model["repo_id"]), self.name(model)


def roster_under(roster: Roster, policy: Policy, makes: Makes) -> Roster:
    """The roster whose boards have the policy's names: other names give way to what they stand for, and split
    competitors stand there once for each of ``makes``, with the entry, and in the arenas, of the one that was split.
    """
    models = {repo_id: spec for repo_id, spec in roster.models.items() if repo_id not in policy.aliases}
    for other, base in policy.aliases.items():
        if other in roster.models and base not in models:
            models[base] = replace(roster.models[other], repo_id=base)
    arenas = {}
    for arena in roster.arenas.values():
        members: dict[str, None] = {}
        for repo_id in arena.models:
            base = policy.aliases.get(repo_id, repo_id)
            for name in sorted(makes.get((arena.id, base), ())) or [base]:
                if name not in models and base in models:
                    models[name] = _make_of(models[base], name)
                members[name] = None
        arenas[arena.id] = _with_members(arena, tuple(members))
    return Roster(models, arenas)


def _with_members(arena: ArenaSpec, members: tuple[str, ...]) -> ArenaSpec:
    return arena if members == arena.models else replace(arena, models=members)


def _make_of(model: ModelSpec, name: str) -> ModelSpec:
    told = ", ".join(part.replace(":", " ", 1) for part in name[len(model.repo_id) :].split("@") if part)
    return replace(model, repo_id=name, name=f"{model.name} ({told})")


def split_from(name: str) -> tuple[str, tuple[str, ...]]:
    """The competitor that a name was made from by splitting, and by which parts; the name itself and none if it looks
    like no such name.
    """
    base, *parts = _MARK.split(name)
    marks = {word: part for part, word in _WORDS.items()}
    return base, tuple(marks[word] for word in parts[::2])


def _marks(model: Mapping[str, Any], parts: Iterable[str]) -> Iterable[str]:
    for part in parts:
        value = model.get(part)
        if isinstance(value, str) and value:
            yield f"@{_WORDS[part]}:{_short(value) if part in _HASHES else value}"


def _short(value: str) -> str:
    """The first digits of a hash; of anything else those of its own hash."""
    plain = len(value) >= _DIGITS and _HEX.issuperset(value)
    return (value if plain else sha256_hex(value.encode("utf-8", "surrogatepass")))[:_DIGITS]


def _is_own_text(vote: Mapping[str, Any]) -> bool:
    prompt = vote.get("prompt")
    name = prompt.get("id") if isinstance(prompt, dict) else None
    return isinstance(name, str) and name.startswith(_OWN_PROMPT)


def _label(vote: Mapping[str, Any]) -> Any:
    source = vote.get("source")
    return source.get("label") if isinstance(source, dict) and "station_id" not in vote else None
