"""The votes of a log that a board counts, each reduced to what a look at the board may ask of it."""

import math
from collections.abc import Hashable, Mapping
from typing import Any, NamedTuple

from arena_desktop.domain.times import canonical_us
from arena_desktop.ratings.vote_table import UNKNOWN, Condition, Make, VoteRow

_NOTHING: Mapping[str, Any] = {}
_FIRST = {"a": 0, "b": 1}
_MOST = 2**53


class CountedVote(NamedTuple):
    """One vote of an arena."""

    arena: str
    row: VoteRow


class Excluded(NamedTuple):
    """What a vote that a policy leaves out is counted under: the policy's own words for it, and whose vote it was."""

    reason: str
    arena: str
    station: str | None
    listener: Hashable


def counted_vote(record: Mapping[str, Any]) -> CountedVote:
    """From a record that the ratings accept as a vote. What else it holds may be anything."""
    a, b, get = record["model_a"], record["model_b"], record.get
    prompt, listening, policy = _part(get("prompt")), _part(get("listening")), _part(get("policy"))
    at, text, first = canonical_us(get("at")), prompt.get("text"), listening.get("first_played")
    row = VoteRow(
        id=str(get("id", "")),
        a=a["repo_id"],
        b=b["repo_id"],
        vote=record["vote"],
        listener=listener_of(record),
        prompt=_text(prompt.get("id")),
        category=_text(prompt.get("category")),
        language=_text(prompt.get("language")),
        length=len(text) if isinstance(text, str) else UNKNOWN,
        at=UNKNOWN if at is None else at,
        first=_FIRST.get(first, UNKNOWN) if isinstance(first, str) else UNKNOWN,
        reveals_before=_count(listening.get("reveals_before")),
        session=_text(get("session_id")),
        condition=_condition(_part(get("conditions"))),
        make_a=_make(a),
        make_b=_make(b),
        rtf_a=_real(a.get("rtf")),
        rtf_b=_real(b.get("rtf")),
        device_a=_text(a.get("device")),
        device_b=_text(b.get("device")),
        policy=_text(policy.get("pair")),
        station=_text(get("station_id")),
        rt_ms=_real(listening.get("rt_ms")),
        heard=min(_real(listening.get("heard_a")), _real(listening.get("heard_b"))),
    )
    return CountedVote(record["arena"], row)


def excluded_as(reason: str, vote: Mapping[str, Any]) -> Excluded:
    """What this vote is counted under."""
    station = vote.get("station_id")
    return Excluded(reason, vote["arena"], station if isinstance(station, str) else None, listener_of(vote))


def question_of(record: Mapping[str, Any]) -> str | None:
    """The question that the listener was asked, None where the record doesn't say."""
    return _text(_part(record.get("conditions")).get("question"))


def listener_of(record: Mapping[str, Any]) -> Hashable:
    """The pseudonym. Votes of one source that name nobody count as one person's: fewer listeners never claim more."""
    pseudonym = record.get("listener")
    if isinstance(pseudonym, str):
        return pseudonym
    return (_text(_part(record.get("source")).get("label")),)


def _condition(part: Mapping[str, Any]) -> Condition:
    hidden, gate, target = part.get("text_hidden"), _real(part.get("gate")), _real(part.get("target_lufs"))
    return Condition(
        question=_text(part.get("question")),
        silent=part.get("silent") is True,
        reveal=_text(part.get("reveal")),
        playback=_text(part.get("playback")),
        text_hidden=hidden if isinstance(hidden, bool) else None,
        gate=None if math.isnan(gate) else gate,
        target_lufs=None if math.isnan(target) else target,
    )


def _make(model: Mapping[str, Any]) -> Make:
    return Make(_text(model.get("weights_hash")), _text(model.get("settings_hash")), _text(model.get("voice")))


def _part(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else _NOTHING


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _count(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _MOST else UNKNOWN


def _real(value: Any) -> float:
    if type(value) is float and -_MOST < value < _MOST:  # most are
        return value
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < _MOST:
        return math.nan
    return float(value)
