"""One vote of the log as the History page lists it."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from arena_desktop.domain.reading import CONFLICT, RETRACTED, may_retract
from arena_desktop.services.exchange_views import HistoryRow
from arena_desktop.services.left_out import in_words

COUNTS, TAKEN_BACK, NOT_COUNTED = "counts", "taken back", "not counted"
"""The values of ``HistoryFilter.only``."""

_SHORT_ID = 8


@dataclass(frozen=True)
class Around:
    """What a row needs to know beside its record.

    ``why_not`` says why a vote doesn't count (a fixed reason), None if it does; ``taken_back`` gives the retraction
    that took a vote back, by the vote's id. ``sounds``: SHA-256 of the clips at hand. ``model_names`` and
    ``listener_names`` are what this machine calls them. ``station`` is this database's own, ``listener`` who sits here.
    """

    why_not: Callable[[dict[str, Any]], str | None]
    taken_back: Mapping[str, Mapping[str, Any]]
    sounds: Collection[str]
    model_names: Mapping[str, str]
    listener_names: Mapping[str, str]
    station: str | None
    listener: str


def history_row(record: dict[str, Any], around: Around) -> HistoryRow:
    """The row of a vote; what the record doesn't say is empty."""
    reason = around.why_not(record)
    prompt = _part(record, "prompt")
    repo_a, repo_b = (_text(_part(record, side).get("repo_id")) for side in ("model_a", "model_b"))
    listener, station = _text(record.get("listener")), _text(record.get("station_id"))
    mine = may_retract({"station_id": around.station, "listener": around.listener}, record)
    return HistoryRow(
        id=_text(record.get("id")),
        at=_text(record.get("at")),
        arena=_text(record.get("arena")),
        a=_name(record, "model_a", around),
        b=_name(record, "model_b", around),
        repo_a=repo_a,
        repo_b=repo_b,
        vote=_text(record.get("vote")),
        prompt=prompt_text(record),
        category=_text(prompt.get("category")),
        listener=around.listener_names.get(listener, listener),
        station=_station(station, record, around),
        state=_state(record, reason, around),
        can_listen=all(sound in around.sounds for sound in clip_sounds(record)),
        can_retract=mine and reason not in (RETRACTED, CONFLICT),
    )


def prompt_text(record: Mapping[str, Any]) -> str:
    """The sentence that was spoken, "" where it isn't known here."""
    return _text(_part(record, "prompt").get("text")) or _text(_part(record, "private").get("text"))


def clip_sounds(record: Mapping[str, Any]) -> tuple[str | None, str | None]:
    """SHA-256 of the two clips that were heard, None where it isn't known here."""
    private = _part(record, "private")
    a = _text(_part(record, "model_a").get("clip_sha256")) or _text(private.get("clip_a_sha256"))
    b = _text(_part(record, "model_b").get("clip_sha256")) or _text(private.get("clip_b_sha256"))
    return a or None, b or None


def holds(row: HistoryRow, record: Mapping[str, Any], text: str) -> bool:
    """Whether a text occurs in what the row shows, or in the vote's note; case doesn't matter."""
    note = _text(_part(record, "private").get("note"))
    words = (row.prompt, row.a, row.b, row.repo_a, row.repo_b, row.listener, row.state, row.id, note)
    return any(text.casefold() in word.casefold() for word in words)


def passes(row: HistoryRow, reason: str | None, only: str) -> bool:
    """Whether a row is among those that ``only`` picks. ``reason``: why its vote doesn't count."""
    if only == COUNTS:
        return reason is None
    if only == TAKEN_BACK:
        return reason == RETRACTED
    return reason is not None if only == NOT_COUNTED else True


def _state(record: Mapping[str, Any], reason: str | None, around: Around) -> str:
    if reason is None:
        return ""
    if reason == RETRACTED:
        why = _text(around.taken_back.get(str(record.get("id")), {}).get("reason"))
        return f"taken back: {why}" if why else "taken back"
    return "not counted: " + in_words({reason: 1}).removeprefix("1 ")


def _name(record: Mapping[str, Any], side: str, around: Around) -> str:
    model = _part(record, side)
    repo_id = _text(model.get("repo_id"))
    if not repo_id:
        return "(sealed)" if "handle" in model else ""
    return around.model_names.get(repo_id) or _text(model.get("name")) or repo_id


def _station(station: str, record: Mapping[str, Any], around: Around) -> str:
    if station and station == around.station:
        return "this machine"
    return station[:_SHORT_ID] or _text(_part(record, "source").get("label")) or "another program"


def _part(record: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = record.get(name)
    return value if isinstance(value, dict) else {}


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
