"""Why votes are on no board, in words. The fixed reasons are for programs; a person gets sentences."""

from collections.abc import Iterable, Mapping

from arena_desktop.domain.reading import BAD_HASH, BAD_TIME, CONFLICT, EXCLUDED, RETRACTED, SILENT
from arena_desktop.harmless import shortened
from arena_desktop.ratings import ballot
from arena_desktop.services.recount import OTHER_QUESTION

_WORDS: Mapping[str, tuple[str, str]] = {
    RETRACTED: ("vote taken back", "votes taken back"),
    SILENT: ("vote cast without sound (--silent)", "votes cast without sound (--silent)"),
    OTHER_QUESTION: ("vote under another question", "votes under another question"),
    CONFLICT: ("vote that shares its id with another record", "votes that share their id with another record"),
    EXCLUDED: ("vote excluded by the policy", "votes excluded by the policy"),
    BAD_HASH: ("record whose hash does not match", "records whose hash does not match"),
    BAD_TIME: ("vote whose time can't be read", "votes whose time can't be read"),
    ballot.NOT_AN_OBJECT: ("line that is no JSON object", "lines that are no JSON objects"),
    ballot.MISSING_FIELDS: ("record without the fields of a vote", "records without the fields of a vote"),
    ballot.ARENA_NOT_TEXT: ("vote whose arena is no text", "votes whose arena is no text"),
    ballot.MODEL_NOT_AN_OBJECT: ("vote with a model that is no object", "votes with a model that is no object"),
    ballot.UNKNOWN_VOTE: ("vote with an unknown outcome", "votes with an unknown outcome"),
    ballot.SELF_BATTLE: ("vote on a model against itself", "votes on a model against itself"),
    ballot.NOT_IN_ARENA: (
        "vote with a model that is not in its arena",
        "votes with a model that is not in their arena",
    ),
    ballot.UNKNOWN_MODEL: (
        "vote with a model that is not in the roster",
        "votes with a model that is not in the roster",
    ),
    ballot.UNKNOWN_ARENA: ("vote of an arena that is not in the roster", "votes of an arena that is not in the roster"),
}
_STRANGE: Mapping[str, str] = {ballot.UNKNOWN_MODEL: "model", ballot.UNKNOWN_ARENA: "arena"}
_NAMED = 5


def in_words(left_out: Mapping[str, int]) -> str:
    """``300 votes cast without sound (--silent), 1 vote taken back``: most first, "" for none."""
    ordered = sorted(left_out.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(_counted(reason, number) for reason, number in ordered if number)


def left_out_notes(left_out: Mapping[str, int], strangers: Mapping[str, Iterable[str]]) -> list[str]:
    """Sentences on the votes that are on no board. ``left_out`` counts them by reason; ``strangers`` names, by reason,
    what the roster lacks.
    """
    notes = [
        _strange(what, left_out[reason], sorted(strangers[reason]))
        for reason, what in _STRANGE.items()
        if left_out.get(reason) and strangers.get(reason)
    ]
    named = {reason for reason in _STRANGE if strangers.get(reason)}
    rest = in_words({reason: number for reason, number in left_out.items() if reason not in named})
    return [*notes, f"Left out of all boards: {rest}."] if rest else notes


def _strange(what: str, number: int, names: list[str]) -> str:
    told = ", ".join(shortened(name) for name in names[:_NAMED])
    more = f", … and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    votes = "1 vote is left out of all boards: it names" if number == 1 else None
    votes = votes or f"{number:,} votes are left out of all boards: they name"
    article = "an" if what == "arena" else "a"
    whom = f"{article} {what} that is" if len(names) == 1 else f"{what}s that are"
    return f"{votes} {whom} not in the roster ({told}{more}). Give the roster that has {_it(names)} with --roster."


def _it(names: list[str]) -> str:
    return "it" if len(names) == 1 else "them"


def _counted(reason: str, number: int) -> str:
    one, many = _WORDS.get(reason, (f"vote ({reason})", f"votes ({reason})"))
    return f"1 {one}" if number == 1 else f"{number:,} {many}"
