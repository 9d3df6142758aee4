"""Where fixed plans wait between two runs of the program, and what makes them stale."""

import logging
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Protocol

from arena_desktop.domain.battle import Competitor, Plan
from arena_desktop.domain.prompts import Prompt
from arena_desktop.domain.takes import Reading
from arena_desktop.domain.votes import Side
from arena_desktop.services.plan_queue import Context, Planned

log = logging.getLogger(__name__)

FORM = 1
"""The form in which plans are kept."""


class Files(Protocol):
    """Sealed files, one a place."""

    def claim(self) -> bool: ...
    def let_go(self) -> None: ...
    def load(self, place: str) -> Any: ...
    def all(self) -> list[Any]: ...
    def save(self, place: str, value: Any) -> None: ...
    def remove(self, place: str) -> None: ...


class Keeper(Protocol):
    """What is needed of the clips."""

    def wait_for_only(self, keys: Collection[str]) -> None: ...


@dataclass(frozen=True)
class Kept:
    """Plans in the order in which they will be played, and the keys of those of their clips that were spoken."""

    plans: tuple[Planned, ...] = ()
    clips: Mapping[Reading, str] = field(default_factory=dict)
    dropped: int = 0
    """So many plans lay there and were drawn for another roster, other models or other texts."""


class Shelf(Protocol):
    """Keeps the fixed plans of each context; one thread at a time may use it."""

    def take_up(self, context: Context) -> Kept:
        """What is kept for this context."""

    def keep(self, context: Context, plans: Sequence[Planned], clips: Mapping[Reading, str]) -> str:
        """Keep these from now on; returns why that is impossible, "" if it isn't."""

    def close(self) -> None: ...


class NoShelf:
    """Keeps nothing."""

    def take_up(self, context: Context) -> Kept:
        return Kept()

    def keep(self, context: Context, plans: Sequence[Planned], clips: Mapping[Reading, str]) -> str:
        return ""

    def close(self) -> None:
        pass


class PlanShelf:
    """Plans in sealed files. The clips of all that is kept stay in the cache, and no others on account of a battle."""

    def __init__(self, files: Files, clips: Keeper) -> None:
        self._files = files
        self._clips = clips
        self._waiting: dict[str, frozenset[str]] | None = None

    def claim(self) -> bool:
        """Whether this program may keep battles here; while another one does it may not."""
        return self._files.claim()

    def take_up(self, context: Context) -> Kept:
        if not context.key or not self._begin():
            return Kept()
        kept = self._files.load(context.place)
        plans = _plans(kept, context)
        if plans is None:
            count = len(kept["plans"]) if isinstance(kept, dict) and isinstance(kept.get("plans"), list) else 0
            self.keep(context, (), {})
            return Kept(dropped=count)
        return plans

    def keep(self, context: Context, plans: Sequence[Planned], clips: Mapping[Reading, str]) -> str:
        if not context.key:
            return ""
        if not self._begin():
            return "Another window is open: what is prepared here is gone when this one is closed."
        wanted = {reading: clips[reading] for planned in plans for reading in planned.readings if reading in clips}
        assert self._waiting is not None
        self._waiting[context.place] = frozenset(wanted.values())
        self._clips.wait_for_only(frozenset[str]().union(*self._waiting.values()))
        try:
            if plans:
                self._files.save(context.place, _value(context, plans, wanted))
            else:
                self._files.remove(context.place)
        except OSError as error:
            log.warning("prepared battles could not be written down: %s", error.strerror)
            return f"What is prepared can't be kept for the next start: {error.strerror or error}."
        return ""

    def close(self) -> None:
        self._files.let_go()

    def _begin(self) -> bool:
        """Whether the files are ours. At first the clips that wait are found, so that those of lost plans don't."""
        if not self._files.claim():
            return False
        if self._waiting is None:
            self._waiting = {}
            for value in self._files.all():
                if isinstance(value, dict) and isinstance(value.get("place"), str):
                    self._waiting[value["place"]] = frozenset(_keys(value.get("clips")))
            self._clips.wait_for_only(frozenset[str]().union(*self._waiting.values()))
        return True


def _keys(clips: Any) -> Iterable[str]:
    return [clip[1] for clip in clips if isinstance(clip, list) and len(clip) == 2] if isinstance(clips, list) else []


def _value(context: Context, plans: Sequence[Planned], clips: Mapping[Reading, str]) -> dict[str, Any]:
    return {
        "form": FORM,
        "place": context.place,
        "key": context.key,
        "plans": [
            {"plan": asdict(planned.plan), "prompt": asdict(planned.prompt), "evidence": planned.evidence}
            for planned in plans
        ],
        "clips": [[list(reading), key] for reading, key in clips.items()],
    }


def _plans(value: Any, context: Context) -> Kept | None:
    """What a file holds, None if it is for something else."""
    if value is None:
        return Kept()
    try:
        if value["form"] != FORM or value["key"] != context.key or value["place"] != context.place:
            return None
        plans = tuple(
            Planned(_plan(item["plan"]), Prompt(**item["prompt"]), int(item["evidence"])) for item in value["plans"]
        )
        clips = {_reading(reading): str(key) for reading, key in value["clips"]}
    except (KeyError, TypeError, ValueError):
        return None
    return Kept(plans, clips)


def _plan(value: dict[str, Any]) -> Plan:
    sides = {side: Competitor(**value[side]) for side in ("a", "b")}
    return Plan(**{**value, **sides, "first": Side(value["first"])})


def _reading(value: list[Any]) -> Reading:
    repo_id, voice, prompt_id, take = value
    return str(repo_id), None if voice is None else str(voice), str(prompt_id), int(take)
